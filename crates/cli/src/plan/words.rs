//! The answer of `dpfda forecast` in plain words.

use std::fmt::Write;

use dpfda::analysis::Target;
use dpfda::privacy::NeighbouringRelation;
use dpfda_study::{BandName, Expected, Foretold, Kind};

use super::answer::{Answer, DEFINITION, Needed, Pure, Relations, Table};
use super::question::Question;
use crate::new_file::FigureFile;
use crate::shown::shown;
use crate::summary::{exact, rounded, weak_delta, wrapped};

/// One screen.
pub fn of(question: &Question, answer: &Answer, figure: Option<&FigureFile>) -> String {
    let mut text = "What a release will be worth, from public numbers alone: no data were read\n\n".to_owned();
    text += &wrapped("settings", &settings(question, answer));
    text += &wrapped("people", &people(question, answer));
    if let Some(needed) = answer.needed {
        text += &wrapped("needed", &needed_in_words(needed, answer));
    }
    match &answer.expected[..] {
        [one] => text += &one_size(one, answer.level, question.forecast.study().estimate.band),
        several => text += &sizes(several, answer.level),
    }
    text.push('\n');
    text += &table(&answer.table, answer.main());
    text.push('\n');
    if let Some(relations) = &answer.relations {
        text += &wrapped("relation", &relation(relations));
    }
    if let Some(without) = &answer.pure {
        text += &wrapped("delta 0", &pure(without, answer.epsilon));
    }
    text += &wrapped("definition", &definition(question));
    text += &wrapped("assumed", ASSUMED);
    for note in notes(answer) {
        text += &wrapped("NOTE", &note);
    }
    if let Some(figure) = figure {
        text += &wrapped("figure", &format!("{} shows the error against N", shown(figure.path())));
    }
    text
}

const ASSUMED: &str = "\
The release is rehearsed on people who are made up. Their curves are smooth, and their mean lies 1.5 times as far from the middle as people \
differ. A step or a narrow peak can double the error. So can a mean that is near a bound, where there are too few people to find the centre: \
state --center then.";

fn definition(question: &Question) -> String {
    let more = match question.forecast.study().kind {
        Kind::Regression if question.forecast.study().regression.named_outcome().is_some() => "",
        Kind::Regression => {
            ", or between a coefficient and that of the regression of these people, in units of the data for one unit of the covariate"
        }
        _ if question.forecast.study().is_of_rows() => ". Times are as if spread evenly over the domain",
        Kind::Groups => ". Groups are taken to be equally large",
        Kind::Change => ". Everybody is taken to have a change: give the number of people who will",
        _ => "",
    };
    format!("{DEFINITION}{more}. The sampling of people comes on top, and is in the band.")
}

fn settings(question: &Question, answer: &Answer) -> String {
    let relation = match answer.neighbours {
        NeighbouringRelation::SubstituteOne => "one record replaced (substitute, N public)",
        NeighbouringRelation::AddRemoveOne => "one record more or less (add-remove, N private)",
    };
    let study = question.forecast.study();
    let bounds = match study.bound.bounds.as_deref() {
        Some([lower, upper]) => format!(", for values between {} and {}", exact(*lower), exact(*upper)),
        _ => String::new(),
    };
    let points = match (study.kind, answer.points) {
        (_, 1) if study.is_of_rows() => "one value of each subject".to_owned(),
        (_, values) if study.is_of_rows() => format!("{values} values of each subject, each at times of its own"),
        (Kind::Surface, _) => "surfaces".to_owned(),
        (_, points) if answer.periodic => format!("{points} points of a domain that closes up"),
        (_, points) => format!("{points} points"),
    };
    format!(
        "{}: ({},\u{a0}{}) differential privacy, {relation}; stated radius {}{bounds}; {points}",
        study.kind.in_words(),
        exact(answer.epsilon),
        exact(answer.delta),
        rounded(answer.radius),
    )
}

fn people(question: &Question, answer: &Answer) -> String {
    let spread = rounded(answer.spread);
    if question.says_spread {
        return format!("differ from their mean by {spread} (root mean square), as --spread says");
    }
    format!(
        "are taken to differ from their mean by {spread} (root mean square), a fifth of the stated radius. If you know better, give --spread: \
         error and band grow with it"
    )
}

fn needed_in_words(needed: Needed, answer: &Answer) -> String {
    let (error, records) = (exact(needed.error), needed.records);
    format!("an expected error of {error}{} takes about N\u{a0}=\u{a0}{records} records", of_named(answer.main()))
}

/// Which mean of several.
fn of_named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" of {name}") }
}

