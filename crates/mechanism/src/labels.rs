//! Public names for what a release shows.

use serde::{Deserialize, Serialize};

use crate::reference::{NameError, is_name};

/// Names of the axes of a release, as figures print them: public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "LabelsDocument", into = "LabelsDocument")]
pub struct Labels {
    argument: Option<String>,
    value: Option<String>,
}

impl Labels {
    /// The names of the horizontal axis, such as `position along the tract`, and of the vertical one, with units.
    ///
    /// # Errors
    /// [`NameError`] unless each has from 1 to 100 characters on one line.
    pub fn new(argument: Option<&str>, value: Option<&str>) -> Result<Self, NameError> {
        if [argument, value].into_iter().flatten().all(is_name) {
            Ok(Self { argument: argument.map(str::to_owned), value: value.map(str::to_owned) })
        } else {
            Err(NameError)
        }
    }

    /// The name of the horizontal axis.
    pub fn argument(&self) -> Option<&str> {
        self.argument.as_deref()
    }

    /// The name of the vertical axis.
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelsDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    argument: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl TryFrom<LabelsDocument> for Labels {
    type Error = NameError;

    fn try_from(document: LabelsDocument) -> Result<Self, NameError> {
        Self::new(document.argument.as_deref(), document.value.as_deref())
    }
}

impl From<Labels> for LabelsDocument {
    fn from(labels: Labels) -> Self {
        Self { argument: labels.argument, value: labels.value }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn labels_fit_on_a_line_also_when_they_are_read() {
        let labels = Labels::new(Some("position along the tract"), None).unwrap();
        let json = serde_json::to_string(&labels).unwrap();
        assert_eq!(json, r#"{"argument":"position along the tract"}"#);
        assert_eq!(serde_json::from_str::<Labels>(&json).unwrap(), labels);
        assert_eq!((labels.argument(), labels.value()), (Some("position along the tract"), None));
        assert_eq!(serde_json::from_str::<Labels>("{}").unwrap(), Labels::default());
        for bad in ["", "two\nlines", "\u{1b}[2J", "turned \u{202e} round", &"x".repeat(101)] {
            assert_eq!(Labels::new(Some(bad), None), Err(NameError), "{bad}");
            assert_eq!(Labels::new(None, Some(bad)), Err(NameError), "{bad}");
            let json = serde_json::json!({ "value": bad }).to_string();
            assert!(serde_json::from_str::<Labels>(&json).is_err(), "{bad}");
        }
    }
}
