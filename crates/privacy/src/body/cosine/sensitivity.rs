//! How much one record can move the coefficients: suprema of the basis itself, bounded from above.

use std::f64::consts::PI;

use crate::budget::neighbours::NeighbouringRelation;

use super::basis::{CosineBasis, Frequencies, amplitude, product};
use super::encoding::{LATTICE_BITS, ROUNDING};

#[cfg(test)]
#[path = "sensitivity_tests.rs"]
mod tests;

/// The bound is at most this much above what a pair of records attains, relatively.
const TOLERANCE: f64 = 1e-6;

/// What rounding in double precision is charged with, relatively; it is below `1e-11` for the sizes that are allowed.
const MARGIN: f64 = 1e-9;

/// The largest distance between the basis vectors `(psi_k(x))_k` of two records.
///
/// ```text
/// l1: sup_{x,y} sum_k |psi_k(x) - psi_k(y)|            = max_phi sum_k c_k (1 - prod_i cos(k_i phi_i))
/// l2: sup_{x,y} (sum_k (psi_k(x) - psi_k(y))^2)^(1/2)  = max_phi (sum_k c_k^2 (1 - prod_i cos(k_i phi_i))^2)^(1/2)
/// ```
///
/// A record at the corner 0 is always one of the worst pair, in one, two and three dimensions; `docs/proofs/series.md` has the
/// proof. So a maximum over `phi` in `[0, pi]^r` is all there is to find. For one dimension and `l1` it is
/// `sqrt(2) (m + 1/2 + 0.2172 (m + 1/2))` or a little more: 1.22 times what Wasserman and Zhou print before Theorem 15
/// (`docs/papers/errata.md`, entry 13).
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesSensitivity {
    /// Not below the supremum, and at most `2e-6` above it, relatively.
    pub bound: f64,
    /// The distance between the records at the corner 0 and at [`SeriesSensitivity::record`].
    pub attained: f64,
    /// A record that is as far from the corner 0 as any two are from each other, in the unit cube.
    pub record: Vec<f64>,
}

/// Which norm the noise is calibrated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Norm {
    Sum,
    Euclidean,
}

impl SeriesSensitivity {
    /// The supremum in the sum of absolute values, for Laplace noise.
    pub fn l1(basis: &CosineBasis) -> Self {
        Search::new(basis, Norm::Sum).run(|sum| sum)
    }

    /// The supremum in the Euclidean norm, for Gaussian noise.
    pub fn l2(basis: &CosineBasis) -> Self {
        Search::new(basis, Norm::Euclidean).run(f64::sqrt)
    }
}

/// How far apart the integer sums of neighbours can be in the sum of absolute values, in steps of `2^-20`; rounded up before
/// the integer part is taken.
///
/// ```text
/// substitute one:  sup_{x,y} sum_k |psi_k(x) - psi_k(y)|, and twice the rounding of each coordinate
/// add/remove one:  sup_x sum_k |psi_k(x)| + 1 = sum_k c_k + 1, and the rounding
/// ```
///
/// The 1 is the constant term: the count of the records is its coefficient.
pub(super) fn l1_steps(basis: &CosineBasis, neighbours: NeighbouringRelation) -> u64 {
    let terms = basis.terms() as f64;
    let (real, rounding) = match neighbours {
        NeighbouringRelation::SubstituteOne => (SeriesSensitivity::l1(basis).bound, 2.0 * ROUNDING * terms),
        NeighbouringRelation::AddRemoveOne => (powers(basis, 1) + 1.0, ROUNDING * terms),
    };
    let steps = (real * f64::from(1_u32 << LATTICE_BITS) + rounding) * (1.0 + MARGIN);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and below 2^33")]
    let whole = steps as u64;
    whole
}

/// The same in the Euclidean norm, rounded up.
///
/// ```text
/// substitute one:  sup_{x,y} |psi(x) - psi(y)|_2, and twice the rounding
/// add/remove one:  |(e(x), 2^20)|_2 <= 2^20 (sum_k c_k^2 + 1)^(1/2), and the rounding
/// ```
pub(super) fn l2_steps(basis: &CosineBasis, neighbours: NeighbouringRelation) -> f64 {
    let rounding = ROUNDING * (basis.terms() as f64).sqrt();
    let (real, rounding) = match neighbours {
        NeighbouringRelation::SubstituteOne => (SeriesSensitivity::l2(basis).bound, 2.0 * rounding),
        NeighbouringRelation::AddRemoveOne => ((powers(basis, 2) + 1.0).sqrt(), rounding),
    };
    (real * f64::from(1_u32 << LATTICE_BITS) + rounding) * (1.0 + MARGIN)
}

/// `sum_k c_k^power`, the value of `sum_k |psi_k|^power` at the corner 0, which no other point exceeds.
fn powers(basis: &CosineBasis, power: i32) -> f64 {
    basis.all_frequencies().map(|k| amplitude(k).powi(power)).sum()
}

/// Branch and bound for the maximum over `[0, pi]^r` of a trigonometric polynomial.
///
/// In a cube of half-width `h` about `phi` it is at most
///
/// ```text
/// f(phi) + h sum_i |d_i f(phi)| + (h^2 / 2) C,    C = sum_k c_k |k|^2  or  4 sum_k c_k^2 |k|^2,    |k| = k_1 + ... + k_r
/// ```
///
/// since `1 - P` and `(1 - P)^2 = 1 - 2P + P^2`, with `P = prod cos(k_i phi_i)`, are averages of cosines of linear functions.
struct Search<'a> {
    basis: &'a CosineBasis,
    norm: Norm,
    curvature: f64,
    degrees: Frequencies,
}

type Angles = [f64; 3];

