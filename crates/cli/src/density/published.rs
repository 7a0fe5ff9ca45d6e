//! A released density: its files and its summary.

use std::path::Path;

use super::files;
use super::plan::Plan;
use super::released::Released;
use super::summary;
use crate::files::Files;
use crate::output::OutputError;
use crate::publication::Publication;
use crate::told::Told;

/// A released density, and what was asked for.
pub struct ReleasedDensity<'a> {
    /// What was asked for.
    pub plan: &'a Plan,
    /// What a mechanism made.
    pub released: Released,
}

impl Publication for ReleasedDensity<'_> {
    fn remedy() -> &'static str {
        "that is the whole release, and everything else can be made from it"
    }

    fn document(&self) -> Option<Result<String, serde_json::Error>> {
        Some(Ok(self.released.document.clone()))
    }

    fn write(&self, files: &mut Files<'_>) -> Result<(), OutputError> {
        files::write_files(self.plan, &self.released, files)
    }

    fn told(&self, directory: &Path) -> Told {
        summary::of(self.plan, &self.released, directory)
    }
}
