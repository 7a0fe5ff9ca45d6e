#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use dpfda::prelude::*;
use tempfile::TempDir;

use super::{FILES, OutputDirectory, OutputError};

fn release() -> Release {
    let layout = CsvLayout::new("v*").unwrap();
    let curves = CurveSet::from_csv_reader("v1,v2\n0.4,0.5\n0.5,0.6\n".as_bytes(), &layout).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
    private_mean.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap()
}

fn entries(place: &TempDir) -> usize {
    fs::read_dir(place.path()).unwrap().count()
}

#[test]
fn nothing_is_left_of_output_that_is_not_published() {
    let place = TempDir::new().unwrap();
    let output = OutputDirectory::prepare(&place.path().join("out"), false).unwrap();
    assert_eq!(entries(&place), 1);
    drop(output);
    assert_eq!(entries(&place), 0);
}

#[test]
fn a_release_without_a_place_is_kept_rather_than_lost() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    let output = OutputDirectory::prepare(&target, false).unwrap();
    fs::create_dir(&target).unwrap();
    assert!(matches!(output.publish(&release()), Err(OutputError::Exists { .. })), "somebody was faster");
    let kept = output.keep();
    for file in FILES {
        assert!(kept.join(file).exists(), "{file}");
    }
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn what_is_public_may_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;

    let place = TempDir::new().unwrap();
    let (plain, target) = (place.path().join("plain"), place.path().join("out"));
    fs::create_dir(&plain).unwrap();
    OutputDirectory::prepare(&target, false).unwrap().publish(&release()).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain), "as any directory the user makes");
}
