//! An estimated mean surface, or the difference of two, as a heat map with two slices.

use dpfda_analysis::{Banded, Difference, Estimated, SurfacePosterior};
use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_mechanism::least_step;
use dpfda_release::Surface;
use ndarray::{Array2, ArrayView2};

use crate::about::{About, captions_of_sides, limits_of_difference};
use crate::canvas::numbers::rounded_beside;
use crate::canvas::palette::{BLUE, DIVERGING, INK, PAPER, RIBBON, SOFT_INK, TOLD, VIRIDIS};
use crate::canvas::scene::{Point, Scene};
use crate::canvas::text::cleaned;
use crate::figure::{Content, Figure, Labels};
use crate::mean::from_release::{DENSE_POINTS, band_for, difference_of, drawn_through};
use crate::parts::axis::Axis;
use crate::parts::column::{Column, MARGIN};
use crate::parts::columns::{
    Columns, draw_label_below, draw_label_beside, name_above, ticks_of_height, with_ticks_apart, within_width,
};
use crate::parts::header::Header;
use crate::parts::heat_map::{HeatMap, draw_maps, shown_patches};
use crate::parts::legend::{Entry, Key};
use crate::parts::panel::{Panel, RELEASED_WIDTH, widest_tick};
use crate::parts::stretches::{CUT, CUT_WIDTH, WITHOUT_ZERO, draw_cut, is_cut, reaching, shade, without_zero};

#[cfg(test)]
#[path = "mean_surface_tests.rs"]
mod tests;

/// The width of the figure, the largest height of the heat map and the height of a slice.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const SLICE_HEIGHT: f64 = 190.0;

/// The share of the width that the map has beside its slices.
const MAP: f64 = 0.56;

/// The widths of the contour and of the light line below it.
const CONTOUR: f64 = 1.5;
const HALO: f64 = 3.5;
/// The length of the strokes into what the contour encloses, and how far they are apart.
const INWARDS: f64 = 5.0;
const APART: f64 = 14.0;
/// The width of the line of the centre.
const CENTRE: f64 = 1.0;

/// An estimated mean surface, or the difference of two: a heat map with a contour around where its band leaves out the centre, and the two middle slices
/// with their bands.
///
/// Between the points of the grid the slices are those of the posterior. The axis `t` runs to the right and `s` upwards. Of more than 120 points along an axis, points at equal distances in their order are
/// shown, and the caption says so.
pub type MeanSurfaceFigure = Figure<MeanSurface>;

/// What the figure of a mean surface shows.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanSurface {
    /// The ends of `t` and of `s`.
    domains: [(f64, f64); 2],
    /// Where patches begin and end, as fractions of `t` and of `s`.
    ends: [Vec<f64>; 2],
    /// A row for each `s` that is shown.
    values: Array2<f64>,
    /// Whether the band leaves out the centre.
    told: Array2<bool>,
    slices: [Slice; 2],
    words: Words,
    /// Whether the centre is 0 everywhere, so that colours part there.
    is_about_zero: bool,
    band: String,
    caption: Vec<String>,
    from_seed: bool,
    /// The least and the largest value that slices show.
    limits: Option<(f64, f64)>,
}

/// The estimate along one axis.
#[derive(Debug, Clone, PartialEq)]
struct Slice {
    /// Where it is on the other axis.
    at: f64,
    points: Vec<f64>,
    values: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// The points of the grid and the centre there, which is linear between them.
    grid: Vec<f64>,
    center: Vec<f64>,
}

/// What the lines of a figure are called.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Words {
    slice: &'static str,
    center: &'static str,
    contour: &'static str,
    everywhere: &'static str,
    nowhere: &'static str,
    is_difference: bool,
}

const OF_ESTIMATE: Words = Words {
    slice: "estimate in a slice",
    center: "the centre",
    contour: "strokes point to where the band leaves out the centre",
    everywhere: "the band leaves out the centre everywhere",
    nowhere: "the band holds the centre everywhere",
    is_difference: false,
};

