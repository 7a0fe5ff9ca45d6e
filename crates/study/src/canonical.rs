//! The one way in which a study is written for its digest.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::kind::Kind;
use crate::value::Value;

/// What the canonical form is called; a study that is read otherwise has another word.
const VERSION: &str = "dpfda-study-1";

#[derive(Serialize)]
struct Canonical<'a> {
    kind: &'static str,
    settings: &'a BTreeMap<&'static str, Value>,
    study: &'static str,
}

/// JSON without white space: names in their order, numbers in their shortest exact form.
pub fn canonical(kind: Kind, settings: &BTreeMap<&'static str, Value>) -> String {
    let canonical = Canonical { kind: kind.word(), settings, study: VERSION };
    serde_json::to_string(&canonical).unwrap_or_else(|_| unreachable!("a study holds finite numbers and texts"))
}

/// A value as a study file may write it.
pub fn written(value: &Value) -> String {
    if let Value::Curve { t, value } = value {
        return format!("{{ t = {t:?}, value = {value:?} }}");
    }
    // what JSON writes for the other values, TOML reads
    serde_json::to_string(value).unwrap_or_default()
}
