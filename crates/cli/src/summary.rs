//! One screen that a methods section can quote. Everything in it is public.

pub use dpfda::kinds::weak_delta;
pub use dpfda::mechanism::{exact, least_step, rounded, rounded_beside};

use dpfda_study::{Door, Selection};

/// The first line of whatever looks at private curves without protection.
pub const CURATOR_ONLY: &str = "NOT PRIVATE - CURATOR ONLY";

/// What a release from a seed is noted to be.
pub const FROM_A_SEED: &str = "NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.";

/// The name of facts that should make a reader careful.
pub const NOTE: &str = "NOTE";

/// Where a line is wrapped.
const WIDTH: usize = 88;

/// Where the text of an entry begins.
const INDENT: usize = 12;

/// What can be done with files whose noise came from a seed.
pub const OF_A_SEED: &str = "NOT PRIVATE: made from a seed, for demonstrations. A private release has no --seed.";

/// Why none was chosen.
pub fn not_chosen(selection: &Selection) -> Option<String> {
    let Selection::Failed(refusal) = selection else { return None };
    let error = Door::Flags.spell(&refusal.why);
    Some(format!(
        "no smoother could be chosen from the release, so that it has the default smoother instead; the budget is spent all the same. The \
         reason: {error}. dpfda smooth tries others at no cost."
    ))
}

/// Notes with the settings that they name as options.
pub fn spelled(notes: &[String]) -> Vec<String> {
    notes.iter().map(|note| Door::Flags.spell(note)).collect()
}

/// A name, and its text in lines of limited width beside it.
pub fn wrapped(name: &str, text: &str) -> String {
    let indent = if name.is_empty() { 0 } else { INDENT };
    let mut lines = format!("{name:indent$}");
    let mut column = indent;
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            lines.push('\n');
            lines += &" ".repeat(indent);
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    // a no-break space has kept its two sides on one line
    lines.replace('\u{a0}', " ") + "\n"
}
