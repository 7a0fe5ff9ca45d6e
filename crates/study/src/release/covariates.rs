//! How the cells of covariates lie within their public ranges: for the curator alone.

use dpfda::mechanism::{Fact, exact};
use dpfda::privacy::NonPrivate;
use dpfda::release::{ChangeOf, Covariate};
use dpfda::smoothing::TextColumn;

use super::watch::{Note, Watch};

/// How many cells of a covariate count as something else than what they say.
#[derive(Default)]
struct Seen {
    all: usize,
    missing: usize,
    /// Numbers beyond the bounds.
    beyond: usize,
    /// No numbers, or none of the levels.
    other: usize,
}

impl Seen {
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

    /// Whether most cells that are there count as something else.
    fn are_most(&self) -> bool {
        2 * (self.beyond + self.other) > self.all - self.missing
    }
}

/// Tells of covariates of which most cells count as something else than what they say.
pub(super) fn tell_of_covariates(watch: &dyn Watch, covariates: &[Covariate], columns: &[TextColumn]) {
    for (covariate, column) in covariates.iter().zip(columns) {
        if Seen::of(covariate, column).are_most() {
            watch.tell(NonPrivate::new(Note::Covariate(covariate.clone())));
        }
    }
}

/// Tells of visits that no cell says.
pub(super) fn tell_of_visits(watch: &dyn Watch, change: &ChangeOf, cells: &TextColumn) {
    let unseen: Vec<String> = change.unseen(cells).into_revealed();
    if !unseen.is_empty() {
        watch.tell(NonPrivate::new(Note::Visits(change.column().to_owned(), unseen)));
    }
}

/// Which cells count as something else than what they say, and which levels no cell has.
pub(super) fn seen(called: &'static str, covariate: &Covariate, column: &TextColumn) -> Fact {
    let Seen { all, missing, beyond, other } = Seen::of(covariate, column);
    let name = covariate.name();
    Fact::new(
        called,
        match covariate {
            Covariate::Number { lower, upper, .. } => format!(
                "{name}: {beyond} of {all} cells beyond {} and {}, which count as the nearer bound; {missing} missing and {other} that are \
                 no numbers, which count as the middle",
                exact(*lower),
                exact(*upper)
            ),
            Covariate::Category { levels, .. } => format!(
                "{name}: {other} of {all} cells with none of its levels and {missing} missing, which count as all levels in equal parts{}",
                unseen(name, levels, column)
            ),
        },
    )
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
