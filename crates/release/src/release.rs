//! A release: noisy lattice coordinates with everything a reader must know to judge and use them.

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, Spectrum, SpectrumError};
use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{
    Calibration, GaussianPrivacy, NeighbouringRelation, NoisySum, PrivacyBudget, PrivacyUnit, Randomness,
    RoundedNormal, steps_to_unit,
};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::document::{ReleaseDocument, ReleaseReadError};
use crate::encode::EncodedCurves;
use crate::function::ReleasedFunction;
use crate::mechanism::{Mechanism, PrivateMean, ReleaseError};
use crate::observation::{Observation, Source};
use crate::whitening::Whitening;

/// A published private mean with its public provenance. Everything in it may be shown to anybody.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "ReleaseDocument", into = "ReleaseDocument")]
pub struct Release {
    provenance: Provenance,
    function: ReleasedFunction,
}

/// What was done, with which public parameters, and the noisy integers that came of it.
#[derive(Debug, Clone)]
pub(crate) struct Provenance {
    pub(crate) software: String,
    pub(crate) budget: PrivacyBudget,
    pub(crate) calibration: Calibration,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) unit: PrivacyUnit,
    /// The public `N`; `None` under add/remove-one.
    pub(crate) public_units: Option<u64>,
    pub(crate) private: bool,
    pub(crate) ball: Ball,
    pub(crate) mechanism: Mechanism,
    pub(crate) amplification: f64,
    pub(crate) grid: Grid,
    pub(crate) noise: RoundedNormal,
    pub(crate) noisy: NoisySum,
    pub(crate) ledger: Option<LedgerReference>,
}

impl Provenance {
    /// `N`, public or estimated from the noisy count.
    pub(crate) fn units(&self) -> f64 {
        let public = self.public_units.map(|units| units as f64);
        public.or_else(|| self.noisy.records()).unwrap_or(1.0)
    }

    /// One lattice step of the whitened sum, in data units.
    pub(crate) fn lattice_step(&self) -> f64 {
        self.ball.radius() / steps_to_unit(self.noisy.coordinates.len())
    }

    /// The noise of the whitened mean, in data units.
    fn whitened_sd(&self) -> f64 {
        self.lattice_step() * self.noise.scale() as f64 / self.units()
    }

    fn whitened_mean(&self) -> Array1<f64> {
        let factor = self.lattice_step() / self.units();
        self.noisy.coordinates.iter().map(|&k| k as f64 * factor).collect()
    }

    fn relative_count_sd(&self) -> f64 {
        match self.neighbours {
            NeighbouringRelation::SubstituteOne => 0.0,
            NeighbouringRelation::AddRemoveOne => NoisySum::records_sd(self.noise.scale() as f64) / self.units(),
        }
    }

    /// Decodes the coordinates into data units.
    fn observation(&self, whitening: &Whitening) -> Result<Observation, ReleaseError> {
        let unit_grid = self.grid.to_unit()?;
        let mean = self.whitened_mean();
        let sd = self.whitened_sd();
        let source = match whitening {
            Whitening::Isonormal { .. } => {
                Source::Isonormal { deviation: mean / unit_grid.weights().mapv(f64::sqrt), sd }
            }
            Whitening::CameronMartin(whitening) => {
                let sd = sd * whitening.amplification;
                let roots = whitening.spectrum.eigenvalues().mapv(f64::sqrt);
                Source::CameronMartin {
                    smoother: whitening.smoother.clone(),
                    coefficients: mean * roots * whitening.amplification,
                    spectrum: Arc::new(whitening.spectrum.clone()),
                    sd,
                }
            }
        };
        Ok(Observation {
            center: self.ball.center_at(&self.grid)?,
            grid: self.grid.clone(),
            unit_grid,
            source,
            relative_count_sd: self.relative_count_sd(),
        })
    }
}

impl Release {
    /// Draws the noise: from here on everything is public. `spectrum` is that of the smoother's kernel, where it is needed.
    pub(crate) fn draw<R: Randomness>(
        settings: &PrivateMean,
        parts: EncodedCurves,
        noise: RoundedNormal,
        spectrum: Option<Arc<Spectrum<Kernel>>>,
        randomness: &mut R,
    ) -> Result<Self, ReleaseError> {
        let EncodedCurves { grid, unit, ball, whitening, sum } = parts;
        let public_units = match settings.neighbours {
            NeighbouringRelation::SubstituteOne => Some(sum.records()),
            NeighbouringRelation::AddRemoveOne => None,
        };
        let noisy = sum.perturb(&noise, settings.neighbours, randomness);
        let provenance = Provenance {
            software: concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned(),
            budget: settings.budget,
            calibration: settings.calibration,
            neighbours: settings.neighbours,
            unit,
            public_units,
            private: randomness.is_private(),
            ball,
            mechanism: whitening.mechanism(),
            amplification: whitening.amplification(),
            grid,
            noise,
            noisy,
            ledger: None,
        };
        let smoother = settings.smoother_after_noise(&provenance.mechanism, noise, provenance.units())?;
        let observation = Arc::new(provenance.observation(&whitening)?);
        let function = match spectrum {
            Some(spectrum) => observation.smooth_in(&smoother, spectrum),
            None => observation.smooth(&smoother)?,
        };
        Ok(Self { provenance, function })
    }

