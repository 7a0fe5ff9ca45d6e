//! `dpfda compare`: the means of two groups of people, from two releases or from one of groups.

use std::path::Path;

use dpfda::analysis::{AnalysisError, DEFAULT_LEVEL, Difference, EqualityTest, Named, PopulationMean};
use dpfda::kinds::Kind;
use dpfda::mechanism::{Fact, Labels};
use dpfda::plotting::{About, Figure};
use dpfda::release::{Groups, ReleasedGroup};
use dpfda_study::BandChoice;
use serde::Serialize;

use crate::arguments::CompareArguments;
use crate::curve::{Curve, Which, read_groups};
use crate::error::CliError;
use crate::features::Told;
use crate::look::Look;
use crate::new_file::FigureFile;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, NOTE, least_step, rounded, rounded_beside, wrapped};
use crate::surfaces;
use crate::told::is_verbose;

mod error;
mod groups;
mod surface;

pub use error::CompareRefusal;

/// A test rejects below this p-value.
const REJECTS: f64 = 0.05;

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    /// Whether the noise of both was secret.
    private: bool,
    difference: Numbers<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Test>,
    /// Why there is no test.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_test: Option<&'static str>,
    /// What should make a reader careful.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(flatten)]
    features: Option<&'a Told>,
}

#[derive(Serialize)]
struct Numbers<'a> {
    grid: Vec<f64>,
    values: &'a [f64],
    sd: &'a [f64],
    lower: Vec<f64>,
    upper: Vec<f64>,
    level: f64,
}

#[derive(Serialize)]
struct Test {
    statistic: f64,
    p_value: f64,
    null_draws: u32,
}

/// Two sides of a comparison, with what is said of each.
struct Sides {
    names: [String; 2],
    populations: [PopulationMean; 2],
    /// What a figure calls each, what is said of its release, and the names of the axes.
    told: [(String, Vec<Fact>, Labels); 2],
    /// The least and the largest value of each that are possible, where they were stated.
    limits: [Option<(f64, f64)>; 2],
    lines: Vec<(String, String)>,
    /// What should make a reader careful.
    note: Option<String>,
    is_private: bool,
    is_one_release: bool,
    /// Why there is no test, where there is none.
    without_test: Option<&'static str>,
}

impl Sides {
    fn of_two_releases(first: &Path, second: &Path, names: [String; 2]) -> Result<Self, CliError> {
        let band = BandChoice::default();
        let read = |path, name| Curve::read(path, Which::Side, &band).map_err(|error: CliError| error.asked_by(name));
        let sides = [read(first, "A.json")?, read(second, "B.json")?];
        let facts: Vec<Fact> = sides.iter().filter_map(|side| privacy_of(side.facts.clone())).collect();
        Ok(Self {
            lines: [("first", &names[0], first), ("second", &names[1], second)]
                .into_iter()
                .zip(&facts)
                .map(|((place, name, path), fact)| {
                    (place.to_owned(), format!("{name} ({}): {}", shown(path), briefly(fact)))
                })
                .chain(values_of(&sides[0].facts))
                .collect(),
            note: other_units([&sides[0].labels, &sides[1].labels]),
            is_private: sides.iter().all(|side| side.private),
            is_one_release: false,
            without_test: sides.iter().find_map(|side| side.without_test),
            limits: [0, 1].map(|side| sides[side].limits),
            told: [0, 1].map(|side| (names[side].clone(), sides[side].facts.clone(), sides[side].labels.clone())),
            populations: sides.map(|side| side.mean.population().clone()),
            names,
        })
    }

    fn of_two_groups(path: &Path, named: &str) -> Result<Self, CliError> {
        let estimated = read_groups(path)?;
        let unknown = || CompareRefusal::Groups { known: estimated.statistic().names().to_vec() };
        let named: Vec<&str> = named.split(',').map(str::trim).collect();
        let [first, second] = named[..] else { return Err(unknown().into()) };
        if first == second {
            return Err(unknown().into());
        }
        let means = estimated.means();
        let groups = [means.get(first).ok_or_else(unknown)?, means.get(second).ok_or_else(unknown)?];
        let facts = estimated.facts();
        let labels = estimated.labels();
        let column = labels.columns().first().map_or_else(String::new, |column| format!("{column}\u{a0}=\u{a0}"));
        let released = Groups::groups(estimated.release());
        let records = |name: &str| {
            let of_group = released.iter().find(|group| group.name == name);
            of_group.map_or_else(String::new, ReleasedGroup::records_in_words)
        };
        let called = |name: &str| format!("{column}{name} (N\u{a0}=\u{a0}{})", records(name));
        let sizes = [first, second].map(|name| format!("{} records of {column}{name}", records(name)));
        let mut lines = vec![("groups".to_owned(), sizes.join(", "))];
        lines.extend(privacy_of(facts.clone()).map(|fact| ("privacy".to_owned(), briefly(&fact).to_owned())));
        lines.extend(values_of(&facts));
        let of_group = |group: &Named<PopulationMean>| {
            let hidden = |reason| CompareRefusal::Hidden { name: group.name().to_owned(), reason };
            group.population().cloned().map_err(hidden)
        };
        let [one, other] = groups.map(of_group);
        Ok(Self {
            names: groups.map(|group| format!("{column}{}", group.name())),
            populations: [one?, other?],
            limits: [Groups::bounds(estimated.release()); 2],
            told: groups.map(|group| (called(group.name()), facts.clone(), labels.clone())),
            lines,
            note: None,
            is_private: estimated.is_private(),
            is_one_release: true,
            without_test: None,
        })
    }
}

