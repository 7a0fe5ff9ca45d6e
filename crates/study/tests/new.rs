//! New study files, and the schema that they meet.

use std::path::Path;

use dpfda_study::{Kind, SETTINGS, Sections, Study, new_study, questions, schema, setting};
use serde_json::Value;

/// The answers of the examples.
fn answers(kind: Kind) -> Sections {
    Sections::of_texts(questions(kind).iter().map(|question| (question.setting, question.example))).unwrap()
}

#[test]
fn a_new_study_names_every_setting_of_its_kind_and_no_other() {
    for kind in Kind::ALL {
        let text = new_study(kind, &Sections::default()).unwrap();
        for setting in SETTINGS {
            let line = text.lines().any(|line| {
                line.trim_start_matches("# ").strip_prefix(setting.name).is_some_and(|rest| rest.starts_with(" ="))
            });
            assert_eq!(line, setting.is_of(kind), "{} of {}", setting.name, kind.word());
        }
        assert!(text.lines().all(|line| line.chars().count() <= 160), "{text}");
    }
}

#[test]
fn a_blank_must_be_filled_in_and_answers_fill_it() {
    for kind in Kind::ALL {
        let blank = new_study(kind, &Sections::default()).unwrap();
        let refusal = Study::from_toml(&blank).unwrap_err();
        assert!(refusal.why.starts_with("line "), "{refusal}");
        let filled = new_study(kind, &answers(kind)).unwrap();
        let study = Study::from_toml(&filled).unwrap_or_else(|refusal| panic!("{refusal}\n{filled}"));
        assert_eq!(study, Study { kind, said: answers(kind) });
        study.check(Path::new(".")).unwrap();
    }
    assert_eq!(new_study(Kind::Mean, &answers(Kind::Density)).unwrap_err().setting(), "columns");
}

/// Every default that stands in a comment, said.
#[test]
fn saying_the_constants_of_a_new_study_changes_nothing() {
    for kind in Kind::ALL {
        let text = new_study(kind, &answers(kind)).unwrap();
        let said: String = text
            .lines()
            .map(|line| match line.strip_prefix("# ").and_then(|line| Some((line, line.split_once(" = ")?))) {
                Some((line, (name, value))) if setting(name).is_some() && !value.starts_with(' ') => {
                    format!("{line}\n")
                }
                _ => format!("{line}\n"),
            })
            .collect();
        assert_ne!(said, text, "{}", kind.word());
        let [plain, said] = [&text, &said].map(|text| {
            let study = Study::from_toml(text).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
            // a setting that is of no use alone is refused whether it has its default or not
            Study { said: study.said, kind }
        });
        for setting in SETTINGS {
            let (plain, said) = (plain.get(setting.name), said.get(setting.name));
            assert_eq!(
                plain.or_else(|| setting.constant(kind)),
                said.or_else(|| setting.constant(kind)),
                "{}",
                setting.name
            );
        }
    }
}

#[test]
fn new_studies_meet_the_schema_and_what_is_no_study_does_not() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for kind in Kind::ALL {
        let text = new_study(kind, &answers(kind)).unwrap();
        let document: Value = toml::from_str(&text).unwrap();
        assert!(validator.is_valid(&document), "{}", kind.word());
        let mut wrong = document.clone();
        wrong["privacy"]["epsilo"] = Value::from(1);
        assert!(!validator.is_valid(&wrong));
        let mut wrong = document.clone();
        wrong["privacy"]["epsilon"] = Value::from("one");
        assert!(!validator.is_valid(&wrong));
        let mut wrong = document;
        wrong["release"]["another"] = Value::Object(serde_json::Map::new());
        assert!(!validator.is_valid(&wrong));
    }
}
