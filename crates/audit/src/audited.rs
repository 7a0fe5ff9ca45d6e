//! The mechanisms that are audited, as a table.

use std::fmt;
use std::str::FromStr;

use dpfda_privacy::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Law, PrivacyBudget};
use dpfda_release::{MomentsChoice, Total};
use thiserror::Error;

use crate::attack::Attack;
use crate::claim::Claim;
use crate::error::AuditError;
use crate::kinds::bought::shares;
use crate::kinds::{centiles, change, curves, groups, points, regression, rows};
use crate::target::Target;

/// What the claims of a mechanism are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// With `delta = 0`.
    Pure,
    /// With normal noise, and a delta above 0.
    Gaussian,
    /// Either.
    Any,
    /// With normal noise of a random scale.
    Mixed,
}

use Kind::{Any, Gaussian, Mixed, Pure};

/// The relations of a mechanism for which the number of records, or of each group, must be public.
const SUBSTITUTE: &[NeighbouringRelation] = &[SubstituteOne];
/// Those for which it must be private.
const ADD_REMOVE: &[NeighbouringRelation] = &[AddRemoveOne];
const BOTH: &[NeighbouringRelation] = &[SubstituteOne, AddRemoveOne];

/// What the table says of a mechanism.
struct Row {
    name: &'static str,
    kind: Kind,
    /// At which the suite sees a tenth less noise.
    epsilon: f64,
    relations: &'static [NeighbouringRelation],
    build: fn(&Target) -> Result<Attack, AuditError>,
}