impl<'a> Search<'a> {
    fn new(basis: &'a CosineBasis, norm: Norm) -> Self {
        let square = |k: Frequencies| f64::from(k.iter().sum::<u16>()).powi(2);
        let of_term = |k: Frequencies| match norm {
            Norm::Sum => amplitude(k) * square(k),
            Norm::Euclidean => 4.0 * amplitude(k).powi(2) * square(k),
        };
        let curvature = basis.all_frequencies().map(of_term).sum();
        Self { basis, norm, curvature, degrees: basis.degrees() }
    }

    /// Halves the cubes that may hold more than what is found, until there are none.
    fn run(&self, to_norm: impl Fn(f64) -> f64) -> SeriesSensitivity {
        let per_axis = self.degrees.map(|degree| 2 * degree.max(1));
        let largest = f64::from(per_axis.into_iter().max().unwrap_or(1));
        let mut half_width = PI / (2.0 * largest);
        let mut cubes = self.first_cubes(half_width);
        let (mut most, mut place) = (0.0_f64, [0.0; 3]);
        self.look(&self.corners(), &mut most, &mut place);
        while !cubes.is_empty() {
            let looked_at = self.look(&cubes, &mut most, &mut place);
            let enough = most * (1.0 + TOLERANCE);
            let beyond = 0.5 * half_width * half_width * self.curvature;
            let open = looked_at.iter().filter(|(_, value, slope)| value + half_width * slope + beyond > enough);
            cubes = open.flat_map(|(centre, ..)| self.halved(centre, half_width / 2.0)).collect();
            half_width /= 2.0;
        }
        // the cover may reach a little beyond pi, about which cosines are even
        let record = place[..self.basis.dimension()].iter().map(|angle| angle.min(2.0 * PI - angle) / PI).collect();
        SeriesSensitivity { bound: to_norm(most * (1.0 + TOLERANCE)) * (1.0 + MARGIN), attained: to_norm(most), record }
    }

    /// Values and slopes at these points; the largest value so far is kept.
    fn look(&self, points: &[Angles], most: &mut f64, place: &mut Angles) -> Vec<(Angles, f64, f64)> {
        let looked_at: Vec<_> = points
            .iter()
            .map(|angles| {
                let (value, slope) = self.value_and_slope(angles);
                (*angles, value, slope)
            })
            .collect();
        for (angles, value, _) in &looked_at {
            if value > most {
                (*most, *place) = (*value, *angles);
            }
        }
        looked_at
    }

    /// `f`, and the sum of the absolute values of its partial derivatives.
    fn value_and_slope(&self, angles: &Angles) -> (f64, f64) {
        let table = |axis: usize, function: fn(f64) -> f64| -> Vec<f64> {
            (0..=self.degrees[axis]).map(|k| function(f64::from(k) * angles[axis])).collect()
        };
        let cosines: [Vec<f64>; 3] = std::array::from_fn(|axis| table(axis, f64::cos));
        let sines: [Vec<f64>; 3] = std::array::from_fn(|axis| table(axis, f64::sin));
        let (mut value, mut slopes) = (0.0, [0.0; 3]);
        for k in self.basis.all_frequencies() {
            let (c, rest) = (amplitude(k), 1.0 - product(&cosines, k));
            // f is a sum of weight * rest^power, and its slope is one of `inner` times that of 1 - P
            let inner = match self.norm {
                Norm::Sum => c,
                Norm::Euclidean => 2.0 * c * c * rest,
            };
            value += if self.norm == Norm::Sum { c * rest } else { c * c * rest * rest };
            for axis in 0..self.basis.dimension() {
                slopes[axis] += inner * f64::from(k[axis]) * partial(&cosines, &sines, k, axis);
            }
        }
        (value, slopes.iter().map(|slope: &f64| slope.abs()).sum())
    }

    /// A cover of `[0, pi]^r` by cubes; an axis on which nothing varies is not divided.
    fn first_cubes(&self, half_width: f64) -> Vec<Angles> {
        let centres = |axis: usize| -> Vec<f64> {
            if self.degrees[axis] == 0 {
                return vec![0.0];
            }
            let mut centre = half_width;
            let mut centres = Vec::new();
            while centre - half_width < PI {
                centres.push(centre);
                centre += 2.0 * half_width;
            }
            centres
        };
        cartesian([centres(0), centres(1), centres(2)])
    }

    fn halved(&self, centre: &Angles, half_width: f64) -> Vec<Angles> {
        let ends = |axis: usize| match self.degrees[axis] {
            0 => vec![centre[axis]],
            _ => vec![centre[axis] - half_width, centre[axis] + half_width],
        };
        cartesian([ends(0), ends(1), ends(2)])
    }

    /// The corners of `[0, pi]^r`: the maximum is often at one.
    fn corners(&self) -> Vec<Angles> {
        let ends = |axis: usize| if self.degrees[axis] == 0 { vec![0.0] } else { vec![0.0, PI] };
        cartesian([ends(0), ends(1), ends(2)])
    }
}

/// `sin(k_axis phi_axis)` times the cosines of the other axes.
fn partial(cosines: &[Vec<f64>; 3], sines: &[Vec<f64>; 3], k: Frequencies, axis: usize) -> f64 {
    let factor = |i: usize| if i == axis { &sines[i] } else { &cosines[i] }[usize::from(k[i])];
    factor(0) * factor(1) * factor(2)
}

fn cartesian(axes: [Vec<f64>; 3]) -> Vec<Angles> {
    let [first, second, third] = &axes;
    let pairs = first.iter().flat_map(|x| second.iter().map(move |y| (*x, *y)));
    pairs.flat_map(|(x, y)| third.iter().map(move |z| [x, y, *z])).collect()
}
