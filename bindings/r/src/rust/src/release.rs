//! From a study and private data to the document of a release, by the one way of every door.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dpfda::AnyRelease;
use dpfda::analysis::{Estimable, View};
use dpfda::density::{CellDraws, Histogram, HistogramRelease, Points, Series};
use dpfda::kinds::Kind;
use dpfda::mechanism::Release;
use dpfda_study::{Asked, AskedDensity, Data, Estimating, MechanismName, Work, tell_of_repeats};
use savvy::{ListSexp, Sexp, TypedSexp};

use crate::door::{Door, Gathered, Payment};
use crate::out::Out;
use crate::refusal::Refusal;
use crate::study::OfR;
use crate::table::{Held, OfData};

/// Private data: files, or what R holds.
enum Private {
    Files(String),
    Memory(Box<Held>),
}

impl Private {
    fn of(study: &OfR, data: Sexp) -> Result<Self, Refusal> {
        match data.into_typed() {
            TypedSexp::String(path) => {
                let (setting, what) = if study.checked.kind == dpfda_study::Kind::Density {
                    ("columns", "the columns of a file")
                } else {
                    ("values", "the value columns of a file, such as values = \"cca_*\"")
                };
                if study.takes_all {
                    return Err(Refusal::new(setting, format!("`{setting}` must name {what}")));
                }
                Ok(Self::Files(path.iter().next().unwrap_or_default().to_owned()))
            }
            TypedSexp::List(data) => Ok(Self::Memory(Box::new(OfData::of(&data)?.read(study)?))),
            _ => Err(Refusal::new("data", "the data are neither a matrix of numbers, a data frame, curves nor a path")),
        }
    }
}

fn work(threads: i32) -> Work {
    Work { threads: usize::try_from(threads).ok().and_then(NonZeroUsize::new), is_sorted: false }
}

/// Releases what a study asks for, and gives the document: **spends the budget**.
///
/// # Errors
/// [`Refusal`] before the payment, and of the ledger.
pub fn release(study: &OfR, data: Sexp, door: &Door, threads: i32) -> Result<String, Refusal> {
    door.check_dataset(study.checked.papers.told().dataset())?;
    let data = Private::of(study, data)?;
    let gathered = Gathered::new(matches!(data, Private::Files(_)));
    let Some(asked) = Asked::of(&study.checked)? else { return density(study, &data, door, &gathered) };
    let payment = Payment { door, gathered: &gathered };
    match &data {
        Private::Files(path) => asked.release(&Data::Files(Path::new(path)), work(threads), payment, &gathered),
        Private::Memory(held) if study.checked.is_long() => {
            asked.release_long(&held.long()?, work(threads), payment, &gathered)
        }
        Private::Memory(held) => asked.release_rows(&held.table()?, work(threads), payment, &gathered),
    }
}

/// The document of a release that was just paid for, with its estimate: whatever goes wrong with that, the release stays.
///
/// # Errors
/// None in practice: every number in a release is finite.
pub fn documented<S: Kind>(release: <S as Estimable>::View, estimate: Estimating<'_, S>) -> Result<String, Refusal> {
    let alone = release.write(None::<&()>)?;
    let estimated = catch_unwind(AssertUnwindSafe(|| Ok::<_, Refusal>(estimate(release)?.0.to_json()?)));
    Ok(estimated.ok().and_then(Result::ok).unwrap_or(alone))
}

fn points(asked: &AskedDensity, data: &Private, gathered: &Gathered, study: &OfR) -> Result<Points, Refusal> {
    let points = match data {
        Private::Files(path) => {
            let file = std::fs::File::open(path);
            let file =
                file.map_err(|error| Refusal::new("data", format!("the file cannot be read: {}", error.kind())))?;
            tell_of_repeats(&study.checked, &Data::Files(Path::new(path)), gathered);
            Points::from_csv_reader(file, &asked.layout.clone().of_file(Path::new(path)), asked.bounds.clone())?
        }
        Private::Memory(held) => held.points(asked)?,
    };
    dpfda_study::tell_of_ids(gathered, &points.similar_ids());
    dpfda_study::tell_of_missing(gathered, &points.missing_cells(), dpfda_study::FilledBy::Center);
    Ok(points)
}

fn density(study: &OfR, data: &Private, door: &Door, gathered: &Gathered) -> Result<String, Refusal> {
    let asked = AskedDensity::of(&study.checked)?;
    let points = points(&asked, data, gathered, study)?;
    let source = Some(study.checked.source(Some(asked.columns.iter().map(String::as_str).collect())));
    let labels = asked.labels();
    let release = match asked.mechanism {
        // a density has no other
        MechanismName::Perturbed | MechanismName::Isonormal | MechanismName::CameronMartin => {
            let drawn: Release<Histogram> = door.draw(asked.histogram(&points)?.prepare(&points)?, gathered)?;
            let release = HistogramRelease::from(drawn.labelled(labels).read_from(source));
            // cells that nobody asked for are merged by the estimated risk, a function of the noisy counts
            let merged = catch_unwind(AssertUnwindSafe(|| asked.cells.is_none().then(|| release.merged_by_risk())));
            AnyRelease::Histogram(Box::new(merged.ok().flatten().unwrap_or(release)))
        }
        MechanismName::Smoothed | MechanismName::Exponential => {
            let drawn: CellDraws = if asked.mechanism == MechanismName::Smoothed {
                door.draw(asked.smoothed(&points)?.prepare(&points)?, gathered)?
            } else {
                door.draw(asked.exponential(&points)?.prepare(&points)?, gathered)?
            };
            AnyRelease::Draws(Box::new(drawn.labelled(labels).read_from(source)))
        }
        MechanismName::Series | MechanismName::SeriesExponential => {
            let drawn: Release<Series> = door.draw(asked.series()?.prepare(&points)?, gathered)?;
            AnyRelease::Series(Box::new(drawn.labelled(labels).read_from(source).into()))
        }
    };
    Ok(release.published().to_json()?)
}

/// What a release would read and spend, by names: for the curator alone. Nothing is drawn.
///
/// # Errors
/// [`Refusal`], also for whatever a release refuses before its noise.
pub fn check(study: &OfR, data: Sexp, threads: i32) -> Result<Out, Refusal> {
    let data = Private::of(study, data)?;
    let gathered = Gathered::new(matches!(data, Private::Files(_)));
    let facts = match (Asked::of(&study.checked)?, &data) {
        (None, _) => {
            let asked = AskedDensity::of(&study.checked)?;
            asked.look(&points(&asked, &data, &gathered, study)?)?.into_revealed()
        }
        (Some(asked), Private::Files(path)) => {
            let look = asked.look::<Refusal>(&Data::Files(Path::new(path)), work(threads), &gathered)?;
            look.into_revealed().facts
        }
        (Some(asked), Private::Memory(held)) if study.checked.is_long() => {
            asked.look_long::<Refusal>(&held.long()?, work(threads), &gathered)?.into_revealed()
        }
        (Some(asked), Private::Memory(held)) => {
            let table = held.table()?;
            let curves = table.curves()?;
            asked.look::<Refusal>(&Data::Memory(&curves, &table.texts), work(threads), &gathered)?.into_revealed().facts
        }
    };
    Ok(crate::public::told(facts))
}

/// What a list of settings says of a number or a text.
pub fn numbers_of(list: &ListSexp, name: &str) -> Option<Vec<f64>> {
    list.get(name).and_then(crate::study::numbers)
}
