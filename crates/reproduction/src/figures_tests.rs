#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn simulated(number: u8, seed: u64) -> Vec<FigurePanel> {
    simulated_figure(number, seed).unwrap().into_revealed().panels
}

fn agree(a: &Array1<f64>, b: &Array1<f64>, within: f64) -> bool {
    (a - b).iter().all(|x| x.abs() < within)
}

/// Stand-ins for tract profiles: waves about 0.5, two curves with a missing value.
fn profiles() -> CurveSet {
    let grid = Grid::uniform(1.0, 93.0, 93).unwrap();
    let mut values =
        Array2::from_shape_fn((40, 93), |(i, k)| 0.5 + 0.1 * (k as f64 / 15.0).sin() + 0.002 * (i as f64 - 20.0));
    values[[3, 0]] = f64::NAN;
    values[[9, 50]] = f64::NAN;
    CurveSet::new(grid, values).unwrap()
}

#[test]
fn every_simulated_figure_has_its_panels_on_the_common_grid() {
    for number in SIMULATED_FIGURES {
        let figure = simulated_figure(number, 7).unwrap().into_revealed();
        assert!(figure.simulated && figure.number == number);
        assert_eq!(figure.panels.len(), simulated_scenarios(number).unwrap().1.len());
        for panel in &figure.panels {
            let n = panel.grid.len();
            let lengths = [panel.curves.ncols(), panel.published.fit.len(), panel.ours.function().values().len()];
            assert_eq!(lengths, [n; 3]);
            assert_eq!(panel.truth.as_ref().unwrap().len(), n);
            assert!(panel.published.sanitised.iter().all(|x| x.is_finite()));
            assert!(!panel.ours.is_private());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_figure_and_another_seed_another() {
    let sanitised = |seed| simulated(10, seed)[0].published.sanitised.clone();
    assert_eq!(sanitised(1), sanitised(1));
    assert_ne!(sanitised(1), sanitised(2));
    let coordinates = |seed| simulated(10, seed)[0].ours.coordinates().to_vec();
    assert_eq!(coordinates(1), coordinates(1));
    assert_ne!(coordinates(1), coordinates(2));
}

#[test]
fn in_figure_1_the_published_noise_falls_as_the_penalty_grows_and_ours_knows_no_penalty() {
    let panels = simulated(1, 3);
    assert!(panels.is_sorted_by(|a, b| a.published.sigma > b.published.sigma));
    assert!(panels.windows(2).all(|pair| pair[0].curves == pair[1].curves));
    assert!(panels.windows(2).all(|pair| pair[0].ours.coordinates() == pair[1].ours.coordinates()));
}

#[test]
fn in_figures_7_and_8_both_noises_grow_and_come_of_the_same_normals() {
    let published = |panel: &FigurePanel| (&panel.published.sanitised - &panel.published.fit) / panel.published.sigma;
    let coordinates = |panel: &FigurePanel| -> Array1<f64> {
        let step = panel.ours.lattice_step() / panel.ours.units();
        panel.ours.coordinates().iter().map(|&k| k as f64 * step).collect()
    };
    // all panels have the same curves, so the difference of two is noise alone
    let ours = |a: &FigurePanel, b: &FigurePanel| {
        (coordinates(b) - coordinates(a)) / (b.ours.noise_scale() - a.ours.noise_scale())
    };
    for number in [7, 8] {
        let panels = simulated(number, 4);
        assert!(panels.is_sorted_by(|a, b| a.published.sigma < b.published.sigma));
        assert!(panels.is_sorted_by(|a, b| a.ours.noise_scale() < b.ours.noise_scale()));
        for triple in panels.windows(3) {
            assert!(agree(&published(&triple[0]), &published(&triple[1]), 1e-9));
            assert!(agree(&ours(&triple[0], &triple[1]), &ours(&triple[1], &triple[2]), 1e-3));
        }
    }
}

#[test]
fn in_figure_9_fewer_curves_are_the_first_of_more() {
    let panels = simulated(9, 5);
    let counts: Vec<usize> = panels.iter().map(|panel| panel.curves.nrows()).collect();
    assert_eq!(counts, [5, 10, 25, 50, 75, 100]);
    let fifth = |panel: &FigurePanel| panel.curves.row(4).to_owned();
    assert!(panels.windows(2).all(|pair| agree(&fifth(&pair[0]), &fifth(&pair[1]), 1e-14)));
}

#[test]
fn figures_of_data_drop_incomplete_curves_as_published_and_keep_them_in_ours() {
    let curves = profiles();
    for number in DATA_FIGURES {
        let figure = data_figure(number, &curves, 6).unwrap().into_revealed();
        assert!(!figure.simulated);
        for panel in &figure.panels {
            assert_eq!((panel.curves.nrows(), panel.ours.units()), (38, 40.0));
            assert_eq!(panel.ours.function().values().len(), 93);
            assert!(panel.truth.is_none());
        }
    }
}

#[test]
fn an_unknown_number_is_refused() {
    for number in [0, 2, 13] {
        assert_eq!(simulated_figure(number, 1).err(), Some(ReproductionError::NotSimulated { number }));
    }
    for number in [0, 1, 13] {
        assert_eq!(data_figure(number, &profiles(), 1).err(), Some(ReproductionError::NotOfData { number }));
    }
}
