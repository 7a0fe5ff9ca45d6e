#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::*;

fn name(text: &str) -> Option<String> {
    Said::of_text(text).name().map(Cow::into_owned)
}

fn id(text: &str) -> Option<String> {
    Said::of_text(text).id().map(Cow::into_owned)
}

#[test]
fn a_whole_number_is_one_name_in_every_spelling_and_type() {
    for text in ["1", "01", "+1", " 1 ", "1.0", "1.", "1.000", "1e0", "10e-1", "0001", "\u{feff}1"] {
        assert_eq!((name(text).as_deref(), id(text).as_deref()), (Some("1"), Some("1")), "{text:?}");
    }
    assert_eq!(Said::of_number(1.0).name().as_deref(), Some("1"));
    assert_eq!(Said::of_whole(1).id().as_deref(), Some("1"));
    for text in ["0", "-0", "00", "+0.0", "-0.0", "0e9"] {
        assert_eq!(name(text).as_deref(), Some("0"), "{text:?}");
    }
    assert_eq!((name("-7.0"), name("-007")), (Some("-7".to_owned()), Some("-7".to_owned())));
}

#[test]
fn digits_are_exact_at_any_length() {
    let long = "12345678901234567890123456789012345678901";
    assert_eq!(id(long).as_deref(), Some(long));
    assert_ne!(id("9007199254740993"), id("9007199254740992"));
    // ids of digits and letters that could be read as large numbers
    assert_ne!(id("1234e567"), id("9999e999"));
    assert_ne!(id("12345678901234567e3"), id("12345678901234568e3"));
}

#[test]
fn a_real_number_names_and_identifies_nobody() {
    for text in ["1.5", "1.50", "+1.5", "15e-1"] {
        assert_eq!((name(text).as_deref(), id(text)), (Some("1.5"), None), "{text:?}");
    }
    assert_eq!(Said::of_number(1.5).name().as_deref(), Some("1.5"));
    assert_eq!(Said::of_number(FIRST_UNSURE).id(), None, "two ids may be this double");
    assert_eq!(Said::of_number(f64::INFINITY).id(), None);
}

#[test]
fn truths_are_truths_and_missing_is_missing_in_every_type() {
    for text in ["True", "TRUE", "true"] {
        assert!(Said::of_text(text) == Said::Truth(true));
        assert_eq!(id(text), None);
    }
    assert_eq!(Said::Truth(false).name(), Said::of_text("FALSE").name());
    assert_ne!(Said::Truth(true).name(), Said::of_whole(1).name());
    assert!(Said::of_number(f64::NAN) == Said::Missing);
    for text in ["", " ", "NA", "nan", "None", "-", "?"] {
        assert_eq!((name(text), id(text)), (None, None), "{text:?}");
    }
}

#[test]
fn other_text_stays_as_it_is() {
    for text in ["S01", "1-10", "1.2.3", "2020-01-01", "1 2", "1,5", "T", "yes", "inf", "1_0", "0x10", "e5", "1e"] {
        assert_eq!(name(text).as_deref(), Some(text), "{text:?}");
    }
}

#[test]
fn a_stated_label_is_one_that_cells_surely_say() {
    assert_eq!(stated_name(" 1.0 ").as_deref(), Some("1"));
    assert_eq!(stated_name("control").as_deref(), Some("control"));
    assert_eq!(stated_name("9007199254740991").as_deref(), Some("9007199254740991"));
    for unsure in
        ["9007199254740993", "-9007199254740992", "1e20", "1e400", "inf", "-Infinity", "none", "", "n/a", "nan"]
    {
        assert_eq!(stated_name(unsure), None, "{unsure:?}");
    }
}

proptest! {
    /// A reader that makes numbers of a column of text does not change which stated label a cell says.
    #[test]
    fn the_type_of_a_column_does_not_change_the_label(
        text in r"[ ]?[-+]?[0-9]{0,18}\.?[0-9]{0,4}(e-?[0-9]{1,3})?",
        label in prop_oneof![r"[0-9]{1,3}", r"[0-9]{1,2}\.[0-9]{1,2}", r"[0-9]{15,17}"],
    ) {
        for text in [&text, &label, &format!("0{label}"), &format!("{label}0")] {
            if let (Ok(number), Some(stated)) = (text.trim().parse::<f64>(), stated_name(&label)) {
                let says = |said: Said| said.name().as_ref() == Some(&stated);
                prop_assert_eq!(says(Said::of_text(text)), says(Said::of_number(number)), "{:?} {:?}", text, label);
            }
        }
    }

    /// A whole number that a reader keeps as such is the same person as in text.
    #[test]
    fn the_type_of_a_column_does_not_change_the_person(number in any::<i64>(), zeros in 0_usize..4) {
        let text = format!("{}{}{}", if number < 0 { "-" } else { "" }, "0".repeat(zeros), number.unsigned_abs());
        prop_assert_eq!(id(&text), Said::of_whole(number.into()).id().map(Cow::into_owned));
    }
}
