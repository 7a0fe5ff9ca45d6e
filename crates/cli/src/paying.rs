//! The account of the command: it pays by a ledger where there is one, and writes files.

use dpfda::analysis::View;
use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Payable, Release};
use dpfda_study::{Account, Finish};

use crate::answered::Answered;
use crate::error::CliError;
use crate::look::Look;
use crate::progress;
use crate::publication::Door;

/// Pays, draws, and writes the files of a release with its estimate.
pub struct Paying<'a> {
    /// Where it goes, and who pays.
    pub door: Door<'a>,
    /// How its figure looks.
    pub look: Look,
}

impl Account for Paying<'_> {
    type Output = String;
    type Error = CliError;

    fn pay<S: Estimable>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<String, CliError> {
        let (Self { door, look }, Finish { view, estimate }) = (self, finish);
        let document = |release: &S::View| release.write(None::<&()>);
        door.publish(
            prepared,
            |drawn| Ok(view(drawn)?),
            document,
            |release| {
                let estimated = progress::waiting("estimating", || estimate(release.clone()));
                Answered::of(release, estimated.map_err(CliError::from), look)
            },
        )
    }
}
