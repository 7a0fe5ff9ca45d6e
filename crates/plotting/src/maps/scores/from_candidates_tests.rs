#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_crossval::{Candidates, CrossValidation, Folds, KernelFamily, cross_validate};
use dpfda_kernels::{Grid, KernelName};
use dpfda_smoothing::{Center, CurveSet};
use ndarray::Array2;

use super::*;
use crate::maps::scores::SurfaceFigure;

#[test]
fn each_kernel_has_a_panel_at_its_best_power_and_private_scores_are_stamped() {
    let values = Array2::from_shape_fn((8, 20), |(i, j)| (i as f64 + j as f64 / 3.0).sin());
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 20).unwrap(), values).unwrap();
    let folds = Folds::leave_one_out(8).unwrap();
    let family = |name, ranges: &[f64]| KernelFamily::new(name, ranges.to_vec()).unwrap();
    let families =
        vec![family(KernelName::Matern(2.5), &[0.1, 0.2, 0.4]), family(KernelName::Exponential, &[0.5, 1.0])];
    let candidates = Candidates::new(families, vec![0.01, 0.1], vec![1.0, 2.0]).unwrap();
    let plan = CrossValidation::new(&folds, &candidates);
    let surface = cross_validate(&curves, &Center::Constant(0.0), &plan).unwrap();

    let panels = surface.map(|surface| SurfacePanel::of_kernels(&surface).unwrap());
    assert_eq!(panels.reveal().len(), 2);
    let svg = SurfaceFigure::not_private(panels).unwrap().to_svg().unwrap();
    assert!(svg.contains("Matérn 5/2 kernel, power") && svg.contains("exponential kernel, power"), "{svg}");
    assert!(svg.contains("NOT PRIVATE - CURATOR ONLY"));
}
