//! How a front end writes the names of settings.

use crate::refusal::Refusal;
use crate::sections::SETTINGS;
use crate::setting::{Setting, setting};

/// A front end, as far as it writes settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// `--radius-share`
    Flags,
    /// `bound.radius_share`
    File,
    /// `radius_share=`
    Python,
    /// `radius_share`, between backticks
    R,
}

impl Door {
    /// The name of a setting.
    pub fn name(self, setting: &Setting) -> String {
        match self {
            Self::Flags => format!("--{}", setting.name.replace('_', "-")),
            Self::File => format!("{}.{}", setting.section.path(), setting.name),
            Self::Python => format!("{}=", setting.name),
            Self::R => format!("`{}`", setting.name),
        }
    }

    /// A text whose settings, which stand in braces, are written as this door writes them.
    pub fn spell(self, text: &str) -> String {
        let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
        let Some((name, after)) = rest.split_once('}') else { return text.to_owned() };
        let spelled = match SETTINGS.iter().find(|setting| setting.name == name) {
            Some(setting) => self.name(setting),
            None => format!("{{{name}}}"),
        };
        format!("{before}{spelled}{}", self.spell(after))
    }

    /// A refusal: what was wrong, and what to do on a line of its own.
    pub fn refusal(self, refusal: &Refusal) -> String {
        let Refusal { blame, why, instead } = refusal;
        let begins = why.starts_with(&format!("{{{}}}", refusal.setting()));
        let names = blame.names().iter().filter_map(|name| setting(name)).map(|setting| self.name(setting));
        let names = names.filter(|_| !begins).collect::<Vec<_>>().join(", ");
        let colon = if names.is_empty() { "" } else { ": " };
        let instead = instead.as_ref().map(|instead| format!("\nhint: {}", self.spell(instead)));
        format!("{names}{colon}{}{}", self.spell(why), instead.unwrap_or_default())
    }
}
