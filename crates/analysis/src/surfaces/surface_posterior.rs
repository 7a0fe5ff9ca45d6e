//! The posterior of a mean surface given its release.

use dpfda_kernels::{Kernel, SurfaceGrid};
use dpfda_mechanism::Release;
use dpfda_release::{GroupSize, Surface};
use ndarray::{Array1, Array2, ArrayView2, Axis, Slice};

use crate::clipping::allowance;
use crate::error::AnalysisError;
use crate::posterior::CLEAR_EVIDENCE;
use crate::posterior::ladder::Ladder;
use crate::posterior::weights::Weights;
use crate::surfaces::surface_axis::{SurfaceAxis, bilinear};
use crate::surfaces::surface_pair::{Fields, Pair, SurfaceObserved, product};
use crate::surfaces::surface_sampling::{SurfaceSampling, in_rows};
use crate::uncertain::Uncertain;

#[cfg(test)]
#[path = "surface_posterior_tests.rs"]
mod tests;

/// Pairs of kernels and amplitudes are left out, those of least weight first, as long as all that are left out weigh no more than this.
const LEFT_OUT: f64 = 1e-4;

/// The posterior of a mean surface given its release: a mixture of Gaussian processes, solved from public numbers alone.
///
/// ```text
/// Y = Z + sigma W,   Z_ij = sqrt(w_i v_j) (f - c)(s_i, t_j)
/// f - c ~ GP(0, a k_s (x) k_t),   k_s and k_t from the same Ladder, each with its own range,   a from the Ladder
/// W_s^1/2 K_s W_s^1/2 = U diag(lambda) U',   W_t^1/2 K_t W_t^1/2 = V diag(mu) V',   B = U' Y V
/// mean = U ((a lambda_i mu_j / (a lambda_i mu_j + sigma^2)) B_ij) V'
/// ```
///
/// Of a release in coordinates `A_s Z A_t'` of a roughness of axes, `A_s W_s^1/2 K_s W_s^1/2 A_s'` takes the place of the matrix of an axis. An
/// axis of more than 256 points is then seen through its first 128 coordinates.
///
/// The eigenproblem of each axis is solved once for each kernel; candidates are all pairs of kernels (`docs/proofs/surfaces.md`).
/// Those of least weight are left out, as far as they weigh less than 1e-4 together. An axis of more than 256 points is averaged in
/// 256 bins first.
///
/// The posterior is about the mean of the bounded surfaces in the release. Under add/remove-one the noise of the number of records is
/// in every standard deviation, to first order.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Ladder, SurfacePosterior};
/// use dpfda_kernels::{Grid, SurfaceGrid};
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 12)?, Grid::uniform(0.0, 24.0, 16)?)?;
/// let values = Array2::from_shape_fn((400, grid.len()), |(i, j)| 0.5 + 0.1 * ((i % 7 + j / 16) as f64 / 9.0).sin());
/// let surfaces = CurveSet::new(grid.places()?, values)?;
/// let private_mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.2)?, PrivacyBudget::new(1.0, 1e-5)?);
/// let release = private_mean.prepare_on(&surfaces, &grid, None)?.draw_unrecorded(&mut SystemRandomness::new()?);
///
/// // from here on only the release is used: nothing more is spent
/// let posterior = SurfacePosterior::of(&release, &Ladder::default())?;
/// assert_eq!(posterior.values().dim(), (12, 16));
/// let value = posterior.at(&[(0.123, 7.5)])?[0];
/// assert!(value.sd > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SurfacePosterior {
    grid: SurfaceGrid,
    center: Array2<f64>,
    radius: f64,
    /// How far the pull on surfaces outside a bought ball may move the mean, in data units.
    clipping: f64,
    records: f64,
    relative_count_sd: f64,
    /// How much the mean of other people would differ.
    sampling: SurfaceSampling,
    observed: SurfaceObserved,
    ladder: Ladder,
    weights: Weights,
    pairs: Vec<Pair>,
    deviation: Array2<f64>,
    values: Array2<f64>,
    sd: Array2<f64>,
    noise_sd: Array2<f64>,
}