impl Sides {
    /// What a figure says of each.
    fn about(&self) -> [(&str, About<'_>); 2] {
        [0, 1].map(|side| {
            let (name, facts, labels) = &self.told[side];
            (name.as_str(), About { facts, labels, is_private: self.is_private, limits: self.limits[side] })
        })
    }
}

/// A fact in a clause, or in full where all facts are.
fn briefly(fact: &Fact) -> &str {
    if is_verbose() { &fact.text } else { &fact.brief }
}

fn privacy_of(facts: Vec<Fact>) -> Option<Fact> {
    facts.into_iter().find(|fact| fact.name == "privacy")
}

/// What the numbers of a release are, as a line, where that was said with a unit.
fn values_of(facts: &[Fact]) -> Option<(String, String)> {
    let values = facts.iter().find(|fact| fact.name == "values")?;
    Some((values.name.to_owned(), briefly(values).to_owned()))
}

/// That two releases have other units, by their labels.
fn other_units(labels: [&Labels; 2]) -> Option<String> {
    let [first, second] = labels.map(Labels::unit);
    let named = |unit: Option<&str>| unit.map_or_else(|| "no unit".to_owned(), |unit| format!("`{unit}`"));
    (first != second).then(|| {
        let (first, second) = (named(first), named(second));
        format!("By their labels, the first release has {first} and the second {second}. Values in different units have no difference.")
    })
}

/// What a release that stands alone can be compared with.
fn nothing_to_compare(first: &Path) -> CompareRefusal {
    let known = read_groups(first).map(|groups| groups.statistic().names().to_vec());
    known.map_or(CompareRefusal::Second, |known| CompareRefusal::Ungrouped { known })
}

/// The difference in words or JSON.
pub fn run(arguments: &CompareArguments) -> Result<String, CliError> {
    if arguments.second.is_none() && arguments.groups.is_none() {
        return Err(nothing_to_compare(&arguments.first).into());
    }
    if let Some(first) = surfaces::read(&arguments.first)? {
        return surface::run(arguments, &first);
    }
    if let Some(named) = arguments.groups.as_deref().filter(|named| groups::are_several(named)) {
        return groups::run(arguments, &arguments.first, named);
    }
    let names = names(arguments)?;
    let level = arguments.settings.estimate.level.unwrap_or(DEFAULT_LEVEL);
    let file = FigureFile::asked(arguments.figure.as_deref(), &arguments.settings.figure, "difference.svg")?;
    let sides = match (&arguments.second, &arguments.groups) {
        (Some(second), _) => Sides::of_two_releases(&arguments.first, second, names)?,
        (None, named) => Sides::of_two_groups(&arguments.first, named.as_deref().unwrap_or_default())?,
    };
    let [first, second] = &sides.populations;
    let difference = Difference::new(first, second, level)?;
    let test = match difference.equality() {
        Err(AnalysisError::TestNeedsIsonormal) => {
            Err(sides.without_test.unwrap_or("the noise of one mean has a shape that the test does not know"))
        }
        test => Ok(test?),
    };
    let told = if arguments.features.any() { Told::of(&difference.features()?, &arguments.features)? } else { None };
    if let Some(file) = &file {
        let look = Look::of_difference(&arguments.settings);
        file.write(&Figure::difference(&difference, sides.about()).framed(&look.frame(false)))?;
    }
    if arguments.answer.json {
        return Ok(serde_json::to_string_pretty(&answer(&difference, test, told.as_ref(), &sides))? + "\n");
    }
    Ok(in_words(&sides, &difference, test, told.as_ref(), file.as_ref()))
}

/// What the sides are called: as somebody says, or by their directories or files.
fn names(arguments: &CompareArguments) -> Result<[String; 2], CliError> {
    let Some(given) = arguments.names.as_deref() else {
        let paths = [Some(&arguments.first), arguments.second.as_ref()];
        let names = paths.map(|path| path.map_or_else(String::new, |path| called(path)));
        return Ok(if names[0] == names[1] {
            paths.map(|path| path.map_or_else(String::new, |path| shown(path)))
        } else {
            names
        });
    };
    let parts: Vec<&str> = given.split(',').map(str::trim).collect();
    match parts[..] {
        [first, second] if !first.is_empty() && !second.is_empty() && first != second => {
            Ok([first.to_owned(), second.to_owned()])
        }
        _ => Err(CompareRefusal::Names { found: given.to_owned() }.into()),
    }
}

/// The last part of a path that says something: the directory of a release.json, or the name of another file.
fn called(path: &Path) -> String {
    let is_usual = path.file_name().is_some_and(|name| name == "release.json");
    let named = if is_usual { path.parent().and_then(Path::file_name) } else { path.file_stem() };
    let name = named.map(|name| shown(Path::new(name)));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| shown(path))
}

