//! `dpfda show`: the summary of a release again, from its document; or what a study says.

use std::path::Path;

use dpfda_study::{Checked, Door, Origin, schema};

use crate::all_settings::listed;
use crate::arguments::DocumentArguments;
use crate::document::Document;
use crate::error::CliError;
use crate::shown::shown;
use crate::study_file::{self, is_study};
use crate::summary::wrapped;
use crate::told::Told;

/// The summary; nothing is drawn and nothing is spent.
pub fn run(arguments: &DocumentArguments) -> Result<String, CliError> {
    if arguments.settings {
        return Ok(listed(arguments.kind));
    }
    let Some(path) = &arguments.release else { return Ok(serde_json::to_string_pretty(&schema())? + "\n") };
    if is_study(path) {
        return Ok(of_study(&study_file::checked(path)?, arguments.origins));
    }
    if arguments.origins {
        return Err(CliError::NotForKind { option: "--origins", kind: "a release: it is for a study" });
    }
    of_release(path)
}

fn of_release(path: &Path) -> Result<String, CliError> {
    let document = Document::read(path)?;
    let closing = if document.release.is_private() {
        format!("All of it was read from {}, which is public. Nothing was drawn and nothing was spent.", shown(path))
    } else {
        format!("The release in {} was made from a seed: for demonstrations, not to be shared as private.", shown(path))
    };
    Ok(Told::new(document.title(), document.release.software(), document.facts(), document.notes(), closing).words())
}

/// The settings of a study: those that were said, or all with where their values come from.
fn of_study(study: &Checked, with_origins: bool) -> String {
    let mut text = wrapped("study", study.kind.in_words()) + &wrapped("digest", &study.digest().to_string()) + "\n";
    for told in study.origins().iter().filter(|told| with_origins || told.origin == Origin::Said) {
        let (name, value) = (Door::File.name(told.setting), Door::File.spell(&told.value));
        let origin = match told.origin {
            _ if !with_origins => "",
            Origin::Said => "said",
            Origin::Default => "default",
            Origin::Follows => "by default, from other settings",
        };
        text += format!("{name:<32} {value:<24} {origin}").trim_end();
        text.push('\n');
    }
    text
}
