#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use dpfda_tables::{Decimal, Missing, RecordError, Separator};
use ndarray::array;

use super::{PointLayout, Points, PointsCsvError, PointsError};
use crate::bounds::Bounds;

fn bounds(dimension: usize) -> Bounds {
    Bounds::new(vec![(0.0, 2.0); dimension]).unwrap()
}

fn read(text: &str, columns: &[&str]) -> Result<Points, PointsCsvError> {
    Points::from_csv_reader(text.as_bytes(), &PointLayout::new(columns.iter().copied()), bounds(columns.len()))
}

#[test]
fn points_need_a_coordinate_for_each_axis() {
    let refused = Points::new(array![[0.0, 1.0]], bounds(1)).unwrap_err();
    assert_eq!(refused, PointsError::Dimension { axes: 1, columns: 2 });
    let transposed = Points::new(array![[0.5, 1.5, 2.0], [0.0, 1.0, 2.0]].reversed_axes(), bounds(2)).unwrap();
    let mut unit = [0.0; 2];
    transposed.unit_row(1, &mut unit);
    assert_eq!(unit, [0.75, 0.5]);
}

#[test]
fn named_columns_are_read_in_the_order_asked() {
    let points = read("\u{feff}y,id,x\n0.5,a,1\n,b,7\n", &["x", "y"]).unwrap();
    assert_eq!(points.records(), 2);
    let mut unit = [0.0; 2];
    points.unit_row(0, &mut unit);
    assert_eq!(unit, [0.5, 0.25]);
    points.unit_row(1, &mut unit);
    assert_eq!(unit, [1.0, 0.5], "outside is clamped, missing is the centre");
    assert_eq!(read("x\n", &["x"]).unwrap().records(), 0);
}

#[test]
fn faulty_files_are_refused_without_showing_a_cell() {
    let column = || "x".to_owned();
    let refused = |text| read(text, &["x"]).unwrap_err();
    assert_eq!(refused(""), PointsCsvError::NoHeader);
    assert_eq!(refused("y\n1\n"), PointsCsvError::NoColumn { column: column() });
    assert_eq!(refused("x,x\n1,2\n"), PointsCsvError::SeveralColumns { column: column() });
    assert_eq!(refused("x,y\n1,2\n1\n"), PointsCsvError::Ragged { row: 2, expected: 2, found: 1 });
    let error = refused("x\n1\nsecret\n");
    assert_eq!(error, PointsCsvError::NotANumber { row: 2, column: column() });
    assert!(!error.to_string().contains("secret"));
    let wrong = Points::from_csv_reader("x\n1\n".as_bytes(), &PointLayout::new(["x"]), bounds(2)).unwrap_err();
    assert_eq!(wrong, PointsCsvError::Points(PointsError::Dimension { axes: 2, columns: 1 }));
}

#[test]
fn a_first_row_that_looks_like_data_is_refused_and_not_shown() {
    for (text, columns) in [
        ("0.777\n0.5\n", vec!["0.777"]),
        ("0.777,0.777\n1,2\n", vec!["0.777"]),
        ("id,3,1\na,2,1\n", vec!["1", "3"]),
        ("N/A,0.777\n1,2\n", vec!["0.777", "N/A"]),
    ] {
        let found = read(text, &columns).unwrap_err();
        assert_eq!(found, PointsCsvError::HeaderIsData, "{text}");
        assert!(!found.to_string().contains("777") && found.to_string().contains("no header"), "{found}");
    }
    assert_eq!(read("age,3\n1,2\n", &["age", "3"]).unwrap().records(), 1);
    assert_eq!(read("0.5\n0.5\n", &["x"]).unwrap_err(), PointsCsvError::NoColumn { column: "x".into() });
}

#[test]
fn every_line_is_a_record_so_that_a_missing_value_does_not_change_their_number() {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    let read = |text: &str| Points::from_csv_reader(text.as_bytes(), &PointLayout::new(["x"]), bounds.clone()).unwrap();
    for end in ["\n", "\r\n", "\r"] {
        let whole = ["x", "0.1", "0.2", "0.3", ""].join(end);
        assert_eq!(read(&whole).records(), 3, "{end:?}");
        for missing in 1..=3 {
            let mut lines = ["x", "0.1", "0.2", "0.3", ""];
            lines[missing] = "";
            let points = read(&lines.join(end));
            assert_eq!(points.records(), 3, "{end:?}, line {missing} blank");
            let mut unit = [0.0];
            points.unit_row(missing - 1, &mut unit);
            assert_eq!(unit, [0.5], "the centre");
        }
        // without a line end after the last record
        assert_eq!(read(&["x", "0.1", "0.2"].join(end)).records(), 2);
    }
    let two = Points::from_csv_reader(
        "x,y\n\n1,2\n".as_bytes(),
        &PointLayout::new(["y", "x"]),
        Bounds::new(vec![(0.0, 1.0); 2]).unwrap(),
    )
    .unwrap();
    assert_eq!(two.records(), 2);
}

#[test]
fn a_quoted_cell_cannot_swallow_other_records() {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    let read = |text: &str| Points::from_csv_reader(text.as_bytes(), &PointLayout::new(["x"]), bounds.clone());
    let swallowing = "id,x\na,.1\n\"b,.2\nc,.3\nd\",.4\ne,.5\n";
    assert_eq!(read(swallowing).unwrap_err(), PointsCsvError::Line(RecordError::QuotedLine { line: 3 }));
    assert_eq!(read("id,x\na,.1\n\"b,.2").unwrap_err(), PointsCsvError::Line(RecordError::QuotedLine { line: 3 }));
    // an even number of marks, and yet open at the end of the line
    let even = "note,x,memo\na\"b,.1,\"c\nd,.2,e\nf\" \"g\n";
    assert_eq!(read(even).unwrap_err(), PointsCsvError::Line(RecordError::QuotedLine { line: 2 }));
    // quotes that end where they should
    assert_eq!(read("id,x\n\"Doe, \"\"J\"\"\",.1\nb,.2\n").unwrap().records(), 2);
}

