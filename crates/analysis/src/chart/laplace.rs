//! The most likely chart under a prior, and the normal law around it.

use ndarray::{Array1, Array2, Axis, Slice};

use super::noisy::NoisyDistribution;
use super::prior::Design;
use super::shape::{LOCAL, Shape};
use super::triangle::{cholesky, solve, solve_lower};

/// A step that promises less than this for the logarithm of the posterior is not taken.
const ENOUGH: f64 = 1e-7;

/// How often the information is computed anew at most, how many steps are taken with one, and how often one step is halved.
const MOST_ROUNDS: usize = 20;
const MOST_STEPS: usize = 20;
const MOST_HALVINGS: usize = 30;

/// The most likely chart, with Laplace's approximation around it.
///
/// ```text
/// objective(x) = |Z - F(x)|^2 / (2 sigma^2) + |x|^2 / 2,    log evidence = -objective - log det(H) / 2
/// H = I + W'J'J W / sigma^2,    x ~ N(most likely x, H^-1)
/// ```
///
/// Products of two rows `a` and `b` over the levels of a point are `a.b - (a.u)(b.u)` where levels have noise in common.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    /// The whitened coefficients.
    pub(super) x: Array1<f64>,
    /// The parameters at each point.
    pub(super) locals: Array2<f64>,
    /// `L` with `L L' = H`.
    root: Array2<f64>,
    pub(super) log_evidence: f64,
}

impl Fitted {
    /// From a start: steps that begin as Gauss and Newton's and learn the curvature that these leave out, each halved until the objective falls.
    pub(super) fn from(observed: &NoisyDistribution, design: &Design, start: Array1<f64>) -> Self {
        let problem = Problem { observed, design };
        let mut x = start;
        let mut rounds = 0;
        loop {
            let locals = design.at(&x);
            let root = cholesky(design.information(&grams(observed, &locals)), 1.0);
            let slope = problem.slope(&x);
            rounds += 1;
            let next = if rounds == MOST_ROUNDS { None } else { problem.descended(&x, &slope, &root) };
            let Some(next) = next else {
                let half_determinant: f64 = root.diag().iter().map(|&pivot| libm::log(pivot)).sum();
                return Self { x, locals, root, log_evidence: -slope.value - half_determinant };
            };
            x = next;
        }
    }

    #[cfg(test)]
    pub(super) fn root(&self) -> &Array2<f64> {
        &self.root
    }

    /// The covariance between the parameters at each point: row `i` holds that of point `i`, `locals x locals`.
    pub(super) fn local_covariances(&self, design: &Design) -> Array2<f64> {
        let (n, count) = self.locals.dim();
        let size = design.len();
        let solved: Vec<(usize, Array2<f64>)> = design
            .blocks()
            .map(|(start, columns)| {
                let mut right = Array2::zeros((size, n));
                right.slice_axis_mut(Axis(0), Slice::from(start..start + columns.ncols())).assign(&columns.t());
                (start, solve_lower(&self.root, right, start))
            })
            .collect();
        let mut found = Array2::zeros((n, count * count));
        for (a, (start, left)) in solved.iter().enumerate() {
            for (b, (_, right)) in solved.iter().enumerate().take(a + 1) {
                let from = Slice::from(*start..);
                let products = &left.slice_axis(Axis(0), from) * &right.slice_axis(Axis(0), from);
                let entries = products.sum_axis(Axis(0));
                found.column_mut(a * count + b).assign(&entries);
                found.column_mut(b * count + a).assign(&entries);
            }
        }
        found
    }
}

/// What is minimised.
struct Problem<'a> {
    observed: &'a NoisyDistribution,
    design: &'a Design,
}

/// The objective at some coefficients, and its gradient.
struct Slope {
    value: f64,
    gradient: Array1<f64>,
}

