use super::{LatticeNoise, noisy};
use crate::randomness::SeededRandomness;
use crate::rounded_normal::RoundedNormal;

#[test]
fn a_sum_beyond_64_bits_stops_at_the_end_and_does_not_come_back_from_the_other() {
    assert_eq!((noisy(i64::MAX, 0), noisy(i64::MAX, 1)), (i64::MAX, i64::MAX));
    assert_eq!((noisy(i64::MIN, 0), noisy(i64::MIN, -1)), (i64::MIN, i64::MIN));
    assert_eq!((noisy(1, i128::MAX), noisy(-1, i128::MIN)), (i64::MAX, i64::MIN));
    assert_eq!(noisy(-5, i128::from(i64::MAX)), i64::MAX - 5);
}

#[test]
fn every_coordinate_has_a_draw_of_its_own() -> Result<(), crate::rounded_normal::NoiseScaleError> {
    let mut exact = [0; 100];
    RoundedNormal::new(1 << 40)?.add_to(&mut exact, &mut SeededRandomness::from_seed(0));
    exact.sort_unstable();
    assert!(exact.windows(2).all(|pair| pair[0] < pair[1]), "of 2^40 values no two are equal");
    Ok(())
}
