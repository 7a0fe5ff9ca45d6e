#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_mechanism::{Digest, FingerprintKey, Payable};
use dpfda_privacy::PrivacyBudget;
use dpfda_smoothing::{Ball, Center};
use ndarray::{Array2, Axis};

use super::*;
use crate::mean::private::PrivateMean;
use crate::purchase::bought::BallShares;

fn values() -> Array2<f64> {
    let mut values = Array2::from_shape_fn((200, 12), |(i, j)| ((i * 7 + j * 3) % 11) as f64 / 20.0);
    values[[3, 4]] = f64::NAN;
    values
}

fn curves(values: Array2<f64>) -> CurveSet {
    CurveSet::new(Grid::uniform(0.0, 1.0, 12).unwrap(), values).unwrap()
}

fn plans() -> Vec<PrivateMean> {
    let ball = Ball::new(Center::Constant(0.25), 1.0).unwrap();
    let shares = [(None, None), (None, Some(0.05)), (Some(0.1), None), (Some(0.1), Some(0.05))];
    let plan = |(center, radius)| {
        let plan = PrivateMean::isonormal(ball.clone(), PrivacyBudget::new(1.0, 1e-3).unwrap());
        plan.buying(BallShares::new(center, radius).unwrap())
    };
    shares.map(plan).to_vec()
}

fn fingerprint(prepared: &PreparedMean<'_>) -> [u8; 32] {
    let mut fingerprinter = FingerprintKey::from_bytes([5; 32]).begin(b"test");
    prepared.fingerprint(&mut fingerprinter);
    fingerprinter.finish()
}

#[test]
fn data_are_known_again_in_any_order_and_other_data_are_not() {
    for plan in plans() {
        let known = fingerprint(&plan.prepare(&curves(values())).unwrap());
        let mut backwards = values();
        backwards.invert_axis(Axis(0));
        assert_eq!(fingerprint(&plan.prepare(&curves(backwards)).unwrap()), known);
        let mut other = values();
        other[[100, 5]] += 0.01;
        assert_ne!(fingerprint(&plan.prepare(&curves(other)).unwrap()), known);
        let fewer = values().select(Axis(0), &(0..199).collect::<Vec<_>>());
        assert_ne!(fingerprint(&plan.prepare(&curves(fewer)).unwrap()), known);
    }
}

#[test]
fn plans_that_buy_differ_from_one_another_and_from_one_that_does_not() {
    let curves = curves(values());
    let mut digests: Vec<Digest> = plans().iter().map(|plan| plan.prepare(&curves).unwrap().asked().plan).collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

#[test]
fn plans_that_buy_the_same_with_swapped_shares_differ() {
    let curves = curves(values());
    let ball = Ball::new(Center::Constant(0.25), 1.0).unwrap();
    let [one, other] = [(0.1, 0.05), (0.05, 0.1)].map(|(center, radius)| {
        let plan = PrivateMean::isonormal(ball.clone(), PrivacyBudget::new(1.0, 1e-3).unwrap());
        let plan = plan.buying(BallShares::new(Some(center), Some(radius)).unwrap());
        plan.prepare(&curves).unwrap().asked().plan
    });
    assert_ne!(one, other, "the mean has the same share of both");
}
