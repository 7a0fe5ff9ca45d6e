//! Settings whose values are words.

use crate::kind::Kind;

/// A word that a setting may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub name: &'static str,
    /// What it asks for.
    pub help: &'static str,
    /// The kinds that have it; all that have the setting, where there are none.
    pub kinds: &'static [Kind],
}

impl Word {
    /// Whether a study of this kind may say it.
    pub fn is_of(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// An enum of words, each with its help text.
macro_rules! choice {
    ($(#[doc = $about:literal])+ $Name:ident { $(#[doc = $help:literal] $Variant:ident = $word:literal $(of $kinds:expr)?),+ $(,)? }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name { $(#[doc = $help] $Variant),+ }

        impl $Name {
            /// Every word, in the order of help texts.
            pub const WORDS: &'static [$crate::choice::Word] = &[
                $($crate::choice::Word { name: $word, help: $help, kinds: choice!(@kinds $($kinds)?) }),+
            ];

            /// The word.
            pub fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word),+ }
            }
        }

        impl $crate::value::SettingValue for $Name {
            const FORM: $crate::value::Form = $crate::value::Form::Words($Name::WORDS);

            fn parse(text: &str) -> Result<Self, $crate::value_error::ValueError> {
                match text.trim() {
                    $($word => Ok(Self::$Variant),)+
                    _ => Err($crate::value_error::ValueError::Word { known: $Name::WORDS }),
                }
            }

            fn read(value: $crate::value::Value) -> Result<Self, $crate::value_error::ValueError> {
                Self::parse(&$crate::value::text(value)?)
            }

            fn value(&self) -> $crate::value::Value {
                $crate::value::Value::Text(self.word().to_owned())
            }
        }
    };
    (@kinds) => { &[] };
    (@kinds $kinds:expr) => { $kinds };
}

pub(crate) use choice;
