//! The change of people between two visits, or with time, as a statistic: one group, of those whose change is known.

pub(crate) mod private;

use dpfda_mechanism::{Fact, exact, is_name};
use dpfda_privacy::{Membership, NonPrivate};
use dpfda_smoothing::{CurveSet, Said, TextColumn, stated_name};
use ndarray::Axis;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::groups::{Grouped, GroupingError, Partition};

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;

/// The sum of the changes of people in a public ball, and the number of people whose change is known.
///
/// ```text
/// change known:  (d, its products and energy, 1),     otherwise 0,      d the change of the person's curves
/// ```
///
/// Who has a change is as private as the change. That costs no noise: the proof is `docs/proofs/change.md`.
pub type Change = Grouped<ChangeOf>;

/// What of a person's curves changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ChangeOf {
    /// `d = X_to - X_from`, each the mean of the person's curves of that visit; unknown without curves of both.
    Visits {
        /// The column that says which visit a curve is of.
        column: String,
        /// What it says of the earlier visit.
        from: String,
        /// What it says of the later one.
        to: String,
    },
    /// `d = sum (t - mean t) X_t / sum (t - mean t)^2` over the person's curves: the slope of the line of least squares at each point.
    /// Unknown where the first and the last time are closer than `apart`, or the same.
    Slope {
        /// The column of times, whose unit the slope is for.
        per: String,
        /// The least time between the first and the last curve of a person; 0 for any.
        apart: f64,
    },
}

/// Why there is no change like this. Everything in it is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ChangeOfError {
    #[error("the column of visits, or of times, needs a name with 1 to 100 characters on one line")]
    Column,
    #[error(
        "a change is between two different visits, and each needs a name with 1 to 100 characters on one line that is no word for a missing \
         value"
    )]
    Visits,
    #[error("the least time between a person's first and last curve must be a finite number, at least 0")]
    Apart,
}

impl ChangeOf {
    /// The column that tells the curves of a person apart.
    pub fn column(&self) -> &str {
        match self {
            Self::Visits { column, .. } => column,
            Self::Slope { per, .. } => per,
        }
    }

    /// The changes of the people who have one, and their number, for the curator's eyes.
    pub fn seen(&self, curves: &CurveSet, cells: &TextColumn) -> NonPrivate<(CurveSet, usize)> {
        let (changes, known) = self.of_records(curves, cells);
        let rows: Vec<usize> = (0..known.len()).filter(|&record| known[record]).collect();
        let values = changes.values().select(Axis(0), &rows);
        let of_people = CurveSet::new(changes.grid().clone(), values);
        NonPrivate::new((of_people.unwrap_or_else(|_| unreachable!("rows of curves are curves")), rows.len()))
    }

    /// How many people have a change, for the curator's eyes.
    pub fn people(&self, curves: &CurveSet, cells: &TextColumn) -> NonPrivate<usize> {
        let cells: Vec<Option<&str>> = cells.cells().collect();
        let is_seen = |row: &&usize| curves.curve(**row).iter().any(|value| !value.is_nan());
        // which of several curves comes first changes nothing of whether there is a change
        let has_change = |rows: &[usize]| {
            let rows: Vec<Row> = rows.iter().filter(is_seen).map(|row| (*row, Vec::new())).collect();
            self.weighted(&rows, &cells).is_some()
        };
        NonPrivate::new(curves.records().filter(|rows| has_change(rows)).count())
    }

    /// The visits that no cell says, for the curator's eyes.
    pub fn unseen(&self, cells: &TextColumn) -> NonPrivate<Vec<String>> {
        let Self::Visits { from, to, .. } = self else { return NonPrivate::new(Vec::new()) };
        let is_unseen = |visit: &&String| !cells.cells().flatten().any(|cell| is_of_visit(cell, visit));
        NonPrivate::new([from, to].into_iter().filter(is_unseen).cloned().collect())
    }

    /// The changes of all people, a curve for each record, and who has one. It depends on each record alone, and cannot fail.
    pub(crate) fn of_records(&self, curves: &CurveSet, cells: &TextColumn) -> (CurveSet, Vec<bool>) {
        let cells: Vec<Option<&str>> = cells.cells().collect();
        let mut known = Vec::with_capacity(curves.units());
        let changes = curves.one_curve_each(|rows, change| {
            let weighted = self.weighted(rows, &cells);
            known.push(weighted.is_some());
            for (weight, values) in weighted.into_iter().flatten() {
                change.iter_mut().zip(values).for_each(|(sum, x)| *sum += weight * x);
            }
        });
        (changes, known)
    }

    fn weighted<'a>(&self, rows: &'a [Row], cells: &[Option<&str>]) -> Weighted<'a> {
        match self {
            Self::Visits { from, to, .. } => between(rows, cells, [from, to]),
            Self::Slope { apart, .. } => slope(rows, cells, *apart),
        }
    }
}

