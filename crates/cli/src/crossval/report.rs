//! What the curator is told about scores. All of it is private data.

use std::fmt::Write;

use dpfda::crossval::{Folds, Position, ScoreSurface};
use dpfda::privacy::{NeighbouringRelation, NonPrivate, PrivacyBudget};
use dpfda::smoothing::CurveSet;
use dpfda_study::Privacy;
use serde::Serialize;

use crate::arguments::CrossvalArguments;
use crate::output::OutputDirectory;
use crate::shown::shown;
use crate::summary::{CURATOR_ONLY, exact, rounded, wrapped};
use crate::surface::{edge_key, edges_in_words};

const WARNING: &str = "\
These scores were computed from the private curves, and any noise in them is averaged away. Publishing the choice, or a \
release made with it, spends privacy that nobody paid for. dpfda smooth --select sure chooses from the release itself, \
at no cost.";

/// What was scored, and how.
pub struct Report<'a> {
    pub arguments: &'a CrossvalArguments,
    pub privacy: &'a Privacy,
    /// Of the release whose expected score it is; none without noise.
    pub budget: Option<PrivacyBudget>,
    pub curves: &'a CurveSet,
    pub folds: &'a Folds,
}

/// The answer for programs; the mark comes first.
#[derive(Serialize)]
struct Answer {
    private: bool,
    not_private: String,
    score: &'static str,
    records: usize,
    unit: String,
    /// Of the release whose expected score it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbours: Option<String>,
    folds: usize,
    candidates: usize,
    best: Candidate,
    edges: Vec<&'static str>,
    best_of_each_kernel: Vec<Candidate>,
}

#[derive(Serialize)]
struct Candidate {
    kernel: String,
    range: f64,
    penalty: f64,
    eta: f64,
    score: f64,
}

impl Report<'_> {
    /// What a score is.
    pub fn score_name(&self) -> &'static str {
        if self.budget.is_some() { "expected mean squared distance" } else { "mean squared distance" }
    }

    /// The report as JSON, on one line.
    pub fn json(&self, scores: &NonPrivate<ScoreSurface>) -> Result<String, serde_json::Error> {
        let surface = scores.reveal();
        let answer = Answer {
            private: false,
            not_private: format!("{CURATOR_ONLY}. {WARNING}"),
            score: self.score_name(),
            records: self.curves.units(),
            unit: self.curves.unit().to_string(),
            neighbours: self.budget.map(|_| NeighbouringRelation::SubstituteOne.to_string()),
            folds: self.folds.count(),
            candidates: surface.candidates().count(),
            best: candidate(surface, surface.optimum()),
            edges: surface.edges(surface.optimum()).into_iter().map(edge_key).collect(),
            best_of_each_kernel: best_of_each_kernel(surface),
        };
        Ok(serde_json::to_string(&answer)? + "\n")
    }

    /// The report on one screen.
    pub fn text(&self, scores: &NonPrivate<ScoreSurface>, output: Option<&OutputDirectory>) -> String {
        let surface = scores.reveal();
        let mut text = format!("{CURATOR_ONLY}\n\n");
        text += &wrapped("score", &self.score());
        text += &wrapped("folds", &self.dealing());
        text += &wrapped("noise", &self.noise());
        text += &wrapped("candidates", &format!("{}; the best of each kernel:", surface.candidates().count()));
        text += &table(&best_of_each_kernel(surface));
        let best = candidate(surface, surface.optimum());
        let chosen = format!(
            "{} kernel, range\u{a0}{}, penalty phi\u{a0}=\u{a0}{}, power eta\u{a0}=\u{a0}{}",
            best.kernel,
            rounded(best.range),
            rounded(best.penalty),
            exact(best.eta)
        );
        text += &wrapped("best", &chosen);
        if let Some(edge) = edges_in_words(surface) {
            text += &wrapped("NOTE", &format!("the best lies at {edge}: a wider list might hold a better one."));
        }
        text.push('\n');
        text += &wrapped("", WARNING);
        if let Some(output) = output {
            text += &wrapped(
                "",
                &format!("{} holds the scores of all candidates, which are private data too.", shown(output.target())),
            );
        }
        text
    }

    fn score(&self) -> String {
        let (name, unit) = (self.score_name(), self.curves.unit());
        format!("{name} of the estimate from each left-out {unit}, in the squared units of the data; less is better")
    }

    fn dealing(&self) -> String {
        let (records, unit) = (self.curves.units(), self.curves.unit());
        if self.arguments.leave_one_out {
            format!("{records} {unit}s, each left out once")
        } else {
            format!("{records} {unit}s, dealt into {} folds by seed {}", self.folds.count(), self.arguments.seed)
        }
    }

    fn noise(&self) -> String {
        let Some(budget) = self.budget else {
            return "none: the smoothed mean itself, of curves as they are".to_owned();
        };
        let mechanism = if self.privacy.is_isonormal() { "isonormal" } else { "Cameron-Martin" };
        let calibration = if self.privacy.is_classical() { "classical" } else { "tight" };
        format!(
            "of a release with (epsilon,\u{a0}delta) = ({},\u{a0}{}), neighbouring data sets differing in one substituted \
             {}, {mechanism}, {calibration} calibration; in closed form",
            exact(budget.epsilon()),
            exact(budget.delta()),
            self.curves.unit()
        )
    }
}

fn best_of_each_kernel(surface: &ScoreSurface) -> Vec<Candidate> {
    let families = 0..surface.candidates().families().len();
    families.filter_map(|family| Some(candidate(surface, surface.optimum_of(family)?))).collect()
}

fn candidate(surface: &ScoreSurface, at: Position) -> Candidate {
    let candidates = surface.candidates();
    let family = &candidates.families()[at.family];
    Candidate {
        kernel: family.name().to_string(),
        range: family.ranges()[at.range],
        penalty: candidates.penalties()[at.penalty],
        eta: candidates.powers()[at.power],
        score: surface.score(at).unwrap_or(f64::NAN),
    }
}

fn table(candidates: &[Candidate]) -> String {
    let mut text = format!("\n    {:<12} {:>8} {:>10} {:>5} {:>12}\n", "kernel", "range", "penalty", "eta", "score");
    for Candidate { kernel, range, penalty, eta, score } in candidates {
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "    {kernel:<12} {:>8} {:>10} {:>5} {:>12}",
            rounded(*range),
            rounded(*penalty),
            exact(*eta),
            format!("{score:.6e}")
        );
    }
    text + "\n"
}
