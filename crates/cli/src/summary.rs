//! One screen that a methods section can quote. Everything in it is public.

use std::path::Path;

use dpfda::analysis::{Band, Estimated};
use dpfda::mechanism::Fact;
pub use dpfda::mechanism::{exact, least_step, rounded, rounded_beside};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda::release::{Mean, MeanRelease};

use crate::error::CliError;
use crate::selection::Selection;
use crate::shown::shown;
use crate::surface::edges_in_words;
use crate::told::Told;

/// The first line of whatever looks at private curves without protection.
pub const CURATOR_ONLY: &str = "NOT PRIVATE - CURATOR ONLY";

/// What a release from a seed is noted to be.
pub const FROM_A_SEED: &str = "NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.";

/// What a release of a mean is called.
pub const MEAN: &str = "Private mean function";

/// The name of facts that should make a reader careful.
pub const NOTE: &str = "NOTE";

/// Where a line is wrapped.
const WIDTH: usize = 88;

/// Where the text of an entry begins.
const INDENT: usize = 12;

/// The summary of a new release.
pub fn of_release(release: &Estimated<Mean>, selection: &Selection, directory: &Path) -> Told {
    let budget = release.budget();
    let again = match release.ledger() {
        None => "even with the same command, spends",
        Some(_) => "under another --release-id, spends",
    };
    let closing = format!(
        "Everything in {} is public and may be shared; smoothing it again is free (dpfda smooth). Releasing these people \
         again, {again} ({},\u{a0}{}) again.",
        shown(directory),
        exact(budget.epsilon()),
        exact(budget.delta()),
    );
    let closing = if release.is_private() { closing } else { of_a_seed(directory, "release") };
    entries(release, selection, MEAN, closing)
}

/// The summary of a release smoothed again.
pub fn of_smoothed(release: &Estimated<Mean>, selection: &Selection, directory: &Path) -> Told {
    let closing = format!(
        "Everything in {} is public. Smoothing used the release only, no data: it cost no privacy.",
        shown(directory)
    );
    let closing = if release.is_private() { closing } else { of_a_seed(directory, "release") };
    entries(release, selection, "Private mean function, smoothed again", closing)
}

/// The summary of a release of which no estimate could be made.
pub fn of_bare(release: &MeanRelease, reason: &CliError, directory: &Path) -> Told {
    let notes = without_estimate(reason, directory, release.is_private());
    Told::new(MEAN, release.software(), release.facts(), notes, String::new())
}

/// What should make a reader of a release without an estimate careful.
pub fn without_estimate(reason: &CliError, directory: &Path, is_private: bool) -> Vec<String> {
    let note = format!(
        "no estimate could be made: {reason}. {} holds release.json alone, and the budget is spent. `dpfda smooth` makes an \
         estimate from it at no cost.",
        shown(directory)
    );
    let seed = (!is_private).then(|| FROM_A_SEED.to_owned());
    seed.into_iter().chain([note]).collect()
}

/// What can be done with a release that has no smoother to choose: only its band can be another one.
pub fn band_is_free(directory: &Path, (epsilon, delta): (f64, f64), is_private: bool) -> String {
    if !is_private {
        return of_a_seed(directory, "release");
    }
    format!(
        "Everything in {} is public and may be shared; another band is free (dpfda smooth). Releasing these people again spends \
         ({},\u{a0}{}) again.",
        shown(directory),
        exact(epsilon),
        exact(delta),
    )
}

/// The same once it has another band.
pub fn band_was_free(directory: &Path, is_private: bool) -> String {
    if !is_private {
        return of_a_seed(directory, "release");
    }
    format!("Everything in {} is public. Only the release was used, no data: it cost no privacy.", shown(directory))
}

/// What should make a reader careful, where no smoother was chosen: the seed, a delta that allows much, and the notes of the estimate.
pub fn notes_of_estimate(is_private: bool, weak_delta: Option<String>, estimate: Vec<Fact>) -> Vec<String> {
    let seed = (!is_private).then(|| FROM_A_SEED.to_owned());
    let of_estimate = estimate.into_iter().filter(|fact| fact.name == NOTE).map(|fact| fact.text);
    seed.into_iter().chain(weak_delta).chain(of_estimate).collect()
}

