//! The sums of the rows as an observation of the mean.

use dpfda_mechanism::Release;
use dpfda_release::{Bought, GroupSize, NoisySums, Rows};
use ndarray::{Array1, Array2, Axis, Zip};

use crate::clipping::{Unseen, allowance};
use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::observed::Observation;
use crate::posterior::second_opinion;
use crate::posterior::summary::linear_map;
use crate::sampling::{SamplingCovariance, public_shape};

/// The posterior is solved for at most so many bins; more are added up by neighbours.
const MOST_BINS: usize = 128;

/// The sums of the rows, by bin or by neighbouring bins together.
///
/// ```text
/// y_b = S_b / sqrt(c) = sum_(bins of b) H P f / sqrt(c) + e_b,    c the number of bins together
/// var e_b = s^2 (1 + f_b^2 / kappa^2),     kappa = tau / 2,    s the noise of a value
/// ```
///
/// The second part of the variance is that of the noise of the weights. `f_b^2` is first the mean square over all bins, and then what a
/// first posterior says of each bin.
#[derive(Debug, Clone)]
pub(crate) struct ObservedRows {
    statistic: Rows,
    values: Array1<f64>,
    values_sd: f64,
    /// The squared ratio of the noise of a weight to that of a value: `1 / kappa^2`.
    of_weights: f64,
    /// A column for each bin: what it weighs the values at the grid's points with. The weights are at least 0.
    averages: Array2<f64>,
    /// The sum of the weights of each bin, and the place of its middle in the unit interval.
    weights: Array1<f64>,
    middles: Array1<f64>,
    least_records: f64,
    most_records: f64,
}

impl ObservedRows {
    pub(crate) fn of(release: &Release<Rows>) -> Self {
        let (statistic, sums) = (release.statistic().clone(), Rows::sums(release));
        let weights: f64 = sums.weights.iter().map(|weight| weight.max(0.0)).sum();
        let most = release.public_records().map_or_else(|| weights.max(1.0), |records| records as f64);
        Self::of_sums(statistic, sums, Self::least_records(release), most)
    }

    fn of_sums(statistic: Rows, sums: NoisySums, least_records: f64, most_records: f64) -> Self {
        let NoisySums { values, values_sd, weights, weights_sd } = sums;
        let positive = weights.mapv(|weight| weight.max(0.0));
        let bins = statistic.bins();
        let together = bins.div_ceil(MOST_BINS);
        let groups = bins.div_ceil(together);
        let group = |bin: usize| bin / together;
        let mut observed = Self {
            values: Array1::zeros(groups),
            values_sd,
            of_weights: (weights_sd / values_sd).powi(2),
            averages: Array2::zeros((statistic.grid().len(), groups)),
            weights: Array1::zeros(groups),
            middles: Array1::zeros(groups),
            least_records,
            most_records,
            statistic,
        };
        let size = |of: usize| ((bins - of * together).min(together) as f64).sqrt();
        for bin in 0..bins {
            let (of, places) = (group(bin), observed.statistic.points_of_bin(bin));
            let (weight, share) = (positive[bin] / size(of), size(of).powi(2));
            observed.values[of] += values[bin] / size(of);
            observed.weights[of] += weight;
            let (from, to) = observed.statistic.ends_of_bin(bin);
            let grid = observed.statistic.grid();
            observed.middles[of] += grid.to_unit_point(f64::midpoint(from, to)) / share;
            let steps = places.len() - 1;
            for (step, place) in places.into_iter().enumerate() {
                // the trapezoid rule
                let part = if step == 0 || step == steps { 0.5 } else { 1.0 };
                observed.averages[[place, of]] += weight * part / steps as f64;
            }
        }
        observed
    }

    /// A number of records that there surely are, up to the noise: the public one, or what the weights take at least. A record has at most
    /// the root of the number of bins as weights.
    pub(crate) fn least_records(release: &Release<Rows>) -> f64 {
        let noisy = || {
            let weights = Rows::sums(release).weights.mapv(|weight| weight.max(0.0)).sum();
            (weights / (release.statistic().bins() as f64).sqrt()).max(1.0)
        };
        release.public_records().map_or_else(noisy, |records| records as f64)
    }

    pub(crate) fn observation(&self, scales: &Array1<f64>) -> Result<Observation, AnalysisError> {
        let ball = self.statistic.ball();
        let roots = self.statistic.grid().to_unit()?.weights().mapv(f64::sqrt).insert_axis(Axis(1));
        let map = &self.averages / &roots * scales.view().insert_axis(Axis(0));
        let (grid, center) = (self.statistic.grid().clone(), self.statistic.center().clone());
        let coordinates = &self.values * scales;
        let (radius, sd) = (ball.radius(), self.values_sd);
        let observation = Observation::through(grid, center, radius, (coordinates, map), sd, self.least_records)?;
        let (bought, size) = (self.statistic.bought(), GroupSize::only(self.least_records));
        let clipping = allowance(bought, radius, 0, size, 1.0).max(bought_excess(bought, size));
        let unseen = Unseen::of(bought, radius, self.least_records);
        Ok(Observation { clipping, unseen, ..observation })
    }

