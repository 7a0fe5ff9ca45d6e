//! What a door shows and tells on the way to a release. What is told depends on the data: it is for the curator alone.

use dpfda::mechanism::rounded;
use dpfda::privacy::NonPrivate;
use dpfda::release::{Covariate, LeftOut, SeenRows};
use dpfda::smoothing::{Bytes, MissingCells, TableFiles};

use super::covariates::SeenCells;
use crate::sections::Sections;

/// What a door shows and tells on the way to a release.
pub trait Watch: Sync {
    /// Files begin to be read.
    fn reading(&self, files: &TableFiles) -> Box<dyn Reading>;

    /// Runs a step that says nothing on its way.
    fn step(&self, name: &'static str, work: &mut dyn FnMut());

    /// Tells the curator something before the payment.
    fn tell(&self, note: NonPrivate<Note>);
}

/// Sees the bytes of files, until it is dropped.
pub trait Reading: Sync {
    /// The same bytes, seen as they are read.
    fn watched(&self, bytes: Bytes) -> Bytes;
}

/// Shows and tells nothing.
pub(crate) struct Unwatched;

impl Reading for Unwatched {
    fn watched(&self, bytes: Bytes) -> Bytes {
        bytes
    }
}

impl Watch for Unwatched {
    fn reading(&self, _: &TableFiles) -> Box<dyn Reading> {
        Box::new(Self)
    }

    fn step(&self, _: &'static str, work: &mut dyn FnMut()) {
        work();
    }

    fn tell(&self, _: NonPrivate<Note>) {}
}

/// Runs a step under its name, and gives what it made.
pub fn during<T>(watch: &dyn Watch, name: &'static str, work: impl FnOnce() -> T) -> T {
    let (mut work, mut made) = (Some(work), None);
    watch.step(name, &mut || made = work.take().map(|work| work()));
    made.unwrap_or_else(|| unreachable!("every step is run once"))
}

/// What a curator should know of the data before they are released.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// So many groups of ids look alike.
    Ids(usize),
    /// These codes were read as missing, so many times each.
    Codes(Vec<(String, u64)>),
    /// A large share of the cells is missing.
    Missing(f64, FilledBy),
    /// A large share of the rows counts as none.
    Unused(f64),
    /// Ids repeat in this column, and no subject is named.
    Repeats(String),
    /// The delta is weak for so many records.
    Weak(String),
    /// So few people have a change by this column that noise hides their number; no cell says these visits.
    FewChanges {
        /// The name of the column.
        column: String,
        /// How many people have one.
        people: usize,
        /// The visits that no cell says.
        unseen: Vec<String>,
    },
    /// What private labels of groups leave out: records in more groups than they count in, and labels that no cell says.
    LeftOut(LeftOut),
    /// Cells of this covariate are none of its levels, or no numbers within its bounds.
    Covariate(Covariate, SeenCells),
}

/// What stands in for a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilledBy {
    /// A line between its neighbours in a curve.
    Line,
    /// What a public process expects of the rest of the curve.
    Process,
    /// Nothing.
    Nothing,
    /// The centre of its axis.
    Center,
}

impl FilledBy {
    /// What stands in for a missing value of curves that are filled.
    pub fn of(study: &Sections) -> Self {
        if study.table.is_process() { Self::Process } else { Self::Line }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Line => {
                "Each is filled by a line between its neighbours: where values are missing for a reason, such as dropout, the estimate is \
                 biased, and no band says so."
            }
            Self::Process => {
                "Each is filled from a public process: where values are missing for a reason, such as dropout, the estimate is biased, and no \
                 band says so."
            }
            Self::Nothing => {
                "Each counts as not seen: where values are missing for a reason, such as dropout of people who do badly, the estimate is \
                 biased, and no band says so."
            }
            Self::Center => {
                "Each counts as the centre of its axis, and a person's rows count as far as they are known: the density is pulled to \
                 the centre, and nothing in the release says so."
            }
        }
    }
}

