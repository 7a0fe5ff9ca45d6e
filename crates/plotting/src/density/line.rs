//! A density on one axis, as lines.

use dpfda_density::PiecewiseDensity;

use super::{Density, NOT_TOLD_FROM_EMPTY};
use crate::canvas::palette::{BLUE, MASS, NEIGHBOURS, Paint, RIBBON, VERMILION};
use crate::canvas::scene::{Point, Scene};
use crate::figure::Labels;
use crate::mean::layer::NOISE_RIBBON;
use crate::parts::axis::Axis;
use crate::parts::columns::ticks_of_height;
use crate::parts::legend::{Entry, Key};
use crate::parts::panel::{NEIGHBOUR_WIDTH, Panel, RELEASED_WIDTH};
use crate::parts::plots::{Heading, Plots};

/// The width of the mark on steps that might be empty.
const EMPTY_WIDTH: f64 = 4.0;
const SECOND: Paint = NEIGHBOURS[5];
/// The largest height of a second line, in heights of the first.
const MOST_HEIGHTS: f64 = 2.0;
/// Lines with more corners are thin, since their steps are only a few pixels wide.
const MANY_CORNERS: usize = 400;
/// The height of the axis, in heights of the lines.
const FREE: f64 = 1.04;

const DENSITY: &str = "density";
const DISTRIBUTION: &str = "distribution function";

/// The largest number of steps: about one to a pixel.
const MOST_STEPS: usize = 720;

/// What is drawn of a density on one axis, in data units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) bounds: (f64, f64),
    /// The corners of the steps, from the lower bound to the upper, at 0 at both ends.
    pub(super) steps: Vec<Point>,
    /// The distribution function at the ends of the steps.
    pub(super) distribution: Vec<Point>,
    pub(super) shows_distribution: bool,
    /// Label and points.
    pub(super) second: Option<(String, Vec<Point>)>,
    /// How many cells a step is the mean of.
    pub(super) cells_to_step: usize,
    /// The volume of a cell.
    volume: f64,
    /// The standard deviation of the noise in the probability of a cell.
    pub(super) noise_sd: Option<f64>,
}

impl Line {
    pub(super) fn of(density: &PiecewiseDensity) -> Self {
        let cells = density.cells();
        let (bounds, count) = (cells.bounds().axis(0), cells.count());
        let cells_to_step = count.div_ceil(MOST_STEPS);
        let end = |cell: usize| cells.bounds().from_unit(0, cell as f64 / count as f64);
        let (mut steps, mut distribution) = (vec![(bounds.0, 0.0)], vec![(bounds.0, 0.0)]);
        let (mut below, mut first) = (0.0, 0);
        for group in density.probabilities().chunks(cells_to_step) {
            let mass: f64 = group.iter().sum();
            let height = mass / (cells.cell_volume() * group.len() as f64);
            steps.push((end(first), height));
            first += group.len();
            below += mass;
            steps.push((end(first), height));
            distribution.push((end(first), below));
        }
        steps.push((bounds.1, 0.0));
        Self {
            bounds,
            steps,
            distribution,
            shows_distribution: false,
            second: None,
            cells_to_step,
            volume: cells.cell_volume(),
            noise_sd: None,
        }
    }

    /// Two standard deviations of the noise in a step.
    fn noise(&self) -> Option<f64> {
        Some(2.0 * self.noise_sd? / (self.volume * (self.cells_to_step as f64).sqrt()))
    }

    /// The largest step.
    pub(super) fn largest(&self) -> f64 {
        largest(&self.steps)
    }
}

/// The largest height of points, and 0.
pub(super) fn largest(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |largest, (_, y)| y.max(largest))
}

