//! `dpfda release --by`: the means of several groups in one release.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::Release;
use dpfda::release::{Grouping, Groups, GroupsError, PreparedGroups, PrivateGroups};
use dpfda::smoothing::{CurveLayout, CurveSet, TextColumn};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::calibrate::calibrated;
use crate::error::CliError;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::progress;
use crate::release::{Way, ball_on, public_ball, shares};
use crate::request::Request;
use crate::selection::Selection;

/// Writes the files of a release of groups and returns its summary: **spends the budget**.
pub fn run(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let study = &request.study;
    let (center, radius, _) = public_ball(study)?;
    calibrated(study)?;
    center.check_ball(radius)?;
    let level = study.estimate.level.unwrap_or(DEFAULT_LEVEL);
    let layout = input::layout(&study.table)?;
    let door = way.door(Contents::Release, request)?;

    let curves = input::read(Argument::Curves, request.data, &layout)?;
    let prepared = prepared(request, &curves, &layout)?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = input::source(request, names);
    let look = Look::of(&study.figure);
    let release = |drawn: Release<Groups>| Ok(drawn.labelled(look.labels()).read_from(Some(source)));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated =
            progress::waiting("estimating", || Estimated::<Groups>::new(release, &Band::Population, level))?;
        Answered::estimated(estimated, Selection::Off, look.clone())
    })
}

/// Everything of a release of groups but its noise.
pub fn prepared<'a>(
    request: &Request<'_>,
    curves: &'a CurveSet,
    layout: &CurveLayout,
) -> Result<PreparedGroups<'a>, CliError> {
    let (study, path) = (&request.study, request.data);
    let (center, radius, bounds) = public_ball(study)?;
    let column = study.groups.by.as_deref().unwrap_or_default();
    let labels = input::text_columns(path, layout, &[column])
        .map_err(|error| input::in_file(Argument::Curves, path, error.into()))?;
    let labels = labels.into_iter().next().unwrap_or_else(|| TextColumn::new(Vec::new()));
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let groups = PrivateGroups::new(ball, calibrated(study)?, grouping(&study.groups))
        .neighbours(study.privacy.relation())
        .calibration(study.privacy.calibration())
        .moments(study.privacy.second_moments())
        .buying(shares(&study.bound)?.unwrap_or_default());
    let refused = |error: GroupsError| input::in_file(Argument::Curves, path, error.into());
    progress::waiting("encoding", || groups.prepare(curves, &labels)).map_err(refused)
}

fn grouping(settings: &dpfda_study::Groups) -> Grouping {
    match &settings.private_labels {
        None => Grouping::Public,
        Some(names) => Grouping::Private { names: names.clone(), most: settings.groups_of_subject.unwrap_or(1) },
    }
}
