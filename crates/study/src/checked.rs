//! A study that was checked: every rule holds, every default is filled, and it has a digest.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use dpfda::mechanism::Digest;
use dpfda::smoothing::PublicCurve;

use crate::canonical::{canonical, written};
use crate::choices::GapsName;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::sections::{SETTINGS, Sections};
use crate::setting::Setting;
use crate::study::Study;
use crate::value::Value;
use crate::values::CenterValue;

/// The largest file of a centre that is read, in bytes: far more than the points that a grid can have.
const LARGEST_CENTER: u64 = 1 << 23;

/// A study that was checked: a centre's file is replaced by its values, and what is not said has the default of its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    study: Study,
    settings: BTreeMap<&'static str, Value>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The study says it.
    Said,
    /// Nothing was said: a public constant.
    Default,
    /// Nothing was said: it follows from other settings.
    Follows,
}

/// A setting of a checked study.
#[derive(Debug, Clone)]
pub struct Told {
    /// Which.
    pub setting: &'static Setting,
    /// Its value, as it is shown.
    pub value: String,
    /// Where that comes from.
    pub origin: Origin,
}

impl Study {
    /// Decides every combination, reads the file of a centre, whose path is one from `folder`, and fills defaults.
    ///
    /// # Errors
    /// A setting that the kind does not have, settings that exclude each other, what must be said and was not, and a centre that cannot be
    /// read.
    pub fn check(mut self, folder: &Path) -> Result<Checked, Refusal> {
        if self.kind == Kind::Change && self.bound.radius.is_some() {
            // where nothing is expected
            self.said.bound.center.get_or_insert(CenterValue::Constant(0.0));
        }
        self.check_rules()?;
        if self.kind == Kind::Rows && !self.is_long() {
            // there is no other way
            self.said.table.gaps = Some(GapsName::Rows);
        }
        self.said.read_center(folder)?;
        let kind = self.kind;
        let value = |setting: &'static Setting| {
            let value = self.get(setting.name).or_else(|| setting.constant(kind))?;
            Some((setting.name, value))
        };
        let settings = SETTINGS.iter().filter_map(value).collect();
        Ok(Checked { study: self, settings })
    }
}

impl Sections {
    /// Puts the values of a centre in the place of its file, whose path is one from `folder`.
    pub fn read_center(&mut self, folder: &Path) -> Result<(), Refusal> {
        if let Some(CenterValue::File(path)) = &self.bound.center {
            self.bound.center = Some(center(folder.join(path))?);
        }
        Ok(())
    }
}

/// The public curve of a file. The file may be the private one, given by mistake: nothing in it is shown.
fn center(path: PathBuf) -> Result<CenterValue, Refusal> {
    let named = path.display().to_string().escape_debug().to_string();
    let read = || {
        let mut bytes = Vec::new();
        File::open(&path)?.take(LARGEST_CENTER + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_CENTER { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    };
    let refused = |why: String| {
        let advice = "give a number in the units of the data, or a CSV file with the columns t,value";
        Refusal::of("center", why).instead(advice)
    };
    let bytes = read().map_err(|reason: io::Error| {
        let reason = match reason.kind() {
            io::ErrorKind::NotFound => "no such file".to_owned(),
            io::ErrorKind::FileTooLarge => format!("it is larger than {LARGEST_CENTER} bytes, the most that are read"),
            kind => kind.to_string(),
        };
        refused(format!("`{named}` is not a number and cannot be read as a CSV file: {reason}"))
    })?;
    let curve =
        PublicCurve::from_csv_reader(bytes.as_slice()).map_err(|reason| refused(format!("{named}: {reason}")))?;
    Ok(CenterValue::Curve(curve, Some(path)))
}

impl Checked {
    /// The study, with the values of its centre.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The canonical JSON: every setting that is said or has a constant default, in the order of names.
    pub fn canonical(&self) -> String {
        canonical(self.study.kind, &self.settings)
    }

    /// The SHA-256 of the canonical JSON.
    pub fn digest(&self) -> Digest {
        Digest::of(self.canonical().as_bytes())
    }

    /// Every setting of the kind that has a value, in the order of the table.
    pub fn origins(&self) -> Vec<Told> {
        let kind = self.study.kind;
        let told = |setting: &'static Setting| {
            let said = self.study.get(setting.name).map(|value| (written(&value), Origin::Said));
            let constant = || Some((written(&setting.constant(kind)?), Origin::Default));
            let follows = || Some((setting.default_text(kind)?, Origin::Follows));
            let (value, origin) = said.or_else(constant).or_else(follows)?;
            Some(Told { setting, value, origin })
        };
        SETTINGS.iter().filter(|setting| setting.is_of(kind)).filter_map(told).collect()
    }
}

impl Deref for Checked {
    type Target = Study;

    fn deref(&self) -> &Study {
        &self.study
    }
}
