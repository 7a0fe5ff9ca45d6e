use super::*;
use crate::nested::kernel::{ROWS, add_products, add_products_plainly, banded, bands, multiply, stride};

fn random_rows(seed: u64, rows: usize, length: usize, width: usize, most: i64) -> Vec<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut block = vec![0.0; rows * width];
    for row in block.chunks_mut(width) {
        row[..length].iter_mut().for_each(|k| *k = generator.random_range(-most..=most) as f64);
    }
    block
}

#[test]
fn tiles_of_registers_give_the_products_of_plain_loops() {
    for length in [1, 2, 3, 8, 9, 23, 24, 25, 33, 40, 93, 96] {
        let width = stride(length);
        for rows in [0, 1, 5, 64] {
            let block = random_rows(7, rows, length, width, RADIUS);
            let mut sums = vec![1; banded(width)];
            add_products(&block, width, &mut sums);
            let mut plain = vec![1; banded(width)];
            add_products_plainly(&block, width, &mut plain);
            for (top, band) in bands(width) {
                let of_band = |sums: &[i64]| sums[band.clone()].to_vec();
                let both = of_band(&sums).into_iter().zip(of_band(&plain));
                for (place, (wide, narrow)) in both.enumerate() {
                    let (i, j) = (top + place / (width - top), top + place % (width - top));
                    if i <= j {
                        let product = |row: &[f64]| row[i] as i128 * row[j] as i128;
                        let expected = 1 + block.chunks(width).map(product).sum::<i128>();
                        assert_eq!(
                            (i128::from(wide), i128::from(narrow)),
                            (expected, expected),
                            "{length} {rows} {i} {j}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn rows_times_a_matrix_are_those_of_plain_loops() {
    for (length, order) in [(1, 1), (130, 7), (300, 40)] {
        let width = stride(order);
        let rows = random_rows(8, ROWS, length, length, RADIUS / 32);
        let matrix = random_rows(9, length, order, width, 1 << 20);
        let mut found = vec![7; ROWS * width];
        multiply(&rows, length, &matrix, width, &mut found);
        for (row, found) in rows.chunks(length).zip(found.chunks(width)) {
            for (l, found) in found.iter().enumerate().take(order) {
                let terms = row.iter().enumerate().map(|(i, k)| *k as i128 * matrix[i * width + l] as i128);
                assert_eq!(i128::from(*found), terms.sum::<i128>());
            }
        }
    }
}
