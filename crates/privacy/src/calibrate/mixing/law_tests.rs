#![allow(clippy::unwrap_used, reason = "tests")]

use super::{LARGEST_V, MixingLaw, SMALLEST_V};
use crate::calibrate::incomplete_gamma::incomplete_gamma;
use crate::calibrate::mixing::MixingError;
use crate::draw::randomness::SeededRandomness;

fn t(nu: f64) -> MixingLaw {
    MixingLaw::student_t(nu).unwrap()
}

fn gamma(shape: f64) -> MixingLaw {
    MixingLaw::gamma_root(shape).unwrap()
}

fn log_normal(sigma: f64) -> MixingLaw {
    MixingLaw::log_normal(sigma).unwrap()
}

/// Law, level and quantile to 17 digits, by arithmetic of 40 digits.
fn reference() -> [(MixingLaw, f64, f64); 13] {
    [
        (t(3.0), 1e-12, 0.225_647_309_036_639_02),
        (t(3.0), 0.3, 0.904_755_629_375_205_3),
        (t(3.0), 0.999, 11.111_663_091_954_164),
        (t(0.1), 0.25, 5.189_314_119_002_694),
        (t(1e4), 1e-15, 0.946_399_711_753_653_5),
        (gamma(0.5), 1e-9, 8.862_269_254_527_58e-10),
        (gamma(0.1), 0.3, 0.001_893_696_390_240_776_5),
        (gamma(1.0), 0.5, 0.832_554_611_157_697_8),
        (gamma(20.0), 1e-18, 1.049_617_477_603_349),
        (gamma(20.0), 0.99999, 6.711_150_819_123_989),
        (gamma(1e4), 0.01, 98.837_426_396_565_95),
        (log_normal(0.3), 1e-16, 0.084_870_843_625_692_68),
        (log_normal(1.0), 0.9, 3.602_224_479_279_158),
    ]
}

#[test]
fn quantiles_agree_with_forty_digit_arithmetic_and_are_never_above_it() {
    for (law, p, expected) in reference() {
        let error = law.quantile(p) / expected - 1.0;
        assert!(error < 0.0 && error > -2e-10, "{law:?} at {p}: {error:e}");
    }
    for law in [t(0.3), gamma(0.1), gamma(3.0), log_normal(5.0)] {
        let levels = (1..2000).map(|i| f64::from(i) / 2000.0);
        let values: Vec<f64> = levels.map(|p| law.quantile(p)).collect();
        assert!(values.is_sorted() && law.quantile(1.0) == LARGEST_V && law.quantile(f64::NAN) == 0.0);
    }
}

#[test]
fn the_distribution_functions_stay_within_their_stated_error_at_the_ends_of_the_range_of_shapes() {
    for (a, x, lower, upper) in [
        (1e4, 9_000.0, 2.073_299_202_433_928e-25, 1.0),
        (1e4, 9_900.0, 0.158_651_192_193_564_66, 0.841_348_807_806_435_3),
        (1e4, 10_200.0, 0.976_712_677_866_401_2, 0.023_287_322_133_598_804),
        (5e3, 4_700.0, 7.597_064_861_941_271e-6, 0.999_992_402_935_138_1),
        (5e3, 5_300.0, 0.999_984_454_884_214_5, 1.554_511_578_551_756_5e-5),
        (0.05, 1e-9, 0.364_470_297_427_576_8, 0.635_529_702_572_423_2),
        (0.05, 2.0, 0.997_361_457_291_203_5, 0.002_638_542_708_796_534_7),
    ] {
        let (p, q) = incomplete_gamma(a, x);
        assert!((p / lower - 1.0).abs() < 1e-10 && (q / upper - 1.0).abs() < 1e-10, "{a} {x}: {p:e} {q:e}");
    }
}

/// The cell whose upper end is this level, or the next.
fn cell(p: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^64")]
    let k = (p * 2.0_f64.powi(64)) as u64;
    k
}

