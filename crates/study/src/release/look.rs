//! What a release would read and spend: for the curator's eyes. It asks everything that a release asks before its noise, and draws
//! nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::marker::PhantomData;

use dpfda::kernels::Grid;
use dpfda::kinds::{Kind as Estimable, weak_delta};
use dpfda::mechanism::{
    Fact, Mechanism, Payable, Release, Source, Statistic, budget_in_words, exact, least_step, rounded, rounded_beside,
};
use dpfda::privacy::{NonPrivate, PrivacyBudget, PrivacyUnit};
use dpfda::release::{Centiles, Covariate, InBall, LongRows, OfRows, PrivateCentiles, SeenRows};
use dpfda::smoothing::{BoundedCurves, CurveSet, TableFiles, TextColumn};

use super::account::{Account, Failure, Finish};
use super::asked::Asked;
use super::covariates::{no_times, seen, tell_of_change};
use super::curves::named_column;
use super::data::{Data, Work};
use super::repeats::tell_of_repeats;
use super::tables::{column_names, read_curves, read_rows};
use super::watch::{FilledBy, Unwatched, Watch};

use crate::asked::{AskedCentiles, AskedRows, PublicBall};
use crate::refusal::Refusal;

/// The most rows and columns that are named.
const MOST_SHOWN: usize = 6;

/// What a release would read and spend. It depends on the data.
#[derive(Debug, Clone)]
pub struct Look<'a> {
    /// The curves themselves, where each row is one.
    pub curves: Option<Cow<'a, CurveSet>>,
    /// What there is to say of them.
    pub facts: Vec<Fact>,
}

/// An account that asks for the price, and pays nothing.
struct Price<E>(PhantomData<E>);

impl<E: Failure> Account for Price<E> {
    type Output = PrivacyBudget;
    type Error = E;

    fn pay<S: Estimable>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        _: Finish<'_, S>,
    ) -> Result<PrivacyBudget, E> {
        Ok(prepared.asked().guarantee.budget())
    }
}

