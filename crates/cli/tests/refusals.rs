//! Tables of what is refused: exit code 2, in words that help, nothing of a private file shown, nothing printed as a result, nothing
//! written.
//!
//! ```text
//! # a remark
//! $ release curves.csv --values v* --epsilon 1      a command
//! ! 7354219 && secret                               what no message may hold from here on
//! < curves.csv v1,v2\n0.4,inf\n                     what is in a file until the next command
//! --epsilon -1 => --epsilon && at least 0           an option in place of the command's, or one more: and words of the message
//! !--epsilon @none.csv => no such file              an option less, and another file
//! ```
//!
//! `''` is an empty word. A `$` alone is the same command, with all files as they were.

use std::fs;

use crate::common::{Place, Run};
use dpfda_study::{Door, setting};

/// A command line: what stands before its options, and each option with its values.
#[derive(Default, Clone)]
struct Line(Vec<String>, Vec<(String, Vec<String>)>);

impl Line {
    fn of(text: &str) -> Self {
        let mut line = Self::default();
        for word in text.split_whitespace() {
            let plain = if word == "''" { String::new() } else { word.to_owned() };
            match line.1.last_mut() {
                _ if word.starts_with("--") || word.starts_with("!--") => line.1.push((plain, Vec::new())),
                Some((_, values)) => values.push(plain),
                None => line.0.push(plain),
            }
        }
        line
    }

    /// This command with what a case says in place of what it has.
    fn with(&self, case: &Self) -> Vec<String> {
        let mut whole = self.clone();
        for word in &case.0 {
            match word.strip_prefix('@') {
                Some(file) => file.clone_into(&mut whole.0[1]),
                None => whole.0.push(word.clone()),
            }
        }
        let name = |option: &str| option.trim_start_matches('!').split('=').next().unwrap().to_owned();
        whole.1.retain(|(known, _)| case.1.iter().all(|(option, _)| name(option) != name(known)));
        whole.1.extend(case.1.iter().filter(|(option, _)| !option.starts_with('!')).cloned());
        whole
            .0
            .into_iter()
            .chain(whole.1.into_iter().flat_map(|(name, values)| [vec![name], values].concat()))
            .collect()
    }
}

/// Runs every case of a table here.
pub fn assert_refused(place: &Place, table: &str) {
    let (mut command, mut hidden, mut changed, mut cases) = (Line::default(), Vec::new(), Vec::new(), 0);
    let restore = |changed: &mut Vec<(String, Option<Vec<u8>>)>| {
        for (name, bytes) in changed.drain(..).rev() {
            bytes
                .map_or_else(|| fs::remove_file(place.path(&name)), |bytes| fs::write(place.path(&name), bytes))
                .unwrap();
        }
    };
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.split_at_checked(2).unwrap_or((line, "")) {
            ("$", _) => restore(&mut changed),
            ("$ ", text) => {
                restore(&mut changed);
                command = Line::of(text);
            }
            ("! ", words) => hidden = words.split(" && ").collect(),
            ("< ", file) => {
                let (name, text) = file.split_once(' ').unwrap_or((file, ""));
                changed.push((name.to_owned(), fs::read(place.path(name)).ok()));
                place.write(name, &text.replace("\\n", "\n"));
            }
            _ => {
                let (case, words) = line.split_once("=> ").unwrap_or_else(|| panic!("no words: {line}"));
                assert_case(place, &command.with(&Line::of(case)), words, &hidden);
                cases += 1;
            }
        }
    }
    restore(&mut changed);
    assert!(cases > 0, "a table without a case");
}

fn assert_case(place: &Place, arguments: &[String], words: &str, hidden: &[&str]) {
    let before = place.names();
    let run = place.run_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let line = arguments.join(" ");
    assert_eq!(run.code, 2, "{line}: {}", run.text());
    for word in words.split(" && ") {
        assert!(is_told(&run, word), "{line}: `{word}` in: {}", run.stderr);
    }
    for word in hidden.iter().chain(&["panicked"]) {
        assert!(!run.stderr.contains(word), "{line}: `{word}` in: {}", run.stderr);
    }
    assert!(run.stdout.is_empty(), "{line}: {}", run.stdout);
    assert_eq!(place.names(), before, "{line}: nothing is written");
}

/// Whether an error says this. What a study file says is told in its own names: `estimate.eta` for `--eta`.
pub fn is_told(run: &Run, word: &str) -> bool {
    let of_file = || {
        let name = word.strip_prefix("--")?.replace('-', "_");
        let (name, more) = name.split_once(' ').unwrap_or((&name, ""));
        Some(format!("{} {more}", Door::File.name(setting(name)?)).trim_end().to_owned())
    };
    let is_of_file = || run.stderr.contains("STUDY.toml") && of_file().is_some_and(|said| run.stderr.contains(&said));
    run.stderr.contains(word) || is_of_file()
}