#[test]
fn no_draw_is_below_the_quantile_at_the_upper_end_of_its_cell() {
    for (law, p, expected) in reference() {
        let drawn = law.at_cell(cell(p));
        if expected >= SMALLEST_V {
            // one cell is 5e-20 of probability, a part of the level 1e-16 and 1e-18 that can be seen
            assert!(drawn >= expected && drawn < expected * 1.01, "{law:?} at {p}: {drawn} for {expected}");
            assert!(p < 1e-10 || drawn < expected * (1.0 + 2e-7), "{law:?} at {p}: {drawn} for {expected}");
        } else {
            assert_eq!(drawn, SMALLEST_V);
        }
    }
}

#[test]
fn draws_are_increasing_in_the_cell_and_stay_within_the_cut() {
    let atoms = MixingLaw::finite(&[(0.5, 0.25), (2.0, 0.75)]).unwrap();
    for law in [t(0.1), t(3.0), gamma(0.1), gamma(1.0), gamma(1e4), log_normal(5.0), atoms.clone()] {
        let cells = (0..64).map(|i| (1_u64 << i) - 1).chain((0..64).rev().map(|i| u64::MAX - ((1 << i) - 1)));
        let draws: Vec<f64> = cells.map(|k| law.at_cell(k)).collect();
        assert!(draws.is_sorted() && draws[0] >= SMALLEST_V && *draws.last().unwrap() <= LARGEST_V, "{law:?}");
        assert_eq!(law == atoms, law.at_cell(u64::MAX) == 2.0);
    }
    // the first quarter of the cells, to the very last of them
    assert_eq!((atoms.at_cell((1 << 62) - 1), atoms.at_cell(1 << 62)), (0.5, 2.0));
}

#[test]
fn no_draw_exceeds_the_largest_v_and_the_last_cell_attains_it() {
    let atoms = MixingLaw::finite(&[(2.0, 0.75), (0.5, 0.25)]).unwrap();
    let read = MixingLaw::from_quantile(|p| 1.0 + p).unwrap();
    let cut = MixingLaw::from_quantile(|p| 1.0 / (1.0 - p)).unwrap();
    assert_eq!((atoms.largest(), MixingLaw::constant(3.0).unwrap().largest()), (2.0, 3.0));
    assert!(read.largest() > 1.999 && read.largest() < 2.0 && cut.largest() == LARGEST_V);
    for law in [atoms, read, cut, MixingLaw::constant(3.0).unwrap(), t(3.0), gamma(1.0), log_normal(0.3)] {
        let cells = (0..64).map(|i| u64::MAX - ((1 << i) - 1));
        assert!(cells.chain([0, 1 << 60]).all(|k| law.at_cell(k) <= law.largest()), "{law:?}");
        assert_eq!(law.at_cell(u64::MAX), law.largest(), "{law:?}");
    }
}

#[test]
fn draws_have_the_second_moment_of_the_law() {
    let mut randomness = SeededRandomness::from_seed(4);
    for law in [t(12.0), gamma(1.0), log_normal(0.3), MixingLaw::finite(&[(0.5, 0.3), (1.5, 0.7)]).unwrap()] {
        let draws: Vec<f64> = (0..50_000).map(|_| law.draw(&mut randomness).powi(2)).collect();
        let mean = draws.iter().sum::<f64>() / 5e4;
        let variance = draws.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 5e4;
        // 4.9 standard errors: one false alarm in a million
        assert!((mean - law.second_moment()).abs() < 4.9 * (variance / 5e4).sqrt(), "{law:?}: {mean}");
    }
    assert_eq!(t(2.0).second_moment(), f64::INFINITY);
    assert_eq!(t(3.0).second_moment(), 3.0);
}

#[test]
fn a_quantile_function_becomes_the_law_that_it_is_read_as() {
    let exact = log_normal(0.5);
    let read = MixingLaw::from_quantile(|p| exact.quantile(p)).unwrap();
    assert!((read.second_moment() / exact.second_moment() - 1.0).abs() < 0.01);
    for p in [1e-15, 1e-6, 0.2, 0.5, 0.8, 0.999_999] {
        let ratio = read.quantile(p) / exact.quantile(p);
        assert!((1.0..1.01).contains(&ratio), "{p}: {ratio}");
    }
    // what is drawn is one of the values read, at the next level up
    let level = 0.5 + 1.0 / 256.0;
    assert_eq!(read.at_cell((1 << 63) + 1), exact.quantile(level));
    let two = MixingLaw::from_quantile(|p| if p <= 0.25 { 0.5 } else { 2.0 }).unwrap();
    assert_eq!(two, MixingLaw::finite(&[(0.5, 0.25), (2.0, 0.75)]).unwrap());
    assert_eq!(two.second_moment(), 0.25 * 0.25 + 0.75 * 4.0);
}

