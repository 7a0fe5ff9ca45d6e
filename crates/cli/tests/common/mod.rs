//! The command under test, and a place of its own for each test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The arguments that every release needs besides a file, a pattern and an output.
pub const PUBLIC: [&str; 10] =
    ["--center", "0.5", "--radius", "0.25", "--radius-share", "none", "--epsilon", "1", "--delta", "1e-5"];

/// Settings that a release has not as options.
pub const OF_STUDIES: [&str; 9] =
    ["--select", "--kernel", "--range", "--penalty", "--eta", "--band", "--level", "--band-roughness", "--classical"];

/// Options of a release that are no settings of a study.
const BESIDE_STUDIES: [&str; 15] = [
    "--out",
    "--force",
    "--plan-only",
    "--dry-run",
    "--json",
    "--quiet",
    "--figure",
    "--ledger",
    "--release-id",
    "--part-of",
    "--sign",
    "--not-private",
    "--seed",
    "--threads",
    "--sorted-by-subject",
];

/// The command of the crate that is tested: `dpfda` or `dpfda-reproduce`.
pub const COMMAND: &str = match (option_env!("CARGO_BIN_EXE_dpfda"), option_env!("CARGO_BIN_EXE_dpfda-reproduce")) {
    (Some(command), _) | (None, Some(command)) => command,
    (None, None) => panic!("cargo names the command of each crate with tests of one"),
};

/// A directory in which the command runs.
pub struct Place(TempDir);

/// What the command did.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs the command here; arguments are separated by spaces.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_with(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// Settings that no release has as options are said in a study file, with all that stands beside them.
    pub fn run_with(&self, arguments: &[&str]) -> Run {
        // the mechanisms of a density are options, those of a mean are not
        let is_density = arguments.contains(&"--columns");
        let is_of_file = |option: &str| OF_STUDIES.contains(&option) || (option == "--mechanism" && !is_density);
        let is_of_study = matches!(arguments[0], "release" | "check")
            && arguments.iter().any(|word| is_of_file(word.split('=').next().unwrap()));
        if is_of_study { self.run_study(arguments) } else { self.run_as_is(arguments) }
    }

    /// Runs the command with these words, and lets it tell all facts of a release.
    pub fn run_as_is(&self, arguments: &[&str]) -> Run {
        let tells_facts = matches!(arguments[0], "release" | "merge" | "smooth" | "show");
        let is_plain = ["--quiet", "--help", "-h", "--"].iter().any(|word| arguments.contains(word));
        let verbose: &[&str] = if tells_facts && !is_plain { &["--verbose"] } else { &[] };
        self.run_briefly(&[arguments, verbose].concat())
    }

    /// Runs the command with these words alone.
    pub fn run_briefly(&self, arguments: &[&str]) -> Run {
        let output = Command::new(COMMAND).args(arguments).current_dir(self.0.path()).output();
        Run::of(&output.unwrap())
    }

    /// Writes the settings among the options to a study file, by `dpfda new`, and runs the command with it.
    fn run_study(&self, arguments: &[&str]) -> Run {
        let kinds = [
            ("--columns", "density"),
            ("--on", "regression"),
            ("--surface", "surface"),
            ("--time", "rows"),
            ("--by", "groups"),
            ("--centiles", "centiles"),
            ("--change", "change"),
            ("--per", "change"),
        ];
        let has = |option: &str| arguments.contains(&option);
        let is_of_rows = arguments.windows(2).any(|pair| pair == ["--gaps", "rows"]);
        let kind = kinds.iter().find(|(option, _)| has(option)).map_or("mean", |(_, kind)| kind);
        let (mut said, mut rest) = (vec!["new", "--kind", if is_of_rows { "rows" } else { kind }], Vec::new());
        let mut is_setting = false;
        for word in &arguments[1..] {
            if word.starts_with("--") {
                is_setting = !BESIDE_STUDIES.contains(&word.split('=').next().unwrap());
            }
            if is_setting { said.push(word) } else { rest.push(*word) }
        }
        let study = self.run_as_is(&said);
        if study.code != 0 {
            return study;
        }
        self.write(".study.toml", &study.stdout);
        let run = self.run_as_is(&[&[arguments[0], ".study.toml"], &rest[..]].concat());
        fs::remove_file(self.path(".study.toml")).unwrap();
        run
    }

    /// `release` with the usual public arguments and some more.
    pub fn release(&self, file: &str, more: &str) -> Run {
        let mut arguments = vec!["release", file];
        arguments.extend(PUBLIC);
        arguments.extend(more.split_whitespace());
        self.run_with(&arguments)
    }

    /// What is in the directory, hidden files included.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// All that lies below a directory, with what is in the files; links are not followed, and pipes are not read.
    pub fn tree(&self, name: &str) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let (mut found, mut left) = (Vec::new(), vec![self.path(name)]);
        while let Some(path) = left.pop() {
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            if kind.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let bytes = if kind.is_file() { Some(fs::read(&path).unwrap()) } else { None };
            found.push((path, bytes));
        }
        found.sort();
        found
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

impl Run {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// What was printed as a result, on one line.
    pub fn words(&self) -> String {
        self.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// All that was printed.
    pub fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Refused with these words among others.
    pub fn refused(&self, part: &str) {
        assert!(self.code != 0 && self.stderr.contains(part), "{part}: {}", self.text());
    }

    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.text());
        self
    }
}

/// Holds a part of a page of the documentation to what a test has found, or writes it where `DPFDA_WRITE_PAGES` is set.
pub fn assert_page_shows(page: &str, part: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(&format!("<!-- {part} -->\n")).unwrap();
    let end = format!("<!-- end of {part} -->\n");
    let (found, tail) = rest.split_once(&end).unwrap();
    if std::env::var_os("DPFDA_WRITE_PAGES").is_some() {
        fs::write(path, format!("{head}<!-- {part} -->\n{expected}{end}{tail}")).unwrap();
    } else {
        assert_eq!(found, expected, "write it with DPFDA_WRITE_PAGES=1 cargo test -p dpfda-cli");
    }
}

/// The synthetic curves that come with the project.
pub fn dti_like() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/dti_like.csv");
    path.to_str().unwrap().to_owned()
}

/// Six curves of three subjects at four points.
pub const SMALL: &str = "\
id,v1,v2,v3,v4
a,0.41,0.52,0.63,0.54
a,0.42,0.51,0.61,0.53
b,0.38,0.49,0.66,0.51
b,0.37,,0.64,0.52
c,0.44,0.55,0.60,0.57
c,0.45,0.56,NA,0.58
";
