//! The compiled part of the R package `dpfda`: vectors in, documents and vectors out.
//!
//! It holds no mathematics and no defaults of its own. A release is its document: whatever R asks of one is read from there.

mod cells;
mod door;
mod ledger;
mod out;
mod public;
mod refusal;
mod release;
mod study;
mod table;

use dpfda_study::{Errors, Forecast};
use savvy::{FunctionSexp, ListSexp, RealSexp, Sexp, StringSexp, savvy};

use crate::door::Door;
use crate::out::{Out, answer};
use crate::study::OfR;
use crate::table::texts;

/// All settings of a kind.
/// @noRd
#[savvy]
fn rs_settings(kind: &str) -> savvy::Result<Sexp> {
    answer(|| study::settings_of(kind))
}

/// The study of arguments.
/// @noRd
#[savvy]
fn rs_study(kind: &str, arguments: ListSexp) -> savvy::Result<Sexp> {
    answer(|| OfR::of_arguments(kind, &arguments)?.shown())
}

/// The study of a file.
/// @noRd
#[savvy]
fn rs_study_of_file(text: &str, folder: &str) -> savvy::Result<Sexp> {
    answer(|| OfR::of_toml(text, folder)?.shown())
}

/// Releases, and gives the document.
/// @noRd
#[savvy]
fn rs_release(
    study: &str,
    takes_all: bool,
    data: Sexp,
    door: ListSexp,
    tell: FunctionSexp,
    threads: i32,
) -> savvy::Result<Sexp> {
    answer(|| {
        let (study, door) = (OfR::of_json(study, takes_all)?, Door::of(&door, tell)?);
        Ok(release::release(&study, data, &door, threads)?.into())
    })
}

/// What a release would read and spend.
/// @noRd
#[savvy]
fn rs_check(study: &str, takes_all: bool, data: Sexp, threads: i32) -> savvy::Result<Sexp> {
    answer(|| release::check(&OfR::of_json(study, takes_all)?, data, threads))
}

/// What a study will be worth.
/// @noRd
#[savvy]
fn rs_forecast(study: &str, records: RealSexp, options: ListSexp) -> savvy::Result<Sexp> {
    answer(|| {
        let checked = OfR::of_json(study, false)?.checked;
        let number = |name: &str| release::numbers_of(&options, name).and_then(|numbers| numbers.first().copied());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "R checked that they are whole")]
        let whole = |number: f64| number as u64;
        let points = usize::try_from(whole(number("points").unwrap_or(50.0))).unwrap_or(usize::MAX);
        let forecast = Forecast::of((*checked).clone(), points, number("spread"))?;
        let needed =
            number("error").map(|error| Errors::of(&forecast).records_for(error, forecast.epsilon())).transpose()?;
        let asked: Vec<u64> = if records.is_empty() {
            needed.into_iter().collect()
        } else {
            records.iter().map(|&one| whole(one)).collect()
        };
        let expected = asked.iter().map(|&records| forecast.expected(records)).collect::<Result<Vec<_>, _>>()?;
        let main = |of: fn(&dpfda_study::Foretold) -> f64| {
            Out::Numbers(expected.iter().map(|one| one.main.as_ref().map_or(f64::NAN, of)).collect())
        };
        Ok(Out::named([
            ("needed", needed.map(|needed| needed as f64).into()),
            ("records", Out::Numbers(asked.iter().map(|&records| records as f64).collect())),
            ("error", main(|one| one.error)),
            ("half_width", main(|one| one.half_width)),
            ("refused", Out::Texts(expected.iter().map(|one| one.refused.clone().unwrap_or_default()).collect())),
        ]))
    })
}

/// All that is shown of a release.
/// @noRd
#[savvy]
fn rs_describe(document: &str) -> savvy::Result<Sexp> {
    answer(|| public::described(document))
}

/// The estimate at points.
/// @noRd
#[savvy]
fn rs_evaluate(document: &str, at: RealSexp, s: Option<RealSexp>, name: Option<&str>) -> savvy::Result<Sexp> {
    answer(|| public::evaluated(document, name, at.as_slice(), s.as_ref().map(RealSexp::as_slice)))
}

/// The mean curve of a regression for one value of each covariate.
/// @noRd
#[savvy]
fn rs_predict(document: &str, at: ListSexp) -> savvy::Result<Sexp> {
    answer(|| {
        let cells = at.iter().map(|(name, cell)| (name.to_owned(), cells::said(cell).unwrap_or_default()));
        public::predicted(document, &cells.collect::<Vec<_>>())
    })
}

/// The document with a band of another level.
/// @noRd
#[savvy]
fn rs_with_level(document: &str, level: f64) -> savvy::Result<Sexp> {
    answer(|| Ok(public::at_level(document, level)?.into()))
}

/// Slopes and an integral.
/// @noRd
#[savvy]
fn rs_features(
    document: &str,
    name: Option<&str>,
    at: Option<RealSexp>,
    window: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
) -> savvy::Result<Sexp> {
    let at = at.as_ref().map(RealSexp::as_slice);
    answer(|| public::features(document, name, at, window, from.zip(to)))
}

/// The first mean minus the second.
/// @noRd
#[savvy]
fn rs_compare(
    first: &str,
    second: &str,
    level: f64,
    of_first: Option<&str>,
    of_second: Option<&str>,
) -> savvy::Result<Sexp> {
    answer(|| public::compared((first, of_first), (second, of_second), level))
}

/// How curves vary.
/// @noRd
#[savvy]
fn rs_components(document: &str) -> savvy::Result<Sexp> {
    answer(|| public::components(document))
}

/// Synthetic curves.
/// @noRd
#[savvy]
fn rs_simulate(document: &str, curves: i32, seed: i32) -> savvy::Result<Sexp> {
    let size = usize::try_from(curves).unwrap_or_default();
    answer(|| public::simulated(document, size, u64::try_from(seed).unwrap_or_default()))
}

/// The values below which shares lie.
/// @noRd
#[savvy]
fn rs_quantiles(
    document: &str,
    shares: RealSexp,
    normal: bool,
    level: Option<f64>,
    name: Option<&str>,
) -> savvy::Result<Sexp> {
    answer(|| public::quantiles(document, shares.as_slice(), normal, (level, name)))
}

/// Creates a ledger.
/// @noRd
#[savvy]
fn rs_ledger_create(
    path: &str,
    terms: StringSexp,
    epsilon: f64,
    delta: f64,
    groups: StringSexp,
) -> savvy::Result<Sexp> {
    let terms = texts(&terms);
    let text = |at: usize| terms.get(at).map_or("", String::as_str);
    answer(|| ledger::create(path, [text(0), text(1), text(2)], (epsilon, delta), &texts(&groups)))
}

/// What a ledger holds.
/// @noRd
#[savvy]
fn rs_ledger_show(path: &str) -> savvy::Result<Sexp> {
    answer(|| ledger::shown(path))
}

/// What a release says of a study or a ledger, and they do not.
/// @noRd
#[savvy]
fn rs_mismatches(document: &str, study: Option<&str>, ledger: Option<&str>) -> savvy::Result<Sexp> {
    answer(|| {
        let study = study.map(|study| OfR::of_json(study, false)).transpose()?;
        ledger::mismatches(document, study.as_ref(), ledger)
    })
}

/// Pages about releases, as HTML.
/// @noRd
#[savvy]
fn rs_report(documents: StringSexp, ledger: Option<&str>) -> savvy::Result<Sexp> {
    answer(|| Ok(ledger::report(&texts(&documents), ledger)?.into()))
}
