//! What to do about a ledger that refuses.

use std::fmt;

use dpfda::ledger::LedgerError;

/// What to do about a ledger, on its own line.
pub struct LedgerAdvice<'a>(pub &'a LedgerError);

impl fmt::Display for LedgerAdvice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            LedgerError::Open { .. } => {
                "\nhint: `dpfda ledger create` makes a new ledger, in a folder that exists and is writable"
            }
            LedgerError::OtherUnit { .. } => {
                "\nhint: name the column of subjects (release --subject) or what a row is (--unit), or use the \
                 ledger that was made for this unit"
            }
            LedgerError::OtherDataset { .. } => {
                "\nhint: give --ledger the account of these people, or the data set the name that the account has (--dataset)"
            }
            LedgerError::OtherNeighbours { .. } => "\nhint: give --neighbours as the ledger has it",
            LedgerError::IdInUse { .. } | LedgerError::OtherData { .. } | LedgerError::Lost { .. } => {
                "\nhint: --release-id NAME gives a release its own id"
            }
            LedgerError::OverTotal(_) => "\nhint: `dpfda ledger show` tells what was spent",
            LedgerError::Tables | LedgerError::Damaged(_) | LedgerError::Entry { .. } | LedgerError::Stored { .. } => {
                "\nhint: find out who changed the file; its last whole backup may miss releases that were made since"
            }
            _ => "",
        })
    }
}
