//! What `dpfda compare` refuses.

use std::path::Path;

use dpfda::analysis::AnalysisError;
use thiserror::Error;

use crate::error::own_refusals;
use crate::shown::shown;

/// Why two means are not compared.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CompareRefusal {
    #[error("--names: give two different names, such as women,men; got `{}`", shown(Path::new(found)))]
    Names { found: String },
    #[error("a release is compared with another one of other people: `dpfda compare A.json B.json`")]
    Second,
    #[error("--groups was not given; the release has the groups {}: name two of them, as in --groups A,B, or give --groups all", known.join(", "))]
    Ungrouped { known: Vec<String> },
    #[error("--groups: give two different groups of the release, such as case,control; it has {}", known.join(", "))]
    Groups { known: Vec<String> },
    #[error("--groups: give different groups of the release, or all; it has {}", known.join(", "))]
    Several { known: Vec<String> },
    #[error("--groups: {reason}")]
    Test { reason: AnalysisError },
    #[error(
        "{argument}: a test of three groups or more has no difference, and no figure\nhint: give two groups by --groups A,B for a difference"
    )]
    OfTwo { argument: &'static str },
    #[error("--groups: `{name}`: {reason}")]
    Hidden { name: String, reason: AnalysisError },
}

own_refusals!(CompareRefusal);