/// Everything about one number of records.
fn one_size(expected: &Expected, level: f64, band: Option<BandName>) -> String {
    if let Some(why) = &expected.refused {
        return wrapped("refused", &format!("with N\u{a0}=\u{a0}{} records: {why}", expected.records));
    }
    let Some(main) = &expected.main else {
        let text = format!("with N\u{a0}=\u{a0}{} records, the noise hides what is asked for", expected.records);
        return wrapped("error", &text);
    };
    let target = match band {
        Some(BandName::Prediction) => Target::NewPerson.to_string(),
        Some(BandName::Tolerance) => Target::MostPeople.to_string(),
        Some(BandName::Posterior) => Target::SampleMean.to_string(),
        _ if main.name.is_empty() => Target::PopulationMean.to_string(),
        _ => "the population".to_owned(),
    };
    let mut text = wrapped(
        "error",
        &format!(
            "with N\u{a0}=\u{a0}{} records, the expected error of the estimate{} is {}",
            expected.records,
            of_named(&main.name),
            short(main.error)
        ),
    );
    text += &wrapped(
        "noise",
        &format!("the standard deviation of the privacy noise in the estimate is {}", short(main.noise_sd)),
    );
    text += &wrapped(
        "band",
        &format!(
            "the {}% band for {} reaches {} to each side; it allows for the sampling of people and for what the release does not tell",
            rounded(100.0 * level),
            target,
            short(main.half_width)
        ),
    );
    if expected.means.len() > 1 {
        text += &each(&expected.means);
    }
    text
}

/// A line for each mean.
fn each(means: &[Foretold]) -> String {
    let mut text = String::from("\nN counts everybody.\n");
    // writing to a string cannot fail
    let _ = writeln!(text, "\n{:>24} {:>12} {:>12} {:>12}", "", "error", "band", "noise sd");
    for Foretold { name, error, half_width, noise_sd } in means {
        let _ = writeln!(text, "{name:>24} {:>12} {:>12} {:>12}", short(*error), short(*half_width), short(*noise_sd));
    }
    text
}

/// A line for each number of records.
fn sizes(expected: &[Expected], level: f64) -> String {
    let mut text = String::new();
    let name = expected.iter().find_map(|one| one.main.as_ref()).map_or("", |main| &main.name);
    let heading =
        format!("For each N{}, in the units of the data (band: half-width at level {}):", of_named(name), exact(level));
    let _ = writeln!(text, "\n{}", wrapped("", &heading));
    let _ = writeln!(text, "{:>14} {:>12} {:>12} {:>12}", "N", "error", "band", "noise sd");
    for Expected { records, main, .. } in expected {
        let _ = match main {
            Some(main) => {
                let [error, band, noise] = [main.error, main.half_width, main.noise_sd].map(short);
                writeln!(text, "{records:>14} {error:>12} {band:>12} {noise:>12}")
            }
            None => writeln!(text, "{records:>14} {NOTHING:>12}"),
        };
    }
    text
}

/// What stands for a release that is refused, and for one that tells nothing.
const NOTHING: &str = "none";

/// The expected error by the number of records and epsilon.
fn table(table: &Table, main: &str) -> String {
    let mut text = format!("Expected error{} by N and epsilon:\n\n", of_named(main));
    let line = |name: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>12}")).collect();
        format!("{name:>14} {}\n", cells.join(" "))
    };
    text += &line("epsilon", table.epsilons.iter().map(|epsilon| rounded(*epsilon)).collect());
    for (records, errors) in table.records.iter().zip(&table.errors) {
        let cells = errors.iter().map(|error| error.map_or_else(|| NOTHING.to_owned(), short)).collect();
        text += &line(&format!("N = {records}"), cells);
    }
    if let Some(needed) = &table.needed {
        let cells = needed.iter().map(|records| records.map_or_else(|| "-".to_owned(), |records| records.to_string()));
        text += &line("N needed", cells.collect());
    }
    text
}

fn relation(relations: &Relations) -> String {
    let Relations { records, substitute_error, add_remove_error } = relations;
    format!(
        "with N\u{a0}=\u{a0}{records}, the expected error is {} under substitute and {} under add-remove. The promise of add-remove is weaker: it \
         hides whether a record is there, and a replaced record is hidden less well. Choose substitute where N may be public: second moments, \
         which narrow the band, then cost nothing. Choose add-remove where N itself must stay secret",
        short(*substitute_error),
        short(*add_remove_error),
    )
}

fn pure(pure: &Pure, epsilon: f64) -> String {
    let Pure { free_coordinates, records, error } = pure;
    let delta = match free_coordinates {
        0 => "a delta makes the noise of any number of coordinates smaller".to_owned(),
        free => format!("a delta makes the noise of a coordinate smaller from {} coordinates on", free + 1),
    };
    format!(
        "with epsilon {} and no delta, a release holds some public coordinates of the mean within the stated radius; its expected error with \
         N\u{a0}=\u{a0}{records} is {}. At this budget {delta}",
        exact(epsilon),
        short(*error),
    )
}

fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    if answer.expected.len() > 1 {
        let refused = answer.expected.iter().filter_map(|one| Some((one.records, one.refused.as_ref()?)));
        notes.extend(refused.map(|(records, why)| format!("with N\u{a0}=\u{a0}{records} there is no release: {why}.")));
    }
    if let Some(most) = answer.expected.iter().map(|one| one.records).max() {
        notes.extend(weak_delta(answer.delta, most as f64, answer.neighbours));
    }
    notes
}

/// Two digits, as far as a rehearsal knows.
fn short(number: f64) -> String {
    let two: f64 = format!("{number:.1e}").parse().unwrap_or(number);
    exact(two)
}
