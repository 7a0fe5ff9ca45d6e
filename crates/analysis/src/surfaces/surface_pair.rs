//! A kernel on each axis of a surface: evidence, and what it says about functionals.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis, Slice, Zip, array};

use crate::halves::in_halves;
use crate::posterior::rung::{Rung, Section};
use crate::surfaces::surface_axis::SurfaceAxis;

/// Prior variances below this part of the noise change the evidence by nothing that a double shows.
const UNHEARD: f64 = 1e-14;

/// Eigenpairs whose prior variance is below this part of the noise are left as the prior has them.
const UNSEEN: f64 = 1e-8;

/// A product of factors up to 1e60 is taken to its logarithm beyond this size.
const LARGE: f64 = 1e200;

/// A surface as it was observed, in units of the radius, on the supports of its axes.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceObserved {
    pub(crate) axes: [SurfaceAxis; 2],
    /// `Y`, a row for each `s`.
    pub(crate) coordinates: Array2<f64>,
    pub(crate) sigma: f64,
}

/// A kernel on each axis, with the amplitudes that have weight.
///
/// ```text
/// K_s (x) K_t:   b = Q_s' Y Q_t,   theta_ij = lambda_i mu_j,   v_ij = a theta_ij + sigma^2
/// ```
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// The places of the two kernels in the ladder.
    pub(crate) kernels: [usize; 2],
    /// Of the leading eigenpairs, without those that are left as the prior has them.
    b: Array2<f64>,
    dropped: [usize; 2],
    /// Amplitudes and their weights.
    amplitudes: Vec<(f64, f64)>,
}

/// Some linear functionals of `f - c`, in units of the radius.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    pub(crate) mean: Array2<f64>,
    pub(crate) variance: Array2<f64>,
    /// At least the standard deviation of the privacy noise in `mean`, weights held fixed.
    pub(crate) noise_sd: Array2<f64>,
}

