//! The figure of a release with its text alternative, and the numbers in it.

use dpfda::AnyRelease;
use dpfda::analysis::{Banded, Estimable, Estimate, Estimated, PointEstimate, PopulationMean, Several};
use dpfda::density::PiecewiseDensity;
use dpfda::kernels::Grid;
use dpfda::mechanism::{Fact, Labels};
use dpfda::plotting::{DensityFigure, Figure, FigureError, MeanSurfaceFigure, captions};
use dpfda::release::{Functionals, Groups, LinearFunctional, Regression, Surface};

use super::html::Html;
use crate::density::resolution;
use crate::document::{Document, Estimates};
use crate::groups;
use crate::look::Look;
use crate::regress;
use crate::summary::{exact, least_step, rounded, rounded_beside};

/// The most rows of a table of numbers.
const ROWS: usize = 60;

/// Draws the figure of a release, or lists its numbers where there are few.
pub fn of(page: &mut Html, document: &Document) -> Result<(), FigureError> {
    match (&document.estimated, &document.release) {
        (Estimates::Mean(estimated), _) => of_mean(page, estimated),
        (Estimates::Occupancy(estimated), _) => of_mean(page, estimated),
        (Estimates::Groups(estimated), _) => of_groups(page, estimated),
        (Estimates::Surface(estimated), _) => of_surface(page, estimated),
        (Estimates::Regression(estimated), _) if estimated.hidden().is_none() => of_regression(page, estimated),
        (_, AnyRelease::Functionals(release)) => {
            let (values, noise_sd) = (Functionals::values(release), Functionals::noise_sd(release));
            numbers(page, release.statistic().functionals(), &values.to_vec(), &noise_sd.to_vec());
            Ok(())
        }
        (_, AnyRelease::Path(release)) => {
            numbers(page, release.functionals(), &release.values().to_vec(), &release.noise_sd().to_vec());
            Ok(())
        }
        (_, AnyRelease::Histogram(release)) => of_density(page, release.density(), &release.facts(), document),
        (_, AnyRelease::Draws(release)) => of_density(page, &release.empirical(), &release.facts(), document),
        (_, AnyRelease::Series(release)) => match release.density().piecewise(resolution(release.bounds())) {
            Ok(density) => of_density(page, &density, &release.facts(), document),
            // a resolution that was chosen for the bounds
            Err(_) => Ok(()),
        },
        (
            _,
            AnyRelease::Mean(_)
            | AnyRelease::Occupancy(_)
            | AnyRelease::Groups(_)
            | AnyRelease::Surface(_)
            | AnyRelease::Regression(_),
        ) => Ok(()),
    }
}

fn of_mean<S>(page: &mut Html, estimated: &Estimated<S>) -> Result<(), FigureError>
where
    S: Estimable<Means = Banded<PopulationMean>>,
{
    let estimate = estimated.estimate();
    let percent = rounded(100.0 * estimate.level);
    let words = format!(
        "A line with a band. The line is the estimated mean function. {} The band is a {percent}% band for {}.",
        range_in_words(estimate),
        estimate.target
    );
    drawn(page, &Figure::estimate(estimated).to_svg()?, &words);
    table(page, "", estimate);
    Ok(())
}

fn of_surface(page: &mut Html, estimated: &Estimated<Surface>) -> Result<(), FigureError> {
    let estimate = estimated.estimate();
    let (least, largest) = estimate
        .values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)));
    let words = format!(
        "A heat map and two slices with bands. The heat map is the estimated mean surface, which lies between {} and {}. A line parts the \
         points at which the band leaves out the public centre from the others. The band is a {}% band for {}.",
        rounded_beside(least, largest - least),
        rounded_beside(largest, largest - least),
        rounded(100.0 * estimate.level),
        estimate.target
    );
    drawn(page, &MeanSurfaceFigure::new(estimated).to_svg()?, &words);
    let axes = estimated.posterior().grid().axes().each_ref().map(Grid::points);
    let [s, t] = axes.map(|points| points[points.len() / 2]);
    let steps = axes.map(least_step);
    let slices = [("s", s, steps[0], "t", estimated.slice_at_s(s)), ("t", t, steps[1], "s", estimated.slice_at_t(t))];
    for (name, at, step, along, slice) in slices {
        // the middle points are points of the domain
        let slice = slice.unwrap_or_default();
        table_of(page, &format!("the slice at {name} = {}", rounded_beside(at, step)), along, &slice);
    }
    Ok(())
}

fn of_groups(page: &mut Html, estimated: &Estimated<Groups>) -> Result<(), FigureError> {
    let (known, each) = known(estimated.means());
    let words = format!("A line with a band for the mean of each group. {}", each.join(" "));
    drawn(page, &groups::figure::of(estimated, &Look::default())?.to_svg()?, &words);
    for (name, estimate) in known {
        table(page, name, estimate);
    }
    Ok(())
}