/// Lays a figure out; its height follows from what is on it.
pub(super) fn composed(density: &Density, line: &Line, labels: &Labels) -> Scene {
    let frame = labels.frame(if line.shows_distribution { 2 } else { 1 });
    let (_, width, height_of_panel) = frame;
    let mut scene = Scene { width, ..Scene::default() };
    let top = height(line);
    let ticks = ticks_of_height(height_of_panel);
    let mut y = vec![Axis::covering([0.0, top].into_iter(), 0.0, ticks)];
    y.extend(line.shows_distribution.then(|| Axis::covering([0.0, 1.0].into_iter(), 0.0, ticks)));
    let names = [DENSITY, "share of people below"][..y.len()].to_vec();
    let (lower, upper) = line.bounds;
    let plots = Plots::new(frame, (&labels.axes[0], names), (y, 0.0), |_, ticks| {
        Axis::covering([lower, upper].into_iter(), 0.0, ticks)
    });

    let note = (line.cells_to_step > 1).then(|| format!("each step is the mean of {} cells", line.cells_to_step));
    let column = density.draw_header(&mut scene, &labels.title, note, &legend(line, top));
    let label = |panel: usize| match (line.shows_distribution, panel) {
        (false, _) => String::new(),
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

/// The upper end of the vertical axis.
fn height(line: &Line) -> f64 {
    let own = line.largest();
    let second = line.second.as_ref().map_or(0.0, |(_, points)| largest(points));
    let own = own + line.noise().unwrap_or(0.0).min(own);
    FREE * second.clamp(own, MOST_HEIGHTS * own)
}

fn legend(line: &Line, top: f64) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Some((label, points)) = &line.second {
        let cut = if largest(points) > top { " (cut off at the edge)" } else { "" };
        entries.push((Key::Stroke(NEIGHBOUR_WIDTH, SECOND), format!("{label}{cut}")));
    }
    if let Some(noise) = line.noise() {
        entries.push((Key::Patch(RIBBON), NOISE_RIBBON.to_owned()));
        if corners(line).iter().any(|(_, height)| *height <= noise) {
            entries.push((Key::Stroke(EMPTY_WIDTH, VERMILION), NOT_TOLD_FROM_EMPTY.to_owned()));
        }
    }
    if !entries.is_empty() {
        entries.insert(0, (Key::Stroke(RELEASED_WIDTH, BLUE), "released density".to_owned()));
    }
    entries
}

fn draw_panel(scene: &mut Scene, place: &Panel<'_>, line: &Line, panel: usize) {
    if panel > 0 {
        draw(scene, place, &line.distribution, RELEASED_WIDTH, BLUE);
        return;
    }
    scene.area(line.steps.iter().map(|(x, y)| place.place(*x, *y)).collect(), MASS);
    if let Some(noise) = line.noise() {
        draw_noise(scene, place, line, noise);
    }
    if let Some((_, points)) = &line.second {
        draw(scene, place, points, NEIGHBOUR_WIDTH, SECOND);
    }
    let width = if line.steps.len() > MANY_CORNERS { NEIGHBOUR_WIDTH } else { RELEASED_WIDTH };
    draw(scene, place, &line.steps, width, BLUE);
}

/// The two upper corners of each step, without the outline's first and last point on the axis.
fn corners(line: &Line) -> &[Point] {
    &line.steps[1..line.steps.len() - 1]
}

/// The ribbon, cut at 0 and at the top, and the steps that might be empty.
fn draw_noise(scene: &mut Scene, place: &Panel<'_>, line: &Line, noise: f64) {
    let (corners, top) = (corners(line), height(line));
    let above = corners.iter().map(|(x, y)| place.place(*x, (y + noise).min(top)));
    let below = corners.iter().rev().map(|(x, y)| place.place(*x, (y - noise).max(0.0)));
    scene.area(above.chain(below).collect(), RIBBON);
    for ends in corners.chunks_exact(2).filter(|ends| ends[0].1 <= noise) {
        let ((left, y), (right, _)) = (place.place(ends[0].0, 0.0), place.place(ends[1].0, 0.0));
        scene.line(vec![(left, y - 2.0), (right, y - 2.0)], EMPTY_WIDTH, VERMILION);
    }
}

fn draw(scene: &mut Scene, place: &Panel<'_>, points: &[Point], width: f64, paint: Paint) {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    place.draw_curve(scene, &x, &y, width, paint);
}
