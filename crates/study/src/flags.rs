//! A study from flat pairs of names and values: flags and keywords.

use crate::canonical::written;
use crate::choices::GapsName;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::sections::{SETTINGS, Sections};
use crate::setting::{Setting, setting};
use crate::study::Study;
use crate::value::Value;
use crate::value_error::ValueError;

/// The setting of this name, which somebody said.
fn known(name: &str) -> Result<&'static Setting, Refusal> {
    setting(name).ok_or_else(|| Refusal::of("", format!("`{}` is no setting", name.escape_debug())))
}

impl Sections {
    /// What pairs of names and values say.
    ///
    /// # Errors
    /// A name that is no setting, one that comes twice, and a value that its setting cannot have.
    pub fn of_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Result<Self, Refusal> {
        let mut said = Self::default();
        for (name, value) in pairs {
            let setting = known(name)?;
            if said.get(name).is_some() {
                return Err(Refusal::of(setting.name, "it is given twice"));
            }
            said.set(name, value).map_err(|error| Refusal::of(setting.name, error.to_string()))?;
        }
        Ok(said)
    }

    /// Says one more setting, as a flag is written.
    pub fn say(&mut self, name: &str, text: &str) -> Result<(), Refusal> {
        let setting = known(name)?;
        let refused = |error: ValueError| Refusal::of(setting.name, error.to_string());
        self.set(name, setting.parse(text).map_err(refused)?).map_err(refused)
    }

    /// The same from texts, as flags are written.
    pub fn of_texts<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refusal> {
        let mut values = Vec::new();
        for (name, text) in pairs {
            let setting = known(name)?;
            values.push((name, setting.parse(text).map_err(|error| Refusal::of(setting.name, error.to_string()))?));
        }
        Self::of_pairs(values)
    }

    /// The kind that asks for these settings, where nobody names it.
    pub fn kind(&self) -> Kind {
        let Self { table, groups, change, surface, regression, centiles, .. } = self;
        if table.columns.is_some() {
            Kind::Density
        } else if regression.on.is_some() || regression.covariate_bounds.is_some() || regression.outcome.is_some() {
            Kind::Regression
        } else if surface.surface.is_some() || table.s.is_some() || table.t.is_some() {
            Kind::Surface
        } else if centiles.centiles.is_some() {
            Kind::Centiles
        } else if change.change.is_some() || change.per.is_some() || change.apart.is_some() {
            Kind::Change
        } else if groups.by.is_some() {
            Kind::Groups
        } else if [&table.id, &table.time, &table.value].iter().any(|column| column.is_some())
            || table.domain.is_some()
            || table.gaps == Some(GapsName::Rows)
        {
            Kind::Rows
        } else {
            Kind::Mean
        }
    }
}

impl Study {
    /// The study that flat settings are, of this kind or the one that asks for them.
    pub fn of_flags(kind: Option<Kind>, said: Sections) -> Self {
        Self { kind: kind.unwrap_or_else(|| said.kind()), said }
    }

    /// The same study, where flags say nothing else.
    ///
    /// # Errors
    /// A flag that says another value than the study, or one that the study does not say: the study is what was agreed on.
    pub fn with_flags(self, flags: &Sections) -> Result<Self, Refusal> {
        for setting in SETTINGS {
            let name = setting.name;
            let Some(flag) = flags.get(name) else { continue };
            let agreed = self.said.get(name).or_else(|| setting.constant(self.kind));
            if agreed.as_ref() == Some(&flag) {
                continue;
            }
            let (path, value) = (setting.section.path(), written(&flag));
            let why = match agreed {
                Some(agreed) => format!("the study says {}, and not {value}", written(&agreed)),
                None => "the study does not say it".to_owned(),
            };
            let instead = format!("leave it out, or write {name} = {value} under [{path}] of the study");
            return Err(Refusal::of(name, why).instead(instead));
        }
        Ok(self)
    }
}
