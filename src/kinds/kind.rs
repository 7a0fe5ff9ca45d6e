//! What the kinds with estimates say beside what all of them do.

use dpfda_analysis::{Estimable, Estimate, Estimated, Outcome, PopulationMean, Several, View};
use dpfda_mechanism::{Statistic, exact};
use dpfda_release::{Bought, Centiles, Change, Groups, InBall, Mean, Regression, ReleasedGroup, Rows, Surface};
use serde_json::{Map, Value, json};

#[cfg(feature = "audit")]
use dpfda_audit::{AuditError, ReleaseAttack};

use super::notes;
use super::picture::Picture;
use super::shown::row_of;

/// A kind of releases that have estimates: what it looks like, and what it says beside what all of them do.
pub trait Kind: Estimable + InBall + 'static {
    /// What its estimate looks like.
    fn picture(estimated: Estimated<Self>) -> Picture;

    /// The number of records that delta is compared with, noisy where it is private: of several groups, the smallest.
    fn records(estimated: &Estimated<Self>) -> f64 {
        estimated.drawn().units()
    }

    /// What a reader calls it.
    fn title(_release: &Self::View) -> &'static str {
        row_of(Self::KIND).title
    }

    /// The least and the largest value that were stated, which values are clamped to; `None` for a ball about a centre.
    fn bounds(release: &Self::View) -> Option<(f64, f64)> {
        let statistic = View::drawn(release).statistic();
        statistic.bought().map_or(statistic.ball(), Bought::stated_ball).bounds()
    }

    /// What should make a reader careful, before and after what all kinds say.
    fn cautions(_estimated: &Estimated<Self>) -> [Vec<String>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// What somebody must vouch for, beside what all kinds ask for.
    fn statements(_release: &Self::View) -> Vec<String> {
        Vec::new()
    }

    /// What is public of a record.
    fn alike(_release: &Self::View) -> Option<&'static str> {
        None
    }

    /// More for programs, beside facts and notes.
    fn answer(_estimated: &Estimated<Self>) -> Map<String, Value> {
        Map::new()
    }

    /// The attack on its guarantee.
    ///
    /// # Errors
    /// [`AuditError`] for a release of which no attack can be made.
    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError>;
}

impl Kind for Mean {
    fn picture(estimated: Estimated<Self>) -> Picture {
        Picture::Curve { unsupported: Vec::new(), mean: Box::new(estimated.into_parts().1), is_change: false }
    }

    fn cautions(estimated: &Estimated<Self>) -> [Vec<String>; 2] {
        [Vec::new(), notes::of_mean(estimated)]
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_mean(release)
    }
}

impl Kind for Rows {
    fn picture(estimated: Estimated<Self>) -> Picture {
        let unsupported = estimated.unsupported();
        Picture::Curve { unsupported, mean: Box::new(estimated.into_parts().1), is_change: false }
    }

    fn statements(release: &Self::View) -> Vec<String> {
        let bound = exact(release.statistic().bound());
        vec![format!(
            "The domain, the bins and the bound on one value ({bound} from the centre) come from public knowledge, and not from these data."
        )]
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_rows(release)
    }
}

impl Kind for Surface {
    fn picture(estimated: Estimated<Self>) -> Picture {
        Picture::Surface(Box::new(estimated.into_parts().1))
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_surface(release)
    }
}

/// Whether noise hides every group.
fn hides_all(means: &Several<PopulationMean>) -> bool {
    means.all().iter().all(|group| group.mean().is_err())
}

impl Kind for Groups {
    fn picture(estimated: Estimated<Self>) -> Picture {
        let (release, means) = estimated.into_parts();
        if hides_all(&means) {
            return Picture::Nothing;
        }
        let sizes = Self::groups(&release).iter().map(ReleasedGroup::records_in_words).collect();
        Picture::Together { means, sizes }
    }

    fn cautions(estimated: &Estimated<Self>) -> [Vec<String>; 2] {
        let nothing = hides_all(estimated.means())
            .then(|| "There is neither a table nor a figure: noise hides the mean of every group.".to_owned());
        [nothing.into_iter().collect(), Vec::new()]
    }

    fn records(estimated: &Estimated<Self>) -> f64 {
        Self::groups(estimated.drawn()).iter().map(|group| group.records).fold(f64::INFINITY, f64::min)
    }

    fn statements(release: &Self::View) -> Vec<String> {
        let text = "Who is in which group, and how many are in each, is no secret.";
        release.statistic().sizes().map(|_| text.to_owned()).into_iter().collect()
    }

    fn alike(release: &Self::View) -> Option<&'static str> {
        release.statistic().sizes().map(|_| "of the same group; labels and sizes of groups are public")
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_groups(release)
    }
}

impl Kind for Change {
    fn picture(estimated: Estimated<Self>) -> Picture {
        let mean = estimated.means().all().iter().find_map(|one| one.mean().ok().cloned());
        let curve = |mean| Picture::Curve { unsupported: Vec::new(), mean: Box::new(mean), is_change: true };
        mean.map_or(Picture::Nothing, curve)
    }

    fn cautions(estimated: &Estimated<Self>) -> [Vec<String>; 2] {
        let hidden = estimated.means().all().iter().find_map(|one| one.mean().err());
        [hidden.map(|reason| format!("No change: {reason}.")).into_iter().collect(), Vec::new()]
    }

