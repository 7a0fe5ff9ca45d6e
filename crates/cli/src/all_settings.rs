//! `dpfda show --settings`: every setting of a study with its help.

use dpfda_study::{Door, Form, Kind, SETTINGS, Section, Setting};
use serde_json::{Value, json};

use crate::error::CliError;
use crate::summary::wrapped;

const ABOUT: &str = "\
Every setting of a study, as a study file says it. Each is an option of `dpfda new`, such as --radius-share for radius_share, and of \
`dpfda release`, but for [estimate], classical and the mechanism of a mean; `dpfda smooth` has those of [estimate].";

/// The settings of studies of this kind, or of all kinds.
pub fn listed(kind: Option<Kind>, as_json: bool) -> Result<String, CliError> {
    let kinds = kind.map_or_else(|| Kind::ALL.to_vec(), |kind| vec![kind]);
    if as_json {
        let settings = SETTINGS.iter().filter(|setting| kinds.iter().any(|kind| setting.is_of(*kind)));
        let settings: Vec<Value> = settings.map(for_programs).collect();
        return Ok(serde_json::to_string_pretty(&json!({ "settings": settings }))? + "\n");
    }
    let mut text = wrapped("", ABOUT);
    for section in Section::ALL {
        let settings = SETTINGS.iter().filter(|setting| setting.section == section);
        let settings: Vec<&Setting> =
            settings.filter(|setting| kinds.iter().any(|kind| setting.is_of(*kind))).collect();
        if !settings.is_empty() {
            text.extend(["\n[", &section.path(), "]\n"]);
            text.extend(settings.into_iter().map(|setting| told(setting, &kinds)));
        }
    }
    Ok(text)
}

fn for_programs(setting: &Setting) -> Value {
    let kinds: Vec<&str> = setting.kinds.iter().map(|kind| kind.word()).collect();
    let help: Vec<String> =
        [setting.short()].into_iter().chain(setting.more()).map(|text| Door::File.spell(&text)).collect();
    json!({ "name": Door::File.name(setting), "kinds": kinds, "help": help.join("\n\n") })
}

/// A setting: its name, what its value looks like, its default, the kinds that have it, and its help.
fn told(setting: &Setting, kinds: &[Kind]) -> String {
    let has = kinds.iter().filter(|kind| setting.is_of(**kind));
    let value = if setting.form == Form::Truth { "true" } else { setting.value };
    let default = has.clone().find_map(|kind| setting.default_text(*kind));
    let default = default.map_or_else(String::new, |default| format!(" (default: {})", Door::File.spell(&default)));
    let names: Vec<&str> = has.map(|kind| kind.word()).collect();
    let of = if names.len() < kinds.len() { format!("Of {}.", names.join(", ")) } else { String::new() };
    let words = setting.words(kinds).into_iter().map(|word| format!("- {}: {}", word.name, word.help));
    let help = [setting.short()].into_iter().chain(setting.more()).chain(words).chain([of]);
    let help =
        help.filter(|paragraph| !paragraph.is_empty()).map(|paragraph| wrapped("", &Door::File.spell(&paragraph)));
    let help: String = help.collect();
    let indented: String = help.lines().flat_map(|line| ["    ", line, "\n"]).collect();
    format!("\n{} = {value}{default}\n{indented}", setting.name)
}
