//! `dpfda forecast`: what a release will be worth, from public numbers alone.

use dpfda::plotting::Frame;
use dpfda_study::Errors;

use crate::arguments::PlanArguments;
use crate::error::CliError;
use crate::new_file::FigureFile;
use crate::progress;

mod answer;
mod error;
mod figure;
mod noise;
mod question;
mod words;

use answer::Answer;
use question::Question;

/// Foretells the errors of releases, as text or JSON.
pub fn run(arguments: &PlanArguments) -> Result<String, CliError> {
    if let Some(family) = arguments.noise {
        return noise::run(arguments, family);
    }
    let question = Question::check(arguments, question::study(arguments)?)?;
    let file = arguments.figure.as_deref().map(|path| FigureFile::check(path, "plan.svg")).transpose()?;
    let (answer, figure) = progress::waiting("planning", || -> Result<_, CliError> {
        let mut errors = Errors::of(&question.forecast);
        let answer = Answer::of(&question, &mut errors)?;
        let figure = file.as_ref().map(|_| figure::drawn(&question, &mut errors, &answer)).transpose()?;
        Ok((answer, figure))
    })?;
    if let (Some(file), Some(figure)) = (&file, figure) {
        file.write(&figure.framed(&Frame::default()))?;
    }
    let text = if arguments.answer.json {
        serde_json::to_string_pretty(&answer)? + "\n"
    } else {
        words::of(&question, &answer, file.as_ref())
    };
    Ok(text)
}
