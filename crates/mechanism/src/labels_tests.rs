#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn labels_fit_on_a_line_also_when_they_are_read() {
    let labels = Labels::new(Some("position along the tract"), None).unwrap();
    let json = serde_json::to_string(&labels).unwrap();
    assert_eq!(json, r#"{"argument":"position along the tract"}"#);
    assert_eq!(serde_json::from_str::<Labels>(&json).unwrap(), labels);
    assert_eq!((labels.argument(), labels.value()), (Some("position along the tract"), None));
    let labels = labels.with_columns(vec!["age".to_owned()]).unwrap();
    let json = serde_json::to_string(&labels).unwrap();
    assert_eq!(json, r#"{"argument":"position along the tract","columns":["age"]}"#);
    assert_eq!(serde_json::from_str::<Labels>(&json).unwrap().columns(), ["age"]);
    let surface = Labels::new(None, Some("height")).unwrap().with_s(Some("depth")).unwrap();
    let json = serde_json::to_string(&surface).unwrap();
    assert_eq!(json, r#"{"s":"depth","value":"height"}"#);
    assert_eq!(serde_json::from_str::<Labels>(&json).unwrap().s(), Some("depth"));
    assert_eq!(serde_json::from_str::<Labels>("{}").unwrap(), Labels::default());
    for bad in ["", "two\nlines", "\u{1b}[2J", "turned \u{202e} round", &"x".repeat(101)] {
        assert_eq!(Labels::new(Some(bad), None), Err(NameError), "{bad}");
        assert_eq!(Labels::new(None, Some(bad)), Err(NameError), "{bad}");
        assert_eq!(Labels::default().with_columns(vec!["a".to_owned(), bad.to_owned()]), Err(NameError), "{bad}");
        for key in ["value", "s"] {
            let json = serde_json::json!({ key: bad }).to_string();
            assert!(serde_json::from_str::<Labels>(&json).is_err(), "{bad}");
        }
    }
}

#[test]
fn axes_without_a_name_have_those_of_the_columns_of_a_long_table() {
    let source = |columns: &[&str], grid| {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        Source::new(columns, None, Some(grid), Vec::new()).unwrap()
    };
    let said = Labels::new(None, Some("glucose (mg/dL)")).unwrap();
    let rows = said.or_of(&source(&["day", "glu"], GridSource::Rows));
    assert_eq!((rows.s(), rows.argument(), rows.value()), (None, Some("day"), Some("glucose (mg/dL)")));
    let surface = Labels::default().or_of(&source(&["day", "hour", "asleep"], GridSource::SurfaceRows));
    assert_eq!((surface.s(), surface.argument(), surface.value()), (Some("day"), Some("hour"), Some("asleep")));
    assert_eq!(said.or_of(&source(&["h0", "h1"], GridSource::Default)), said);
}

#[test]
fn units_of_values_are_a_fact() {
    let labels = Labels::new(Some("hour (h)"), Some("glucose (mg/dL)")).unwrap();
    let fact = labels.values_fact().unwrap();
    assert_eq!((fact.name, fact.brief.as_str()), ("values", "glucose (mg/dL) by hour (h)"));
    assert_eq!(labels.value_and_unit(), Some(("glucose", Some("mg/dL"))));
    for (name, unit) in [("f(x) (1/s)", Some("1/s")), ("a (b) c", None), ("a ()", None)] {
        assert_eq!(Labels::new(None, Some(name)).unwrap().unit(), unit);
    }
    let surface = labels.clone().with_s(Some("day")).unwrap();
    assert_eq!(surface.values_fact().unwrap().brief, "glucose (mg/dL) by day and hour (h)");
    let plain = Labels::new(None, Some("glucose")).unwrap();
    assert!(plain.values_fact().is_none() && plain.value_and_unit() == Some(("glucose", None)));
    assert_eq!(plain.or(&labels), Labels::new(Some("hour (h)"), Some("glucose")).unwrap());
}
