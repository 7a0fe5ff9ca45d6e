//! How the tables of parts are read: said once, in the plan.

use serde_json::{Map, Value as Json};

use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::sections::{SETTINGS, Sections, Table};
use crate::setting::Section;
use crate::value::Value;

/// Where points lie stands in the plan itself.
const IN_PLAN: [&str; 3] = ["grid", "periodic", "gaps"];

impl Checked {
    /// What the study says about the columns of a table, for the plan of parts.
    pub fn table_of_parts(&self) -> Map<String, Json> {
        let settings =
            SETTINGS.iter().filter(|setting| setting.section == Section::Table && !IN_PLAN.contains(&setting.name));
        let said = settings.filter_map(|setting| Some((setting.name, self.get(setting.name)?)));
        said.map(|(name, value)| (name.to_owned(), serde_json::to_value(value).unwrap_or_default())).collect()
    }
}

impl Table {
    /// What a plan says about the columns of a table, where this one does not say it.
    ///
    /// # Errors
    /// [`Refusal`] for what is no setting of a table, or no value of one.
    pub fn or_of_plan(&self, plan: Option<&Map<String, Json>>) -> Result<Self, Refusal> {
        let said = Sections { table: self.clone(), ..Sections::default() };
        let mut pairs = Vec::new();
        for setting in SETTINGS.iter().filter(|setting| setting.section == Section::Table) {
            let of_plan = || {
                let value = plan?.get(setting.name)?;
                Some(serde_json::from_value::<Value>(value.clone()))
            };
            match (said.get(setting.name), of_plan()) {
                (Some(value), _) | (None, Some(Ok(value))) => pairs.push((setting.name, value)),
                (None, Some(Err(_))) => return Err(Refusal::of(setting.name, "the plan has no value of this setting")),
                (None, None) => {}
            }
        }
        Ok(Sections::of_pairs(pairs)?.table)
    }
}
