#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, KernelName, Spectrum};
use dpfda_mechanism::Release;
use dpfda_privacy::{Law, SeededRandomness, rounding_of_record};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;
use serde::de::IgnoredAny;

use super::PrivateFunctionals;
use crate::coordinates::encode::CurveRecord;
use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::Dispersion;
use crate::functionals::statistic::Functionals;

fn smoother() -> PenalizedMean {
    PenalizedMean::new(KernelName::Matern(2.5).with_range(0.3).unwrap(), 1e-2, 1.0).unwrap()
}

/// How often a release of a coefficient passes the threshold, for two curves of which one is `sign tau v_j`, the other the
/// centre; noise of the settings, calibrated once.
fn passing(settings: &PrivateFunctionals, dispersion: Dispersion, sign: f64, draws: u32, seed: u64) -> f64 {
    let grid = Grid::uniform(0.0, 1.0, 9).unwrap();
    let spectrum = Spectrum::new(smoother().kernel().clone(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
    let shrinkages = smoother().shrinkages(spectrum.eigenvalues());
    // where the sensitivity is attained: everywhere, or where s_j / sqrt(lambda_j) is largest
    let index = match dispersion {
        Dispersion::SmoothedWhite => 0,
        Dispersion::Kernel => {
            let gain = |j: &usize| shrinkages[*j] / spectrum.eigenvalues()[*j].sqrt();
            (0..spectrum.rank()).max_by(|i, j| gain(i).total_cmp(&gain(j))).unwrap()
        }
    };
    let mut values = Array2::zeros((2, 9));
    values.row_mut(0).assign(&(&spectrum.eigenfunctions().column(index) * sign));
    let curves = CurveSet::new(grid, values).unwrap();
    // the answer without noise, where the first curve is at `+tau v_j`
    let threshold = shrinkages[index] / 2.0;
    let asked = [LinearFunctional::Coefficient { index }];
    let mechanism = settings.prepare(&curves, &asked).unwrap().mechanism().clone();
    let bounded = settings.ball.bound(&curves).unwrap();
    let mut randomness = SeededRandomness::from_seed(seed);
    let mut draw = || {
        let prepared = mechanism.prepare_all(CurveRecord::all(&bounded)).unwrap();
        Functionals::values(&prepared.draw_unrecorded(&mut randomness))[0]
    };
    (0..draws).filter(|_| draw() > threshold).count() as f64
}

#[test]
#[ignore = "half a minute long: a million draws a side"]
fn epsilon_is_attained_between_opposite_points_of_the_ball_and_not_passed_in_a_million_draws_a_side() {
    const DRAWS: u32 = 1_000_000;
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let settings = PrivateFunctionals::new(ball, 1.0, smoother()).unwrap().idealised_arithmetic();
    let laws = [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 9.0 }];
    for noise in laws {
        for dispersion in [Dispersion::SmoothedWhite, Dispersion::Kernel] {
            let settings = settings.clone().noise(noise.clone()).dispersion(dispersion);
            let side = |sign, seed| passing(&settings, dispersion, sign, DRAWS, seed);
            let (p, q) = (side(1.0, 11), side(-1.0, 12));
            let ratio = (p / q).ln();
            // standard error of a log-ratio of counts; 5.3 of them, for 6 comparisons at a rate of 1e-6 in all
            let error = 5.3 * (1.0 / p + 1.0 / q).sqrt();
            assert!(ratio < 1.0 + error, "{noise:?}: {ratio}");
            if !matches!(noise, Law::StudentT { .. }) {
                // a scale 10% too small would give a log-ratio of 1.11
                assert!(error < 0.02 && (ratio - 1.0).abs() < error, "{noise:?}: {ratio}");
            }
        }
    }
}

#[test]
fn at_large_units_the_sds_of_functionals_are_what_the_rounding_of_records_adds() {
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 9).unwrap(), Array2::from_elem((40, 9), 0.6)).unwrap();
    let settings = PrivateFunctionals::new(Ball::new(Center::Constant(0.5), 1.0).unwrap(), 1.0, smoother()).unwrap();
    let asked = [LinearFunctional::Evaluation { t: 0.3 }, LinearFunctional::Derivative { t: 0.5 }];
    let json = settings.release(&curves, &asked, &mut SeededRandomness::from_seed(1)).unwrap().to_json().unwrap();
    let large = json.replace("\"records\": 40", "\"records\": 1099511627776");
    let (release, ..) = Release::<Functionals>::from_json_with::<IgnoredAny, IgnoredAny>(&large).unwrap();
    let statistic = release.statistic();
    let moved = statistic.lattice_step() * rounding_of_record(statistic.rank(), release.unit());
    for (sd, row) in Functionals::noise_sd(&release).iter().zip(statistic.coefficients().rows()) {
        let ratio = sd / (moved * row.dot(&row).sqrt());
        assert!((1.0 - 1e-12..1.01).contains(&ratio), "{ratio}");
    }
}
