//! The mechanisms that are audited, as a table.

use std::fmt;
use std::str::FromStr;

use dpfda_privacy::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Law, MixedGaussianPrivacy, PrivacyBudget};
use dpfda_release::{BallShares, MomentsChoice};
use thiserror::Error;

use crate::attack::Attack;
use crate::claim::Claim;
use crate::curves::{self, CurveSettings};
use crate::error::AuditError;
use crate::groups;
use crate::occupancy;
use crate::points;
use crate::regression;

/// A mechanism by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditedMechanism {
    /// `PrivateMean::isonormal` without second moments.
    Isonormal,
    /// `PrivateMean::isonormal` with second moments and the emphasis on the mean.
    IsonormalMoments,
    /// `PrivateMean::isonormal` with the emphasis on second moments.
    IsonormalCovariance,
    /// `PrivateMean::isonormal` in a ball whose radius is bought, with all its noisy counts.
    IsonormalBoughtRadius,
    /// `PrivateMean::isonormal` in a ball whose centre and radius are bought, with all their noisy integers.
    IsonormalBoughtCenter,
    /// `PrivateMean::isonormal` with delta 0: K-norm noise on public coordinates.
    IsonormalPure,
    /// `PrivateGroups` with public labels.
    GroupsPublic,
    /// `PrivateGroups` with private labels, a record in one group.
    GroupsPrivate,
    /// `PrivateGroups` with private labels, a record in two groups.
    GroupsOfTwo,
    /// `PrivateRegression` with private covariates.
    Regression,
    /// `PrivateRegression` with a public design.
    RegressionPublic,
    /// `PrivateOccupancy`.
    Occupancy,
    /// `PrivateOccupancy` in a ball whose radius is bought, with all its noisy counts.
    OccupancyBoughtRadius,
    /// `PrivateSurface`.
    Surface,
    /// `PrivateMean::cameron_martin`.
    CameronMartin,
    /// `PrivateFunctionals` with discrete Laplace noise.
    Functionals,
    /// `PrivateFunctionals` with K-norm noise.
    FunctionalsKNorm,
    /// `PrivateFunctionals` with t noise.
    FunctionalsStudentT,
    /// `PrivatePath`.
    Path,
    /// `PrivatePath` with a random scale.
    EllipticalPath,
    /// `PerturbedHistogram`.
    Perturbed,
    /// `SmoothedHistogram`.
    Smoothed,
    /// `KsExponential`.
    Exponential,
    /// `SeriesMechanism`.
    Series,
    /// `SeriesMechanism::exponential`.
    SeriesKNorm,
    /// `SeriesExponential`.
    SeriesExponential,
}

use AuditedMechanism as M;

/// The share that buys a part of the ball: so large that a fault of the step that buys it shows.
const BOUGHT_SHARE: f64 = 0.3;

/// Each mechanism with its name.
const NAMES: [(AuditedMechanism, &str); 26] = [
    (M::Isonormal, "isonormal"),
    (M::IsonormalMoments, "isonormal-moments"),
    (M::IsonormalCovariance, "isonormal-covariance"),
    (M::IsonormalBoughtRadius, "isonormal-bought-radius"),
    (M::IsonormalBoughtCenter, "isonormal-bought-center"),
    (M::IsonormalPure, "isonormal-pure"),
    (M::GroupsPublic, "groups-public"),
    (M::GroupsPrivate, "groups-private"),
    (M::GroupsOfTwo, "groups-of-two"),
    (M::Regression, "regression"),
    (M::RegressionPublic, "regression-public"),
    (M::Occupancy, "occupancy"),
    (M::OccupancyBoughtRadius, "occupancy-bought-radius"),
    (M::Surface, "surface"),
    (M::CameronMartin, "cameron-martin"),
    (M::Functionals, "functionals"),
    (M::FunctionalsKNorm, "functionals-k-norm"),
    (M::FunctionalsStudentT, "functionals-student-t"),
    (M::Path, "path"),
    (M::EllipticalPath, "path-elliptical"),
    (M::Perturbed, "perturbed"),
    (M::Smoothed, "smoothed"),
    (M::Exponential, "exponential"),
    (M::Series, "series"),
    (M::SeriesKNorm, "series-k-norm"),
    (M::SeriesExponential, "series-exponential"),
];

