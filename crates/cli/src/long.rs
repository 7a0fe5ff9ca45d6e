//! `dpfda release` of a long table: the private mean of curves that were seen at other times for each subject.

use std::io::{self, Write};
use std::path::Path;

use dpfda::mechanism::{Fact, GridSource, Payable, Release, Source, budget_in_words};
use dpfda::release::{LongRows, PreparedRows, Rows, SeenRows};
use dpfda::smoothing::{CurveLayout, CurveSet, CurveSource, TableError, TableFiles};
use dpfda_study::{CenterValue, Figure, Study};
use thiserror::Error;

use crate::answered::Answered;
use crate::argument::Argument;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::input::{self, FilledBy};
use crate::long_settings::{Settings, private_mean};
use crate::look::Look;
use crate::output::Contents;
use crate::progress;
use crate::publication::Door;
use crate::release::Way;
use crate::request::Request;
use crate::selection::Selection;
use crate::summary::{CURATOR_ONLY, exact, rounded, wrapped};

/// What was asked of a long table and is not there for it.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LongRefusal {
    #[error(
        "--{option}: a release of a long table has the posterior mean for its estimate, and no smoother\nhint: leave --{option} out"
    )]
    Smoother { option: &'static str },
}

/// Writes the files of a release and returns its summary, or JSON: **spends the budget**.
pub fn run(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    if !request.study.is_long() {
        return run_of_curves(request, way);
    }
    let settings = Settings::check(&request.study)?;
    let door = way.door(Contents::Release, request)?;
    let (rows, names) = read(request.data, &settings.layout, settings.private_mean.rows()?)?;
    tell_of_unused(rows.seen().reveal());
    publish(door, &rows, request, Some(source(request, names)), settings.band)
}

/// The same for curves of which only what was seen counts: **spends the budget**.
fn run_of_curves(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let (layout, band) = check_curves(&request.study)?;
    let door = way.door(Contents::Release, request)?;
    let (_, rows, source) = rows_of_curves(request, &layout)?;
    publish(door, &rows, request, Some(source), band)
}

/// What can be refused of curves without the data.
fn check_curves(study: &Study) -> Result<(CurveLayout, BandChoice), CliError> {
    let band = BandChoice::check(&study.estimate)?;
    band.check_mechanism(false)?;
    // on any domain: that of the curves stands in their table, and the curve of a centre may be given there alone
    if !matches!(study.bound.center, Some(CenterValue::Curve(..))) {
        private_mean(study, (0.0, 1.0))?;
    }
    Ok((input::layout(&study.table)?, band))
}

fn rows_of_curves(request: &Request<'_>, layout: &CurveLayout) -> Result<(CurveSet, LongRows, Source), CliError> {
    let curves = input::read_with(Argument::Curves, request.data, layout, FilledBy::Nothing)?;
    let private_mean = private_mean(&request.study, (curves.grid().lower(), curves.grid().upper()))?;
    let rows = progress::waiting("adding up", || private_mean.rows_of(&curves))?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = input::source(request, names);
    let source = source.clone().with_gaps(Some("count as not seen")).unwrap_or(source);
    Ok((curves, rows, source))
}

fn publish(
    door: Door<'_>,
    rows: &LongRows,
    request: &Request<'_>,
    source: Option<Source>,
    band: BandChoice,
) -> Result<String, CliError> {
    let prepared = rows.prepare().map_err(|error| input::in_file(Argument::Curves, request.data, error.into()))?;
    released(door, prepared, &request.study.figure, source, band)
}

/// Draws the noise and writes the files: **spends the budget**.
pub fn released(
    door: Door<'_>,
    prepared: PreparedRows<'_>,
    figure: &Figure,
    source: Option<Source>,
    band: BandChoice,
) -> Result<String, CliError> {
    let look = Look::of(figure);
    let release = |drawn: Release<Rows>| Ok(drawn.labelled(look.labels()).read_from(source));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated = progress::waiting("estimating", || band.plain::<Rows>(release.clone()));
        Answered::of(release, estimated.map(|estimated| (estimated, Selection::Off)), look.clone())
    })
}

