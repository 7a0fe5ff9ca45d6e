//! Where everything goes on the figure of a density on one axis.

use super::DensityFigure;
use super::line::{Line, largest};
use crate::axis::Axis;
use crate::columns::{side_by_side, top_column};
use crate::header::{Column, Header, SEED_STAMP};
use crate::legend::{Entry, Key};
use crate::panel::{NEIGHBOUR_WIDTH, Panel, RELEASED_WIDTH};
use crate::plots::{Heading, Plots};
use crate::scene::{BLUE, NEIGHBOURS, Paint, Point, Scene};

/// Under the step line.
const MASS: Paint = BLUE.faded(0.13);
/// A second line, thin and below the first.
const SECOND: Paint = NEIGHBOURS[5];
/// How high a second line may be, in heights of the first.
const MOST_HEIGHTS: f64 = 2.0;
/// Lines of more corners are thin: their steps are only a few pixels wide.
const MANY_CORNERS: usize = 400;
/// What is free above the lines.
const FREE: f64 = 1.04;

const DENSITY: &str = "density";
const DISTRIBUTION: &str = "distribution function";

/// Lays a figure out; its height follows from what is on it.
pub(super) fn composed(figure: &DensityFigure, line: &Line) -> Scene {
    let (count, width) = side_by_side(if line.shows_distribution { 2 } else { 1 });
    let mut scene = Scene { width, ..Scene::default() };
    let top = height(line);
    let ticks = if count == 1 { 7.0 } else { 5.0 };
    let mut y = vec![Axis::covering([0.0, top].into_iter(), 0.0, ticks)];
    y.extend(line.shows_distribution.then(|| Axis::covering([0.0, 1.0].into_iter(), 0.0, ticks)));
    // With two panels each says above it what it shows.
    let beside = if count == 1 { DENSITY } else { "" };
    let (lower, upper) = line.bounds;
    let plots = Plots::new((count, width), (&figure.names[0], beside), y, |_, ticks| {
        Axis::covering([lower, upper].into_iter(), 0.0, ticks)
    });

    let mut column = top_column(width);
    let mut facts = figure.caption.clone();
    facts.extend((line.cells_to_step > 1).then(|| format!("each step is the mean of {} cells", line.cells_to_step)));
    draw_header(&mut scene, &mut column, figure, facts, &legend(line, top));
    let label = |panel: usize| match (count, panel) {
        (1, _) => String::new(),
        (_, 0) => DENSITY.to_owned(),
        _ => DISTRIBUTION.to_owned(),
    };
    let end = plots.draw(
        &mut scene,
        column.y + 8.0,
        |panel| Heading { label: label(panel), phrases: Vec::new() },
        |scene, place, panel| draw_panel(scene, place, line, panel),
    );
    scene.height = end.ceil();
    scene
}

/// Stamp, title, facts and legend.
pub(super) fn draw_header(
    scene: &mut Scene,
    column: &mut Column,
    figure: &DensityFigure,
    facts: Vec<String>,
    legend: &[Entry],
) {
    if figure.from_seed {
        column.band(scene, SEED_STAMP);
        column.y += 10.0;
    }
    Header { title: &figure.title, facts: &[facts], warning: None, legend }.draw(scene, column);
}

/// The upper end of the vertical axis.
fn height(line: &Line) -> f64 {
    let own = line.largest();
    let second = line.second.as_ref().map_or(0.0, |(_, points)| largest(points));
    FREE * second.clamp(own, MOST_HEIGHTS * own)
}

fn legend(line: &Line, top: f64) -> Vec<Entry> {
    let Some((label, points)) = &line.second else { return Vec::new() };
    let cut = if largest(points) > top { " (cut off at the edge)" } else { "" };
    vec![
        (Key::Stroke(RELEASED_WIDTH, BLUE), "released density".to_owned()),
        (Key::Stroke(NEIGHBOUR_WIDTH, SECOND), format!("{label}{cut}")),
    ]
}

fn draw_panel(scene: &mut Scene, place: &Panel<'_>, line: &Line, panel: usize) {
    if panel > 0 {
        draw(scene, place, &line.distribution, RELEASED_WIDTH, BLUE);
        return;
    }
    scene.area(line.steps.iter().map(|(x, y)| place.place(*x, *y)).collect(), MASS);
    if let Some((_, points)) = &line.second {
        draw(scene, place, points, NEIGHBOUR_WIDTH, SECOND);
    }
    let width = if line.steps.len() > MANY_CORNERS { NEIGHBOUR_WIDTH } else { RELEASED_WIDTH };
    draw(scene, place, &line.steps, width, BLUE);
}

fn draw(scene: &mut Scene, place: &Panel<'_>, points: &[Point], width: f64, paint: Paint) {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    place.draw_curve(scene, &x, &y, width, paint);
}
