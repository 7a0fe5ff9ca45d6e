//! The maximum of a curve, from its band alone.

use dpfda_kernels::Grid;
use ndarray::Array1;
use serde::Serialize;

use crate::band::Target;

/// Where a curve is largest, or smallest, and how large it is there: both follow from the band, and hold whenever the band holds.
///
/// ```text
/// value in [max_t lower(t), max_t upper(t)],    place in { t : upper(t) >= max lower }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extreme {
    /// The place.
    pub at: Place,
    /// The value there.
    pub value: Within,
    /// What the band is about.
    pub target: Target,
}

/// A place in the domain, and where else it may be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// The place for the middle of the band.
    pub value: f64,
    /// The lower end of the shortest interval that holds all stretches. On a circle it may be above the upper one: then the interval
    /// goes over the end of the domain.
    pub lower: f64,
    /// The upper end of this interval.
    pub upper: f64,
    /// The stretches of the domain that the place may be in, in their order; on a circle the last one may go over the end.
    pub stretches: Vec<(f64, f64)>,
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Within {
    /// The number for the middle of the band.
    pub value: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// A band at increasing points, linear between. On a circle the end of the domain is one of them.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) points: Array1<f64>,
    pub(super) middle: Array1<f64>,
    pub(super) lower: Array1<f64>,
    pub(super) upper: Array1<f64>,
    pub(super) target: Target,
}

impl Shown {
    /// The band of the curve with its sign turned.
    pub(super) fn negated(&self) -> Self {
        Self { middle: -&self.middle, lower: -&self.upper, upper: -&self.lower, ..self.clone() }
    }

    pub(super) fn maximum(&self, grid: &Grid) -> Extreme {
        let most = |numbers: &Array1<f64>| numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (floor, value) = (most(&self.lower), most(&self.middle));
        let best = self.middle.iter().position(|middle| *middle >= value).unwrap_or(0);
        let stretches = self.at_least(floor);
        let (stretches, (lower, upper)) =
            if grid.is_periodic() { on_circle(stretches, grid) } else { on_line(stretches) };
        let at = Place { value: self.points[best], lower, upper, stretches };
        Extreme { at, value: Within { value, lower: floor, upper: most(&self.upper) }, target: self.target }
    }

    /// Where the upper end of the band is at least this number, which it is somewhere.
    fn at_least(&self, floor: f64) -> Vec<(f64, f64)> {
        let (points, upper) = (&self.points, &self.upper);
        // from a point that may be largest towards one that is not
        let crossing = |i: usize, j: usize| {
            points[i] + (points[j] - points[i]) * ((upper[i] - floor) / (upper[i] - upper[j])).clamp(0.0, 1.0)
        };
        let may = |i: usize| upper[i] >= floor;
        let mut stretches: Vec<(f64, f64)> = Vec::new();
        for i in (0..points.len()).filter(|&i| may(i)) {
            let to = if i + 1 == points.len() || may(i + 1) { points[i] } else { crossing(i, i + 1) };
            match stretches.last_mut() {
                Some(last) if i > 0 && may(i - 1) => last.1 = to,
                _ => stretches.push((if i == 0 { points[0] } else { crossing(i, i - 1) }, to)),
            }
        }
        stretches
    }
}

impl Extreme {
    /// The smallest value of a curve from the largest one of the curve with its sign turned.
    pub(super) fn negated(self) -> Self {
        let Within { value, lower, upper } = self.value;
        Self { value: Within { value: -value, lower: -upper, upper: -lower }, ..self }
    }
}

/// Stretches, and the interval from the first to the last.
type Joined = (Vec<(f64, f64)>, (f64, f64));

fn on_line(stretches: Vec<(f64, f64)>) -> Joined {
    let ends = stretches
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), stretch| (from.min(stretch.0), to.max(stretch.1)));
    (stretches, ends)
}

/// The shortest arc that holds all stretches leaves out the longest gap between two of them.
fn on_circle(mut stretches: Vec<(f64, f64)>, grid: &Grid) -> Joined {
    let ends_at = |stretch: &(f64, f64)| stretch.1 >= grid.upper();
    if stretches.len() > 1 && stretches[0].0 <= grid.lower() && stretches.last().is_some_and(ends_at) {
        let first = stretches.remove(0);
        if let Some(last) = stretches.last_mut() {
            last.1 = first.1;
        }
    }
    if stretches.len() == 1 {
        let only = stretches[0];
        return (stretches, only);
    }
    let gap_before = |i: usize| {
        let before = stretches[(i + stretches.len() - 1) % stretches.len()];
        (stretches[i].0 - before.1).rem_euclid(grid.length())
    };
    let first = (0..stretches.len()).max_by(|&i, &j| gap_before(i).total_cmp(&gap_before(j))).unwrap_or(0);
    let last = (first + stretches.len() - 1) % stretches.len();
    let ends = (stretches[first].0, stretches[last].1);
    (stretches, ends)
}
