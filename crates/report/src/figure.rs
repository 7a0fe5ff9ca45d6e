//! The figure of a release with its text alternative, and the numbers in it.

use dpfda::analysis::{Banded, Estimate, PointEstimate, PopulationMean, Several, SurfacePosterior};
use dpfda::kernels::Grid;
use dpfda::kinds::{Number, Picture, Shown};
use dpfda::mechanism::{exact, least_step, rounded, rounded_beside};
#[cfg(feature = "figures")]
use dpfda::plotting::{FigureSize, Frame};

use crate::content::{Block, Table, equal};
use crate::document::Document;
use crate::drawn::{Drawing, FigureError};

/// The most rows of a table of numbers.
const ROWS: usize = 60;

/// The figure of a release, or its numbers where it has no figure.
pub fn of(document: &Document) -> Result<Vec<Block>, FigureError> {
    let shown = &document.shown;
    let figure = drawn(shown)?.map(|figure| Block::Figure(Box::new(figure), in_words(&shown.picture)));
    let released = match &shown.picture {
        Picture::Numbers(released) => Some(Block::Table(of_numbers(released))),
        _ => None,
    };
    Ok(figure.into_iter().chain(released).collect())
}

#[cfg(feature = "figures")]
fn drawn(shown: &Shown) -> Result<Option<Drawing>, FigureError> {
    shown.figure(&Frame { size: FigureSize::new(WIDTH, HEIGHT).ok(), is_bare: true, ..Frame::default() })
}

#[cfg(not(feature = "figures"))]
fn drawn(_: &Shown) -> Result<Option<Drawing>, FigureError> {
    Ok(None)
}

/// The size of the figure on a screen. On paper it is that of its room.
#[cfg(feature = "figures")]
const WIDTH: f64 = 520.0;
#[cfg(feature = "figures")]
const HEIGHT: f64 = 340.0;

/// The numbers in a figure; `None` where there are none, or where the page itself has them.
pub fn numbers(picture: &Picture) -> Option<Vec<Table>> {
    if let Some(means) = picture.means() {
        return Some(known(means).map(|(name, estimate)| table(name, estimate)).collect());
    }
    match picture {
        Picture::Curve { mean, .. } => Some(vec![table("", mean.estimate())]),
        Picture::Surface(mean) => Some(slices(mean)),
        Picture::Centiles(curves) => {
            Some(curves.all().map(|(p, curve)| table(&format!("the {}% centile", exact(p)), curve)).collect())
        }
        Picture::Outcome(outcome) => Some(vec![table("correlation", outcome.correlation())]),
        _ => None,
    }
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
        Picture::Panels(regression) => {
            let of_mean = "The first panel is the mean of people in the middle of the covariates' ranges.";
            let each = each_in_words(regression.means());
            format!("A panel for each coefficient function: a line with a band. {of_mean} {each}")
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
        Picture::Outcome(outcome) => {
            let slope = if outcome.slope().is_ok() { " Beside it is the slope function." } else { "" };
            format!(
                "A line with a band: the correlation of curves with {} at each point. {}{slope}",
                outcome.name(),
                range_in_words(outcome.correlation())
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
         points at which the band leaves out the centre from the others. The band is a {}% band for {}.",
        rounded_beside(least, largest - least),
        rounded_beside(largest, largest - least),
        rounded(100.0 * estimate.level),
        estimate.target
    )
}

/// The numbers of the two middle slices of a surface.
fn slices(mean: &Banded<SurfacePosterior>) -> Vec<Table> {
    let axes = mean.population().grid().axes().each_ref().map(Grid::points);
    let [s, t] = axes.map(|points| points[points.len() / 2]);
    let steps = axes.map(least_step);
    // the middle points are points of the domain
    let slices = [
        ("s", s, steps[0], "t", mean.slice_at_s(s).unwrap_or_default()),
        ("t", t, steps[1], "s", mean.slice_at_t(t).unwrap_or_default()),
    ];
    let table = |(name, at, step, along, slice): (&str, f64, f64, &'static str, Vec<PointEstimate<f64>>)| {
        table_of(&format!("the slice at {name} = {}", rounded_beside(at, step)), along, &slice)
    };
    slices.into_iter().map(table).collect()
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
fn table(name: &str, estimate: &Estimate<f64>) -> Table {
    table_of(name, "t", &estimate.points())
}

/// The same of points along an axis.
fn table_of(name: &str, axis: &'static str, points: &[PointEstimate<f64>]) -> Table {
    let step = points.len().div_ceil(ROWS).max(1);
    let apart = least_step(&points.iter().map(|point| point.at).collect::<Vec<_>>());
    let row = |point: &PointEstimate<f64>| {
        let half = 0.5 * (point.upper - point.lower);
        let [value, lower, upper] = [point.value, point.lower, point.upper].map(|number| rounded_beside(number, half));
        vec![rounded_beside(point.at, apart), value, lower, upper]
    };
    let which = if step == 1 { String::new() } else { format!(", every {step} points; release.csv holds all") };
    let of = if name.is_empty() { String::new() } else { format!(" of {name}") };
    Table {
        caption: format!("The estimate{of} and its band{which}"),
        columns: equal(&[axis, "estimate", "lower", "upper"]),
        rows: points.iter().step_by(step).map(row).collect(),
        is_form: false,
    }
}

fn of_numbers(released: &[Number]) -> Table {
    let row = |Number { name, value, noise_sd }: &Number| {
        let sd = if noise_sd.is_finite() { rounded(*noise_sd) } else { "infinite".to_owned() };
        vec![name.clone(), rounded_beside(*value, *noise_sd), sd]
    };
    Table {
        caption: "The released numbers".to_owned(),
        columns: equal(&["number", "value", "noise (sd)"]),
        rows: released.iter().map(row).collect(),
        is_form: false,
    }
}