const OF_DIFFERENCE: Words = Words {
    slice: "difference in a slice",
    center: "no difference",
    contour: "strokes point to where the band leaves out 0",
    everywhere: "the band leaves out 0 everywhere",
    nowhere: "the band holds 0 everywhere: no difference can be told",
    is_difference: true,
};

/// The value and the two ends of the band at each point.
type ValuesAt<'a> = dyn Fn(&[(f64, f64)]) -> Vec<[f64; 3]> + 'a;

/// A surface with its band, at the points of its grid and between them.
struct Shown<'a> {
    grid: &'a SurfaceGrid,
    values: ArrayView2<'a, f64>,
    center: ArrayView2<'a, f64>,
    /// Whether the band leaves out the centre.
    told: Array2<bool>,
    /// Values and the two ends of the band at points of the rectangle.
    at: &'a ValuesAt<'a>,
}

impl MeanSurfaceFigure {
    /// The figure of an estimate, with the names that the release has for its axes and its value.
    pub fn new(estimated: &Estimated<Surface>) -> Self {
        Self::surface(estimated.mean(), &About::of(estimated.drawn(), &estimated.facts()))
    }

    /// The same of a mean that is known apart from its release.
    pub fn surface(mean: &Banded<SurfacePosterior>, about: &About<'_>) -> Self {
        let estimate = mean.estimate();
        let at = |points: &[(f64, f64)]| {
            let found = mean.at(points).unwrap_or_default();
            found.iter().map(|point| [point.value, point.lower, point.upper]).collect()
        };
        let posterior = mean.population();
        let (values, center) = (posterior.values(), posterior.center());
        let shown = Shown { grid: posterior.grid(), values, center, told: mean.told_from_centre(), at: &at };
        let band = band_for(estimate.level, &estimate.target);
        let surface = MeanSurface {
            limits: about.limits,
            ..MeanSurface::of(&shown, OF_ESTIMATE, band, about.captions_without_band(), !about.is_private)
        };
        let s = about.labels.s().unwrap_or("s");
        Self::of(surface, "Estimated mean surface", &[]).names(s, about.argument(), about.value("value"))
    }

    /// The difference of two mean surfaces with its band, and of each side what it is called and what is said of it.
    pub fn of_difference(difference: &Difference<'_, SurfacePosterior>, sides: [(&str, About<'_>); 2]) -> Self {
        let at = |points: &[(f64, f64)]| {
            let found = difference.at(points).unwrap_or_default();
            found.iter().map(|point| [point.value, point.lower, point.upper]).collect()
        };
        let nothing = Array2::zeros(difference.values().dim());
        let (values, center) = (difference.values().view(), nothing.view());
        let shown = Shown { grid: difference.grid(), values, center, told: difference.is_not_zero(), at: &at };
        let band = band_for(difference.level(), &"the difference of the population means");
        let from_seed = !sides.iter().all(|(_, about)| about.is_private);
        let surface = MeanSurface {
            limits: limits_of_difference(&sides),
            ..MeanSurface::of(&shown, OF_DIFFERENCE, band, captions_of_sides(&sides), from_seed)
        };
        let [(first, about), (second, _)] = sides;
        let s = about.labels.s().unwrap_or("s");
        Self::of(surface, &format!("{first} minus {second}"), &[]).names(
            s,
            about.argument(),
            &difference_of(about.labels.value()),
        )
    }

    /// Sets the names of the axes and of the value.
    #[must_use]
    pub fn names(mut self, s: &str, t: &str, value: &str) -> Self {
        self.labels.axes = [t, s, value].map(cleaned).to_vec();
        self
    }
}

