//! What readers of documents do beside the laws of all kinds in `tests/kinds.rs`: a path has a second document, which its owner keeps.

use std::fs;

use crate::common::{ball, budget, curves, smoother};
use crate::edits::accepted;
use dpfda_kernels::KernelName;
use dpfda_mechanism::{Digest, Labels, LedgerReference, Payable, ReadError, Release};
use dpfda_privacy::{Calibration, Law, MixingLaw, NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{
    Dispersion, Functionals, KeptPath, LinearFunctional, MeanRelease, MomentsChoice, PathRelease, PrivateMean,
    PrivatePath,
};
use dpfda_smoothing::PenalizedMean;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn matern() -> PenalizedMean {
    smoother(KernelName::Matern(2.5), 0.25, 1e-2)
}

fn seed() -> SeededRandomness {
    SeededRandomness::from_seed(11)
}

fn asked() -> Vec<LinearFunctional> {
    let weight = vec![1.0; 7];
    vec![LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Integral { weight }]
}

fn means() -> Vec<MeanRelease> {
    let settings = [
        PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE),
        PrivateMean::cameron_martin(ball(), budget()),
    ];
    let mut releases = Vec::new();
    for neighbours in RELATIONS {
        for settings in &settings {
            let settings = settings.clone().smoother(&matern()).neighbours(neighbours);
            releases.push(settings.release(&curves(100, 7), &mut seed()).unwrap());
        }
    }
    let classical = settings[0].clone().smoother(&matern()).calibration(Calibration::Classical);
    releases.push(classical.release(&curves(100, 7), &mut seed()).unwrap());
    let covariance =
        settings[0].clone().smoother(&matern()).neighbours(RELATIONS[1]).moments(MomentsChoice::Covariance);
    releases.push(covariance.release(&curves(100, 7), &mut seed()).unwrap());
    for neighbours in RELATIONS {
        let pure = PrivateMean::isonormal(ball(), PrivacyBudget::new(1.0, 0.0).unwrap()).neighbours(neighbours);
        releases.push(pure.coordinates(5).release(&curves(100, 7), &mut seed()).unwrap());
    }
    releases
}

fn paths() -> Vec<(PathRelease, KeptPath)> {
    let settings = PrivatePath::new(ball(), budget(), matern());
    let mixings = [
        None,
        Some(MixingLaw::student_t(5.0).unwrap()),
        Some(MixingLaw::gamma_root(2.0).unwrap()),
        Some(MixingLaw::log_normal(0.5).unwrap()),
        Some(MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)]).unwrap()),
    ];
    let mut paths = Vec::new();
    for mixing in mixings {
        for (neighbours, dispersion) in RELATIONS.into_iter().zip([Dispersion::SmoothedWhite, Dispersion::Kernel]) {
            let settings = settings.clone().neighbours(neighbours).dispersion(dispersion);
            let settings = mixing.clone().map_or(settings.clone(), |law| settings.mixing(law));
            paths.push(settings.release(&curves(100, 7), &asked(), &mut seed()).unwrap());
        }
    }
    paths
}

#[test]
fn every_path_and_every_kept_path_read_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (release, kept)) in paths().into_iter().enumerate() {
        let read = PathRelease::from_json(&release.to_json().unwrap()).unwrap();
        assert_eq!(read, release);
        let file = folder.path().join(number.to_string());
        kept.write(&file).unwrap();
        let again = KeptPath::read(&file).unwrap();
        assert_eq!((again.id(), again.release()), (kept.id(), kept.release()));
        assert_eq!(again.extend(&read, &asked()).unwrap(), release);
    }
}

#[test]
fn labels_and_the_place_in_a_ledger_read_back() {
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE).smoother(&matern());
    let reference = LedgerReference::new("a study", "mean-1".parse().unwrap(), 3, Digest::of(b"an entry")).unwrap();
    let labels = Labels::new(Some("position"), None).unwrap();
    let drawn = settings.prepare(&curves(100, 7)).unwrap().draw(Some(reference.clone()), &mut seed()).unwrap();
    let release = settings.viewer(curves(1, 7).grid()).unwrap().view(drawn.labelled(labels.clone())).unwrap();
    let read = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
    assert_eq!((read.ledger(), read.labels()), (Some(&reference), &labels));
}