/// A curve of a person, with its row.
type Row = (usize, Vec<f64>);

/// The curves that a change is a sum of, each with its weight, in an order that does not depend on that of the rows; `None` for no change.
type Weighted<'a> = Option<Vec<(f64, &'a [f64])>>;

/// What is said beside a curve.
fn said<'a>(cells: &[Option<&'a str>], row: usize) -> Option<&'a str> {
    cells.get(row).copied().flatten()
}

/// Whether a cell says this visit.
fn is_of_visit(cell: &str, visit: &str) -> bool {
    Said::of_text(cell).name().is_some_and(|said| Some(said) == stated_name(visit))
}

fn between<'a>(rows: &'a [Row], cells: &[Option<&str>], visits: [&str; 2]) -> Weighted<'a> {
    let of_visit = |(visit, sign): (&str, f64)| {
        let is_of = |row: usize| said(cells, row).is_some_and(|cell| is_of_visit(cell, visit));
        let mut found: Vec<&[f64]> =
            rows.iter().filter(|(row, _)| is_of(*row)).map(|(_, values)| &values[..]).collect();
        found.sort_by(|a, b| in_order(a, b));
        let weight = sign / found.len() as f64;
        (!found.is_empty()).then(|| found.into_iter().map(move |values| (weight, values)))
    };
    let [from, to] = [(visits[0], -1.0), (visits[1], 1.0)].map(of_visit);
    Some(to?.chain(from?).collect())
}

fn slope<'a>(rows: &'a [Row], cells: &[Option<&str>], apart: f64) -> Weighted<'a> {
    let time = |row: usize| said(cells, row)?.parse::<f64>().ok().filter(|time| time.is_finite());
    let timed = rows.iter().filter_map(|(row, values)| Some((time(*row)?, &values[..])));
    let mut timed: Vec<(f64, &[f64])> = timed.collect();
    timed.sort_by(|(s, a), (t, b)| s.total_cmp(t).then_with(|| in_order(a, b)));
    let share = 1.0 / timed.len() as f64;
    let mean: f64 = timed.iter().map(|(time, _)| share * time).sum();
    let spread: f64 = timed.iter().map(|(time, _)| (time - mean).powi(2)).sum();
    let (first, last) = (timed.first()?.0, timed.last()?.0);
    let is_known = last > first && last - first >= apart && spread.is_normal();
    is_known.then(|| timed.into_iter().map(|(time, values)| ((time - mean) / spread, values)).collect())
}

/// An order of curves by their values.
fn in_order(a: &[f64], b: &[f64]) -> std::cmp::Ordering {
    let unequal = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    unequal.unwrap_or(std::cmp::Ordering::Equal)
}

impl Partition for ChangeOf {
    const KIND: &'static str = "change";

    fn names(&self) -> Vec<&str> {
        vec!["change"]
    }

    fn membership(&self) -> Membership {
        Membership::Private { most: 1 }
    }

    fn quantity(&self) -> &'static str {
        "of changes"
    }

    fn check(&self) -> Result<(), GroupingError> {
        if !is_name(self.column()) {
            return Err(ChangeOfError::Column.into());
        }
        match self {
            Self::Visits { from, to, .. } => {
                let said = [from, to].map(|visit| stated_name(visit).filter(|_| is_name(visit)));
                let are_visits = said.iter().all(Option::is_some) && said[0] != said[1];
                if are_visits { Ok(()) } else { Err(ChangeOfError::Visits.into()) }
            }
            Self::Slope { apart, .. } if apart.is_finite() && *apart >= 0.0 => Ok(()),
            Self::Slope { .. } => Err(ChangeOfError::Apart.into()),
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let (change, whose, caption) = match self {
            Self::Visits { column, from, to } => (
                format!(
                    "a person's curve of {column} {to} minus that of {column} {from}; several curves of a visit are averaged"
                ),
                "people with curves of both visits".to_owned(),
                format!("change from {column} {from} to {to}"),
            ),
            Self::Slope { per, apart } => {
                let far = if *apart > 0.0 { format!("at least {} apart", exact(*apart)) } else { "apart".to_owned() };
                (
                    format!("the slope of a person's curves with {per}, by least squares at each point"),
                    format!("people whose first and last {per} are {far}"),
                    format!("change for one unit of {per}"),
                )
            }
        };
        vec![
            Fact::new("change", format!("{change}. It is of {whose}; who they are is private, and so is their number"))
                .briefly(format!("{caption}; who came is private"))
                .captioned(caption),
            Fact::new(
                "assumed",
                "that a change does not cause absence: where people stay away because of how they changed, the mean of those who came is \
                 not the mean of all",
            ),
        ]
    }
}
