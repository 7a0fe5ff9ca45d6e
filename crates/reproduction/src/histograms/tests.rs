#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda::density::{CellCounts, PiecewiseDensity};
use statrs::distribution::{Beta, Continuous, ContinuousCDF};

use super::*;

/// The histogram with these weights, which need not sum to 1.
fn histogram(cells: Cells, weights: &[f64]) -> PiecewiseDensity {
    let sum: f64 = weights.iter().sum();
    PiecewiseDensity::new(cells, weights.iter().map(|weight| weight / sum).collect()).unwrap()
}

fn cells(axes: usize, per_axis: usize) -> Cells {
    Cells::new(Bounds::new(vec![(0.0, 1.0); axes]).unwrap(), per_axis).unwrap()
}

fn budget(epsilon: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, 0.0).unwrap()
}

#[test]
fn density_and_distribution_function_are_those_of_the_beta_law() {
    for shape in [1, 2, 10, 50] {
        let (ours, theirs) =
            (SymmetricBeta::new(shape).unwrap(), Beta::new(f64::from(shape), f64::from(shape)).unwrap());
        for i in 1..100 {
            let x = f64::from(i) / 100.0;
            assert!((ours.cumulative(x) - theirs.cdf(x)).abs() < 1e-10, "{shape} {x}");
            assert!((ours.density(x) / theirs.pdf(x) - 1.0).abs() < 1e-9, "{shape} {x}");
        }
    }
    assert!(SymmetricBeta::new(0).is_none() && SymmetricBeta::new(51).is_none());
}

#[test]
fn the_squared_norm_is_the_integral_of_the_squared_density() {
    for shape in [1, 2, 10] {
        let beta = SymmetricBeta::new(shape).unwrap();
        let integral: f64 =
            (0..20_000).map(|i| beta.density((f64::from(i) + 0.5) / 20_000.0).powi(2)).sum::<f64>() / 2e4;
        assert!((integral - beta.squared_norm()).abs() < 1e-7, "{shape}");
    }
    assert!((SymmetricBeta::new(2).unwrap().squared_norm() - 1.2).abs() < 1e-14);
}

#[test]
fn the_error_of_a_histogram_is_its_integral_in_one_and_two_dimensions() {
    let beta = SymmetricBeta::new(2).unwrap();
    for axes in [1, 2] {
        let cells = cells(axes, 3);
        let weights: Vec<f64> = (1..=cells.count()).map(|i| i as f64).collect();
        let histogram = histogram(cells, &weights);
        let (mut sum, steps) = (0.0, 600);
        for index in 0..steps * if axes == 2 { steps } else { 1 } {
            let point = [index % steps, index / steps].map(|i| (f64::from(i) + 0.5) / f64::from(steps));
            let p: f64 = point[..axes].iter().map(|x| beta.density(*x)).product();
            sum += (histogram.at(&point[..axes]) - p).powi(2);
        }
        let integral = sum / f64::from(steps).powi(i32::try_from(axes).unwrap());
        assert!((integral - beta.squared_error(&histogram)).abs() < 1e-4, "{axes}: {integral}");
    }
}

#[test]
fn the_closed_form_is_the_mean_error_of_exact_histograms() {
    let (beta, cells, repeats) = (HistogramSimulation::density(), cells(1, 12), 4000);
    let mut randomness = SeededRandomness::from_seed(5);
    let mut errors = Vec::new();
    for _ in 0..repeats {
        let points = Points::new(beta.draw(100, 1, &mut randomness), cells.bounds().clone()).unwrap();
        let counts: Vec<f64> = CellCounts::of(&points, &cells).reveal().iter().map(|c| *c as f64).collect();
        errors.push(beta.squared_error(&histogram(cells.clone(), &counts)));
    }
    let mean = errors.iter().sum::<f64>() / f64::from(repeats);
    let variance = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / f64::from(repeats).powi(2);
    // 5 standard errors: false-positive rate 1e-6; the closed form for 90 records must be refused
    let away = |records| (mean - beta.exact_histogram_risk(&cells, records)).abs() / variance.sqrt();
    assert!(away(100) < 5.0 && away(90) > 5.0, "{} {}", away(100), away(90));
}

#[test]
fn noise_costs_more_than_it_does_without_and_less_with_more_records_and_epsilon() {
    let simulation = HistogramSimulation { cells: vec![1, 5, 10, 20], repeats: 200, seed: 1 };
    let panels = HistogramSimulation::PANELS.map(|(n, epsilon)| simulation.panel(n, budget(epsilon)).unwrap());
    for panel in &panels {
        assert!((panel.risks[0].perturbed - panel.uniform).abs() < 1e-12, "one cell is the uniform density");
        for risk in &panel.risks[1..] {
            assert!(risk.perturbed > risk.exact + 3.0 * risk.standard_error, "{risk:?}");
        }
    }
    let ten = |panel: usize| panels[panel].risks[2].perturbed;
    assert!(ten(0) < ten(1) && ten(2) < ten(3) && ten(2) < ten(0));
}

#[test]
fn a_seed_gives_the_same_numbers_and_another_seed_others() {
    let panel = |seed| HistogramSimulation { cells: vec![8], repeats: 10, seed }.panel(100, budget(0.1)).unwrap();
    assert!(panel(1) == panel(1) && panel(1) != panel(2));
    assert!(HistogramSimulation { cells: vec![0], repeats: 2, seed: 1 }.panel(100, budget(0.1)).is_err());
    assert!(HistogramSimulation { cells: vec![2], repeats: 2, seed: 1 }.panel(1, budget(0.1)).is_err());
    assert!(HistogramSimulation { cells: vec![2], repeats: 2, seed: 1 }.panel(100, budget(0.0)).is_err());
}
