use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b, Simd, WithSimd as _};

use super::*;
use crate::nested::kernel::{AddProducts, Multiply, ROWS, add_products, banded, bands, multiply, stride};

fn random_rows(seed: u64, rows: usize, length: usize, width: usize, most: i64) -> Vec<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut block = vec![0.0; rows * width];
    for row in block.chunks_mut(width) {
        row[..length].iter_mut().for_each(|k| *k = generator.random_range(-most..=most) as f64);
    }
    block
}

fn products_in<S: Simd>(registers: S, rows: &[f64], stride: usize) -> Vec<i64> {
    let mut sums = vec![1; banded(stride)];
    AddProducts { rows, stride, into: &mut sums }.with_simd(registers);
    sums
}

fn multiplied_in<S: Simd>(registers: S, rows: &[f64], matrix: &[f64], stride: usize) -> Vec<i64> {
    let mut sums = vec![0; ROWS * stride];
    Multiply { rows, length: rows.len() / ROWS, matrix, stride, into: &mut sums }.with_simd(registers);
    sums
}

#[test]
fn tiles_of_registers_give_the_products_of_plain_loops() {
    for length in [1, 2, 3, 8, 9, 23, 24, 25, 33, 40, 93, 96] {
        let width = stride(length);
        for rows in [0, 1, 5, 64] {
            let block = random_rows(7, rows, length, width, RADIUS);
            let mut sums = vec![1; banded(width)];
            add_products(&block, width, &mut sums);
            for (top, band) in bands(width) {
                for (place, sum) in sums[band].iter().enumerate() {
                    let (i, j) = (top + place / (width - top), top + place % (width - top));
                    if i <= j {
                        let product = |row: &[f64]| row[i] as i128 * row[j] as i128;
                        let expected = 1 + block.chunks(width).map(product).sum::<i128>();
                        assert_eq!(i128::from(*sum), expected, "{length} {rows} {i} {j}");
                    }
                }
            }
            // below the diagonal there is whatever a tile holds: of upper triangles alone
            let upper = |sums: &[i64]| -> Vec<i64> {
                let bands = bands(width).flat_map(|(top, band)| {
                    let placed = sums[band].iter().enumerate();
                    placed.filter(move |(place, _)| place / (width - top) <= place % (width - top)).map(|(_, sum)| *sum)
                });
                bands.collect()
            };
            let of_this_machine = upper(&sums);
            assert_eq!(upper(&products_in(Scalar, &block, width)), of_this_machine);
            assert_eq!(upper(&products_in(Scalar128b, &block, width)), of_this_machine);
            assert_eq!(upper(&products_in(Scalar256b, &block, width)), of_this_machine);
            assert_eq!(upper(&products_in(Scalar512b, &block, width)), of_this_machine);
        }
    }
}

#[test]
fn rows_times_a_matrix_are_those_of_plain_loops() {
    for (length, order) in [(1, 1), (130, 2), (130, 7), (131, 11), (300, 40)] {
        let width = stride(order);
        let rows = random_rows(8, ROWS, length, length, RADIUS / 32);
        let matrix = random_rows(9, length, order, width, 1 << 20);
        let mut found = vec![7; ROWS * width];
        multiply(&rows, length, &matrix, width, &mut found);
        assert_eq!(multiplied_in(Scalar, &rows, &matrix, width), found);
        assert_eq!(multiplied_in(Scalar128b, &rows, &matrix, width), found);
        assert_eq!(multiplied_in(Scalar256b, &rows, &matrix, width), found);
        assert_eq!(multiplied_in(Scalar512b, &rows, &matrix, width), found);
        for (row, found) in rows.chunks(length).zip(found.chunks(width)) {
            for (l, found) in found.iter().enumerate().take(order) {
                let terms = row.iter().enumerate().map(|(i, k)| *k as i128 * matrix[i * width + l] as i128);
                assert_eq!(i128::from(*found), terms.sum::<i128>());
            }
        }
    }
}
