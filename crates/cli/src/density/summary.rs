//! One screen about a density that a methods section can quote. Everything in it is public.

use std::path::Path;

use dpfda::kinds::notes_of_density;
use dpfda::mechanism::{Fact, Source, unit_in_words};
use dpfda::privacy::NeighbouringRelation;

use super::plan::Plan;
use super::released::Released;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, OF_A_SEED, exact, rounded, spelled, weak_delta};
use crate::told::Told;

/// The summary of a new density.
pub fn of(plan: &Plan, released: &Released, directory: &Path) -> Told {
    let facts = [
        ("privacy", privacy(plan, released)),
        ("unit", records(plan, released)),
        ("bounds", bounds(plan)),
        ("mechanism", released.mechanism.clone()),
        ("cells", released.cells.clone()),
        ("noise", released.noise.clone()),
        ("synthetic", synthetic(released)),
    ];
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| {
        let brief = text.split("; ").next().unwrap_or_default().to_owned();
        Fact::new(name, text).briefly(brief)
    });
    let facts = facts.chain(plan.source.iter().flat_map(Source::facts));
    let closing = closing(plan, released, directory);
    Told::new("Private density", &released.software, facts.collect(), notes(plan, released), closing)
}

/// What neighbouring data sets differ in.
fn changed(neighbours: NeighbouringRelation) -> &'static str {
    match neighbours {
        NeighbouringRelation::SubstituteOne => "one substituted",
        NeighbouringRelation::AddRemoveOne => "one added or removed",
    }
}

fn privacy(plan: &Plan, released: &Released) -> String {
    let (epsilon, delta) = (plan.budget.epsilon(), plan.budget.delta());
    let kind = if delta == 0.0 { "pure differential privacy" } else { "differential privacy" };
    let mu = released.mu.map_or_else(String::new, |mu| format!(", mu\u{a0}=\u{a0}{}", rounded(mu)));
    format!(
        "(epsilon,\u{a0}delta) = ({},\u{a0}{}) for {} {}; {kind}{mu}",
        exact(epsilon),
        exact(delta),
        changed(plan.neighbours),
        unit_in_words(plan.unit, "point"),
    )
}

fn records(plan: &Plan, released: &Released) -> String {
    let unit = unit_in_words(plan.unit, "point");
    let number = match (released.records, released.noisy_records) {
        (Some(records), _) => format!("{records} {unit}s; that number is public"),
        (None, Some((noisy, sd))) => {
            let noisy = rounded(noisy);
            format!(
                "about {noisy}\u{a0}+-\u{a0}{sd:.1} {unit}s (noise standard deviation); their number itself is private"
            )
        }
        (None, None) => format!("{unit}s, whose number is private"),
    };
    if plan.has_subjects {
        format!("{number}; all rows of a subject together are one record, the mean of its points")
    } else {
        format!("{number}; every row of the file is a record of its own")
    }
}

fn bounds(plan: &Plan) -> String {
    let axis = |(axis, name): (usize, &String)| {
        let (lower, upper) = plan.bounds.axis(axis);
        format!("{name} in [{},\u{a0}{}]", exact(lower), exact(upper))
    };
    let axes: Vec<String> = plan.columns.iter().enumerate().map(axis).collect();
    format!(
        "{}; points outside are clamped, a missing value counts as the centre, and how many there are is not told",
        axes.join(", ")
    )
}

fn synthetic(released: &Released) -> String {
    released
        .synthetic
        .as_ref()
        .map_or_else(String::new, |points| format!("{} points, {}", points.nrows(), released.synthetic_origin))
}

fn notes(plan: &Plan, released: &Released) -> Vec<String> {
    let mut notes = Vec::new();
    if !released.is_private {
        notes.push(FROM_A_SEED.to_owned());
    }
    let noisy = released.noisy_records.map_or(1.0, |(noisy, _)| noisy.max(1.0));
    let units = released.records.map_or(noisy, |records| records as f64);
    notes.extend(weak_delta(plan.budget.delta(), units, plan.neighbours));
    notes.extend(released.notes.iter().cloned());
    notes.extend(spelled(&notes_of_density(&released.density, released.probability_sd, plan.unit)));
    notes
}

fn closing(plan: &Plan, released: &Released, directory: &Path) -> String {
    if !released.is_private {
        return OF_A_SEED.to_owned();
    }
    format!(
        "Everything in {} is public and may be shared; more synthetic points, quantiles and marginals of it are free. \
         Another draw from the data of these people spends ({},\u{a0}{}) again.",
        shown(directory),
        exact(plan.budget.epsilon()),
        exact(plan.budget.delta()),
    )
}