/// A name that no audited mechanism has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "unknown mechanism; known are isonormal, isonormal-moments, isonormal-covariance, isonormal-bought-radius, isonormal-bought-center, isonormal-pure, groups-public, groups-private, groups-of-two, regression, regression-public, occupancy, occupancy-bought-radius, surface, cameron-martin, functionals, functionals-k-norm, functionals-student-t, path, path-elliptical, perturbed, smoothed, exponential, series, series-k-norm and series-exponential"
)]
pub struct UnknownMechanism;

impl AuditedMechanism {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(mechanism, _)| mechanism)
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        NAMES.into_iter().find(|(mechanism, _)| *mechanism == self).map_or("", |(_, name)| name)
    }

    /// Whether its claim has `delta = 0`; `None` where both are possible.
    pub fn is_pure(self) -> Option<bool> {
        match self {
            M::Isonormal
            | M::IsonormalMoments
            | M::IsonormalCovariance
            | M::IsonormalBoughtRadius
            | M::IsonormalBoughtCenter
            | M::GroupsPublic
            | M::GroupsPrivate
            | M::GroupsOfTwo
            | M::Regression
            | M::RegressionPublic
            | M::Occupancy
            | M::OccupancyBoughtRadius
            | M::Surface
            | M::CameronMartin
            | M::Path
            | M::EllipticalPath => Some(false),
            M::Perturbed | M::Series => None,
            _ => Some(true),
        }
    }

    /// Whether the number of records, or of each group, must be public.
    fn is_for_substitute_alone(self) -> bool {
        matches!(self, M::Smoothed | M::SeriesExponential | M::GroupsPublic | M::RegressionPublic)
    }

    fn attack(self, budget: PrivacyBudget, neighbours: NeighbouringRelation) -> Result<Attack, AuditError> {
        let name = self.name();
        let settings = CurveSettings::standard()?;
        match self {
            M::Isonormal | M::IsonormalMoments | M::IsonormalCovariance | M::IsonormalPure | M::CameronMartin => {
                curves::mean(self, &settings, budget, neighbours)
            }
            M::IsonormalBoughtRadius | M::IsonormalBoughtCenter => {
                let center = (self == M::IsonormalBoughtCenter).then_some(BOUGHT_SHARE);
                let shares = BallShares::new(center, Some(BOUGHT_SHARE))?;
                curves::bought(self, &settings, (shares, MomentsChoice::Auto), budget, neighbours)
            }
            M::GroupsPublic | M::GroupsPrivate | M::GroupsOfTwo => groups::groups(self, &settings, budget, neighbours),
            M::Regression | M::RegressionPublic => regression::regression(self, &settings, budget, neighbours),
            M::Occupancy => occupancy::occupancy(name, budget, neighbours),
            M::OccupancyBoughtRadius => {
                occupancy::bought(name, BallShares::new(None, Some(BOUGHT_SHARE))?, budget, neighbours)
            }
            M::Surface => curves::surface(name, &settings, budget, neighbours),
            M::Functionals => curves::functionals(name, &Law::DiscreteLaplace {}, &settings, budget, neighbours),
            M::FunctionalsKNorm => curves::functionals(name, &Law::KNorm {}, &settings, budget, neighbours),
            M::FunctionalsStudentT => curves::functionals(name, &curves::student_t(), &settings, budget, neighbours),
            M::Path => curves::path(name, None, &settings, budget, neighbours),
            M::EllipticalPath => curves::path(name, Some(curves::mixture()?), &settings, budget, neighbours),
            M::Perturbed => points::perturbed(name, budget, neighbours),
            M::Smoothed => points::smoothed(name, budget),
            M::Exponential => points::exponential(name, budget, neighbours),
            M::Series => points::series((name, false), budget, neighbours, points::TERMS),
            M::SeriesKNorm => points::series((name, true), budget, neighbours, points::TERMS),
            M::SeriesExponential => points::series_exponential(name, budget),
        }
    }
}

impl fmt::Display for AuditedMechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AuditedMechanism {
    type Err = UnknownMechanism;

    fn from_str(name: &str) -> Result<Self, UnknownMechanism> {
        NAMES.into_iter().find(|(_, known)| *known == name).map(|(mechanism, _)| mechanism).ok_or(UnknownMechanism)
    }
}

