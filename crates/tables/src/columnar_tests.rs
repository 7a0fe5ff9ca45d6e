#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;

use arrow_array::builder::{FixedSizeListBuilder, Float64Builder};
use arrow_array::{Float32Array, Int64Array};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::Field;
use parquet::arrow::ArrowWriter;

use super::*;
use crate::files::TableFiles;

const ROWS_OF_TEST: usize = 3000;

fn value(row: usize, point: usize) -> Option<f64> {
    (!(row * 31 + point).is_multiple_of(17)).then_some((row * 7 + point * 3) as f64 / 16.0)
}

#[allow(clippy::cast_possible_truncation, reason = "exact for these numbers")]
fn to_single(x: f64) -> f32 {
    x as f32
}

/// Columns in another order than the points, of several types, with text and with one that is not asked for.
fn wide() -> RecordBatch {
    let rows = || 0..ROWS_OF_TEST;
    let doubles = |point: usize| rows().map(|row| value(row, point)).collect::<Float64Array>();
    let floats: Float32Array = rows().map(|row| value(row, 1).map(to_single)).collect();
    let integers: Int64Array = (0_i64..).take(ROWS_OF_TEST).map(|row| Some(row % 5)).collect();
    let ids: StringArray = rows().map(|row| Some(format!("S{}", row % 700))).collect();
    let notes: StringArray = rows().map(|_| Some("CANARY")).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("note", Arc::new(notes)),
        ("x3", Arc::new(integers)),
        ("x1", Arc::new(doubles(0))),
        ("ID", Arc::new(ids)),
        ("x2", Arc::new(floats)),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn expected() -> Vec<f64> {
    let of_row = |row: usize| [value(row, 0), value(row, 1), Some((row % 5) as f64)].map(|x| x.unwrap_or(f64::NAN));
    (0..ROWS_OF_TEST).flat_map(of_row).collect()
}

fn lists() -> RecordBatch {
    let mut lists = FixedSizeListBuilder::new(Float64Builder::new(), 3);
    for row in 0..ROWS_OF_TEST {
        lists.values().append_option(value(row, 0));
        lists.values().append_option(value(row, 1));
        lists.values().append_value((row % 5) as f64);
        lists.append(true);
    }
    RecordBatch::try_from_iter([("curve", Arc::new(lists.finish()) as ArrayRef)]).unwrap()
}

enum Kind {
    Parquet,
    Feather,
    Stream,
}

fn bytes(batch: &RecordBatch, kind: &Kind) -> Vec<u8> {
    let mut bytes = Vec::new();
    match kind {
        Kind::Parquet => {
            let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
            writer.write(batch).unwrap();
            writer.close().unwrap();
        }
        Kind::Feather => {
            let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
            // in pieces, the second of which begins within the arrays
            writer.write(&batch.slice(0, 1111)).unwrap();
            writer.write(&batch.slice(1111, ROWS_OF_TEST - 1111)).unwrap();
            writer.finish().unwrap();
        }
        Kind::Stream => {
            let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
            writer.write(batch).unwrap();
            writer.finish().unwrap();
        }
    }
    bytes
}

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dpfda-columnar-{}-{name}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    path
}

fn read(name: &str, bytes: &[u8], layout: &CurveLayout) -> Result<(Vec<f64>, Vec<String>), TableError> {
    let path = write(name, bytes);
    let outcome = (|| {
        let mut source = TableFiles::find(&path)?.open(0, layout)?;
        let (mut values, mut ids, mut batch) = (Vec::new(), Vec::new(), CurveBatch::new());
        while source.read(&mut batch)? {
            values.extend(batch.values());
            let subjects = (0..batch.len()).filter_map(|curve| batch.subject(curve));
            ids.extend(subjects.map(|id| String::from_utf8(id.to_vec()).unwrap()));
        }
        Ok((values, ids))
    })();
    fs::remove_file(path).unwrap();
    outcome
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan())
}

#[test]
fn wide_columns_of_any_numbers_are_read_in_the_order_asked_for_with_their_subjects() {
    let layout = CurveLayout::new("x1,x2,x3").unwrap().subject("ID");
    for (name, kind) in
        [("wide.parquet", Kind::Parquet), ("wide.feather", Kind::Feather), ("wide.arrows", Kind::Stream)]
    {
        let (values, ids) = read(name, &bytes(&wide(), &kind), &layout).unwrap();
        assert!(same(&values, &expected()), "{name}");
        assert!(ids.iter().enumerate().all(|(row, id)| *id == format!("S{}", row % 700)), "{name}");
        assert_eq!(ids.len(), ROWS_OF_TEST);
    }
}

#[test]
fn one_column_of_lists_is_a_table_too() {
    let layout = CurveLayout::new("curve").unwrap();
    for (name, kind) in
        [("list.parquet", Kind::Parquet), ("list.feather", Kind::Feather), ("list.arrows", Kind::Stream)]
    {
        let (values, ids) = read(name, &bytes(&lists(), &kind), &layout).unwrap();
        assert!(same(&values, &expected()) && ids.is_empty(), "{name}");
    }
}