impl SurfacePosterior {
    /// The posterior given a release of surfaces.
    pub fn of(release: &Release<Surface>, ladder: &Ladder) -> Result<Self, AnalysisError> {
        let statistic = release.statistic();
        let (grid, radius) = (statistic.grid().clone(), statistic.ball().radius());
        let [s, t] = grid.unit_axes();
        let maps = statistic.axis_maps();
        let map = |axis: usize| maps.as_ref().map(|maps| &maps[axis]);
        let first = SurfaceAxis::of(s, map(0), ladder)?;
        let is_same = s == t && map(0) == map(1);
        let second = if is_same { first.clone() } else { SurfaceAxis::of(t, map(1), ladder)? };
        let (coordinates, sigma) = statistic.whitened(release);
        let along_t = second.observed(&(in_rows(statistic.by_axes(coordinates).view(), grid.shape()) / radius));
        let coordinates = first.observed(&along_t.reversed_axes()).reversed_axes().as_standard_layout().into_owned();
        let observed = SurfaceObserved { axes: [first, second], coordinates, sigma: sigma / radius };
        let weights = Weights::of_evidence(observed.log_evidence(ladder.amplitudes()), ladder);
        let pairs = heaviest(&observed, &weights, ladder);
        let mut posterior = Self {
            center: in_rows(statistic.center().view(), grid.shape()),
            sampling: SurfaceSampling::of(release, &observed.axes)?,
            records: release.units(),
            relative_count_sd: release.units_sd() / release.units(),
            ladder: ladder.clone(),
            deviation: Array2::zeros((0, 0)),
            values: Array2::zeros((0, 0)),
            sd: Array2::zeros((0, 0)),
            noise_sd: Array2::zeros((0, 0)),
            grid,
            radius,
            clipping: allowance(statistic.bought(), radius, 0, GroupSize::only(release.units()), 1.0),
            observed,
            weights,
            pairs,
        };
        posterior.fill_grid();
        Ok(posterior)
    }

    fn fill_grid(&mut self) {
        let sections = [0, 1].map(|axis| self.observed.axes[axis].at_support(|kernel| self.uses(axis, kernel)));
        let fields = self.observed.fields(&self.pairs, &sections, product);
        let Fields { mean, variance, noise_sd } = fields.unwrap_or_else(|| unreachable!("every kernel has values"));
        let axes = &self.observed.axes;
        let on_grid = |values: &Array2<f64>| SurfaceAxis::both_on_grid(axes, values, self.grid.shape()) * self.radius;
        let deviation = on_grid(&mean);
        let sd = on_grid(&variance.mapv_into(f64::sqrt));
        let noise_sd = on_grid(&noise_sd);
        let with_count = |mut sd: Array2<f64>| {
            sd.zip_mut_with(&deviation, |sd, deviation| *sd = self.with_count(*sd, *deviation));
            sd
        };
        (self.sd, self.noise_sd) = (with_count(sd), with_count(noise_sd));
        self.values = &self.center + &deviation;
        self.deviation = deviation;
    }

    /// Whether a kernel has weight on an axis.
    fn uses(&self, axis: usize, kernel: usize) -> bool {
        self.pairs.iter().any(|pair| pair.kernels[axis] == kernel)
    }

    /// The points the surfaces were seen at.
    pub fn grid(&self) -> &SurfaceGrid {
        &self.grid
    }

