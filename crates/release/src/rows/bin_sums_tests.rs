#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn cell() -> impl Strategy<Value = Cell> {
    let bin = prop_oneof![0..6_u32, any::<u32>()];
    (bin, prop_oneof![Just(1_u32), 1..9_u32], -(1_i64 << 40)..1_i64 << 40).prop_map(|(bin, rows, sum)| Cell {
        bin,
        rows,
        sum,
    })
}

#[test]
fn the_largest_numbers_are_read_as_they_were_written() {
    for (bin, rows, sum) in [(0, 1, 0), (u32::MAX, u32::MAX, i64::MIN), (u32::MAX, 1, i64::MAX), (1, 2, -1)] {
        let cell = Cell { bin, rows, sum };
        let (bytes, length) = cell.written();
        assert_eq!(Cell::read(&bytes[..length]).unwrap(), (cell, &[][..]));
    }
}

#[test]
fn a_bin_with_one_row_takes_six_bytes() {
    let mut sums = BinSums::new();
    (0..10).for_each(|bin| sums.add(bin, -0.7));
    assert_eq!(sums.bytes.len(), 60);
}

proptest! {
    #[test]
    fn cells_add_up_by_bin_in_any_order(cells in prop::collection::vec(cell(), 0..40)) {
        let (mut kept, mut expected) = (BinSums::new(), BTreeMap::new());
        for cell in &cells {
            kept.add_cell(*cell);
            let (rows, sum) = expected.entry(cell.bin).or_insert((0, 0));
            *rows += cell.rows;
            *sum += cell.sum;
        }
        let found: Vec<_> = kept.cells().map(|(_, cell)| (cell.bin, (cell.rows, cell.sum))).collect();
        prop_assert_eq!(&found, &expected.into_iter().collect::<Vec<_>>());
        let (first, second) = cells.split_at(cells.len() / 2);
        let half = |cells: &[Cell]| {
            let mut half = BinSums::new();
            for cell in cells {
                half.add_cell(*cell);
            }
            half
        };
        let mut merged = half(first);
        merged.merge(&half(second));
        prop_assert_eq!(merged.words(), kept.words());
    }
}
