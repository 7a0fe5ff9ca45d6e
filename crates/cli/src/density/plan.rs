//! What is asked for of a density, and how it is shown.

use std::ops::Deref;

use dpfda::mechanism::Source;
use dpfda_study::AskedDensity;

use crate::error::CliError;
use crate::look::Look;
use crate::request::Request;

/// What is asked for, and how it is shown.
pub struct Plan {
    /// What the study asks for.
    pub asked: AskedDensity,
    /// Whether rows are put together by their subjects.
    pub has_subjects: bool,
    /// How the table is read, where that fits into a document.
    pub source: Option<Source>,
    /// How the figure looks.
    pub look: Look,
}

impl Deref for Plan {
    type Target = AskedDensity;

    fn deref(&self) -> &AskedDensity {
        &self.asked
    }
}

impl Plan {
    /// Refuses what can be refused without the data.
    pub fn check(request: &Request<'_>) -> Result<Self, CliError> {
        let study = &request.study;
        let columns = study.table.columns.as_ref().map(|columns| columns.0.iter().map(String::as_str).collect());
        Ok(Self {
            asked: AskedDensity::of(study)?,
            has_subjects: study.table.subject.is_some(),
            source: Some(study.source(columns)),
            look: Look::of(study),
        })
    }
}
