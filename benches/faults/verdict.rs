//! Building and running named tests, and what became of them.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::copy::WorkCopy;
use crate::place::Binary;

const LONGEST: Duration = Duration::from_secs(600);

/// What became of the named tests.
pub enum Verdict {
    /// All passed: these.
    Passed(Vec<String>),
    /// These failed.
    Failed(Vec<String>),
    /// The project does not compile: the first error.
    DoesNotCompile(String),
    /// Neither passed nor failed: a crash, no test of these names, or no end.
    Unclear,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed(_) => f.write_str("SURVIVED, the named tests pass"),
            Self::Failed(tests) => write!(f, "caught by {}", tests.join(", ")),
            Self::DoesNotCompile(error) => write!(f, "DOES NOT COMPILE: {error}"),
            Self::Unclear => f.write_str("NO VERDICT: a crash, no such test, or no end"),
        }
    }
}

/// Builds one test binary of the copy and runs its tests of these names.
pub fn run(copy: &WorkCopy, binary: &Binary, names: &[&str]) -> Result<Verdict, Box<dyn Error>> {
    let Binary { package, target } = binary;
    let mut build = Command::new(env!("CARGO"));
    build.args(["test", "--no-run", "--message-format=json", "-p", package]);
    if target == "lib" {
        build.arg("--lib")
    } else {
        build.args(["--test", target.as_str()])
    };
    let built =
        build.current_dir(copy.tree()).env("CARGO_TARGET_DIR", copy.builds()).stderr(Stdio::piped()).output()?;
    if !built.status.success() {
        return Ok(Verdict::DoesNotCompile(first_error(&String::from_utf8_lossy(&built.stdout))));
    }
    let executable = executable(&String::from_utf8(built.stdout)?).ok_or("cargo named no test binary")?;
    // a test may write more than a pipe holds
    let log = copy.builds().join("tests.log");
    let mut command = Command::new(&executable);
    command.arg("--include-ignored").args(names).current_dir(package_folder(copy, package));
    let mut child = command.stdout(File::create(&log)?).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(Verdict::Unclear);
        }
        sleep(Duration::from_millis(20));
    }
    let said = fs::read_to_string(&log)?;
    let (passed, failed) = (ending(&said, "ok"), ending(&said, "FAILED"));
    Ok(match (child.wait()?.success(), passed.is_empty(), failed.is_empty()) {
        (true, false, true) => Verdict::Passed(passed),
        (false, _, false) => Verdict::Failed(failed),
        _ => Verdict::Unclear,
    })
}

/// The tests of which the harness says `test NAME ... END`.
fn ending(said: &str, end: &str) -> Vec<String> {
    let lines = said.lines().filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "));
    lines.filter(|(_, ended)| *ended == end).map(|(name, _)| name.to_owned()).collect()
}

fn package_folder(copy: &WorkCopy, package: &str) -> PathBuf {
    package.strip_prefix("dpfda-").map_or(copy.tree().to_owned(), |name| copy.tree().join("crates").join(name))
}

fn messages(output: &str) -> impl Iterator<Item = serde_json::Value> {
    output.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The test binary: libraries and other dependencies name none.
fn executable(output: &str) -> Option<PathBuf> {
    messages(output)
        .filter(|message| message["profile"]["test"] == true)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

fn first_error(output: &str) -> String {
    let mut errors = messages(output).filter(|message| message["message"]["level"] == "error");
    errors.next().and_then(|error| error["message"]["message"].as_str().map(str::to_owned)).unwrap_or_default()
}
