#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn read(csv: &str, missing: &Missing, names: &[&str]) -> Result<Vec<TextColumn>, TableError> {
    TextColumn::read(csv.as_bytes(), Separator::COMMA, (missing, Decimal::Point), names)
}

fn cells(csv: &str, names: &[&str]) -> Vec<Vec<Option<String>>> {
    read(csv, &Missing::default(), names).unwrap().into_iter().map(|column| column.0).collect()
}

#[test]
fn columns_are_found_by_their_names_and_missing_cells_are_none() {
    let csv = "id,case, visit ,y\n1,yes,2,0.1\n2, NA,3,0.2\n3,\"no, not\",-,0.3\n\n";
    let some = |text: &str| Some(text.to_owned());
    let expected = vec![vec![some("2"), some("3"), None], vec![some("yes"), None, some("no, not")]];
    assert_eq!(cells(csv, &["visit", "case"]), expected);
    assert_eq!(cells("case\n", &["case"]), [Vec::new()]);
}

#[test]
fn files_are_refused_as_those_of_curves_are() {
    let refused = |csv: &str| read(csv, &Missing::default(), &["case"]).unwrap_err();
    assert_eq!(refused(""), TableError::NoHeader);
    assert_eq!(refused("a,b\n1,2\n"), TableError::UnknownColumn { column: "case".to_owned(), columns: 2 });
    assert_eq!(refused("case,b\n1\n"), TableError::Ragged { row: 1, expected: 2, found: 1 });
    assert_eq!(refused("case\n1\n\n2\n"), TableError::BlankLine { row: 2 });
}

#[test]
fn a_code_is_missing_where_it_is_named_and_refused_where_none_is() {
    let csv = "age\n31\n-999\n";
    let refused = read(csv, &Missing::default(), &["age"]).unwrap_err();
    assert_eq!(refused, TableError::Code { row: 2, column: "age".to_owned() });
    for (codes, last) in [("-999", None), ("-99", Some("-999"))] {
        let columns = read(csv, &Missing::new(codes).unwrap(), &["age"]).unwrap();
        assert_eq!(columns[0].cells().collect::<Vec<_>>(), [Some("31"), last], "{codes}");
    }
}

#[test]
fn cells_of_any_type_say_what_the_same_text_says() {
    let text = "dose\n1\n2.50\nTRUE\nNA\nnone at all\n";
    let typed =
        [Said::of_whole(1), Said::of_number(2.5), Said::Truth(true), Said::Missing, Said::of_text("none at all")];
    let typed = TextColumn::of(typed, &Missing::default(), "dose").unwrap();
    assert_eq!(typed.0, cells(text, &["dose"])[0]);
    let code = || [Said::of_whole(1), Said::of_number(-999.0)];
    let refused = TextColumn::of(code(), &Missing::default(), "dose").unwrap_err();
    assert_eq!(refused, TableError::Code { row: 2, column: "dose".to_owned() });
    let named = TextColumn::of(code(), &Missing::new("-999").unwrap(), "dose").unwrap();
    assert_eq!(named.cells().collect::<Vec<_>>(), [Some("1"), None]);
}

#[test]
fn a_column_shows_nothing_of_itself() {
    assert_eq!(format!("{:?}", TextColumn::new(vec![Some("secret".to_owned())])), "TextColumn(..)");
}
