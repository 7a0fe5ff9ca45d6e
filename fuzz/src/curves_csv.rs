//! Files of curves.

use dpfda::prelude::*;
use dpfda::smoothing::TableError;

use super::table::{assert_tells_nothing, lines_below_header, with_canaries, written};

const PATTERNS: [&str; 8] = ["*", "v*", "v1,v2", "?", "a,b", "[!i]*", "0*", "v2,v*,a"];
const SUBJECTS: [Option<&str>; 4] = [None, Some("id"), Some("v1"), Some("")];
/// More points would only make the spectrum slower.
const MOST_RELEASED: usize = 6;

/// The first byte chooses the layout, the rest is the file.
pub fn run(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let table = with_canaries(bytes);
    match CurveSet::from_csv_reader(table.as_slice(), &layout(choice)) {
        Err(error) => assert_refused(&error, bytes),
        Ok(curves) => {
            assert_read(&curves, &table);
            // what takes longer than all the rest
            if choice >= 128 {
                assert_reads_back(&curves);
                assert_released(&curves);
            }
        }
    }
}

fn layout(choice: u8) -> CurveLayout {
    let choice = usize::from(choice);
    let Ok(mut layout) = CurveLayout::new(PATTERNS[choice % 8]) else { unreachable!("the patterns are globs") };
    if let Some(column) = SUBJECTS[choice / 8 % 4] {
        layout = layout.subject(column);
    }
    match choice / 32 % 4 {
        1 => layout.grid(GridChoice::Interval(-3.0, 7.5)),
        2 => layout.grid(GridChoice::Points(vec![0.0, 1.0, 4.0])),
        _ => layout,
    }
}

fn assert_refused(error: &TableError, bytes: &[u8]) {
    assert_tells_nothing(error, bytes);
    assert!(!matches!(error, TableError::Read { .. }), "memory cannot fail");
}

fn assert_read(curves: &CurveSet, table: &[u8]) {
    // a blank line is refused, or after the last row
    let (lines, blank_at_end) = lines_below_header(table);
    assert_eq!(curves.len(), lines - blank_at_end, "every line is a curve, whatever stands on it");
    assert!(curves.units() <= curves.len());
    assert_eq!(curves.records().map(|rows| rows.len()).sum::<usize>(), curves.len());
    assert!(curves.values().iter().all(|value| !value.is_infinite()));
}

/// Written again, in quotation marks or not, they are the same.
fn assert_reads_back(curves: &CurveSet) {
    let values = curves.values();
    let names: Vec<String> = (0..values.ncols()).map(|column| format!("v{column}")).collect();
    let rows = || values.rows().into_iter().filter_map(|row| row.to_slice());
    let Ok(layout) = CurveLayout::new("v*") else { unreachable!("the pattern is a glob") };
    for quoted in [false, true] {
        let text = written(&names, rows(), quoted);
        match CurveSet::from_csv_reader(text.as_bytes(), &layout) {
            Ok(again) => {
                let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
                assert_eq!(again.len(), curves.len());
                assert!(again.values().iter().zip(values).all(same), "numbers read back as they are");
            }
            Err(error) => unreachable!("what was read can be written: {error}"),
        }
    }
}

fn assert_released(curves: &CurveSet) {
    if curves.units() < 2 || curves.grid().len() > MOST_RELEASED {
        return;
    }
    let (Ok(ball), Ok(budget)) = (Ball::new(Center::Constant(0.5), 0.25), PrivacyBudget::new(1.0, 1e-5)) else {
        unreachable!("the settings are fixed")
    };
    let private_mean = PrivateMean::isonormal(ball, budget).buying(dpfda::release::BallShares::NONE);
    match private_mean.release(curves, &mut SeededRandomness::from_seed(1)) {
        Ok(release) => {
            let function = release.function();
            assert!(function.values().iter().chain(function.noise_sd()).all(|value| value.is_finite()));
        }
        Err(error) => unreachable!("two records can be released: {error}"),
    }
}
