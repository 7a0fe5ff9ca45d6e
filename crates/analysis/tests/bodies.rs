//! Releases within a bound on slope or roughness: what they say, and how surely.

use dpfda_analysis::{Band, Estimated, Ladder, Observation, Posterior};
use dpfda_kernels::{Grid, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{
    BallShares, Mean, MeanMechanism, MeanRelease, PenalizedMean, PrivateMean, SecondMoments, SobolevOrder,
};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2, Axis};

const RECORDS: usize = 400;
const SEEDS: u64 = 16;

/// Smooth curves within 0.2 of one half, whose root-mean-square slope over a domain of length 3 is below 0.3.
fn curves(points: usize) -> CurveSet {
    let value = |(i, j): (usize, usize)| {
        let t = j as f64 / (points - 1) as f64;
        let person = (i * 5) as f64;
        0.5 + 0.1 * (5.0 * t).sin() + 0.03 * (person + 4.0 * t).sin() + 0.02 * person.cos()
    };
    let values = Array2::from_shape_fn((RECORDS, points), value);
    CurveSet::new(Grid::uniform(0.0, 3.0, points).unwrap(), values).unwrap()
}

fn plan(budget: (f64, f64)) -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(budget.0, budget.1).unwrap())
}

fn release(plan: &PrivateMean, points: usize, seed: u64) -> MeanRelease {
    plan.release(&curves(points), &mut SeededRandomness::from_seed(seed)).unwrap()
}

fn shaped(budget: (f64, f64)) -> [PrivateMean; 3] {
    let stated = plan(budget).slope(0.3).buying(BallShares::NONE);
    [stated, plan(budget).slope(0.3), plan(budget).roughness(0.45)]
}

fn distance(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(|d| d * d).mean().unwrap().sqrt()
}

#[test]
fn a_release_within_a_norm_survives_its_document_and_says_its_bound() {
    for (plan, order) in shaped((1.0, 1e-3)).iter().zip([SobolevOrder::One, SobolevOrder::One, SobolevOrder::Half]) {
        let release = release(plan, 40, 2);
        assert!(matches!(release.statistic().mechanism(), MeanMechanism::Sobolev(norm) if norm.order() == order));
        let estimated = Estimated::<Mean>::new(release, &Band::Population, 0.95).unwrap();
        let json = estimated.to_json().unwrap();
        assert_eq!(Estimated::<Mean>::from_json(&json).unwrap().release().plan(), estimated.release().plan());
        let bound = estimated.release().facts().into_iter().find(|fact| fact.name == "bound").unwrap();
        assert!(bound.text.contains("scaled towards the centre 0.5"), "{}", bound.text);
        // the length of the norm is part of what is verified
        assert!(Estimated::<Mean>::from_json(&json.replace("\"length\":", "\"length\":1")).is_err());
    }
}

#[test]
fn curves_within_both_bounds_are_not_changed() {
    // with hardly any noise the release is the raw mean
    for points in [40, 300] {
        let curves = curves(points);
        let plan = plan((50.0, 0.5)).slope(0.3).buying(BallShares::NONE);
        let posterior = Posterior::of(&release(&plan, points, 3), &Ladder::default()).unwrap();
        let raw = curves.raw_mean().into_revealed();
        assert!(distance(&posterior.values().to_owned(), &raw) < 5e-4);
    }
}

#[test]
fn a_bound_on_slope_or_roughness_lowers_error_and_stated_error() {
    let truth = curves(60).raw_mean().into_revealed();
    let error = |plan: &PrivateMean| {
        let (mut seen, mut stated) = (0.0, 0.0);
        for seed in 0..80 {
            let posterior = Posterior::of(&release(plan, 60, seed), &Ladder::default()).unwrap();
            seen += distance(&posterior.values().to_owned(), &truth).powi(2) / 80.0;
            stated += posterior.sd().mapv(|sd| sd * sd).mean().unwrap() / 80.0;
        }
        (seen.sqrt(), stated.sqrt())
    };
    let budget = (1.0, 1e-3);
    let [stated_slope, bought_slope, roughness] = shaped(budget);
    for (plain, shaped) in
        [(plan(budget).buying(BallShares::NONE), stated_slope), (plan(budget), bought_slope), (plan(budget), roughness)]
    {
        let (plain, shaped) = (error(&plain), error(&shaped));
        assert!(shaped.0 < 0.9 * plain.0, "{shaped:?} {plain:?}");
        assert!(shaped.1 < 0.95 * plain.1, "{shaped:?} {plain:?}");
        // the posterior is as sure as it may be
        assert!(shaped.0 < 1.6 * shaped.1, "{shaped:?}");
    }
}