impl Asked<'_> {
    /// What the release would read and spend. Whatever a release refuses before its noise is refused here too.
    ///
    /// # Errors
    /// As a release, before its payment.
    pub fn look<'d, E: Failure>(
        &self,
        data: &Data<'d>,
        work: Work,
        watch: &dyn Watch,
    ) -> Result<NonPrivate<Look<'d>>, E> {
        let (study, layout) = (self.study(), self.layout()?);
        tell_of_repeats(study, data, watch);
        if let (Self::Rows(asked), Data::Files(path), true) = (self, *data, study.is_long()) {
            let files = TableFiles::find(path)?;
            let (rows, names) = read_rows(&files, &layout, asked.on_domain()?.rows()?, None, watch)?;
            return asked.look(&rows, names.as_ref().map(|names| names.iter().map(String::as_str).collect()));
        }
        if let (Self::Centiles(asked), Data::Files(path), true) = (self, *data, study.is_long()) {
            let (centiles, rows) = asked.rows()?;
            let (rows, names) = read_rows(&TableFiles::find(path)?, &layout, rows, None, watch)?;
            let names = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
            return asked.look(&centiles, &rows, names);
        }
        let filled = if study.is_of_rows() { FilledBy::Nothing } else { FilledBy::of(study) };
        let curves = read_curves(data, &layout, filled, watch)?;
        let columns = match self {
            Self::Groups(asked) => named_column::<E>(data, &layout, ("by", asked.by()), watch)?,
            Self::Change(asked) => named_column::<E>(data, &layout, (asked.setting(), asked.of.column()), watch)?,
            Self::Regression(asked) => asked.columns::<E>(data, &Unwatched)?,
            Self::Mean(_) | Self::Rows(_) | Self::Surface(_) | Self::Centiles(_) => Cow::Owned(Vec::new()),
        };
        let price = self.release(&Data::Memory(&curves, &columns), work, Price::<E>(PhantomData), &Unwatched)?;
        let source = study.source(column_names(&curves));
        let mut facts = match self {
            Self::Mean(asked) => of_curves(&curves, &asked.ball, &source)?,
            Self::Centiles(asked) if study.is_of_rows() => {
                let (_, rows) = asked.rows_of(&curves)?;
                let few = few_of_chart(rows.mechanism(), curves.units() as u64);
                of_rows(&rows, &source).into_iter().chain(few).collect()
            }
            Self::Centiles(asked) => {
                let mechanism = asked.private_centiles(curves.grid())?.mechanism(curves.grid(), curves.unit(), None)?;
                let centiles = mechanism.statistic();
                let bounded = centiles.ball().bound(&curves).map_err(Refusal::from)?;
                let pulled = *centiles.pulled(&bounded).reveal();
                let read = of_bounded(&bounded, Some(centiles.bounds()), pulled, &source, "row");
                [grid_of(&curves)]
                    .into_iter()
                    .chain(read)
                    .chain(few_of_chart(&mechanism, curves.units() as u64))
                    .collect()
            }
            Self::Groups(asked) => {
                let mut facts = of_curves(&curves, &asked.ball, &source)?;
                let stated = study.groups.private_labels.as_deref();
                facts.extend(columns.first().map(|labels| groups(&curves, labels, stated)));
                facts
            }
            Self::Change(asked) => {
                let cells = columns.first().map_or(TextColumn::new(Vec::new()), Clone::clone);
                tell_of_change::<E>(watch, asked, &curves, &cells)?;
                let unread = no_times(&asked.of, &cells).unwrap_or_default();
                of_changes(&curves, (&asked.of.seen(&curves, &cells), &unread), &asked.ball, &source)?
            }
            Self::Regression(asked) => {
                let mut facts = of_curves(&curves, &asked.ball, &source)?;
                let outcome = study.regression.named_outcome();
                let called = |one: &Covariate| if outcome == Some(one.name()) { "outcome" } else { "covariate" };
                facts
                    .extend(asked.covariates.iter().zip(&*columns).map(|(one, column)| seen(called(one), one, column)));
                facts
            }
            Self::Surface(asked) => {
                let bounded = asked.private_mean.ball().bound_on(&curves, &asked.grid).map_err(Refusal::from)?;
                let mechanism = asked.private_mean.mechanism(&asked.grid, PrivacyUnit::Subject, None)?;
                let grid = mechanism.statistic().facts().into_iter().filter(|fact| fact.name == "grid");
                let row = if study.is_long() { "surface" } else { "row" };
                grid.chain(of_bounded(&bounded, asked.bounds, *bounded.projected().reveal(), &source, row)).collect()
            }
            Self::Rows(asked) => {
                let rows = asked.between((curves.grid().lower(), curves.grid().upper()))?.rows_of(&curves)?;
                of_rows(&rows, &source)
            }
        };
        let is_surface = matches!(self, Self::Surface(_));
        facts.extend(cost(&price, weak_delta(price.delta(), curves.units() as f64, study.privacy.relation())));
        Ok(NonPrivate::new(Look { curves: (!is_surface).then_some(curves), facts }))
    }
}

impl AskedRows<'_> {
    /// The same of the rows of a long table, whose columns of times and values have these names.
    ///
    /// # Errors
    /// As a release, before its payment.
    pub fn look<E: Failure>(&self, rows: &LongRows, names: Option<Vec<&str>>) -> Result<NonPrivate<Look<'static>>, E> {
        Ok(long(of_rows(rows, &self.study.source(names)), &rows.prepare()?))
    }
}

