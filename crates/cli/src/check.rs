//! `dpfda check` and `dpfda release --dry-run`: what a release would read and spend. For the curator's eyes.
//!
//! It asks everything that a release asks before its noise, draws nothing, and writes nothing public.

use std::collections::HashMap;
use std::path::Path;

use dpfda::kernels::Grid;
use dpfda::kinds::weak_delta;
use dpfda::ledger::Ledger;
use dpfda::mechanism::{Fact, Payable, Source, budget_in_words};
use dpfda::plotting::CurvesFigure;
use dpfda::privacy::{NeighbouringRelation, NonPrivate, PrivacyBudget};
use dpfda::release::ReleaseError;
use dpfda::smoothing::{Ball, BoundedCurves, CurveSet};
use dpfda_study::Kind;
use serde_json::{Value, json};

use crate::argument::Argument;
use crate::arguments::{CheckArguments, ReleaseArguments, WorkArguments};
use crate::error::CliError;
use crate::gaps;
use crate::groups;
use crate::input;
use crate::ledger::left_in_words;
use crate::long;
use crate::look::Look;
use crate::new_file::FigureFile;
use crate::progress;
use crate::publication;
use crate::regress;
use crate::release::{Settings, ball_on, public_ball};
use crate::request::{Request, in_words, refuse_options};
use crate::shown::shown;
use crate::summary::{CURATOR_ONLY, exact, least_step, rounded, rounded_beside, wrapped};
use crate::surfaces;
use crate::told::as_value;

/// The most rows and columns that are named.
const MOST_SHOWN: usize = 6;

/// The report of `dpfda check`.
pub fn run(arguments: &CheckArguments) -> Result<String, CliError> {
    let release = &arguments.release;
    let request = Request::of(&release.files, &release.settings, None)?;
    refuse_options(&request, release)?;
    if arguments.figure.is_some() && !has_figure(&request) {
        return Err(CliError::NotForKind { option: "--figure", kind: in_words(&request.study) });
    }
    let figure = arguments.figure.as_ref().map(|path| FigureFile::check(path, "preview.svg")).transpose()?;
    let (curves, mut facts) = checked(&request, release)?;
    if let (Some(figure), Some(curves)) = (figure, curves) {
        let drawn = drawn(&curves, &Look::of(&request.study.figure));
        figure.write_secret(|| drawn.to_svg(), || drawn.to_pdf(), || drawn.to_png())?;
        facts.push(Fact::new("figure", format!("{}: the curves themselves; do not publish it", shown(figure.path()))));
    }
    told(&facts, release.json)
}

/// Whether its rows are curves.
fn has_figure(request: &Request<'_>) -> bool {
    !matches!(request.study.kind, Kind::Surface | Kind::Density) && !request.study.is_long()
}

/// The curves themselves: the figure is stamped.
fn drawn(curves: &CurveSet, look: &Look) -> CurvesFigure {
    let (x, y) = look.axes(("t", "value"));
    let figure =
        CurvesFigure::of_people(NonPrivate::new(curves)).title(look.title("Curves as they were read")).axes(x, y);
    match look.size() {
        Some(size) => figure.size(size),
        None => figure,
    }
}

