//! The digest of a checked study: what it covers, and what it does not.

use std::collections::BTreeSet;

use dpfda_study::{Origin, Value};

use crate::{STUDIES, checked};

#[test]
fn a_comment_the_order_and_a_default_do_not_change_the_digest() {
    let (_, text, _, _) = STUDIES[0];
    let digest = checked(text).digest();
    let commented = format!("{text}# a comment\n[estimate] # and the default\nlevel = 0.95\n");
    assert_eq!(digest, checked(&commented).digest());
    let reordered = "[figure]\nsize = '800x500'\n[table]\ngrid = [0.0, 24]\nsubject = 'id'\nvalues = 'h*,k1'\n[bound]\nradius_share = \
                     'none'\nbounds = [0.0, 1.0]\n[privacy]\ndelta = 0.00001\nepsilon = 1.0\n[release.mean]\n";
    assert_eq!(digest, checked(reordered).digest());
}

#[test]
fn a_changed_setting_changes_the_digest() {
    let (_, text, _, _) = STUDIES[0];
    let mut digests = BTreeSet::from([checked(text).digest()]);
    let changes = [
        ("epsilon = 1", "epsilon = 1.0000000000000002"),
        ("delta = 1e-5", "delta = 1e-6"),
        ("[0, 1]", "[0, 2]"),
        ("radius_share = 0", "radius_share = 0.05"),
        ("radius_share = 0\n", ""),
        ("'h*', \"k1\"", "\"k1\", 'h*'"),
        ("\"id\"", "\"ID\""),
        ("[0, 24]", "'names'"),
        ("800x500", "800x501"),
        ("[figure]\n", "[estimate]\nlevel = 0.9\n[figure]\n"),
        ("[figure]\n", "[estimate]\nkernel = 'matern52'\n[figure]\n"),
    ];
    for (from, to) in changes {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        assert!(digests.insert(checked(&changed).digest()), "{changed}");
    }
}

/// A digest that moves breaks every approval: this one is written in a document somewhere.
#[test]
fn the_canonical_form_is_fixed() {
    let canonical = checked(STUDIES[STUDIES.len() - 1].1).canonical();
    let expected = r#"{"kind":"density","settings":{"bounds":[0.0,120.0],"columns":["age"],"delta":0.0,"draws":100,"epsilon":1.0,"mechanism":"smoothed","neighbours":"substitute"},"study":"dpfda-study-1"}"#;
    assert_eq!(canonical, expected);
}

#[test]
fn every_value_says_whether_it_was_said() {
    let checked = checked(STUDIES[0].1);
    let told = checked.origins();
    let of = |name: &str| {
        let told = told.iter().find(|told| told.setting.name == name).unwrap();
        (told.value.as_str(), told.origin)
    };
    assert_eq!(of("epsilon"), ("1.0", Origin::Said));
    assert_eq!(of("level"), ("0.95", Origin::Default));
    assert_eq!(of("kernel").1, Origin::Follows);
    assert!(told.iter().all(|told| told.setting.name != "bins"));
    assert_eq!(checked.get("size"), Some(Value::Text("800x500".to_owned())));
}