/// The type of all audited mechanisms, from their rows.
macro_rules! mechanisms {
    ($($(#[$doc:meta])* $mechanism:ident: $name:literal, $kind:ident, $epsilon:literal, $relations:ident, $build:expr;)*) => {
        /// A mechanism by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AuditedMechanism { $($(#[$doc])* $mechanism,)* }

        /// All of them, in the order of the table.
        const ALL: &[AuditedMechanism] = &[$(AuditedMechanism::$mechanism,)*];

        impl AuditedMechanism {
            fn row(self) -> Row {
                match self {
                    $(Self::$mechanism => Row {
                        name: $name, kind: $kind, epsilon: $epsilon, relations: $relations, build: $build,
                    },)*
                }
            }
        }
    };
}

// at epsilon 1 a random scale leaves so little loss to most draws that a million do not show it, and events whose loss comes near
// a small epsilon are rare for some: these are audited at 3, or 2.5
mechanisms! {
    /// `PrivateMean::isonormal` without second moments.
    Isonormal: "isonormal", Gaussian, 1.0, BOTH, |target| curves::isonormal(target, MomentsChoice::None);
    /// `PrivateMean::isonormal` with second moments and the emphasis on the mean.
    IsonormalMoments: "isonormal-moments", Gaussian, 1.0, BOTH, |target| curves::isonormal(target, MomentsChoice::Mean);
    /// `PrivateMean::isonormal` with the emphasis on second moments.
    IsonormalCovariance: "isonormal-covariance", Gaussian, 1.0, BOTH,
        |target| curves::isonormal(target, MomentsChoice::Covariance);
    /// `PrivateMean::isonormal` in a ball whose radius is bought, with all its noisy counts.
    IsonormalBoughtRadius: "isonormal-bought-radius", Gaussian, 1.0, BOTH,
        |target| curves::bought(target, shares(false)?, MomentsChoice::Auto);
    /// `PrivateMean::isonormal` in a ball whose centre and radius are bought, with all their noisy integers.
    IsonormalBoughtCenter: "isonormal-bought-center", Gaussian, 1.0, BOTH,
        |target| curves::bought(target, shares(true)?, MomentsChoice::Auto);
    /// `PrivateMean::isonormal` with delta 0: K-norm noise on public coordinates.
    IsonormalPure: "isonormal-pure", Pure, 3.0, BOTH, |target| curves::isonormal(target, MomentsChoice::None);
    /// The same on three coordinates, with K-norm noise of a cylinder.
    IsonormalCylinder: "isonormal-cylinder", Pure, 3.0, ADD_REMOVE, curves::isonormal_of_three;
    /// `PrivateGroups` with public labels.
    GroupsPublic: "groups-public", Gaussian, 1.0, SUBSTITUTE, |target| groups::groups(target, None, MomentsChoice::Mean);
    /// `PrivateGroups` with private labels, a record in one group.
    GroupsPrivate: "groups-private", Gaussian, 1.0, BOTH, |target| groups::groups(target, Some(1), MomentsChoice::Mean);
    /// `PrivateGroups` with private labels, a record in two groups.
    GroupsOfTwo: "groups-of-two", Gaussian, 1.0, BOTH, |target| groups::groups(target, Some(2), MomentsChoice::Mean);
    /// `PrivateGroups` with private labels in a ball whose radius is bought, a record in two groups, with all its noisy counts.
    GroupsBoughtRadius: "groups-bought-radius", Gaussian, 1.0, BOTH,
        |target| groups::bought(target, Some(2), MomentsChoice::Mean, shares(false)?);
    /// `PrivateGroups` with private labels in a ball whose centre and radius are bought, a record in two groups.
    GroupsBoughtCenter: "groups-bought-center", Gaussian, 1.0, BOTH,
        |target| groups::bought(target, Some(2), MomentsChoice::Mean, shares(true)?);
    /// `PrivateGroups` with public labels in a ball whose radius is bought, with all its noisy counts.
    GroupsPublicBought: "groups-public-bought-radius", Gaussian, 1.0, SUBSTITUTE,
        |target| groups::bought(target, None, MomentsChoice::Mean, shares(false)?);
    /// `PrivateChange`: both present and opposite, and one present in place of one that is absent.
    Change: "change", Gaussian, 1.0, BOTH, |target| change::change(target, MomentsChoice::Mean);
    /// `PrivateChange` without second moments.
    ChangeAlone: "change-without-moments", Gaussian, 1.0, BOTH, |target| change::change(target, MomentsChoice::None);
    /// `PrivateChange` in a ball whose centre and radius are bought, with all their noisy integers.
    ChangeBought: "change-bought", Gaussian, 1.0, BOTH, |target| change::bought(target, MomentsChoice::Mean, shares(true)?);
    /// `PrivateRegression` with private covariates.
    Regression: "regression", Gaussian, 1.0, BOTH, |target| regression::regression(target, false);
    /// `PrivateRegression` with a public design.
    RegressionPublic: "regression-public", Gaussian, 1.0, SUBSTITUTE, |target| regression::regression(target, true);
    /// `PrivateRegression` with private covariates in a ball whose radius is bought, with all its noisy counts.
    RegressionBoughtRadius: "regression-bought-radius", Gaussian, 1.0, BOTH,
        |target| regression::bought(target, shares(false)?);
    /// `PrivateRegression` with private covariates in a ball whose centre and radius are bought.
    RegressionBoughtCenter: "regression-bought-center", Gaussian, 1.0, BOTH,
        |target| regression::bought(target, shares(true)?);
    /// `PrivateRows`.
    Rows: "rows", Gaussian, 1.0, BOTH, |target| rows::rows(target, rows::USUAL_BOUND);
    /// `PrivateRows` in a ball whose radius is bought, with all its noisy counts.
    RowsBoughtRadius: "rows-bought-radius", Gaussian, 1.0, BOTH,
        |target| rows::bought(target, shares(false)?);
    /// `PrivateCentiles`.
    Centiles: "centiles", Gaussian, 1.0, BOTH, centiles::stated;
    /// `PrivateCentiles` about a distance that is bought, with all its noisy counts.
    CentilesBoughtRadius: "centiles-bought-radius", Gaussian, 1.0, BOTH, |target| centiles::bought(target, shares(false)?);
    /// `PrivateCentiles` of rows.
    CentilesOfRows: "centiles-rows", Gaussian, 1.0, BOTH, centiles::rows;
    /// `PrivateCentiles` of rows about a distance that is bought, with all its noisy counts.
    CentilesOfRowsBoughtRadius: "centiles-rows-bought-radius", Gaussian, 1.0, BOTH,
        |target| centiles::rows_bought(target, shares(false)?);
    /// `PrivateMean::isonormal` of surfaces.
    Surface: "surface", Gaussian, 1.0, BOTH, curves::surface;
    /// `PrivateMean::cameron_martin`.
    CameronMartin: "cameron-martin", Gaussian, 1.0, BOTH, curves::cameron_martin;
    /// `PrivateFunctionals` with discrete Laplace noise.
    Functionals: "functionals", Pure, 1.0, BOTH, |target| curves::functionals(target, &Law::DiscreteLaplace {}, 2);
    /// `PrivateFunctionals` with K-norm noise.
    FunctionalsKNorm: "functionals-k-norm", Pure, 3.0, BOTH, |target| curves::functionals(target, &Law::KNorm {}, 2);
    /// The same of three functionals, with K-norm noise of a cylinder.
    FunctionalsCylinder: "functionals-cylinder", Pure, 3.0, ADD_REMOVE, |target| curves::functionals(target, &Law::KNorm {}, 3);
    /// `PrivateFunctionals` with t noise.
    FunctionalsStudentT: "functionals-student-t", Pure, 3.0, BOTH, curves::student_t;
    /// `PrivateTotal`.
    Total: "total", Any, 1.0, BOTH, curves::numbers::<Total>;
    /// `PrivatePath`.
    Path: "path", Gaussian, 1.0, BOTH, curves::path;
    /// `PrivatePath` with a random scale.
    EllipticalPath: "path-elliptical", Mixed, 3.0, BOTH, curves::path;
    /// `PerturbedHistogram`.
    Perturbed: "perturbed", Any, 1.0, BOTH, points::perturbed;
    /// `SmoothedHistogram`.
    Smoothed: "smoothed", Pure, 1.0, SUBSTITUTE, points::smoothed;
    /// `KsExponential`.
    Exponential: "exponential", Pure, 2.5, BOTH, points::exponential;
    /// `SeriesMechanism`.
    Series: "series", Any, 1.0, BOTH, |target| points::series(target, false, points::TERMS);
    /// `SeriesMechanism::exponential`.
    SeriesKNorm: "series-k-norm", Pure, 3.0, BOTH, |target| points::series(target, true, points::TERMS);
    /// `SeriesExponential`.
    SeriesExponential: "series-exponential", Pure, 3.0, SUBSTITUTE, points::series_exponential;
}

/// A name that no audited mechanism has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("unknown mechanism; known are {}", all_names())]
pub struct UnknownMechanism;

fn all_names() -> String {
    let names: Vec<&str> = AuditedMechanism::all().map(AuditedMechanism::name).collect();
    names.split_last().map_or_else(String::new, |(last, others)| format!("{} and {last}", others.join(", ")))
}

impl AuditedMechanism {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether its claim has `delta = 0`; `None` where both are possible.
    pub fn is_pure(self) -> Option<bool> {
        match self.row().kind {
            Pure => Some(true),
            Gaussian | Mixed => Some(false),
            Any => None,
        }
    }

    /// The claim at a budget, with the settings of the suite.
    pub(crate) fn target(self, budget: PrivacyBudget, neighbours: NeighbouringRelation) -> Result<Target, AuditError> {
        let Row { name, kind, .. } = self.row();
        let claim = match kind {
            Mixed => Claim::mixed(curves::mixture()?, budget)?,
            Pure | Gaussian | Any => Claim::of_budget(budget)?,
        };
        Target::new(name, budget, claim, neighbours)
    }

    /// The pairs for a claim.
    pub(crate) fn attack(self, target: &Target) -> Result<Attack, AuditError> {
        (self.row().build)(target)
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
        Self::all().find(|known| known.name() == name).ok_or(UnknownMechanism)
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
    pub fn attack(&self) -> Result<Attack, AuditError> {
        self.mechanism.attack(&self.target()?)
    }

    /// The same mechanism with this part of its noise, as if by a mistake: what an audit of [`Setting::attack`] must refuse.
    ///
    /// Mechanisms without noise spend `epsilon / part`.
    pub fn with_less_noise(&self, part: f64) -> Result<Attack, AuditError> {
        let budget = self.target()?.claim.with_less_noise(part)?;
        let weaker = Self { budget, ..*self }.attack()?;
        if weaker.is_adaptive() {
            // the rules that read a ball off noisy answers stay those of the claim
            return Ok(Attack { noise: weaker.noise, ..self.attack()? });
        }
        Ok(weaker)
    }

    fn target(&self) -> Result<Target, AuditError> {
        let mechanism = self.mechanism.name();
        let refused = |reason| Err(AuditError::NotMadeFor { mechanism, reason });
        match (self.mechanism.is_pure(), self.budget.delta() > 0.0) {
            (Some(true), true) => return refused("it is purely private: its delta is 0"),
            (Some(false), false) => return refused("normal noise needs a delta above 0"),
            _ => {}
        }
        if !self.mechanism.row().relations.contains(&self.neighbours) {
            return refused(match self.neighbours {
                AddRemoveOne => "it protects a public number of records, under substitute alone",
                SubstituteOne => "its noise is that of a private number of records, under add-remove alone",
            });
        }
        self.mechanism.target(self.budget, self.neighbours)
    }
}

/// Every mechanism under every relation and law that it has, with a budget at which a tenth less noise can be seen.
pub fn suite() -> Result<Vec<Setting>, AuditError> {
    let mut settings = Vec::new();
    for mechanism in AuditedMechanism::all() {
        let Row { kind, epsilon, relations, .. } = mechanism.row();
        let deltas: &[f64] = match kind {
            Pure => &[0.0],
            Gaussian | Mixed => &[1e-5],
            Any => &[0.0, 1e-5],
        };
        for neighbours in relations.iter().copied() {
            for delta in deltas {
                settings.push(Setting { mechanism, budget: PrivacyBudget::new(epsilon, *delta)?, neighbours });
            }
        }
    }
    Ok(settings)
}
