//! Options that are settings of a study: made from the table, with their help.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use dpfda_study::{Door, Form, Kind, SETTINGS, Section, Sections, Setting, Study, Value, ValueError, Word};
use thiserror::Error as ThisError;

use crate::error::CliError;
use crate::values::{ValueError as ArgumentError, refuse_option};

/// Which settings a command has as options.
pub trait Offer {
    /// The kinds of releases that it makes, or is about.
    const KINDS: &'static [Kind];

    /// The names of the settings; all of its kinds, where there are none.
    const NAMES: &'static [&'static str] = &[];

    /// Settings that a study file alone says.
    const OF_FILES: &'static [&'static str] = &[];

    /// Whether what is not given has its default.
    const HAS_DEFAULTS: bool = true;

    /// Whether help is brief: a sentence for each common setting. `dpfda show --settings` tells the rest.
    const IS_BRIEF: bool = false;

    /// The words that a setting may have.
    fn words(setting: &Setting) -> Vec<Word> {
        setting.words(Self::KINDS)
    }

    /// Whether it has this one.
    fn has(setting: &Setting) -> bool {
        let is_of = Self::KINDS.iter().any(|kind| setting.is_of(*kind));
        let is_named = Self::NAMES.is_empty() || Self::NAMES.contains(&setting.name);
        is_of && is_named && !Self::OF_FILES.contains(&setting.name)
    }
}

/// What was said of the settings that a command has.
pub struct Settings<O> {
    said: Sections,
    offer: PhantomData<fn() -> O>,
}

impl<O> fmt::Debug for Settings<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said.fmt(f)
    }
}

impl<O> Deref for Settings<O> {
    type Target = Sections;

    fn deref(&self) -> &Sections {
        &self.said
    }
}

/// Why the text of an option is no value.
#[derive(Debug, ThisError)]
enum NoValue {
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    #[error(transparent)]
    Setting(#[from] ValueError),
}

impl<O: Offer> Settings<O> {
    /// The study that a file and these options say together; with the file's own name where there is one.
    pub fn study(&self, file: Option<&Path>, kind: Option<Kind>) -> Result<Study, CliError> {
        let Some(path) = file else { return Ok(Study::of_flags(kind, self.said.clone())) };
        crate::study_file::read(path)?.with_flags(&self.said).map_err(CliError::of_flags)
    }
}

/// Settings in the order of help texts: the data come first.
fn in_order<O: Offer>() -> impl Iterator<Item = &'static Setting> {
    const ORDER: [Section; 6] = [
        Section::Table,
        Section::Release(Kind::Rows),
        Section::Bound,
        Section::Privacy,
        Section::Estimate,
        Section::Figure,
    ];
    let place = |setting: &&Setting| ORDER.iter().position(|place| place.heading() == setting.section.heading());
    let mut settings: Vec<&'static Setting> = SETTINGS.iter().filter(|setting| O::has(setting)).collect();
    settings.sort_by_key(place);
    settings.into_iter()
}

impl<O: Offer> Args for Settings<O> {
    fn augment_args(command: Command) -> Command {
        in_order::<O>().fold(command, |command, setting| command.arg(option::<O>(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<O: Offer> FromArgMatches for Settings<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let said = in_order::<O>().filter_map(|setting| {
            let value = match setting.form {
                Form::Truth => matches.get_flag(setting.name).then_some(Value::Truth(true)),
                _ => matches.get_one::<Value>(setting.name).cloned(),
            };
            value.map(|value| (setting.name, value))
        });
        let refused = |refusal| Error::raw(ErrorKind::ValueValidation, Door::Flags.refusal(&refusal) + "\n");
        Ok(Self { said: Sections::of_pairs(said).map_err(refused)?, offer: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn option<O: Offer>(setting: &'static Setting) -> Arg {
    let default = O::KINDS.iter().filter(|kind| setting.is_of(**kind)).find_map(|kind| setting.default_text(*kind));
    let default = default.filter(|_| O::HAS_DEFAULTS && setting.form != Form::Truth);
    let default = default.map_or_else(String::new, |default| format!(" [default: {}]", Door::Flags.spell(&default)));
    let short = Door::Flags.spell(&setting.short()) + &default;
    let argument = Arg::new(setting.name)
        .long(setting.name.replace('_', "-"))
        .help_heading(setting.section.heading())
        .help(short.clone())
        .hide_short_help(!setting.is_common)
        .hide_long_help(O::IS_BRIEF && !setting.is_common);
    let argument = if O::IS_BRIEF { argument } else { argument.long_help(long_help::<O>(setting, short)) };
    // the other spelling of the word
    let argument = if setting.name == "neighbours" { argument.alias("neighbors") } else { argument };
    if setting.form == Form::Truth {
        return argument.action(ArgAction::SetTrue);
    }
    let argument = argument.value_name(setting.value).value_parser(parser::<O>(setting)).allow_hyphen_values(true);
    // long help has them with their own help
    argument.hide_possible_values(true)
}

fn long_help<O: Offer>(setting: &Setting, short: String) -> String {
    let words = O::words(setting).iter().map(|word| format!("- {}: {}", word.name, word.help)).collect::<Vec<_>>();
    let more = setting.more().into_iter().chain((!words.is_empty()).then(|| words.join("\n\n")));
    more.fold(short, |long, more| format!("{long}\n\n{}", Door::Flags.spell(&more)))
}

fn parser<O: Offer>(setting: &'static Setting) -> ValueParser {
    let words = O::words(setting);
    if words.is_empty() {
        let parse = |text: &str| -> Result<Value, NoValue> {
            refuse_option(text)?;
            Ok(setting.parse(text)?)
        };
        return ValueParser::new(move |text: &str| parse(text));
    }
    let known = words.into_iter().map(|word| PossibleValue::new(word.name).help(Door::Flags.spell(word.help)));
    PossibleValuesParser::new(known).try_map(|text| setting.parse(&text)).into()
}
