//! The invented curves of the repository are what their generator makes, and shaped as `data/README.md` says.

use dpfda::prelude::*;

#[allow(dead_code, reason = "its main writes the file; here the table is enough")]
#[path = "../data/generate_dti_like.rs"]
mod generator;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/dti_like.csv");

#[test]
fn the_committed_file_is_byte_for_byte_what_its_generator_makes() {
    let (committed, made) = (std::fs::read_to_string(FILE).unwrap(), generator::table());
    let differing = committed.lines().zip(made.lines()).position(|(a, b)| a != b);
    assert_eq!(differing, None, "the first line that differs, from 0");
    assert!(committed == made, "one is longer: {} and {} bytes", committed.len(), made.len());
}

#[test]
fn the_curves_have_the_shape_that_is_promised() {
    let curves = CurveSet::read_csv(FILE, &CurveLayout::new("cca_*").unwrap().subject("ID")).unwrap();
    assert_eq!((curves.units(), curves.len(), curves.grid().len()), (142, 382, 93));

    let scans: Vec<usize> = curves.records().map(|rows| rows.len()).collect();
    assert_eq!((scans.iter().min(), scans.iter().max()), (Some(&1), Some(&8)));

    let values = curves.values();
    assert!(values.iter().filter(|x| !x.is_nan()).all(|&x| 0.2 < x && x < 0.85));
    assert_eq!(values.iter().filter(|x| x.is_nan()).count(), 36, "missing cells");
    assert_eq!(curves.len() - curves.complete().len(), 6, "scans with missing cells");
}
