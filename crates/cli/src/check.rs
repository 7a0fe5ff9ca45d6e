//! `dpfda check` and `dpfda release --dry-run`: what a release would read and spend. For the curator's eyes.

use dpfda::ledger::Ledger;
use dpfda::mechanism::Fact;
use dpfda::plotting::{CurvesFigure, Drawing};
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::{CurveLayout, CurveSet, TableFiles, columns_of};
use dpfda_report::left_in_words;
use dpfda_study::{Asked, Data, Kind, Look as Looked, SETTINGS, Setting};
use serde_json::{Value, json};

use crate::argument::Argument;
use crate::arguments::{CheckArguments, ReleaseArguments};
use crate::density;
use crate::error::CliError;
use crate::input;
use crate::look::Look;
use crate::misasked::Misasked;
use crate::new_file::FigureFile;
use crate::progress::Bars;
use crate::request::{Request, in_words, refuse_options, split};
use crate::shown::shown;
use crate::summary::{CURATOR_ONLY, wrapped};
use crate::told::as_value;

/// Settings that name columns, beside those that name one.
const COLUMNS: [&str; 3] = ["values", "columns", "outcome"];

/// The report of `dpfda check`.
pub fn run(arguments: &CheckArguments) -> Result<String, CliError> {
    let release = &arguments.release;
    let request = Request::of(&release.files, &release.settings);
    let told = request.and_then(|request| asked(&request, arguments).map_err(|error| request.told(error)));
    told.map_err(|error| match columns(&error, release) {
        Some(columns) => CliError::OfColumns { error: Box::new(error), columns },
        None => error,
    })
}

/// The columns of the file, where a refusal is about columns: its curator reads it.
fn columns(error: &CliError, release: &ReleaseArguments) -> Option<String> {
    let refusal = error.of_study()?;
    let is_column = |setting: &&Setting| setting.value.starts_with("COLUMN") || COLUMNS.contains(&setting.name);
    let is_told = |setting: &Setting| {
        refusal.blame.names().contains(&setting.name) || refusal.why.contains(&format!("{{{}}}", setting.name))
    };
    if !SETTINGS.iter().filter(is_column).any(is_told) {
        return None;
    }
    let (_, data) = split(&release.files).ok()?;
    let layout = release.settings.table.cells(CurveLayout::new("*").ok()?);
    columns_of(&TableFiles::find(data).ok()?, &layout)
}

fn asked(request: &Request<'_>, arguments: &CheckArguments) -> Result<String, CliError> {
    let release = &arguments.release;
    refuse_options(request, release)?;
    if arguments.figure.is_some() && !has_figure(request) {
        return Err(Misasked::NotForKind { option: "--figure", kind: in_words(&request.study) }.into());
    }
    let figure = arguments.figure.as_ref().map(|path| FigureFile::check(path, "preview.svg")).transpose()?;
    let Looked { curves, mut facts } = checked(request, release)?;
    if let (Some(figure), Some(curves)) = (figure, curves) {
        let drawn = drawn(&curves, &Look::of(&request.study));
        figure.write_secret(&drawn)?;
        facts.push(Fact::new("figure", format!("{}: the curves themselves; do not publish it", shown(figure.path()))));
    }
    told(&facts, release.answer.json)
}

/// Whether its rows are curves.
fn has_figure(request: &Request<'_>) -> bool {
    !matches!(request.study.kind, Kind::Surface | Kind::Density) && !request.study.is_long()
}

/// The curves themselves: the figure is stamped.
fn drawn(curves: &CurveSet, look: &Look) -> Drawing {
    CurvesFigure::of_people(NonPrivate::new(curves)).framed(&look.frame(false))
}

/// The report of `dpfda release --dry-run`.
pub fn dry_run(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<String, CliError> {
    told(&checked(request, arguments)?.facts, arguments.answer.json)
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
fn checked<'a>(request: &Request<'a>, arguments: &ReleaseArguments) -> Result<Looked<'a>, CliError> {
    let data = Data::Files(request.data);
    let refused = |error: CliError| input::in_file(Argument::Curves, request.data, error);
    let asked = Asked::of(&request.study)?;
    let left = left(request, arguments)?;
    let mut looked = match asked {
        Some(asked) => asked.look(&data, arguments.work.work(), &Bars).map_err(refused)?.into_revealed(),
        None => Looked { curves: None, facts: density::checked(request)? },
    };
    looked.facts.extend(left.map(|left| Fact::new("ledger", left)));
    Ok(looked)
}

/// What the ledger has left, where one is named.
fn left(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<Option<String>, CliError> {
    let Some(path) = &arguments.account.ledger else { return Ok(None) };
    let papers = request.study.papers.told();
    let history = Ledger::open(path).and_then(|ledger| {
        ledger.check_dataset(papers.dataset())?;
        ledger.history()
    });
    let history = history.map_err(|reason| CliError::of_ledger(path, reason))?;
    Ok(Some(format!("{}: left {}", shown(path), left_in_words(&history))))
}
