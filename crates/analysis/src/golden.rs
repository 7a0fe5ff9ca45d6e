//! Golden cases, for tests.
#![allow(clippy::unwrap_used, reason = "tests")]

use ndarray::{Array1, Array2};
use serde_json::Value;

/// What goes into a case of persons, outcomes and groups, and what comes out.
pub(crate) fn of_people(name: &str) -> (Value, Value) {
    let golden: Value = serde_json::from_str(include_str!("../tests/golden/persons.json")).unwrap();
    let case = golden["cases"].as_array().unwrap().iter().find(|case| case["name"] == name).unwrap().clone();
    (case["input"].clone(), case["output"].clone())
}

pub(crate) fn numbers(value: &Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub(crate) fn matrix(value: &Value) -> Array2<f64> {
    let rows: Vec<Array1<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j])
}
