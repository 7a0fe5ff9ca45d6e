//! The text of a new study file, and what has to be decided for it.

use std::fmt::Write;

use crate::canonical::written;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::sections::{SETTINGS, Sections};
use crate::setting::{Section, Setting};
use crate::study::Study;

/// Where comments are wrapped.
const WIDTH: usize = 100;

/// What has to be decided before there is a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The setting that answers it.
    pub setting: &'static str,
    /// What is asked.
    pub text: &'static str,
    /// An answer, as it is written.
    pub example: &'static str,
}

const EPSILON: Question = Question {
    setting: "epsilon",
    text: "How private: epsilon, from 1e-6 to 50? Smaller is more private; 0.1 to 3 is common",
    example: "1",
};
const DELTA: Question =
    Question { setting: "delta", text: "And delta, well below 1 / (number of people)?", example: "1e-5" };
const BOUNDS: Question = Question {
    setting: "bounds",
    text: "Between which two values does every measurement lie, by what is known without these data?",
    example: "0,1",
};
const CHANGES: Question = Question {
    setting: "bounds",
    text: "Between which two values does every change lie, by what is known without these data?",
    example: "-0.3,0.3",
};
const VALUES: Question =
    Question { setting: "values", text: "Which columns hold the values, by name or pattern?", example: "h*" };
const SUBJECT: Question = Question {
    setting: "subject",
    text: "Which column says whose a row is? Nothing, if each row is protected alone",
    example: "id",
};

/// What has to be decided for a study of this kind, in order.
pub fn questions(kind: Kind) -> Vec<Question> {
    let question = |setting, text, example| Question { setting, text, example };
    let columns = match kind {
        Kind::Mean | Kind::Centiles => vec![VALUES, SUBJECT],
        Kind::Groups => {
            vec![VALUES, SUBJECT, question("by", "Which column says which group a row is in?", "status")]
        }
        Kind::Change => vec![
            VALUES,
            question("subject", "Which column says whose a row is?", "id"),
            question("change", "Which column says the visit of a row, and which two visits are compared?", "visit=1,2"),
        ],
        Kind::Rows => vec![
            question("id", "Which column says whose a row is?", "id"),
            question("time", "Which column holds the times?", "day"),
            question("value", "Which column holds the values?", "score"),
            question("domain", "From when to when, by the protocol?", "0,365"),
        ],
        Kind::Surface => {
            vec![VALUES, SUBJECT, question("surface", "How many points do the two axes of a surface have?", "8,24")]
        }
        Kind::Regression => vec![
            VALUES,
            SUBJECT,
            question("on", "Which columns are the covariates?", "status,visit"),
            question("covariate_bounds", "What is the public range of each?", "status=control|case,visit=1:8"),
        ],
        Kind::Density => vec![question("columns", "Which columns are the coordinates, one to three?", "age"), SUBJECT],
    };
    let delta = if kind == Kind::Density { None } else { Some(DELTA) };
    let bounds = if kind == Kind::Change { CHANGES } else { BOUNDS };
    [EPSILON].into_iter().chain(delta).chain([bounds]).chain(columns).collect()
}

/// The settings that a new study leaves blank unless they are answered: without them it cannot be read.
fn is_needed(setting: &Setting, kind: Kind, answers: &Sections) -> bool {
    match setting.name {
        // a table with a value in each row, or with a record in each row
        "id" | "time" | "value" | "domain" => {
            let is_long = kind == Kind::Rows || (kind == Kind::Centiles && answers.table.id.is_some());
            is_long && answers.table.values.is_none()
        }
        "values" => kind != Kind::Rows && answers.table.id.is_none(),
        "bounds" => kind == Kind::Centiles || (answers.bound.center.is_none() && answers.bound.radius.is_none()),
        "subject" => kind == Kind::Change,
        "change" => answers.change.per.is_none(),
        "on" | "covariate_bounds" => kind == Kind::Regression && answers.regression.outcome.is_none(),
        name => questions(kind).iter().any(|question| question.setting == name),
    }
}

/// A commented study file of this kind: every setting with its help and its default, the answers filled in, and a blank after each
/// setting that must be said and was not.
///
/// # Errors
/// An answer that is not of this kind.
pub fn new_study(kind: Kind, answers: &Sections) -> Result<String, Refusal> {
    // a setting of another kind has no place here
    Study { kind, said: answers.clone() }.check_kind()?;
    let mut text = comment(&format!(
        "A study: {}. It is public, and is written before anybody sees the data. Take the # from a line to say something else than its \
         default. See what it says with `dpfda show STUDY.toml --origins`.",
        kind.in_words()
    ));
    for section in Section::ALL {
        let is_here = |setting: &&Setting| setting.section == section && setting.is_of(kind);
        let settings: Vec<&Setting> = SETTINGS.iter().filter(is_here).collect();
        if settings.is_empty() && section != Section::Release(kind) {
            continue;
        }
        let _ = write!(text, "\n[{}]\n", section.path());
        for setting in settings {
            text += &entry(setting, kind, answers);
        }
    }
    Ok(text)
}

/// The help of a setting as a comment, and its line.
fn entry(setting: &Setting, kind: Kind, answers: &Sections) -> String {
    let help = [Some(setting.short()), setting.more()].into_iter().flatten();
    let mut text: String =
        help.flat_map(|help| help.split("\n\n").map(|part| comment(&plain(part))).collect::<Vec<_>>()).collect();
    let words = setting.words(&[kind]);
    for word in words {
        text += &comment(&format!("- {}: {}", word.name, plain(word.help)));
    }
    let name = setting.name;
    let line = match answers.get(name) {
        Some(value) => format!("{name} = {}", written(&value)),
        None if is_needed(setting, kind, answers) => {
            let example = questions(kind)
                .iter()
                .find(|question| question.setting == name)
                .map_or("", |question| question.example);
            let example = setting.parse(example).map(|value| written(&value)).unwrap_or_default();
            format!("{name} = # fill in, such as {example}")
        }
        None => match (setting.constant(kind), setting.default_text(kind)) {
            (Some(value), _) => format!("# {name} = {}", written(&value)),
            (None, Some(words)) => format!("# {name} =     # by default: {}", plain(&words)),
            (None, None) => format!("# {name} ="),
        },
    };
    format!("{text}{line}\n\n")
}

/// Settings as the file names them: by their last name.
fn plain(text: &str) -> String {
    SETTINGS.iter().fold(text.to_owned(), |text, setting| {
        let named = format!("{{{}}}", setting.name);
        if text.contains(&named) { text.replace(&named, setting.name) } else { text }
    })
}

/// Lines of limited width, each a comment.
fn comment(text: &str) -> String {
    let start = || String::from('#');
    let mut lines = vec![start()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last + 1 + word.chars().count() > WIDTH && last > 1 {
            lines.push(start());
        }
        if let Some(line) = lines.last_mut() {
            *line += " ";
            *line += word;
        }
    }
    lines.join("\n") + "\n"
}
