#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::batch::{CurveBatch, CurveSource};
use crate::csv::CsvCurves;

/// The rows of a long table: id, time and value.
fn rows(text: &str) -> Result<Vec<(String, f64, f64)>, TableError> {
    let mut source = CsvCurves::new(text.as_bytes(), &CurveLayout::long("id", "day", "y")?)?;
    let (mut batch, mut found) = (CurveBatch::new(), Vec::new());
    while source.read(&mut batch)? {
        for (row, cells) in batch.curves().enumerate() {
            let id = String::from_utf8(batch.subject(row).unwrap_or_default().to_vec()).unwrap();
            found.push((id, cells[0], cells[1]));
        }
    }
    Ok(found)
}

#[test]
fn rows_of_a_long_table_are_read_wherever_their_columns_and_subjects_are() {
    let found = rows("y,note,day,id\n0.5,x,3,b\n0.25,x,-1.5,a\n0.75,x,4,b\n").unwrap();
    let expected = [("b", 3.0, 0.5), ("a", -1.5, 0.25), ("b", 4.0, 0.75)];
    assert_eq!(found, expected.map(|(id, day, y)| (id.to_owned(), day, y)));
    let missing = rows("id,day,y\na,NA,1\na,2,\n").unwrap();
    assert!(missing[0].1.is_nan() && missing[1].2.is_nan());
    assert!(rows("id,day,y\n").unwrap().is_empty());
}

#[test]
fn what_is_wrong_with_a_long_table_is_said_by_row_and_column() {
    let column = |name: &str| name.to_owned();
    for (text, expected) in [
        ("id,day,y\na,1,1\na,2026-01-31,2\n", TableError::NotATime { row: 2, column: column("day") }),
        ("id,day,y\na,monday,2\n", TableError::NotATime { row: 1, column: column("day") }),
        ("id,day,y\na,1,high\n", TableError::NotNumeric { row: 1, column: column("y") }),
        ("id,day,y\n ,1,1\n", TableError::BlankSubject { row: 1, column: column("id") }),
        ("id,day,y\nNA,1,1\n", TableError::BlankSubject { row: 1, column: column("id") }),
        ("id,day,y\nmean,1,1\n", TableError::SummaryRow { row: 1, column: column("id") }),
        ("id,day,y\na,1,-999\n", TableError::Code { row: 1, column: column("y") }),
        ("id,day,y\na,1,1e200\n", TableError::Infinite { row: 1, column: column("y") }),
        ("id,day,y\na,1\n", TableError::Ragged { row: 1, expected: 3, found: 2 }),
        ("id,day,y\na,1,1\n\nb,1,1\n", TableError::BlankLine { row: 2 }),
        ("id,Day,y\na,1,1\n", TableError::LongColumn { column: column("day"), columns: 3 }),
        ("ID,day,y\na,1,1\n", TableError::LongColumn { column: column("id"), columns: 3 }),
        ("id,day,y,y\na,1,1,2\n", TableError::DuplicateColumn { column: column("y") }),
    ] {
        assert_eq!(rows(text), Err(expected), "{text}");
    }
    for [id, day, y] in [["a", "a", "b"], ["a", "b", "a"], ["a", "b", "b"], ["", "a", "b"], ["a", "b", ""]] {
        assert_eq!(CurveLayout::long(id, day, y), Err(TableError::LongColumns), "{id} {day} {y}");
    }
}

/// The grid of columns with these names.
fn circle(choice: GridChoice, names: &[&str]) -> Result<Grid, TableError> {
    CurveLayout::new("*").unwrap().grid(choice).periodic().grid_of_names(names)
}

#[test]
fn the_columns_of_a_circle_end_one_step_before_its_end() {
    let day = Grid::circle(0.0, 24.0, 4).unwrap();
    let hours = ["0:00", "6:00", "12:00", "18:00"];
    for choice in [GridChoice::Interval(0.0, 24.0), GridChoice::Uniform(0.0, 24.0), GridChoice::Names] {
        assert_eq!(circle(choice, &hours).unwrap(), day);
    }
    assert_eq!(circle(GridChoice::Points(vec![0.0, 6.0, 12.0, 18.0]), &["a", "b", "c", "d"]).unwrap(), day);
    assert_eq!(circle(GridChoice::Unit, &["a", "b", "c", "d"]).unwrap(), day.to_unit().unwrap());
    assert_eq!(circle(GridChoice::Of(day.clone()), &["a", "b", "c", "d"]).unwrap(), day);
    let other = circle(GridChoice::Of(day), &["a", "b", "c"]).unwrap_err();
    assert_eq!(other, TableError::GridPoints { points: 4, columns: 3 });
}

