//! Files of points.

use dpfda::density::{Bounds, PointLayout, Points, PointsCsvError};

use super::table::{assert_tells_nothing, lines_below_header, with_canaries, written};

const COLUMNS: [&[&str]; 6] = [&["x"], &["y"], &["x", "y"], &["z", "x", "y"], &[""], &["x", "x"]];

/// The first byte chooses the columns, the rest is the file.
pub fn run(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let columns = COLUMNS[usize::from(choice) % COLUMNS.len()];
    let table = with_canaries(bytes);
    match Points::from_csv_reader(table.as_slice(), &PointLayout::new(columns.iter().copied()), bounds(columns.len())) {
        Err(error) => {
            assert_tells_nothing(&error, bytes);
            assert!(!matches!(error, PointsCsvError::Read { .. }), "memory cannot fail");
        }
        Ok(points) => {
            let units = assert_read(&points, columns.len(), &table);
            // what takes longer than all the rest
            if choice >= 128 {
                assert_reads_back(&units, columns.len());
            }
        }
    }
}

fn bounds(dimension: usize) -> Bounds {
    let Ok(bounds) = Bounds::new(vec![(-1.0, 3.0); dimension]) else { unreachable!("the bounds are fixed") };
    bounds
}

/// The points in the unit box, one after the other.
fn assert_read(points: &Points, dimension: usize, table: &[u8]) -> Vec<f64> {
    // the first line of all is the header here: a blank one names the column ""
    let begins_blank = matches!(table.strip_prefix(b"\xef\xbb\xbf").unwrap_or(table).first(), Some(b'\n' | b'\r'));
    if !begins_blank {
        assert_eq!(points.records(), lines_below_header(table).0, "every line is a record, whatever stands on it");
    }
    let mut units = vec![0.0; dimension * points.records()];
    for (row, unit) in units.chunks_exact_mut(dimension).enumerate() {
        points.unit_row(row, unit);
        assert!(unit.iter().all(|u| (0.0..=1.0).contains(u)), "clamped, and never NaN");
    }
    units
}

/// Written again, in quotation marks or not, they are the same.
fn assert_reads_back(units: &[f64], dimension: usize) {
    let names: Vec<String> = (0..dimension).map(|axis| format!("c{axis}")).collect();
    let layout = PointLayout::new(names.clone());
    let Ok(box_of_units) = Bounds::new(vec![(0.0, 1.0); dimension]) else { unreachable!("the bounds are fixed") };
    for quoted in [false, true] {
        let text = written(&names, units.chunks_exact(dimension), quoted);
        match Points::from_csv_reader(text.as_bytes(), &layout, box_of_units.clone()) {
            Ok(again) => {
                assert_eq!(again.records(), units.len() / dimension);
                let mut unit = vec![0.0; dimension];
                for (row, expected) in units.chunks_exact(dimension).enumerate() {
                    again.unit_row(row, &mut unit);
                    assert_eq!(unit, expected);
                }
            }
            Err(error) => unreachable!("what was read can be written: {error}"),
        }
    }
}
