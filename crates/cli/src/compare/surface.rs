//! `dpfda compare` of two releases of surfaces.

use dpfda::analysis::{DEFAULT_LEVEL, Difference, Estimated, SurfacePosterior};
use dpfda::kinds::Kind;
use dpfda::mechanism::Fact;
use dpfda::plotting::{About, Drawing, MeanSurfaceFigure};
use dpfda::release::Surface;
use ndarray::Array2;
use serde::Serialize;

use super::{briefly, names, other_units, privacy_of, values_of};
use crate::arguments::CompareArguments;
use crate::error::CliError;
use crate::look::Look;
use crate::new_file::FigureFile;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, NOTE, least_step, rounded, rounded_beside, wrapped};
use crate::surfaces::{self, SurfaceRefusal};

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    /// Whether the noise of both was secret.
    private: bool,
    difference: Numbers,
    /// What should make a reader careful.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Lists are in row-major order: `t` runs fastest.
#[derive(Serialize)]
struct Numbers {
    s: Vec<f64>,
    t: Vec<f64>,
    values: Vec<f64>,
    sd: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    level: f64,
}

/// The difference in words or JSON.
pub fn run(arguments: &CompareArguments, first: &Estimated<Surface>) -> Result<String, CliError> {
    let Some(second) = &arguments.second else { return Err(SurfaceRefusal::Groups.into()) };
    let names = names(arguments)?;
    let file = FigureFile::asked(arguments.figure.as_deref(), &arguments.settings.figure, "difference.svg")?;
    let second = surfaces::read(second)?.ok_or(SurfaceRefusal::OneOfTwo)?;
    let sides = [first, &second];
    let difference = Difference::new(
        first.population(),
        second.population(),
        arguments.settings.estimate.level.unwrap_or(DEFAULT_LEVEL),
    )?;
    if let Some(file) = &file {
        let figure = figure(arguments, sides, &names, &difference);
        file.write(&figure)?;
    }
    if arguments.answer.json {
        let private = sides.iter().all(|side| side.is_private());
        let note = other_units(sides.map(|side| side.labels()));
        return Ok(serde_json::to_string_pretty(&Answer { private, difference: numbers(&difference), note })? + "\n");
    }
    Ok(in_words(sides, &names, &difference, file.as_ref()))
}

/// The difference, with what is said of both sides.
fn figure(
    arguments: &CompareArguments,
    sides: [&Estimated<Surface>; 2],
    [first, second]: &[String; 2],
    difference: &Difference<'_, SurfacePosterior>,
) -> Drawing {
    let [one, other] = sides.map(Estimated::facts);
    let about = [(sides[0], &one), (sides[1], &other)]
        .map(|(side, facts)| About { limits: Surface::bounds(side.release()), ..About::of(side.drawn(), facts) });
    let sides = [(first.as_str(), about[0]), (second.as_str(), about[1])];
    MeanSurfaceFigure::of_difference(difference, sides).framed(&Look::of_difference(&arguments.settings).frame(true))
}

fn numbers(difference: &Difference<'_, SurfacePosterior>) -> Numbers {
    let [s, t] = difference.grid().axes();
    let list = |of: &Array2<f64>| of.iter().copied().collect::<Vec<f64>>();
    Numbers {
        s: s.points().to_vec(),
        t: t.points().to_vec(),
        values: list(difference.values()),
        sd: list(difference.sd()),
        lower: list(&difference.lower()),
        upper: list(&difference.upper()),
        level: difference.level(),
    }
}

fn in_words(
    sides: [&Estimated<Surface>; 2],
    [first, second]: &[String; 2],
    difference: &Difference<'_, SurfacePosterior>,
    figure: Option<&FigureFile>,
) -> String {
    let mut text = format!("The mean surface of {first} minus the mean surface of {second}\n\n");
    for (side, (place, name)) in sides.into_iter().zip([("first", first), ("second", second)]) {
        let said = |fact: Fact| wrapped(place, &format!("{name}: {}", briefly(&fact)));
        text += &privacy_of(side.facts()).map_or_else(String::new, said);
    }
    text += &values_of(&sides[0].facts()).map_or_else(String::new, |(name, line)| wrapped(&name, &line));
    let weights = difference.grid().unit_weights();
    let average = |of: &Array2<f64>| weights.iter().zip(of).map(|(weight, value)| weight * value).sum::<f64>();
    let half = average(&((difference.upper() - difference.lower()) / 2.0));
    let percent = rounded(100.0 * difference.level());
    let said = format!(
        "{} on average over the rectangle; the {percent}% band reaches {} to each side",
        rounded_beside(average(difference.values()), half),
        rounded(half)
    );
    text += &wrapped("difference", &said);
    text += &wrapped("band", &band_in_words(difference));
    text += &wrapped(
        "test",
        "none: the test looks at a mean along smooth functions of one argument, so that there is none for surfaces; the band is what tells two surfaces apart",
    );
    if let Some(file) = figure {
        text += &wrapped("figure", &format!("{} shows the difference", shown(file.path())));
    }
    text += &other_units(sides.map(|side| side.labels())).map_or_else(String::new, |note| wrapped(NOTE, &note));
    if !sides.iter().all(|side| side.is_private()) {
        text += &wrapped(NOTE, FROM_A_SEED);
    }
    text + "\nOnly what was released was read: this cost no privacy.\n"
}

fn band_in_words(difference: &Difference<'_, SurfacePosterior>) -> String {
    let promise = "It holds the whole difference of the two population means on the grid with the stated probability, if the prior \
                   describes both means and the releases are of different people.";
    let told = difference.is_not_zero();
    let count = told.iter().filter(|told| **told).count();
    if count == 0 {
        return format!("the band holds 0 at every point: no difference can be told. {promise}");
    }
    let [s, t] = difference.grid().axes();
    let mut rectangle = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    for ((i, j), _) in told.indexed_iter().filter(|(_, told)| **told) {
        for (ends, point) in rectangle.iter_mut().zip([s.points()[i], t.points()[j]]) {
            *ends = (ends.0.min(point), ends.1.max(point));
        }
    }
    let steps = [s, t].map(|axis| least_step(axis.points()));
    let ends = |((from, to), step)| format!("{} to {}", rounded_beside(from, step), rounded_beside(to, step));
    let mut along = rectangle.into_iter().zip(steps).map(ends);
    let [along_s, along_t] = std::array::from_fn(|_| along.next().unwrap_or_default());
    format!(
        "the band does not hold 0 at {count} of {} points, which lie in s from {along_s} and t from {along_t}: the means differ there. {promise}",
        told.len()
    )
}