#[test]
fn a_last_column_that_repeats_the_first_of_a_circle_is_refused_where_names_show_it() {
    let choice = || GridChoice::Interval(0.0, 24.0);
    let repeated = circle(choice(), &["h0", "h6", "h12", "h18", "h24"]).unwrap_err();
    assert_eq!(repeated, TableError::Grid(GridError::Closed { last: 24.0, end: 24.0 }));
    let hours: Vec<String> = (0..=24).map(|hour| format!("{hour}:00")).collect();
    let hours: Vec<&str> = hours.iter().map(String::as_str).collect();
    let repeated = circle(GridChoice::Names, &hours).unwrap_err();
    assert_eq!(repeated, TableError::Grid(GridError::Closed { last: 24.0, end: 24.0 }));
    assert!(repeated.to_string().contains("leave the last point out"), "{repeated}");
    assert_eq!(circle(GridChoice::Names, &hours[..24]).unwrap(), Grid::circle(0.0, 24.0, 24).unwrap());
    for (count, unit) in [(100, ""), (100, "%"), (360, ""), (24, "")] {
        let names: Vec<String> = (0..=count).map(|at| format!("{at}{unit}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(circle(GridChoice::Names, &names).unwrap_err().to_string().contains("leave the last point out"));
        assert_eq!(circle(GridChoice::Names, &names[..count]).unwrap().length(), count as f64);
        assert!(circle(GridChoice::Interval(0.0, count as f64 + 1.0), &names).is_ok(), "whoever means it says it");
    }
    assert_eq!(circle(GridChoice::Names, &hours[8..18]), Err(TableError::PartOfDay { hours: 10.0 }));
    // midnights of 25 days are no day
    let days: Vec<String> = (1..=25).map(|day| format!("2026-01-{day:02} 00:00")).collect();
    let days: Vec<&str> = days.iter().map(String::as_str).collect();
    assert_eq!(circle(GridChoice::Names, &days).unwrap().length(), 25.0);
    // names in other units than the ends say nothing of that
    assert!(circle(choice(), &["m0", "m360", "m720", "m1080"]).is_ok());
    assert!(circle(GridChoice::Names, &["h0", "h6", "h13", "h18"]).is_err());
}

#[test]
fn names_of_columns_are_names_and_no_patterns() {
    let text = "i*d,d[ay],y?\na,1,2\n";
    let mut source = CsvCurves::new(text.as_bytes(), &CurveLayout::long("i*d", "d[ay]", "y?").unwrap()).unwrap();
    let mut batch = CurveBatch::new();
    assert!(source.read(&mut batch).unwrap() && batch.values().row(0).to_vec() == [1.0, 2.0]);
}

#[test]
fn a_mark_leaves_columns_out_wherever_it_stands() {
    let columns = || ["id", "t0", "t1", "t2", "t100"].map(str::to_owned).to_vec();
    let found = |pattern: &str| CurveLayout::new(pattern).unwrap().find_columns(columns()).map(|(values, ..)| values);
    for pattern in ["t*,!t100", "! t100 ,t*", "*,!id,!t1??", "t*,!t100,!t100", "t0,t1,t2,!t100"] {
        assert_eq!(found(pattern), Ok(vec![1, 2, 3]), "{pattern}");
        assert_eq!(columns().iter().filter(|name| CurveLayout::new(pattern).unwrap().takes(name)).count(), 3);
    }
    assert!(matches!(found("t*,!u*"), Err(TableError::NoMatch { pattern, .. }) if pattern == "u*"));
    assert!(matches!(found("t*,!t*"), Err(TableError::AllLeftOut { .. })));
    for pattern in ["!t100", "t*,!", "t*,!a["] {
        assert!(matches!(CurveLayout::new(pattern), Err(TableError::Pattern { .. })), "{pattern}");
    }
    // a column of this name is meant
    let columns = ["t0", "!t1", "t1"].map(str::to_owned).to_vec();
    let layout = CurveLayout::of_columns(&["t0", "!t1"], &columns).unwrap();
    assert_eq!(layout.find_columns(columns).unwrap().0, [0, 1]);
}

#[test]
fn columns_of_a_table_in_memory_follow_the_rules_of_files() {
    let found = |pieces: &[&str], columns: &str, subject: Option<&str>| {
        let columns: Vec<String> = columns.split(' ').map(str::to_owned).collect();
        let layout = CurveLayout::of_columns(pieces, &columns).unwrap();
        subject
            .into_iter()
            .fold(layout, CurveLayout::subject)
            .find_columns(columns)
            .map(|(values, of_ids, _)| (values, of_ids))
    };
    assert_eq!(found(&["*"], "ID t0 t1 t2", Some("ID")), Ok((vec![1, 2, 3], Some(0))));
    assert_eq!(found(&["x[1]", "x[2]"], "x1 x[1] x2 x[2]", None), Ok((vec![1, 3], None)));
    for columns in ["ID t0 t1 t2", "visit t0 t1 t2", "case t0 t1 t2", "t0 t1 t2 total"] {
        assert!(matches!(found(&["*"], columns, None), Err(TableError::Stranger { .. })), "{columns}");
    }
    assert_eq!(found(&["case", "t*"], "case t0 t1 t2", None), Ok((vec![0, 1, 2, 3], None)));
    assert!(matches!(found(&["*"], "t2 t1 t0", None), Err(TableError::Disorder { .. })));
    assert!(matches!(found(&["*"], "t0 t1 t7", None), Err(TableError::UnequalNames { .. })));
    for dates in ["1/5/24 2/6/24 3/9/24", "1/1/2024 2/1/2024 3/1/2024", "12/31/2024 1/1/2025"] {
        assert!(matches!(found(&["*"], dates, None), Err(TableError::UnclearDates { .. })), "{dates}");
    }
    assert!(matches!(CurveLayout::of_columns(&["a["], &[]), Err(TableError::Pattern { .. })));
}