fn of_regression(page: &mut Html, estimated: &Estimated<Regression>) -> Result<(), FigureError> {
    let (known, each) = known(estimated.means());
    let words = format!("A panel for each coefficient function: a line with a band. {}", each.join(" "));
    drawn(page, &regress::figure::of(estimated, &Look::default())?.to_svg()?, &words);
    for (name, function) in known {
        table(page, name, function);
    }
    Ok(())
}

/// The means of which the release says enough, and the range of each in words.
fn known(means: &Several<PopulationMean>) -> (Vec<(&str, &Estimate<f64>)>, Vec<String>) {
    let known: Vec<_> = means.all().iter().filter_map(|mean| Some((mean.name(), mean.estimate().ok()?))).collect();
    let words = known.iter().map(|(name, estimate)| format!("{name}: {}", range_in_words(estimate))).collect();
    (known, words)
}

fn of_density(
    page: &mut Html,
    density: &PiecewiseDensity,
    facts: &[Fact],
    document: &Document,
) -> Result<(), FigureError> {
    let captions: Vec<String> = captions(facts).collect();
    let captions: Vec<&str> = captions.iter().map(String::as_str).collect();
    let names: Vec<&str> =
        document.release.labels().into_iter().flat_map(Labels::columns).map(String::as_str).collect();
    let figure = DensityFigure::new(density).caption(&captions);
    let figure = if names.is_empty() { figure } else { figure.axes(&names)? };
    let figure = match &document.release {
        AnyRelease::Histogram(release) => figure.with_noise(release.probability_sd()),
        _ => figure,
    };
    let figure = if document.release.is_private() { figure } else { figure.noise_from_a_seed() };
    let words = format!("The released density over {}.", density.cells());
    drawn(page, &figure.to_svg()?, &words);
    Ok(())
}

/// A figure, and what it shows in words for whoever does not see it.
fn drawn(page: &mut Html, svg: &str, words: &str) {
    page.markup("<figure>\n<div role=\"img\" aria-label=\"").text(words).markup("\">\n");
    page.figure(svg).markup("\n</div>\n").element("figcaption", words).markup("</figure>\n");
}

fn range_in_words(estimate: &Estimate<f64>) -> String {
    let points = || estimate.at.iter().zip(&estimate.values);
    let least = points().min_by(|a, b| a.1.total_cmp(b.1));
    let largest = points().max_by(|a, b| a.1.total_cmp(b.1));
    let (Some((at_least, least)), Some((at_largest, largest))) = (least, largest) else { return String::new() };
    let step = least_step(&estimate.at);
    format!(
        "It lies between {} at {} and {} at {}.",
        rounded_beside(*least, largest - least),
        rounded_beside(*at_least, step),
        rounded_beside(*largest, largest - least),
        rounded_beside(*at_largest, step)
    )
}

/// The numbers of an estimate; of a long grid, every few of them.
fn table(page: &mut Html, name: &str, estimate: &Estimate<f64>) {
    table_of(page, name, "t", &estimate.points());
}

/// The same of points along an axis.
fn table_of(page: &mut Html, name: &str, axis: &str, points: &[PointEstimate<f64>]) {
    let step = points.len().div_ceil(ROWS).max(1);
    let apart = least_step(&points.iter().map(|point| point.at).collect::<Vec<_>>());
    let row = |point: &PointEstimate<f64>| {
        let half = 0.5 * (point.upper - point.lower);
        let [value, lower, upper] = [point.value, point.lower, point.upper].map(|number| rounded_beside(number, half));
        vec![rounded_beside(point.at, apart), value, lower, upper]
    };
    let rows: Vec<Vec<String>> = points.iter().step_by(step).map(row).collect();
    let which = if step == 1 { String::new() } else { format!(", every {step} points; release.csv holds all") };
    let of = if name.is_empty() { String::new() } else { format!(" of {name}") };
    page.markup("<details>\n").element("summary", &format!("The numbers{of} in the figure"));
    page.table(&format!("The estimate{of} and its band{which}"), &[axis, "estimate", "lower", "upper"], &rows);
    page.markup("</details>\n");
}

/// Released numbers, one by one.
fn numbers(page: &mut Html, asked: &[LinearFunctional], values: &[f64], noise_sd: &[f64]) {
    let row = |((functional, value), noise): ((&LinearFunctional, &f64), &f64)| {
        let sd = if noise.is_finite() { rounded(*noise) } else { "infinite".to_owned() };
        vec![in_words(functional), rounded_beside(*value, *noise), sd]
    };
    let rows: Vec<Vec<String>> = asked.iter().zip(values).zip(noise_sd).map(row).collect();
    let columns = ["number", "value", "standard deviation of the privacy noise"];
    page.table("The released numbers", &columns, &rows);
}

fn in_words(functional: &LinearFunctional) -> String {
    match functional {
        LinearFunctional::Evaluation { t } => format!("value at {}", exact(*t)),
        LinearFunctional::Derivative { t } => format!("slope at {}", exact(*t)),
        LinearFunctional::Integral { .. } => "weighted integral".to_owned(),
        LinearFunctional::Coefficient { index } => format!("coefficient {index}"),
    }
}
