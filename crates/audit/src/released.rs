//! Attacks on the claim of a release that was published, with the noise that it states.

use dpfda_density::{CellDraws, DrawsMechanism, HistogramNoise, HistogramRelease, SeriesRelease};
use dpfda_privacy::NeighbouringRelation;
use dpfda_release::{Mechanism, Release};
use dpfda_smoothing::{Ball, Center};

use crate::attack::{Attack, AuditReport, Plan};
use crate::curves::{self, CurveSettings};
use crate::error::AuditError;
use crate::law::Noise;
use crate::mechanism::{AuditedMechanism, Setting};
use crate::points;

/// The mechanism of a release: its claim, and the noise that the release states.
///
/// Nothing of the released numbers is used, and no private data: the audit draws releases of its own, of synthetic neighbours,
/// on two points or cells, with the noise scale, the radius, the smoother and the relation of the file.
#[derive(Debug, Clone)]
pub struct ReleaseAttack {
    claimed: Attack,
    drawn: Attack,
}

impl ReleaseAttack {
    /// Of a released mean.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_mean(release: &Release) -> Result<Self, AuditError> {
        let standard = CurveSettings::standard()?;
        // a centre curve lies on another grid; moving all curves alike changes no distance
        let center = match release.ball().center() {
            Center::Constant(value) => *value,
            Center::Curve(_) => 0.0,
        };
        let ball = Ball::new(Center::Constant(center), release.ball().radius())?;
        let (mechanism, smoother) = match release.mechanism() {
            Mechanism::Isonormal => (AuditedMechanism::Isonormal, standard.smoother),
            Mechanism::CameronMartin(smoother) => (AuditedMechanism::CameronMartin, smoother.clone()),
        };
        let settings = CurveSettings { ball, smoother };
        let isonormal = mechanism == AuditedMechanism::Isonormal;
        let claimed = curves::mean(mechanism.name(), isonormal, &settings, release.budget(), release.neighbours())?;
        Ok(Self::new(claimed, Noise::Normal(release.noise())))
    }

    /// Of a released histogram.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_histogram(release: &HistogramRelease) -> Result<Self, AuditError> {
        let name = AuditedMechanism::Perturbed.name();
        let claimed = points::perturbed(name, release.budget(), release.neighbours())?;
        Ok(Self::new(
            claimed,
            match release.noise() {
                HistogramNoise::DiscreteLaplace(noise) => Noise::Laplace(noise),
                HistogramNoise::RoundedNormal(noise) => Noise::Normal(noise),
            },
        ))
    }

    /// Of a released series, with as many terms, on one axis.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`]; for several axes the noise of the file belongs to another basis.
    pub fn of_series(release: &SeriesRelease) -> Result<Self, AuditError> {
        let mechanism = release.mechanism();
        let name = AuditedMechanism::Series.name();
        let terms = release.basis().terms();
        let (budget, neighbours) = (*mechanism.budget(), mechanism.neighbours());
        let claimed = points::series(name, budget, neighbours, terms)?;
        if release.bounds().dimension() > 1 {
            return Ok(Self { drawn: claimed.clone(), claimed });
        }
        let document = serde_json::to_value(release).unwrap_or_default();
        Ok(Self::new(claimed, points::stated_noise(&document)?))
    }

    /// Of cells that were drawn: such a mechanism has no noise scale, and is audited at the file's epsilon on few records.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_draws(draws: &CellDraws) -> Result<Self, AuditError> {
        let mechanism = match draws.mechanism() {
            DrawsMechanism::SmoothedHistogram { .. } => AuditedMechanism::Smoothed,
            DrawsMechanism::KsExponential {} => AuditedMechanism::Exponential,
        };
        let claimed = Setting { mechanism, budget: draws.budget(), neighbours: draws.neighbours() }.attack()?;
        Ok(Self { drawn: claimed.clone(), claimed })
    }

    fn new(claimed: Attack, noise: Noise) -> Self {
        Self { drawn: Attack { noise: Some(noise), ..claimed.clone() }, claimed }
    }

    /// Attacks the claim.
    ///
    /// # Errors
    /// [`AuditError`], as [`Attack::run`].
    pub fn run(&self, plan: &Plan) -> Result<AuditReport, AuditError> {
        self.claimed.run_on(&self.drawn, plan)
    }

    /// The relation of the release.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.claimed.neighbours
    }
}