impl AskedCentiles<'_> {
    /// The same of the rows of a long table.
    ///
    /// # Errors
    /// As a release, before its payment.
    pub fn look<E: Failure>(
        &self,
        centiles: &PrivateCentiles,
        rows: &LongRows<Centiles>,
        names: Option<Vec<&str>>,
    ) -> Result<NonPrivate<Look<'static>>, E> {
        let prepared = centiles.prepare_rows(rows)?;
        let few = few_of_chart(rows.mechanism(), *prepared.records().reveal());
        Ok(long(of_rows(rows, &self.study.source(names)).into_iter().chain(few).collect(), &prepared))
    }
}

/// What is told of a long table, and what its release would spend.
fn long(mut facts: Vec<Fact>, prepared: &impl Payable) -> NonPrivate<Look<'static>> {
    facts.extend(cost(&prepared.asked().guarantee.budget(), None));
    NonPrivate::new(Look { curves: None, facts })
}

/// What would be spent; and a delta that is weak for so many records, before it is paid.
fn cost(budget: &PrivacyBudget, weak: Option<String>) -> impl Iterator<Item = Fact> {
    let cost = format!("a release would spend {}", budget_in_words(budget));
    weak.into_iter().map(|note| Fact::new("look at", note)).chain([Fact::new("cost", cost)])
}

/// What is told of curves: how they would be read, and what is often a mistake.
fn of_curves(curves: &CurveSet, ball: &PublicBall, source: &Source) -> Result<Vec<Fact>, Refusal> {
    let (bounds, ball) = (ball.bounds(), ball.on(curves.grid())?);
    let bounded = ball.bound(curves)?;
    let read = of_bounded(&bounded, bounds, *bounded.projected().reveal(), source, "row");
    Ok([grid_of(curves)].into_iter().chain(read).collect())
}

/// What is told of a chart of fewer records than a release would take, if their number were public: where it is not, none is refused.
fn few_of_chart(mechanism: &Mechanism<Centiles>, records: u64) -> Option<Fact> {
    let (statistic, privacy) = (mechanism.statistic(), mechanism.privacy()?);
    let least = Centiles::least_for(statistic.shown(), privacy.mu(), statistic.is_of_rows());
    let text =
        format!("a chart with this budget and these centiles needs {least} records at least, and there are {records}");
    (records < least).then(|| Fact::new("look at", text))
}

fn grid_of(curves: &CurveSet) -> Fact {
    Fact::new("grid", columns_in_words(curves.grid(), column_names(curves).as_deref()))
}

/// What is told of changes: how the curves would be read, and how far the stated ball holds their changes.
fn of_changes(
    curves: &CurveSet,
    (changes, unread): (&NonPrivate<(CurveSet, usize)>, &str),
    ball: &PublicBall,
    source: &Source,
) -> Result<Vec<Fact>, Refusal> {
    let (changes, people) = (changes.reveal(), curves.units());
    let own = [Fact::new("change", format!("known of {} of {people} people{unread}", changes.1))];
    // of the curves themselves nothing is clamped, and their units are those of no bound
    let is_of_curves = |fact: &Fact| fact.name != "values" && fact.name != "look at";
    let read = of_curves(curves, ball, source)?.into_iter().filter(is_of_curves);
    let ball_of_changes = ball.on(changes.0.grid())?;
    let bounded = ball_of_changes.bound(&changes.0)?;
    let seen = of_bounded(&bounded, ball.bounds(), *bounded.projected().reveal(), source, "change");
    let seen = seen.into_iter().filter(|fact| !is_of_curves(fact));
    Ok(read.chain(own).chain(seen).collect())
}

/// What is told of records on any grid, so many of which are pulled in; `row` is what one is called.
fn of_bounded(
    bounded: &BoundedCurves<'_>,
    bounds: Option<(f64, f64)>,
    pulled: usize,
    source: &Source,
    row: &str,
) -> Vec<Fact> {
    let curves = bounded.curves();
    // the study itself is known to whoever asks
    let mut facts: Vec<Fact> = source.facts().into_iter().filter(|fact| fact.name != "study").collect();
    facts.push(Fact::new("rows", rows(curves, row)));
    facts.push(Fact::new("missing", missing(curves, row)));
    facts.push(Fact::new("values", values(bounded, bounds, pulled, row)));
    let outside = bounds.and_then(|bounds| clamped_in_words(outside(curves, bounds), observed(curves).count() as u64));
    let notes = suspicious(curves, row).into_iter().chain(outside).chain(pulled_in_words(pulled, curves.len(), row));
    facts.extend(notes.map(|note| Fact::new("look at", note)));
    facts
}

