//! The mean of curves that a study asks for.

use std::borrow::Cow;

use dpfda::analysis::Estimated;
use dpfda::crossval::SelectionError;
use dpfda::kernels::{Grid, Kernel};
use dpfda::mechanism::Wanted;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda::release::{DEFAULT_KERNEL, MOST_COORDINATES, Mean, MeanError, MeanRelease, Plan, PrivateMean, ReleaseError};
use dpfda::smoothing::{Ball, Center, CurveLayout, CurveSet, GapProcess, PenalizedMean};

use crate::asked::ball::{PublicBall, unused_number};
use crate::asked::band::{BandChoice, Selected, Selection};
use crate::checked::Checked;
use crate::choices::SelectName;
use crate::refusal::Refusal;
use crate::sections::{Estimate, Privacy, Sections, Table};

/// The mean of curves that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedMean<'a> {
    pub(crate) study: &'a Checked,
    budget: PrivacyBudget,
    /// What is known of every curve.
    pub ball: PublicBall,
    wanted: Wanted,
    kernel: Kernel,
    /// The band around the estimate.
    pub band: BandChoice,
    /// Whether the smoother is chosen after the release.
    selects: bool,
}

impl<'a> AskedMean<'a> {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &'a Checked) -> Result<Self, Refusal> {
        let Sections { privacy, bound, estimate, .. } = &study.said;
        let ball = study.ball()?;
        let budget = study.calibrated_mean()?;
        let band = BandChoice::check(estimate)?;
        let wanted = study.wanted()?;
        if wanted.expected.is_some() && (privacy.is_pure() || !privacy.is_isonormal()) {
            return Err(unused_number());
        }
        study.table.process()?;
        check_pure(study, &wanted)?;
        // noise that is not white on the mean itself
        let is_shaped = privacy.is_pure() || bound.charges_roughness();
        band.check_mechanism(privacy.is_isonormal() && !is_shaped)?;
        band.check_moments(privacy.has_moments())?;
        let kernel = estimate.kernel_on_domain()?;
        PenalizedMean::new(kernel.clone(), estimate.penalty.unwrap_or(1.0), estimate.eta.unwrap_or(1.0))?;
        let selects = estimate.select == Some(SelectName::Sure);
        if selects && (is_shaped || !privacy.is_isonormal()) {
            return Err(SelectionError::NotIsonormal.into());
        }
        if privacy.is_isonormal() {
            band.check_smoother(estimate.asked_for(), !is_shaped)?;
        } else {
            check_smoothed(study)?;
        }
        Ok(Self { study, budget, ball, wanted, kernel, band, selects })
    }

    /// The estimate of a release. A smoother that cannot be chosen from it leaves it its default one: once the noise is drawn, nothing
    /// may be lost.
    ///
    /// # Errors
    /// [`Refusal`] for a band that the release cannot have.
    pub fn estimate(&self, release: MeanRelease) -> Result<(Estimated<Mean>, Selection), Refusal> {
        let named = self.study.estimate.asked_for().is_some();
        if !self.selects {
            return self.band.estimate(release, named);
        }
        let (release, selection) = match Selected::of(&release) {
            Ok(selected) => (selected.release.clone(), Selection::Chosen(Box::new(selected))),
            Err(refusal) => (release, Selection::Failed(refusal)),
        };
        Ok((self.band.estimate(release, named)?.0, selection))
    }

    /// How the columns of a file are read.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn layout(&self) -> Result<CurveLayout, Refusal> {
        self.study.table.curves()
    }

    /// Whether all curves are needed before they are encoded, or their number.
    pub fn needs_curves(&self) -> bool {
        let Sections { privacy, estimate, table, .. } = &self.study.said;
        (!privacy.is_isonormal() && estimate.penalty.is_none()) || table.is_process()
    }

    /// The curves with their gaps filled, where a process was asked for; a line is drawn later, by the encoding.
    ///
    /// # Errors
    /// [`Refusal`] for a process that there is not on their grid.
    pub fn filled<'c>(&self, curves: Cow<'c, CurveSet>) -> Result<Cow<'c, CurveSet>, Refusal> {
        let Some(process) = self.study.table.process()? else { return Ok(curves) };
        let process = process.on(&self.ball.on(curves.grid())?, curves.grid())?;
        Ok(Cow::Owned(curves.into_owned().filled(&process)?))
    }

    /// The plan of curves that come from a stream or in parts. `records` is their number, where it is known before they are encoded.
    ///
    /// # Errors
    /// As [`AskedMean::private_mean`], and for what a plan does not have.
    pub fn plan(&self, grid: &Grid, has_subjects: bool, records: Option<usize>) -> Result<Plan<Mean>, Refusal> {
        let unit = if has_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean(grid)?.plan_of(grid, unit, records)?)
    }

    /// From which number of curves on their number changes nothing of the plan; `None` where it changes nothing at all, or is private.
    ///
    /// # Errors
    /// [`Refusal`] for a budget that the noise cannot have.
    pub fn asks_for_number(&self) -> Result<Option<u64>, Refusal> {
        let ball = Ball::new(Center::Constant(0.0), 1.0)?;
        let mean = self.study.privacy.private_mean(ball, self.budget).neighbours(self.study.privacy.relation());
        Ok(mean.wanting(self.wanted).asks_for_number()?)
    }

    /// The private mean on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that does not cover the grid.
    pub fn private_mean(&self, grid: &Grid) -> Result<PrivateMean, Refusal> {
        let Sections { privacy, bound, estimate, mean, .. } = &self.study.said;
        let private_mean = privacy
            .private_mean(self.ball.on(grid)?, self.budget)
            .neighbours(privacy.relation())
            .moments(privacy.second_moments())
            .kernel(self.kernel.clone())
            .power(estimate.eta.unwrap_or(1.0));
        let private_mean = match (bound.slope, bound.roughness) {
            (Some(largest), _) => private_mean.slope(largest),
            (None, Some(length)) => private_mean.roughness(length),
            (None, None) => private_mean,
        };
        let private_mean = private_mean.wanting(self.wanted);
        let private_mean = match mean.coordinates {
            Some(number) => private_mean.coordinates(number),
            None => private_mean,
        };
        Ok(match estimate.penalty {
            Some(penalty) => private_mean.penalty(penalty),
            None => private_mean,
        })
    }
}

