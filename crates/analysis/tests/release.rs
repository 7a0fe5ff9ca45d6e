//! From releases to estimates, and back from their files.

use approx::assert_abs_diff_eq;
use dpfda_analysis::{
    Band, Banded, Estimated, Ladder, Observation, PopulationMean, Posterior, SamplingCovariance, Target,
};
use dpfda_kernels::{Grid, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, MeanMechanism, MeanRelease, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2};
use serde_json::{Value, json};

const POINTS: usize = 30;

fn truth(t: f64) -> f64 {
    0.45 + 0.1 * (1.3 * t).sin()
}

fn curves(records: usize) -> CurveSet {
    let grid = Grid::uniform(2.0, 7.0, POINTS).unwrap();
    let points = grid.points().to_owned();
    let values =
        Array2::from_shape_fn((records, POINTS), |(i, k)| truth(points[k]) + if i % 2 == 0 { 0.05 } else { -0.05 });
    CurveSet::new(grid, values).unwrap()
}

fn private_mean() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-2).unwrap()).buying(BallShares::NONE)
}

fn cameron_martin() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let settings = PrivateMean::cameron_martin(ball, PrivacyBudget::new(1.0, 1e-2).unwrap());
    settings.kernel(Matern::new(2.5, 0.3).unwrap()).penalty(1e-4)
}

fn release(settings: &PrivateMean, records: usize) -> MeanRelease {
    settings.release(&curves(records), &mut SeededRandomness::from_seed(3)).unwrap()
}

fn posterior(release: &MeanRelease) -> Posterior {
    Posterior::of(release, &Ladder::default()).unwrap()
}

fn all_releases() -> Vec<MeanRelease> {
    let settings = [private_mean(), cameron_martin()];
    let under_both =
        settings.iter().flat_map(|s| [s.clone(), s.clone().neighbours(NeighbouringRelation::AddRemoveOne)]);
    under_both.map(|settings| release(&settings, 600)).collect()
}

#[test]
fn the_posterior_is_close_to_the_mean_for_every_mechanism_and_relation() {
    for release in all_releases() {
        let posterior = posterior(&release);
        let expected: Array1<f64> = posterior.grid().points().iter().map(|t| truth(*t)).collect();
        let errors = (&posterior.values() - &expected) / posterior.sd();
        // pointwise: 5 standard deviations at each of 30 points
        assert!(errors.iter().all(|e| e.abs() < 5.0), "{:?}: {errors}", release.coordinates_of_noise());
        let rms = (errors.mapv(|e| e * e).mean().unwrap()).sqrt();
        let most = posterior.sd().iter().fold(0.0_f64, |most, sd| most.max(*sd));
        assert!(rms > 0.05 && most < 0.1, "{rms} {most}");
        assert!(posterior.noise_sd().iter().zip(posterior.sd()).all(|(noise, sd)| *noise <= sd * (1.0 + 1e-9)));
        // noise of the smoother's kernel is as large as this mean
        let is_white = release.coordinates_of_noise() == MeanMechanism::Isonormal;
        assert!(posterior.tells_mean_and_centre_apart() || !is_white);
    }
}

#[test]
fn a_cameron_martin_release_is_seen_through_its_own_map() {
    let release = release(&cameron_martin(), 600);
    let observation = Observation::of(&release).unwrap();
    let (y, sd) = release.statistic().whitened(&release);
    let map = release.statistic().map().unwrap();
    // without noise the coordinates are the map of the whitened mean
    let weights = release.grid().to_unit().unwrap().weights().mapv(f64::sqrt);
    let whitened: Array1<f64> =
        release.grid().points().iter().zip(&weights).map(|(t, w)| w * (truth(*t) - 0.5)).collect();
    let noise = (y - map.t().dot(&whitened)) / sd;
    assert!(noise.iter().all(|x| x.abs() < 6.0), "{noise}");
    assert!(noise.mapv(|x| x * x).mean().unwrap() > 0.3);
    assert!(Posterior::new(observation, &Ladder::default()).is_ok());
}

#[test]
fn nothing_but_the_release_decides() {
    for release in all_releases() {
        let read = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
        let (before, after) = (posterior(&release), posterior(&read));
        assert_abs_diff_eq!(before.values(), after.values(), epsilon = 1e-9);
        let band = |p: &Posterior| Band::Population.around(p, &SamplingCovariance::Body, 0.95).unwrap();
        assert_abs_diff_eq!(band(&before).lower, band(&after).lower, epsilon = 1e-7);
    }
}

#[test]
fn an_estimate_reads_back_and_every_edit_of_it_is_noticed() {
    let release = release(&private_mean(), 600);
    let estimated = Estimated::<Mean>::new(release, &Band::Population, 0.95).unwrap();
    let whole: Value = serde_json::from_str(&estimated.to_json().unwrap()).unwrap();
    let document = whole["estimate"].clone();
    let fields: Vec<&String> = document.as_object().unwrap().keys().collect();
    let expected = ["band", "grid", "level", "lower", "noise_sd", "posterior_sd", "target", "upper", "values"];
    assert_eq!(fields, expected);
    let read = |document: &Value| {
        let mut edited = whole.clone();
        edited["estimate"] = document.clone();
        Estimated::<Mean>::from_json(&edited.to_string())
    };
    assert_eq!(read(&document).unwrap().estimate(), estimated.estimate());

    let edits = [
        ("/grid/3", json!(2.0)),
        ("/values/3", json!(0.9)),
        ("/values", json!([0.5])),
        ("/posterior_sd/3", json!(0.9)),
        ("/noise_sd/3", json!(0.9)),
        ("/lower/3", json!(0.1)),
        ("/upper/3", json!(0.9)),
        ("/band", json!("posterior")),
        ("/band", json!({"honest": {"roughness": -1.0}})),
        ("/level", json!(0.9)),
        ("/level", json!(2.0)),
        ("/target", json!("sample-mean")),
    ];
    for (pointer, value) in edits {
        let mut edited = document.clone();
        *edited.pointer_mut(pointer).unwrap() = value.clone();
        assert!(read(&edited).is_err(), "{pointer} = {value} was accepted");
    }
    let mut more = document.clone();
    more["extra"] = json!(1);
    assert!(read(&more).is_err());
}

#[test]
fn the_facts_name_the_band_its_promise_and_where_the_sampling_part_comes_from() {
    let release = release(&private_mean(), 600);
    let posterior = posterior(&release);
    let facts = |band: Band| {
        let population = PopulationMean::of(posterior.clone(), SamplingCovariance::Body);
        Banded::new(population, &band, 0.95).unwrap().facts().into_iter().find(|fact| fact.name == "band").unwrap().text
    };
    let population = facts(Band::Population);
    for words in ["95% simultaneous band `population`", "holds no second moments", "narrower than every kernel"] {
        assert!(population.contains(words), "{words}");
    }
    assert!(!facts(Band::Noise).contains("second moments"));
    assert_eq!(Band::Population.target(), Target::PopulationMean);
}

#[test]
fn a_release_that_says_nothing_has_a_note() {
    let ball = Ball::new(Center::Constant(0.48), 0.25).unwrap();
    let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(0.02, 1e-5).unwrap()).buying(BallShares::NONE);
    let silent = release(&settings, 20);
    let population = PopulationMean::of(posterior(&silent), SamplingCovariance::Body);
    let facts = Banded::new(population, &Band::Posterior, 0.95).unwrap().facts();
    let notes: Vec<&str> = facts.iter().filter(|fact| fact.name == "NOTE").map(|fact| fact.text.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("hardly better than the centre")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("cannot be told apart")), "{notes:?}");
}
