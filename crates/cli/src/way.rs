//! How a release is made and where it goes, beside its study.

use crate::arguments::{AccountArguments, OutputArguments, WorkArguments};
use crate::error::CliError;
use crate::output::Contents;
use crate::publication::Door;
use crate::request::Request;

/// How a release is made and where it goes, beside its study.
pub struct Way<'a> {
    /// Where the files go.
    pub output: &'a OutputArguments,
    /// Who pays for it.
    pub account: &'a AccountArguments,
    /// The seed of a demonstration.
    pub seed: Option<u64>,
    /// How the file is worked on.
    pub work: &'a WorkArguments,
    /// Whether JSON is printed.
    pub json: bool,
}

impl<'a> Way<'a> {
    /// The door by which it goes, once everything public was checked and before the private file is read.
    pub fn door(&self, contents: Contents, request: &Request<'_>) -> Result<Door<'a>, CliError> {
        let door = Door::open(self.output, contents, self.account, self.seed, &request.files())?;
        Ok(door.for_dataset(request.study.papers.told().dataset())?.printing_json(self.json))
    }
}
