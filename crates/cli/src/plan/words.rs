//! The answer of `dpfda forecast` in plain words.

use std::fmt::Write;

use dpfda::analysis::ExpectedError;
use dpfda::privacy::NeighbouringRelation;

use super::answer::{Answer, DEFINITION, Expected, Needed, Pure, Relations, Table};
use super::question::Question;
use crate::new_file::FigureFile;
use crate::shown::shown;
use crate::summary::{exact, rounded, weak_delta, wrapped};

/// One screen.
pub fn of(question: &Question<'_>, answer: &Answer, figure: Option<&FigureFile>) -> String {
    let mut text = "What a release will be worth, from public numbers alone: no data were read\n\n".to_owned();
    text += &wrapped("settings", &settings(question, answer));
    if let Some(needed) = answer.needed {
        text += &wrapped("needed", &needed_in_words(needed, answer));
    }
    match &answer.expected[..] {
        [one] => text += &one_size(one, answer.radius_share.is_some()),
        several => text += &sizes(several),
    }
    text.push('\n');
    text += &table(&answer.table);
    text.push('\n');
    text += &wrapped("relation", &relation(&answer.relations, answer.points_per_subject.is_some()));
    if let Some(without) = &answer.pure {
        text += &wrapped("delta 0", &pure(without, answer.epsilon));
    }
    text += &wrapped("definition", &format!("{DEFINITION}. The sampling of people comes on top, and is in the band."));
    if answer.points_per_subject.is_none() || answer.radius_share.is_some() {
        text += &wrapped("worst case", WORST_CASE);
    }
    if answer.points_per_subject.is_some() {
        text += &wrapped("times", TIMES);
    }
    for note in notes(answer) {
        text += &wrapped("NOTE", &note);
    }
    if let Some(figure) = figure {
        text += &wrapped("figure", &format!("{} shows the error against N", shown(figure.path())));
    }
    text
}

fn needed_in_words(needed: Needed, answer: &Answer) -> String {
    let (error, records) = (exact(needed.error), needed.records);
    let numbers = answer.expected.first().map(|expected| &expected.numbers);
    let center = numbers.map_or(f64::INFINITY, |numbers| numbers.center_error);
    if center <= needed.error {
        return format!(
            "an error of {error} needs no release: the public centre alone is expected to miss by {}. A release takes at least \
             N\u{a0}=\u{a0}{records} records",
            rounded(center)
        );
    }
    let least = numbers.and_then(|numbers| numbers.least_records);
    let because = if least == Some(records) { ", the fewest that a radius is bought from" } else { "" };
    format!("an expected error of {error} takes N\u{a0}=\u{a0}{records} records{because}")
}

const WORST_CASE: &str = "\
All numbers are for the stated radius. A bought radius is often far smaller where the stated one is cautious, and noise, error \
and band shrink with it. A \
release that says nothing of shares spends 2% to 10% on the radius by its number of people, and has less noise on rough functions.";

const TIMES: &str = "\
Times are as if spread evenly over the domain. Where few people are seen, the error is larger, and the release says so there. Error and \
band are those at all points of a release, also within a bin, for means that change as the public prior expects.";

fn settings(question: &Question<'_>, answer: &Answer) -> String {
    let relation = match answer.neighbours {
        NeighbouringRelation::SubstituteOne => "one record replaced (substitute, N public)",
        NeighbouringRelation::AddRemoveOne => "one record more or less (add-remove, N private)",
    };
    let bounds = question.ball.bounds().map_or_else(String::new, |(lower, upper)| {
        format!(", for values between {} and {}", exact(lower), exact(upper))
    });
    let share = |what: &str, share: Option<f64>| {
        share.map_or_else(String::new, |share| format!("; {}% of mu squared buys the {what}", rounded(100.0 * share)))
    };
    format!(
        "({},\u{a0}{}) differential privacy, {relation}; stated radius {}{bounds}; {}{}{}",
        exact(answer.epsilon),
        exact(answer.delta),
        rounded(answer.radius),
        match answer.points_per_subject {
            None if answer.periodic => format!("{} points of a domain that closes up", answer.points),
            None => format!("{} points", answer.points),
            Some(1) => format!("one value of each subject, in {} bins", answer.points),
            Some(values) =>
                format!("{values} values of each subject, each at times of its own, in {} bins", answer.points),
        },
        share("centre", answer.center_share),
        share("radius", answer.radius_share),
    )
}