/// The leading eigenpairs of a kernel on each axis.
struct Leading<'a> {
    /// How many eigenpairs of each axis stand before them: their prior variance is below the least one, whatever the other axis has.
    dropped: [usize; 2],
    eigenvalues: [ArrayView1<'a, f64>; 2],
    vectors: [ArrayView2<'a, f64>; 2],
}

impl<'a> Leading<'a> {
    fn of(rungs: [&'a Rung; 2], least: f64) -> Self {
        let theta = rungs.map(Rung::eigenvalues);
        // eigenvalues increase
        let largest = theta.map(|values| values.last().copied().unwrap_or(0.0));
        let dropped = [0, 1].map(|axis| {
            let below = theta[axis].iter().take_while(|value| **value * largest[1 - axis] < least).count();
            below.min(theta[axis].len().saturating_sub(1))
        });
        let from = |axis: usize| Slice::from(dropped[axis]..);
        Self {
            eigenvalues: [0, 1].map(|axis| rungs[axis].eigenvalues().slice_axis_move(Axis(0), from(axis))),
            vectors: [0, 1].map(|axis| rungs[axis].vectors().slice_axis_move(Axis(1), from(axis))),
            dropped,
        }
    }
}

impl SurfaceObserved {
    /// The log evidence of every pair of kernels (rows, the kernel of `t` fastest) and amplitude (columns).
    pub(crate) fn log_evidence(&self, amplitudes: &[f64]) -> Array2<f64> {
        let [s, t] = &self.axes;
        let nothing = self.log_evidence_of_centre();
        let strongest = largest(amplitudes.iter().copied());
        let of_first = |first: &Rung| -> Vec<f64> {
            let rotated = first.vectors().t().dot(&self.coordinates);
            let of_pair = |second: &Rung| {
                let leading = Leading::of([first, second], UNHEARD * self.sigma.powi(2) / strongest);
                let rotated = rotated.slice_axis(Axis(0), Slice::from(leading.dropped[0]..));
                let squares = rotated.dot(&leading.vectors[1]).mapv_into(|b| (b / self.sigma).powi(2));
                let [lambda, mu] = leading.eigenvalues;
                let gain = |amplitude: &f64| gain((lambda, mu), squares.view(), amplitude / self.sigma.powi(2));
                amplitudes.iter().map(|amplitude| nothing + gain(amplitude)).collect::<Vec<f64>>()
            };
            t.rungs.iter().flat_map(of_pair).collect()
        };
        let evidence = in_halves(&s.rungs, of_first).concat();
        let shape = (s.rungs.len() * t.rungs.len(), amplitudes.len());
        Array2::from_shape_vec(shape, evidence)
            .unwrap_or_else(|_| unreachable!("each pair has a number for each amplitude"))
    }

    /// The log evidence of a mean that is the centre.
    pub(crate) fn log_evidence_of_centre(&self) -> f64 {
        let noise = self.sigma * self.sigma;
        let squares = self.coordinates.iter().map(|y| y * y).sum::<f64>();
        -0.5 * (self.coordinates.len() as f64 * (std::f64::consts::TAU * noise).ln() + squares / noise)
    }

    /// A pair of kernels with the amplitudes that have weight.
    pub(crate) fn pair(&self, kernels: [usize; 2], amplitudes: Vec<(f64, f64)>) -> Pair {
        let strongest = largest(amplitudes.iter().map(|(amplitude, _)| *amplitude));
        let leading = Leading::of(self.rungs(kernels), UNSEEN * self.sigma.powi(2) / strongest);
        let [first, second] = leading.vectors;
        let b = product(first.t(), &self.coordinates, second.t());
        Pair { b, dropped: leading.dropped, kernels, amplitudes }
    }

    fn rungs(&self, kernels: [usize; 2]) -> [&Rung; 2] {
        [0, 1].map(|axis| &self.axes[axis].rungs[kernels[axis]])
    }

    /// What the pairs say about functionals: `combine` joins what is known along the two axes through a matrix between their
    /// eigenpairs. `None` if no pair has them all; weights are renormalised over the pairs that have.
    pub(crate) fn fields(
        &self,
        pairs: &[Pair],
        sections: &[Vec<Option<Section>>; 2],
        combine: impl Fn(ArrayView2<'_, f64>, &Array2<f64>, ArrayView2<'_, f64>) -> Array2<f64> + Sync,
    ) -> Option<Fields> {
        let of_pair = |pair: &Pair| {
            let [first, second] = [0, 1].map(|axis| sections[axis][pair.kernels[axis]].as_ref());
            let theta = self.rungs(pair.kernels).map(Rung::eigenvalues);
            Some(pair.mixture([first?, second?], theta, self.sigma, &combine))
        };
        // neighbours take about as long as each other; what is added to what does not depend on threads
        let every_second =
            |first: &usize| pairs.iter().skip(*first).step_by(2).filter_map(of_pair).reduce(Mixture::with);
        let halves = in_halves(&[0, 1], every_second);
        halves.into_iter().flatten().reduce(Mixture::with).map(Mixture::fields)
    }
}

impl Pair {
    fn mixture(
        &self,
        sections: [&Section; 2],
        theta: [ArrayView1<'_, f64>; 2],
        sigma: f64,
        combine: &impl Fn(ArrayView2<'_, f64>, &Array2<f64>, ArrayView2<'_, f64>) -> Array2<f64>,
    ) -> Mixture {
        let noise = sigma * sigma;
        let [first, second] = [0, 1].map(|axis| sections[axis].side(theta[axis], self.dropped[axis]));
        let [lambda, mu] = [0, 1].map(|axis| theta[axis].slice_axis(Axis(0), Slice::from(self.dropped[axis]..)));
        let products = &lambda.insert_axis(Axis(1)) * &mu.insert_axis(Axis(0));
        let amplitude_sum: f64 = self.amplitudes.iter().map(|(amplitude, weight)| weight * amplitude).sum();
        let priors = |a: &Array2<f64>, b: &Array2<f64>| combine(a.view(), &array![[amplitude_sum]], b.view());
        let open = priors(&first.open, &(&second.known + &second.open)) + priors(&first.known, &second.open);
        let mut mixture = Mixture::of_variance(open);
        let (mut gains, mut spreads) = (Array2::zeros(products.dim()), Array2::zeros(products.dim()));
        for &(amplitude, weight) in &self.amplitudes {
            let gain = products.mapv(|theta| amplitude / (amplitude * theta + noise));
            mixture.add(weight, &combine(first.cross, &(&gain * &self.b), second.cross));
            spreads.scaled_add(weight * noise, &(&gain / &products));
            gains.scaled_add(weight, &gain);
        }
        let [first_squares, second_squares] = [&first, &second].map(|side| side.cross.mapv(|c| c * c));
        let squared = |between: &Array2<f64>| combine(first_squares.view(), between, second_squares.view());
        mixture.variance += &squared(&spreads);
        mixture.noise_sd = squared(&gains.mapv_into(|gain| gain * gain)).mapv_into(|square| square.sqrt() * sigma);
        mixture
    }
}

/// What kernels and amplitudes say together: the weighted mean, and weighted sums of squares about it, of variances and of noise.
struct Mixture {
    weight: f64,
    mean: Array2<f64>,
    variance: Array2<f64>,
    noise_sd: Array2<f64>,
}

impl Mixture {
    /// No mean yet.
    fn of_variance(variance: Array2<f64>) -> Self {
        Self { weight: 0.0, mean: Array2::zeros(variance.dim()), variance, noise_sd: Array2::zeros((0, 0)) }
    }

    /// One more mean, without a variance of its own.
    fn add(&mut self, weight: f64, mean: &Array2<f64>) {
        self.weight += weight;
        let share = weight / self.weight;
        Zip::from(&mut self.mean).and(&mut self.variance).and(mean).for_each(|sum, variance, mean| {
            let before = mean - *sum;
            *sum += share * before;
            *variance += weight * before * (mean - *sum);
        });
    }

    fn with(mut self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        let (share, both) = (other.weight / weight, self.weight * other.weight / weight);
        let means = Zip::from(&mut self.mean).and(&other.mean);
        means.and(&mut self.variance).and(&other.variance).for_each(|sum, mean, variance, more| {
            let apart = mean - *sum;
            *sum += share * apart;
            *variance += more + both * apart * apart;
        });
        self.noise_sd += &other.noise_sd;
        Self { weight, ..self }
    }

    fn fields(self) -> Fields {
        let Self { weight, mean, variance, noise_sd } = self;
        Fields { mean, variance: variance / weight, noise_sd: noise_sd / weight }
    }
}

/// `A B C'`, in the order that takes fewer multiplications.
pub(crate) fn product(first: ArrayView2<'_, f64>, between: &Array2<f64>, second: ArrayView2<'_, f64>) -> Array2<f64> {
    let ((rows, left), (columns, right)) = (first.dim(), second.dim());
    if rows * right * (left + columns) <= left * columns * (right + rows) {
        first.dot(between).dot(&second.t())
    } else {
        first.dot(&between.dot(&second.t()))
    }
}

fn largest(of: impl Iterator<Item = f64>) -> f64 {
    of.fold(0.0, f64::max)
}

/// `1/2 sum_ij [x / (1 + x) b^2 / sigma^2 - log(1 + x)]` with `x = a theta_ij / sigma^2`, for increasing eigenvalues.
fn gain((lambda, mu): (ArrayView1<'_, f64>, ArrayView1<'_, f64>), squares: ArrayView2<'_, f64>, scale: f64) -> f64 {
    let mu = mu.to_vec();
    let (mut explained, mut logs, mut product) = (0.0, 0.0, 1.0_f64);
    for (lambda, squares) in lambda.iter().zip(squares.rows()) {
        let factor = scale * lambda;
        let unheard = mu.partition_point(|mu| factor * mu < UNHEARD);
        for (mu, square) in mu[unheard..].iter().zip(squares.slice_axis(Axis(0), Slice::from(unheard..))) {
            let x = factor * mu;
            explained += square * x / (1.0 + x);
            product *= 1.0 + x;
            if product > LARGE {
                logs += product.ln();
                product = 1.0;
            }
        }
    }
    0.5 * (explained - logs - product.ln())
}
