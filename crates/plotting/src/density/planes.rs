//! A density on several axes, as heat maps of two coordinates.

use dpfda_density::PiecewiseDensity;
use ndarray::Array2;

use super::Density;
use crate::canvas::font::CAP_HEIGHT;
use crate::canvas::palette::{EMPTY, GREYS, INK, Paint, VIRIDIS};
use crate::canvas::scene::Scene;
use crate::canvas::text::{lines_of_words, shortened};
use crate::figure::Labels;
use crate::parts::axis::Axis;
use crate::parts::colour_bar::draw_bar;
use crate::parts::column::{Column, MARGIN};
use crate::parts::columns::{BELOW_LABEL, Columns, LABEL_EM, draw_label_below, with_ticks_apart};
use crate::parts::heat_map::{MOST_PATCHES, draw_patches};
use crate::parts::panel::{Panel, TICK_GAP, widest_tick};

/// The widths of a figure of one heat map and of three.
const ONE: f64 = 620.0;
const THREE: f64 = 1000.0;
/// The largest height of a heat map.
const HEIGHT: f64 = 460.0;
/// From the label of a vertical axis to its ticks' labels.
const AFTER_LABEL: f64 = LABEL_EM + 10.0;

/// The density of two coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plane {
    /// Which axes: across and up.
    pub(super) axes: (usize, usize),
    pub(super) bounds: [(f64, f64); 2],
    /// Per unit of area, across and up: `densities[[across, up]]`.
    pub(super) densities: Array2<f64>,
    /// Where patches begin and end along each axis, as fractions of it.
    pub(super) ends: Vec<f64>,
    /// Along each axis.
    pub(super) cells_to_patch: usize,
    pub(super) shown: Shown,
    /// The volume of a cell, where each patch is one.
    volume: Option<f64>,
    /// The density up to which a cell could be empty.
    empty_below: Option<f64>,
}

/// What the colours of a plane stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Density,
    /// The density with other coordinates integrated out.
    Marginal,
    /// How far the density is from empty, in standard deviations of the privacy noise.
    Certainty,
}

/// So many standard deviations from empty, and no more, are told apart.
const CERTAIN: f64 = 10.0;
impl Plane {
    /// All pairs of coordinates, in their order.
    pub(super) fn all_of(density: &PiecewiseDensity) -> Vec<Self> {
        let dimension = density.cells().bounds().dimension();
        let pairs = (0..dimension).flat_map(|across| (across + 1..dimension).map(move |up| (across, up)));
        pairs.map(|axes| Self::of(density, axes)).collect()
    }

    fn of(density: &PiecewiseDensity, axes: (usize, usize)) -> Self {
        let cells = density.cells();
        let (dimension, per_axis) = (cells.bounds().dimension(), cells.per_axis());
        let cells_to_patch = per_axis.div_ceil(MOST_PATCHES);
        let patches = per_axis.div_ceil(cells_to_patch);
        let ends: Vec<f64> =
            (0..=patches).map(|patch| (patch * cells_to_patch).min(per_axis) as f64 / per_axis as f64).collect();
        // the first axis is the slowest
        let stride = |axis: usize| (axis + 1..dimension).map(|_| per_axis).product::<usize>();
        let patch = |index: usize, axis: usize| index / stride(axis) % per_axis / cells_to_patch;
        let mut densities = Array2::zeros((patches, patches));
        for (index, probability) in density.probabilities().iter().enumerate() {
            densities[[patch(index, axes.0), patch(index, axes.1)]] += probability;
        }
        let bounds = [axes.0, axes.1].map(|axis| cells.bounds().axis(axis));
        let [width, height] = bounds.map(|(lower, upper)| upper - lower);
        for ((across, up), value) in densities.indexed_iter_mut() {
            *value /= width * (ends[across + 1] - ends[across]) * height * (ends[up + 1] - ends[up]);
        }
        let volume = if cells_to_patch == 1 && dimension == 2 { Some(cells.cell_volume()) } else { None };
        let shown = if dimension > 2 { Shown::Marginal } else { Shown::Density };
        Self { axes, bounds, densities, ends, cells_to_patch, shown, volume, empty_below: None }
    }

    /// Marks the cells that two standard deviations of the noise in a probability could make of nothing.
    pub(super) fn mark_empty(&mut self, sd: f64) {
        self.empty_below = self.volume.map(|volume| 2.0 * sd / volume);
    }

    /// The companion of a density: in each cell its distance from empty, in standard deviations of the noise in a probability.
    pub(super) fn certainty(&self, sd: f64) -> Option<Self> {
        let volume = self.volume.filter(|_| sd > 0.0)?;
        let densities = self.densities.mapv(|density| (density * volume / sd).min(CERTAIN));
        Some(Self { densities, shown: Shown::Certainty, empty_below: None, ..self.clone() })
    }

    /// The colour of a patch.
    fn colour(&self, (across, up): (usize, usize)) -> Paint {
        let value = self.densities[[across, up]];
        match self.shown {
            Shown::Certainty => GREYS.at(value / CERTAIN),
            Shown::Density | Shown::Marginal => VIRIDIS.at(value / self.largest()),
        }
    }

    /// The largest density.
    pub(super) fn largest(&self) -> f64 {
        self.densities.iter().fold(0.0, |largest, density| density.max(largest))
    }
}

