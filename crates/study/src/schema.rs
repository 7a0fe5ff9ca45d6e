//! The JSON schema of studies, made from the table.

use serde_json::{Map, Value as Json, json};

use crate::door::Door;
use crate::kind::Kind;
use crate::sections::SETTINGS;
use crate::setting::{Section, Setting};
use crate::value::Form;

/// The JSON schema of a study, draft 2020-12: names, types and words. What goes together is for [`Study::check`](crate::Study::check).
pub fn schema() -> Json {
    let kinds: Map<String, Json> =
        Kind::ALL.iter().map(|kind| (kind.word().to_owned(), section(Section::Release(*kind)))).collect();
    let mut properties = Map::new();
    properties.insert(
        "release".to_owned(),
        json!({
            "type": "object",
            "description": "What is released: the one section of its kind.",
            "properties": kinds,
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        }),
    );
    let shared = Section::ALL.into_iter().filter(|section| !matches!(section, Section::Release(_)));
    properties.extend(shared.map(|place| (place.path(), section(place))));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dpfda study",
        "type": "object",
        "properties": properties,
        "required": ["release"],
        "additionalProperties": false,
    })
}

fn section(place: Section) -> Json {
    let here = SETTINGS.iter().filter(|setting| setting.section == place);
    let properties: Map<String, Json> = here.map(|setting| (setting.name.to_owned(), property(setting))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn property(setting: &Setting) -> Json {
    let mut property = of_form(setting.form);
    if let Json::Object(property) = &mut property {
        property.insert("description".to_owned(), json!(Door::File.spell(&setting.short())));
    }
    property
}

fn of_form(form: Form) -> Json {
    match form {
        Form::Real => json!({ "type": "number" }),
        Form::Whole => json!({ "type": "integer", "minimum": 0 }),
        Form::Text => json!({ "type": "string" }),
        Form::Truth => json!({ "type": "boolean" }),
        Form::Reals => json!({ "type": "array", "items": { "type": "number" }, "minItems": 1 }),
        Form::Texts => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }] })
        }
        Form::Words(words) => {
            let words: Vec<&str> = words.iter().map(|word| word.name).collect();
            json!({ "enum": words })
        }
        Form::Curve => {
            let numbers = of_form(Form::Reals);
            let properties = json!({ "t": numbers, "value": numbers });
            json!({ "type": "object", "properties": properties, "required": ["t", "value"], "additionalProperties": false })
        }
        Form::AnyOf(forms) => {
            let forms: Vec<Json> = forms.iter().map(|form| of_form(*form)).collect();
            json!({ "anyOf": forms })
        }
    }
}
