//! Two coordinates of a density.

use dpfda_density::PiecewiseDensity;
use ndarray::Array2;

/// More patches along an axis are hardly seen, and a large file.
const MOST_PATCHES: usize = 120;

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
    /// Whether other coordinates were integrated out.
    pub(super) is_marginal: bool,
}

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
        Self { axes, bounds, densities, ends, cells_to_patch, is_marginal: dimension > 2 }
    }

    /// The largest density.
    pub(super) fn largest(&self) -> f64 {
        self.densities.iter().fold(0.0, |largest, density| density.max(largest))
    }
}