fn answer<'a>(
    difference: &'a Difference<'_, PopulationMean>,
    test: Result<EqualityTest, &'static str>,
    features: Option<&'a Told>,
    sides: &'a Sides,
) -> Answer<'a> {
    let (values, sd) = (difference.values(), difference.sd());
    let numbers = Numbers {
        grid: difference.grid().points().to_vec(),
        values: values.as_slice().unwrap_or_default(),
        sd: sd.as_slice().unwrap_or_default(),
        lower: difference.lower().to_vec(),
        upper: difference.upper().to_vec(),
        level: difference.level(),
    };
    let without_test = test.err();
    let said = |EqualityTest { statistic, p_value, draws }| Test { statistic, p_value, null_draws: draws };
    let (private, note) = (sides.is_private, sides.note.as_deref());
    Answer { private, difference: numbers, test: test.ok().map(said), without_test, note, features }
}

fn in_words(
    sides: &Sides,
    difference: &Difference<'_, PopulationMean>,
    test: Result<EqualityTest, &'static str>,
    told: Option<&Told>,
    figure: Option<&FigureFile>,
) -> String {
    let [first, second] = &sides.names;
    let mut text = wrapped("", &format!("The mean of {first} minus the mean of {second}")) + "\n";
    for (name, line) in &sides.lines {
        text += &wrapped(name, line);
    }
    let weights = difference.grid().weights().mapv(|weight| weight / difference.grid().length());
    let percent = rounded(100.0 * difference.level());
    let average = weights.dot(difference.values());
    let half = weights.dot(&((difference.upper() - difference.lower()) / 2.0));
    text += &wrapped(
        "difference",
        &format!(
            "{} on average over the domain; the {percent}% band reaches {} to each side",
            rounded_beside(average, half),
            rounded(half)
        ),
    );
    text += &wrapped("band", &band_in_words(difference));
    text += &wrapped("test", &test_in_words(test, sides.is_one_release));
    let differs = !difference.where_it_is_not_zero().is_empty();
    text += &reconciled(differs, test.ok()).map_or_else(String::new, |sentence| wrapped("", sentence));
    text += &told.map_or_else(String::new, |told| told.words() + &wrapped("", &told.meaning()));
    if let Some(file) = figure {
        text += &wrapped("figure", &format!("{} shows the difference", shown(file.path())));
    }
    text += &sides.note.as_ref().map_or_else(String::new, |note| wrapped(NOTE, note));
    if !sides.is_private {
        text += &wrapped(NOTE, FROM_A_SEED);
    }
    text + "\nOnly what was released was read: this cost no privacy.\n"
}

fn band_in_words(difference: &Difference<'_, PopulationMean>) -> String {
    let parts = difference.where_it_is_not_zero();
    let promise = if is_verbose() {
        "It holds the whole difference of the two population means with the stated probability, if the prior describes both means and \
         the two groups are different people"
    } else {
        "The two groups must be different people"
    };
    if parts.is_empty() {
        return format!("the band holds 0 everywhere: at no point can the two means be told apart. {promise}");
    }
    let step = least_step(difference.grid().points());
    let part = |(from, to): &(f64, f64)| {
        let [start, end] = [from, to].map(|point| rounded_beside(*point, step));
        if from == to { start } else { format!("{start}\u{a0}to\u{a0}{end}") }
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    format!("the band does not hold 0 at t = {}: the means differ there. {promise}", parts.join(", "))
}

fn test_in_words(test: Result<EqualityTest, &'static str>, is_one_release: bool) -> String {
    let EqualityTest { p_value, draws, .. } = match test {
        Ok(test) => test,
        Err(reason) => return format!("none: {reason}"),
    };
    let releases = if is_one_release { "this release" } else { "these releases" };
    let verdict = if p_value < REJECTS {
        "means as far apart as these would be rare if the populations had one mean".to_owned()
    } else {
        format!("equal population means are compatible with {releases}; that does not show that they are equal")
    };
    format!("p = {} for equal means ({draws} draws from a public seed): {verdict}", rounded(p_value))
}

/// How a band and a test that say different things go together.
fn reconciled(differs: bool, test: Option<EqualityTest>) -> Option<&'static str> {
    let rejects = test?.p_value < REJECTS;
    match (differs, rejects) {
        (false, true) => Some(
            "The band and the test do not contradict each other: the test adds up small differences over the whole domain, and says that the \
             means differ somewhere; the band looks at each point alone, and cannot say where.",
        ),
        (true, false) => Some(
            "The band and the test do not contradict each other: the band shows a difference in one place, which the test averages with \
             the rest of the domain along 8 smooth functions. Nobody should pick the answer that suits them: say both.",
        ),
        _ => None,
    }
}
