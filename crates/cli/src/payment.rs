//! Paying for a release from a ledger.
//!
//! ```text
//! request    what is asked for, from public settings alone
//! spend      commits the cost                                   before any noise
//! store      commits the files of the release                   before anybody sees them
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use dpfda::ledger::{
    Digest, Ledger, LedgerError, LedgerHistory, LedgerReference, Receipt, ReleaseRequest, StoredRelease,
};
use dpfda::mechanism::Guarantee;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use serde_json::Value;

use crate::arguments::AccountArguments;
use crate::error::CliError;
use crate::output::OutputError;

/// A release as a ledger sees it.
pub struct Asked<'a> {
    /// The command: the first word of an id.
    pub command: &'a str,
    /// The name of the mechanism.
    pub mechanism: String,
    /// What a record is.
    pub unit: PrivacyUnit,
    /// Which data sets must look alike.
    pub neighbours: NeighbouringRelation,
    /// The guarantee asked for.
    pub budget: PrivacyBudget,
    /// What it costs.
    pub spend: Spend,
    /// Everything else that the release depends on, but not the data.
    pub settings: Value,
}

/// A ledger, open, and what is to be paid from it.
pub struct Payment {
    path: PathBuf,
    ledger: Ledger,
    request: ReleaseRequest,
}

impl Payment {
    /// Opens the ledger, where one was given.
    pub fn ledger(arguments: &AccountArguments) -> Result<Option<Ledger>, CliError> {
        let open = |path: &PathBuf| Ledger::open(path).map_err(|reason| refused(path, reason));
        arguments.ledger.as_ref().map(open).transpose()
    }

    /// What is asked of an open ledger; the id is made from the settings where none was given.
    pub fn new(arguments: &AccountArguments, ledger: Ledger, asked: Asked<'_>) -> Result<Self, CliError> {
        let Asked { command, mechanism, unit, neighbours, budget, spend, settings } = asked;
        let settings = Digest::of(settings.to_string().as_bytes());
        let id = match &arguments.release_id {
            Some(id) => id.clone(),
            None => format!("{command}-{:.16}", settings.to_string()).parse()?,
        };
        let guarantee = Guarantee::new(budget, neighbours, unit);
        let mut request = ReleaseRequest::new(id, &mechanism, guarantee, spend, settings)?;
        if let Some(group) = &arguments.part_of {
            request = request.of_group(group.clone());
        }
        Ok(Self { path: arguments.ledger.clone().unwrap_or_default(), ledger, request })
    }

    /// The release, if it was made before.
    pub fn stored(&self) -> Result<Option<Receipt>, CliError> {
        let found = self.ledger.find(&self.request).map_err(|reason| refused(&self.path, reason))?;
        Ok(found.filter(|receipt| receipt.stored().is_some()))
    }

    /// Commits the cost.
    pub fn spend(&mut self) -> Result<Receipt, CliError> {
        self.ledger.spend(&self.request).map_err(|reason| refused(&self.path, reason))
    }

    /// Commits the files.
    pub fn store(&mut self, receipt: &Receipt, files: Vec<(String, Vec<u8>)>) -> Result<StoredRelease, CliError> {
        self.ledger.store(receipt, files).map_err(|reason| refused(&self.path, reason))
    }

    /// Everything that was spent so far.
    pub fn history(&self) -> Result<LedgerHistory, CliError> {
        self.ledger.history().map_err(|reason| refused(&self.path, reason))
    }

    /// Where the ledger is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the ledger is in a directory that may be replaced.
    pub fn lies_in(&self, directory: &Path) -> bool {
        let (ledger, directory) = (fs::canonicalize(&self.path), fs::canonicalize(directory));
        ledger.is_ok_and(|ledger| directory.is_ok_and(|directory| ledger.starts_with(directory)))
    }

    /// What went wrong once the release was stored.
    pub fn not_written(&self, reference: &LedgerReference, reason: OutputError) -> CliError {
        CliError::NotWritten { path: self.path.clone(), id: reference.id().clone(), reason }
    }

    /// What went wrong once the spend stood.
    pub fn resumable(&self, reference: &LedgerReference, reason: CliError) -> CliError {
        CliError::Resumable { path: self.path.clone(), id: reference.id().clone(), reason: Box::new(reason) }
    }
}

/// The ledger's own words, with its path.
pub fn refused(path: &Path, reason: LedgerError) -> CliError {
    CliError::Ledger { path: path.to_owned(), reason }
}
