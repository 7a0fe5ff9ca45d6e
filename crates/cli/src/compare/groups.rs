//! One test of three groups or more of one release.

use std::path::Path;

use dpfda::analysis::{AnalysisError, Estimated, GroupsTest};
use dpfda::release::Groups;
use serde::Serialize;

use super::{CompareRefusal, REJECTS, Test, briefly, privacy_of};
use crate::arguments::CompareArguments;
use crate::curve::read_groups;
use crate::error::CliError;
use crate::summary::{FROM_A_SEED, rounded, wrapped};

/// What stands for every group of a release.
const ALL: &str = "all";

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    /// Whether the noise of the release was secret.
    private: bool,
    test: Test,
    compared: Vec<String>,
    left_out: Vec<String>,
}

/// Whether one test of several groups is meant, and not the difference of two.
pub fn are_several(named: &str) -> bool {
    named.trim() == ALL || named.split(',').count() > 2
}

/// The test in words or JSON.
pub fn run(arguments: &CompareArguments, path: &Path, named: &str) -> Result<String, CliError> {
    if let Some(argument) = of_two(arguments) {
        return Err(CompareRefusal::OfTwo { argument }.into());
    }
    let estimated = read_groups(path)?;
    let names: Vec<&str> = if named.trim() == ALL { Vec::new() } else { named.split(',').map(str::trim).collect() };
    let test = estimated.equality(&names).map_err(|reason| match reason {
        AnalysisError::NoGroup { .. } => CompareRefusal::Several { known: estimated.statistic().names().to_vec() },
        reason => CompareRefusal::Test { reason },
    })?;
    if !arguments.answer.json {
        return Ok(in_words(&estimated, &test));
    }
    let GroupsTest { statistic, p_value, draws, compared, left_out } = test;
    let test = Test { statistic, p_value, null_draws: draws };
    let answer = Answer { private: estimated.is_private(), test, compared, left_out };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

/// What is asked of a difference, and of no test.
fn of_two(arguments: &CompareArguments) -> Option<&'static str> {
    if arguments.figure.is_some() {
        return Some("--figure");
    }
    if arguments.settings.estimate.level.is_some() {
        return Some("--level");
    }
    arguments.features.any().then_some("--derivative, --integral, --maximum, --minimum")
}

fn in_words(estimated: &Estimated<Groups>, test: &GroupsTest) -> String {
    let mut text = "One test of the means of several groups\n\n".to_owned();
    if let Some(fact) = privacy_of(estimated.facts()) {
        text += &wrapped("privacy", briefly(&fact));
    }
    text += &wrapped("compared", &test.compared.join(", "));
    if !test.left_out.is_empty() {
        let reason = "their noisy number of records is below 10, or below 4 standard deviations of its noise";
        text += &wrapped("left out", &format!("{}: {reason}", test.left_out.join(", ")));
    }
    let verdict = if test.p_value < REJECTS {
        "means as far apart as these would be rare if all populations had one mean. Which of them differ, `--groups A,B` can say; state how \
         many pairs were looked at"
    } else {
        "equal population means are compatible with this release; that does not show that they are equal"
    };
    let draws = test.draws;
    text += &wrapped(
        "test",
        &format!("p = {} for equal means ({draws} draws from a public seed): {verdict}", rounded(test.p_value)),
    );
    if !estimated.is_private() {
        text += &wrapped("NOTE", FROM_A_SEED);
    }
    text + "\nOnly what was released was read: this cost no privacy.\n"
}
