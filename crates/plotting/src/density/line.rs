//! A density on one axis, as lines.

use dpfda_density::PiecewiseDensity;

use crate::scene::Point;

/// About one step to a pixel.
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
        Self { bounds, steps, distribution, shows_distribution: false, second: None, cells_to_step }
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
