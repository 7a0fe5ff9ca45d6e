#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;

fn random(records: usize, folds: usize, seed: u64) -> Result<Folds, FoldError> {
    Folds::random(records, folds, &mut ChaCha8Rng::seed_from_u64(seed))
}

proptest! {
    #[test]
    fn every_record_is_left_out_exactly_once_and_sizes_differ_by_at_most_one(
        (records, folds) in (2_usize..200).prop_flat_map(|records| (Just(records), 2..=records)),
        seed: u64,
    ) {
        let made = random(records, folds, seed).unwrap();
        let mut all: Vec<usize> = made.members().flatten().copied().collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..records).collect::<Vec<_>>());
        let sizes: Vec<usize> = made.members().map(<[usize]>::len).collect();
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        prop_assert_eq!((made.count(), made.records()), (folds, records));
    }
}

#[test]
fn the_same_seed_gives_the_same_folds() {
    assert_eq!(random(50, 10, 3), random(50, 10, 3));
    assert_ne!(random(50, 10, 3), random(50, 10, 4));
}

#[test]
fn folds_without_records_are_refused() {
    assert_eq!(random(5, 6, 0), Err(FoldError::TooMany { folds: 6, records: 5 }));
    assert_eq!(random(5, 1, 0), Err(FoldError::TooFew { folds: 1 }));
    assert_eq!(random(5, 0, 0), Err(FoldError::TooFew { folds: 0 }));
    assert_eq!(Folds::leave_one_out(1), Err(FoldError::TooFew { folds: 1 }));
    assert_eq!(Folds::assigned(&[0, 2, 2]), Err(FoldError::Empty { fold: 1 }));
    assert_eq!(Folds::assigned(&[0, usize::MAX]), Err(FoldError::Empty { fold: 1 }));
    assert_eq!(Folds::assigned(&[0, 0]), Err(FoldError::TooFew { folds: 1 }));
    assert_eq!(Folds::assigned(&[]), Err(FoldError::TooFew { folds: 0 }));
}

#[test]
fn assigned_folds_are_what_was_assigned() {
    let folds = Folds::assigned(&[1, 0, 1]).unwrap();
    assert_eq!(folds.members().collect::<Vec<_>>(), [&[1][..], &[0, 2]]);
    assert_eq!(Folds::leave_one_out(3).unwrap().count(), 3);
}
