//! What an editor may make of a document.

use serde_json::{Value, json};

/// The places of a document at which some edit is accepted.
pub fn accepted(json: &str, accepts: impl Fn(&str) -> bool) -> Vec<String> {
    assert!(accepts(json));
    let document: Value = serde_json::from_str(json).unwrap();
    let mut pointers = Vec::new();
    places(&document, "", &mut pointers);
    pointers.retain(|pointer| {
        edits(document.pointer(pointer).unwrap()).into_iter().any(|edit| {
            let mut edited = document.clone();
            *edited.pointer_mut(pointer).unwrap() = edit;
            accepts(&edited.to_string())
        })
    });
    pointers
}

/// The pointers of all values in a document: of a long list, those of the first and the last.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    if !at.is_empty() {
        found.push(at.to_owned());
    }
    match value {
        Value::Array(items) => {
            let ends = items.iter().enumerate().filter(|(i, _)| *i < 2 || i + 2 > items.len());
            ends.for_each(|(i, item)| places(item, &format!("{at}/{i}"), found));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// Values that say something else.
fn edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(1)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => match number.as_i64() {
            Some(k) if k.abs() < 1000 => vec![json!(k + 1), json!(k - 1)],
            Some(k) => vec![json!(k + k / 50), json!(k - k / 50)],
            None => {
                let x = number.as_f64().unwrap();
                vec![json!(x * 1.01 + 1e-3), json!(x * 0.5 - 1e-3)]
            }
        },
        Value::String(_) => ["substitute", "add-remove", "subject", "tight", "classical", "kernel", "mean", "other"]
            .map(Value::from)
            .into_iter()
            .filter(|word| word != value)
            .collect(),
        Value::Array(items) => {
            let shorter = items[..items.len().saturating_sub(1)].to_vec();
            let longer: Vec<Value> = items.iter().chain(items.last()).cloned().collect();
            [shorter, longer].into_iter().filter(|edited| edited != items).map(Value::Array).collect()
        }
        Value::Object(fields) => {
            let mut more = fields.clone();
            more.insert("extra".to_owned(), json!(1));
            vec![Value::Object(more)]
        }
    }
}
