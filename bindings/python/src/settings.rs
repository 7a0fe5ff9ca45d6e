//! The public settings of a private mean.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::thread;

use dpfda::analysis::{BayesRisk, DEFAULT_LEVEL, Ladder};
use dpfda::crossval::SelectionError;
use dpfda::kernels::{Grid, Kernel, KernelName};
use dpfda::mechanism::Source;
use dpfda::privacy::{Calibration, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, Share};
use dpfda::release::{
    BallShares, DEFAULT_BINS, DEFAULT_KERNEL, Grouping, MOST_COORDINATES, Mean, MeanError, MeanMechanism, MeanRelease,
    MomentsChoice, NoiseLaw, PrivateGroups, PrivateMean, ReleaseError,
};
use dpfda::smoothing::{CurveSet, PenalizedMean};
use pyo3::prelude::*;

use crate::band::{BandChoice, checked_level, chosen, plain};
use crate::budget::{Budget, StatedBall};
use crate::gaps::{Gaps, GapsArguments};
use crate::private_rows::Binned;
use crate::refusal::{Refusal, one_of};
use crate::release::EstimatedOrBare;

/// What Python says of a private mean.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SettingsArguments {
    ball: StatedBall,
    budget: Budget,
    mechanism: String,
    neighbours: String,
    calibration: String,
    coordinates: Option<usize>,
    kernel: Option<String>,
    range: Option<f64>,
    penalty: Option<f64>,
    eta: Option<f64>,
    moments: String,
    center_share: Option<f64>,
    /// `None` keeps the stated radius, and `"default"` buys by default.
    radius_share: ShareArgument,
    slope: Option<f64>,
    roughness: Option<f64>,
    select: Option<String>,
    band: Option<String>,
    level: Option<f64>,
    band_roughness: Option<f64>,
    gaps: GapsArguments,
}

/// The share that buys a radius.
#[derive(FromPyObject)]
pub enum ShareArgument {
    /// A share, or none.
    Share(Option<f64>),
    /// Whatever is usual.
    #[allow(dead_code, reason = "there is one such word")]
    Default(String),
}

impl ShareArgument {
    /// The shares that buy, with one for the centre; `None` where none was named.
    ///
    /// # Errors
    /// [`Refusal`] for a share that buys too much.
    pub fn with(&self, center: Option<f64>) -> Result<Option<BallShares>, Refusal> {
        BallShares::new(center, None).map_err(|error| Refusal::from(error).at("center_share"))?;
        Ok(match self {
            Self::Default(_) if center.is_none() => None,
            Self::Default(_) => {
                let usual = BallShares::default().radius().map(Share::value);
                Some(BallShares::new(center, usual)?.if_enough())
            }
            Self::Share(share) => Some(BallShares::new(center, *share)?),
        })
    }
}

/// Settings that were checked without the data.
#[pyclass(name = "MeanSettings", module = "dpfda._dpfda", frozen)]
pub struct Settings {
    ball: StatedBall,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
    calibration: Calibration,
    is_isonormal: bool,
    /// How many coordinates are released with delta 0.
    coordinates: Option<usize>,
    kernel: Kernel,
    penalty: Option<f64>,
    power: f64,
    /// The first part of a smoother that was given.
    smoother: Option<&'static str>,
    moments: MomentsChoice,
    shares: Option<BallShares>,
    slope: Option<f64>,
    roughness: Option<f64>,
    selects: bool,
    band: BandChoice,
    gaps: Gaps,
}

#[pymethods]
impl Settings {
    #[new]
    fn new(arguments: SettingsArguments) -> Result<Self, Refusal> {
        let settings = Self::of(arguments)?;
        match settings.binned() {
            Some(_) => settings.check_binned()?,
            None => settings.check()?,
        }
        Ok(settings)
    }
}

/// The two relations by name.
pub const RELATIONS: [(&str, NeighbouringRelation); 2] =
    [("substitute", NeighbouringRelation::SubstituteOne), ("add-remove", NeighbouringRelation::AddRemoveOne)];

