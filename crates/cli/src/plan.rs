//! `dpfda forecast`: what a release will be worth, from public numbers alone.

use dpfda_study::{Kind, Sections};

use crate::arguments::PlanArguments;
use crate::error::CliError;
use crate::misasked::Misasked;
use crate::new_file::FigureFile;
use crate::progress;
use crate::request::in_words;
use crate::study_file::{folder, of_file};

mod answer;
mod error;
mod figure;
mod noise;
mod question;
mod words;

pub use error::PlanError;

use answer::Answer;
use question::Question;

/// Foretells the errors of releases, as text or JSON.
pub fn run(arguments: &PlanArguments) -> Result<String, CliError> {
    if let Some(family) = arguments.noise {
        return noise::run(arguments, family);
    }
    let said = said(arguments)?;
    let question = Question::check(arguments, &said)?;
    let file = arguments.figure.as_deref().map(|path| FigureFile::check(path, "plan.svg")).transpose()?;
    let (answer, figure) = progress::waiting("planning", || -> Result<_, CliError> {
        let risks = question.risks()?;
        let answer = Answer::of(&question, &risks)?;
        let figure = file.as_ref().map(|_| figure::drawn(&question, &risks.asked, &answer)).transpose()?;
        Ok((answer, figure))
    })?;
    if let (Some(file), Some(figure)) = (&file, &figure) {
        file.write(|| figure.to_svg(), || figure.to_pdf(), || figure.to_png())?;
    }
    let text = if arguments.answer.json {
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        words::of(&question, &answer, file.as_ref())
    };
    Ok(text)
}

/// What the study, or the options, say.
fn said(arguments: &PlanArguments) -> Result<Sections, CliError> {
    let Some(path) = &arguments.study else {
        let mut said = arguments.settings.clone();
        said.read_center(folder(None))?;
        return Ok(said);
    };
    let study = arguments.settings.study(Some(path), None)?;
    let study = study.check(folder(Some(path))).map_err(|refusal| of_file(path, refusal))?;
    match study.kind {
        Kind::Rows if study.is_long() && arguments.points_per_subject.is_none() => {
            Err(PlanError::NoRowsOfSubject.into())
        }
        Kind::Mean | Kind::Rows if study.kind == Kind::Mean || study.is_long() => Ok(study.said.clone()),
        _ => Err(Misasked::NotForetold { kind: in_words(&study) }.into()),
    }
}
