//! Entries 6, 14 (c) and (d): what a record is, what must be compatible with the noise, and how fast the noise vanishes.

use std::io::{self, Write};
use std::path::Path;

use dpfda::prelude::*;
use ndarray::{Array1, Array2};

#[test]
fn one_person_has_8_scans_and_7_without_missing_values() {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        let note = "SKIPPED: a test on real curves; set DPFDA_DATA to the folder of dti_cca.csv (see data/README.md)\n";
        io::stderr().write_all(note.as_bytes()).unwrap();
        return;
    };
    let layout = CurveLayout::new("cca_*").unwrap().subject("ID");
    let scans = CurveSet::read_csv(Path::new(&folder).join("dti_cca.csv"), &layout).unwrap();
    let most = |scans: &CurveSet| scans.records().map(|rows| rows.len()).max();
    assert_eq!((most(&scans), most(&scans.complete())), (Some(8), Some(7)));
}

#[test]
fn dropping_incomplete_curves_makes_the_number_of_records_depend_on_values() {
    let curves = |value: f64| {
        let mut values = Array2::from_elem((5, 9), 0.4);
        values[[2, 7]] = value;
        CurveSet::new(Grid::uniform(0.0, 1.0, 9).unwrap(), values).unwrap()
    };
    let neighbours = [0.4, f64::NAN].map(curves);
    assert_eq!(neighbours.each_ref().map(CurveSet::units), [5, 5]);
    assert_eq!(neighbours.map(|curves| curves.complete().units()), [5, 4]);
}

fn step(grid: &Grid) -> Array1<f64> {
    grid.points().mapv(|t| if t < 0.5 { 0.2 } else { 0.8 })
}

#[test]
fn a_summary_outside_the_cameron_martin_space_is_private_when_its_differences_are_inside() {
    // the squared norm of a step is its size squared times half the slope of the kernel's inverse: it grows with the grid
    let norm = |points: usize| {
        let grid = Grid::uniform(0.0, 1.0, points).unwrap();
        let spectrum = Spectrum::new(Kernel::from(Exponential::new(0.5).unwrap()), grid, 1e-12).unwrap();
        let coefficients = spectrum.coefficients(step(spectrum.grid()).view());
        (&coefficients * &coefficients / spectrum.eigenvalues()).sum()
    };
    let norms = [50, 100, 200, 400].map(norm);
    assert!(norms.windows(2).all(|pair| pair[1] > 1.8 * pair[0]), "{norms:?}");

    // a release about the step as public centre is the release about 0 of the curves less the step: same noise, same cost
    let grid = Grid::uniform(0.0, 1.0, 60).unwrap();
    let bumps = Array2::from_shape_fn((10, 60), |(i, k)| 0.05 * (0.1 * (i * k) as f64).sin());
    let release = |values: Array2<f64>, center: Center| {
        let ball = Ball::new(center, 0.1).unwrap();
        let settings = PrivateMean::cameron_martin(ball, PrivacyBudget::new(1.0, 0.1).unwrap());
        let settings = settings.kernel(Exponential::new(0.5).unwrap()).penalty(0.01);
        let curves = CurveSet::new(grid.clone(), values).unwrap();
        settings.release(&curves, &mut SeededRandomness::from_seed(4)).unwrap()
    };
    let about_zero = release(bumps.clone(), Center::Constant(0.0));
    let about_step = release(&bumps + &step(&grid), Center::Curve(step(&grid)));
    assert_eq!(about_zero.noise_scale(), about_step.noise_scale());
    assert_eq!(about_zero.sensitivity(), about_step.sensitivity());
    let coordinates = about_zero.coordinates().iter().zip(about_step.coordinates());
    assert!(coordinates.clone().all(|(a, b)| a.abs_diff(*b) <= 10), "up to the rounding of ten records");
}

#[test]
fn at_power_1_the_noise_is_of_the_order_of_the_statistical_error_and_at_power_2_of_a_lower_one() {
    let kernel = Kernel::from(Exponential::new(0.5).unwrap());
    let spectrum = Spectrum::new(kernel.clone(), Grid::uniform(0.0, 1.0, 200).unwrap(), 1e-12).unwrap();
    // N E ||mu~ - mu^||^2 for phi = 1/N and tau = 1, up to the constant 2 log(2/delta) / epsilon^2
    let scaled = |records: u32, power: f64| {
        let n = f64::from(records);
        let smoother = PenalizedMean::new(kernel.clone(), 1.0 / n, power).unwrap();
        n * smoother.sensitivity(&spectrum, 1.0, records.into()).value().powi(2) * spectrum.eigenvalues().sum()
    };
    for records in [100, 1000, 10_000] {
        assert!((0.8..=1.0 + 1e-9).contains(&scaled(records, 1.0)), "{}", scaled(records, 1.0));
        assert!(scaled(records, 2.0) < 1.5 / f64::from(records).sqrt());
    }
}
