//! The components of a release in words.

use std::fmt::Write;
use std::path::Path;

use dpfda::analysis::Components;
use ndarray::Array1;

use super::answer::NO_COMPONENT;
use crate::curve::Curve;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, rounded, wrapped};
use crate::told::is_verbose;

/// What a reader must know of the bands.
const BRIEF: &str = "at least: the lower end of an approximate 95% interval; sd: the privacy noise";

/// The same in full.
const BANDS: &str = "\
at least: the lower end of a 95% interval about the population; sd: the privacy noise, to first order; sampling sd: what other people of \
the same population would change, for Gaussian curves. The bands of the functions in components.csv are approximate: first \
order, point by point, privacy noise alone";

/// One screen.
pub fn of(
    estimated: &Curve,
    components: &Components,
    (scores, synthetic): (Option<&Array1<f64>>, Option<String>),
    target: &Path,
) -> String {
    let mut text = format!("Components of a private release ({})\n\n", estimated.software);
    if let Some(privacy) = estimated.of_release.iter().find(|fact| fact.name == "privacy") {
        text += &wrapped("privacy", if is_verbose() { &privacy.text } else { &privacy.brief });
    }
    text += &wrapped("variance", &variance(components));
    text += &wrapped("rank", &rank(components));
    if components.rank() > 0 {
        text += &table(components);
        text += &wrapped("", if is_verbose() { BANDS } else { BRIEF });
    }
    if let Some(scores) = scores {
        text += &wrapped("scores", &scored(scores));
    }
    text += &synthetic.unwrap_or_default();
    for note in notes(estimated, components) {
        text += &wrapped("NOTE", &note);
    }
    let closing = format!("Everything in {} was made from the release alone: it cost no privacy.", shown(target));
    text + "\n" + &wrapped("", &closing)
}

fn variance(components: &Components) -> String {
    let total = components.total_variance();
    if !is_verbose() && components.is_total_variance_distinct() {
        let (total, sd) = (rounded(total), rounded(components.total_variance_sd()));
        return format!(
            "{total} (sd {sd}); a typical curve is {} from the mean",
            rounded(components.total_variance().sqrt())
        );
    }
    let words = format!(
        "the total variance of the curves is at least {}{} in squared units of the data: {} (sd {}, sampling sd {})",
        rounded(components.total_variance_interval().0),
        at_most(components.total_variance_interval().1, components),
        rounded(total),
        rounded(components.total_variance_sd()),
        rounded(components.total_variance_sampling_sd()),
    );
    if components.is_total_variance_distinct() {
        format!("{words}: a typical curve is {} from the mean (root mean square)", rounded(total.sqrt()))
    } else {
        format!(
            "{words}. It cannot be told from the privacy noise, so no share is explained and no synthetic curves can be drawn"
        )
    }
}

/// The upper end of a 95% interval, where a bought ball cuts off less than there is.
fn at_most(upper: f64, components: &Components) -> String {
    let is_told = components.energy_outside() < components.total_variance();
    if is_told { format!(" and at most {}", rounded(upper)) } else { String::new() }
}

fn rank(components: &Components) -> String {
    let threshold = rounded(components.threshold());
    if !is_verbose() && components.rank() > 0 {
        return format!("{} can be told from the privacy noise", components.rank());
    }
    let plural = match components.rank() {
        0 => return format!("0. {NO_COMPONENT}. The threshold is {threshold}"),
        1 => "1 component can be told from the privacy noise: its smoothed eigenvalue is".to_owned(),
        rank => format!("{rank} components can be told from the privacy noise: their smoothed eigenvalues are"),
    };
    format!("{plural} above {threshold}, which noise alone exceeds in one of 400 draws")
}

fn table(components: &Components) -> String {
    let mut text = String::new();
    let line = |text: &mut String, cells: [String; 8]| {
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "{:>9} {:>11} {:>11} {:>11} {:>11} {:>12} {:>13} {:>11}",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]
        );
    };
    text.push('\n');
    line(
        &mut text,
        ["component", "at least", "eigenvalue", "sd", "sampling sd", "at least %", "explained %", "sd %"]
            .map(str::to_owned),
    );
    for (index, component) in components.all().iter().enumerate() {
        let percent =
            |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share));
        let numbers = [component.eigenvalue, component.eigenvalue_sd, component.eigenvalue_sampling_sd];
        let [eigenvalue, sd, sampling] = numbers.map(rounded);
        let shares = [percent(component.explained), percent(component.explained_sd)];
        let [share, share_sd] = shares;
        let least = rounded(component.eigenvalue_interval.0);
        let least_share = percent(component.explained_interval.map(|interval| interval.0));
        line(&mut text, [(index + 1).to_string(), least, eigenvalue, sd, sampling, least_share, share, share_sd]);
    }
    text.push('\n');
    text
}

fn scored(scores: &Array1<f64>) -> String {
    if scores.is_empty() {
        return "the curve has no scores, because no component can be told from the privacy noise".to_owned();
    }
    let each = scores.iter().enumerate().map(|(index, score)| format!("{}:\u{a0}{}", index + 1, rounded(*score)));
    let each: Vec<String> = each.collect();
    format!(
        "the new curve has the scores {} (component: score, in units of the data). The scores of a person's curve are as private as \
         the curve; they are in no file",
        each.join(", ")
    )
}

fn notes(estimated: &Curve, components: &Components) -> Vec<String> {
    let mut notes = Vec::new();
    if !estimated.private {
        notes.push(FROM_A_SEED.to_owned());
    }
    let mixed = components.all().iter().enumerate().filter(|(_, component)| !component.is_separately_identified);
    let mixed: Vec<String> = mixed.map(|(index, _)| (index + 1).to_string()).collect();
    if !mixed.is_empty() {
        notes.push(format!(
            "components {} are not separately identified: their eigenvalues are so close that noise may mix their functions. Use \
             them together, not one by one.",
            mixed.join(", ")
        ));
    }
    notes
}
