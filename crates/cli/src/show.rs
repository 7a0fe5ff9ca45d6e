//! `dpfda show`: the summary of a release again, from its document; or what a study says.

use std::path::Path;

use dpfda::kinds::{Picture, Shown};
use dpfda_report::Document;
use dpfda_study::{Checked, Door, Kind, Label, Origin, Refusal, SETTINGS, Sections, schema};
use serde_json::{Value, json};

use crate::all_settings::listed;
use crate::arguments::DocumentArguments;
use crate::document;
use crate::error::CliError;
use crate::look::Look;
use crate::misasked::Misasked;
use crate::new_file::FigureFile;
use crate::shown::shown;
use crate::study_file::{self, is_study};
use crate::summary::{OF_A_SEED, wrapped};
use crate::told::Told;

/// The summary; nothing is drawn and nothing is spent.
pub fn run(arguments: &DocumentArguments) -> Result<String, CliError> {
    if arguments.settings {
        return listed(arguments.kind, arguments.answer.json);
    }
    let Some(path) = &arguments.release else { return Ok(serde_json::to_string_pretty(&schema())? + "\n") };
    let figure = FigureFile::asked(arguments.figure.as_deref(), &arguments.look.figure, "figure.svg")?;
    if is_study(path) {
        if figure.is_some() {
            return Err(Misasked::NotForKind { option: "--figure", kind: "a study: it is for a release" }.into());
        }
        return of_study(&study_file::checked(path)?, arguments);
    }
    if arguments.origins {
        return Err(Misasked::NotForKind { option: "--origins", kind: "a release: it is for a study" }.into());
    }
    let document = document::read(path)?;
    if let Some(file) = figure {
        draw(document.shown.clone(), &arguments.look, &file)?;
    }
    of_release(path, &document, arguments.answer.json)
}

/// Draws the figure again, with these names of axes in all its panels.
fn draw(shown: Shown, look: &Sections, file: &FigureFile) -> Result<(), CliError> {
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == shown.row.word);
    for setting in SETTINGS.iter().filter(|setting| look.get(setting.name).is_some()) {
        if let Some(kind) = kind.filter(|kind| !setting.is_of(*kind)) {
            let why = format!("{{{}}} is no setting of {}", setting.name, kind.in_words());
            return Err(CliError::of_flags(Refusal::of(setting.name, why)));
        }
    }
    // a unit alone stands behind the name that the values have
    let mut said = look.clone();
    if let (None, Some((name, _))) = (&said.figure.y_label, shown.labels().value_and_unit())
        && said.figure.units.is_some()
    {
        said.figure.y_label = Some(Label(name.to_owned()));
    }
    let is_surface = matches!(shown.picture, Picture::Surface(_));
    let shown = shown.labelled(said.labels());
    let look = Look::of(&said);
    let drawn = FigureFile::drawn_by(|| shown.figure(&look.frame(is_surface)))?;
    let none = Misasked::NotForKind { option: "--figure", kind: "a release that has none" };
    Ok(file.write(&drawn.ok_or(none)?)?)
}

fn of_release(path: &Path, document: &Document, as_json: bool) -> Result<String, CliError> {
    let closing = if document.release.is_private() {
        format!("All of it was read from {}, which is public. Nothing was drawn and nothing was spent.", shown(path))
    } else {
        OF_A_SEED.to_owned()
    };
    let told = Told::new(document.title(), document.release.software(), document.facts(), document.notes(), closing);
    Ok(told.printed(as_json)?)
}

/// The settings of a study: those that were said, or all with where their values come from.
fn of_study(study: &Checked, arguments: &DocumentArguments) -> Result<String, CliError> {
    let with_origins = arguments.origins;
    let mut origins = study.origins();
    origins.retain(|told| with_origins || told.origin == Origin::Said);
    let digest = study.digest().to_string();
    if arguments.answer.json {
        let setting = |told: &dpfda_study::Told| {
            json!({
                "name": Door::File.name(told.setting),
                "value": Door::File.spell(&told.value),
                "origin": in_words(told.origin),
            })
        };
        let settings: Vec<Value> = origins.iter().map(setting).collect();
        let study = json!({ "study": study.kind.word(), "digest": digest, "settings": settings });
        return Ok(serde_json::to_string_pretty(&study)? + "\n");
    }
    let mut text = wrapped("study", study.kind.in_words()) + &wrapped("digest", &digest) + "\n";
    for told in &origins {
        let (name, value) = (Door::File.name(told.setting), Door::File.spell(&told.value));
        let origin = if with_origins { in_words(told.origin) } else { "" };
        text += format!("{name:<32} {value:<24} {origin}").trim_end();
        text.push('\n');
    }
    Ok(text)
}

fn in_words(origin: Origin) -> &'static str {
    match origin {
        Origin::Said => "said",
        Origin::Default => "default",
        Origin::Follows => "by default, from other settings",
    }
}
