//! What the default estimate is expected to be worth, before there are data.

use dpfda_kernels::Grid;
use dpfda_mechanism::Statistic;
use dpfda_release::{MAX_RECORDS, Mean, NoiseLaw, Rows};
use ndarray::{Array1, Array2, ArrayView1};

use crate::band::process::{Path, critical_value};
use crate::clipping::floor;
use crate::error::{AnalysisError, check_level};
use crate::posterior::CLEAR_EVIDENCE;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::posterior::observed_rows::ObservedRows;
use crate::posterior::rung::{Rung, Section};
use crate::posterior::seen::Reduced;
use crate::posterior::summary::{covariance, linear_map};
use crate::posterior::support::{MOST_POINTS, Support};
use crate::risk::expected_error::{ExpectedError, RiskError};
use crate::sampling::public_shape;

pub(crate) mod expected_error;
#[cfg(test)]
mod tests;

/// The Bayes risk of the default estimate under its own public prior: the error to be expected before there are data.
///
/// ```text
/// error^2 = E sum_j sigma^2 a lambda_j / (a lambda_j + sigma^2) + r^2 / (1 + r^2) E a,    r = sigma_N / N
/// ```
///
/// Where some coordinates alone are released (delta 0), `lambda_j` are the eigenvalues of what they see, each term is multiplied by the
/// energy of the function that it is known by, and the prior variance that they do not see comes on top. The noise counts by its second
/// moments, which is all that a linear estimate depends on.
///
/// The average `E` is over kernels and amplitudes with their prior weights in the [`Ladder`]; `lambda_j` are the eigenvalues of
/// `W^{1/2} K W^{1/2}`, and `sigma_N` is the noise of the number of records, 0 where the number is public. This is the mean
/// squared distance over the domain between the estimate and the mean of these people, on average over noise and over means
/// drawn from the prior, for an estimate that is told kernel and amplitude. The covariance of a Gaussian posterior does not
/// depend on what was observed, so nothing is simulated. The default estimate is not told: measured on real releases of means
/// from the prior, its error was from 0.96 to 1.09 times as large. For single means it differs more: from 0.55 times for a
/// straight line to 1.4 times for a fast wave.
///
/// All of it is for the stated radius. A bought radius can be far smaller, and the error with it.
///
/// For sparse curves, whose law is that of [`PrivateRows::noise_law`](dpfda_release::PrivateRows::noise_law), the averages over the
/// bins are observed ([`BayesRisk::of_rows`]); error and band are those at the points that a release has estimates at, which lie within
/// bins too. The variance of the noise is larger by `1 + (tau / kappa)^2 E a`, for the noise of the weights. The sampling of people and of
/// their times is in the band as in that of a release: `L C L'`, `L` the smoother and `C` the covariance of the sums.
///
/// # Examples
/// ```
/// use dpfda_analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::PrivacyBudget;
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::Ball;
///
/// let law = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?).noise_law()?;
/// let risk = BayesRisk::new(&Grid::uniform(0.0, 1.0, 50)?, &Ladder::default())?;
/// let expected = risk.of(&law, 500, DEFAULT_LEVEL)?;
/// assert!(expected.error < expected.unsmoothed_sd && expected.error < expected.center_error);
///
/// // how many people for half of that error?
/// let records = risk.records_for(&law, expected.error / 2.0)?;
/// assert!(records > 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BayesRisk {
    /// The number of released coordinates where not all are.
    coordinates: Option<usize>,
    /// The number of points, of coordinates or of bins.
    released: usize,
    /// The bins of sparse curves.
    bins: Option<ObservedRows>,
    support: Support,
    /// Their pairs have the weights of the prior.
    rungs: Vec<Rung>,
    sections: Vec<Section>,
    /// For each rung what its coefficients count and what its coordinates do not see.
    energies: Vec<Energy>,
    /// `E a`, in squared radii.
    energy: f64,
}

