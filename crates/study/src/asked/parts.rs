//! How the tables of parts are read: said once, in the plan.

use serde_json::{Map, Value as Json};

use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::sections::{SETTINGS, Sections, Table};
use crate::setting::Section;
use crate::value::Value;

/// Where points lie stands in the plan itself.
const IN_PLAN: [&str; 3] = ["grid", "periodic", "gaps"];

/// How a file is written may differ from place to place; what patterns take is held to the names of the plan.
const OF_FILES: [&str; 4] = ["values", "missing", "delimiter", "decimal_comma"];

/// Where a plan has the names of the columns that its patterns took.
const NAMES: &str = "names";

impl Checked {
    /// What the study says about the columns of a table, for the plan of parts; `names` are those that its patterns took.
    pub fn table_of_parts(&self, names: Option<Vec<&str>>) -> Map<String, Json> {
        let settings =
            SETTINGS.iter().filter(|setting| setting.section == Section::Table && !IN_PLAN.contains(&setting.name));
        let said = settings.filter_map(|setting| Some((setting.name, self.get(setting.name)?)));
        let said = said.map(|(name, value)| (name.to_owned(), serde_json::to_value(value).unwrap_or_default()));
        said.chain(names.map(|names| (NAMES.to_owned(), Json::from(names)))).collect()
    }
}

/// Refuses columns that are not those that the plan was made of, where both have names.
///
/// # Errors
/// [`Refusal`] with the first that differs.
pub fn check_names(plan: Option<&Map<String, Json>>, found: Option<&[&str]>) -> Result<(), Refusal> {
    let planned = plan.and_then(|table| table.get(NAMES)?.as_array());
    let (Some(planned), Some(found)) = (planned, found) else { return Ok(()) };
    let mut pairs = planned.iter().map(|name| name.as_str().unwrap_or_default()).zip(found);
    match pairs.find(|(planned, found)| planned != *found) {
        None => Ok(()),
        Some((planned, found)) => {
            let (planned, found) = (planned.escape_debug(), found.escape_debug());
            let why = format!("the plan has the column `{planned}` where this table has `{found}`");
            Err(Refusal::of("values", why)
                .instead("name the columns as the plan has them: all parts are added up point by point"))
        }
    }
}

fn other(setting: &'static str) -> Refusal {
    let why = "the plan says otherwise, and all parts are read alike";
    Refusal::of(setting, why).instead(format!("leave {{{setting}}} out, or write another plan"))
}

impl Table {
    /// What a plan says about the columns of a table. This one may repeat it: who a record is was agreed on by all.
    ///
    /// # Errors
    /// [`Refusal`] for a column that is another one by the plan, or a value in the plan that is no value of its setting.
    pub fn or_of_plan(&self, plan: Option<&Map<String, Json>>) -> Result<Self, Refusal> {
        let said = Sections { table: self.clone(), ..Sections::default() };
        let mut pairs = Vec::new();
        for setting in SETTINGS.iter().filter(|setting| setting.section == Section::Table) {
            let of_plan = || {
                let value = plan?.get(setting.name)?;
                Some(serde_json::from_value::<Value>(value.clone()))
            };
            match (said.get(setting.name), of_plan()) {
                (Some(said), Some(Ok(planned))) if said != planned && !OF_FILES.contains(&setting.name) => {
                    return Err(other(setting.name));
                }
                (Some(value), _) | (None, Some(Ok(value))) => pairs.push((setting.name, value)),
                (None, Some(Err(_))) => return Err(Refusal::of(setting.name, "the plan has no value of this setting")),
                (None, None) => {}
            }
        }
        Ok(Sections::of_pairs(pairs)?.table)
    }
}
