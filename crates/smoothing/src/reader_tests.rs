#![allow(clippy::unwrap_used, reason = "tests")]

use std::io;

use ndarray::array;

use super::*;
use dpfda_privacy::PrivacyUnit;
use dpfda_tables::{GridChoice, Missing, RecordError};

fn layout(pattern: &str) -> CurveLayout {
    CurveLayout::new(pattern).unwrap()
}

fn read(text: &str, layout: &CurveLayout) -> Result<CurveSet, TableError> {
    CurveSet::from_csv_reader(text.as_bytes(), layout)
}

fn error(text: &str, layout: &CurveLayout) -> TableError {
    read(text, layout).unwrap_err()
}

#[test]
fn matched_columns_are_read_in_the_order_of_the_patterns() {
    let curves = read("y_1,ID,x_1,y_2\n1,a,2,3\n4,b,5,6\n", &layout("y_*")).unwrap();
    assert_eq!(curves.values(), array![[1.0, 3.0], [4.0, 6.0]]);
    assert_eq!(curves.unit(), PrivacyUnit::Curve);
    let curves = read("y_2,ID,x_1,y_1\n1,a,2,3\n", &layout(" y_1, x_?")).unwrap();
    assert_eq!(curves.values(), array![[3.0, 2.0]]);
    let curves = read("y_2,ID,x_1,y_1\n1,a,2,3\n", &layout("y_1,*_?,x_1").subject("ID")).unwrap();
    assert_eq!(curves.values(), array![[3.0, 1.0, 2.0]]);
    let curves = read("a[1],a[2]\n1,2\n", &layout("a[1],a[[]2]")).unwrap();
    assert_eq!(curves.values(), array![[1.0, 2.0]]);
}

