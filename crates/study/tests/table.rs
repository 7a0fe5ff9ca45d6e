//! The table itself.

use std::collections::BTreeSet;

use dpfda_study::{Default, Kind, SETTINGS, Section, schema, setting};

#[test]
fn names_are_unique_and_written_like_keywords() {
    let names: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(names.len(), SETTINGS.len());
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
}

#[test]
fn every_setting_has_help_kinds_and_a_default_that_it_can_have() {
    for setting in SETTINGS {
        assert!(
            !setting.short().is_empty() && !setting.kinds.is_empty() && !setting.value.is_empty(),
            "{}",
            setting.name
        );
        if let Section::Release(kind) = setting.section {
            assert_eq!(setting.kinds, [kind], "{}", setting.name);
        }
        for kind in Kind::ALL {
            let Default::Constant(of) = setting.default else { continue };
            let has_one = setting.is_of(kind) && of(kind).is_some();
            assert_eq!(has_one, setting.constant(kind).is_some(), "{} of {}", setting.name, kind.word());
        }
    }
}

#[test]
fn help_texts_name_settings_that_there_are() {
    for one in SETTINGS {
        let text = one.short() + &one.more().unwrap_or_default();
        for named in text.split('{').skip(1) {
            let name = named.split('}').next().unwrap();
            assert!(setting(name).is_some(), "{} names {name}", one.name);
        }
    }
}

#[test]
fn every_setting_is_in_the_schema_where_it_stands() {
    let schema = schema();
    for setting in SETTINGS {
        let path = setting.section.path().replace('.', "/properties/");
        let property = schema.pointer(&format!("/properties/{path}/properties/{}", setting.name)).unwrap();
        assert!(property["description"].as_str().is_some_and(|text| text.len() > 5), "{property}");
    }
}

/// The map from errors to settings, and the advice, name settings that there are.
#[test]
fn whatever_is_blamed_is_a_setting() {
    let blame = [include_str!("../src/blame/curves.rs"), include_str!("../src/blame/points.rs")];
    let table = include_str!("../src/blame/table.rs");
    let mut names = 0;
    for list in blame.iter().chain(&[table]).flat_map(|text| text.split("of(&[").skip(1)) {
        for name in list.split(']').next().unwrap().split(", ") {
            assert!(setting(name.trim_matches('"')).is_some(), "{name}");
            names += 1;
        }
    }
    assert!(names > 50, "{names}");
    for one in SETTINGS {
        let text = dpfda_study::advice(&[one.name]).unwrap_or_default();
        for named in text.split('{').skip(1) {
            let named = named.split('}').next().unwrap();
            let (name, value) = named.split_once('=').unwrap_or((named, ""));
            let found = setting(name).unwrap_or_else(|| panic!("{text}"));
            assert!(value.is_empty() || found.parse(value).is_ok(), "{text}");
        }
    }
}