/// What is told of rows, each of which is one value.
fn of_rows<S: OfRows>(rows: &LongRows<S>, source: &Source) -> Vec<Fact> {
    let mut facts = vec![Fact::new("grid", rows.mechanism().statistic().places())];
    facts.extend(source.facts().into_iter().filter(|fact| fact.name != "study"));
    let SeenRows { rows: all, outside, missing, clamped, mut bins } = rows.seen().into_revealed();
    bins.sort_unstable();
    let (least, most) = (bins.first().copied().unwrap_or(0), bins.last().copied().unwrap_or(0));
    let median = bins.get(bins.len() / 2).copied().unwrap_or(0);
    let similar = similar_in_words(*rows.similar_ids().reveal());
    let subjects = bins.len();
    facts.push(Fact::new(
        "rows",
        format!("{all} rows of {subjects} subjects, in {least} to {most} bins each, median {median}{similar}"),
    ));
    facts.push(Fact::new("missing", format!("{missing} rows without a time or a value")));
    let values = if clamped == 1 { "value" } else { "values" };
    let (pulled, people) = rows.pulled().into_revealed();
    let count = format!(
        "{outside} rows outside the domain, which count as no rows; {clamped} {values} beyond the bound, which are clamped; {}. Do not \
         choose domain, bounds or radius by these numbers",
        pulled_of(pulled, people, "subject")
    );
    facts.push(Fact::new("values", count));
    let within = all.saturating_sub(outside + missing);
    let notes = clamped_in_words(clamped, within).into_iter();
    let notes = notes.chain(pulled_in_words(pulled, people, "subject"));
    facts.extend(notes.map(|note| Fact::new("look at", note)));
    facts
}

/// How many records each label has, and which labels that were stated none has. A record whose rows have several labels counts for each.
fn groups(curves: &CurveSet, column: &TextColumn, stated: Option<&[String]>) -> Fact {
    let mut counts: BTreeMap<&str, usize> = stated.into_iter().flatten().map(|label| (label.as_str(), 0)).collect();
    let cells: Vec<Option<&str>> = column.cells().collect();
    let (mut others, mut several) = (0, 0);
    for rows in curves.records() {
        let labels: BTreeSet<&str> = rows.iter().filter_map(|row| cells.get(*row).copied().flatten()).collect();
        let known: Vec<&str> =
            labels.into_iter().filter(|label| stated.is_none() || counts.contains_key(label)).collect();
        others += usize::from(known.is_empty());
        several += usize::from(known.len() > 1);
        for label in known {
            *counts.entry(label).or_default() += 1;
        }
    }
    let named: Vec<String> = counts.iter().map(|(label, count)| format!("{}: {count}", label.escape_debug())).collect();
    let named = named.join(", ");
    let unseen =
        if counts.values().any(|count| *count == 0) { ". A group of nobody has no mean but noise" } else { "" };
    let several = if several > 0 { format!("; of several: {several}") } else { String::new() };
    let what = match curves.unit() {
        PrivacyUnit::Subject => "subjects",
        PrivacyUnit::Curve => "rows",
    };
    Fact::new("groups", format!("{what} of each label: {named}; of none of them: {others}{several}{unseen}"))
}

/// What is told of ids that look alike.
fn similar_in_words(groups: usize) -> String {
    match groups {
        0 => String::new(),
        groups => format!("; groups of ids that look alike: {groups}. Correct them, or a person counts as two"),
    }
}

