//! The invented curves of the repository are what their generator makes, and shaped as `data/README.md` says.

use dpfda::prelude::*;

#[allow(dead_code, reason = "its main writes the file; here the table is enough")]
#[path = "../data/generate_dti_like.rs"]
mod generator;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/dti_like.csv");

#[allow(dead_code, reason = "its main writes the file; here the table is enough")]
#[path = "../data/generate_week_like.rs"]
mod weeks;

const WEEKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/week_like.csv");

#[test]
fn the_committed_files_are_byte_for_byte_what_their_generators_make() {
    for (file, made) in [(FILE, generator::table()), (WEEKS, weeks::table())] {
        let committed = std::fs::read_to_string(file).unwrap();
        let differing = committed.lines().zip(made.lines()).position(|(a, b)| a != b);
        assert_eq!(differing, None, "{file}: the first line that differs, from 0");
        assert!(committed == made, "{file}: one is longer: {} and {} bytes", committed.len(), made.len());
    }
}

#[test]
fn the_weeks_have_the_shape_that_is_promised() {
    let weeks = std::fs::read_to_string(WEEKS).unwrap();
    let rows: Vec<Vec<&str>> = weeks.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let people: std::collections::BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(people.len(), 400);
    assert!((21_100..21_500).contains(&rows.len()), "{} rows", rows.len());
    for row in rows {
        let [day, hour, glucose] = [1, 2, 3].map(|column| row[column].parse::<f64>().unwrap());
        assert!((1.0..=7.0).contains(&day) && hour % 3.0 == 0.0 && hour < 24.0 && (3.2..=11.8).contains(&glucose));
    }
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