#[test]
fn mass_at_zero_and_what_is_no_quantile_function_is_refused() {
    assert_eq!(MixingLaw::constant(0.0), Err(MixingError::NotPositive { value: 0.0 }));
    assert_eq!(MixingLaw::finite(&[(-1.0, 0.5), (1.0, 0.5)]), Err(MixingError::NotPositive { value: -1.0 }));
    assert!(MixingLaw::constant(f64::NAN).is_err());
    assert_eq!(MixingLaw::constant(1e-7), Err(MixingError::Value { value: 1e-7 }));
    assert_eq!(MixingLaw::constant(f64::INFINITY), Err(MixingError::Value { value: f64::INFINITY }));
    let zero = MixingLaw::from_quantile(|p| if p < 1e-9 { 0.0 } else { 1.0 });
    assert!(matches!(zero, Err(MixingError::Quantile { value: 0.0, .. })));
    assert!(matches!(MixingLaw::from_quantile(|_| -1.0), Err(MixingError::Quantile { .. })));
    assert!(matches!(MixingLaw::from_quantile(|p| 1.0 / (p - 0.75)), Err(MixingError::Quantile { .. })));
    assert!(matches!(MixingLaw::from_quantile(|_| f64::NAN), Err(MixingError::Quantile { .. })));
    assert!(matches!(MixingLaw::from_quantile(|p| 2.0 - p), Err(MixingError::Decreasing { .. })));
    assert!(matches!(MixingLaw::from_quantile(|_| f64::INFINITY), Err(MixingError::Quantile { .. })));
}

#[test]
fn parameters_and_probabilities_outside_their_range_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(MixingLaw::student_t(bad), Err(MixingError::DegreesOfFreedom { .. })));
        assert!(matches!(MixingLaw::gamma_root(bad), Err(MixingError::Shape { .. })));
        assert!(matches!(MixingLaw::log_normal(bad), Err(MixingError::LogSpread { .. })));
    }
    for bad in [0.0, -0.5, 1.5, f64::NAN] {
        assert!(matches!(MixingLaw::finite(&[(1.0, bad), (2.0, 0.5)]), Err(MixingError::Probability { .. })));
    }
    assert_eq!(MixingLaw::finite(&[]), Err(MixingError::ProbabilitySum { value: 0.0 }));
    assert_eq!(MixingLaw::finite(&[(1.0, 0.5), (2.0, 0.25)]), Err(MixingError::ProbabilitySum { value: 0.75 }));
    assert!(MixingLaw::finite(&[(1.0, 0.1); 10]).is_ok());
}

#[test]
fn what_rounding_leaves_of_the_probabilities_goes_to_the_smaller_values() {
    let thirds = MixingLaw::finite(&[(3.0, 1.0 / 3.0), (1.0, 1.0 / 3.0), (2.0, 1.0 / 3.0)]).unwrap();
    assert_eq!(thirds.quantile(1.0 / 3.0), 1.0);
    assert_eq!(thirds.quantile((2.0_f64 / 3.0).next_up()), 2.0);
    assert_eq!(thirds.quantile(1.0), 3.0);
}

#[test]
fn a_law_says_what_it_is() {
    assert_eq!(MixingLaw::student_t(5.0).unwrap().to_string(), "t process with nu = 5");
    assert_eq!(MixingLaw::gamma_root(1.0).unwrap().to_string(), "root of a gamma variable of shape 1");
    assert_eq!(MixingLaw::log_normal(0.5).unwrap().to_string(), "log-normal with sigma = 0.5");
    assert_eq!(MixingLaw::finite(&[(1.0, 0.5), (2.0, 0.5)]).unwrap().to_string(), "2 given values");
}
