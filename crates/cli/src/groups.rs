//! `dpfda release --by`: the means of several groups in one release.

use std::path::Path;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::Release;
use dpfda::release::{Grouping, Groups, GroupsError, PreparedGroups, PrivateGroups};
use dpfda::smoothing::{CurveLayout, CurveSet, TextColumn};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{OutputArguments, ReleaseArguments};
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::evaluate::LARGEST;
use crate::flaw::Flaw;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::progress;
use crate::publication::Door;
use crate::reason::guaranteed;
use crate::release::{ball_on, public_ball, shares};
use crate::selection::Selection;

/// Writes the files of a release of groups and returns its summary: **spends the budget**.
pub fn run(arguments: &ReleaseArguments, column: &str, output: &OutputArguments) -> Result<String, CliError> {
    let (center, radius, _) = public_ball(&arguments.input.stated, arguments.ball.bounds.as_ref())?;
    guaranteed(&arguments.guarantee)?;
    center.check_ball(radius)?;
    BandChoice::check(&arguments.band)?;
    let level = arguments.band.level.unwrap_or(DEFAULT_LEVEL);
    let layout = input::layout(&arguments.input)?;
    let inputs = arguments.input.files();
    let door = Door::open(output, Contents::Release, &arguments.account, arguments.demonstration.seed, &inputs)?;
    let door = door.printing_json(arguments.json);

    let curves = input::read(Argument::Curves, &arguments.input.table.curves, &layout)?;
    let prepared = prepared(arguments, column, &curves, &layout)?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = input::source(&arguments.input, names, arguments.guarantee.reason.because());
    let look = Look::of(&arguments.figure);
    let release = |drawn: Release<Groups>| Ok(drawn.labelled(look.labels()).read_from(source));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated =
            progress::waiting("estimating", || Estimated::<Groups>::new(release, &Band::Population, level))?;
        Answered::estimated(estimated, Selection::Off, look.clone())
    })
}

/// Everything of a release of groups but its noise.
pub fn prepared<'a>(
    arguments: &ReleaseArguments,
    column: &str,
    curves: &'a CurveSet,
    layout: &CurveLayout,
) -> Result<PreparedGroups<'a>, CliError> {
    let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.ball.bounds.as_ref())?;
    let path = &arguments.input.table.curves;
    let labels = input::text_columns(path, layout, &[column])?;
    let labels = labels.into_iter().next().unwrap_or_else(|| TextColumn::new(Vec::new()));
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let groups = PrivateGroups::new(ball, guaranteed(&arguments.guarantee)?, grouping(arguments))
        .neighbours(arguments.neighbours)
        .calibration(arguments.guarantee.budget.calibration())
        .moments(arguments.moments.into())
        .buying(shares(&arguments.ball)?.unwrap_or_default());
    let refused = |error: GroupsError| input::in_file(Argument::Curves, path, error.into());
    progress::waiting("encoding", || groups.prepare(curves, &labels)).map_err(refused)
}

fn grouping(arguments: &ReleaseArguments) -> Grouping {
    match &arguments.groups.private_labels {
        None => Grouping::Public,
        Some(names) => Grouping::Private {
            names: names.split(',').map(|name| name.trim().to_owned()).collect(),
            most: arguments.groups.groups_of_subject.unwrap_or(1),
        },
    }
}

/// A release of groups from its file, with its estimates.
pub fn read_groups(path: &Path) -> Result<Estimated<Groups>, CliError> {
    let text = input::document(path, LARGEST)?;
    Estimated::<Groups>::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })
}