    /// The public centre at the points of the grid, a row for each `s`.
    pub fn center(&self) -> ArrayView2<'_, f64> {
        self.center.view()
    }

    /// The public radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How far the pull on surfaces outside a bought ball may move the mean, in data units; 0 in a stated ball.
    pub(crate) fn clipping(&self) -> f64 {
        self.clipping
    }

    /// How much the mean of other people would differ.
    pub(crate) fn sampling(&self) -> &SurfaceSampling {
        &self.sampling
    }

    /// The number of records, noisy where it is private.
    pub fn records(&self) -> f64 {
        self.records
    }

    /// The posterior mean at the points of the grid, a row for each `s`. Along an axis of more than 256 points it is cubic between 256.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// The pointwise posterior standard deviation: privacy noise and what smoothing may have removed.
    pub fn sd(&self) -> ArrayView2<'_, f64> {
        self.sd.view()
    }

    /// At least the standard deviation of the privacy noise in [`SurfacePosterior::values`], with the weights held fixed: the noise
    /// that pairs of kernels pass on adds up as if it had the same sign everywhere.
    pub fn noise_sd(&self) -> ArrayView2<'_, f64> {
        self.noise_sd.view()
    }

    /// The mean surface at any points `(s, t)` of the rectangle.
    pub fn at(&self, points: &[(f64, f64)]) -> Result<Vec<Uncertain>, AnalysisError> {
        let coordinate = |axis: usize| {
            let grid = &self.grid.axes()[axis];
            let (lower, upper) = (grid.lower(), grid.upper());
            let each = points.iter().map(move |&(s, t)| {
                let value = if axis == 0 { s } else { t };
                let is_inside = (lower..=upper).contains(&value);
                if is_inside { Ok(value) } else { Err(AnalysisError::OutsideDomain { value, lower, upper }) }
            });
            each.collect::<Result<Array1<f64>, AnalysisError>>()
        };
        let mut places = [coordinate(0)?, coordinate(1)?];
        // points on one line of the rectangle are looked at together: what is known along the other axis is worked out once
        let is_same = |along: &Array1<f64>| along.len() > 1 && along.iter().all(|value| *value == along[0]);
        let line = places.iter().position(is_same);
        if let Some(axis) = line {
            places[axis] = places[axis].slice_axis(Axis(0), Slice::from(..1)).to_owned();
        }
        let sections = [0, 1].map(|axis| {
            let unit = places[axis].mapv(|value| self.grid.axes()[axis].to_unit_point(value));
            self.observed.axes[axis].at(unit.view(), |kernel| self.uses(axis, kernel))
        });
        let fields = self.observed.fields(&self.pairs, &sections, |first, between, second| match line {
            Some(_) => product(first, between, second),
            None => (first.dot(between) * second).sum_axis(Axis(1)).insert_axis(Axis(1)),
        });
        let Fields { mean, variance, .. } = fields.unwrap_or_else(|| unreachable!("every kernel has values"));
        let found = mean.iter().zip(&variance).zip(points).map(|((mean, variance), point)| {
            let deviation = mean * self.radius;
            let sd = self.with_count(variance.sqrt() * self.radius, deviation);
            // the centre is linear along each axis between the points of the grid
            let center = bilinear(self.grid.axes(), self.center.view(), *point);
            Uncertain { value: center + deviation, sd }
        });
        Ok(found.collect())
    }

    /// The kernels of `s` and of `t` with most weight together, and their weight.
    pub fn leading_kernels(&self) -> ([&Kernel; 2], f64) {
        let weights = self.weights.normalised.sum_axis(Axis(1));
        let most = weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let (place, weight) = most.map_or((0, 1.0), |(place, weight)| (place, *weight));
        let [s, t] = &self.observed.axes;
        let kernels = [place / t.rungs.len(), place % t.rungs.len()];
        ([s.rungs[kernels[0]].kernel(), t.rungs[kernels[1]].kernel()], weight)
    }

    /// The log of how many times more likely the release is under the prior than if the mean were the centre.
    pub fn log_evidence_against_the_centre(&self) -> f64 {
        self.weights.total - self.observed.log_evidence_of_centre()
    }

    /// Whether the release tells the mean and the centre apart: the evidence for the prior is at least 10 times the evidence for the
    /// centre alone.
    pub fn tells_mean_and_centre_apart(&self) -> bool {
        self.log_evidence_against_the_centre() >= CLEAR_EVIDENCE.ln()
    }

    /// The posterior's root-mean-square error as a fraction of the error of the centre alone, both as the posterior expects them.
    ///
    /// ```text
    /// sqrt( int sd^2 / int (sd^2 + (f - c)^2) )
    /// ```
    pub fn error_relative_to_the_centre(&self) -> f64 {
        let weights = self.grid.unit_weights();
        let mean_square = |of: &Array2<f64>| weights.iter().zip(of).map(|(weight, x)| weight * x * x).sum::<f64>();
        let error = mean_square(&self.sd);
        (error / (error + mean_square(&self.deviation))).sqrt()
    }

    /// The prior.
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// Whether another posterior is of the same noisy numbers.
    pub(crate) fn has_coordinates_of(&self, other: &Self) -> bool {
        self.observed.coordinates == other.observed.coordinates
    }

    /// A standard deviation with the noise of the number of records, to first order.
    fn with_count(&self, sd: f64, deviation: f64) -> f64 {
        sd.hypot(deviation * self.relative_count_sd)
    }
}

/// The pairs of kernels and amplitudes that weigh all but [`LEFT_OUT`].
fn heaviest(observed: &SurfaceObserved, weights: &Weights, ladder: &Ladder) -> Vec<Pair> {
    let weights = &weights.normalised;
    let mut sorted: Vec<f64> = weights.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    let left_out = sorted.iter().take_while(|weight| {
        sum += **weight;
        sum <= LEFT_OUT
    });
    let least = sorted.get(left_out.count()).copied().unwrap_or(0.0);
    let second = observed.axes[1].rungs.len();
    let pairs = weights.rows().into_iter().enumerate().filter_map(|(place, weights)| {
        let amplitudes = ladder.amplitudes().iter().copied().zip(weights.iter().copied());
        let amplitudes: Vec<(f64, f64)> = amplitudes.filter(|(_, weight)| *weight >= least).collect();
        (!amplitudes.is_empty()).then(|| observed.pair([place / second, place % second], amplitudes))
    });
    pairs.collect()
}
