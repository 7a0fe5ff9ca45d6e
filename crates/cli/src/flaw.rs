//! What is wrong with a JSON file, told without quoting it: it may be a private one, given by mistake.

use std::fmt;

use dpfda::mechanism::ReadError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Error;
use serde_json::error::Category;

/// Field names up to this length are shown.
const LONGEST_NAME: usize = 60;

/// Where a file stops being a release, and as much of the reason as may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// From 1; 0 where the file as a whole is meant.
    line: usize,
    column: usize,
    reason: String,
}

impl Flaw {
    /// Why a document is no release. Only fields that every release has are named, and no value of one.
    pub fn of_release(text: &str, error: &ReadError) -> Self {
        match error {
            ReadError::Json(error) => Self::of(text, error),
            other => Self { line: 0, column: 0, reason: other.to_string() },
        }
    }

    /// The flaw behind an error of [`serde_json`], whose own words may quote the file.
    pub fn of(text: &str, error: &Error) -> Self {
        let reason = match error.classify() {
            Category::Eof => "it ends too early".to_owned(),
            Category::Io | Category::Syntax => "it is not JSON from here on".to_owned(),
            Category::Data if has_schema(text) => data(error),
            Category::Data => "not the fields of a release".to_owned(),
        };
        Self { line: error.line(), column: error.column(), reason }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.reason)
    }
}

/// Whether the document says at least that it has a schema, as no table of curves does.
fn has_schema(text: &str) -> bool {
    /// Without what stands in it: a document of nothing but digits would take many times its size.
    #[derive(Deserialize)]
    struct Versioned {
        #[serde(rename = "schema")]
        _schema: IgnoredAny,
    }
    serde_json::from_str::<Versioned>(text).is_ok()
}

/// The reason in a document with a schema: names of fields are shown, their values are not.
fn data(error: &Error) -> String {
    let message = error.to_string();
    for kind in ["unknown field", "missing field", "duplicate field"] {
        let quoted = message.strip_prefix(kind).and_then(|rest| rest.strip_prefix(" `"));
        if let Some(rest) = quoted {
            // the list of expected fields, or the position
            let end = rest.find("`, expected").or_else(|| rest.rfind('`')).unwrap_or(0);
            return match &rest[..end] {
                name if name.len() <= LONGEST_NAME => format!("{kind} `{}`", name.escape_debug()),
                _ => kind.to_owned(),
            };
        }
    }
    if message.starts_with("invalid type") {
        "a field has the wrong type".to_owned()
    } else if error.line() > 0 {
        "a field has a value that no release has".to_owned()
    } else {
        // The document has all fields with their types: these are the checks of the release, which quote no text.
        message
    }
}
