//! Paths of Matern processes of smoothness 1/2, 3/2 and 5/2 as Markov chains, in time `O(n)` on any grid.

use ndarray::Array1;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::functions::covariance::FAR;
use crate::grid::Grid;

/// Half of the nodes and weights of Gauss and Legendre's rule with 8 nodes on `[-1, 1]`.
const RULE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
];

/// The rule is applied to pieces of at most this length.
const PIECE: f64 = 0.5;

/// After this scaled time the process has forgotten all: `exp(-2 x)` times a polynomial of degree 4 is below `1e-17`.
const FORGOTTEN: f64 = 25.0;

type Matrix<const P: usize> = [[f64; P]; P];

/// The process of the Matern kernel of smoothness `P - 1/2`, variance 1, at the points of a grid.
///
/// ```text
/// x = (f, f'/a, ..., f^(P-1)/a^(P-1)),   a = sqrt(2 P - 1) / rho,   (d/du + 1)^P f = sqrt(q) dW/du,   u = a t
/// x_{k+1} = A x_k + L xi,   A = exp(N u),   L L' = q int_0^u m(s) m(s)' ds,   m(s) the last column of exp(N s)
/// ```
///
/// (Hartikainen and Sarkka, MLSP 2010.) The textbook's `L L' = P - A P A'` subtracts numbers of size 1 from each other where `L L'`
/// is of size `u^(2P-1)`: for a million points nothing is left. Here all terms of the integral are computed by quadrature, and the
/// sum of a rule with positive weights loses no digits.
#[derive(Debug, Clone)]
pub(crate) struct StateSpace<const P: usize> {
    /// `L` of the first point.
    first: Matrix<P>,
    steps: Steps<P>,
    points: usize,
}

#[derive(Debug, Clone)]
enum Steps<const P: usize> {
    /// Equally spaced points.
    Same(Step<P>),
    Each(Vec<Step<P>>),
}

/// `A` and `L`.
#[derive(Debug, Clone, Copy)]
struct Step<const P: usize> {
    transition: Matrix<P>,
    root: Matrix<P>,
}

impl<const P: usize> StateSpace<P> {
    pub(crate) fn new(range: f64, grid: &Grid) -> Self {
        let scale = (2.0 * P as f64 - 1.0).sqrt() / range;
        let step = |distance: f64| Step::over((scale * distance).min(FAR));
        let points = grid.points();
        let steps = if grid.is_uniform() {
            Steps::Same(step(grid.length() / (grid.len() - 1) as f64))
        } else {
            Steps::Each(points.windows(2).into_iter().map(|pair| step(pair[1] - pair[0])).collect())
        };
        Self { first: noise_root(FORGOTTEN), steps, points: grid.len() }
    }

    pub(crate) fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array1<f64> {
        let mut state = moved(&self.first, &normals(randomness));
        let mut values = Vec::with_capacity(self.points);
        values.push(state[0]);
        let mut advance = |step: &Step<P>| {
            let kept = moved(&step.transition, &state);
            let added = moved(&step.root, &normals(randomness));
            state = std::array::from_fn(|i| kept[i] + added[i]);
            values.push(state[0]);
        };
        match &self.steps {
            Steps::Same(step) => (1..self.points).for_each(|_| advance(step)),
            Steps::Each(steps) => steps.iter().for_each(advance),
        }
        values.into()
    }
}

impl<const P: usize> Step<P> {
    fn over(time: f64) -> Self {
        Self { transition: transition(time), root: noise_root(time) }
    }
}

fn normals<const P: usize, R: Rng + ?Sized>(randomness: &mut R) -> [f64; P] {
    std::array::from_fn(|_| StandardNormal.sample(randomness))
}

fn moved<const P: usize>(matrix: &Matrix<P>, vector: &[f64; P]) -> [f64; P] {
    std::array::from_fn(|i| matrix[i].iter().zip(vector).map(|(a, x)| a * x).sum())
}

/// `exp(N u) = exp(-u) sum_{k < P} (N + I)^k u^k / k!`: the only eigenvalue of `N` is -1.
fn transition<const P: usize>(u: f64) -> Matrix<P> {
    let (mut sum, mut term) = (identity::<P>(), identity::<P>());
    let shifted = shifted_companion::<P>();
    for k in 1..P {
        term = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..P).map(|l| term[i][l] * shifted[l][j]).sum::<f64>() * u / k as f64)
        });
        sum = std::array::from_fn(|i| std::array::from_fn(|j| sum[i][j] + term[i][j]));
    }
    let decay = (-u).exp();
    sum.map(|row| row.map(|x| decay * x))
}

fn identity<const P: usize>() -> Matrix<P> {
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))))
}

/// `N + I`, where the last row of `N` has the coefficients of `-(s + 1)^P`.
fn shifted_companion<const P: usize>() -> Matrix<P> {
    let mut binomial = 1.0;
    let last: [f64; P] = std::array::from_fn(|j| {
        let coefficient = -binomial;
        binomial *= (P - j) as f64 / (j + 1) as f64;
        coefficient
    });
    let mut matrix = identity::<P>();
    for (i, row) in matrix.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry += if i == P - 1 { last[j] } else { f64::from(u8::from(j == i + 1)) };
        }
    }
    matrix
}

/// Cholesky's factor of `q int_0^u m(s) m(s)' ds`, with `q` such that `f` has variance 1.
fn noise_root<const P: usize>(u: f64) -> Matrix<P> {
    let end = u.min(FORGOTTEN);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
    let pieces = (end / PIECE).ceil().max(1.0) as usize;
    let half = 0.5 * end / pieces as f64;
    let mut covariance = [[0.0; P]; P];
    for piece in 0..pieces {
        let middle = (2 * piece + 1) as f64 * half;
        for (node, weight) in RULE.into_iter().flat_map(|(x, w)| [(x, w), (-x, w)]) {
            let all = transition::<P>(middle + half * node);
            for i in 0..P {
                for j in 0..P {
                    covariance[i][j] += variance_rate::<P>() * half * weight * all[i][P - 1] * all[j][P - 1];
                }
            }
        }
    }
    cholesky(covariance)
}

/// `q = (P-1)!^2 2^(2P-1) / (2P-2)!`: 2, 4, 16/3.
fn variance_rate<const P: usize>() -> f64 {
    (1..P).fold(2.0, |q, k| q * 2.0 * k as f64 / (2 * k - 1) as f64)
}

/// The lower factor. A pivot that underflowed leaves its column at 0.
fn cholesky<const P: usize>(matrix: Matrix<P>) -> Matrix<P> {
    let mut root = [[0.0; P]; P];
    for j in 0..P {
        let pivot = matrix[j][j] - root[j].iter().map(|x| x * x).sum::<f64>();
        if pivot <= 0.0 {
            continue;
        }
        root[j][j] = pivot.sqrt();
        for i in j + 1..P {
            let known: f64 = root[i].iter().zip(&root[j]).map(|(a, b)| a * b).sum();
            root[i][j] = (matrix[i][j] - known) / root[j][j];
        }
    }
    root
}
