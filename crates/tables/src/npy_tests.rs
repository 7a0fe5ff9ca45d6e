#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use super::*;
use crate::files::TableFiles;

const ROWS: usize = 3000;
const POINTS: usize = 40;

/// A file as `numpy.save` writes it.
fn file(kind: &str, order: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let header = format!("{header:117}\n");
    let length = u16::try_from(header.len()).unwrap();
    [NPY, &[1, 0], &length.to_le_bytes(), header.as_bytes(), numbers].concat()
}

fn value(row: usize, point: usize) -> f64 {
    if (row + point).is_multiple_of(13) { f64::NAN } else { (row * 7 + point * 3) as f64 / 16.0 }
}

fn read(name: &str, bytes: &[u8], layout: &CurveLayout) -> Result<Vec<f64>, TableError> {
    let path = std::env::temp_dir().join(format!("dpfda-npy-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    let read = || {
        let mut source = TableFiles::find(&path)?.open(0, layout)?;
        let (mut values, mut batch) = (Vec::new(), CurveBatch::new());
        while source.read(&mut batch)? {
            values.extend(batch.values());
        }
        Ok(values)
    };
    let outcome = read();
    fs::remove_file(&path).unwrap();
    outcome
}

fn layout() -> CurveLayout {
    CurveLayout::new("*").unwrap()
}

#[test]
fn an_array_is_read_row_by_row_whatever_its_order() {
    let rows: Vec<(usize, usize)> = (0..ROWS).flat_map(|row| (0..POINTS).map(move |point| (row, point))).collect();
    let columns: Vec<(usize, usize)> = (0..POINTS).flat_map(|point| (0..ROWS).map(move |row| (row, point))).collect();
    let expected: Vec<f64> = rows.iter().map(|&(row, point)| value(row, point)).collect();
    for (order, places) in [("False", &rows), ("True", &columns)] {
        let numbers: Vec<u8> = places.iter().flat_map(|&(row, point)| value(row, point).to_le_bytes()).collect();
        let found = read(order, &file("<f8", order, &format!("({ROWS}, {POINTS})"), &numbers), &layout()).unwrap();
        let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same && found.len() == expected.len(), "fortran_order {order}");
    }
}

#[test]
fn every_type_of_real_numbers_is_read() {
    let numbers = |bytes: &[&[u8]]| bytes.concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        (">f8", numbers(&[&3.0_f64.to_be_bytes(), &7.0_f64.to_be_bytes()])),
        ("<f4", numbers(&[&3.0_f32.to_le_bytes(), &7.0_f32.to_le_bytes()])),
        (">f4", numbers(&[&3.0_f32.to_be_bytes(), &7.0_f32.to_be_bytes()])),
        ("|i1", vec![3, 7]),
        ("|u1", vec![3, 7]),
        ("<i2", vec![3, 0, 7, 0]),
        ("<u2", vec![3, 0, 7, 0]),
        ("<i4", numbers(&[&3_i32.to_le_bytes(), &7_i32.to_le_bytes()])),
        ("<u4", numbers(&[&3_u32.to_le_bytes(), &7_u32.to_le_bytes()])),
        ("<i8", numbers(&[&3_i64.to_le_bytes(), &7_i64.to_le_bytes()])),
        ("<u8", numbers(&[&3_u64.to_le_bytes(), &7_u64.to_le_bytes()])),
    ];
    for (place, (kind, numbers)) in cases.iter().enumerate() {
        let found = read(&format!("type{place}"), &file(kind, "False", "(1, 2)", numbers), &layout());
        assert_eq!(found.unwrap(), [3.0, 7.0], "{kind}");
    }
}

#[test]
fn what_is_no_array_of_curves_is_refused() {
    let two = [0_u8; 16];
    for (kind, shape) in
        [("<f8", "(2,)"), ("<f8", "(1, 1, 2)"), ("<c16", "(1, 1)"), ("<M8[ns]", "(1, 2)"), ("|O", "(1, 2)")]
    {
        let found = read("other", &file(kind, "False", shape, &two), &layout()).unwrap_err();
        assert!(matches!(found, TableError::Format { .. }), "{kind} {shape}: {found}");
    }
    let found = read(
        "infinite",
        &file("<f8", "False", "(1, 2)", &[0_f64, f64::INFINITY].map(f64::to_le_bytes).concat()),
        &layout(),
    );
    assert_eq!(found.unwrap_err(), TableError::Infinite { row: 1, column: NAME.into() });
    let subject = read("subject", &file("<f8", "False", "(1, 2)", &two), &layout().subject("id")).unwrap_err();
    assert_eq!(subject, TableError::UnknownSubject { column: "id".into(), columns: 1 });
}

#[test]
fn a_file_that_is_not_as_long_as_it_says_is_refused() {
    let whole = file("<f8", "False", "(3, 5)", &[0; 120]);
    assert_eq!(read("whole", &whole, &layout()).unwrap(), [0.0; 15]);
    for length in NPY.len()..whole.len() {
        assert_eq!(read("cut", &whole[..length], &layout()).unwrap_err(), TableError::Damaged, "{length}");
    }
    let longer = [whole, vec![0]].concat();
    assert_eq!(read("longer", &longer, &layout()).unwrap_err(), TableError::Damaged);
    let wide = read("wide", &file("<f8", "False", "(0, 4611686018427387904)", &[]), &layout()).unwrap_err();
    assert!(matches!(wide, TableError::TooManyColumns { .. }), "{wide}");
    let huge = file("<f8", "False", "(4611686018427387904, 8)", &[]);
    assert_eq!(read("huge", &huge, &layout()).unwrap_err(), TableError::Damaged);
}