impl BayesRisk {
    /// Solves the ladder on a grid.
    pub fn new(grid: &Grid, ladder: &Ladder) -> Result<Self, AnalysisError> {
        let nothing = Array1::zeros(grid.len());
        let observation = Observation::isonormal(grid.clone(), nothing.clone(), 1.0, nothing, 1.0, 1.0)?;
        Self::of_observation(&observation, ladder, grid.len())
    }

    /// Solves the ladder on a grid for a release of these coordinates alone, as one with delta 0 is: orthonormal functions in isonormal
    /// coordinates, a column each, as [`Mean::map`] gives them.
    pub fn in_coordinates(grid: &Grid, basis: Array2<f64>, ladder: &Ladder) -> Result<Self, AnalysisError> {
        let (nothing, number) = (Array1::zeros(grid.len()), basis.ncols());
        let observed = (Array1::zeros(number), basis);
        let observation = Observation::through(grid.clone(), nothing, 1.0, observed, 1.0, 1.0)?;
        Ok(Self { coordinates: Some(number), ..Self::of_observation(&observation, ladder, number)? })
    }

    /// Solves the ladder for a release of sparse curves over bins, on the grid of its estimate.
    pub fn of_rows(statistic: &Rows, ladder: &Ladder) -> Result<Self, AnalysisError> {
        let bins = ObservedRows::planned(statistic.clone());
        let observation = bins.observation(&bins.unscaled())?;
        Ok(Self { bins: Some(bins), ..Self::of_observation(&observation, ladder, statistic.bins())? })
    }

    fn of_observation(observation: &Observation, ladder: &Ladder, released: usize) -> Result<Self, AnalysisError> {
        let support = Support::of(&observation.unit_grid, MOST_POINTS);
        let reduced = Reduced::of(observation, &support)?;
        let prior = ladder.log_prior().mapv(f64::exp);
        let total = prior.sum() * ladder.rungs().count() as f64;
        let pairs: Vec<(f64, f64)> = ladder.amplitudes().iter().zip(&prior).map(|(a, p)| (*a, p / total)).collect();
        let solve = |kernel| {
            let mut rung = Rung::solve(kernel, &support, &reduced)?;
            rung.pairs.clone_from(&pairs);
            Ok(rung)
        };
        let rungs = ladder.rungs().map(solve).collect::<Result<Vec<_>, AnalysisError>>()?;
        let sections: Vec<_> = rungs.iter().map(|rung| rung.at_support(&support, &reduced.rows)).collect();
        let energy_of = |(rung, section): (&Rung, &Section)| match observation.map {
            None => Energy { of_each: Array1::ones(rung.eigenvalues().len()), unseen: 0.0 },
            Some(_) => Energy::of(rung, section, &support),
        };
        let energies = rungs.iter().zip(&sections).map(energy_of).collect();
        let energy = rungs.iter().map(Rung::amplitude).sum();
        Ok(Self { coordinates: None, released, bins: None, support, rungs, sections, energies, energy })
    }

    /// The share of the prior variance of the mean that lies outside the released coordinates: 0 where all are released.
    pub fn share_outside(&self) -> f64 {
        let each = self.rungs.iter().zip(&self.energies).map(|(rung, energy)| rung.amplitude() * energy.unseen);
        each.sum::<f64>() / self.energy
    }

    /// What the default estimate of a release with noise of this law will be worth, with a band of this level.
    ///
    /// # Errors
    /// [`RiskError`] for a number of records that no mean is of, a level outside (0.5, 0.9999), the Cameron-Martin mechanism, and another
    /// number of released coordinates.
    pub fn of(&self, law: &NoiseLaw, records: u64, level: f64) -> Result<ExpectedError, RiskError> {
        check_level(level)?;
        let Noise { sigma, relative_count_sd, .. } = self.noise(law, records)?;
        let radius = law.radius();
        let estimate = self.over_prior(|energy, theta, a| energy.sum(theta, |t| (sigma * gain(t, a, sigma)).powi(2)));
        Ok(ExpectedError {
            records,
            radius,
            sigma: sigma * radius,
            unsmoothed_sd: sigma * (self.released as f64).sqrt() * radius,
            estimate_sd: estimate.sqrt() * radius,
            error: self.squared_error(sigma, relative_count_sd).sqrt() * radius,
            center_error: self.energy.sqrt() * radius,
            half_width: self.half_width(law, records, level)? * radius,
            level,
            resolvable: self.resolvable(sigma).map(|distance| distance * radius),
            relative_count_sd,
            least_records: law.least_records_for_radius(),
            keeps_radius_of_few: law.keeps_radius_of_few(),
        })
    }

