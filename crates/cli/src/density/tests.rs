#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use dpfda::density::{HistogramRelease, Points};
use dpfda::privacy::SeededRandomness;
use dpfda_study::{AskedDensity, Kind, Sections, Study};
use ndarray::Array2;
use tempfile::TempDir;

use super::plan::Plan;
use super::released::Released;
use super::{files, perturbed};
use crate::files::{Sink, all};
use crate::look::Look;
use crate::output::{Contents, OutputDirectory, OutputError};

fn plan(dimension: usize, neighbours: &str) -> Plan {
    let columns = &["a", "b", "c"][..dimension];
    let bounds = ["0,1"].repeat(dimension).join(",");
    let said = Sections::of_texts([
        ("columns", columns.join(",").as_str()),
        ("bounds", bounds.as_str()),
        ("epsilon", "1"),
        ("neighbours", neighbours),
        ("draws", "3"),
    ]);
    let study = Study::of_flags(Some(Kind::Density), said.unwrap()).check(Path::new("")).unwrap();
    Plan { asked: AskedDensity::of(&study).unwrap(), has_subjects: false, source: None, look: Look::default() }
}

fn released(plan: &Plan, records: usize) -> Released {
    let values = Array2::from_shape_fn((records, plan.columns.len()), |(row, _)| (row % 97) as f64 / 97.0);
    let points = Points::new(values, plan.bounds.clone()).unwrap();
    let prepared = plan.histogram(&points).unwrap().prepare(&points).unwrap();
    perturbed::released(plan, &HistogramRelease::from(prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1))))
        .unwrap()
}

#[test]
fn a_release_without_a_place_is_kept_rather_than_lost() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    let output = OutputDirectory::prepare(&target, Contents::Density, false, &[]).unwrap();
    let plan = plan(1, "substitute");
    let released = released(&plan, 100);
    fs::create_dir(&target).unwrap();
    output.write("release.json", released.document.as_bytes()).unwrap();
    let sink: Sink<'_> = &mut |name, bytes| output.write(name, bytes);
    all(sink, |sink| files::write_files(&plan, &released, sink)).unwrap();
    let failed = output.finish();
    assert!(matches!(failed, Err(OutputError::Exists { .. })), "somebody was faster");
    let kept = output.keep();
    // nobody signs here
    for file in Contents::Density.files().iter().filter(|file| !file.ends_with(".minisig")) {
        assert!(kept.join(file).exists(), "{file}");
    }
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

/// The number of cells along each axis that was released, before any were merged.
fn finest(dimension: usize, neighbours: &str, records: usize) -> usize {
    let released = released(&plan(dimension, neighbours), records);
    released.unmerged.as_ref().unwrap_or(&released.density).cells().per_axis()
}

#[test]
fn the_cells_to_choose_from_are_about_four_times_those_of_the_rate() {
    let substitute = "substitute";
    // round(n^(1/3)), round(n^(1/4)) and round(n^(1/5)) are 10, 6 and 4
    assert_eq!([1, 2, 3].map(|dimension| finest(dimension, substitute, 1000)), [48, 12, 8]);
    assert_eq!([2, 100, 8000].map(|records| finest(1, substitute, records)), [4, 24, 84]);
}

#[test]
fn a_private_number_of_records_does_not_change_the_cells() {
    let add_remove = "add-remove";
    assert_eq!([0, 1, 1000, 8000].map(|records| finest(1, add_remove, records)), [48; 4]);
}
