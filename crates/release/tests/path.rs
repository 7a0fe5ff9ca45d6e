//! One path, published in steps.

use crate::common::{ball, budget, curves, smoother};
use dpfda_kernels::{Grid, KernelName};
use dpfda_mechanism::MechanismError;
use dpfda_privacy::{MixingLaw, NeighbouringRelation, NoiseError, NoiseScaleError, PrivacyBudget, SeededRandomness};
use dpfda_release::{Dispersion, FunctionalMapError, LinearFunctional, PathError, PathRelease, PrivatePath};
use dpfda_smoothing::CurveSet;
use ndarray::Array2;
use rand::Rng;

fn at(t: f64) -> LinearFunctional {
    LinearFunctional::Evaluation { t }
}

fn settings() -> Vec<PrivatePath> {
    let path = PrivatePath::new(ball(), budget(), smoother(KernelName::Matern(2.5), 0.25, 1e-2));
    let elliptical = path.clone().mixing(MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)]).unwrap());
    vec![
        path.clone(),
        path.clone().dispersion(Dispersion::Kernel),
        path.neighbours(NeighbouringRelation::AddRemoveOne),
        elliptical,
    ]
}

/// Two records at the centre on a small grid: all that is released is noise.
fn nothing() -> CurveSet {
    CurveSet::new(Grid::uniform(0.0, 1.0, 6).unwrap(), Array2::from_elem((2, 6), 0.5)).unwrap()
}

#[test]
fn what_was_asked_before_is_answered_the_same_to_the_bit() {
    let curves = curves(30, 25);
    for settings in settings() {
        let (begun, kept) =
            settings.release(&curves, &[at(2.5), at(6.0)], &mut SeededRandomness::from_seed(1)).unwrap();
        let extended = kept.extend(&begun, &[at(6.0), at(3.1), at(3.1), at(2.5)]).unwrap();
        assert_eq!(extended.functionals(), [at(2.5), at(6.0), at(3.1)]);
        assert_eq!(extended.values()[0], begun.values()[0]);
        assert_eq!(extended.values()[1], begun.values()[1]);
        assert_eq!(kept.extend(&extended, &[at(3.1)]).unwrap(), extended);
        // the same path, whatever the order of the questions
        let otherwise = kept.extend(&begun, &[at(4.0)]).and_then(|release| kept.extend(&release, &[at(3.1)])).unwrap();
        assert_eq!(otherwise.values()[3], extended.values()[2]);
        // and after a round through a file
        let read = PathRelease::from_json(&extended.to_json().unwrap()).unwrap();
        assert_eq!(read, extended);
        assert_eq!(kept.extend(&read, &[at(4.0)]).unwrap().values()[3], otherwise.values()[2]);
    }
}

#[test]
fn the_noise_of_one_path_has_one_v() {
    let law = MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap();
    let smoother = smoother(KernelName::Matern(2.5), 0.4, 1e-2);
    let settings = PrivatePath::new(ball(), budget(), smoother).mixing(law);
    let curves = nothing();
    let (mut small, mut large) = (0, 0);
    for seed in 0..40 {
        let mut randomness = SeededRandomness::from_seed(seed);
        let (begun, kept) = settings.release(&curves, &[at(0.1)], &mut randomness).unwrap();
        let extended = kept.extend(&begun, &[at(0.9)]).unwrap();
        // 0.1 and 0.9 lie symmetrically
        assert!((extended.noise_sd()[0] / extended.noise_sd()[1] - 1.0).abs() < 1e-9);
        if extended.noise_sd()[0] < 2.0 { small += 1 } else { large += 1 }
    }
    assert_eq!(small + large, 40);
    assert!(small > 5 && large > 5, "{small} and {large}");
}

