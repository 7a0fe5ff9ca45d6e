//! The estimate of a mean without a delta, from some of its coordinates.

use dpfda_analysis::{Band, Estimated, Ladder, Posterior, share_outside};
use dpfda_kernels::Grid;
use dpfda_mechanism::rounded;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, MeanMechanism, MeanRelease, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveLayout, CurveSet};
use ndarray::{Array1, Array2};

const POINTS: usize = 50;
const RECORDS: usize = 400;

fn grid() -> Grid {
    Grid::uniform(0.0, 2.0, POINTS).unwrap()
}

fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

/// Curves near `0.5 + 0.1 shape`.
fn curves(shape: &Array1<f64>) -> CurveSet {
    let value = |(i, j): (usize, usize)| 0.5 + 0.1 * shape[j] + 0.02 * ((i * 5) as f64).cos();
    CurveSet::new(grid(), Array2::from_shape_fn((RECORDS, POINTS), value)).unwrap()
}

fn smooth() -> Array1<f64> {
    grid().points().mapv(|t| (2.5 * t).sin())
}

fn pure(epsilon: f64, number: usize) -> PrivateMean {
    PrivateMean::isonormal(ball(), PrivacyBudget::new(epsilon, 0.0).unwrap()).coordinates(number)
}

fn release(settings: &PrivateMean, curves: &CurveSet, seed: u64) -> MeanRelease {
    settings.release(curves, &mut SeededRandomness::from_seed(seed)).unwrap()
}

fn outside(number: usize) -> f64 {
    let basis = Mean::new(ball(), grid(), &MeanMechanism::Coordinates(number)).unwrap().map().unwrap();
    share_outside(&grid(), basis, &Ladder::default()).unwrap()
}

fn distance(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).mapv(|d| d * d).mean().unwrap().sqrt()
}

#[test]
fn with_hardly_any_noise_the_estimate_is_the_mean_of_smooth_curves() {
    let curves = curves(&smooth());
    let posterior = Posterior::of(&release(&pure(50.0, 12), &curves, 1), &Ladder::default()).unwrap();
    let raw = curves.raw_mean().into_revealed();
    assert!(distance(&posterior.values().to_owned(), &raw) < 1e-3);
}

#[test]
fn the_document_says_what_is_left_out_and_reads_back() {
    let estimated =
        Estimated::<Mean>::new(release(&pure(1.0, 12), &curves(&smooth()), 2), &Band::Population, 0.95).unwrap();
    let again = Estimated::<Mean>::from_json(&estimated.to_json().unwrap()).unwrap();
    assert_eq!(again.estimate(), estimated.estimate());
    let share = 100.0 * outside(12);
    let said = estimated.facts().into_iter().find(|fact| fact.name == "coordinates").unwrap().text;
    assert!(said.contains(&rounded(share)), "{said} {share}");
    assert!(said.contains("12 coordinates") && said.contains("not its exact likelihood"), "{said}");
    // with a delta nothing is left out, and nothing is said
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let white = PrivateMean::isonormal(ball(), budget).buying(BallShares::NONE);
    let white = Estimated::<Mean>::new(release(&white, &curves(&smooth()), 2), &Band::Population, 0.95).unwrap();
    assert!(white.facts().iter().all(|fact| fact.name != "coordinates"));
}

#[test]
fn a_wave_outside_the_coordinates_is_in_the_stated_error_and_not_in_the_estimate() {
    let wave = grid().points().mapv(|t| (std::f64::consts::PI * 11.0 * t / 2.0).cos());
    let posterior =
        |number| Posterior::of(&release(&pure(20.0, number), &curves(&wave), 3), &Ladder::default()).unwrap();
    let raw = curves(&wave).raw_mean().into_revealed();
    let error = |posterior: &Posterior| distance(&posterior.values().to_owned(), &raw);
    let (few, all) = (posterior(8), posterior(30));
    assert!(error(&few) > 0.06 && error(&all) < 0.02, "{} {}", error(&few), error(&all));
    let stated = |posterior: &Posterior| posterior.sd().mapv(|sd| sd * sd).mean().unwrap().sqrt();
    assert!(stated(&few) > 0.0 && stated(&all) < error(&few));
}

#[test]
fn the_share_outside_falls_with_the_coordinates_to_nothing() {
    let shares: Vec<f64> = [1, 4, 12, 30, POINTS].map(outside).to_vec();
    assert!(shares.windows(2).all(|pair| pair[0] > pair[1]) && shares[0] < 1.0, "{shares:?}");
    assert!(shares[4].abs() < 1e-9, "{shares:?}");
}

#[test]
fn errors_are_those_that_the_posterior_states() {
    // a mean that the prior expects: error over many draws of the noise
    let curves = curves(&smooth());
    let raw = curves.raw_mean().into_revealed();
    let (mut seen, mut stated) = (0.0, 0.0);
    for seed in 0..40 {
        let posterior = Posterior::of(&release(&pure(1.0, 12), &curves, seed), &Ladder::default()).unwrap();
        seen += distance(&posterior.values().to_owned(), &raw).powi(2) / 40.0;
        stated += posterior.sd().mapv(|sd| sd * sd).mean().unwrap() / 40.0;
    }
    let (seen, stated) = (seen.sqrt(), stated.sqrt());
    assert!(seen < 1.3 * stated && stated < 0.03, "{seen} {stated}");
}

/// The lines of `docs/results/any.md`.
#[test]
fn on_real_curves_twelve_coordinates_at_epsilon_1_reach_the_target() {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        println!("SKIPPED: a test on real curves; set DPFDA_DATA to the folder of dti_cca.csv (see data/README.md)");
        return;
    };
    let path = std::path::Path::new(&folder).join("dti_cca.csv");
    let curves = CurveSet::read_csv(path, &CurveLayout::new("cca_*").unwrap()).unwrap().complete();
    let (raw, weights) = (curves.raw_mean().into_revealed(), curves.unit_grid().weights().to_owned());
    let draws = 60;
    for (delta, number, target) in
        [(0.0, 5, None), (0.0, 8, None), (0.0, 12, Some(0.0177)), (0.0, 15, None), (0.0, 20, None), (1e-5, 93, None)]
    {
        let settings = PrivateMean::isonormal(ball(), PrivacyBudget::new(1.0, delta).unwrap()).buying(BallShares::NONE);
        let settings = if delta == 0.0 { settings.coordinates(number) } else { settings };
        let squares: Vec<f64> = (0..draws)
            .map(|seed| {
                let posterior = Posterior::of(&release(&settings, &curves, seed), &Ladder::default()).unwrap();
                weights.dot(&(posterior.values().to_owned() - &raw).mapv(|d| d * d))
            })
            .collect();
        let mean = squares.iter().sum::<f64>() / draws as f64;
        let variance = squares.iter().map(|square| (square - mean).powi(2)).sum::<f64>() / (draws - 1) as f64;
        let (error, standard_error) = (mean.sqrt(), (variance / draws as f64).sqrt() / (2.0 * mean.sqrt()));
        println!("| (1, {delta:e}) | {number} | {error:.4} ({standard_error:.4}) |");
        assert!(target.is_none_or(|target| error <= target), "{number} coordinates: {error}");
    }
}