/// Everything about one number of records.
fn one_size(expected: &Expected, buys_radius: bool) -> String {
    let numbers = &expected.numbers;
    let with_share =
        |length: f64| format!("{} ({}% of the radius)", rounded(length), percent(numbers.in_radii(length)));
    let error = format!(
        "with N\u{a0}=\u{a0}{} records, the expected error of the estimate is {}. The public centre alone, with no release, is \
         expected to miss by {}",
        numbers.records,
        with_share(numbers.error),
        rounded(numbers.center_error)
    );
    let noise = format!(
        "the standard deviation of the privacy noise at a point is {} in the mean before smoothing, and {} in the estimate",
        rounded(numbers.unsmoothed_sd),
        rounded(numbers.estimate_sd)
    );
    let pull = if buys_radius { " and of the pull on curves outside a bought ball" } else { "" };
    let band = format!(
        "the {}% band for the population mean reaches {} to each side; it allows for the largest effect of the sampling of people{pull}",
        rounded(100.0 * numbers.level),
        with_share(numbers.half_width)
    );
    wrapped("error", &error)
        + &wrapped("noise", &noise)
        + &wrapped("band", &band)
        + &wrapped("resolution", &resolution(numbers))
}

fn resolution(numbers: &ExpectedError) -> String {
    match numbers.resolvable {
        Some(distance) => format!(
            "a release can tell the mean from the centre from a root-mean-square distance of {} on ({}% of the radius); at twice that \
             distance nearly every release does",
            rounded(distance),
            percent(numbers.in_radii(distance))
        ),
        None => "no mean in the ball can be told from the public centre".to_owned(),
    }
}

/// A line for each number of records.
fn sizes(expected: &[Expected]) -> String {
    let level = expected.first().map_or(0.95, |expected| expected.numbers.level);
    let mut text = String::new();
    // writing to a string cannot fail
    let _ = writeln!(text, "\nFor each N, in the units of the data (band: half-width at level {}):\n", exact(level));
    let _ = writeln!(
        text,
        "{:>14} {:>12} {:>12} {:>14} {:>12} {:>12}",
        "N", "error", "band", "raw noise sd", "noise sd", "resolves"
    );
    for Expected { numbers, refused } in expected {
        let resolves = numbers.resolvable.map_or_else(|| "-".to_owned(), rounded);
        let mark = if *refused { "  refused" } else { "" };
        let _ = writeln!(
            text,
            "{:>14} {:>12} {:>12} {:>14} {:>12} {:>12}{mark}",
            numbers.records,
            rounded(numbers.error),
            rounded(numbers.half_width),
            rounded(numbers.unsmoothed_sd),
            rounded(numbers.estimate_sd),
            resolves,
        );
    }
    let legend = "\nraw noise sd: of the mean before smoothing; noise sd: of the estimate, both at a point. resolves: the \
                  distance of the mean from the centre from which on a release can tell them apart; at twice it nearly every \
                  release does.";
    text + &wrapped("", legend)
}

/// The expected error by the number of records and epsilon.
fn table(table: &Table) -> String {
    let mut text = "Expected error by N and epsilon:\n\n".to_owned();
    let line = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>12}")).collect();
        format!("{name:>14} {}\n", cells.join(" "))
    };
    text += &line("epsilon", table.epsilons.iter().map(|epsilon| rounded(*epsilon)).collect());
    for (records, errors) in table.records.iter().zip(&table.errors) {
        text += &line(
            &format!("N = {records}"),
            errors.iter().map(|error| error.map_or_else(|| "refused".to_owned(), rounded)).collect(),
        );
    }
    if let Some(needed) = &table.needed {
        let cells = needed.iter().map(|records| records.map_or_else(|| "-".to_owned(), |records| records.to_string()));
        text += &line("N needed", cells.collect());
    }
    text
}