/// The values that are there.
fn observed(curves: &CurveSet) -> impl Iterator<Item = f64> + '_ {
    curves.values().into_iter().copied().filter(|value| !value.is_nan())
}

/// How many values lie outside these bounds.
fn outside(curves: &CurveSet, (lower, upper): (f64, f64)) -> u64 {
    observed(curves).filter(|value| !(lower..=upper).contains(value)).count() as u64
}

/// What is told of bounds that clamp so many of all values: a third of them, or nearly all, as where values are percent and bounds 0 and 1.
fn clamped_in_words(outside: u64, count: u64) -> Option<String> {
    let clamped = format!("{outside} of {count} values lie outside the bounds");
    match outside {
        outside if 10 * outside > 9 * count => {
            Some(format!("{clamped}: are they in other units, such as percent for fractions?"))
        }
        outside if 3 * outside > count => Some(format!(
            "{clamped} and would be clamped: a release would tell of the bounds, and not of where people are. State bounds that values can \
             have by public knowledge"
        )),
        _ => None,
    }
}

/// How many records the stated radius pulls in.
fn pulled_of(pulled: usize, all: usize, row: &str) -> String {
    let share = rounded(100.0 * pulled as f64 / all.max(1) as f64);
    format!("{row}s that the stated radius pulls in: {pulled} of {all} ({share}%)")
}

/// What is told of a radius that pulls most of them in.
fn pulled_in_words(pulled: usize, all: usize, row: &str) -> Option<String> {
    (2 * pulled > all).then(|| {
        format!(
            "the stated radius pulls in most {row}s: a release would tell of the radius, and not of how people differ, and no band would say \
             so. State a radius that curves can have by public knowledge, or leave it out where there are bounds"
        )
    })
}

/// The columns in their order, each with its point.
pub fn columns_in_words(grid: &Grid, names: Option<&[&str]>) -> String {
    let points = grid.points();
    let step = least_step(points);
    let place = |index: usize| match names.and_then(|names| names.get(index)) {
        Some(name) => format!("{}\u{a0}at\u{a0}{}", name.escape_debug(), rounded_beside(points[index], step)),
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
fn rows(curves: &CurveSet, row: &str) -> String {
    let mut sizes: Vec<usize> = curves.records().map(|rows| rows.len()).collect();
    sizes.sort_unstable();
    let (Some(least), Some(most)) = (sizes.first(), sizes.last()) else { return "none".to_owned() };
    let records = format!("{} {row}s, {} records ({}s)", curves.len(), curves.units(), curves.unit());
    let median = sizes[sizes.len() / 2];
    let each = match most {
        1 => format!(", one {row} each"),
        _ => format!("; from {least} to {most} {row}s a record, median {median}"),
    };
    let similar = similar_in_words(*curves.similar_ids().reveal());
    records + &each + &similar
}

/// The missing cells.
fn missing(curves: &CurveSet, row: &str) -> String {
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

/// The range of the values, and what bounds and ball change; so many records are pulled in.
fn values(bounded: &BoundedCurves<'_>, bounds: Option<(f64, f64)>, pulled: usize, row: &str) -> String {
    let curves = bounded.curves();
    let (least, most) = observed(curves).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if observed(curves).next().is_none() {
        return "none".to_owned();
    }
    let clamped = bounds.map(|(lower, upper)| {
        let count = outside(curves, (lower, upper));
        format!("; {count} outside the bounds {} to {}, which are clamped", exact(lower), exact(upper))
    });
    format!(
        "from {} to {}{}; {}. Do not choose bounds, centre or radius by these numbers",
        rounded_beside(least, most - least),
        rounded_beside(most, most - least),
        clamped.unwrap_or_default(),
        pulled_of(pulled, curves.len(), row)
    )
}

/// Rows that are often mistakes.
fn suspicious(curves: &CurveSet, row: &str) -> Vec<String> {
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
