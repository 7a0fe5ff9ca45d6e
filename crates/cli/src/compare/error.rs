//! What `dpfda compare` refuses.

use std::path::{Path, PathBuf};

use dpfda::analysis::AnalysisError;
use thiserror::Error;

use crate::shown::shown;

/// Why two means are not compared.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CompareRefusal {
    #[error("--names: give two different names, such as women,men; got `{}`", shown(Path::new(found)))]
    Names { found: String },
    #[error("--groups: give two different groups of the release, such as case,control; it has {}", known.join(", "))]
    Groups { known: Vec<String> },
    #[error("--groups: `{name}`: {reason}")]
    Hidden { name: String, reason: AnalysisError },
    #[error(
        "{}: this release has several functions, {}\nhint: compare two groups of one release by --groups, without a second release",
        shown(path), known.join(", ")
    )]
    Several { path: PathBuf, known: Vec<String> },
}
