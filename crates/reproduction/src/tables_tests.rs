#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Write};
use std::path::Path;

use dpfda::kernels::KernelName;
use dpfda::smoothing::CurveLayout;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::*;
use crate::published::{TABLE_1, TABLE_2};

fn scans() -> Option<CurveSet> {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        let note = "SKIPPED: a test on real curves; set DPFDA_DATA to the folder of dti_cca.csv (see data/README.md)\n";
        io::stderr().write_all(note.as_bytes()).unwrap();
        return None;
    };
    let layout = CurveLayout::new("cca_*").unwrap();
    Some(CurveSet::read_csv(Path::new(&folder).join("dti_cca.csv"), &layout).unwrap().complete())
}

fn folds(curves: &CurveSet, seed: u64) -> Folds {
    Folds::random(curves.units(), 10, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

#[test]
fn table_1_is_reproduced_for_several_folds() {
    let Some(curves) = scans() else { return };
    for seed in 0..3 {
        let surface = table_1(&curves, &folds(&curves, seed), None).unwrap();
        assert_eq!(best_ranges(surface.reveal()), TABLE_1);
    }
}

#[test]
#[ignore = "half a minute long: a thousand draws"]
fn table_2_is_reproduced_with_1000_draws() {
    let Some(curves) = scans() else { return };
    let folds = ten_folds(&curves).unwrap();
    let mut exact = 0;
    for seed in 0..20 {
        let surface = table_2(&curves, &folds, &mut ChaCha8Rng::seed_from_u64(seed), None).unwrap();
        let all = best_pairs(surface.reveal()).iter().zip(TABLE_2).all(|(found, published)| {
            assert_eq!((found.kernel, found.penalty), (published.kernel, published.penalty), "seed {seed}");
            // the published 0.466 is the grid's 0.4667, cut; its neighbour 0.5556 is as good in expectation
            let is_tie = found.kernel == KernelName::Exponential && (found.range - 0.5556).abs() < 1e-3;
            assert!((found.range - published.range).abs() < 1e-3 || is_tie, "seed {seed}: {found:?}");
            !is_tie
        });
        exact += usize::from(all);
        println!("{seed} {all}");
    }
    assert!((3..=17).contains(&exact), "a tie: neither range wins for nearly all draws, but {exact} of 20");
}

#[test]
fn correct_noise_has_other_optima() {
    let Some(curves) = scans() else { return };
    let expected = [
        (Quadrature::Equal, [(0.01, 0.04), (0.01, 0.2), (0.01, 0.288_888_9)]),
        (Quadrature::Trapezoid, [(0.01, 0.05), (0.01, 0.2), (0.01, 0.288_888_9)]),
    ];
    for (quadrature, optima) in expected {
        for seed in 0..3 {
            let surface = table_2_with_correct_noise(&curves, &folds(&curves, seed), quadrature, None).unwrap();
            let found = best_pairs(surface.reveal());
            let kernels = [KernelName::Gaussian, KernelName::Matern(1.5), KernelName::Exponential];
            for ((found, kernel), (penalty, range)) in found.iter().zip(kernels).zip(optima) {
                assert_eq!((found.kernel, found.penalty), (kernel, penalty));
                assert!((found.range - range).abs() < 1e-6, "{quadrature:?} {found:?}");
            }
        }
    }
}

#[test]
fn no_error_tells_how_many_curves_are_complete_or_how_long_the_longest_is() {
    let curves = |rows: usize, value: f64| {
        let grid = Grid::uniform(0.0, 1.0, 5).unwrap();
        CurveSet::new(grid, Array2::from_elem((rows, 5), value)).unwrap()
    };
    let few = ten_folds(&curves(7, 0.5)).unwrap_err();
    assert_eq!(few, ReproductionError::TooFewComplete);
    assert_eq!(ten_random_folds(&curves(7, 0.5), &mut ChaCha8Rng::seed_from_u64(1)), Err(few.clone()));
    let folds = ten_folds(&curves(12, 0.5)).unwrap();
    let other = table_1(&curves(17, 0.5), &folds, None).unwrap_err();
    assert_eq!(other, ReproductionError::Records { folds: 12 });
    let long = table_2_with_correct_noise(&curves(12, 7e150), &folds, Quadrature::Equal, None).unwrap_err();
    assert_eq!(long, ReproductionError::Radius);
    for (error, private) in [(few, '7'), (other, '7'), (long, '7')] {
        assert!(!error.to_string().contains(private), "{error}");
    }
}
