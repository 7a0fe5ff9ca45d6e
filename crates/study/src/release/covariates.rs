//! How the cells of covariates lie within their public ranges: for the curator alone.

use dpfda::mechanism::{Fact, exact};
use dpfda::privacy::NonPrivate;
use dpfda::release::{Change, ChangeOf, Covariate};
use dpfda::smoothing::{CurveSet, TextColumn};

use super::account::Failure;
use super::watch::{Note, Watch};
use crate::asked::AskedChange;
use crate::refusal::Refusal;

/// How many cells of a covariate count as something else than what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeenCells {
    all: usize,
    missing: usize,
    /// Numbers beyond the bounds.
    beyond: usize,
    /// No numbers, or none of the levels.
    other: usize,
}

impl SeenCells {
    fn of(covariate: &Covariate, column: &TextColumn) -> Self {
        let mut seen = Self { all: column.cells().len(), ..Self::default() };
        for cell in column.cells() {
            match cell {
                None => seen.missing += 1,
                Some(cell) if covariate.holds(cell) => {}
                Some(cell) => {
                    let is_number = cell.parse::<f64>().is_ok_and(|number| !number.is_nan());
                    let is_beyond = is_number && matches!(covariate, Covariate::Number { .. });
                    *(if is_beyond { &mut seen.beyond } else { &mut seen.other }) += 1;
                }
            }
        }
        seen
    }

    /// In words, of the covariate that they were read for; and what follows where most cells that are there count as something else.
    pub(super) fn in_words(self, covariate: &Covariate) -> String {
        let Self { all, missing, beyond, other } = self;
        let are_most = 2 * (beyond + other) > all - missing;
        let (counts, instead) = match covariate {
            Covariate::Number { lower, upper, .. } => (
                format!(
                    "{beyond} of {all} cells beyond {} and {}, which count as the nearer bound; {missing} missing and {other} that are no \
                     numbers, which count as the middle",
                    exact(*lower),
                    exact(*upper)
                ),
                "a range in the units of the column",
            ),
            Covariate::Category { levels, .. } => (
                format!(
                    "{other} of {all} cells with none of its levels, {}, and {missing} missing, which count as all levels in equal parts",
                    levels.iter().map(|level| level.escape_debug().to_string()).collect::<Vec<_>>().join(" and ")
                ),
                "the levels as the column has them",
            ),
        };
        let little = format!(". These are most cells: the release says little about this column. State {instead}");
        format!("{}: {counts}{}", covariate.name().escape_debug(), if are_most { little.as_str() } else { "" })
    }
}

/// A larger part of the cells of a covariate that count as something else than what they say is told before a release. A check tells all.
const MANY: f64 = 0.01;

/// Tells of covariates of which many cells count as something else than what they say.
pub(super) fn tell_of_covariates(watch: &dyn Watch, covariates: &[Covariate], columns: &[TextColumn]) {
    for (covariate, column) in covariates.iter().zip(columns) {
        let seen = SeenCells::of(covariate, column);
        if (seen.beyond + seen.other) as f64 > MANY * (seen.all - seen.missing) as f64 {
            watch.tell(NonPrivate::new(Note::Covariate(covariate.clone(), seen)));
        }
    }
}

/// Tells that so few have a change that noise hides their number, and of visits that no cell says.
pub(super) fn tell_of_change<E: Failure>(
    watch: &dyn Watch,
    asked: &AskedChange<'_>,
    curves: &CurveSet,
    cells: &TextColumn,
) -> Result<(), E> {
    let people = *asked.of.people(curves, cells).reveal();
    let mechanism = asked.private_change(curves.grid())?.mechanism(curves.grid(), None).map_err(Refusal::from)?;
    if (people as u64) < Change::least_people(&mechanism) {
        let unseen: Vec<String> = asked.of.unseen(cells).into_revealed();
        watch.tell(NonPrivate::new(Note::FewChanges { column: asked.of.column().to_owned(), people, unseen }));
    }
    Ok(())
}

/// How many cells of a column of times are no numbers.
pub(super) fn no_times(change: &ChangeOf, column: &TextColumn) -> Option<String> {
    let ChangeOf::Slope { per, .. } = change else { return None };
    let is_other = |cell: &&str| !cell.parse::<f64>().is_ok_and(f64::is_finite);
    let count = column.cells().flatten().filter(is_other).count();
    (count > 0)
        .then(|| format!("; {count} cells of `{}` are no numbers, and their rows count as none", per.escape_debug()))
}

/// Which cells count as something else than what they say, and which levels no cell has.
pub(super) fn seen(called: &'static str, covariate: &Covariate, column: &TextColumn) -> Fact {
    let unseen = match covariate {
        Covariate::Number { .. } => String::new(),
        Covariate::Category { name, levels } => unseen(name, levels, column),
    };
    Fact::new(called, SeenCells::of(covariate, column).in_words(covariate) + &unseen)
}

/// The levels that no cell has.
fn unseen(name: &str, levels: &[String], column: &TextColumn) -> String {
    let is_seen = |level: &&String| {
        let levels = vec![(*level).clone(), String::new()];
        let alone = Covariate::Category { name: name.to_owned(), levels };
        column.cells().flatten().any(|cell| alone.holds(cell))
    };
    let unseen: Vec<&str> = levels.iter().filter(|level| !is_seen(level)).map(String::as_str).collect();
    if unseen.is_empty() {
        return String::new();
    }
    format!("; no cell has {}: such a level has no coefficient but noise", unseen.join(", "))
}
