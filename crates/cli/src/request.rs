//! What a release is asked for by: its study, and where the data lie.

use std::path::{Path, PathBuf};

use dpfda_study::{Blame, CenterValue, Checked, Kind, Sections};

use crate::arguments::ReleaseArguments;
use crate::error::CliError;
use crate::misasked::Misasked;
use crate::refusal::Refusal;
use crate::settings::{Offer, Settings};
use crate::study_file::{folder, is_study, of_file};

/// A checked study, and the private file that it is asked of.
#[derive(Debug)]
pub struct Request<'a> {
    /// What is released.
    pub study: Checked,
    /// The private file.
    pub data: &'a Path,
    /// The study file, where there is one.
    file: Option<&'a Path>,
}

/// The study file, where the first of the files is one, and the private file.
pub fn split(files: &[PathBuf]) -> Result<(Option<&Path>, &Path), CliError> {
    match files {
        [data] if !is_study(data) => Ok((None, data)),
        [study, data] if is_study(study) && !is_study(data) => Ok((Some(study), data)),
        _ => Err(Misasked::Files.into()),
    }
}

impl<'a> Request<'a> {
    /// The study of a file and of options, checked.
    pub fn of<O: Offer>(files: &'a [PathBuf], settings: &Settings<O>) -> Result<Self, CliError> {
        let (file, data) = split(files)?;
        let study = settings.study(file, None)?.check(folder(file)).map_err(|refusal| match file {
            Some(file) => of_file(file, refusal),
            None => CliError::of_flags(refusal),
        })?;
        Ok(Self { study, data, file })
    }

    /// An error in the names that the study file writes, where there is one.
    pub fn told(&self, error: CliError) -> CliError {
        match (self.file, error) {
            (Some(file), CliError::Refused { refusal: Refusal::Study(refusal) }) if refusal.blame != Blame::Data => {
                of_file(file, refusal)
            }
            (_, error) => error,
        }
    }

    /// The files that are read.
    pub fn files(&self) -> Vec<&Path> {
        files_of(&self.study, self.data)
    }
}

/// The file of a centre, and of the data.
pub fn files_of<'a>(said: &'a Sections, data: &'a Path) -> Vec<&'a Path> {
    let center = match &said.bound.center {
        Some(CenterValue::Curve(_, Some(path)) | CenterValue::File(path)) => Some(path.as_path()),
        _ => None,
    };
    center.into_iter().chain([data]).collect()
}

/// Refuses an option that tables of this kind do not have.
pub fn refuse_options(request: &Request<'_>, arguments: &ReleaseArguments) -> Result<(), CliError> {
    let study = &request.study;
    let (is_long, is_filled) = (study.is_long(), study.table.is_process());
    let has_plan = match study.kind {
        Kind::Mean => !is_filled,
        Kind::Rows => is_long,
        Kind::Surface => !is_long,
        Kind::Groups | Kind::Change | Kind::Regression | Kind::Centiles | Kind::Density => false,
    };
    let has_order = matches!(study.kind, Kind::Mean | Kind::Surface) && !is_filled && !is_long;
    let asked = [
        ("--plan-only", arguments.plan_only.is_some() && !has_plan),
        ("--sorted-by-subject", arguments.work.sorted_by_subject && !has_order),
    ];
    if arguments.work.sorted_by_subject && study.table.subject.is_none() {
        return Err(Misasked::NoOrder.into());
    }
    // a study may name papers all the same: they stand on releases
    let papers = &arguments.settings.papers;
    let papers = [
        ("--dataset", papers.dataset.is_some()),
        ("--study-name", papers.study_name.is_some()),
        ("--approval", papers.approval.is_some()),
        ("--date", papers.date.is_some()),
    ];
    if let Some((option, _)) = papers.into_iter().find(|(_, said)| *said && arguments.plan_only.is_some()) {
        return Err(Misasked::NotForKind { option, kind: "a plan" }.into());
    }
    match asked.into_iter().find(|(_, is_refused)| *is_refused) {
        Some((option, _)) => Err(Misasked::NotForKind { option, kind: in_words(&request.study) }.into()),
        None => Ok(()),
    }
}

/// What is read and released, in words.
pub fn in_words(study: &Checked) -> &'static str {
    match (study.kind, study.is_long()) {
        (Kind::Rows, true) => "a long table (--id, --time, --value and --domain)",
        (Kind::Rows, false) => "a table of curves with --gaps rows",
        (Kind::Centiles, true) => "centile curves of a long table (--id, --time, --value and --domain)",
        (Kind::Surface, true) => "a long table of surfaces (--surface with --id, --s, --t and --value)",
        (Kind::Surface, false) => "a table of surfaces (--surface)",
        (Kind::Groups, _) => "a table of groups (--by)",
        (Kind::Change, _) => "a table of visits (--change or --per)",
        (Kind::Mean, _) if study.table.is_process() => "a table of curves with --gaps gaussian-process",
        (kind, _) => kind.in_words(),
    }
}