impl MeanSurface {
    fn of(shown: &Shown<'_>, words: Words, band: String, mut caption: Vec<String>, from_seed: bool) -> Self {
        let axes = shown.grid.axes();
        let [(rows, up), (columns, across)] = [0, 1].map(|axis| shown_patches(&axes[axis].points().to_vec()));
        let shape = (rows.len(), columns.len());
        let told = Array2::from_shape_fn(shape, |(i, j)| shown.told[[rows[i], columns[j]]]);
        caption.extend(words.without_contour(&told).map(str::to_owned));
        for (name, shown) in [("s", &rows), ("t", &columns)] {
            let step = shown.get(1).copied().unwrap_or(1);
            caption.extend((step > 1).then(|| format!("every {step}th point of {name} is shown")));
        }
        let ends = |axis: &Grid| (axis.points()[0], axis.points()[axis.len() - 1]);
        Self {
            domains: [ends(&axes[1]), ends(&axes[0])],
            ends: [across, up],
            values: Array2::from_shape_fn(shape, |(i, j)| shown.values[[rows[i], columns[j]]]),
            told,
            slices: [Slice::along_t(shown), Slice::along_s(shown)],
            words,
            is_about_zero: shown.center.iter().all(|center| *center == 0.0),
            band,
            caption,
            from_seed,
            limits: None,
        }
    }

    fn legend(&self) -> Vec<Entry> {
        let mut entries = vec![
            (Key::Stroke(RELEASED_WIDTH, BLUE), self.words.slice.to_owned()),
            (Key::Patch(RIBBON), self.band.clone()),
            (Key::Stroke(CENTRE, SOFT_INK), self.words.center.to_owned()),
        ];
        if self.words.without_contour(&self.told).is_none() {
            entries.push((Key::Stroke(CONTOUR, INK), self.words.contour.to_owned()));
        }
        let is_told = |slice: &Slice| !without_zero(&slice.points, &slice.lower, &slice.upper).is_empty();
        if self.words.is_difference && self.slices.iter().any(is_told) {
            entries.push((Key::Patch(TOLD), WITHOUT_ZERO.to_owned()));
        }
        if is_cut(self.slices.iter().flat_map(|slice| slice.lower.iter().chain(&slice.upper)), self.limits) {
            entries.push((Key::Stroke(CUT_WIDTH, SOFT_INK), CUT.to_owned()));
        }
        entries
    }

    /// The edges between patches of which the band leaves out the centre in one alone, with strokes into that one.
    fn contour(&self, panel: &Panel<'_>) -> Vec<[Point; 2]> {
        let along = |ends: &[f64], length: f64| ends.iter().map(|end| (end * length).round()).collect::<Vec<f64>>();
        let [across, up] = [along(&self.ends[0], panel.width), along(&self.ends[1], panel.height)];
        let bottom = panel.top + panel.height;
        let place = |column: usize, row: usize| (panel.left + across[column], bottom - up[row]);
        let (rows, columns) = self.told.dim();
        let every = |length: f64, patches: usize| {
            (1..patches).find(|each| *each as f64 * length >= APART * patches as f64).unwrap_or(patches.max(1))
        };
        let (each_row, each_column) = (every(panel.height, rows), every(panel.width, columns));
        let mut edges = Vec::new();
        for ((row, column), told) in self.told.indexed_iter() {
            let inwards = if *told { -INWARDS } else { INWARDS };
            if self.told.get((row, column + 1)).is_some_and(|next| next != told) {
                let [low, high] = [place(column + 1, row), place(column + 1, row + 1)];
                let y = f64::midpoint(low.1, high.1);
                edges.push([low, high]);
                edges.extend((row % each_row == 0).then_some([(low.0, y), (low.0 + inwards, y)]));
            }
            if self.told.get((row + 1, column)).is_some_and(|next| next != told) {
                let [left, right] = [place(column, row + 1), place(column + 1, row + 1)];
                let x = f64::midpoint(left.0, right.0);
                edges.push([left, right]);
                edges.extend((column % each_column == 0).then_some([(x, left.1), (x, left.1 - inwards)]));
            }
        }
        edges
    }