    pub(crate) fn assemble(
        provenance: Provenance,
        whitening: &Whitening,
        smoother: &PenalizedMean,
    ) -> Result<Self, ReleaseError> {
        let observation = Arc::new(provenance.observation(whitening)?);
        let function = observation.smooth(smoother)?;
        Ok(Self { provenance, function })
    }

    pub(crate) fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The released function, through the release's own smoother.
    pub fn function(&self) -> &ReleasedFunction {
        &self.function
    }

    /// The same release with another smoother: post-processing, at no cost.
    ///
    /// # Errors
    /// [`SpectrumError`] if the kernel has no spectrum on the grid.
    pub fn smoothed(&self, smoother: &PenalizedMean) -> Result<Self, SpectrumError> {
        Ok(Self { provenance: self.provenance.clone(), function: self.function.resmooth(smoother)? })
    }

    /// The same release with its place in the ledger that paid for it.
    #[must_use]
    pub fn in_ledger(mut self, reference: LedgerReference) -> Self {
        self.provenance.ledger = Some(reference);
        self
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.provenance.ledger.as_ref()
    }

    /// The guarantee that was asked for.
    pub fn budget(&self) -> PrivacyBudget {
        self.provenance.budget
    }

    /// What was spent, as the `mu` of a Gaussian release; compose several with [`GaussianPrivacy::compose`].
    pub fn privacy(&self) -> GaussianPrivacy {
        self.provenance.noise.privacy(self.provenance.neighbours)
    }

    /// [`Release::privacy`] as a number.
    pub fn mu(&self) -> f64 {
        self.privacy().mu()
    }

    /// How the noise was calibrated.
    pub fn calibration(&self) -> Calibration {
        self.provenance.calibration
    }

    /// Which data sets the release does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.provenance.neighbours
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.provenance.unit
    }

    /// The number of records: exact where it is public, a noisy estimate under add/remove-one.
    pub fn units(&self) -> f64 {
        self.provenance.units()
    }

    /// The standard deviation of the noise in [`Release::units`]; 0 where the number is public.
    pub fn units_sd(&self) -> f64 {
        self.provenance.relative_count_sd() * self.units()
    }

    /// The noise of the mean before any smoothing, in units of the radius.
    pub fn relative_noise(&self) -> f64 {
        self.provenance.whitened_sd() / self.ball().radius()
    }

    /// The public ball that every curve was projected on.
    pub fn ball(&self) -> &Ball {
        &self.provenance.ball
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.provenance.mechanism
    }

    /// The smoother of [`Release::function`].
    pub fn smoother(&self) -> &PenalizedMean {
        self.function.smoother()
    }

    /// The points the curves were seen at.
    pub fn grid(&self) -> &Grid {
        &self.provenance.grid
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.provenance.private
    }

    /// The version of dpfda that made the release.
    pub fn software(&self) -> &str {
        &self.provenance.software
    }

    /// `sigma`: the scale of the noise process, in data units.
    ///
    /// Isonormal: the noise of the mean is `sigma` times white noise. Cameron-Martin: `sigma` times a process with the
    /// kernel as its covariance.
    pub fn noise_scale(&self) -> f64 {
        self.provenance.whitened_sd() * self.provenance.amplification
    }

    /// `Delta = mu sigma`: how far neighbours can move the mean, in the Cameron-Martin norm of the noise process.
    ///
    /// Under add/remove-one it covers the mean and the count together.
    pub fn sensitivity(&self) -> f64 {
        self.noise_scale() * self.mu()
    }

    /// One step of the public lattice, in data units of the whitened sum: the radius over [`steps_to_unit`], just above `radius * 2^-22`.
    pub fn lattice_step(&self) -> f64 {
        self.provenance.lattice_step()
    }

    /// The noisy integers that were drawn: sums over records of whitened coordinates, in lattice steps.
    pub fn coordinates(&self) -> &[i64] {
        &self.provenance.noisy.coordinates
    }

    /// Under add/remove-one the noisy count as it was drawn, in lattice steps.
    pub fn count(&self) -> Option<i64> {
        self.provenance.noisy.count
    }

    /// The noise of each coordinate, in lattice steps.
    pub fn noise(&self) -> RoundedNormal {
        self.provenance.noise
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// This finds damage and contradictions, not forgery: labels that nothing else depends on, such as the unit of privacy
    /// or whether the noise was secret, are taken at their word. Sign a release if its origin must be proved.
    ///
    /// # Errors
    /// [`serde_json::Error`] with the reason: unknown or missing fields, values out of range, numbers that contradict.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    pub(crate) fn whitening_on_reading(
        mechanism: &Mechanism,
        unit_grid: &Grid,
        dimension: usize,
    ) -> Result<Whitening, ReleaseReadError> {
        // A pair at the very edge of the tolerance may fall on its other side on another machine: keep what was kept.
        let whitening = Whitening::with_rank(mechanism, unit_grid, DEFAULT_TOLERANCE / 4.0, dimension)?;
        if whitening.dimension() == dimension {
            Ok(whitening)
        } else {
            Err(ReleaseReadError::Coordinates { expected: whitening.dimension(), found: dimension })
        }
    }
}
