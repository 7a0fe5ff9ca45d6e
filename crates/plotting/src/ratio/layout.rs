//! Where everything goes on a figure of ratios.

use super::scale::{Scale, colour};
use super::{RatioPanel, Ratios};
use crate::axis::Axis;
use crate::colour_bar::draw_bar;
use crate::columns::side_by_side;
use crate::figure::Labels;
use crate::header::Header;
use crate::legend::Key;
use crate::numbers::rounded;
use crate::panel::Panel;
use crate::plots::{Heading, Plots};
use crate::scene::{INK, Paint, Point, Scene};

const CONTOUR_WIDTH: f64 = 2.0;
/// Colours change in steps of so many pixels: finer than the eye needs, and a file of moderate size.
const BLOCK: f64 = 3.0;

/// Lays a figure out; its height follows from what is on it.
pub(super) fn composed(figure: &Ratios, labels: &Labels) -> Scene {
    let panels = &figure.panels;
    let ranges = || panels.iter().map(RatioPanel::range);
    let range = ranges().fold((0.0, 0.0), |all: (f64, f64), its| (all.0.min(its.0), all.1.max(its.1)));
    let scale = Scale { largest: figure.largest, range };
    let (count, width) = side_by_side(panels.len());
    let mut scene = Scene { width, ..Scene::default() };
    let axis = |values: &[f64], ticks: f64| Axis::covering_logs(values.iter().copied(), 0.0, ticks);
    let y = panels.iter().map(|panel| axis(&panel.logs.rows, 7.0)).collect();
    let names = (labels.axes[0].as_str(), labels.axes[1].as_str());
    let plots = Plots::new((count, width), names, y, |panel, ticks| axis(&panels[panel].logs.columns, ticks));

    let is_line = panels.iter().any(|panel| !panel.unit_contour().is_empty());
    let line = is_line.then(|| (Key::Stroke(CONTOUR_WIDTH, INK), format!("{} is 1", figure.ratio_name)));
    let legend: Vec<_> = line.into_iter().collect();
    let mut column = Header { legend: &legend, ..Header::default() }.draw(&mut scene, &labels.title);
    draw_bar(&mut scene, &mut column, &figure.ratio_name, scale.ticks(), colour);
    let content = |scene: &mut Scene, place: &Panel<'_>, panel: usize| draw_panel(scene, place, &panels[panel], &scale);
    let end = plots.draw(&mut scene, column.y + 12.0, |panel| heading(&panels[panel]), content);
    scene.height = end.ceil();
    scene
}

/// The panel's name, its least and its largest ratio, and on which side of 1 they are when both are on one.
fn heading(panel: &RatioPanel) -> Heading {
    let (low, high) = panel.range();
    let (least, largest) = (rounded(low.exp()), rounded(high.exp()));
    let phrases = match () {
        () if least == largest => vec![format!("{least} everywhere")],
        () if low > 0.0 => vec![format!("{least} to {largest},"), "above 1 everywhere".to_owned()],
        () if high < 0.0 => vec![format!("{least} to {largest},"), "below 1 everywhere".to_owned()],
        () => vec![format!("{least} to {largest}")],
    };
    Heading { label: panel.label.clone(), phrases }
}

fn draw_panel(scene: &mut Scene, place: &Panel<'_>, panel: &RatioPanel, scale: &Scale) {
    let across = blocks(&panel.logs.columns, place.x, place.width);
    let bottom = place.top + place.height;
    for row in blocks(&panel.logs.rows, place.y, place.height) {
        let colours: Vec<Paint> =
            across.iter().map(|block| colour(scale.position(interpolated(panel, &row, block)))).collect();
        let mut first = 0;
        // Neighbours of one colour are one rectangle.
        for run in colours.chunk_by(|a, b| a == b) {
            let (from, to) = (across[first].from, across[first + run.len() - 1].to);
            scene.rectangle((place.left + from, bottom - row.to), to - from, row.to - row.from, run[0]);
            first += run.len();
        }
    }
    for line in panel.unit_contour() {
        let points: Vec<Point> = line.into_iter().map(|(x, y)| place.place(x, y)).collect();
        scene.line(points, CONTOUR_WIDTH, INK);
    }
    let right = place.left + place.width;
    scene.line(vec![(place.left, place.top), (right, place.top), (right, bottom)], 1.0, INK);
}

/// A stretch of one axis in pixels from its lower end, and the values of the parameter around its middle.
struct Block {
    from: f64,
    to: f64,
    /// The indices of the values below and above, and how far it is from the one to the other.
    below: usize,
    above: usize,
    fraction: f64,
}

/// Stretches of a few whole pixels that make up an axis.
fn blocks(values: &[f64], axis: &Axis, length: f64) -> Vec<Block> {
    let places: Vec<f64> = values.iter().map(|value| axis.position(*value)).collect();
    let block = |from: f64| {
        let to = (from + BLOCK).min(length);
        let middle = 0.5 * (from + to) / length;
        let last = values.len() - 1;
        let next = places.partition_point(|place| *place < middle);
        let (below, above) = (next.saturating_sub(1), next.min(last));
        let gap = places[above] - places[below];
        let fraction = if gap > 0.0 { (middle - places[below]) / gap } else { 0.0 };
        Block { from, to, below, above, fraction }
    };
    std::iter::successors(Some(0.0), |from| Some(from + BLOCK)).take_while(|from| *from < length).map(block).collect()
}

/// The logarithm of the ratio where two blocks meet, bilinear between the values given as the contour is.
fn interpolated(panel: &RatioPanel, row: &Block, column: &Block) -> f64 {
    let along = |row: usize| {
        let (from, to) = (panel.logs.values[[row, column.below]], panel.logs.values[[row, column.above]]);
        from + column.fraction * (to - from)
    };
    let (from, to) = (along(row.below), along(row.above));
    from + row.fraction * (to - from)
}
