//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, the payment, and only then the noise.
//! Whatever can be refused is refused before that, at no cost. The estimate is made after it, from the release alone.

use dpfda_study::{Asked, Data, Kind};

use crate::argument::Argument;
use crate::arguments::ReleaseArguments;
use crate::check;
use crate::density;
use crate::error::CliError;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::parts;
use crate::paying::Paying;
use crate::progress::Bars;
use crate::request::{Request, refuse_options};
use crate::way::Way;

/// Writes the files of a release and returns its summary: **spends the budget**. Or writes its plan.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let request = Request::of(&arguments.files, &arguments.settings)?;
    asked(&request, arguments).map_err(|error| request.told(error))
}

fn asked(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<String, CliError> {
    refuse_options(request, arguments)?;
    if arguments.dry_run {
        return check::dry_run(request, arguments);
    }
    let Some(output) = &arguments.output else { return parts::plan(request, arguments) };
    let way = Way {
        output,
        account: &arguments.account,
        seed: arguments.demonstration.seed,
        work: &arguments.work,
        json: arguments.answer.json,
    };
    released(request, &way)
}

/// Releases whatever the study asks for: **spends the budget**.
fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let study = &request.study;
    let Some(asked) = Asked::of(study)? else { return density::released(request, way) };
    let contents = if study.kind == Kind::Regression { Contents::Regression } else { Contents::Release };
    let paying = Paying { door: way.door(contents, request)?, look: Look::of(study) };
    let released = asked.release(&Data::Files(request.data), way.work.work(), paying, &Bars);
    released.map_err(|error| input::in_file(Argument::Curves, request.data, error))
}
