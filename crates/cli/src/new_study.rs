//! `dpfda new`: a study file to fill in, or from answers.

use std::io::{self, BufRead, Write};

use dpfda_study::{Door, Kind, Sections, new_study, questions};

use crate::arguments::NewArguments;
use crate::error::CliError;
use crate::misasked::Misasked;

/// The text of the study.
pub fn run(arguments: &NewArguments) -> Result<String, CliError> {
    let mut answers = arguments.settings.clone();
    let kind = match arguments.kind {
        Some(kind) => kind,
        None => asked(&mut io::stdin().lock(), &mut answers)?,
    };
    new_study(kind, &answers).map_err(CliError::of_flags)
}

/// Asks what must be decided; whoever stops leaves the rest blank.
fn asked(input: &mut impl BufRead, answers: &mut Sections) -> Result<Kind, CliError> {
    let kinds = Kind::ALL.map(|kind| format!("{} ({})", kind.word(), kind.in_words())).join(", ");
    let mut kind = Kind::Mean;
    ask(input, &format!("What is released? {kinds}"), "mean", |word| {
        kind = Kind::of_word(word).ok_or_else(|| format!("there is no kind {}", word.escape_debug()))?;
        Ok(())
    })?;
    for question in questions(kind) {
        if answers.get(question.setting).is_none() {
            ask(input, question.text, question.example, |text| {
                answers.say(question.setting, text).map_err(|refusal| Door::File.refusal(&refusal))
            })?;
        }
    }
    Ok(kind)
}

/// Asks until an answer is taken; an empty one is none.
fn ask(
    input: &mut impl BufRead,
    question: &str,
    example: &str,
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), CliError> {
    loop {
        // Without a standard error stream, nobody is there to be asked.
        let _ = write!(io::stderr(), "{question} [such as {example}]: ");
        let mut line = String::new();
        let read = input.read_line(&mut line).map_err(Misasked::NoAnswer)?;
        let answer = line.trim();
        if read == 0 || answer.is_empty() {
            return Ok(());
        }
        match take(answer) {
            Ok(()) => return Ok(()),
            Err(refusal) => {
                let _ = writeln!(io::stderr(), "{refusal}");
            }
        }
    }
}
