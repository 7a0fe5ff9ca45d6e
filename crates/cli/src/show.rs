//! `dpfda show`: the summary of a release again, from its document.

use crate::arguments::DocumentArguments;
use crate::document::Document;
use crate::error::CliError;
use crate::shown::shown;
use crate::told::Told;

/// The summary; nothing is drawn and nothing is spent.
pub fn run(arguments: &DocumentArguments) -> Result<String, CliError> {
    let path = &arguments.release;
    let document = Document::read(path)?;
    let closing = if document.release.is_private() {
        format!("All of it was read from {}, which is public. Nothing was drawn and nothing was spent.", shown(path))
    } else {
        format!("The release in {} was made from a seed: for demonstrations, not to be shared as private.", shown(path))
    };
    Ok(Told::new(document.title(), document.release.software(), document.facts(), document.notes(), closing).words())
}