/// The report of `dpfda release --dry-run`.
pub fn dry_run(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<String, CliError> {
    told(&checked(request, arguments)?.1, arguments.json)
}

/// What is told, in words or as JSON with the keys warning, closing and facts.
fn told(facts: &[Fact], as_json: bool) -> Result<String, CliError> {
    const CLOSING: &str = "Nothing was drawn, written or spent.";
    if !as_json {
        let facts: String = facts.iter().map(|fact| wrapped(fact.name, &fact.text)).collect();
        return Ok(format!("{CURATOR_ONLY}\n{CLOSING}\n\n{facts}"));
    }
    let facts: Vec<Value> = facts.iter().map(as_value).collect();
    Ok(serde_json::to_string_pretty(&json!({ "warning": CURATOR_ONLY, "closing": CLOSING, "facts": facts }))? + "\n")
}

/// What is told of the table, and its curves, where its rows are curves.
fn checked(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<(Option<CurveSet>, Vec<Fact>), CliError> {
    let left = || left(arguments);
    let (curves, facts) = match request.study.kind {
        Kind::Rows if request.study.is_long() => return Ok((None, long::checked(request, left()?)?)),
        Kind::Surface => return Ok((None, surfaces::checked(request, &arguments.work, left()?)?)),
        Kind::Rows => long::checked_curves(request, left()?)?,
        Kind::Mean | Kind::Groups => checked_curves(request, arguments)?,
        Kind::Regression => regress::checked(request, left()?)?,
        Kind::Density => {
            return Err(CliError::NotForKind { option: "dpfda check", kind: in_words(&request.study) });
        }
    };
    Ok((Some(curves), facts))
}

fn checked_curves(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<(CurveSet, Vec<Fact>), CliError> {
    let (study, table) = (&request.study, &request.study.table);
    let settings = Settings::check(study)?;
    let left = left(arguments)?;
    let curves = input::read_with(Argument::Curves, request.data, &settings.layout, gaps::filled_by(table))?;
    let filled = table.is_process().then(|| settings.filled(table, curves.clone())).transpose()?;
    let cost = cost(request, &settings, filled.as_ref().unwrap_or(&curves), &arguments.work)?;
    let (center, radius, bounds) = public_ball(study)?;
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = gaps::told(table, input::source(request, names));
    let mut facts = of_curves(&curves, &ball, bounds, &source)?;
    facts.extend(cost_in_words(&cost, &curves, study.privacy.relation()));
    facts.extend(left.map(|left| Fact::new("ledger", left)));
    Ok((curves, facts))
}

/// What is told of curves: how they would be read, and what is often a mistake.
pub fn of_curves(
    curves: &CurveSet,
    ball: &Ball,
    bounds: Option<(f64, f64)>,
    source: &Source,
) -> Result<Vec<Fact>, CliError> {
    let names: Option<Vec<&str>> = curves.column_names().map(|names| names.iter().map(AsRef::as_ref).collect());
    let mut facts = vec![Fact::new("grid", columns(curves.grid(), names.as_deref()))];
    // the study itself is known to whoever asks
    facts.extend(source.facts().into_iter().filter(|fact| fact.name != "study"));
    let bounded = ball.bound(curves)?;
    facts.push(Fact::new("rows", rows(curves, "row")));
    facts.push(Fact::new("missing", missing(curves, "row")));
    facts.push(Fact::new("values", values(&bounded, bounds, "row")));
    let notes = suspicious(curves, "row").into_iter().chain(other_units(curves, bounds));
    facts.extend(notes.map(|note| Fact::new("look at", note)));
    Ok(facts)
}

/// What would be spent; and a delta that is weak for so many records, before it is paid.
pub fn cost_in_words(budget: &PrivacyBudget, curves: &CurveSet, neighbours: NeighbouringRelation) -> Vec<Fact> {
    let cost = format!("a release would spend {}", budget_in_words(budget));
    let weak = weak_delta(budget.delta(), curves.units() as f64, neighbours);
    weak.into_iter().map(|note| Fact::new("look at", note)).chain([Fact::new("cost", cost)]).collect()
}

/// A mistake of units: nearly all values lie outside the bounds, as percent do where the bounds are 0 and 1.
fn other_units(curves: &CurveSet, bounds: Option<(f64, f64)>) -> Option<String> {
    let (lower, upper) = bounds?;
    let values = curves.values();
    let observed = || values.iter().filter(|value| !value.is_nan());
    let outside = observed().filter(|value| !(lower..=upper).contains(*value)).count();
    let count = observed().count();
    (10 * outside > 9 * count).then(|| {
        format!("{outside} of {count} values lie outside the bounds: are they in other units, such as percent for fractions?")
    })
}

/// What would be spent. Whatever a release refuses before its noise is refused here too.
fn cost(
    request: &Request<'_>,
    settings: &Settings<'_>,
    curves: &CurveSet,
    work: &WorkArguments,
) -> Result<PrivacyBudget, CliError> {
    let guarantee = if request.study.kind == Kind::Groups {
        groups::prepared(request, curves, &settings.layout)?.asked().guarantee
    } else {
        let refused = |error: ReleaseError| input::in_file(Argument::Curves, request.data, error.into());
        let private_mean = settings.private_mean(curves.grid())?;
        let prepare = || private_mean.prepare_on(curves, curves.grid(), Some(work.threads()));
        progress::waiting("encoding", prepare).map_err(refused)?.asked().guarantee
    };
    Ok(guarantee.budget())
}

/// What the ledger has left, where one is named.
fn left(arguments: &ReleaseArguments) -> Result<Option<String>, CliError> {
    let Some(path) = &arguments.account.ledger else { return Ok(None) };
    let history = Ledger::open(path).and_then(|ledger| ledger.history());
    let history = history.map_err(|reason| publication::refused(path, reason))?;
    Ok(Some(format!("{}: left {}", shown(path), left_in_words(&history))))
}

/// The columns in their order, each with its point.
pub fn columns(grid: &Grid, names: Option<&[&str]>) -> String {
    let points = grid.points();
    let step = least_step(points);
    let place = |index: usize| match names.and_then(|names| names.get(index)) {
        Some(name) => format!("{}\u{a0}at\u{a0}{}", shown(Path::new(name)), rounded_beside(points[index], step)),
        None => rounded_beside(points[index], step),
    };
    let count = points.len();
    let ends = if count <= MOST_SHOWN { count } else { MOST_SHOWN / 2 };
    let mut named: Vec<String> = (0..ends).map(place).collect();
    if count > ends {
        named.push("...".to_owned());
        named.extend((count - ends..count).map(place));
    }
    let end = grid.is_periodic().then(|| format!("; the domain closes up at {}", rounded_beside(grid.upper(), step)));
    format!("{count} points: {}{}", named.join(", "), end.unwrap_or_default())
}

/// How many there are. `row` is what a row of the set is called.
pub fn rows(curves: &CurveSet, row: &str) -> String {
    let mut sizes: Vec<usize> = curves.records().map(|rows| rows.len()).collect();
    sizes.sort_unstable();
    let (Some(least), Some(most)) = (sizes.first(), sizes.last()) else { return "none".to_owned() };
    let records = format!("{} {row}s, {} records ({}s)", curves.len(), curves.units(), curves.unit());
    let median = sizes[sizes.len() / 2];
    let each = match most {
        1 => format!(", one {row} each"),
        _ => format!("; from {least} to {most} {row}s a record, median {median}"),
    };
    let similar = match *curves.similar_ids().reveal() {
        0 => String::new(),
        groups => format!("; groups of ids that look alike: {groups}. Correct them, or a person counts as two"),
    };
    records + &each + &similar
}

/// The missing cells.
pub fn missing(curves: &CurveSet, row: &str) -> String {
    let is_missing = |index: usize| curves.values().row(index).iter().filter(|value| value.is_nan()).count();
    let each: Vec<usize> = (0..curves.len()).map(is_missing).collect();
    let (cells, points) = (each.iter().sum::<usize>(), curves.grid().len());
    if cells == 0 {
        return "no cell".to_owned();
    }
    let share = cells as f64 / (curves.len() * points) as f64;
    let whole = each.iter().filter(|&&count| count == points).count();
    let codes = curves.missing_cells();
    let codes: Vec<String> =
        codes.reveal().iter().map(|(code, count)| format!("{}\u{a0}({count})", code.escape_debug())).collect();
    let written = if codes.is_empty() { String::new() } else { format!("; written as {}", codes.join(", ")) };
    format!(
        "{cells} cells ({}%), in {} {row}s; {row}s without any value: {whole}{written}",
        rounded(100.0 * share),
        each.iter().filter(|&&count| count > 0).count()
    )
}

/// The range of the values, and what bounds and ball change.
pub fn values(bounded: &BoundedCurves<'_>, bounds: Option<(f64, f64)>, row: &str) -> String {
    let curves = bounded.curves();
    let observed: Vec<f64> = curves.values().iter().copied().filter(|value| !value.is_nan()).collect();
    let (least, most) = observed.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    if observed.is_empty() {
        return "none".to_owned();
    }
    let outside = bounds.map(|(lower, upper)| {
        let count = observed.iter().filter(|value| !(lower..=upper).contains(*value)).count();
        format!("; {count} outside the bounds {} to {}, which are clamped", exact(lower), exact(upper))
    });
    let projected = *bounded.projected().reveal();
    let share = rounded(100.0 * projected as f64 / curves.len().max(1) as f64);
    format!(
        "from {} to {}{}; {row}s that the stated ball pulls in: {projected} of {} ({share}%). Do not choose bounds or ball by these \
         numbers",
        rounded_beside(least, most - least),
        rounded_beside(most, most - least),
        outside.unwrap_or_default(),
        curves.len()
    )
}

/// Rows that are often mistakes.
pub fn suspicious(curves: &CurveSet, row: &str) -> Vec<String> {
    let called = if row == "row" { "data rows".to_owned() } else { format!("{row}s, counted by their first rows,") };
    let (mut constant, mut repeated) = (Vec::new(), Vec::new());
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    for (index, values) in curves.values().rows().into_iter().enumerate() {
        let first = values[0];
        if values.iter().all(|value| *value == first) {
            constant.push(index + 1);
        } else if known.insert(values.iter().map(|value| value.to_bits()).collect(), index).is_some() {
            repeated.push(index + 1);
        }
    }
    let listed = |what: &str, rows: &[usize]| {
        let named: Vec<String> = rows.iter().take(MOST_SHOWN).map(usize::to_string).collect();
        let more = if rows.len() > MOST_SHOWN { format!(",... ({} in all)", rows.len()) } else { String::new() };
        (!rows.is_empty()).then(|| format!("{called} {what}: {}{more}", named.join(",")))
    };
    [listed("of one value alone", &constant), listed("that repeat an earlier one", &repeated)]
        .into_iter()
        .flatten()
        .collect()
}