    /// What each value is multiplied with, so that all have the noise of a value alone: for the mean that an earlier posterior found, or for
    /// one that is as far from the centre everywhere as the sums are together.
    pub(crate) fn scales(&self, earlier: Option<&Posterior>) -> Array1<f64> {
        let squares = match earlier {
            None => {
                let pooled = self.values.mapv(|s| s * s).sum() / self.weights.mapv(|h| h * h).sum();
                let most = self.statistic.ball().radius().powi(2);
                // nothing was weighed: as far as can be
                let pooled = if pooled.is_finite() { pooled.min(most) } else { most };
                Array1::from_elem(self.values.len(), pooled)
            }
            Some(posterior) => {
                let deviation = &posterior.values() - self.statistic.center();
                let squares = &deviation * &deviation + posterior.sd().mapv(|sd| sd * sd);
                let of_bins = self.averages.t().dot(&squares);
                // where nothing was weighed there is nothing that a weight could change
                Zip::from(&of_bins)
                    .and(&self.averages.sum_axis(Axis(0)))
                    .map_collect(|sum, weight| if *weight > 0.0 { sum / weight } else { 0.0 })
            }
        };
        squares.mapv(|square| 1.0 / (1.0 + square * self.of_weights).sqrt())
    }

    /// How much the estimate would differ for other people from the same population, of the largest variance that the ball allows:
    ///
    /// ```text
    /// C_bc = G_bc tau^2 k(b, c),   G_bb = H_b max(N / sum H, H_b / N),   G_bc = H_b H_c / N,    passed through the posterior mean
    /// ```
    ///
    /// `G` stands for `sum_i q_ib q_ic`. Where `N` is private, it is taken as small as it can be in `H_b H_c / N`, and as large in `N / sum H`.
    pub(crate) fn sampling(
        &self,
        posterior: &Posterior,
        scales: &Array1<f64>,
    ) -> Result<SamplingCovariance, AnalysisError> {
        let squared_radius = self.statistic.ball().radius().powi(2);
        let people = self.people(1.0 / self.least_records, self.most_records)? * squared_radius;
        let map = linear_map(&posterior.parts(&posterior.sections)) * scales.view().insert_axis(Axis(0));
        Ok(SamplingCovariance::OfMean(map.dot(&people).dot(&map.t())))
    }

    /// `C` in squared radii, with `of_pair` for `1 / N` and `of_bin` for `N` in `N / sum H`.
    pub(crate) fn people(&self, of_pair: f64, of_bin: f64) -> Result<Array2<f64>, AnalysisError> {
        let total = self.weights.sum();
        // of one subject, the squares of its weights sum to 1
        let shares = self.weights.mapv(|weight| if total > 0.0 { weight / total * of_bin } else { 0.0 });
        let column = self.weights.view().insert_axis(Axis(1));
        let mut together = column.dot(&column.t()) * of_pair;
        for (entry, share) in together.diag_mut().iter_mut().zip(&shares) {
            *entry = entry.max(*share);
        }
        Ok(together * public_shape(&self.statistic.grid().to_unit()?, &self.middles)?)
    }

    /// What the band adds to the variances where the radius was bought: what a second opinion says beyond the posterior, and three more times
    /// the squared allowance.
    pub(crate) fn beyond(
        &self,
        posterior: &Posterior,
        scales: &Array1<f64>,
        release: &Release<Rows>,
    ) -> Result<Option<Array1<f64>>, AnalysisError> {
        let Some(mu) = self.statistic.bought().and_then(Bought::mu) else { return Ok(None) };
        let weights = Rows::sums(release).weights.mapv(|weight| weight.max(0.0)).sum();
        let information = mu * weights / (self.statistic.bins() as f64).sqrt();
        let averages = &self.averages * &scales.view().insert_axis(Axis(0));
        let variance = second_opinion::variance(posterior, &averages, information)?;
        let pull = 3.0 * posterior.observation.clipping.powi(2);
        Ok(Some(variance - posterior.covariance().diag() + pull))
    }
}

/// The whole excess: pulls on rows were not measured to cancel.
fn bought_excess(bought: Option<&Bought>, size: GroupSize) -> f64 {
    bought.and_then(|bought| bought.excess(0, size)).unwrap_or(0.0)
}