impl Problem<'_> {
    fn slope(&self, x: &Array1<f64>) -> Slope {
        let locals = self.design.at(x);
        let (squares, gradients) = squares(self.observed, &locals);
        Slope { value: 0.5 * (squares + x.dot(x)), gradient: x - &self.design.gathered(&gradients) }
    }

    /// A better place, by the method of Broyden, Fletcher, Goldfarb and Shanno with limited memory, which starts from the information; `None`
    /// where the first step promises nothing.
    ///
    /// Noise is large in the second derivatives that Gauss and Newton leave out: their steps alone took up to sixty factors, and these take a
    /// few. (Nocedal and Wright, Numerical Optimization, algorithm 7.4.)
    fn descended(&self, start: &Array1<f64>, slope: &Slope, root: &Array2<f64>) -> Option<Array1<f64>> {
        let mut learnt: Vec<Learnt> = Vec::with_capacity(MOST_STEPS);
        let mut x = start.clone();
        let mut now = Slope { value: slope.value, gradient: slope.gradient.clone() };
        for _ in 0..MOST_STEPS {
            let step = direction(&now.gradient, &learnt, root);
            if -step.dot(&now.gradient) < ENOUGH {
                break;
            }
            let Some((next, then)) = self.halved(&x, &step, now.value) else { break };
            let (moved, bent) = (&next - &x, &then.gradient - &now.gradient);
            let product = moved.dot(&bent);
            // a step along which the objective is not convex teaches nothing
            if product > f64::EPSILON * bent.dot(&bent) {
                learnt.push(Learnt { moved, bent, product });
            }
            (x, now) = (next, then);
        }
        (now.value < slope.value).then_some(x)
    }

    /// The first of `x + step`, `x + step / 2`, ... with a smaller objective than `value`.
    fn halved(&self, x: &Array1<f64>, step: &Array1<f64>, value: f64) -> Option<(Array1<f64>, Slope)> {
        let mut share = 1.0;
        for _ in 0..MOST_HALVINGS {
            let next = x + &(step * share);
            let slope = self.slope(&next);
            if slope.value < value {
                return Some((next, slope));
            }
            share *= 0.5;
        }
        None
    }
}

/// A step that was taken, how the gradient changed over it, and their product.
struct Learnt {
    moved: Array1<f64>,
    bent: Array1<f64>,
    product: f64,
}

/// The step that the information and what was learnt since promise most of.
fn direction(gradient: &Array1<f64>, learnt: &[Learnt], root: &Array2<f64>) -> Array1<f64> {
    let mut left = -gradient;
    let mut shares = Vec::with_capacity(learnt.len());
    for one in learnt.iter().rev() {
        let share = one.moved.dot(&left) / one.product;
        left.scaled_add(-share, &one.bent);
        shares.push(share);
    }
    let mut step = solve(root, &left);
    for (one, share) in learnt.iter().zip(shares.into_iter().rev()) {
        let back = one.bent.dot(&step) / one.product;
        step.scaled_add(share - back, &one.moved);
    }
    step
}

/// `|Z - F|^2 / sigma^2`, and `J_i'(Z_i - F_i) / sigma^2` for each point, a row each.
fn squares(observed: &NoisyDistribution, locals: &Array2<f64>) -> (f64, Array2<f64>) {
    let mut sum = 0.0;
    let mut gradients = Array2::zeros(locals.dim());
    let rows = observed.values.rows().into_iter().zip(locals.rows());
    for (point, (mut gradient, (values, local))) in gradients.rows_mut().into_iter().zip(rows).enumerate() {
        let shape = Shape::of(local);
        let (mut products, mut squared) = ([0.0; LOCAL], 0.0);
        let (mut along, mut residual_along) = ([0.0; LOCAL], 0.0);
        let common = observed.common_at(point);
        for (j, (z, &y)) in values.iter().zip(&observed.levels).enumerate() {
            let (value, slopes) = shape.slopes(y);
            let residual = z - value;
            squared += residual * residual;
            products.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope * residual);
            if let Some(u) = common.map(|common| common[j]) {
                residual_along += u * residual;
                along.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += u * slope);
            }
        }
        let per_noise = observed.noise_sd[point].powi(-2);
        sum += (squared - residual_along * residual_along) * per_noise;
        for ((entry, product), along) in gradient.iter_mut().zip(&products).zip(&along) {
            *entry = (product - along * residual_along) * per_noise;
        }
    }
    (sum, gradients)
}

/// `J_i'J_i / sigma^2` for each point, a row each.
fn grams(observed: &NoisyDistribution, locals: &Array2<f64>) -> Array2<f64> {
    let (n, count) = locals.dim();
    let mut grams = Array2::zeros((n, count * count));
    for (point, (mut gram, local)) in grams.rows_mut().into_iter().zip(locals.rows()).enumerate() {
        let shape = Shape::of(local);
        let (mut products, mut along) = ([[0.0; LOCAL]; LOCAL], [0.0; LOCAL]);
        let common = observed.common_at(point);
        for (j, &y) in observed.levels.iter().enumerate() {
            let (_, slopes) = shape.slopes(y);
            for (row, slope) in products.iter_mut().zip(&slopes).take(count) {
                row.iter_mut().zip(&slopes).for_each(|(sum, other)| *sum += slope * other);
            }
            if let Some(u) = common.map(|common| common[j]) {
                along.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += u * slope);
            }
        }
        let per_noise = observed.noise_sd[point].powi(-2);
        let entries = products.iter().zip(along).take(count).flat_map(|(row, mine)| {
            row.iter().zip(along).take(count).map(move |(product, other)| (product - mine * other) * per_noise)
        });
        gram.iter_mut().zip(entries).for_each(|(entry, product)| *entry = product);
    }
    grams
}
