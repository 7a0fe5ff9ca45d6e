//! Why parts were refused.

use std::path::PathBuf;

use dpfda::mechanism::{Digest, PartError, ReleaseId};
use dpfda::release::ReleaseError;
use thiserror::Error;

use crate::age::AgeError;
use crate::error::own_refusals;
use crate::shown::shown;

/// Why parts were refused. It is told to the curator, and stands in no release.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PartsRefusal {
    #[error(
        "STUDY.toml: the plan follows another study\nhint: give the study that --plan-only was given, or leave it out"
    )]
    OtherStudy,
    #[error(
        "--plan (`{}`) is no plan: {reason}\nhint: `dpfda release ... --plan-only PLAN.json` writes one",
        shown(path)
    )]
    Plan { path: PathBuf, reason: String },
    #[error(
        "by the plan a record is a subject: give --subject COLUMN and --key, the file that was written beside the plan"
    )]
    NeedsSubject,
    #[error("--values was not given: by the plan a row is a curve; name its columns, such as --values 'h*'")]
    NeedsValues,
    #[error("by the plan each curve is a record: leave --subject out, or write a plan with --subject")]
    NoSubject,
    #[error(
        "by the plan a row is one value of a subject: give --id, --time and --value in place of --values and --subject, and --key, the file \
         that was written beside the plan"
    )]
    NeedsRows,
    #[error("by the plan a row is one value of a subject: give --key, the file that was written beside the plan")]
    NeedsKey,
    #[error(
        "by the plan a row is a curve: give --values in place of --id, --time and --value, or write a plan of a long table"
    )]
    NoRows,
    #[error(
        "--key (`{}`) is no key: it must hold 64 hexadecimal digits, as it was written beside the plan",
        shown(path)
    )]
    Key { path: PathBuf },
    #[error("P.part (`{}`): {reason}", shown(path))]
    Part { path: PathBuf, reason: PartError },
    #[error("--to: {0}\nhint: leave --to out, and encrypt the part by other means before it travels")]
    To(AgeError),
    #[error("P.part (`{}`): the part is encrypted; give --identity, the file of the secret key", shown(path))]
    Encrypted { path: PathBuf },
    #[error("P.part (`{}`): the part cannot be decrypted: {reason}", shown(path))]
    Identity { path: PathBuf, reason: AgeError },
    #[error(
        "P.part (`{}`): it was encoded by another plan than that of --plan, whose digest is {digest}\nhint: encode this part by that plan, or \
         state the plan that all have agreed on",
        shown(path)
    )]
    OtherPlan { path: PathBuf, digest: Digest },
    #[error("P.part (`{}`): {reason}", shown(path))]
    Merge { path: PathBuf, reason: ReleaseError },
    #[error(
        "by the plan a centre is bought, and parts are joined in two steps: give --ledger, which keeps the centre between them and pays once\n\
         hint: for a demonstration give --not-private --seed, the same in both steps"
    )]
    NeedsLedger,
    #[error(
        "P.part: by the plan a centre was bought, and each part is needed as it was encoded by each of the two plans; {part} is there for \
         one alone"
    )]
    BothSteps { part: String },
    #[error(
        "--ledger (`{}`): nothing was bought under the id {id}\nhint: give the ledger of the first step, and its --release-id if it had one",
        shown(path)
    )]
    NoCenter { path: PathBuf, id: ReleaseId },
}

own_refusals!(PartsRefusal);