/// Lays a figure out; its height follows from what is on it.
pub(super) fn composed(density: &Density, planes: &[Plane], labels: &Labels) -> Scene {
    let width = labels.width(if planes.len() == 1 { ONE } else { THREE });
    let mut scene = Scene { width, ..Scene::default() };
    let places = Places::of(planes, width);

    let patch = planes.iter().map(|plane| plane.cells_to_patch).fold(1, usize::max);
    let marked =
        planes.iter().any(|plane| plane.empty_below.is_some_and(|limit| plane.densities.iter().any(|d| *d <= limit)));
    let note = match patch {
        1 => marked.then(|| "a stroke: not distinguishable from empty".to_owned()),
        _ => Some(format!("each patch is the mean of {patch} by {patch} cells")),
    };
    let column = density.draw_header(&mut scene, &labels.title, note, &[]);
    let top = places.columns.draw_headings(&mut scene, planes.len(), column.y, |scene, column, place| {
        draw_heading(scene, column, &labels.axes, &planes[place]);
    });
    let (top, height) = ((top + 6.0).ceil(), places.columns.width.min(HEIGHT));
    for (place, plane) in planes.iter().enumerate() {
        let (x, y) = (&places.x[place], &places.y[place]);
        let panel = Panel { left: places.columns.left_of(place), top, width: places.columns.width, height, x, y };
        draw_plane(&mut scene, &panel, plane);
        places.draw_names(&mut scene, &panel, &labels.axes, plane);
    }
    scene.height = (top + height + BELOW_LABEL + 14.0).ceil();
    scene
}

/// The columns of the heat maps and their axes.
struct Places {
    columns: Columns,
    x: Vec<Axis>,
    y: Vec<Axis>,
    /// The width of the widest label of a vertical axis' tick.
    beside: f64,
}

impl Places {
    fn of(planes: &[Plane], figure_width: f64) -> Self {
        let axis = |(lower, upper): (f64, f64), ticks: f64| Axis::covering([lower, upper].into_iter(), 0.0, ticks);
        let count = planes.len();
        let y: Vec<Axis> =
            planes.iter().map(|plane| axis(plane.bounds[1], if count == 1 { 7.0 } else { 5.0 })).collect();
        let beside = y.iter().map(widest_tick).fold(0.0, f64::max);
        let rough = figure_width / count as f64 - beside - AFTER_LABEL - TICK_GAP - 2.0 * MARGIN;
        let x: Vec<Axis> =
            planes.iter().map(|plane| with_ticks_apart(rough, |ticks| axis(plane.bounds[0], ticks))).collect();
        let below = x.iter().map(widest_tick).fold(0.0, f64::max);
        // The first label is in the margin that all figures have; each of the others stands in a gap.
        let gap_label = if count == 1 { 0.0 } else { AFTER_LABEL };
        let mut columns = Columns::with_own_axes(count, figure_width, beside + gap_label, below);
        columns.left -= gap_label;
        columns.width += (gap_label / count as f64).floor();
        Self { columns, x, y, beside }
    }

    /// The names of a panel's axes, each with the power of ten that its ticks leave out.
    fn draw_names(&self, scene: &mut Scene, panel: &Panel<'_>, names: &[String], plane: &Plane) {
        let (across, up) = (&names[plane.axes.0], &names[plane.axes.1]);
        draw_label_below(scene, &panel.x.labelled(across), panel.left, panel.width, panel.top + panel.height);
        let name = shortened(&panel.y.labelled(up), LABEL_EM, panel.height);
        let baseline = panel.left - TICK_GAP - self.beside - AFTER_LABEL + CAP_HEIGHT * LABEL_EM;
        scene.upward_text(name, (baseline, panel.top + 0.5 * panel.height), LABEL_EM, INK);
    }
}

/// What the colours of a heat map mean.
fn draw_heading(scene: &mut Scene, column: &mut Column, names: &[String], plane: &Plane) {
    // About as wide as the bar: a tick that the bar left out would make them uneven.
    let room = 0.6 * column.room;
    let most = if plane.shown == Shown::Certainty { CERTAIN } else { plane.largest() };
    let scale = with_ticks_apart(room, |ticks| Axis::covering([0.0, most].into_iter(), 0.0, ticks));
    let text = match plane.shown {
        Shown::Density => None,
        Shown::Marginal => {
            Some(scale.labelled(&format!("density of {} and {}", names[plane.axes.0], names[plane.axes.1])))
        }
        Shown::Certainty => Some("from empty, in standard deviations of the privacy noise, at most 10".to_owned()),
    };
    let name = match &text {
        Some(text) => {
            column.lines(scene, &lines_of_words(text, 12.0, column.room, 2), 12.0, INK);
            String::new()
        }
        None => scale.labelled("density"),
    };
    let ramp = if plane.shown == Shown::Certainty { GREYS } else { VIRIDIS };
    draw_bar(scene, column, &name, scale.ticks, ramp);
}

fn draw_plane(scene: &mut Scene, panel: &Panel<'_>, plane: &Plane) {
    draw_patches(scene, panel, [&plane.ends; 2], |across, up| plane.colour((across, up)));
    let Some(limit) = plane.empty_below else { return };
    let place = |across: usize, up: usize| {
        (panel.left + plane.ends[across] * panel.width, panel.top + (1.0 - plane.ends[up]) * panel.height)
    };
    for ((across, up), _) in plane.densities.indexed_iter().filter(|(_, density)| **density <= limit) {
        scene.line(vec![place(across, up), place(across + 1, up + 1)], 0.75, EMPTY);
    }
}