#[test]
fn schema_1_and_other_kinds_are_called_what_they_are() {
    let json = means()[0].to_json().unwrap();
    let of_schema = |schema: u32| json.replace("\"schema\": 3", &format!("\"schema\": {schema}"));
    for schema in [1, 2, 4] {
        let refused = MeanRelease::from_json(&of_schema(schema)).unwrap_err();
        assert!(matches!(refused, ReadError::Schema { found } if found == schema));
        assert_eq!(refused.to_string(), format!("schema {schema} is not known; this version reads schema 3"));
    }
    // the schema is read first: a document of schema 1 has other fields
    let old = r#"{"schema": 1, "mechanism": "isonormal", "privacy": {"epsilon": 1.0}}"#;
    assert!(matches!(MeanRelease::from_json(old), Err(ReadError::Schema { found: 1 })));
    let refused = Release::<Functionals>::from_json(&json).unwrap_err();
    assert!(matches!(refused, ReadError::Kind { expected: "functionals" }));
    assert!(PathRelease::from_json(&json).is_err());
    for no_document in ["", "[]", "{}", "{\"schema\": 3}", "{\"schema\": \"3\", \"kind\": \"mean\"}"] {
        assert!(matches!(MeanRelease::from_json(no_document), Err(ReadError::Json(_))), "{no_document}");
    }
}

/// Its numbers are taken at their word until they are extended: an extension would publish them as true.
#[test]
fn an_edit_of_a_path_is_refused_by_the_kept_path() {
    for (release, kept) in paths() {
        let more = [LinearFunctional::Evaluation { t: 4.0 }];
        let extends = |json: &str| PathRelease::from_json(json).is_ok_and(|read| kept.extend(&read, &more).is_ok());
        let json = release.to_json().unwrap();
        assert_eq!(accepted(&json, extends), ["/labels-", "/software"]);
    }
}

#[cfg(unix)]
#[test]
fn an_edit_of_a_kept_path_is_refused_or_extends_no_release() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let read_edited = |json: &str| {
        // written over, so that the file keeps its mode
        fs::write(&file, json).unwrap();
        KeptPath::read(&file)
    };
    // calibrating the other random scales takes too long for so many edits
    for (release, kept) in paths().iter().filter(|(release, _)| is_quick(release.law())) {
        let _ = fs::remove_file(&file);
        kept.write(&file).unwrap();
        let json = fs::read_to_string(&file).unwrap();
        let more = [LinearFunctional::Evaluation { t: 4.0 }];
        let extends = |json: &str| read_edited(json).is_ok_and(|read| read.extend(release, &more).is_ok());
        let found = accepted(&json, extends);
        let allowed = ["/labels-", "/software", "/derived/warning"];
        assert!(found.iter().all(|place| allowed.contains(&place.as_str())), "{found:?}");
    }
}

fn is_quick(law: &Law) -> bool {
    let finite = MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)]).unwrap();
    matches!(law, Law::Gaussian { .. }) || *law == Law::RandomScale { mixing: finite }
}

#[test]
fn a_plan_reads_back_and_keeps_its_digest() {
    let mechanisms: Vec<_> = means().iter().map(|release| release.mechanism().clone()).collect();
    for mechanism in &mechanisms {
        let json = serde_json::to_string(mechanism).unwrap();
        let read: dpfda_mechanism::Mechanism<dpfda_release::Mean> = serde_json::from_str(&json).unwrap();
        assert_eq!((&read, read.digest(), read.noise()), (mechanism, mechanism.digest(), mechanism.noise()));
    }
    for (i, mechanism) in mechanisms.iter().enumerate() {
        assert!(mechanisms[..i].iter().all(|other| other.digest() != mechanism.digest()));
    }
}