/// All rows of the files, and the names of the columns of times and values, where they are surely names.
pub fn read(
    path: &Path,
    layout: &CurveLayout,
    mut rows: LongRows,
) -> Result<(LongRows, Option<Vec<String>>), CliError> {
    let refused = |error: TableError| input::in_file(Argument::Curves, path, error.into());
    let files = TableFiles::find(path).map_err(refused)?;
    let progress = progress::reading(input::bytes_of(&files));
    let mut names = None;
    let mut first = None;
    for file in 0..files.paths().len() {
        let watched = files.open_with(file, layout, |bytes| Box::new(progress.wrap_read(bytes)));
        let mut source = watched.map_err(refused)?;
        rows.read(&mut source).map_err(|error| refused(files.in_file(file, error)))?;
        match &first {
            None => {
                names = source.column_names().map(|names| names.into_iter().map(str::to_owned).collect());
                first = Some(source);
            }
            Some(first) => files.check_same(first, file, &source).map_err(refused)?,
        }
    }
    progress.finish_and_clear();
    input::tell_of_ids(rows.similar_ids());
    Ok((rows, names))
}

/// How the table was read. Names that could not be printed on a line are left out.
fn source(request: &Request<'_>, names: Option<Vec<String>>) -> Source {
    let names = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
    input::source_on(request, (Some(GridSource::Rows), request.study.table.id.as_deref()), names)
}

/// Tells the curator that many rows count as none. It depends on the data, so it goes to the terminal and nowhere else.
pub fn tell_of_unused(seen: &SeenRows) {
    if let Some(share) = seen.many_unused() {
        let note = format!(
            "NOTE, not for publication: {}% of the rows lie outside the domain, or have no time or no value, and count as no rows. Where \
             values are missing for a reason, such as dropout, the mean is biased, and no band says so.",
            rounded(100.0 * share)
        );
        // Without a standard error stream, nobody is there to be told.
        let _ = write!(io::stderr(), "{CURATOR_ONLY}\n{}", wrapped("", &note));
    }
}

/// What `dpfda check` tells of a long table.
pub fn checked(request: &Request<'_>, left: Option<String>) -> Result<Vec<Fact>, CliError> {
    let settings = Settings::check(&request.study)?;
    let (rows, names) = read(request.data, &settings.layout, settings.private_mean.rows()?)?;
    report(request, &rows, &source(request, names), left)
}

/// The same on curves of which only what was seen counts.
pub fn checked_curves(request: &Request<'_>, left: Option<String>) -> Result<(CurveSet, Vec<Fact>), CliError> {
    let (layout, _) = check_curves(&request.study)?;
    let (curves, rows, source) = rows_of_curves(request, &layout)?;
    Ok((curves, report(request, &rows, &source, left)?))
}

fn report(
    request: &Request<'_>,
    rows: &LongRows,
    source: &Source,
    left: Option<String>,
) -> Result<Vec<Fact>, CliError> {
    let prepared = rows.prepare().map_err(|error| input::in_file(Argument::Curves, request.data, error.into()))?;
    let mut facts = Vec::new();
    let mut tell = |name: &'static str, text: String| facts.push(Fact::new(name, text));
    let statistic = rows.mechanism().statistic();
    let (lower, upper) = (exact(statistic.grid().lower()), exact(statistic.grid().upper()));
    tell("grid", format!("{} bins from {lower} to {upper}", statistic.bins()));
    for fact in source.facts() {
        tell(fact.name, fact.text);
    }
    let seen = rows.seen();
    let SeenRows { rows: all, outside, missing, clamped, mut bins } = seen.into_revealed();
    bins.sort_unstable();
    let (least, most) = (bins.first().copied().unwrap_or(0), bins.last().copied().unwrap_or(0));
    let median = bins.get(bins.len() / 2).copied().unwrap_or(0);
    let similar = match *rows.similar_ids().reveal() {
        0 => String::new(),
        groups => format!("; groups of ids that look alike: {groups}. Correct them, or a person counts as two"),
    };
    tell(
        "rows",
        format!("{all} rows of {} subjects, in {least} to {most} bins each, median {median}{similar}", bins.len()),
    );
    tell("missing", format!("{missing} rows without a time or a value"));
    let count = format!(
        "{outside} rows outside the domain, which count as no rows; {clamped} values beyond the bound, which are clamped. Do not choose \
         domain, bounds or ball by these numbers"
    );
    tell("values", count);
    tell("cost", format!("a release would spend {}", budget_in_words(&prepared.asked().guarantee.budget())));
    if let Some(left) = left {
        tell("ledger", left);
    }
    Ok(facts)
}
