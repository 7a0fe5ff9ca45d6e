//! Missing cells of curves on one grid: what each treatment is worth on real curves, and what none of them mends.

use std::path::PathBuf;

use dpfda_analysis::{Band, Estimated, PointEstimate};
use dpfda_kernels::KernelName;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, Mean, PrivateMean, PrivateRows, Rows};
use dpfda_smoothing::{Ball, Center, CurveLayout, CurveSet, GaussianFill};
use ndarray::Array1;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

#[derive(Debug, Clone, Copy)]
enum Gaps {
    /// This share of the cells, at random.
    Random(f64),
    /// All after a time, uniform on the last 70% of the domain.
    Dropout,
    /// All after a time that is the earlier the lower the curve is.
    Informative,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Treatment {
    Line,
    Process,
    Rows,
}

use Treatment::{Line, Process};

const TREATMENTS: [Treatment; 3] = [Line, Process, Treatment::Rows];

/// The complete profiles, where they are.
fn people() -> Option<CurveSet> {
    let Some(folder) = std::env::var_os("DPFDA_DATA").map(PathBuf::from) else {
        println!("skipped: set DPFDA_DATA to the folder of dti_cca.csv");
        return None;
    };
    Some(CurveSet::read_csv(folder.join("dti_cca.csv"), &CurveLayout::new("cca_*").unwrap()).unwrap().complete())
}

fn with_gaps(people: &CurveSet, gaps: Gaps, seed: u64) -> CurveSet {
    let mut generator = ChaCha20Rng::seed_from_u64(seed ^ 0x6A95);
    let mut values = people.values().to_owned();
    let (points, mean) = (values.ncols(), values.mean().unwrap());
    for mut curve in values.rows_mut() {
        let level = curve.mean().unwrap() - mean;
        let last = match gaps {
            Gaps::Random(_) => 1.0,
            Gaps::Dropout => generator.random_range(0.3..1.0),
            Gaps::Informative => (0.8 + 5.0 * level + generator.random_range(-0.1..0.1)).clamp(0.3, 1.0),
        };
        for (place, value) in curve.iter_mut().enumerate() {
            let is_lost = matches!(gaps, Gaps::Random(share) if generator.random_range(0.0..1.0) < share);
            if is_lost || place as f64 > last * (points - 1) as f64 {
                *value = f64::NAN;
            }
        }
    }
    CurveSet::new(people.grid().clone(), values).unwrap()
}

/// The estimate at the points of the grid.
fn estimated(curves: CurveSet, treatment: Treatment, budget: (f64, f64), seed: u64) -> Vec<PointEstimate<f64>> {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let budget = PrivacyBudget::new(budget.0, budget.1).unwrap();
    let mut noise = SeededRandomness::from_seed(seed);
    let grid = curves.grid().clone();
    if treatment == Treatment::Rows {
        let rows = PrivateRows::new(ball, (grid.lower(), grid.upper()), budget).rows_of(&curves).unwrap();
        let release = rows.release(&mut noise).unwrap();
        let estimated = Estimated::<Rows>::new(release, &Band::Population, 0.95).unwrap();
        return estimated.at(&grid.points().to_vec()).unwrap();
    }
    let kernel = KernelName::Matern(1.5).with_range(0.3).unwrap();
    let process = GaussianFill::new(&ball, &grid, kernel, 0.1).unwrap();
    let curves = if treatment == Process { curves.filled(&process).unwrap() } else { curves };
    let release = PrivateMean::isonormal(ball, budget).buying(BallShares::NONE).release(&curves, &mut noise).unwrap();
    Estimated::<Mean>::new(release, &Band::Population, 0.95).unwrap().points()
}

/// Errors with their standard error, and how many bands hold the mean of all people.
fn measured(people: &CurveSet, gaps: Gaps, treatment: Treatment, delta: f64, draws: u64) -> (f64, f64, usize) {
    let truth = people.raw_mean().into_revealed();
    let (mut errors, mut held) = (Vec::new(), 0);
    for seed in 0..draws {
        let found = estimated(with_gaps(people, gaps, seed), treatment, (1.0, delta), seed);
        let squares: Array1<f64> = found.iter().zip(&truth).map(|(at, mean)| (at.value - mean).powi(2)).collect();
        errors.push((people.grid().integrate(squares.view()) / people.grid().length()).sqrt());
        held += usize::from(found.iter().zip(&truth).all(|(at, mean)| (at.lower..=at.upper).contains(mean)));
    }
    let errors = Array1::from(errors);
    (errors.mean().unwrap(), errors.std(1.0) / (draws as f64).sqrt(), held)
}

#[test]
#[ignore = "half a minute long: coverage over many draws"]
fn the_recommended_treatment_of_gaps_has_bands_that_hold_the_mean() {
    const DRAWS: u64 = 20;
    let Some(people) = people() else { return };
    for (gaps, recommended) in [
        (Gaps::Random(0.0), Line),
        (Gaps::Random(0.1), Line),
        (Gaps::Random(0.3), Line),
        (Gaps::Random(0.7), Treatment::Rows),
        (Gaps::Dropout, Treatment::Rows),
    ] {
        for delta in [0.1, 1e-5] {
            for treatment in TREATMENTS {
                let (mean, error, held) = measured(&people, gaps, treatment, delta, DRAWS);
                println!("{gaps:?}, delta {delta:e}, {treatment:?}: {mean:.4} ({error:.4}), {held} of {DRAWS}");
                // 20 draws of probability 0.95: fewer than 12 in one case of a million
                assert!(treatment != recommended || held >= 12, "{gaps:?} {treatment:?} {delta}: {held} of {DRAWS}");
            }
        }
    }
}

#[test]
fn dropout_that_depends_on_the_values_biases_every_treatment_with_hardly_any_noise() {
    let Some(people) = people() else { return };
    let truth = people.raw_mean().into_revealed();
    // the average error where low curves are missing, over the last third of the domain
    let bias = |gaps: Gaps, treatment: Treatment| {
        let found = estimated(with_gaps(&people, gaps, 1), treatment, (50.0, 0.5), 1);
        let last: Vec<f64> = found.iter().zip(&truth).map(|(at, mean)| at.value - mean).skip(62).collect();
        last.iter().sum::<f64>() / last.len() as f64
    };
    for treatment in TREATMENTS {
        let (at_random, informative) = (bias(Gaps::Dropout, treatment), bias(Gaps::Informative, treatment));
        println!("{treatment:?}: dropout {at_random:.4}, informative {informative:.4}");
        assert!(informative - at_random > 0.005, "{treatment:?}: {at_random} {informative}");
        if treatment == Treatment::Rows {
            assert!(at_random.abs() < 0.5 * informative, "{at_random} {informative}");
        }
    }
}