/// What can be done with files whose noise came from a seed.
pub fn of_a_seed(directory: &Path, command: &str) -> String {
    format!(
        "The release in {} was made from a seed: for demonstrations, not to be shared as private. A private release takes \
         a run of dpfda {command} without --seed.",
        shown(directory)
    )
}

fn entries(release: &Estimated<Mean>, selection: &Selection, title: &'static str, closing: String) -> Told {
    let mut facts = release.facts();
    facts.extend(selected(selection).map(|text| Fact::new("selection", text)));
    Told::new(title, release.software(), facts, notes(release, selection), closing)
}

fn selected(selection: &Selection) -> Option<String> {
    let Selection::Chosen(choice) = selection else { return None };
    let edge = edges_in_words(&choice.surface).map_or_else(String::new, |edge| format!("; at {edge}"));
    let negative = if choice.surface.least() < 0.0 {
        ". Its estimated risk is below 0: the estimate is right on average only, and where the true risk is small it can fall below 0. \
         It ranks smoothers, and is not their error"
    } else {
        ""
    };
    Some(format!(
        "the best of {} by Stein's unbiased risk estimate, made from the release itself at no cost in privacy{edge}{negative}",
        choice.surface.candidates().count(),
    ))
}

fn not_chosen(selection: &Selection) -> Option<String> {
    let Selection::Failed(error) = selection else { return None };
    Some(format!(
        "no smoother could be chosen from the release: {error}. It has the default smoother instead, and the budget is \
         spent all the same; dpfda smooth tries others at no cost."
    ))
}

/// What should make a reader of a mean careful.
pub fn notes(release: &Estimated<Mean>, selection: &Selection) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(not_chosen(selection));
    if !release.is_private() {
        notes.push(FROM_A_SEED.to_owned());
    }
    notes.extend(weak_delta(release.budget().delta(), release.units(), release.neighbours()));
    notes.extend(release.facts_of_estimate().into_iter().filter(|fact| fact.name == NOTE).map(|fact| fact.text));
    if matches!(release.estimate().band, Band::Smoothed(_)) {
        notes.extend(drowned(release));
    }
    if release.unit() == PrivacyUnit::Curve {
        notes.push(
            "each curve is protected alone. If a person has several, release with --subject COLUMN instead.".to_owned(),
        );
    }
    notes
}

/// A delta that would allow to publish a record in full.
pub fn weak_delta(delta: f64, units: f64, neighbours: NeighbouringRelation) -> Option<String> {
    let noisy = match neighbours {
        NeighbouringRelation::SubstituteOne => "",
        NeighbouringRelation::AddRemoveOne => " by the noisy N",
    };
    (delta > 1.0 / units).then(|| {
        format!(
            "delta = {} is above 1/N = {}{noisy}. That is weak: publishing one record, drawn at random, in full would meet \
             such a delta. Choose one well below 1/N.",
            exact(delta),
            rounded(1.0 / units)
        )
    })
}

/// What is left of the curves where the smoother or the noise leaves little.
fn drowned(release: &MeanRelease) -> Option<String> {
    const HELP: &str = "More people, a smaller radius or a larger budget would help.";
    let kept = release.function().leading_shrinkage();
    let share = format!("the smoother keeps at most a share of {} of any feature", rounded(kept));
    if kept < 0.1 {
        Some(format!(
            "the released curve is little more than the centre: {share}. noise_sd does not include this shrinkage. {HELP}"
        ))
    } else if release.relative_noise() > 0.5 {
        Some(format!(
            "the noise exceeds what the ball allows curves to differ by, so the released curve is mostly noise. {HELP}"
        ))
    } else if kept < 0.5 {
        Some(format!(
            "{share}: the released curve is mostly the public centre. noise_sd does not include this shrinkage."
        ))
    } else {
        None
    }
}

/// A name, and its text in lines of limited width beside it.
pub fn wrapped(name: &str, text: &str) -> String {
    let indent = if name.is_empty() { 0 } else { INDENT };
    let mut lines = format!("{name:indent$}");
    let mut column = indent;
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            lines.push('\n');
            lines += &" ".repeat(indent);
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    // a no-break space has kept its two sides on one line
    lines.replace('\u{a0}', " ") + "\n"
}
