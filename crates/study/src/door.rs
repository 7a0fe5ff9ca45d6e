//! How a front end writes the names of settings.

use dpfda::mechanism::exact;

use crate::canonical::written;
use crate::refusal::Refusal;
use crate::sections::SETTINGS;
use crate::setting::{Setting, setting};
use crate::value::Value;

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

    /// A text whose settings, which stand in braces, are written as this door writes them: `{bounds}`, or with a value as an option has it,
    /// `{bounds=0,1}`.
    pub fn spell(self, text: &str) -> String {
        let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
        let Some((name, after)) = rest.split_once('}') else { return text.to_owned() };
        let (name, example) = name.split_once('=').map_or((name, None), |(name, text)| (name, Some(text)));
        let spelled = match (SETTINGS.iter().find(|setting| setting.name == name), example) {
            (Some(setting), None) => self.name(setting),
            (Some(setting), Some(text)) => self.example(setting, text),
            (None, _) => format!("{{{name}}}"),
        };
        format!("{before}{spelled}{}", self.spell(after))
    }

    /// A setting with a value that an option would have in this text.
    fn example(self, setting: &Setting, text: &str) -> String {
        let name = self.name(setting);
        let Ok(value) = setting.parse(text) else { return format!("{name} {text}") };
        let items = match &value {
            Value::Reals(numbers) => numbers.iter().map(|number| exact(*number)).collect::<Vec<_>>().join(", "),
            Value::Texts(texts) => texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "),
            _ => String::new(),
        };
        match (self, items.is_empty()) {
            (Self::Flags, _) => format!("{name} {text}"),
            (Self::File | Self::R, true) => format!("{name} = {}", written(&value)),
            (Self::File, false) => format!("{name} = [{items}]"),
            (Self::Python, true) => format!("{name}{}", written(&value)),
            (Self::Python, false) => format!("{name}({items})"),
            (Self::R, false) => format!("{name} = c({items})"),
        }
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
