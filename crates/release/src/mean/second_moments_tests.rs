#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_mechanism::Mechanism;
use dpfda_privacy::{Body, ExactSum, PrivacyBudget, PrivacyUnit, SeededRandomness, rounding_of_record, steps_to_unit};
use dpfda_smoothing::{Ball, Center, CurveSet};
use serde::de::IgnoredAny;

use super::*;
use crate::{BallShares, MomentsChoice, PrivateMean};

const RADIUS: f64 = 4_194_304.0;

fn settings() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
    settings.buying(BallShares::NONE).moments(MomentsChoice::Mean)
}

#[test]
fn rounding_moves_the_products_of_a_record_by_no_more_than_the_bound_and_by_nearly_as_much() {
    let grid = Grid::uniform(0.0, 1.0, 3).unwrap();
    let mechanism: Mechanism<Mean> = settings().mechanism(&grid, PrivacyUnit::Curve, Some(9)).unwrap();
    let (body, steps) = (mechanism.body(), steps_to_unit(3));
    let bound = 2.0 * RADIUS * rounding_of_record(3, PrivacyUnit::Curve);
    let mut largest = [0.0_f64; 2];
    for signs in 0..8_u8 {
        // just below half a step in every coordinate, of a curve as long as can be
        let half = |i: u8| if signs >> i & 1 == 0 { 0.499 } else { -0.499 };
        let z: Vec<f64> = (0..3).map(|i| (0.577 * steps).floor() + half(i)).collect();
        let mut record = body.vector();
        record.encode(&z.iter().map(|z| z / steps).collect::<Vec<f64>>()).unwrap();
        let mut sum = ExactSum::new(body.clone());
        sum.add(&record).unwrap();
        let totals: Vec<f64> = sum.totals().reveal().iter().map(|k| *k as f64).collect();
        let pairs = [z[0] * z[1], z[0] * z[2], z[1] * z[2]];
        let pairs: f64 = totals[3..].iter().zip(pairs).map(|(k, pair)| 2.0 * (k - pair).powi(2)).sum();
        let squares: f64 = totals[6..].iter().zip(&z).map(|(k, z)| (k - z * z).powi(2)).sum();
        let energy = totals[9] - (RADIUS * RADIUS - z.iter().map(|z| z * z).sum::<f64>());
        for (largest, moved) in largest.iter_mut().zip([(pairs + squares).sqrt(), energy.abs()]) {
            *largest = largest.max(moved / bound);
        }
    }
    assert!(largest.iter().all(|part| (0.9..=1.0).contains(part)), "{largest:?}");
}

#[test]
fn at_large_units_the_sds_of_second_moments_are_what_the_rounding_of_records_adds() {
    let values = Array2::from_shape_fn((300, 9), |(i, j)| 0.5 + 0.01 * ((i + j) % 7) as f64);
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 9).unwrap(), values).unwrap();
    let json = settings().release(&curves, &mut SeededRandomness::from_seed(1)).unwrap().to_json().unwrap();
    let large = json.replace("\"records\": 300", "\"records\": 1099511627776");
    let (release, ..) = Release::<Mean>::from_json_with::<IgnoredAny, IgnoredAny>(&large).unwrap();
    let moments = SecondMoments::of(&release).unwrap();
    let moved = 2.0 * RADIUS * rounding_of_record(9, release.unit()) * release.statistic().lattice_step().powi(2);
    let off_diagonal = 2.0_f64.sqrt() * moments.matrix_sd_off_diagonal;
    for ratio in [moments.matrix_sd_diagonal, off_diagonal, moments.total_sd].map(|sd| sd / moved) {
        assert!((1.0 - 1e-12..1.01).contains(&ratio), "{ratio}");
    }
}