#[test]
fn an_extension_of_another_release_is_refused() {
    let curves = curves(30, 25);
    for settings in settings() {
        let release = |seed| settings.release(&curves, &[at(2.5)], &mut SeededRandomness::from_seed(seed)).unwrap();
        let ((first, kept), (second, _)) = (release(1), release(2));
        assert_eq!(kept.extend(&second, &[at(3.0)]).unwrap_err(), PathError::NotThisRelease);
        // an id copied by hand does not help: the answers are another path's
        let forged = second.to_json().unwrap().replace(&second.id(), &first.id());
        let forged = PathRelease::from_json(&forged).unwrap();
        assert_eq!(kept.extend(&forged, &[at(3.0)]).unwrap_err(), PathError::NotThisRelease);
        let renamed = first.to_json().unwrap().replace(&first.id(), &"0".repeat(32));
        let renamed = PathRelease::from_json(&renamed).unwrap();
        assert_eq!(kept.extend(&renamed, &[at(3.0)]).unwrap_err(), PathError::NotThisRelease);
        // nor does any other field that was edited: an extension would publish it as true
        for (from, to) in [
            ("\"epsilon\": 1.0", "\"epsilon\": 0.5"),
            ("\"radius\": 0.25", "\"radius\": 0.5"),
            ("\"penalty\": 0.01", "\"penalty\": 0.02"),
            ("\"noise_sd\": [\n      0.", "\"noise_sd\": [\n      0.0"),
            ("\"scale\": ", "\"scale\": 1"),
            ("\"private\": false", "\"private\": true"),
            ("\"unit\": \"curve\"", "\"unit\": \"subject\""),
            ("\"points\": [\n        2.0", "\"points\": [\n        1.0"),
        ] {
            let json = first.to_json().unwrap();
            assert!(json.contains(from), "{from} {json}");
            // what contradicts the scale of normal noise is not even read
            let edited = PathRelease::from_json(&json.replace(from, to));
            let refused = edited.map(|edited| kept.extend(&edited, &[at(3.0)]).map(|_| ()));
            assert!(matches!(refused, Err(_) | Ok(Err(PathError::NotThisRelease))), "{from}");
        }
        // what contradicts itself, as another number of records does the standard deviations, is not even read
        let json = first.to_json().unwrap();
        let edited = PathRelease::from_json(&json.replace("\"units\": ", "\"units\": 1"));
        assert!(edited.is_err());
    }
}

#[test]
fn a_path_that_cannot_be_released_is_refused_before_any_noise() {
    let (curves, settings) = (curves(30, 25), &settings()[0]);
    let mut randomness = SeededRandomness::from_seed(0);
    let outside = settings.release(&curves, &[at(2.5), at(1.0)], &mut randomness).map(|_| ());
    assert!(matches!(outside, Err(PathError::Map(FunctionalMapError::Functional(_)))));
    let pure = PrivacyBudget::new(1.0, 0.0).unwrap();
    for law in [None, Some(MixingLaw::student_t(5.0).unwrap())] {
        let smoother = smoother(KernelName::Gaussian, 0.1, 1e-2);
        let settings = PrivatePath::new(ball(), pure, smoother);
        let settings = law.map_or(settings.clone(), |law| settings.mixing(law));
        let refused = settings.release(&curves, &[at(2.5)], &mut randomness).map(|_| ());
        assert!(
            matches!(
                refused,
                Err(PathError::Mechanism(MechanismError::Noise(NoiseError::Gaussian(_) | NoiseError::Mixing(_))))
            ),
            "{refused:?}"
        );
    }
    // a V that is always 1 is refused no budget that Gaussian noise can meet
    let small = PrivacyBudget::new(1e-4, 1e-6).unwrap();
    let constant = PrivatePath::new(ball(), small, smoother(KernelName::Gaussian, 0.1, 1e-2));
    let constant = constant.mixing(MixingLaw::constant(1.0).unwrap());
    constant.release(&curves, &[at(2.5)], &mut SeededRandomness::from_seed(0)).unwrap();
    let one = CurveSet::new(curves.grid().clone(), Array2::from_elem((1, 25), 0.5)).unwrap();
    let refused = settings.release(&one, &[at(2.5)], &mut randomness).map(|_| ());
    assert_eq!(refused, Err(PathError::Mechanism(MechanismError::TooFewRecords { least: 2, found: 1 })));
}

#[test]
fn a_budget_that_the_largest_v_cannot_meet_is_refused_before_any_noise() {
    let tiny = PrivacyBudget::new(1e-6, 1e-9).unwrap();
    let path = PrivatePath::new(ball(), tiny, smoother(KernelName::Gaussian, 0.1, 1e-2));
    let mut randomness = SeededRandomness::from_seed(0);
    let refused = path.mixing(MixingLaw::student_t(5.0).unwrap()).release(&curves(30, 25), &[at(2.5)], &mut randomness);
    // nearly every V would do
    assert_eq!(
        refused.map(|_| ()),
        Err(PathError::Mechanism(MechanismError::Noise(NoiseError::Scale(NoiseScaleError::TooLarge))))
    );
    assert_eq!(randomness.next_u64(), SeededRandomness::from_seed(0).next_u64(), "no bit was taken");
}
