//! The figure of a release with its text alternative, and the numbers in it.

use dpfda::analysis::{Banded, Estimate, PointEstimate, PopulationMean, Several, SurfacePosterior};
use dpfda::kernels::Grid;
use dpfda::kinds::{Number, Picture};
use dpfda::mechanism::{exact, least_step, rounded, rounded_beside};
use dpfda::plotting::{FigureError, Frame};

use crate::document::Document;
use crate::html::Html;

/// The most rows of a table of numbers.
const ROWS: usize = 60;

/// Draws the figure of a release, or lists its numbers where there are few.
pub fn of(page: &mut Html, document: &Document) -> Result<(), FigureError> {
    let shown = &document.shown;
    let words = in_words(&shown.picture);
    if let Some(figure) = shown.figure(&Frame::default())? {
        drawn(page, &figure.to_svg()?, &words);
    }
    match &shown.picture {
        Picture::Curve { mean, .. } => table(page, "", mean.estimate()),
        Picture::Together { means, .. } | Picture::Panels(means) => {
            for (name, estimate) in known(means) {
                table(page, name, estimate);
            }
        }
        Picture::Surface(mean) => slices(page, mean),
        Picture::Centiles(curves) => {
            for (p, curve) in curves.all() {
                table(page, &format!("the {}% centile", exact(p)), curve);
            }
        }
        Picture::Numbers(released) => numbers(page, released),
        Picture::Density { .. } | Picture::Nothing => {}
    }
    Ok(())
}

/// What a figure shows, for whoever does not see it.
fn in_words(picture: &Picture) -> String {
    match picture {
        Picture::Nothing | Picture::Numbers(_) => String::new(),
        Picture::Curve { mean, .. } => {
            let estimate = mean.estimate();
            let percent = rounded(100.0 * estimate.level);
            format!(
                "A line with a band. The line is the estimated mean function. {} The band is a {percent}% band for {}.",
                range_in_words(estimate),
                estimate.target
            )
        }
        Picture::Together { means, .. } => {
            format!("A line with a band for the mean of each group. {}", each_in_words(means))
        }
        Picture::Panels(means) => {
            format!("A panel for each coefficient function: a line with a band. {}", each_in_words(means))
        }
        Picture::Surface(mean) => of_surface(mean.estimate()),
        Picture::Centiles(curves) => {
            let each = curves.all().map(|(p, curve)| format!("{}%: {}", exact(p), range_in_words(curve)));
            let each: Vec<String> = each.collect();
            format!(
                "Centile curves, shaded between those that mirror each other, and each with its band. {}",
                each.join(" ")
            )
        }
        Picture::Density { density, .. } => format!("The released density over {}.", density.cells()),
    }
}

fn of_surface(estimate: &Estimate<(f64, f64)>) -> String {
    let (least, largest) = estimate
        .values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)));
    format!(
        "A heat map and two slices with bands. The heat map is the estimated mean surface, which lies between {} and {}. A line parts the \
         points at which the band leaves out the public centre from the others. The band is a {}% band for {}.",
        rounded_beside(least, largest - least),
        rounded_beside(largest, largest - least),
        rounded(100.0 * estimate.level),
        estimate.target
    )
}

/// The numbers of the two middle slices of a surface.
fn slices(page: &mut Html, mean: &Banded<SurfacePosterior>) {
    let axes = mean.population().grid().axes().each_ref().map(Grid::points);
    let [s, t] = axes.map(|points| points[points.len() / 2]);
    let steps = axes.map(least_step);
    let slices = [("s", s, steps[0], "t", mean.slice_at_s(s)), ("t", t, steps[1], "s", mean.slice_at_t(t))];
    for (name, at, step, along, slice) in slices {
        // the middle points are points of the domain
        let slice = slice.unwrap_or_default();
        table_of(page, &format!("the slice at {name} = {}", rounded_beside(at, step)), along, &slice);
    }
}

/// The means of which the release says enough.
fn known(means: &Several<PopulationMean>) -> impl Iterator<Item = (&str, &Estimate<f64>)> {
    means.all().iter().filter_map(|mean| Some((mean.name(), mean.estimate().ok()?)))
}

/// The range of each of them.
fn each_in_words(means: &Several<PopulationMean>) -> String {
    let words = known(means).map(|(name, estimate)| format!("{name}: {}", range_in_words(estimate)));
    words.collect::<Vec<_>>().join(" ")
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

fn numbers(page: &mut Html, released: &[Number]) {
    let row = |Number { name, value, noise_sd }: &Number| {
        let sd = if noise_sd.is_finite() { rounded(*noise_sd) } else { "infinite".to_owned() };
        vec![name.clone(), rounded_beside(*value, *noise_sd), sd]
    };
    let rows: Vec<Vec<String>> = released.iter().map(row).collect();
    let columns = ["number", "value", "standard deviation of the privacy noise"];
    page.table("The released numbers", &columns, &rows);
}