#[test]
fn second_moments_in_a_norm_are_those_of_the_curves() {
    let curves = curves(60);
    let unit = curves.grid().to_unit().unwrap();
    let roots = unit.weights().mapv(f64::sqrt);
    let mean = curves.raw_mean().into_revealed();
    let records = Array2::from_shape_fn((RECORDS, 60), |(i, j)| (curves.values()[[i, j]] - mean[j]) * roots[j]);
    let sigma = records.t().dot(&records) / (RECORDS - 1) as f64;
    for plan in [plan((50.0, 0.5)).slope(0.3), plan((50.0, 0.5)).roughness(0.45)] {
        let decoded: Vec<_> = (0..SEEDS)
            .map(|seed| {
                let release = release(&plan, 60, seed);
                let moments = SecondMoments::of(&release).unwrap();
                Observation::of(&release).unwrap().decode(&moments).unwrap()
            })
            .collect();
        // the basis depends on no data
        let basis = &decoded[0].basis;
        let identity = basis.t().dot(basis) - Array2::<f64>::eye(basis.ncols());
        assert!(identity.iter().all(|entry| entry.abs() < 1e-9));
        let along = basis.t().dot(&sigma).dot(basis);
        let covariance = decoded.iter().fold(Array2::<f64>::zeros(along.dim()), |sum, each| sum + &each.covariance);
        let off = (covariance / SEEDS as f64 - along).mapv(|d: f64| d * d).sum().sqrt();
        let total = sigma.diag().sum();
        assert!(off < 0.03 * total, "{off} of {total}");
        let mean = decoded.iter().map(|each| each.total).sum::<f64>() / SEEDS as f64;
        assert!((mean / total - 1.0).abs() < 0.05, "{mean} of {total}");
        assert!(decoded.iter().all(|each| each.total_upper >= each.total));
    }
}

#[test]
fn add_remove_and_centres_that_are_bought_go_with_a_norm() {
    let bought = plan((1.0, 1e-3)).roughness(0.45).buying(BallShares::new(Some(0.1), Some(0.05)).unwrap());
    for plan in [bought.clone(), bought.neighbours(NeighbouringRelation::AddRemoveOne)] {
        let release = release(&plan, 40, 6);
        assert!(release.statistic().bought().unwrap().shares().center().is_some());
        let estimated = Estimated::<Mean>::new(release, &Band::Population, 0.9).unwrap();
        Estimated::<Mean>::from_json(&estimated.to_json().unwrap()).unwrap();
    }
}

#[test]
fn bands_around_a_smoother_know_the_noise_that_the_norm_leaves() {
    let plan = plan((1.0, 1e-3)).slope(0.3).buying(BallShares::NONE);
    let smoother = PenalizedMean::new(Matern::new(2.5, 0.2).unwrap().into(), 1e-3, 1.0).unwrap();
    for band in [Band::Unsmoothed, Band::Honest { roughness: 1.0 }, Band::Smoothed(smoother)] {
        let estimate = |seed| Estimated::<Mean>::new(release(&plan, 40, seed), &band, 0.9).unwrap().estimate().clone();
        let middles: Vec<Array1<f64>> = (0..200).map(|seed| estimate(seed).values).collect();
        let rows: Vec<_> = middles.iter().map(|middle| middle.view()).collect();
        let seen = ndarray::stack(Axis(0), &rows).unwrap().std_axis(Axis(0), 1.0);
        let ratio = (&seen / &estimate(0).noise_sd).mapv(f64::ln).mean().unwrap().exp();
        assert!((ratio - 1.0).abs() < 0.08, "{}: {ratio}", band.name());
    }
}

#[test]
fn the_function_through_a_smoother_has_the_noise_that_the_norm_has() {
    let plan = plan((1.0, 1e-3)).slope(0.3).buying(BallShares::NONE).penalty(1e-3);
    let functions: Vec<Array1<f64>> =
        (0..300).map(|seed| release(&plan, 30, seed).function().values().to_owned()).collect();
    let rows: Vec<_> = functions.iter().map(|f| f.view()).collect();
    let all = ndarray::stack(Axis(0), &rows).unwrap();
    let seen = all.std_axis(Axis(0), 1.0);
    let stated = release(&plan, 30, 0).function().noise_sd().to_owned();
    let ratio = (&seen / &stated).mapv(f64::ln).mean().unwrap().exp();
    assert!((ratio - 1.0).abs() < 0.08, "{ratio}");
}
