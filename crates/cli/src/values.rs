//! Argument values that are more than one word or number.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use dpfda::kernels::KernelName;
use dpfda::privacy::{NoiseFamily, NoiseFamilyError};
use dpfda_study::{Kind, SettingValue};
use thiserror::Error;

use crate::covariates::{Value, pairs};

/// Why the text of an argument is not a value. Arguments are public, so clap shows the text itself.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ValueError {
    #[error(transparent)]
    Setting(#[from] dpfda_study::ValueError),
    #[error("not a slice of a surface; write the axis and a number, such as s=1.5 or t=12")]
    Slice,
    #[error("not a list of numbers; write them with commas between, like 0.1,0.5,1")]
    Numbers,
    #[error("the list is empty; give at least one value")]
    Empty,
    #[error(
        "not a number of records; write a whole number like 500, a list like 100,300,1000, or a range like 100..10000, the \
         lower number first"
    )]
    Records,
    #[error(
        "{found} numbers of records are more than a table holds; give at most {MOST_NUMBERS}, or a range like 100..10000"
    )]
    TooManyRecords { found: usize },
    #[error("not a list of kernels: `{name}` is none; known are {}; write commas between them", KernelName::known())]
    Kernels { name: String },
    #[error("not two points; write them like 0.25,0.5, or write all for the whole domain")]
    Ends,
    #[error("not a seed; give a whole number from 0 to 2^64-1")]
    Seed,
    #[error("a directory is needed; give the name of a new one, such as release")]
    Directory,
    #[error("this is another option, so the value is missing")]
    Option,
}

/// The most numbers of records in a list.
const MOST_NUMBERS: usize = 12;
/// A range of numbers of records has so many, in equal ratios.
const OF_A_RANGE: u8 = 7;

/// Numbers of records; whether a mean is of so many is for the concept that they belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordsArgument(pub Vec<u64>);

impl FromStr for RecordsArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        refuse_option(text)?;
        refuse_empty(text)?;
        let whole = |piece: &str| piece.trim().parse::<u64>().map_err(|_| ValueError::Records);
        let Some((first, last)) = text.split_once("..") else {
            let numbers: Vec<u64> = text.split(',').map(whole).collect::<Result<_, _>>()?;
            let found = numbers.len();
            return if found > MOST_NUMBERS { Err(ValueError::TooManyRecords { found }) } else { Ok(Self(numbers)) };
        };
        let (first, last) = (whole(first)?, whole(last)?);
        if first >= last {
            return Err(ValueError::Records);
        }
        let ratio = (last as f64 / first.max(1) as f64).powf(1.0 / f64::from(OF_A_RANGE - 1));
        let between = (1..OF_A_RANGE - 1).map(|step| round_number(first.max(1) as f64 * ratio.powi(i32::from(step))));
        let mut numbers = vec![first];
        numbers.extend(between.filter(|number| (first..last).contains(number)));
        numbers.push(last);
        numbers.dedup();
        Ok(Self(numbers))
    }
}

/// A number of records to two digits.
pub fn round_number(value: f64) -> u64 {
    format!("{value:.1e}").parse::<f64>().map_or(0, |rounded| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is too large saturates")]
        let whole = rounded.round() as u64;
        whole
    })
}

/// Numbers with commas between.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers(pub Vec<f64>);

/// Where a mean is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub enum AtArgument {
    /// At these points of the domain.
    Points(Numbers),
    /// For people with these covariates.
    Covariates(Vec<Value>),
}

impl FromStr for AtArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        refuse_option(text)?;
        if text.contains('=') { Ok(Self::Covariates(pairs(text))) } else { text.parse().map(Self::Points) }
    }
}

/// Where slopes are wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum SlopesArgument {
    /// At all points of the curve.
    All,
    /// About these points.
    About(Numbers),
}

impl FromStr for SlopesArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text.trim() == "all" { Ok(Self::All) } else { text.parse().map(Self::About) }
    }
}

/// Where an integral begins and ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IntegralArgument {
    /// At the ends of the domain.
    All,
    /// At these points; whether they are in order is for the concept that they belong to.
    Between(f64, f64),
}

impl FromStr for IntegralArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text.trim() == "all" {
            return Ok(Self::All);
        }
        match text.parse::<Numbers>()?.0[..] {
            [from, to] => Ok(Self::Between(from, to)),
            _ => Err(ValueError::Ends),
        }
    }
}

/// Where a slice of a surface is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SliceArgument {
    /// At one value of the first axis.
    AtS(f64),
    /// At one value of the second axis.
    AtT(f64),
}

impl FromStr for SliceArgument {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (axis, at) = text.split_once('=').ok_or(ValueError::Slice)?;
        let at = number(at).map_err(|_| ValueError::Slice)?;
        match axis.trim() {
            "s" => Ok(Self::AtS(at)),
            "t" => Ok(Self::AtT(at)),
            _ => Err(ValueError::Slice),
        }
    }
}

/// Kernels with commas between; repeats are dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelNames(pub Vec<KernelName>);

/// The noise to calibrate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FamilyArgument {
    /// This family.
    Named(NoiseFamily),
    /// The one of least variance.
    Best,
}

/// One number, of any sign; whether it is in range is for the concept it belongs to.
pub fn number(text: &str) -> Result<f64, ValueError> {
    refuse_option(text)?;
    Ok(SettingValue::parse(text)?)
}

/// A number of things; whether it is enough is for the concept it belongs to.
pub fn count(text: &str) -> Result<usize, ValueError> {
    refuse_option(text)?;
    Ok(SettingValue::parse(text)?)
}

/// The seed of a demonstration.
pub fn seed(text: &str) -> Result<u64, ValueError> {
    refuse_option(text)?;
    text.trim().parse().map_err(|_| ValueError::Seed)
}

/// A kind of release.
pub fn kind(word: &str) -> Result<Kind, String> {
    let known = || Kind::ALL.map(Kind::word).join(", ");
    Kind::of_word(word).ok_or_else(|| format!("no kind of release; give one of {}", known()))
}

/// The name of a directory.
pub fn directory(name: OsString) -> Result<PathBuf, ValueError> {
    if name.is_empty() { Err(ValueError::Directory) } else { Ok(name.into()) }
}

impl FromStr for Numbers {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        refuse_option(text)?;
        refuse_empty(text)?;
        let numbers: Result<_, _> = text.split(',').map(|piece| piece.trim().parse()).collect();
        numbers.map(Self).map_err(|_| ValueError::Numbers)
    }
}

impl FromStr for KernelNames {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        refuse_empty(text)?;
        let mut names = Vec::new();
        for piece in text.split(',').map(str::trim) {
            let name = piece.parse().map_err(|_| ValueError::Kernels { name: piece.to_owned() })?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(Self(names))
    }
}

impl FromStr for FamilyArgument {
    type Err = NoiseFamilyError;

    fn from_str(text: &str) -> Result<Self, NoiseFamilyError> {
        if text == "best" { Ok(Self::Best) } else { text.parse().map(Self::Named) }
    }
}

/// Values may begin with a minus sign, so clap would take `--radius --force` for a value.
pub fn refuse_option(text: &str) -> Result<(), ValueError> {
    if text.starts_with("--") { Err(ValueError::Option) } else { Ok(()) }
}

fn refuse_empty(list: &str) -> Result<(), ValueError> {
    if list.trim().is_empty() { Err(ValueError::Empty) } else { Ok(()) }
}
