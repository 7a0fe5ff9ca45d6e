#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::PrivateRows;
use dpfda_smoothing::{Ball, Center};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::estimated::Estimated;

const END: f64 = 8.0;

fn truth(time: f64) -> f64 {
    0.5 + 0.08 * (time * 0.9).sin()
}

fn plan(budget: (f64, f64)) -> PrivateRows {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateRows::new(ball, (0.0, END), PrivacyBudget::new(budget.0, budget.1).unwrap())
}

/// People who differ by a level and by noise, each seen so many times between 0 and `until`.
fn released(plan: &PrivateRows, (people, points, until): (u32, u32, f64), seed: u64) -> Release<Rows> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut rows = plan.rows().unwrap();
    for person in 0..people {
        let level = generator.random_range(-0.1..0.1);
        for _ in 0..points {
            let time = generator.random_range(0.0..until);
            let value = truth(time) + level + generator.random_range(-0.05..0.05);
            rows.push(&person.to_le_bytes(), time, value);
        }
    }
    rows.release(&mut SeededRandomness::from_seed(seed)).unwrap()
}

fn estimated(release: Release<Rows>) -> Estimated<Rows> {
    Estimated::<Rows>::new(release, &Band::Population, 0.9).unwrap()
}

fn error(estimated: &Estimated<Rows>) -> f64 {
    let grid = estimated.posterior().grid();
    let square = (&estimated.posterior().values() - &grid.points().mapv(truth)).mapv(|d| d * d);
    (grid.integrate(square.view()) / END).sqrt()
}

#[test]
fn the_mean_is_found_from_three_points_a_person_and_the_error_falls_with_their_number() {
    let mean_error = |people| {
        let errors = (0..4).map(|seed| error(&estimated(released(&plan((1.0, 0.1)), (people, 3, END), seed))));
        errors.sum::<f64>() / 4.0
    };
    let (few, many) = (mean_error(1000), mean_error(30_000));
    // the centre alone is 0.056 off
    assert!(few < 0.016 && many < 0.3 * few, "{few} {many}");
}

#[test]
fn bands_hold_the_mean_of_the_population_as_often_as_they_say() {
    for (neighbours, budget, people) in [
        (NeighbouringRelation::SubstituteOne, (1.0, 0.1), 1000),
        (NeighbouringRelation::AddRemoveOne, (1.0, 1e-5), 3000),
    ] {
        let plan = plan(budget).neighbours(neighbours);
        let covered = (0..60).filter(|seed| {
            let found = estimated(released(&plan, (people, 4, END), 100 + seed));
            found.points().iter().all(|point| (point.lower..=point.upper).contains(&truth(point.at)))
        });
        // 60 draws of probability 0.9: fewer than 38 in one case of a million
        let covered = covered.count();
        assert!(covered >= 38, "{neighbours}: {covered} of 60");
    }
}

#[test]
fn the_noise_of_the_weights_is_in_the_standard_deviation_where_the_mean_is_far_from_the_centre() {
    // without noise in the values themselves: 400 releases of the same people far from the centre
    let far = Ball::new(Center::Constant(0.3), 0.25).unwrap();
    let plan = PrivateRows::new(far, (0.0, END), PrivacyBudget::new(1.0, 0.1).unwrap());
    let mut rows = plan.rows().unwrap();
    (0..2000_u32).for_each(|person| rows.push(&person.to_le_bytes(), f64::from(person) / 250.0, 0.5));
    let mut standardised = Vec::new();
    for seed in 0..100 {
        let release = rows.release(&mut SeededRandomness::from_seed(seed)).unwrap();
        let observed = crate::posterior::observed_rows::ObservedRows::of(&release);
        let first = Posterior::new(observed.observation(&observed.scales(None)).unwrap(), &Ladder::default()).unwrap();
        let scales = observed.scales(Some(&first));
        let observation = observed.observation(&scales).unwrap();
        // the value of each bin less its released weight times the true mean, 0.2 above the centre
        let sums = Rows::sums(&release);
        let residuals = (&sums.values - &sums.weights * 0.2) * &scales / observation.sigma;
        standardised.extend(residuals);
    }
    let variance = standardised.iter().map(|z| z * z).sum::<f64>() / standardised.len() as f64;
    // 2000 squares of standard normals: 5 standard deviations
    assert!((variance - 1.0).abs() < 0.16, "{variance}");
}

#[test]
fn where_nobody_was_measured_the_estimate_is_the_prior_and_says_so() {
    let found = estimated(released(&plan((1.0, 0.1)), (2000, 5, END / 2.0), 3));
    let parts = found.unsupported();
    // a bin without rows stands out from the noise in one case of 44
    assert!(parts.iter().map(|part| part.end - part.start).sum::<f64>() > 3.0, "{parts:?}");
    assert!(parts.iter().all(|part| part.start >= END / 2.0), "{parts:?}");
    assert!(found.facts().iter().any(|fact| fact.name == "NOTE" && fact.text.contains("cannot be told from 0")));
    let sd = found.posterior().sd();
    assert!(sd[95] > 4.0 * sd[20], "{} {}", sd[95], sd[20]);
    let all = estimated(released(&plan((1.0, 0.1)), (2000, 5, END), 3));
    assert!(
        all.unsupported().is_empty() && all.facts().iter().all(|fact| !fact.text.contains("cannot be told from 0"))
    );
}

#[test]
fn a_release_of_nothing_has_an_estimate_that_says_nothing() {
    let plan = plan((1.0, 1e-5));
    let mut rows = plan.rows().unwrap();
    for id in ["a", "b", "c"] {
        rows.push(id.as_bytes(), 99.0, 0.5);
    }
    for seed in 0..5 {
        let found = estimated(rows.release(&mut SeededRandomness::from_seed(seed)).unwrap());
        assert!(found.points().iter().all(|point| point.value.is_finite() && point.upper - point.lower > 0.2));
        let nobody = plan.clone().neighbours(NeighbouringRelation::AddRemoveOne).rows().unwrap();
        let release = nobody.release(&mut SeededRandomness::from_seed(seed)).unwrap();
        let band = Estimated::<Rows>::default_band(&release);
        let found = Estimated::<Rows>::new(release, &band, 0.95).unwrap();
        assert!(found.points().iter().all(|point| point.value.is_finite()));
    }
}

#[test]
fn many_bins_are_estimated_as_few_are() {
    let people = (3000, 6, END);
    let few = estimated(released(&plan((1.0, 0.1)).bins(100), people, 5));
    let many = estimated(released(&plan((1.0, 0.1)).bins(1000), people, 5));
    assert!(
        many.points().len() == 2001 && error(&few) < 0.015 && error(&many) < 0.03,
        "{} {}",
        error(&few),
        error(&many)
    );
}

#[test]
fn bands_that_need_whole_curves_are_refused_and_between_bins_is_no_surprise() {
    let found = estimated(released(&plan((1.0, 0.1)), (500, 3, END), 3));
    for band in [Band::Unsmoothed, Band::Honest { roughness: 1.0 }] {
        assert_eq!(found.with_band(&band, 0.9).unwrap_err(), AnalysisError::NeedsIsonormal { band: band.name() });
    }
    let inner = found.with_band(&Band::Posterior, 0.9).unwrap();
    assert!(inner.points().iter().zip(found.points()).all(|(inner, outer)| inner.upper < outer.upper));
    let between = found.at(&[0.0, 3.21, END]).unwrap();
    assert!((between[0].value - found.points()[0].value).abs() < 1e-9 && between[1].lower < between[1].value);
    assert!(found.at(&[8.5]).is_err());
}
