//! One setting: a row of the table that flags, files, schema and help are made of.

use crate::choice::Word;
use crate::kind::Kind;
use crate::sections::SETTINGS;
use crate::value::{Form, Value};
use crate::value_error::ValueError;

/// Where a setting stands in a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What one person's data can change.
    Privacy,
    /// What is known of every record.
    Bound,
    /// How the table is read.
    Table,
    /// What this kind alone has.
    Release(Kind),
    /// What is estimated.
    Estimate,
    /// What the papers about the release say.
    Papers,
    /// How the figure looks.
    Figure,
}

impl Section {
    /// Every section, in the order of a file.
    pub const ALL: [Self; 14] = [
        Self::Release(Kind::Mean),
        Self::Release(Kind::Groups),
        Self::Release(Kind::Change),
        Self::Release(Kind::Rows),
        Self::Release(Kind::Surface),
        Self::Release(Kind::Regression),
        Self::Release(Kind::Centiles),
        Self::Release(Kind::Density),
        Self::Privacy,
        Self::Bound,
        Self::Table,
        Self::Estimate,
        Self::Papers,
        Self::Figure,
    ];

    /// The name of the section in a file.
    pub fn path(self) -> String {
        match self {
            Self::Privacy => "privacy".to_owned(),
            Self::Bound => "bound".to_owned(),
            Self::Table => "table".to_owned(),
            Self::Release(kind) => format!("release.{}", kind.word()),
            Self::Estimate => "estimate".to_owned(),
            Self::Papers => "papers".to_owned(),
            Self::Figure => "figure".to_owned(),
        }
    }

    /// What help texts call it.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Privacy => "Guarantee",
            Self::Bound => "Public bounds (from public knowledge, never from these data)",
            Self::Table
            | Self::Release(Kind::Groups | Kind::Change | Kind::Regression | Kind::Centiles | Kind::Surface) => "Data",
            Self::Release(Kind::Rows) => "Long tables (one row for each value)",
            Self::Release(Kind::Mean | Kind::Density) | Self::Estimate => "Estimate",
            Self::Papers => "Papers",
            Self::Figure => "Figure",
        }
    }
}

/// What holds where a setting is not said.
#[derive(Debug, Clone, Copy)]
pub enum Default {
    /// Nothing: whatever it asks for is not asked for, or it must be said.
    None,
    /// A public constant, for the kinds that have one: to say it is to leave it out.
    Constant(fn(Kind) -> Option<String>),
    /// What follows from other settings, in words.
    Usual(fn() -> String),
}

/// A setting: a row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name, as in a file; no two settings have the same.
    pub name: &'static str,
    /// Where it stands.
    pub section: Section,
    /// The lines of its help text.
    pub(crate) help: &'static [&'static str],
    /// What help texts call its value.
    pub value: &'static str,
    /// What its values look like.
    pub form: Form,
    /// What holds where it is not said.
    pub default: Default,
    /// The kinds that have it.
    pub kinds: &'static [Kind],
    /// Whether short help shows it.
    pub is_common: bool,
    pub(crate) parse: fn(&str) -> Result<Value, ValueError>,
}

/// The setting of this name.
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

impl Setting {
    /// What it is, in a line or two. Other settings stand in braces.
    pub fn short(&self) -> String {
        paragraph(self.help.split(|line| line.is_empty()).next().unwrap_or_default())
    }

    /// What more there is to say, in paragraphs.
    pub fn more(&self) -> Option<String> {
        let paragraphs: Vec<String> = self.help.split(|line| line.is_empty()).skip(1).map(paragraph).collect();
        (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
    }

    /// Reads the text of a flag, and gives the value as documents write it.
    pub fn parse(&self, text: &str) -> Result<Value, ValueError> {
        (self.parse)(text)
    }

    /// Whether a study of this kind may say it.
    pub fn is_of(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The words that a study of one of these kinds may say, where its values are words.
    pub fn words(&self, kinds: &[Kind]) -> Vec<Word> {
        let Form::Words(words) = self.form else { return Vec::new() };
        words.iter().filter(|word| kinds.iter().any(|kind| word.is_of(*kind))).copied().collect()
    }

    /// The constant that holds for this kind where nothing is said.
    pub fn constant(&self, kind: Kind) -> Option<Value> {
        let Default::Constant(of) = self.default else { return None };
        of(kind).filter(|_| self.is_of(kind)).and_then(|text| self.parse(&text).ok())
    }

    /// What holds for this kind where nothing is said, as it is shown.
    pub fn default_text(&self, kind: Kind) -> Option<String> {
        match self.default {
            Default::None => None,
            Default::Constant(of) => of(kind),
            Default::Usual(words) => Some(words()),
        }
    }
}

fn paragraph(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
