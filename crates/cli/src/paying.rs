//! The account of the command: it pays by a ledger where there is one, and writes files.

use dpfda::analysis::View;
use dpfda::kinds::{Kind as Estimable, weak_delta};
use dpfda::mechanism::{Payable, Release};
use dpfda::privacy::{NeighbouringRelation, NonPrivate};
use dpfda_study::{Account, Finish, Note, Watch};

use crate::answered::Answered;
use crate::error::CliError;
use crate::look::Look;
use crate::progress::{self, Bars};
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
        // the number is exact, also where the release will tell a noisy one
        let (delta, records) = (prepared.asked().guarantee.budget().delta(), *prepared.records().reveal() as f64);
        if let Some(weak) = weak_delta(delta, records, NeighbouringRelation::SubstituteOne) {
            Bars.tell(NonPrivate::new(Note::Weak(weak)));
        }
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
