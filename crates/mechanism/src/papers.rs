//! What the papers about a release say: its data, its study, who approved it and when.

use serde::{Deserialize, Serialize};

use crate::facts::Fact;
use crate::reference::{NameError, is_name, read_names};

/// What the papers about a release say, each where it was given: public, and written before anybody saw the data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Papers {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    dataset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    study: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    approval: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    date: Option<String>,
}

impl Papers {
    /// The names of the data set and of the study, the number of the approval, and the date of the study.
    ///
    /// # Errors
    /// [`NameError`] for a text that does not fit on a line.
    pub fn new(
        dataset: Option<&str>,
        study: Option<&str>,
        approval: Option<&str>,
        date: Option<&str>,
    ) -> Result<Self, NameError> {
        let all = [dataset, study, approval, date];
        if !all.into_iter().flatten().all(is_name) {
            return Err(NameError);
        }
        let [dataset, study, approval, date] = all.map(|text| text.map(str::to_owned));
        Ok(Self { dataset, study, approval, date })
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What the data set is called.
    pub fn dataset(&self) -> Option<&str> {
        self.dataset.as_deref()
    }

    /// What the study is called.
    pub fn study(&self) -> Option<&str> {
        self.study.as_deref()
    }

    /// What the approval is called, such as the number of a vote of an ethics board.
    pub fn approval(&self) -> Option<&str> {
        self.approval.as_deref()
    }

    /// When the study was written.
    pub fn date(&self) -> Option<&str> {
        self.date.as_deref()
    }

    /// All of it in words; `None` where nothing was given.
    pub(crate) fn fact(&self) -> Option<Fact> {
        let named =
            [("data set", &self.dataset), ("study", &self.study), ("approval", &self.approval), ("date", &self.date)];
        let words: Vec<String> =
            named.into_iter().filter_map(|(name, text)| Some(format!("{name} {}", text.as_ref()?))).collect();
        (!words.is_empty()).then(|| Fact::new("papers", words.join("; ")).briefly(words.join("; ")))
    }
}
