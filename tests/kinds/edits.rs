//! What an editor may make of a document.

use serde_json::{Map, Value, json};

/// Texts that stand for a choice in some document, or look like something that does.
const WORDS: [&str; 12] = [
    "substitute",
    "add-remove",
    "subject",
    "tight",
    "classical",
    "isonormal",
    "kernel",
    "mean",
    "gaussian",
    "other",
    "12345678901234567890",
    "00000000000000000000000000000000",
];

/// The places of a document at which some edit is accepted: numbers of places in lists are `*`, and what may be left out ends with `-`.
pub fn accepted(json: &str, accepts: impl Fn(&str) -> bool) -> Vec<String> {
    assert!(accepts(json));
    let document: Value = serde_json::from_str(json).unwrap();
    let mut pointers = Vec::new();
    places(&document, "", &mut pointers);
    let mut found = Vec::new();
    for pointer in pointers {
        let value = document.pointer(&pointer).unwrap();
        // every number of an estimate is compared with the one that follows from the release: one edit tells that it is
        let most = if pointer.starts_with("/estimate/") { 1 } else { usize::MAX };
        for (end, edit) in edits(value).into_iter().filter(|(_, edit)| !is_same(edit, value)).take(most) {
            let mut edited = document.clone();
            *edited.pointer_mut(&pointer).unwrap() = edit;
            if accepts(&edited.to_string()) {
                found.push(general(&pointer) + &end);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn general(pointer: &str) -> String {
    pointer.split('/').map(|part| if part.parse::<usize>().is_ok() { "*" } else { part }).collect::<Vec<_>>().join("/")
}

/// The pointers of all values in a document: of a long list, those of the first, the middle and the last.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            let is_shown = |i: usize| i == 0 || i == items.len() / 2 || i + 1 == items.len();
            let shown = items.iter().enumerate().filter(|(i, _)| is_shown(*i));
            shown.for_each(|(i, item)| places(item, &format!("{at}/{i}"), found));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// Whether two values are the same, up to the rounding that documents allow and to fields that are null.
fn is_same(a: &Value, b: &Value) -> bool {
    let covers = |a: &Map<String, Value>, b: &Map<String, Value>| {
        b.iter().all(|(name, field)| is_same(a.get(name).unwrap_or(&Value::Null), field))
    };
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Object(a), Value::Object(b)) => covers(a, b) && covers(b, a),
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * b.abs(),
            _ => a == b,
        },
    }
}

/// Values that say something else, each with what its place is called beyond that of the value.
fn edits(value: &Value) -> Vec<(String, Value)> {
    let plain: Vec<Value> = match value {
        Value::Null => vec![json!(1), json!(true)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => match number.as_i64() {
            // one more is one more record, point, dimension or version
            Some(k) if k.abs() < 1000 => vec![json!(k + 1), json!(k - 1), json!(null)],
            Some(k) => vec![json!(k + k / 50), json!(k - k / 50), json!(1), json!(k as f64 + 0.5)],
            None => {
                let x = number.as_f64().unwrap();
                vec![json!(x * 1.01 + if x == 0.0 { 0.01 } else { 0.0 }), json!(x * 0.5), json!(-x - 1.0), json!(null)]
            }
        },
        Value::String(text) => {
            let other = text.parse::<i128>().map_or_else(|_| format!("{text}x"), |k| (k + (1 << 40)).to_string());
            WORDS.into_iter().chain([other.as_str()]).map(Value::from).collect()
        }
        Value::Array(items) => {
            let backwards: Vec<Value> = items.iter().rev().cloned().collect();
            let shorter = items[..items.len().saturating_sub(1)].to_vec();
            let longer: Vec<Value> = items.iter().chain(items.last()).cloned().collect();
            [backwards, shorter, longer].map(Value::Array).into()
        }
        Value::Object(fields) => {
            let with = |name: &str, field: Option<Value>| {
                let mut others = fields.clone();
                others.remove(name);
                others.extend(field.map(|field| (name.to_owned(), field)));
                Value::Object(others)
            };
            let without = fields.keys().map(|name| (format!("/{name}-"), with(name, None)));
            return without.chain([(String::new(), with("extra", Some(json!(1))))]).collect();
        }
    };
    plain.into_iter().map(|edit| (String::new(), edit)).collect()
}