/// The two calibrations by name.
pub const CALIBRATIONS: [(&str, Calibration); 2] =
    [("tight", Calibration::Tight), ("classical", Calibration::Classical)];

/// The two mechanisms by name: whether the noise is isonormal.
pub const MECHANISMS: [(&str, bool); 2] = [("isonormal", true), ("cameron-martin", false)];

/// The epsilons of a mean with delta 0, as the command has them.
const PURE_EPSILONS: RangeInclusive<f64> = 1e-6..=50.0;

const MOMENTS: [(&str, MomentsChoice); 4] = [
    ("auto", MomentsChoice::Auto),
    ("mean", MomentsChoice::Mean),
    ("covariance", MomentsChoice::Covariance),
    ("none", MomentsChoice::None),
];

/// The kernel of a name and a range, where they are given.
///
/// # Errors
/// [`Refusal`] for an unknown name and a range that the kernel cannot have.
pub fn kernel(name: Option<&str>, range: Option<f64>) -> Result<Kernel, Refusal> {
    let name = match name {
        None => DEFAULT_KERNEL,
        Some(name) => name.parse::<KernelName>().map_err(|error| Refusal::new("kernel", error))?,
    };
    Ok(name.with_range(range.unwrap_or_else(|| name.default_range()))?)
}

/// The number of threads: as asked for, or all cores.
pub fn threads(asked: Option<usize>) -> NonZeroUsize {
    asked.and_then(NonZeroUsize::new).or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

impl Settings {
    fn of(arguments: SettingsArguments) -> Result<Self, Refusal> {
        let SettingsArguments { ball, budget: Budget(budget), range, penalty, eta, slope, roughness, .. } = arguments;
        let parts = [
            ("kernel", arguments.kernel.is_some()),
            ("range", range.is_some()),
            ("penalty", penalty.is_some()),
            ("eta", eta.is_some()),
        ];
        let given = parts.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
        let selects =
            arguments.select.as_deref().map(|name| one_of("select", name, &[("sure", true), ("default", false)]));
        let selects = selects.transpose()?;
        if let (Some(true), Some(part)) = (selects, given) {
            return Err(Refusal::new(part, "select=\"sure\" chooses the whole smoother: leave its parts out"));
        }
        let shares = arguments.radius_share.with(arguments.center_share)?;
        let neighbours = one_of("neighbours", &arguments.neighbours, &RELATIONS)?;
        let calibration = one_of("calibration", &arguments.calibration, &CALIBRATIONS)?;
        let gaps = Gaps::of(&arguments.gaps, |gaps| {
            Ok(Binned {
                ball: ball.clone(),
                budget,
                bins: gaps.bins.unwrap_or(DEFAULT_BINS),
                bound: gaps.bound,
                neighbours,
                calibration,
                shares: shares.unwrap_or(BallShares::NONE),
                band: plain(arguments.band.as_deref())?,
                level: checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL),
            })
        })?;
        Ok(Self {
            ball,
            budget,
            neighbours,
            calibration,
            is_isonormal: one_of("mechanism", &arguments.mechanism, &MECHANISMS)?,
            coordinates: arguments.coordinates,
            kernel: kernel(arguments.kernel.as_deref(), range)?,
            penalty,
            power: eta.unwrap_or(1.0),
            smoother: selects.map(|_| "select").or(given),
            moments: one_of("moments", &arguments.moments, &MOMENTS)?,
            shares,
            slope,
            roughness,
            selects: selects == Some(true),
            band: BandChoice::new(arguments.band.as_deref(), arguments.level, arguments.band_roughness)?,
            gaps,
        })
    }

    /// What does not fit together, before there is a grid.
    fn check(&self) -> Result<(), Refusal> {
        let is_pure = self.is_pure();
        if is_pure {
            self.check_pure()?;
        } else {
            GaussianPrivacy::calibrated(self.calibration, &self.budget)?;
            if self.coordinates.is_some() {
                return Err(ReleaseError::CoordinatesWithDelta.into());
            }
        }
        PenalizedMean::new(self.kernel.clone(), self.penalty.unwrap_or(1.0), self.power)?;
        if self.slope.is_some() && self.roughness.is_some() {
            return Err(Refusal::new("roughness", "give a slope or a roughness, and not both"));
        }
        let is_white = !is_pure && self.slope.is_none() && self.roughness.is_none();
        if self.selects && !(self.is_isonormal && is_white) {
            return Err(SelectionError::NotIsonormal.into());
        }
        let asks_for_moments = matches!(self.moments, MomentsChoice::Mean | MomentsChoice::Covariance);
        if !self.is_isonormal && asks_for_moments {
            return Err(ReleaseError::Mean(MeanError::MomentsOfSmoothed).into());
        }
        let is_private = self.neighbours == NeighbouringRelation::AddRemoveOne;
        if !self.is_isonormal && is_private && self.penalty.is_none() {
            return Err(ReleaseError::PenaltyNeeded.into());
        }
        self.band.check(self.is_isonormal, self.smoother, is_white)
    }

    /// What a mean in bins does not have, and what is refused on every domain.
    fn check_binned(&self) -> Result<(), Refusal> {
        let unused = [
            ("mechanism", !self.is_isonormal),
            ("moments", self.moments != MomentsChoice::Auto),
            ("coordinates", self.coordinates.is_some()),
            ("slope", self.slope.is_some()),
            ("roughness", self.roughness.is_some()),
            ("center_share", self.shares.is_some_and(|shares| shares.center().is_some())),
        ];
        let unused = unused.into_iter().find(|(_, given)| *given).map(|(name, _)| name).or(self.smoother);
        if let Some(parameter) = unused {
            let reason = "with gaps=\"rows\" there is no such setting: leave it out, or choose other gaps";
            return Err(Refusal::new(parameter, reason));
        }
        self.binned().map_or(Ok(()), Binned::check)
    }

    /// Refuses gaps that parts and forecasts do not know.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_gaps(&self) -> Result<(), Refusal> {
        let reason = "plans and forecasts are of curves whose gaps are filled by a line: leave gaps out";
        if self.gaps.is_line() { Ok(()) } else { Err(Refusal::new("gaps", reason)) }
    }

    /// The settings of what was seen, where nothing stands for a missing value.
    pub fn binned(&self) -> Option<&Binned> {
        match &self.gaps {
            Gaps::Nothing(binned) => Some(binned),
            _ => None,
        }
    }

    /// The curves with their gaps filled as was asked for.
    ///
    /// # Errors
    /// [`Refusal`] for a process that there is not on their grid.
    pub fn filled(&self, curves: CurveSet) -> Result<CurveSet, Refusal> {
        let ball = self.ball.on(curves.grid())?;
        self.gaps.filled(curves, &ball)
    }

    /// How gaps were treated, for a release.
    pub fn source(&self) -> Option<Source> {
        self.gaps.source()
    }

    /// Isonormal noise has a law for a delta of 0 as well.
    fn is_pure(&self) -> bool {
        self.is_isonormal && self.calibration == Calibration::Tight && self.budget.delta() == 0.0
    }

    /// What a mean without a delta cannot have.
    fn check_pure(&self) -> Result<(), Refusal> {
        if !PURE_EPSILONS.contains(&self.budget.epsilon()) {
            let text =
                format!("with delta 0, epsilon must be from {} to {}", PURE_EPSILONS.start(), PURE_EPSILONS.end());
            return Err(Refusal::new("epsilon", text));
        }
        let refused: ReleaseError = match self.coordinates {
            Some(found) if !(1..=MOST_COORDINATES).contains(&found) => {
                MeanError::Coordinates { most: MOST_COORDINATES, found }.into()
            }
            _ if self.slope.is_some() || self.roughness.is_some() => ReleaseError::RoughWithoutDelta,
            _ if self.shares.is_some_and(|shares| shares.buys()) => ReleaseError::BoughtWithoutDelta,
            _ if matches!(self.moments, MomentsChoice::Mean | MomentsChoice::Covariance) => {
                MeanError::MomentsWithoutDelta.into()
            }
            _ => return Ok(()),
        };
        Err(refused.into())
    }

    /// What a release of these settings is expected to miss by.
    ///
    /// # Errors
    /// [`Refusal`] for settings whose errors are not foretold.
    pub fn risk(&self, grid: &Grid) -> Result<(BayesRisk, NoiseLaw), Refusal> {
        self.check_gaps()?;
        let (law, ladder) = (self.private_mean(grid)?.noise_law_on(grid.len())?, Ladder::default());
        let Some(number) = law.coordinates() else { return Ok((BayesRisk::new(grid, &ladder)?, law)) };
        let mean = Mean::new(self.ball.on(grid)?, grid.clone(), &MeanMechanism::Coordinates(number));
        let risk = match mean.map_err(ReleaseError::from)?.map() {
            Some(basis) => BayesRisk::in_coordinates(grid, basis, &ladder)?,
            None => BayesRisk::new(grid, &ladder)?,
        };
        Ok((risk, law))
    }

    /// The settings on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not fit the grid.
    pub fn private_mean(&self, grid: &Grid) -> Result<PrivateMean, Refusal> {
        let ball = self.ball.on(grid)?;
        let mean = if self.is_isonormal {
            PrivateMean::isonormal(ball, self.budget)
        } else {
            PrivateMean::cameron_martin(ball, self.budget)
        };
        let mean = mean.calibration(self.calibration).neighbours(self.neighbours).moments(self.moments);
        let mean = mean.kernel(self.kernel.clone()).power(self.power);
        let mean = match (self.slope, self.roughness) {
            (Some(largest), _) => mean.slope(largest),
            (None, Some(length)) => mean.roughness(length),
            (None, None) => mean,
        };
        let mean = match self.shares {
            Some(shares) => mean.buying(shares),
            None => mean,
        };
        let mean = match self.coordinates {
            Some(number) => mean.coordinates(number),
            None => mean,
        };
        Ok(match self.penalty {
            Some(penalty) => mean.penalty(penalty),
            None => mean,
        })
    }

    /// The settings of means of groups, which have no smoother and no body of their own.
    ///
    /// # Errors
    /// [`Refusal`] for settings that groups do not have.
    pub fn private_groups(&self, grid: &Grid, grouping: Grouping) -> Result<PrivateGroups, Refusal> {
        let unused = [
            ("mechanism", !self.is_isonormal),
            ("coordinates", self.coordinates.is_some()),
            ("slope", self.slope.is_some()),
            ("roughness", self.roughness.is_some()),
            ("gaps", !self.gaps.is_line()),
        ];
        let unused = unused.into_iter().find(|(_, given)| *given).map(|(name, _)| name).or(self.smoother);
        if let Some(parameter) = unused.or(self.band.is_given().then_some("band")) {
            return Err(Refusal::new(parameter, "means of groups have no such setting: leave it out"));
        }
        Ok(PrivateGroups::new(self.ball.on(grid)?, self.budget, grouping)
            .neighbours(self.neighbours)
            .calibration(self.calibration)
            .moments(self.moments)
            .buying(self.shares.unwrap_or_default()))
    }

    /// The level of bands, where one was asked for.
    pub fn level(&self) -> Option<f64> {
        self.band.level()
    }

    /// Whether all curves are needed before they are encoded, or their number.
    pub fn needs_curves(&self) -> bool {
        (!self.is_isonormal && self.penalty.is_none()) || !self.gaps.is_line()
    }

    /// The estimate of a release. The noise is drawn: what is refused now is told beside the release.
    pub fn estimate(&self, release: MeanRelease) -> EstimatedOrBare {
        let release = if self.selects { chosen(&release).unwrap_or(release) } else { release };
        self.band.of_new(release, self.smoother.is_some())
    }
}