fn relation(relations: &Relations, is_long: bool) -> String {
    let Relations { records, noise_ratio, substitute_error, add_remove_error } = relations;
    if is_long {
        return format!(
            "with N\u{a0}=\u{a0}{records}, the expected error is {} under substitute and {} under add-remove, whose promise is weaker: it \
             hides whether a record is there. N is not needed for the estimate under either of them",
            rounded(*substitute_error),
            rounded(*add_remove_error),
        );
    }
    format!(
        "with N\u{a0}=\u{a0}{records}, the expected error is {} under substitute and {} under add-remove. The noise of the curve under add-remove is \
         {} times that under substitute (the noise of the number of records comes on top), because the promise is weaker: it hides whether a record is there, and a replaced record \
         is hidden {} times less well (mu is so many times larger). At equal protection of a replaced record the noise is the \
         same. Choose substitute where N may be public: second moments, which narrow the band, then cost nothing. Choose \
         add-remove where N itself must stay secret",
        rounded(*substitute_error),
        rounded(*add_remove_error),
        rounded(*noise_ratio),
        rounded(1.0 / noise_ratio),
    )
}

fn pure(pure: &Pure, epsilon: f64) -> String {
    let Pure { coordinates, free_coordinates, share_outside, records, error } = pure;
    let (error, share) = (rounded(*error), percent(*share_outside));
    let outside = format!(
        "{coordinates} public coordinates of the mean, outside which {share}% of its variance under the public prior lies"
    );
    match free_coordinates {
        None => {
            format!("this release holds {outside}. More coordinates leave out less, and the noise of each is larger")
        }
        Some(free) => {
            let delta = match free {
                0 => "a delta makes the noise of any number of coordinates smaller".to_owned(),
                free => format!("a delta makes the noise of a coordinate smaller from {} coordinates on", free + 1),
            };
            format!(
                "with epsilon {} and no delta, a release in the stated ball holds {outside}; its expected error with N\u{a0}=\u{a0}{records} \
                 is {error}. At this budget {delta}",
                exact(epsilon)
            )
        }
    }
}

fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    let few =
        answer.expected.iter().filter(|expected| expected.refused).map(|expected| expected.numbers.records.to_string());
    let few: Vec<String> = few.collect();
    if let Some(least) =
        answer.expected.first().and_then(|expected| expected.numbers.least_records).filter(|_| !few.is_empty())
    {
        notes.push(format!(
            "dpfda release refuses N\u{a0}=\u{a0}{}: with this budget it buys a radius from N\u{a0}=\u{a0}{least} records on. State a \
             radius that you know, and give --radius-share none; or collect more records, or spend a larger budget.",
            few.join(", "),
        ));
    }
    notes.extend(kept_radius(answer));
    if let Some(first) = answer.expected.first() {
        let numbers = &first.numbers;
        notes.extend(weak_delta(answer.delta, numbers.records as f64, NeighbouringRelation::SubstituteOne));
        if numbers.resolvable.is_some() && numbers.is_hardly_better_than_the_center() {
            notes.push(format!(
                "with N\u{a0}=\u{a0}{} the estimate is expected to be hardly better than the public centre. More records, a smaller \
                 radius or a larger budget would help.",
                numbers.records
            ));
        }
    }
    notes
}

/// For which numbers of records no radius is bought by default.
fn kept_radius(answer: &Answer) -> Option<String> {
    let few = answer.expected.iter().map(|expected| &expected.numbers).filter(|numbers| numbers.keeps_radius());
    let few: Vec<String> = few.map(|numbers| numbers.records.to_string()).collect();
    let least =
        answer.expected.first().and_then(|expected| expected.numbers.least_records).filter(|_| !few.is_empty())?;
    Some(format!(
        "with N\u{a0}=\u{a0}{} no radius is bought, and nothing is spent on one: the stated radius is kept. With this budget one is bought \
         from N\u{a0}=\u{a0}{least} records on.",
        few.join(", ")
    ))
}

/// A share in percent, to two digits.
fn percent(share: f64) -> String {
    let two: f64 = format!("{:.1e}", 100.0 * share).parse().unwrap_or(100.0 * share);
    exact(two)
}