#[test]
fn what_is_wrong_is_told_by_row_and_column_and_never_by_value() {
    let with = |name: &str, array: ArrayRef| {
        let rows = array.len();
        let other = Arc::new(Float64Array::from(vec![0.5; rows])) as ArrayRef;
        let ids = Arc::new((0..rows).map(|row| (row != 1).then_some("S1")).collect::<StringArray>()) as ArrayRef;
        RecordBatch::try_from_iter([("x0", other), (name, array), ("ID", ids)]).unwrap()
    };
    let layout = CurveLayout::new("x*").unwrap();
    let refused = |batch: &RecordBatch, layout: &CurveLayout| {
        read("bad.parquet", &bytes(batch, &Kind::Parquet), layout).unwrap_err()
    };
    let infinite = with("x1", Arc::new(Float64Array::from(vec![1.0, 7777.125, f64::NEG_INFINITY])));
    assert_eq!(refused(&infinite, &layout), TableError::Infinite { row: 3, column: "x1".into() });
    let text = with("x1", Arc::new(StringArray::from(vec!["CANARY", "b", "c"])));
    let found = refused(&text, &layout);
    assert!(matches!(found, TableError::ColumnType { .. }), "{found}");
    let no_id = with("x1", Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0])));
    let found = refused(&no_id, &layout.clone().subject("ID"));
    assert_eq!(found, TableError::BlankSubject { row: 2, column: "ID".into() });
    let found = refused(&no_id, &CurveLayout::new("z*").unwrap());
    assert_eq!(found, TableError::NoMatch { pattern: "z*".into(), columns: 3 });
}

#[test]
fn a_columnar_file_that_is_cut_short_is_refused() {
    let layout = CurveLayout::new("x1,x2,x3").unwrap();
    for (name, kind) in [("cut.parquet", Kind::Parquet), ("cut.feather", Kind::Feather)] {
        let whole = bytes(&wide(), &kind);
        for length in (0..whole.len()).step_by(997).chain([8, whole.len() - 1]) {
            assert!(read(name, &whole[..length], &layout).is_err(), "{name} {length} of {}", whole.len());
        }
    }
}

#[test]
fn whole_numbers_are_ids_also_in_a_column_of_reals_and_others_are_none() {
    let read_ids = |ids: Vec<f64>| {
        let column = Arc::new(Float64Array::from(vec![0.5, 0.5])) as ArrayRef;
        let columns = [("ID", Arc::new(Float64Array::from(ids)) as ArrayRef), ("x1", column.clone()), ("x2", column)];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        read("ids.parquet", &bytes(&batch, &Kind::Parquet), &CurveLayout::new("x*").unwrap().subject("ID"))
    };
    assert_eq!(read_ids(vec![7.0, 1e15]).unwrap().1, ["7", "1000000000000000"]);
    for other in [1.5, 9_007_199_254_740_992.0, f64::INFINITY] {
        let refused = read_ids(vec![7.0, other]).unwrap_err();
        assert_eq!(refused, TableError::SubjectKind { row: 2, column: "ID".into() });
    }
    assert_eq!(read_ids(vec![7.0, f64::NAN]).unwrap_err(), TableError::BlankSubject { row: 2, column: "ID".into() });
}

#[test]
fn a_file_without_rows_has_no_curves() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("x1", DataType::Float64, true),
        Field::new("x2", DataType::Float64, true),
    ]));
    let empty = RecordBatch::new_empty(schema);
    assert_eq!(empty.num_rows(), 0);
    let layout = CurveLayout::new("x*").unwrap();
    assert_eq!(read("empty.parquet", &bytes_of_empty(&empty), &layout).unwrap(), (vec![], vec![]));
}

fn bytes_of_empty(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn a_missing_point_of_a_surface_is_refused_as_one_off_the_grid_is() {
    let axis = || Grid::uniform(0.0, 1.0, 2).unwrap();
    let grid = dpfda_kernels::SurfaceGrid::new(axis(), axis()).unwrap();
    let layout = CurveLayout::long_surface("id", ["s", "t"], "y", grid).unwrap();
    for (t, is_read) in [(Some(1.0), true), (None, false), (Some(0.5), false), (Some(f64::NAN), false)] {
        let numbers =
            |second: Option<f64>| Arc::new([Some(0.0), second].into_iter().collect::<Float64Array>()) as ArrayRef;
        let ids = Arc::new(StringArray::from(vec!["a", "b"])) as ArrayRef;
        let columns = [("id", ids), ("s", numbers(Some(1.0))), ("t", numbers(t)), ("y", numbers(None))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let found = read("surface.parquet", &bytes(&batch, &Kind::Parquet), &layout);
        if is_read {
            let (values, _) = found.unwrap();
            assert!(same(&values, &[0.0, 0.0, 0.0, 1.0, 1.0, f64::NAN]), "{values:?}");
        } else {
            assert_eq!(found.unwrap_err(), TableError::OffSurface { row: 2, column: "t".to_owned() });
        }
    }
}