#[test]
fn rows_of_a_subject_are_one_record_and_its_column_is_no_value() {
    let text = "ID,a,b\n 7,1,2\nx,3,4\n7 ,5,6\n";
    let curves = read(text, &layout("*").subject("ID")).unwrap();
    assert_eq!((curves.unit(), curves.units(), curves.len()), (PrivacyUnit::Subject, 2, 3));
    assert_eq!(curves.values(), array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!(curves.records().map(|rows| rows.to_vec()).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
}

#[test]
fn missing_cells_are_read_in_all_their_spellings() {
    let curves = read("a,b,c,d,e,f,g\n,NA,NaN, nan ,.,null, 1e-3\n", &layout("?")).unwrap();
    let row: Vec<f64> = curves.values().row(0).to_vec();
    assert!(row[..6].iter().all(|x| x.is_nan()));
    assert_eq!(row[6], 1e-3);
}

#[test]
fn the_grid_is_the_unit_interval_an_interval_or_points() {
    let text = "a,b,c\n1,2,3\n";
    assert_eq!(read(text, &layout("*")).unwrap().grid().points(), array![0.0, 0.5, 1.0]);
    let interval = layout("*").grid(GridChoice::Interval(10.0, 20.0));
    assert_eq!(read(text, &interval).unwrap().grid().points(), array![10.0, 15.0, 20.0]);
    let points = layout("*").grid(GridChoice::Points(vec![1.0, 2.0, 4.0]));
    assert_eq!(read(text, &points).unwrap().grid().points(), array![1.0, 2.0, 4.0]);
    let points = layout("*").grid(GridChoice::Points(vec![1.0, 2.0]));
    assert_eq!(error(text, &points), TableError::GridPoints { points: 2, columns: 3 });
    let reversed = layout("*").grid(GridChoice::Interval(1.0, 0.0));
    assert!(matches!(error(text, &reversed), TableError::Grid(_)));
}

#[test]
fn a_byte_order_mark_quotes_and_windows_line_ends_are_tolerated() {
    for text in ["\u{feff}ID,a,b\r\n1,2,3\r\n", "\u{feff}\"ID\",\"a\",\"b\"\r\n\"1\",\"2\",\"3\"\r\n"] {
        let curves = read(text, &layout("a,b").subject("ID")).unwrap();
        assert_eq!((curves.units(), curves.len()), (1, 1));
    }
}

#[test]
fn a_header_without_rows_is_an_empty_set() {
    let curves = read("ID,a,b\n", &layout("a,b").subject("ID")).unwrap();
    assert_eq!((curves.len(), curves.units(), curves.unit()), (0, 0, PrivacyUnit::Subject));
    assert!(matches!(error("", &layout("a")), TableError::NoHeader));
    assert!(matches!(error("\n\n", &layout("a")), TableError::NoHeader));
}

#[test]
fn unknown_columns_are_answered_with_how_many_there_are() {
    let text = "ID,visit,a,b\n1,1,2,3\n";
    let found = error(text, &layout("a,b").subject("subject"));
    assert_eq!(found, TableError::UnknownSubject { column: "subject".into(), columns: 4 });
    assert!(found.to_string().contains("`subject`"), "{found}");
    let found = error(text, &layout("a, cca_*,b"));
    assert_eq!(found, TableError::NoMatch { pattern: "cca_*".into(), columns: 4 });
    let message = found.to_string();
    assert!(message.contains("`cca_*`") && message.contains("4 columns: look at the first line"), "{message}");
    assert!(!message.contains("visit"), "{message}");
    assert!(error("visit\n", &layout("a")).to_string().contains("1 column:"));
    let of_subject = error(text, &layout("a,b,ID").subject("ID"));
    assert_eq!(of_subject, TableError::SubjectIsNoValue { column: "ID".into() });
    assert!(matches!(error(text, &layout("a")), TableError::TooFewColumns { .. }));
    assert_eq!(error("a,b,a\n1,2,3\n", &layout("*")), TableError::DuplicateColumn { column: "a".into() });
    assert_eq!(
        error("ID,a,b,ID\n1,2,3,4\n", &layout("a,b").subject("ID")),
        TableError::DuplicateColumn { column: "ID".into() }
    );
    assert!(read("x,a,b,x\n1,2,3,4\n", &layout("a,b")).is_ok());
}

#[test]
fn a_pattern_that_is_no_glob_is_refused() {
    for pattern in ["", "a,", "a[", "a***"] {
        assert_eq!(CurveLayout::new(pattern), Err(TableError::Pattern { pattern: pattern.into() }));
    }
}

#[test]
fn errors_tell_the_place_and_never_the_value() {
    let by_id = layout("a,b").subject("ID");
    let row = 2;
    for (cells, expected) in [
        ("1,CANARY,1", TableError::NotNumeric { row, column: "a".into() }),
        ("1,1,0x77CANARY", TableError::NotNumeric { row, column: "b".into() }),
        ("CANARY,1,-inf", TableError::Infinite { row, column: "b".into() }),
        ("CANARY,1e999,1", TableError::Infinite { row, column: "a".into() }),
        ("CANARY,1e300,1", TableError::Infinite { row, column: "a".into() }),
        ("CANARY,-999,1", TableError::Code { row, column: "a".into() }),
        (" Total ,CANARY,1", TableError::SummaryRow { row, column: "ID".into() }),
        ("CANARY,1", TableError::Ragged { row, expected: 3, found: 2 }),
        ("1,CANARY,1,1", TableError::Ragged { row, expected: 3, found: 4 }),
        ("  ,CANARY,1", TableError::BlankSubject { row, column: "ID".into() }),
        ("NA,CANARY,1", TableError::BlankSubject { row, column: "ID".into() }),
    ] {
        let found = error(&format!("ID,a,b\n1,2,3\n{cells}\n"), &by_id);
        assert_eq!(found, expected);
        let shown = format!("{found} {found:?}");
        assert!(!shown.contains("CANARY") && !shown.contains("e999"), "{shown}");
    }
    let bytes = [b"a,b\n1,".as_slice(), &[0xff, 0xfe], b"\n"].concat();
    let found = CurveSet::from_csv_reader(bytes.as_slice(), &layout("a,b")).unwrap_err();
    assert_eq!(found, TableError::NotNumeric { row: 1, column: "b".into() });
}

#[test]
fn without_a_header_the_first_row_of_data_is_not_shown() {
    let headless = "S1,0.777123,0.888\nS2,0.1,oops\n";
    for layout in [layout("cca_*"), layout("0.*"), layout("0.*").subject("ID")] {
        let found = error(headless, &layout);
        let shown = format!("{found} {found:?}");
        assert!(!shown.contains("0.777123") && !shown.contains("0.888") && !shown.contains("S1"), "{shown}");
    }
    assert_eq!(error(headless, &layout("0.*")), TableError::HeaderIsData);
    let found = error(headless, &layout("*"));
    let first = Box::new(TableError::NotNumeric { row: 1, column: "#1".into() });
    assert_eq!(found, TableError::AndMore { first, more: 1 });
    let found = error("S1,0.777123,0.888mm\nS2,0.1,oops\n", &layout("0.*"));
    assert_eq!(found, TableError::NotNumeric { row: 1, column: "#3".into() });
}

#[test]
fn a_first_row_that_looks_like_data_is_refused_and_not_shown() {
    for (row, pattern) in [
        ("0.777,0.888,0.999", "*"),
        ("0.777,0.777,0.777", "*"),
        ("7,0.777,NA", "*"),
        ("S1,0.777,N/A", "0.*,N*"),
        ("S1,\"0,777\",1e-3", "[01]*"),
        ("0,0.5,1", "0,0.5,1"),
        ("inf,-0.777", "*"),
    ] {
        for text in [format!("{row}\n"), format!("{row}\n0.1,0.2,0.3\n"), format!("\u{feff}{row}\r\n")] {
            for layout in [layout(pattern), layout(pattern).grid(GridChoice::Points(vec![0.0, 0.5, 1.0]))] {
                let found = error(&text, &layout);
                let is_told = matches!(found, TableError::HeaderIsData | TableError::NoNames { .. });
                assert!(is_told, "{text}: {found:?}");
                assert!(!found.to_string().contains("777") && found.to_string().contains("no header"), "{found}");
            }
        }
    }
    assert_eq!(error("S1,,\nS2,0.1,0.2\n", &layout("*").subject("S1")), TableError::HeaderIsData);
}

#[test]
fn columns_whose_names_are_positions_must_be_in_their_order_on_a_grid_that_fits() {
    let of = |header: &str, layout: CurveLayout| {
        let cells = header.split(',').skip(1).map(|_| "0.5").collect::<Vec<_>>().join(",");
        read(&format!("{header}\nS1,{cells}\n"), &layout.subject("ID"))
    };
    let sorted = |sorted: &str| TableError::Disorder { sorted: sorted.into() };
    for (header, pattern, expected) in [
        ("ID,t10,t1,t2", "t*", "t1,t2,t10"),
        ("ID,10,2,1,3,20", "*", "1,2,3,10,20"),
        ("ID,2026-02-01,2026-01-01", "*", "2026-01-01,2026-02-01"),
        ("ID,Apr,Feb,Jan,Mar", "*", "Jan,Feb,Mar,Apr"),
        ("ID,base,m12,m6", "base,m*", "m6,m12"),
    ] {
        for grid in [GridChoice::Unit, GridChoice::Interval(0.0, 5.0), GridChoice::Names] {
            assert_eq!(of(header, layout(pattern).grid(grid)).unwrap_err(), sorted(expected), "{header}");
        }
        let points = of(header, layout(pattern).grid(GridChoice::Uniform(2.0, 4.0))).unwrap();
        assert_eq!((points.grid().lower(), points.grid().upper()), (2.0, 4.0), "{header}");
    }
    let unequal = "ID,t0,t2,t20,t21";
    for grid in [GridChoice::Unit, GridChoice::Interval(0.0, 21.0)] {
        let found = of(unequal, layout("t*").grid(grid)).unwrap_err();
        assert_eq!(found, TableError::UnequalNames { columns: 4 });
    }
    let named = |header: &str, pattern: &str| of(header, layout(pattern).grid(GridChoice::Names));
    assert_eq!(named(unequal, "t*").unwrap().grid().points(), array![0.0, 2.0, 20.0, 21.0]);
    assert_eq!(named("ID,06:00,07:30", "*").unwrap().grid().points(), array![6.0, 7.5]);
    assert_eq!(named("ID,2026-01-31,2026-02-02", "*").unwrap().grid().points(), array![0.0, 2.0]);
    assert_eq!(named("ID,a,b", "*").unwrap_err(), TableError::NoPositions);
    let points = GridChoice::Points(vec![0.0, 1.0, 5.0, 6.0]);
    assert!(of(unequal, layout("t*").grid(points)).is_ok(), "a point for each column says where they lie");
}

/// Text files of the UCR archive: a class and values, with spaces, tabs or commas between them.
#[test]
fn a_first_row_of_numbers_alone_is_named_as_such_whatever_stands_between_them() {
    for text in ["  1.0e+00  -5.2e-01 4.8e-01\n", "1,-0.52,0.48\n", "1\t-0.52\t0.48\n", "1;-0,52;0,48\n"] {
        let separators = [",", "tab", ";", " "].map(|name| name.parse().unwrap());
        let found: Vec<_> = separators.map(|one| error(text, &layout("t*").separated_by(one))).into();
        assert!(found.contains(&TableError::NoNames { columns: 3 }), "{text}: {found:?}");
        assert!(found.iter().all(|one| !one.to_string().contains("52")), "{found:?}");
    }
}

#[test]
fn numbers_are_names_only_where_the_subject_shows_a_header() {
    let text = "ID,0,1,2\na,1,2,3\n";
    assert_eq!(error(text, &layout("[0-9]")), TableError::HeaderIsData);
    assert_eq!(read(text, &layout("*").subject("ID")).unwrap().grid().points(), array![0.0, 0.5, 1.0]);
    assert_eq!(error("7,0,1\n8,1,2\n", &layout("*").subject("7")), TableError::NoNames { columns: 3 });
    assert_eq!(error("ID,,NA\na,1,2\n", &layout("*").subject("ID")), TableError::HeaderIsData);
}

#[test]
fn a_pattern_that_takes_a_column_of_another_kind_is_refused_unless_the_column_is_named() {
    let text = "ID,YEAR,h0,h1,h2\na,2020,1,2,3\n";
    let found = error(text, &layout("*").subject("ID"));
    let stranger = TableError::Stranger { pattern: "*".into(), column: "YEAR".into(), strangers: 1, columns: 4 };
    assert_eq!(found, stranger);
    assert_eq!(read(text, &layout("YEAR,h*").subject("ID")).unwrap().grid().len(), 4);
    assert_eq!(read(text, &layout("h*").subject("ID")).unwrap().grid().len(), 3);
    let long = error("rownames,weight,Time\n1,2,3\n", &layout("*"));
    assert!(matches!(long, TableError::Stranger { strangers: 2, .. }), "{long}");
    let two = "a_1,a_2,a_3,b_1,b_2\n1,2,3,4,5\n";
    let found = error(two, &layout("*"));
    assert!(matches!(found, TableError::Stranger { strangers: 2, .. }), "{found}");
    assert!(read(two, &layout("a*")).is_ok());
}

#[test]
fn names_in_another_letter_case_or_encoding_are_told_from_names_that_are_not_there() {
    let text = "ID,v1,v2\na,1,2\n";
    assert_eq!(error(text, &layout("V*")), TableError::PatternCase { pattern: "V*".into() });
    assert_eq!(error(text, &layout("v*").subject("id")), TableError::SubjectCase { column: "id".into() });
    let latin = [b"ID,gr\xf6\xdfe 1,gr\xf6\xdfe 2\n".as_slice(), b"a,1,2\n"].concat();
    let found = CurveSet::from_csv_reader(latin.as_slice(), &layout("gr\u{f6}\u{df}e*")).unwrap_err();
    assert_eq!(found, TableError::NotUtf8);
}

#[test]
fn codes_are_missing_where_they_are_named_and_refused_where_they_are_not() {
    let text = "ID,v1,v2\na,-999,2\nb,3,-999.0\n";
    let found = error(text, &layout("v*"));
    let first = Box::new(TableError::Code { row: 1, column: "v1".into() });
    assert_eq!(found, TableError::AndMore { first, more: 1 });
    let named = read(text, &layout("v*").missing(Missing::new("-999,x").unwrap())).unwrap();
    assert_eq!(named.values().iter().filter(|value| value.is_nan()).count(), 2);
    let other = read(text, &layout("v*").missing(Missing::new("x").unwrap())).unwrap();
    assert_eq!(other.values()[[1, 1]], -999.0, "codes are named, so that other numbers are values");
}

#[test]
fn all_cells_of_a_kind_are_counted_in_one_message_and_others_are_not() {
    let text = "ID,v1,v2\na,CANARY,CANARY\nb,1,inf\nc,CANARY,2\n";
    let found = error(text, &layout("v*"));
    let first = Box::new(TableError::NotNumeric { row: 1, column: "v1".into() });
    assert_eq!(found, TableError::AndMore { first, more: 2 });
    assert!(found.to_string().contains("2 more cells are") && !found.to_string().contains("CANARY"), "{found}");
    let ids = "ID,v1,v2\nmean,1,2\nb,1,2\ntotal,1,2\n";
    let first = Box::new(TableError::SummaryRow { row: 1, column: "ID".into() });
    assert_eq!(error(ids, &layout("v*").subject("ID")), TableError::AndMore { first, more: 1 });
    assert!(read(ids, &layout("v*")).is_ok(), "without subjects nobody reads the column");
}

#[test]
fn numbers_in_names_are_names() {
    for header in ["t0,t0.5,t1", "1 mm,2 mm,3 mm", "x1,x2,x3", "0,mid,1", "1st,2nd,3rd"] {
        assert_eq!(read(&format!("{header}\n1,2,3\n"), &layout("*")).unwrap().len(), 1, "{header}");
    }
}

#[test]
fn ids_that_look_alike_are_counted_for_the_curator() {
    let by_id = layout("a,b").subject("ID");
    let curves = read("ID,a,b\nS01,1,2\ns01,3,4\nS2,5,6\nS02,5,6\nT,1,2\nS01,7,8\n", &by_id).unwrap();
    assert_eq!((*curves.similar_ids().reveal(), curves.units()), (2, 5));
    assert_eq!(*curves.complete().similar_ids().reveal(), 2);
    // ids that no file was read for as well
    assert_eq!(*curves.with_subjects(&["a", "A", "b", "c", "d", "e"]).unwrap().similar_ids().reveal(), 1);
    assert_eq!(*read("ID,a,b\nS01,1,2\ns01,3,4\n", &layout("a,b")).unwrap().similar_ids().reveal(), 0);
}

#[test]
fn an_id_that_only_says_that_it_is_missing_is_refused_and_not_shown() {
    for id in ["N/A", "n/a", "NULL", "Null", "None", "NONE", "-", "#N/A", "NaN", "nan", "NA", "na", ".", "\u{200b}"] {
        let found = error(&format!("ID,a,b\n1,2,3\n{id},1,1\n"), &layout("a,b").subject("ID"));
        assert_eq!(found, TableError::BlankSubject { row: 2, column: "ID".into() }, "{id}");
    }
}

#[test]
fn a_column_is_named_only_when_its_name_is_clearly_one() {
    for (header, name) in [
        ("w,a_1.x-y,b", "a_1.x-y"),
        ("w,_a,b", "_a"),
        ("w,a b,b", "#2"),
        ("w,\u{e4},b", "#2"),
        ("w,1a,b", "#2"),
        ("w,a:7,b", "#2"),
        ("0.5,a,b", "#2"),
        ("\"0,5\",a,b", "#2"),
        ("\"1.234,5\",a,b", "#2"),
        ("x;0.5,a,b", "#2"),
        ("2020-01-31,a,b", "#2"),
        ("-1e-3,a,b", "#2"),
    ] {
        let found = error(&format!("{header}\n1,oops,2\n"), &layout("*").subject("none-such"));
        assert!(matches!(found, TableError::UnknownSubject { columns: 3, .. }), "{header}: {found}");
        let found = error(&format!("{header}\n1,oops,2\n"), &layout("*"));
        assert_eq!(found, TableError::NotNumeric { row: 1, column: name.into() }, "{header}");
        assert!(found.to_string().contains("decimal commas"), "{found}");
    }
}

#[test]
fn other_separators_and_encodings_are_recognised() {
    for (text, words, remedy) in [
        ("ID;CANARY;b\n1;2;3\n", "separated by semicolons", "give ';' as the delimiter"),
        ("ID\tCANARY\n1\t2\n", "separated by tabs", "give tab as the delimiter"),
        ("1.0 0.777 CANARY\n1 2 3\n", "separated by spaces", "give ' ' as the delimiter"),
        ("@relation CANARY\n", "collection of time series", "one row for each curve"),
    ] {
        let message = error(text, &layout("*").subject("ID")).to_string();
        assert!(message.contains(words) && message.contains(remedy), "{message}");
        assert!(!message.contains("CANARY"), "{message}");
    }
    let units: Vec<u16> = "\u{feff}ID,a,b\n1,2,3\n".encode_utf16().collect();
    for encode in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = units.iter().flat_map(|&unit| encode(unit)).collect();
        let found = CurveSet::from_csv_reader(bytes.as_slice(), &layout("a,b")).unwrap_err();
        assert_eq!(found, TableError::Utf16);
        assert!(found.to_string().contains("UTF-8"), "{found}");
    }
}

#[test]
fn more_columns_than_a_curve_can_have_points_are_refused() {
    let header = |columns: usize| (0..columns).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",") + "\n";
    assert_eq!(read(&header(131_072), &layout("c*")).unwrap().grid().len(), 131_072);
    let found = error(&header(131_073), &layout("c*"));
    assert_eq!(found, TableError::TooManyColumns { found: 131_073, limit: 131_072 });
    assert!(found.to_string().contains("average neighbouring points"), "{found}");
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::TimedOut.into())
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let path = std::env::temp_dir().join("dpfda-no-such-file.csv");
    let found = CurveSet::read_csv(&path, &layout("a,b")).unwrap_err();
    assert_eq!(found, TableError::NoFile { path });

    let found = CurveSet::from_csv_reader(Broken, &layout("a,b")).unwrap_err();
    assert_eq!(found, TableError::Read { kind: io::ErrorKind::TimedOut });
}

