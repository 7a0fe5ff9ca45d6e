//! Ids that repeat where no subject is named: a mistake that spends a budget on the wrong unit.

use std::collections::HashSet;

use dpfda::privacy::NonPrivate;
use dpfda::smoothing::{CurveLayout, TableFiles};

use super::data::Data;
use super::watch::{Note, Watch};
use crate::checked::Checked;
use crate::choices::UnitName;

/// What columns of ids of people are called, alone or at the end of a name; `id`, `no` and the like may follow.
const PEOPLE: [&str; 7] = ["id", "pid", "subject", "participant", "patient", "person", "respondent"];
const NUMBERED: [&str; 5] = ["", "id", "no", "nr", "number"];
const APART: [char; 4] = ['_', ' ', '.', '-'];

/// Tells the curator of a column of a file that looks like ids, where they repeat and no subject is named.
pub fn tell_of_repeats(study: &Checked, data: &Data<'_>, watch: &dyn Watch) {
    let Data::Files(path) = *data else { return };
    // a curator who says that a row is a person knows
    if study.table.subject.is_some() || study.is_long() || study.privacy.unit == Some(UnitName::Subject) {
        return;
    }
    let (Ok(files), Ok(layout)) = (TableFiles::find(path), CurveLayout::new("*")) else { return };
    let layout = study.table.cells(layout);
    for name in files.first_line(&layout).iter().filter(|name| is_of_people(name)) {
        let Ok(columns) = files.text_columns(&layout, &[name]) else { continue };
        let mut known = HashSet::new();
        let mut cells = columns.iter().flat_map(|column| column.cells().flatten());
        if !cells.all(|cell| known.insert(cell)) {
            watch.tell(NonPrivate::new(Note::Repeats(name.clone())));
        }
    }
}

/// Whether a column of this name holds ids of people.
fn is_of_people(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_first = |before: &str| before.is_empty() || before.ends_with(APART);
    NUMBERED.iter().filter_map(|number| name.strip_suffix(number)).any(|person| {
        let person = person.strip_suffix(APART).unwrap_or(person);
        PEOPLE.iter().filter_map(|known| person.strip_suffix(known)).any(is_first)
    })
}

#[cfg(test)]
mod tests {
    use super::is_of_people;

    #[test]
    fn columns_of_ids_are_known_by_their_names() {
        for name in ["ID", "id", "subject", "Subject_ID", "patient no", "study-id", "hospital.patient.id", "PID"] {
            assert!(is_of_people(name), "{name}");
        }
        for name in ["v1", "idle", "acid", "period", "visit", "id1", ""] {
            assert!(!is_of_people(name), "{name}");
        }
    }
}