    /// The ends of the colours: those of the values, or as far on both sides of 0.
    fn ends_of_colours(&self) -> (f64, f64) {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        let ends = self.values.iter().fold((low, high), |(low, high), value| (low.min(*value), high.max(*value)));
        if !self.is_about_zero {
            return ends;
        }
        let most = ends.1.max(-ends.0);
        (-most, most)
    }

    /// Draws the heat map below the column and returns its lower end.
    fn draw_map(&self, scene: &mut Scene, column: &Column, labels: &Labels, height: f64) -> f64 {
        let ends = self.ends_of_colours();
        let colours = Axis::covering([ends.0, ends.1].into_iter(), 0.0, 5.0);
        let ramp = if self.is_about_zero { DIVERGING } else { VIRIDIS };
        let map = HeatMap {
            domains: self.domains,
            names: [&labels.axes[0], &labels.axes[1]],
            ends: [&self.ends[0], &self.ends[1]],
            value: (&labels.axes[2], ends, ramp),
            colour: &|across, up| ramp.at(colours.position(self.values[[up, across]])),
            over: &|scene, panel| {
                let edges = self.contour(panel);
                for (width, paint) in [(HALO, PAPER), (CONTOUR, INK)] {
                    for edge in &edges {
                        scene.line(edge.to_vec(), width, paint);
                    }
                }
            },
        };
        draw_maps(scene, column, &[map], height)
    }

    /// Draws the map at the left and the slices one below the other at the right, and returns their lower end.
    fn draw_beside(&self, scene: &mut Scene, top: f64, labels: &Labels) -> f64 {
        let part = |share: f64| Scene { width: (share * scene.width).floor(), ..Scene::default() };
        let (mut left, mut right) = (part(MAP), part(1.0 - MAP));
        let end = self.draw_slices(&mut right, 0.0, labels).ceil();
        // as high as the slices, with whatever stands above and below it
        let map = |scene: &mut Scene, height: f64| {
            let column = Column { left: MARGIN, room: scene.width - 2.0 * MARGIN, y: 0.0 };
            self.draw_map(scene, &column, labels, height)
        };
        let beside = map(&mut part(MAP), end) - end;
        map(&mut left, end - beside);
        let corner = (left.width, top);
        scene.place(left, (0.0, top), 1.0);
        scene.place(right, corner, 1.0);
        top + end
    }

    /// Draws the slices below a height and returns their lower end.
    fn draw_slices(&self, scene: &mut Scene, mut top: f64, labels: &Labels) -> f64 {
        let height = labels.height(SLICE_HEIGHT);
        let all = self.slices.iter().flat_map(|slice| slice.lower.iter().chain(&slice.upper).chain(&slice.center));
        let limits = reaching(self.limits, self.slices.iter().flat_map(|slice| &slice.center).copied());
        let y = Axis::covering_within(all.copied(), 0.05, ticks_of_height(height), limits);
        let count = within_width(2, scene.width);
        let rough = 0.6 / count as f64 * scene.width;
        let x = [0, 1].map(|place| {
            let (lower, upper) = self.domains[place];
            with_ticks_apart(rough, |ticks| Axis::covering([lower, upper].into_iter(), 0.0, ticks))
        });
        let below = x.iter().map(widest_tick).fold(0.0, f64::max);
        let columns = Columns::with_own_axes(count, scene.width, (widest_tick(&y), below), false);
        let vertical = y.labelled(&labels.axes[2]);
        let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
            let name = &labels.axes[1 - place];
            let at = rounded_beside(self.slices[place].at, least_step(&self.slices[1 - place].grid));
            column.panel_label(scene, &format!("{name} = {at}"));
            name_above(scene, column, &vertical, height);
        };
        let both = [0, 1];
        for slices in both.chunks(count) {
            let begin =
                columns.draw_headings(scene, slices.len(), top, |s, c, place| heading(s, c, slices[place])).ceil();
            for (column, &slice) in slices.iter().enumerate() {
                let (left, width) = (columns.left_of(column), columns.width);
                let panel = Panel { left, top: begin, width, height, x: &x[slice], y: &y };
                panel.draw_ticks(scene, (true, true));
                self.slices[slice].draw(scene, &panel, self.words.is_difference, self.limits);
                panel.draw_marks(scene);
                panel.draw_frame(scene);
                let name = x[slice].labelled(&labels.axes[slice]);
                top = top.max(draw_label_below(scene, &name, left, width, begin + height) + 12.0);
            }
            draw_label_beside(scene, &vertical, begin, height);
        }
        top
    }
}