#[test]
fn the_real_curves_are_read_when_they_are_there() {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        eprintln!("SKIPPED: DPFDA_DATA is not set");
        return;
    };
    let curves = CurveSet::read_csv(Path::new(&folder).join("dti_cca.csv"), &layout("cca_*").subject("ID")).unwrap();
    assert_eq!((curves.len(), curves.units(), curves.grid().len()), (382, 142, 93));
    assert_eq!(curves.complete().len(), 376);
}

#[test]
fn a_row_that_could_hide_others_is_refused() {
    let layout = CurveLayout::new("x*").unwrap().subject("id");
    let read = |text: &str| CurveSet::from_csv_reader(text.as_bytes(), &layout).map(|curves| curves.len());
    let swallowing = "id,x1,x2\na,1,2\n\"b,1,2\nc,1,2\nd\",1,2\ne,1,2\n";
    assert_eq!(read(swallowing), Err(TableError::Line(RecordError::QuotedLine { line: 3 })));
    assert_eq!(read(&swallowing.replace('\n', "\r")), Err(TableError::Line(RecordError::QuotedLine { line: 3 })));
    let even = "id,x1,x2,note\na\"b,1,2,\"c\nd,1,2,e\nf\" \"g\n";
    assert_eq!(read(even), Err(TableError::Line(RecordError::QuotedLine { line: 2 })));
    assert_eq!(read("id,x1,x2\na,1,2\n\nb,1,2\nc,1,2\n"), Err(TableError::BlankLine { row: 2 }));
    assert_eq!(read("id,x1,x2\ra,1,2\r\rb,1,2\r"), Err(TableError::BlankLine { row: 2 }));
    assert_eq!(read("\n\nid,x1,x2\na,1,2\n\n\n"), Ok(1), "before the header and after the last row");
    assert_eq!(read("id,x1,x2\ra,1,2\rb,1,2\r"), Ok(2));
    assert_eq!(read("id,x1,x2\r\na,1,2\r\nb,1,2\r\n"), Ok(2));
    assert_eq!(read("id,x1,x2\na,1,2\nb,1,2"), Ok(2));
}

