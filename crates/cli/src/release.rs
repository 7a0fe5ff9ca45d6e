//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, the payment, and only then the noise.
//! Whatever can be refused is refused before that, at no cost. The estimate is made after it, from the release alone.

use dpfda::analysis::View;
use dpfda::kinds::{Kind as Estimable, weak_delta};
use dpfda::mechanism::{Payable, Release};
use dpfda::privacy::{NeighbouringRelation, NonPrivate};
use dpfda_study::{Account, Asked, Data, Finish, Kind, Note, Watch};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{AccountArguments, OutputArguments, ReleaseArguments, WorkArguments};
use crate::check;
use crate::density;
use crate::error::CliError;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::parts;
use crate::progress::{self, Bars};
use crate::publication::Door;
use crate::request::{Request, refuse_options};

/// Writes the files of a release and returns its summary: **spends the budget**. Or writes its plan.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let request = Request::of(&arguments.files, &arguments.settings, None)?;
    refuse_options(&request, arguments)?;
    if arguments.dry_run {
        return check::dry_run(&request, arguments);
    }
    let Some(output) = &arguments.output else { return parts::plan(&request, arguments) };
    let way = Way {
        output,
        account: &arguments.account,
        seed: arguments.demonstration.seed,
        work: &arguments.work,
        json: arguments.answer.json,
    };
    released(&request, &way)
}

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
        Ok(door.printing_json(self.json))
    }
}

/// Releases whatever the study asks for: **spends the budget**.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let study = &request.study;
    let Some(asked) = Asked::of(study)? else { return density::released(request, way) };
    let contents = if study.kind == Kind::Regression { Contents::Regression } else { Contents::Release };
    let paying = Paying { door: way.door(contents, request)?, look: Look::of(&study.figure) };
    let released = asked.release(&Data::Files(request.data), way.work.work(), paying, &Bars);
    released.map_err(|error| input::in_file(Argument::Curves, request.data, error))
}

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
