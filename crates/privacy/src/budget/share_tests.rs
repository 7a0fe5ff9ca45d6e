#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::{Calibration, GaussianPrivacy, PrivacyBudget};

#[test]
fn shares_are_above_0_and_at_most_1() {
    for value in [0.0, -0.1, 1.0 + f64::EPSILON, f64::NAN, f64::INFINITY] {
        assert!(matches!(Share::new(value), Err(ShareError::Range { .. })), "{value}");
    }
    let all = Share::rest_of([0.5, 0.5].map(|value| Share::new(value).unwrap()));
    assert!(matches!(all, Err(ShareError::NothingLeft { .. })));
    assert!(serde_json::from_str::<Share>("1.5").is_err());
}

#[test]
fn steps_whose_shares_sum_to_1_compose_to_no_more_than_the_whole() {
    for (epsilon, delta) in [(1e-6, 1e-15), (0.1, 1e-5), (1.0, 1e-5), (1.0, 0.1), (50.0, 0.5)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let whole = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap();
        for (center, radius) in [(0.05, 0.1), (0.1, 0.2), (0.3, 0.3), (1e-9, 0.4), (0.499, 0.499)] {
            let first = [center, radius].map(|value| Share::new(value).unwrap());
            let shares = first.into_iter().chain([Share::rest_of(first).unwrap()]);
            let steps = shares.map(|share| whole.share(share));
            let total = GaussianPrivacy::compose(steps).unwrap();
            assert!(total <= whole && total.mu() > whole.mu() * (1.0 - 1e-13), "{epsilon} {delta} {center} {radius}");
        }
    }
}
