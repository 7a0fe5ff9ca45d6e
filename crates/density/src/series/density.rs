//! The density that a series stands for.

use std::f64::consts::{PI, SQRT_2};

use dpfda_privacy::{BasisError, CosineBasis, Randomness};
use ndarray::Array2;
use rand::RngExt;

use crate::bounds::Bounds;
use crate::cells::Cells;
use crate::piecewise::{DensityError, PiecewiseDensity};

#[cfg(test)]
#[path = "density_tests.rs"]
mod tests;

/// Points per half-wave of the highest frequency at which the sign of a series is looked at.
const POINTS_PER_HALF_WAVE: usize = 32;

/// A density made of a cosine series, its negative parts cut (Hall and Murison 1993, as in Wasserman and Zhou).
///
/// ```text
/// g(u) = 1 + sum_k b_k psi_k(u),    p(x) = max(g(u), 0) / (|B| int max(g, 0)),    u in [0, 1]^r for x in the box B
/// ```
///
/// In one dimension the changes of sign are found on a grid of 32 points to a half-wave of the highest frequency and bisected
/// to rounding; between them `g` is integrated exactly. A dip below 0 between two neighbouring points of that grid is not seen
/// by the integrals; its depth is at most `max |g''| / (8 (32 m)^2)`. In two and three dimensions integrals are midpoint sums
/// over at least 4 cells to a half-wave, 32 or more to an axis; distribution function and draws are those of these cells.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesDensity {
    bounds: Bounds,
    basis: CosineBasis,
    /// One for each term of the basis.
    coefficients: Vec<f64>,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// Where `g` is positive on `[0, 1]`, and its integral over each such interval.
    Line {
        positive: Vec<Interval>,
        integral: f64,
    },
    Cells {
        cells: PiecewiseDensity,
        integral: f64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Interval {
    from: f64,
    to: f64,
    mass: f64,
}

impl SeriesDensity {
    /// The density with these coefficients, in the order of [`CosineBasis`]; none at all is the uniform density.
    pub fn new(bounds: Bounds, mut coefficients: Vec<f64>) -> Result<Self, BasisError> {
        let basis = CosineBasis::new(bounds.dimension(), coefficients.len().max(1))?;
        coefficients.resize(basis.terms(), 0.0);
        Ok(Self::on(bounds, basis, coefficients))
    }

    /// The density with these coefficients, one for each term of a basis of the dimension of the bounds.
    pub(crate) fn on(bounds: Bounds, basis: CosineBasis, mut coefficients: Vec<f64>) -> Self {
        for coefficient in coefficients.iter_mut().filter(|b| !b.is_finite()) {
            *coefficient = 0.0;
        }
        let shape = Shape::Line { positive: Vec::new(), integral: 1.0 };
        let mut density = Self { bounds, basis, coefficients, shape };
        density.shape = if density.bounds.dimension() == 1 { density.line() } else { density.cut_cells() };
        density
    }

    /// The public bounds.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The coefficients `b_k`.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The density at a point in data units, per data unit of volume: 0 outside the bounds.
    ///
    /// Not a number for a point with another number of coordinates or one that is not a number.
    pub fn at(&self, point: &[f64]) -> f64 {
        let axes = self.bounds.axes();
        if point.len() != axes.len() || point.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        if point.iter().zip(axes).any(|(x, (lower, upper))| x < lower || x > upper) {
            return 0.0;
        }
        self.series(&self.unit(point)).max(0.0) / (self.integral() * self.bounds.volume())
    }

    /// The integral of the positive part of the series over the unit cube, at least 1 up to rounding: what it is divided by.
    pub fn integral(&self) -> f64 {
        match &self.shape {
            Shape::Line { integral, .. } | Shape::Cells { integral, .. } => *integral,
        }
    }

    /// The probability of all points that are at most `point` along every axis: the distribution function.
    ///
    /// Not a number for a point with another number of coordinates or one that is not a number.
    pub fn cumulative(&self, point: &[f64]) -> f64 {
        if point.len() != self.bounds.dimension() || point.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        match &self.shape {
            Shape::Line { .. } => self.mass_below(self.unit(point)[0]),
            Shape::Cells { cells, .. } => cells.cumulative(point),
        }
    }

    /// The smallest point whose distribution function is at least `p`, in data units; one axis only.
    pub fn quantile(&self, p: f64) -> Result<f64, DensityError> {
        let Shape::Line { positive, integral } = &self.shape else {
            return Err(DensityError::SeveralAxes { dimension: self.bounds.dimension() });
        };
        if !(0.0..=1.0).contains(&p) {
            return Err(DensityError::Quantile { value: p });
        }
        let mut wanted = p * integral;
        let mut unit = 0.0;
        if p > 0.0 {
            for interval in positive {
                if wanted <= interval.mass {
                    unit = self.place_of(interval, wanted);
                    break;
                }
                wanted -= interval.mass;
                unit = interval.to;
            }
        }
        Ok(self.bounds.from_unit(0, unit))
    }

    /// Synthetic points (`n x r`, in data units): independent draws from the density.
    pub fn draw<R: Randomness + ?Sized>(&self, n: usize, randomness: &mut R) -> Array2<f64> {
        match &self.shape {
            Shape::Cells { cells, .. } => cells.draw(n, randomness),
            Shape::Line { .. } => {
                Array2::from_shape_simple_fn((n, 1), || self.quantile(randomness.random()).unwrap_or(f64::NAN))
            }
        }
    }

    /// The probabilities of so many cells along each axis.
    pub fn piecewise(&self, per_axis: usize) -> Result<PiecewiseDensity, DensityError> {
        let cells = Cells::new(self.bounds.clone(), per_axis)?;
        let weights = match &self.shape {
            Shape::Line { .. } => {
                let ends: Vec<f64> = (0..=per_axis).map(|i| self.mass_below(i as f64 / per_axis as f64)).collect();
                ends.windows(2).map(|ends| (ends[1] - ends[0]).max(0.0)).collect()
            }
            Shape::Cells { .. } => self.midpoint_sums(&cells, self.resolution().div_ceil(per_axis)),
        };
        Ok(PiecewiseDensity::proportional_to(cells, weights))
    }

    fn unit(&self, point: &[f64]) -> Vec<f64> {
        point.iter().enumerate().map(|(axis, x)| self.bounds.to_unit(axis, *x)).collect()
    }

    /// `g(u)`.
    fn series(&self, unit: &[f64]) -> f64 {
        let mut values = Vec::with_capacity(self.basis.terms());
        self.basis.values_into(unit, &mut values);
        1.0 + values.iter().zip(&self.coefficients).map(|(value, b)| value * b).sum::<f64>()
    }

    /// `int_0^u g` in one dimension.
    fn antiderivative(&self, unit: f64) -> f64 {
        let term = |(index, b): (usize, &f64)| {
            let angular = PI * (index + 1) as f64;
            SQRT_2 * b * (angular * unit).sin() / angular
        };
        unit + self.coefficients.iter().enumerate().map(term).sum::<f64>()
    }

    fn line(&self) -> Shape {
        let points = POINTS_PER_HALF_WAVE * self.basis.terms();
        let mut positive: Vec<Interval> = Vec::new();
        let mut open = (self.series(&[0.0]) > 0.0).then_some(0.0);
        let mut previous = 0.0;
        for index in 1..=points {
            let here = index as f64 / points as f64;
            let is_positive = self.series(&[here]) > 0.0;
            match open {
                None if is_positive => open = Some(self.change_of_sign(previous, here)),
                Some(from) if !is_positive => {
                    positive.push(self.interval(from, self.change_of_sign(previous, here)));
                    open = None;
                }
                _ => {}
            }
            previous = here;
        }
        positive.extend(open.map(|from| self.interval(from, 1.0)));
        let integral = positive.iter().map(|interval| interval.mass).sum();
        Shape::Line { positive, integral }
    }

    fn interval(&self, from: f64, to: f64) -> Interval {
        Interval { from, to, mass: (self.antiderivative(to) - self.antiderivative(from)).max(0.0) }
    }

    /// Where `g` changes its sign between two points at which the signs differ.
    fn change_of_sign(&self, mut left: f64, mut right: f64) -> f64 {
        let left_is_positive = self.series(&[left]) > 0.0;
        loop {
            let middle = f64::midpoint(left, right);
            if middle <= left || middle >= right {
                return middle;
            }
            if (self.series(&[middle]) > 0.0) == left_is_positive {
                left = middle;
            } else {
                right = middle;
            }
        }
    }

    /// The distribution function at a place in `[0, 1]`.
    fn mass_below(&self, unit: f64) -> f64 {
        let Shape::Line { positive, integral } = &self.shape else { return f64::NAN };
        let reached = positive.iter().take_while(|interval| interval.from < unit);
        let mass = |interval: &Interval| {
            if interval.to <= unit { interval.mass } else { self.interval(interval.from, unit).mass }
        };
        (reached.map(mass).sum::<f64>() / integral).clamp(0.0, 1.0)
    }

    /// Where the integral from the left end of an interval is `wanted`, by bisection.
    fn place_of(&self, interval: &Interval, wanted: f64) -> f64 {
        let start = self.antiderivative(interval.from);
        let (mut left, mut right) = (interval.from, interval.to);
        loop {
            let middle = f64::midpoint(left, right);
            if middle <= left || middle >= right {
                return right;
            }
            if self.antiderivative(middle) - start < wanted {
                left = middle;
            } else {
                right = middle;
            }
        }
    }

    /// Cells along an axis, in two and three dimensions.
    fn resolution(&self) -> usize {
        let degree = self.basis.degrees().into_iter().max().unwrap_or(0);
        (4 * usize::from(degree)).max(if self.bounds.dimension() == 2 { 128 } else { 32 })
    }

    fn cut_cells(&self) -> Shape {
        // at most 180^2 and 52^3 cells
        let cells = Cells::new(self.bounds.clone(), self.resolution())
            .unwrap_or_else(|_| unreachable!("a few hundred thousand cells are allowed"));
        let weights = self.midpoint_sums(&cells, 1);
        let integral = weights.iter().sum::<f64>() / cells.count() as f64;
        Shape::Cells { cells: PiecewiseDensity::proportional_to(cells, weights), integral }
    }

    /// Sums of `max(g, 0)` over the midpoints of each cell's parts, so many along each axis.
    fn midpoint_sums(&self, cells: &Cells, parts: usize) -> Vec<f64> {
        let points = cells.per_axis() * parts;
        let degrees = self.basis.degrees();
        // cos(k pi u) for every midpoint u of an axis
        let waves = |u: f64, degree: u16| (0..=degree).map(|k| (f64::from(k) * PI * u).cos()).collect::<Vec<_>>();
        let middle = |i: usize| (i as f64 + 0.5) / points as f64;
        let tables: [Vec<Vec<f64>>; 3] =
            std::array::from_fn(|axis| (0..points).map(|i| waves(middle(i), degrees[axis])).collect());
        let dimension = self.bounds.dimension();
        let depth = if dimension == 3 { parts } else { 1 };
        (0..cells.count())
            .map(|index| {
                let at = cells.position(index);
                let mut sum = 0.0;
                for part in 0..parts * parts * depth {
                    let within = [part % parts, part / parts % parts, part / (parts * parts)];
                    let place = |axis: usize| if axis < dimension { at[axis] * parts + within[axis] } else { 0 };
                    sum += self.of_cosines([&tables[0][place(0)], &tables[1][place(1)], &tables[2][place(2)]]).max(0.0);
                }
                sum
            })
            .collect()
    }

    fn of_cosines(&self, tables: [&[f64]; 3]) -> f64 {
        let terms = self.basis.all_frequencies().zip(&self.coefficients);
        1.0 + terms.map(|(k, b)| b * CosineBasis::amplitude(k) * CosineBasis::product(&tables, k)).sum::<f64>()
    }
}