    fn statements(_: &Self::View) -> Vec<String> {
        let text = "The names of the columns and of the visits, and the least time between two rows, come from public knowledge. Who came, and \
                    when, is as private as the curves.";
        vec![text.to_owned()]
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_change(release)
    }
}

impl Kind for Regression {
    fn picture(estimated: Estimated<Self>) -> Picture {
        if let Some(outcome) = estimated.of_outcome() {
            return outcome.map_or(Picture::Nothing, |outcome| Picture::Outcome(Box::new(outcome.clone())));
        }
        if estimated.hidden().is_some() { Picture::Nothing } else { Picture::Panels(Box::new(estimated)) }
    }

    fn title(release: &Self::View) -> &'static str {
        let of_outcome = release.statistic().outcome().map(|_| "Private correlation of curves with an outcome");
        of_outcome.unwrap_or(row_of(Self::KIND).title)
    }

    fn records(estimated: &Estimated<Self>) -> f64 {
        Self::products(estimated.drawn()).records
    }

    fn cautions(estimated: &Estimated<Self>) -> [Vec<String>; 2] {
        let hidden = match estimated.of_outcome() {
            Some(outcome) => outcome.err().map(|reason| format!("No correlation: {reason}.")),
            None => estimated.hidden().map(|reason| format!("No coefficients: {reason}.")),
        };
        let nothing = estimated.of_outcome().and_then(Result::ok).and_then(nothing_shown);
        [hidden.into_iter().collect(), nothing.into_iter().collect()]
    }

    fn statements(release: &Self::View) -> Vec<String> {
        let of_what = match (release.statistic().outcome(), release.statistic().covariates().len()) {
            (None, _) => "ranges of the covariates come",
            (Some(_), 1) => "range of the outcome comes",
            (Some(_), _) => "ranges of the outcome and of the covariates come",
        };
        vec![match release.statistic().public_design() {
            Some(_) => "The covariates of everybody are no secret.".to_owned(),
            None => format!("The {of_what} from public knowledge, and not from these data."),
        }]
    }

    fn alike(release: &Self::View) -> Option<&'static str> {
        release.statistic().public_design().map(|_| "with the same covariates, which are public")
    }

    /// The coefficients, or how curves go with the outcome: none where the noise hides them.
    fn answer(estimated: &Estimated<Self>) -> Map<String, Value> {
        if let Some(outcome) = estimated.of_outcome() {
            return outcome.map(of_outcome).unwrap_or_default();
        }
        let known = estimated.means().all().iter().filter_map(|one| Some((one.name(), one.estimate().ok()?)));
        let coefficients = known.map(|(name, function)| {
            let [values, lower, upper] = [&function.values, &function.lower, &function.upper].map(|of| of.to_vec());
            json!({ "name": name, "values": values, "lower": lower, "upper": upper })
        });
        let grid = estimated.statistic().grid().points().to_vec();
        [("grid".to_owned(), json!(grid)), ("coefficients".to_owned(), coefficients.collect())].into_iter().collect()
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_regression(release)
    }
}

/// What is said of an outcome whose band holds 0 everywhere.
fn nothing_shown(outcome: &Outcome) -> Option<String> {
    let Estimate { lower, upper, .. } = outcome.correlation();
    let holds_zero = lower.iter().zip(upper).all(|(lower, upper)| *lower <= 0.0 && *upper >= 0.0);
    let name = outcome.name();
    holds_zero
        .then(|| {
            format!(
                "The band holds 0 everywhere: at no single point of the domain are curves shown to go with {name}. R^2 is about whole \
                 curves, which may tell what no point does."
            )
        })
}

/// An outcome for programs: the slope, and what curves explain, are null where no association can be told from the noise.
fn of_outcome(outcome: &Outcome) -> Map<String, Value> {
    let Estimate { at, values, lower, upper, level, .. } = outcome.correlation();
    let [values, lower, upper] = [values, lower, upper].map(|of| of.to_vec());
    let explained = outcome.explained().ok();
    let answer = [
        ("outcome", json!(outcome.name())),
        ("given", json!(outcome.beside())),
        ("level", json!(level)),
        ("grid", json!(at)),
        ("correlation", json!({ "values": values, "lower": lower, "upper": upper })),
        ("slope", json!(outcome.slope().ok().map(|slope| slope.values.to_vec()))),
        ("r_squared", json!(explained.and_then(|part| part.of_new))),
        ("r_squared_at_least", json!(explained.map(|part| part.at_least))),
    ];
    answer.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

impl Kind for Centiles {
    fn picture(estimated: Estimated<Self>) -> Picture {
        Picture::Centiles(Box::new(estimated.into_parts().1))
    }

    /// Levels, and not values, lie between the bounds: no centile can lie at one because values are clamped.
    fn bounds(_: &Self::View) -> Option<(f64, f64)> {
        None
    }

    fn statements(_: &Self::View) -> Vec<String> {
        vec!["The levels lie between bounds that come from public knowledge, and not from these data.".to_owned()]
    }

    #[cfg(feature = "audit")]
    fn attack(release: &Self::View) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_centiles(release)
    }
}