impl Note {
    /// In words for the curator; settings stand in braces.
    pub fn in_words(&self) -> String {
        match self {
            Self::Ids(groups) => {
                let groups = if *groups == 1 { "1 group".to_owned() } else { format!("{groups} groups") };
                format!(
                    "there are subject ids that look alike ({groups}). They differ only by letter case, leading zeros, Unicode form or \
                     invisible characters. Each id counts as a person. A person with two ids is protected less than the release says: \
                     if these are such persons, correct the ids before you publish anything."
                )
            }
            Self::Codes(codes) => {
                let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code}\u{a0}({count})")).collect();
                format!("cells with these codes were read as missing: {}.", codes.join(", "))
            }
            Self::Missing(share, filled) => {
                format!("{}% of the cells are missing. {}", rounded(100.0 * share), filled.in_words())
            }
            Self::Repeats(column) => format!(
                "the column `{}` looks like ids, which repeat: a person may have several rows, and each row is protected alone. Name the \
                 column by {{subject}}, unless it is none of people.",
                column.escape_debug()
            ),
            Self::FewChanges { column, people, unseen } => {
                let (who, hidden) = match people {
                    0 => ("nobody has".to_owned(), ""),
                    1 => ("1 person has".to_owned(), "noise hides so few, and "),
                    more => (format!("{more} people have"), "noise hides so few, and "),
                };
                let column = column.escape_debug();
                let alone = format!(
                    "{who} a change by the column `{column}`: {hidden}a release spends its budget on noise alone."
                );
                let unseen: Vec<String> = unseen.iter().map(|visit| visit.escape_debug().to_string()).collect();
                match unseen.join(" or ") {
                    none if none.is_empty() => alone,
                    unseen => format!(
                        "{alone} No cell of the column says {unseen}. Say the visits as the column has them by {{change}}."
                    ),
                }
            }
            Self::LeftOut(LeftOut { beyond, unseen }) => {
                let mut told = Vec::new();
                if *beyond > 0 {
                    told.push(format!(
                        "there are records in more groups than they count in ({beyond}). Each counts in the first of its groups by the order of \
                         {{private_labels}}; {{groups_of_subject}} says in how many."
                    ));
                }
                if !unseen.is_empty() {
                    let unseen: Vec<String> = unseen.iter().map(|label| label.escape_debug().to_string()).collect();
                    told.push(format!(
                        "no cell says {}: a release spends its budget there on noise alone.",
                        unseen.join(" or ")
                    ));
                }
                told.join(" ")
            }
            Self::Weak(why) => why.clone(),
            Self::Covariate(covariate, seen) => format!("of the column {}.", seen.in_words(covariate)),
            Self::Unused(share) => format!(
                "{}% of the rows lie outside the domain, or have no time or no value, and count as no rows. Where values are missing for \
                 a reason, such as dropout, the estimate is biased, and no band says so.",
                rounded(100.0 * share)
            ),
        }
    }
}

/// Tells of ids that look alike, where there are any.
pub fn tell_of_ids(watch: &dyn Watch, similar: &NonPrivate<usize>) {
    if *similar.reveal() > 0 {
        watch.tell(NonPrivate::new(Note::Ids(*similar.reveal())));
    }
}

/// Tells what private labels of groups leave out, where that is anything.
pub fn tell_of_left_out(watch: &dyn Watch, left_out: &NonPrivate<LeftOut>) {
    let LeftOut { beyond, unseen } = left_out.reveal();
    if *beyond > 0 || !unseen.is_empty() {
        watch.tell(NonPrivate::new(Note::LeftOut(left_out.reveal().clone())));
    }
}

/// Tells which codes were read as missing, other than the most usual ones, and that many values are missing.
pub fn tell_of_missing(watch: &dyn Watch, cells: &NonPrivate<&MissingCells>, filled: FilledBy) {
    let codes: Vec<(String, u64)> = cells.reveal().unusual().collect();
    if !codes.is_empty() {
        watch.tell(NonPrivate::new(Note::Codes(codes)));
    }
    if let Some(share) = cells.reveal().many() {
        watch.tell(NonPrivate::new(Note::Missing(share, filled)));
    }
}

/// Tells that many rows count as none.
pub fn tell_of_unused(watch: &dyn Watch, seen: &NonPrivate<SeenRows>) {
    if let Some(share) = seen.reveal().many_unused() {
        watch.tell(NonPrivate::new(Note::Unused(share)));
    }
}