/// What is audited: a mechanism with a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The mechanism.
    pub mechanism: AuditedMechanism,
    /// What it claims.
    pub budget: PrivacyBudget,
    /// Between which data sets.
    pub neighbours: NeighbouringRelation,
}

impl Setting {
    /// The pairs and the claim.
    ///
    /// # Errors
    /// [`AuditError`] for a budget or a relation that the mechanism refuses, and where its releases already contradict it.
    pub fn attack(&self) -> Result<Attack, AuditError> {
        let mechanism = self.mechanism.name();
        let refused = |reason| Err(AuditError::NotMadeFor { mechanism, reason });
        match (self.mechanism.is_pure(), self.budget.delta() > 0.0) {
            (Some(true), true) => return refused("it is purely private: its delta is 0"),
            (Some(false), false) => return refused("normal noise needs a delta above 0"),
            _ => {}
        }
        let substitute_only = self.mechanism.is_for_substitute_alone();
        if substitute_only && self.neighbours == AddRemoveOne {
            return refused("it protects a public number of records, under substitute alone");
        }
        self.mechanism.attack(self.budget, self.neighbours)
    }

    /// The same mechanism with this part of its noise, as if by a mistake: what an audit of [`Setting::attack`] must refuse.
    ///
    /// Mechanisms without noise spend `epsilon / part`.
    ///
    /// # Errors
    /// As [`Setting::attack`].
    pub fn with_less_noise(&self, part: f64) -> Result<Attack, AuditError> {
        if matches!(self.mechanism, M::IsonormalBoughtRadius | M::IsonormalBoughtCenter | M::OccupancyBoughtRadius) {
            // the rules that read a ball off noisy answers stay those of the claim
            let budget = points::with_less_noise(self.budget, part)?;
            let noise = Self { budget, ..*self }.attack()?.noise;
            return Ok(Attack { noise, ..self.attack()? });
        }
        let budget = match self.mechanism {
            M::EllipticalPath => {
                let law = curves::mixture()?;
                let honest = MixedGaussianPrivacy::calibrated(law.clone(), &self.budget)?;
                let weaker = MixedGaussianPrivacy::new(law, honest.distance() / part)?;
                PrivacyBudget::new(self.budget.epsilon(), weaker.delta(self.budget.epsilon()))?
            }
            _ => points::with_less_noise(self.budget, part)?,
        };
        Self { budget, ..*self }.attack()
    }
}

/// Every mechanism under every relation and law that it has, with a budget at which a tenth less noise can be seen.
///
/// # Errors
/// None: the budgets are valid.
pub fn suite() -> Result<Vec<Setting>, AuditError> {
    let gaussian = PrivacyBudget::new(1.0, 1e-5)?;
    let pure = PrivacyBudget::new(1.0, 0.0)?;
    let larger = PrivacyBudget::new(3.0, 0.0)?;
    let larger_gaussian = PrivacyBudget::new(3.0, 1e-5)?;
    let mut settings = Vec::new();
    for mechanism in M::all() {
        let relations: &[NeighbouringRelation] = match mechanism {
            mechanism if mechanism.is_for_substitute_alone() => &[SubstituteOne],
            _ => &[SubstituteOne, AddRemoveOne],
        };
        let budgets: &[PrivacyBudget] = match mechanism.is_pure() {
            // at epsilon 1 a random scale leaves so little loss to most draws that a million do not show it
            Some(false) if mechanism == M::EllipticalPath => &[larger_gaussian],
            Some(false) => &[gaussian],
            None => &[pure, gaussian],
            // events whose loss comes near epsilon are rare at a small one for these
            Some(true) => match mechanism {
                M::IsonormalPure
                | M::FunctionalsKNorm
                | M::FunctionalsStudentT
                | M::Exponential
                | M::SeriesKNorm
                | M::SeriesExponential => &[larger],
                _ => &[pure],
            },
        };
        for neighbours in relations.iter().copied() {
            settings.extend(budgets.iter().map(|budget| Setting { mechanism, budget: *budget, neighbours }));
        }
    }
    Ok(settings)
}

impl Attack {
    /// Whether the claim has `delta = 0`.
    pub fn is_pure(&self) -> bool {
        matches!(self.claim, Claim::Pure { .. })
    }
}