/// A long table of surfaces on 2 x 3 points.
fn long_surface(text: &str) -> Result<CurveSet, TableError> {
    let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 2).unwrap(), Grid::uniform(0.0, 1.0, 3).unwrap()).unwrap();
    read(text, &CurveLayout::long_surface("id", ["s", "t"], "y", grid)?)
}

#[test]
fn rows_of_a_long_table_of_surfaces_are_put_at_their_points_in_any_order() {
    let surfaces = long_surface("id,t,s,y\na,0.5,1,15\nb,0,0,20\na,0,0,10\nb,0.501,0.0,\na,1,0.00001,12\n").unwrap();
    assert_eq!((surfaces.unit(), surfaces.units(), surfaces.len()), (PrivacyUnit::Subject, 2, 2));
    assert_eq!(surfaces.grid().points().to_vec(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let seen = |row: usize| surfaces.values().row(row).mapv(|x| if x.is_nan() { -1.0 } else { x }).to_vec();
    assert_eq!(seen(0), [10.0, -1.0, 12.0, -1.0, 15.0, -1.0]);
    assert_eq!(seen(1), [20.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    assert_eq!((surfaces.subject(0), surfaces.subject(1)), (Some(&b"a"[..]), Some(&b"b"[..])));
    // 8 of 12 cells are missing, as in the wide table
    assert!((surfaces.missing_cells().reveal().share() - 8.0 / 12.0).abs() < 1e-15);
    assert!(long_surface("id,t,s,y\n").unwrap().is_empty());
}

#[test]
fn a_row_off_the_grid_and_a_second_row_about_a_point_are_refused_by_their_place() {
    let off = |row: usize, column: &str| TableError::OffSurface { row, column: column.to_owned() };
    let good = "id,s,t,y\na,0,0,1\n";
    for (row, expected) in [
        ("a,0,0.25,1", off(2, "t")),
        ("a,0.011,0,1", off(2, "s")),
        ("a,-1,0,1", off(2, "s")),
        ("a,inf,0,1", off(2, "s")),
        ("a,0,,1", off(2, "t")),
        ("a,0,today,1", off(2, "t")),
        ("b,0,1,2\na,0,0.004,", TableError::RepeatedPoint { row: 3 }),
        (",0,1,1", TableError::BlankSubject { row: 2, column: "id".to_owned() }),
        ("a,0,1,-999", TableError::Code { row: 2, column: "y".to_owned() }),
    ] {
        assert_eq!(long_surface(&format!("{good}{row}\n")).unwrap_err(), expected, "{row}");
    }
    let two = long_surface(&format!("{good}a,7,0,1\na,8,0,1\n")).unwrap_err();
    assert_eq!(two, TableError::AndMore { first: Box::new(off(2, "s")), more: 1 });
    let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 2).unwrap(), Grid::uniform(0.0, 1.0, 3).unwrap()).unwrap();
    for [id, s, t, y] in [["a", "b", "b", "c"], ["a", "a", "b", "c"], ["a", "b", "c", "a"], ["a", "b", "c", ""]] {
        let refused = CurveLayout::long_surface(id, [s, t], y, grid.clone());
        assert_eq!(refused.unwrap_err(), TableError::LongSurfaceColumns, "{id} {s} {t} {y}");
    }
}
