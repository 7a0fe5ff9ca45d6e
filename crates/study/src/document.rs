//! A study as TOML or JSON: one reading, which tells the line of what it refuses.

use serde::Deserialize;

use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::sections::{
    Bound, Centiles, Change, Density, Estimate, Figure, Groups, Mean, Papers, Privacy, Regression, Rows, SETTINGS,
    Sections, Surface, Table,
};
use crate::study::Study;

/// The largest study that is read, in bytes: a centre of a million points fits.
pub const LARGEST: usize = 1 << 25;

/// A study as it is written. The kind is the one section of `release`: `[release.mean]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    release: Release,
    #[serde(default)]
    privacy: Privacy,
    #[serde(default)]
    bound: Bound,
    #[serde(default)]
    table: Table,
    #[serde(default)]
    estimate: Estimate,
    #[serde(default)]
    papers: Papers,
    #[serde(default)]
    figure: Figure,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Release {
    Mean(Mean),
    Groups(Groups),
    Change(Change),
    Rows(Rows),
    Surface(Surface),
    Regression(Regression),
    Centiles(Centiles),
    Density(Density),
}

impl From<Document> for Study {
    fn from(document: Document) -> Self {
        let Document { release, privacy, bound, table, estimate, papers, figure } = document;
        let said = Sections { privacy, bound, table, estimate, papers, figure, ..Sections::default() };
        let (kind, said) = match release {
            Release::Mean(mean) => (Kind::Mean, Sections { mean, ..said }),
            Release::Groups(groups) => (Kind::Groups, Sections { groups, ..said }),
            Release::Change(change) => (Kind::Change, Sections { change, ..said }),
            Release::Rows(rows) => (Kind::Rows, Sections { rows, ..said }),
            Release::Surface(surface) => (Kind::Surface, Sections { surface, ..said }),
            Release::Regression(regression) => (Kind::Regression, Sections { regression, ..said }),
            Release::Centiles(centiles) => (Kind::Centiles, Sections { centiles, ..said }),
            Release::Density(density) => (Kind::Density, Sections { density, ..said }),
        };
        Self { kind, said }
    }
}

/// Reads a study file.
pub fn from_toml(text: &str) -> Result<Study, Refusal> {
    refuse_large(text)?;
    let document: Document = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        in_line(text, before.matches('\n').count() + 1, error.message())
    })?;
    Ok(document.into())
}

/// Reads a study as other languages write it.
pub fn from_json(text: &str) -> Result<Study, Refusal> {
    refuse_large(text)?;
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        in_line(text, error.line(), message)
    })?;
    Ok(document.into())
}

fn refuse_large(text: &str) -> Result<(), Refusal> {
    let bytes = text.len();
    if bytes <= LARGEST {
        Ok(())
    } else {
        Err(Refusal::of("", format!("a study has at most {LARGEST} bytes, and this has {bytes}")))
    }
}

/// A refusal at its line. The file may be the private one, given by mistake: of its line only the name of a setting is shown.
fn in_line(text: &str, line: usize, message: &str) -> Refusal {
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    if let Some(elsewhere) = SETTINGS.iter().find(|setting| Some(setting.name) == unknown) {
        let name = elsewhere.name;
        return Refusal::of("", format!("line {line}: `{name}` does not stand in this section, but is {{{name}}}"));
    }
    let one_kind = || Kind::ALL.map(|kind| format!("[release.{}]", kind.word())).join(", ");
    let of_kind = ["missing field `release`", "wanted exactly 1 element", "invalid type: unit variant"];
    if of_kind.iter().any(|start| message.starts_with(start)) {
        return Refusal::of("", format!("a study names one kind of release by its section: one of {}", one_kind()));
    }
    let content = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let key = content.split(['=', ':']).next().unwrap_or_default().trim().trim_matches('"');
    let name = SETTINGS.iter().find(|setting| setting.name == key).map_or("", |setting| setting.name);
    let value = content.split_once(['=', ':']).map_or("", |(_, value)| value.trim());
    if !name.is_empty() && (value.is_empty() || value.starts_with('#')) {
        return Refusal::of(name, format!("line {line}: no value is filled in"));
    }
    Refusal::of(name, format!("line {line}: {message}"))
}
