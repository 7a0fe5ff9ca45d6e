#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;

use dpfda_kernels::{Grid, KernelName};
use dpfda_mechanism::ReadError;
use dpfda_privacy::{PrivacyBudget, SeededRandomness, rounding_of_record};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::Array2;

use super::{KeptPath, KeptPathFileError};
use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::Dispersion;
use crate::paths::private::PrivatePath;
use crate::paths::released::PathRelease;

fn path(dispersion: Dispersion) -> (PathRelease, KeptPath) {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.3).unwrap(), 1e-2, 1.0).unwrap();
    let curves = CurveSet::new(Grid::uniform(0.0, 10.0, 21).unwrap(), Array2::from_elem((5, 21), 0.4)).unwrap();
    let settings = PrivatePath::new(ball, PrivacyBudget::new(1.0, 1e-5).unwrap(), smoother).dispersion(dispersion);
    let asked = [LinearFunctional::Evaluation { t: 3.0 }];
    settings.release(&curves, &asked, &mut SeededRandomness::from_seed(5)).unwrap()
}

/// A folder that is removed at the end.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_kept_path_reads_back_and_extends_its_release() {
    let folder = folder();
    for (dispersion, name) in [(Dispersion::SmoothedWhite, "white"), (Dispersion::Kernel, "kernel")] {
        let (release, kept) = path(dispersion);
        let file = folder.path().join(name);
        kept.write(&file).unwrap();
        let read = KeptPath::read(&file).unwrap();
        let more = [LinearFunctional::Derivative { t: 7.5 }, LinearFunctional::Coefficient { index: 1 }];
        assert_eq!(read.extend(&release, &more).unwrap(), kept.extend(&release, &more).unwrap());
    }
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone_and_refused_when_it_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let file = folder.path().join("path.json");
    path(Dispersion::Kernel).1.write(&file).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o644, 0o660, 0o620] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        assert!(matches!(KeptPath::read(&file), Err(KeptPathFileError::Mode { mode: found }) if found == mode));
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    KeptPath::read(&file).unwrap();
}

#[cfg(unix)]
#[test]
fn the_file_appears_complete_or_not_at_all() {
    let folder = folder();
    let (_, kept) = path(Dispersion::Kernel);
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    kept.write(&folder.path().join("path.json")).unwrap();
    assert_eq!(names(), ["path.json"], "nothing hidden is left");
    let refused = kept.write(&folder.path().join("path.json")).unwrap_err();
    assert!(matches!(refused, KeptPathFileError::Exists));
    // nor is a link that leads nowhere followed or replaced
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    assert!(matches!(kept.write(&folder.path().join("link")), Err(KeptPathFileError::Exists)));
    assert_eq!(names().len(), 2);
    let missing = kept.write(&folder.path().join("missing/path.json")).unwrap_err();
    assert!(matches!(missing, KeptPathFileError::System { kind: std::io::ErrorKind::NotFound }), "{missing}");
}

#[test]
fn a_kept_path_never_replaces_another_file() {
    let folder = folder();
    let file = folder.path().join("path.json");
    let kept = path(Dispersion::Kernel).1;
    kept.write(&file).unwrap();
    assert!(matches!(kept.write(&file), Err(KeptPathFileError::Exists)));
    let missing = folder.path().join("missing").join("path.json");
    assert!(matches!(kept.write(&missing), Err(KeptPathFileError::System { .. })));
    assert!(matches!(KeptPath::read(&missing), Err(KeptPathFileError::System { .. })));
    assert!(matches!(KeptPath::read(folder.path()), Err(KeptPathFileError::NotAFile)));
}

#[test]
fn nothing_of_the_path_is_shown() {
    let (_, kept) = path(Dispersion::Kernel);
    assert_eq!(format!("{kept:?}"), "KeptPath(..)");
}

/// Writes the kept path with one text replaced by another and reads it.
fn read_edited(from: &str, to: &str) -> Result<KeptPath, KeptPathFileError> {
    let folder = folder();
    let file: PathBuf = folder.path().join("path.json");
    path(Dispersion::SmoothedWhite).1.write(&file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(&file, text.replacen(from, to, 1)).unwrap();
    KeptPath::read(&file)
}

#[test]
fn damaged_files_are_refused_without_showing_what_is_in_them() {
    let field = |result: Result<KeptPath, KeptPathFileError>| match result.unwrap_err() {
        KeptPathFileError::Content(ReadError::Contradiction { field }) => field,
        other => panic!("{other}"),
    };
    assert_eq!(field(read_edited("\"records\": 5", "\"records\": null")), "privacy.records");
    assert_eq!(field(read_edited("\"records\": 5", "\"records\": 1")), "privacy.records");
    assert_eq!(field(read_edited("\"scale\": ", "\"scale\": 1")), "noise.drawn");
    assert_eq!(field(read_edited("\"coordinates\": [", "\"coordinates\": [1,")), "lattice.coordinates");
    let (_, kept) = path(Dispersion::SmoothedWhite);
    let digits = kept.release().coordinates()[0].to_string();
    let (number, half, word) = (format!("{digits},"), format!("{digits}.5,"), format!("\"x{digits}\","));
    for (from, to) in [
        ("\"id\": \"", "\"id\": \"x"),
        ("\"schema\": 3", "\"schema\": 2"),
        ("\"kind\": \"kept-path\"", "\"kind\": \"path\""),
        ("\"scale\": ", "\"scale\": 0"),
        ("\"penalty\": 0.01", "\"penalty\": -0.01"),
        ("\"warning\"", "\"warming\""),
        ("}", "]"),
        (&number, &half),
        (&number, &word),
    ] {
        let text = read_edited(from, to).unwrap_err().to_string();
        assert!(!text.contains("coordinates\":") && !text.contains(&digits), "{text}");
    }
}

#[test]
fn at_large_units_the_sds_of_a_path_are_what_the_rounding_of_records_adds() {
    let kept = read_edited("\"records\": 5", "\"records\": 1099511627776").unwrap();
    let asked = [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Derivative { t: 7.5 }];
    let (statistic, rows) = (kept.release().statistic(), kept.release().statistic().basis().map(&asked).unwrap().rows);
    let moved = statistic.lattice_step() * rounding_of_record(21, kept.release().unit());
    for (sd, row) in kept.publish(&asked).unwrap().noise_sd().iter().zip(rows.rows()) {
        let ratio = sd / (moved * row.dot(&row).sqrt());
        assert!((1.0 - 1e-12..1.01).contains(&ratio), "{ratio}");
    }
}
