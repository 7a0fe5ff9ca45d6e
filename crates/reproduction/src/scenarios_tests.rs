#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda::kernels::CovarianceKernel;

use super::*;
use crate::figures::{DATA_FIGURES, SIMULATED_FIGURES};

#[test]
fn the_twelve_figures_are_there_and_no_others() {
    for number in 0..=20 {
        assert_eq!(simulated_scenarios(number).is_some(), SIMULATED_FIGURES.contains(&number));
        assert_eq!(data_entries(number).is_some(), DATA_FIGURES.contains(&number));
    }
    let panels = SIMULATED_FIGURES.map(|number| simulated_scenarios(number).unwrap().1.len());
    assert_eq!(panels, [6, 6, 4, 6, 6, 6, 6, 3]);
    let panels = DATA_FIGURES.map(|number| data_entries(number).unwrap().1.len());
    assert_eq!(panels, [4, 3, 4, 4]);
}

#[test]
fn each_scenario_varies_one_parameter_between_the_stated_ends() {
    let ends = |number, of: fn(&Scenario) -> f64| {
        let (_, panels) = simulated_scenarios(number).unwrap();
        let values: Vec<f64> = panels.iter().map(of).collect();
        assert!(values.is_sorted_by(|a, b| a < b) || values.is_sorted_by(|a, b| a > b));
        (values[0], values[values.len() - 1])
    };
    assert_eq!(ends(1, |s| s.estimate.penalty), (1e-6, 1.0));
    assert_eq!(ends(4, |s| s.estimate.range), (0.002, 2.0));
    assert_eq!(ends(6, |s| s.decay), (1.1, 4.0));
    assert_eq!(ends(7, |s| s.epsilon), (5.0, 0.1));
    assert_eq!(ends(8, |s| s.delta), (0.1, 1e-6));
    assert_eq!(ends(9, |s| s.records as f64), (5.0, 100.0));
    // but for its label and what it varies, a panel has the defaults
    for mut panel in simulated_scenarios(7).unwrap().1 {
        (panel.epsilon, panel.label) = (1.0, String::new());
        assert_eq!(panel, Scenario::default());
    }
}

#[test]
fn figure_3_has_the_published_pairs_in_the_published_order() {
    let (_, entries) = data_entries(3).unwrap();
    let published = [
        (KernelName::Exponential, 0.01, 0.466),
        (KernelName::Matern(1.5), 0.005, 0.25),
        (KernelName::Gaussian, 0.005, 0.03),
    ];
    assert_eq!(entries, published.map(|(kernel, penalty, range)| TableEntry { kernel, penalty, range }));
    assert_eq!(entry_label(&entries[0]), "exponential (C4), φ = 0.01, ρ = 0.466");
}

#[test]
fn in_figure_5_three_kernels_of_the_stated_range_are_white_noise_on_the_grid() {
    let (_, panels) = simulated_scenarios(5).unwrap();
    let neighbours = |panel: &Scenario| {
        let TableEntry { kernel, range, .. } = panel.estimate;
        kernel.with_range(range).unwrap().covariance(0.0, 1.0 / 99.0)
    };
    let covariances: Vec<f64> = panels.iter().map(neighbours).collect();
    assert!(covariances[0] > 0.9, "{covariances:?}");
    assert!(covariances[1..].iter().all(|c| *c < 1e-4), "{covariances:?}");
}