impl Words {
    /// Why there is no contour, where the band leaves out the centre at all points or at none.
    fn without_contour(&self, told: &Array2<bool>) -> Option<&'static str> {
        match (told.iter().any(|told| *told), told.iter().all(|told| *told)) {
            (_, true) => Some(self.everywhere),
            (true, false) => None,
            (false, false) => Some(self.nowhere),
        }
    }
}

impl Slice {
    /// The slice at the middle `s`.
    fn along_t(shown: &Shown<'_>) -> Self {
        let [s, t] = shown.grid.axes();
        let row = s.len() / 2;
        let at = s.points()[row];
        Self::of(shown, at, t, shown.center.row(row).to_vec(), |t| (at, t))
    }

    /// The slice at the middle `t`.
    fn along_s(shown: &Shown<'_>) -> Self {
        let [s, t] = shown.grid.axes();
        let column = t.len() / 2;
        let at = t.points()[column];
        Self::of(shown, at, s, shown.center.column(column).to_vec(), |s| (s, at))
    }

    /// The slice along an axis, also between the points of its grid.
    fn of(shown: &Shown<'_>, at: f64, axis: &Grid, center: Vec<f64>, place: impl Fn(f64) -> (f64, f64)) -> Self {
        let grid = axis.points().to_vec();
        let points = drawn_through(grid.clone(), DENSE_POINTS);
        let places: Vec<(f64, f64)> = points.iter().map(|point| place(*point)).collect();
        // every point lies between those of the grid, where a posterior can be evaluated
        let found = (shown.at)(&places);
        let of = |number: usize| found.iter().map(|point| point[number]).collect::<Vec<f64>>();
        Self { at, points, values: of(0), lower: of(1), upper: of(2), grid, center }
    }

    fn draw(&self, scene: &mut Scene, panel: &Panel<'_>, is_difference: bool, limits: Option<(f64, f64)>) {
        let (least, most) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let edge = |values: &[f64]| -> Vec<Point> {
            let inside = values.iter().map(|value| value.max(least).min(most));
            self.points.iter().zip(inside).map(|(t, value)| panel.place(*t, value)).collect()
        };
        if is_difference {
            shade(scene, panel, &without_zero(&self.points, &self.lower, &self.upper));
        }
        let (there, mut back) = (edge(&self.lower), edge(&self.upper));
        back.reverse();
        scene.area(there.into_iter().chain(back).collect(), RIBBON);
        for values in [&self.lower, &self.upper] {
            draw_cut(scene, panel, (&self.points, values), limits, SOFT_INK);
        }
        panel.draw_curve(scene, &self.grid, &self.center, CENTRE, SOFT_INK);
        panel.draw_curve(scene, &self.points, &self.values, RELEASED_WIDTH, BLUE);
    }
}

impl Content for MeanSurface {
    fn composed(&self, labels: &Labels) -> Scene {
        let mut scene = Scene { width: labels.width(WIDTH), ..Scene::default() };
        let legend = self.legend();
        let facts = std::slice::from_ref(&self.caption);
        let header = Header { from_seed: self.from_seed, facts, legend: &legend, ..Header::default() };
        let column = header.draw(&mut scene, &labels.title);
        scene.height = if labels.is_wide() {
            self.draw_beside(&mut scene, column.y, labels)
        } else {
            let top = self.draw_map(&mut scene, &column, labels, labels.height(HEIGHT));
            self.draw_slices(&mut scene, top, labels).ceil()
        };
        scene
    }
}
