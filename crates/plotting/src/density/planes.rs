//! A density on several axes, as heat maps of two coordinates.

use dpfda_density::PiecewiseDensity;
use ndarray::Array2;

use super::{Density, NOT_TOLD_FROM_EMPTY};
use crate::canvas::palette::{EMPTY, GREYS, Paint, VIRIDIS};
use crate::canvas::scene::Scene;
use crate::figure::Labels;
use crate::parts::heat_map::{HeatMap, MOST_PATCHES, draw_maps};
use crate::parts::legend::Key;

/// The widths of a figure of one heat map and of three.
const ONE: f64 = 620.0;
const THREE: f64 = 1000.0;
/// The largest height of a heat map.
const HEIGHT: f64 = 460.0;

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
            _ if self.is_empty(value) => EMPTY,
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
    let patch = planes.iter().map(|plane| plane.cells_to_patch).fold(1, usize::max);
    let note = (patch > 1).then(|| format!("each patch is the mean of {patch} by {patch} cells"));
    let marked = planes.iter().any(|plane| plane.densities.iter().any(|density| plane.is_empty(*density)));
    let legend = marked.then(|| (Key::Patch(EMPTY), NOT_TOLD_FROM_EMPTY.to_owned()));
    let column = density.draw_header(&mut scene, &labels.title, note, legend.as_slice());
    let names: Vec<String> = planes.iter().map(|plane| plane.value(&labels.axes)).collect();
    let colours: Vec<_> =
        planes.iter().map(|plane| move |across: usize, up: usize| plane.colour((across, up))).collect();
    let named = planes.iter().zip(names.iter().zip(&colours));
    let maps: Vec<HeatMap<'_>> = named.map(|(plane, (name, colour))| plane.map(&labels.axes, name, colour)).collect();
    scene.height = draw_maps(&mut scene, &column, &maps, labels.height(HEIGHT)).ceil();
    scene
}

impl Plane {
    fn is_empty(&self, density: f64) -> bool {
        self.empty_below.is_some_and(|limit| density <= limit)
    }

    /// What the colours stand for.
    fn value(&self, names: &[String]) -> String {
        match self.shown {
            Shown::Density => "density".to_owned(),
            Shown::Marginal => format!("density of {} and {}", names[self.axes.0], names[self.axes.1]),
            Shown::Certainty => "standard deviations of the privacy noise above empty (black: 10 or more)".to_owned(),
        }
    }

    fn map<'a>(
        &'a self,
        names: &'a [String],
        value: &'a str,
        colour: &'a dyn Fn(usize, usize) -> Paint,
    ) -> HeatMap<'a> {
        let (most, ramp) = match self.shown {
            Shown::Certainty => (CERTAIN, GREYS),
            Shown::Density | Shown::Marginal => (self.largest(), VIRIDIS),
        };
        HeatMap {
            domains: self.bounds,
            names: [&names[self.axes.0], &names[self.axes.1]],
            ends: [&self.ends; 2],
            value: (value, (0.0, most), ramp),
            colour,
            over: &|_, _| {},
        }
    }
}