    /// The expected error alone, in the units of the data.
    pub fn error(&self, law: &NoiseLaw, records: u64) -> Result<f64, RiskError> {
        let Noise { sigma, relative_count_sd, .. } = self.noise(law, records)?;
        Ok(self.squared_error(sigma, relative_count_sd).sqrt() * law.radius())
    }

    /// The least number of records with an expected error of at most this, from which a release is not refused.
    ///
    /// # Errors
    /// [`RiskError::Error`] for an error that is not positive and finite, [`RiskError::Unreachable`] for one that `2^40` records
    /// do not reach, and as [`BayesRisk::of`].
    pub fn records_for(&self, law: &NoiseLaw, error: f64) -> Result<u64, RiskError> {
        if !(error > 0.0 && error.is_finite()) {
            return Err(RiskError::Error { value: error });
        }
        let best = self.error(law, MAX_RECORDS)?;
        if best > error {
            return Err(RiskError::Unreachable { value: error, most: MAX_RECORDS, best });
        }
        let first = <Mean>::LEAST_RECORDS;
        let least = law.least_records_for_radius().unwrap_or(0).clamp(first, MAX_RECORDS);
        // the error falls with the number of records, on both sides of the number from which on a radius is bought
        let keeps_radius = law.keeps_radius_of_few() && least > first && self.error(law, least - 1)? <= error;
        let (mut low, mut high) = if keeps_radius { (first, least - 1) } else { (least, MAX_RECORDS) };
        while low < high {
            let middle = low + (high - low) / 2;
            if self.error(law, middle)? <= error {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }

    /// Where the weights of sparse curves are noisy, the mean is as far from the centre as the prior expects.
    fn noise(&self, law: &NoiseLaw, records: u64) -> Result<Noise, RiskError> {
        let (least, most) = (<Mean>::LEAST_RECORDS, MAX_RECORDS);
        if !(least..=most).contains(&records) {
            return Err(RiskError::Records { least, most, found: records });
        }
        if !law.is_isonormal() {
            return Err(RiskError::NotIsonormal);
        }
        let (expected, found) = (self.coordinates, law.coordinates());
        if expected != found {
            return Err(RiskError::Coordinates { expected, found });
        }
        let count = records as f64;
        Ok(Noise {
            sigma: law.whitened_sd(count) / law.radius() * law.weights_factor(self.energy).sqrt(),
            relative_count_sd: law.relative_count_sd(count),
            design_sd: law.design_sd(count),
        })
    }

    /// The average of a number for each kernel and amplitude.
    fn over_prior(&self, of: impl Fn(&Energy, ArrayView1<'_, f64>, f64) -> f64) -> f64 {
        let rungs = self.rungs.iter().zip(&self.energies);
        let each =
            rungs.flat_map(|(rung, energy)| rung.pairs.iter().map(move |pair| (energy, rung.eigenvalues(), pair)));
        each.map(|(energy, theta, &(amplitude, weight))| weight * of(energy, theta, amplitude)).sum()
    }

    /// In squared radii.
    fn squared_error(&self, sigma: f64, relative_count_sd: f64) -> f64 {
        let noise = sigma * sigma;
        let posterior =
            self.over_prior(|energy, theta, a| energy.sum(theta, |t| noise * gain(t, a, sigma)) + a * energy.unseen);
        (posterior + count_part(relative_count_sd) * self.energy).min(self.energy)
    }

    /// In radii: the band of the posterior covariance to be expected, with everything else at its largest.
    fn half_width(&self, law: &NoiseLaw, records: u64, level: f64) -> Result<f64, RiskError> {
        let Noise { sigma, relative_count_sd, design_sd } = self.noise(law, records)?;
        let points = &self.support.points;
        let rungs: Vec<Rung> = self.rungs.iter().map(|rung| rung.with_noise(sigma)).collect();
        let parts: Vec<_> = rungs.iter().zip(&self.sections).collect();
        let mut covariance = covariance(&parts, |rung, section| rung.open_between(points, section));
        let people = 1.0 / records as f64;
        let of_points = match &self.bins {
            None => people,
            Some(bins) => {
                let map = linear_map(&parts);
                let of_bin = people + design_sd.powi(2) * bins.bins() as f64;
                covariance += &map.dot(&bins.people(people, of_bin)?).dot(&map.t());
                0.0
            }
        };
        let clipping = floor(law.share_outside(records as f64));
        let count = count_part(relative_count_sd) * self.energy;
        let shape = public_shape(self.support.unit_grid(), points)?;
        covariance.scaled_add(of_points + clipping.powi(2) + count, &shape);
        let (critical, sd) = critical_value(&covariance, Path::of(self.support.unit_grid()), level);
        let square = sd.iter().zip(&self.support.weights).map(|(sd, weight)| weight * sd * sd).sum::<f64>();
        Ok(critical * square.sqrt())
    }

    /// The least distance `d = sqrt(a)` in radii, at most 1, from which on a release can tell mean and centre apart.
    ///
    /// ```text
    /// E 1/2 sum_j [ a theta_j / sigma^2 - log(1 + a theta_j / sigma^2) ] >= log 10
    /// ```
    ///
    /// On the left is the log evidence against the centre to be expected of a mean of this amplitude: the Kullback-Leibler
    /// divergence of `N(0, a theta_j + sigma^2)` from `N(0, sigma^2)`, on average over the kernels.
    fn resolvable(&self, sigma: f64) -> Option<f64> {
        let evidence = |amplitude: f64| {
            let term = |theta: f64| {
                let signal = amplitude * theta / (sigma * sigma);
                0.5 * (signal - signal.ln_1p())
            };
            self.rungs.iter().map(|rung| rung.weight() * rung.eigenvalues().mapv(term).sum()).sum::<f64>()
        };
        let enough = CLEAR_EVIDENCE.ln();
        if evidence(1.0) < enough {
            return None;
        }
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        // 200 halvings leave nothing between the ends
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if evidence(middle) < enough { low = middle } else { high = middle }
        }
        Some(high.sqrt())
    }
}

/// `r^2 / (1 + r^2)`: what the noise of the number of records leaves open, for an estimate that shrinks as it should.
fn count_part(relative_count_sd: f64) -> f64 {
    let squared = relative_count_sd * relative_count_sd;
    squared / (1.0 + squared)
}

/// `a theta / (a theta + sigma^2)`: what the estimate keeps of a coordinate.
fn gain(theta: f64, amplitude: f64, sigma: f64) -> f64 {
    amplitude * theta / (amplitude * theta + sigma * sigma)
}

/// How a rung counts in squared distances over the domain.
#[derive(Debug, Clone)]
struct Energy {
    /// The energy of `c_j / theta_j`, the function that coefficient `j` is known by: 1 where all coordinates are released.
    of_each: Array1<f64>,
    /// The prior variance that the coordinates do not see, for an amplitude of 1.
    unseen: f64,
}

impl Energy {
    fn of(rung: &Rung, section: &Section, support: &Support) -> Self {
        let of_each = section.cross.mapv(|c| c * c).t().dot(&support.weights) / rung.eigenvalues().mapv(|t| t * t);
        Self { of_each, unseen: section.open.dot(&support.weights) }
    }

    fn sum(&self, theta: ArrayView1<'_, f64>, of: impl Fn(f64) -> f64) -> f64 {
        self.of_each.iter().zip(theta).map(|(energy, theta)| energy * of(*theta)).sum()
    }
}

/// The noise of a release of so many records, in radii.
struct Noise {
    sigma: f64,
    relative_count_sd: f64,
    design_sd: f64,
}