/// Refuses what a mean without a delta cannot have, and coordinates of one with a delta.
fn check_pure(study: &Checked, wanted: &Wanted) -> Result<(), Refusal> {
    let Sections { privacy, bound, mean, .. } = &study.said;
    let refused: ReleaseError = match (privacy.is_pure(), mean.coordinates) {
        (false, Some(_)) => ReleaseError::CoordinatesWithDelta,
        (true, Some(found)) if !(1..=MOST_COORDINATES).contains(&found) => {
            MeanError::Coordinates { most: MOST_COORDINATES, found }.into()
        }
        (true, _) if bound.charges_roughness() => ReleaseError::RoughWithoutDelta,
        (true, _) if wanted.says_share() => ReleaseError::BoughtWithoutDelta,
        (true, _) if privacy.asks_for_moments() => MeanError::MomentsWithoutDelta.into(),
        _ => return Ok(()),
    };
    Err(refused.into())
}

/// Refuses what a mean that is smoothed before its noise cannot have.
fn check_smoothed(study: &Checked) -> Result<(), Refusal> {
    let privacy = &study.privacy;
    if privacy.relation() == NeighbouringRelation::AddRemoveOne && study.estimate.penalty.is_none() {
        return Err(ReleaseError::PenaltyNeeded.into());
    }
    if privacy.asks_for_moments() {
        return Err(ReleaseError::Mean(MeanError::MomentsOfSmoothed).into());
    }
    Ok(())
}

impl Privacy {
    /// A private mean with the mechanism and the calibration asked for.
    pub fn private_mean(&self, ball: Ball, budget: PrivacyBudget) -> PrivateMean {
        let mean = if self.is_isonormal() { PrivateMean::isonormal } else { PrivateMean::cameron_martin };
        mean(ball, budget).calibration(self.calibration())
    }
}

impl Estimate {
    /// The setting that asks for one smoother, where any does.
    pub fn asked_for(&self) -> Option<&'static str> {
        self.select.map(|_| "select").or_else(|| self.smoother())
    }

    /// The kernel of the smoother.
    ///
    /// # Errors
    /// [`Refusal`] for a range that the kernel cannot have.
    pub fn kernel_on_domain(&self) -> Result<Kernel, Refusal> {
        let name = self.kernel.unwrap_or(DEFAULT_KERNEL);
        Ok(name.with_range(self.range.unwrap_or_else(|| name.default_range()))?)
    }
}

impl Table {
    /// The process that fills gaps, where one was asked for.
    ///
    /// # Errors
    /// [`Refusal`] for a kernel, a range or a noise that it cannot have.
    pub(crate) fn process(&self) -> Result<Option<GapProcess>, Refusal> {
        if !self.is_process() {
            return Ok(None);
        }
        Ok(Some(GapProcess::new(self.gaps_kernel, self.gaps_range, self.gaps_noise)?))
    }
}