fn of_subjects(text: &str) -> Result<(Points, usize), PointsCsvError> {
    let read = Points::from_csv_reader(text.as_bytes(), &PointLayout::new(["x", "y"]).subject("id"), bounds(2));
    read.map(|points| (points.clone(), *points.similar_ids().reveal()))
}

#[test]
fn the_rows_of_a_person_are_one_record_their_mean_within_the_bounds() {
    let text = "id,x,y\na,0.5,1\nb,2,NA\na,1.5,\na,100,0\n";
    let (points, similar) = of_subjects(text).unwrap();
    assert_eq!((points.records(), similar), (2, 0));
    let mut unit = [0.0; 2];
    points.unit_row(0, &mut unit);
    // (0.5 + 1.5 + 2) / 3 and (1 + 0) / 2 on [0, 2]
    assert_eq!(unit, [4.0 / 3.0 / 2.0, 0.25]);
    points.unit_row(1, &mut unit);
    assert_eq!(unit, [1.0, 0.5], "nothing known is the centre");
    assert_eq!(of_subjects("id,x,y\n").unwrap().0.records(), 0);
}

/// Whatever one person's rows hold, the records of all others stay what they are.
#[test]
fn a_person_changes_no_record_but_their_own() {
    let others = "a,0.1,0.2\nb,1,1\na,0.3,0.4\n";
    let read = |rows: &str| of_subjects(&format!("id,x,y\n{others}{rows}")).unwrap().0;
    let before = read("c,1,1\n");
    for rows in ["c,-5,9\n", "c,,\n", "c,0,0\nc,2,2\nc,2,2\n"] {
        let after = read(rows);
        assert_eq!(after.records(), before.records());
        assert!(after.rows().zip(before.rows()).take(2).all(|(a, b)| a == b), "{rows}");
    }
}

#[test]
fn ids_that_are_none_are_refused_and_ids_that_look_alike_are_counted() {
    for text in ["id,x,y\na,1,1\n,1,1\n", "id,x,y\na,1,1\nN/A,1,1\n", "id,x,y\na,1,1\n\n"] {
        assert_eq!(of_subjects(text).unwrap_err(), PointsCsvError::NoId { row: 2, column: "id".to_owned() }, "{text}");
    }
    assert_eq!(of_subjects("id,x,y\na,1,1\nA,1,1\n").unwrap().1, 1);
    assert_eq!(of_subjects("x,y\n1,1\n").unwrap_err(), PointsCsvError::NoColumn { column: "id".to_owned() });
}

#[test]
fn a_code_is_refused_until_somebody_says_what_it_is() {
    let text = "id,x\na,-999\nb,1\nc,NA\nd,1\n";
    let found = read(text, &["x"]).unwrap_err();
    assert_eq!(found, PointsCsvError::Code { row: 1, column: "x".to_owned() });
    let named = |codes: &str| {
        let layout = PointLayout::new(["x"]).missing(Missing::new(codes).unwrap());
        Points::from_csv_reader(text.as_bytes(), &layout, bounds(1)).unwrap()
    };
    let mut unit = [0.0];
    for (codes, expected, share) in [("-999", 0.5, 0.5), ("-9999", 0.0, 0.25)] {
        let points = named(codes);
        points.unit_row(0, &mut unit);
        assert_eq!((unit[0], points.missing_cells().reveal().share()), (expected, share), "{codes}");
    }
    let points = named("-999");
    let cells: Vec<_> = points.missing_cells().reveal().iter().collect();
    assert_eq!(cells, [("-999".to_owned(), 1), ("NA".to_owned(), 1)]);
}

#[test]
fn other_separators_and_decimal_commas_are_read_where_they_are_asked_for_or_the_name_says_so() {
    let layout = || PointLayout::new(["x", "y"]).subject("id");
    let read = |text: &str, layout: PointLayout| Points::from_csv_reader(text.as_bytes(), &layout, bounds(2));
    let rows = |points: Points| points.rows().map(<[f64]>::to_vec).collect::<Vec<_>>();
    let expected = rows(read("id,x,y\na,0.25,0.5\nb,0.75,\n", layout()).unwrap());
    let semicolons = "id;x;y\na;0,25;0,5\nb;0,75;\n";
    let asked = layout().separated_by(Separator::SEMICOLON).decimal(Decimal::Comma);
    let (same, tabs) = (read(semicolons, asked.clone()).unwrap(), "id\tx\ty\na\t0.25\t0.5\nb\t0.75\t\n");
    let tabbed = read(tabs, layout().of_file(Path::new("a.tsv"))).unwrap();
    for found in [rows(same), rows(tabbed)] {
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }
    // what was asked for is stronger than the name
    assert!(read(semicolons, asked.of_file(Path::new("a.tsv"))).is_ok());
    assert_eq!(
        read(semicolons, layout()).unwrap_err(),
        PointsCsvError::Separator { separator: "semicolons", delimiter: "';'" }
    );
    let commas = layout().decimal(Decimal::Comma);
    assert_eq!(read("id,x,y\n", commas).unwrap_err(), PointsCsvError::DecimalSeparator);
}
