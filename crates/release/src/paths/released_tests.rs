#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Grid, KernelName};
use dpfda_privacy::{MixingLaw, SeededRandomness};
use dpfda_smoothing::{Center, CurveSet};
use ndarray::Array2;
use serde_json::{Value, json};

use super::*;
use crate::paths::private::PrivatePath;

/// Of a curve with a centre that is not 0, seen at nine points.
fn released(grid: Grid, settings: impl Fn(PrivatePath) -> PrivatePath) -> PathRelease {
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.25).unwrap(), 1e-2, 1.0).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let settings = settings(PrivatePath::new(ball, PrivacyBudget::new(1.0, 1e-5).unwrap(), smoother));
    let asked = [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Integral { weight: vec![1.0; 9] }];
    let curves = CurveSet::new(grid, Array2::from_elem((400, 9), 0.6)).unwrap();
    settings.release(&curves, &asked, &mut SeededRandomness::from_seed(3)).unwrap().0
}

#[test]
fn a_document_says_that_its_domain_closes_up() {
    let open = released(Grid::uniform(0.0, 24.0, 9).unwrap(), |path| path);
    let day = released(Grid::circle(0.0, 24.0, 9).unwrap(), |path| path);
    assert_eq!(PathRelease::from_json(&day.to_json().unwrap()).unwrap(), day);
    let says =
        |release: &PathRelease| release.facts().iter().any(|fact| fact.text.contains("[0,\u{a0}24) that closes up"));
    assert!(says(&day) && !says(&open));
}

#[test]
fn standard_deviations_that_do_not_follow_from_the_rest_are_refused_of_every_law_and_relation() {
    let relations = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];
    for (neighbours, is_mixed) in relations.into_iter().flat_map(|relation| [(relation, false), (relation, true)]) {
        let release = released(Grid::uniform(0.0, 8.0, 9).unwrap(), |path| {
            let path = path.neighbours(neighbours).dispersion(Dispersion::Kernel);
            if is_mixed { path.mixing(MixingLaw::student_t(5.0).unwrap()) } else { path }
        });
        let document: Value = serde_json::from_str(&release.to_json().unwrap()).unwrap();
        let field = |place: &str, value: Value| {
            let mut edited = document.clone();
            *edited.pointer_mut(place).unwrap() = value;
            PathRelease::from_json(&edited.to_string()).err().map(|error| error.to_string())
        };
        let sd = release.noise_sd()[0];
        assert_eq!(field("/derived/noise_sd/0", json!(sd * (1.0 + 1e-9))), None);
        let scale = document.pointer("/noise/scale").unwrap().as_f64().unwrap();
        let edits = [
            ("/derived/noise_sd/0", json!(sd * 1.001)),
            ("/derived/noise_sd/1", json!(0.0)),
            ("/derived/functionals/0", json!({"evaluation": {"t": 3.5}})),
            ("/statistic/smoother/penalty", json!(0.011)),
            ("/statistic/ball/radius", json!(0.2501)),
        ];
        for (place, value) in edits {
            let refused = field(place, value.clone()).unwrap_or_default();
            assert!(refused.contains("derived.noise_sd"), "{neighbours:?} {is_mixed} {place} {value}: {refused}");
        }
        assert!(field("/noise/scale", json!(scale * 0.999)).is_some());
        assert!(field("/derived/functionals", json!([])).is_some());
    }
}
