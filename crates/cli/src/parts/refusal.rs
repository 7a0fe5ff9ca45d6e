//! Why parts were refused.

use std::path::PathBuf;

use dpfda::mechanism::{Digest, PartError, ReleaseId};
use dpfda::release::ReleaseError;
use thiserror::Error;

use crate::age::AgeError;
use crate::shown::shown;

/// Why parts were refused. It is told to the curator, and stands in no release.
#[derive(Debug, Error)]
pub enum PartsRefusal {
    /// No plan.
    #[error(
        "--plan (`{}`) is no plan: {reason}\nhint: `dpfda release ... --plan-only PLAN.json` writes one",
        shown(path)
    )]
    Plan {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A plan of subjects without their column or key.
    #[error(
        "by the plan a record is a subject: give --subject COLUMN and --key, the file that was written beside the plan"
    )]
    NeedsSubject,
    /// A plan of curves with a column of subjects.
    #[error("by the plan each curve is a record: leave --subject out, or write a plan with --subject")]
    NoSubject,
    /// A plan of a long table without its columns or key.
    #[error(
        "by the plan a row is one value of a subject: give --id, --time and --value in place of --values and --subject, and --key, the file \
         that was written beside the plan"
    )]
    NeedsRows,
    /// A plan of a long table, and its columns without the key.
    #[error("by the plan a row is one value of a subject: give --key, the file that was written beside the plan")]
    NeedsKey,
    /// A plan of curves with the columns of a long table.
    #[error(
        "by the plan a row is a curve: give --values in place of --id, --time and --value, or write a plan of a long table"
    )]
    NoRows,
    /// No key.
    #[error(
        "--key (`{}`) is no key: it must hold 64 hexadecimal digits, as it was written beside the plan",
        shown(path)
    )]
    Key {
        /// The file.
        path: PathBuf,
    },
    /// No part.
    #[error("P.part (`{}`): {reason}", shown(path))]
    Part {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: PartError,
    },
    /// A part that was not encrypted.
    #[error("--to: {0}\nhint: leave --to out, and encrypt the part by other means before it travels")]
    To(AgeError),
    /// An encrypted part without a key.
    #[error("P.part (`{}`): the part is encrypted; give --identity, the file of the secret key", shown(path))]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// An encrypted part that was not opened.
    #[error("P.part (`{}`): the part cannot be decrypted: {reason}", shown(path))]
    Identity {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: AgeError,
    },
    /// A part of another plan than the one that was stated.
    #[error(
        "P.part (`{}`): it was encoded by another plan than that of --plan, whose digest is {digest}\nhint: encode this part by that plan, or \
         state the plan that all have agreed on",
        shown(path)
    )]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The digest of the plan that was stated.
        digest: Digest,
    },
    /// A part that cannot be joined.
    #[error("P.part (`{}`): {reason}", shown(path))]
    Merge {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: ReleaseError,
    },
    /// Two steps, and nothing that keeps the centre between them.
    #[error(
        "by the plan a centre is bought, and parts are joined in two steps: give --ledger, which keeps the centre between them and pays once\n\
         hint: for a demonstration give --not-private --seed, the same in both steps"
    )]
    NeedsLedger,
    /// A part that is there of one step alone.
    #[error(
        "P.part: by the plan a centre was bought, and each part is needed as it was encoded by each of the two plans; {part} is there for \
         one alone"
    )]
    BothSteps {
        /// What the part is called.
        part: String,
    },
    /// A second step of what nobody paid for.
    #[error(
        "--ledger (`{}`): nothing was bought under the id {id}\nhint: give the ledger of the first step, and its --release-id if it had one",
        shown(path)
    )]
    NoCenter {
        /// The ledger.
        path: PathBuf,
        /// What the release is called.
        id: ReleaseId,
    },
}
