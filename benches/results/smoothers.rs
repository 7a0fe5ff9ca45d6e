//! The two mechanisms and their linear smoothers: oracle parameters, and what is chosen without seeing the data.

use std::fmt::Write;
use std::path::Path;

use dpfda::prelude::*;
use ndarray::Array1;

use crate::accuracy::RealCurves;
use crate::oracle::{Oracle, Problem, mean_square, of_kernel, white};
use crate::timing::MISSED;
use crate::{Fault, budget_text};

const RELEASES: u32 = 400;
/// The largest root-mean-square norm in the data: the ball that the published experiments amount to.
const PUBLISHED_RADIUS: f64 = 0.640_413_6;
/// What SURE may lose against the best parameters.
const MOST_OVER_BEST: f64 = 1.1;

/// One row of the table.
struct Setting {
    are_subjects: bool,
    /// Epsilon and delta.
    budget: (f64, f64),
    is_isonormal: bool,
    calibration: Calibration,
    center: f64,
    radius: f64,
    /// What this project set out to reach, where it said so.
    target: Option<f64>,
}

impl Setting {
    fn budget(&self) -> Result<PrivacyBudget, Fault> {
        Ok(PrivacyBudget::new(self.budget.0, self.budget.1)?)
    }

    fn ball(&self) -> Result<Ball, Fault> {
        Ok(Ball::new(Center::Constant(self.center), self.radius)?)
    }

    fn private_mean(&self) -> Result<PrivateMean, Fault> {
        let (ball, budget) = (self.ball()?, self.budget()?);
        let settings = if self.is_isonormal {
            PrivateMean::isonormal(ball, budget).buying(BallShares::NONE)
        } else {
            PrivateMean::cameron_martin(ball, budget)
        };
        Ok(settings.calibration(self.calibration))
    }

    /// The candidate with the smallest expected error, and that error.
    fn best(&self, curves: &CurveSet) -> Result<(PenalizedMean, f64), Fault> {
        let mu = GaussianPrivacy::calibrated(self.calibration, &self.budget()?)?.mu();
        let sigma = 2.0 * self.radius / (curves.units() as f64 * mu);
        let energy = if self.is_isonormal { white } else { of_kernel };
        let problem = Problem::new(&self.ball()?, curves, sigma, energy)?;
        let (smoother, squared) = Oracle::new(curves.grid())?.best(&problem)?;
        Ok((smoother, squared.sqrt()))
    }
}

fn settings() -> [Setting; 6] {
    let setting = |(are_subjects, budget), is_isonormal, calibration, (center, radius), target| Setting {
        are_subjects,
        budget,
        is_isonormal,
        calibration,
        center,
        radius,
        target,
    };
    let (published, tight) = ((0.0, PUBLISHED_RADIUS), (0.5, 0.25));
    let scans = (false, (1.0, 0.1));
    [
        setting(scans, false, Calibration::Classical, published, Some(0.0470)),
        setting(scans, false, Calibration::Tight, published, Some(0.0290)),
        setting(scans, true, Calibration::Tight, published, Some(0.0130)),
        setting(scans, true, Calibration::Tight, tight, Some(0.0060)),
        // without a target: SURE is known to lose where the noise is large
        setting((true, (1.0, 1e-5)), true, Calibration::Tight, tight, None),
        setting((true, (0.1, 1e-5)), true, Calibration::Tight, tight, None),
    ]
}

pub fn report(data: &Path) -> Result<String, Fault> {
    let curves = RealCurves::read(data)?;
    let mut page = format!(
        "## Mechanisms and linear smoothers\n\nThese are the smoothers that a user may ask for in place of the default \
         estimate. The error is the root-mean-square L2 distance from the raw mean over {RELEASES} releases, the ball given. \
         *Best* uses the kernel, range and penalty with the smallest expected error: the oracle of the first table. *SURE* \
         chooses them after each release by Stein's unbiased risk estimate (`--select sure`); in brackets the ratio to the \
         best. *Fixed* uses the smoother computed from public numbers.\n\n\
         | records | (epsilon, delta) | mechanism | scale | ball (c, tau) | best parameters | best | target | SURE | fixed |\n\
         |---|---|---|---|---|---|---|---|---|---|\n"
    );
    for setting in settings() {
        eprintln!("smoothers: {:?} {:?} {}", setting.budget, setting.calibration, setting.radius);
        row(&mut page, &setting, if setting.are_subjects { &curves.subjects } else { &curves.scans })?;
    }
    Ok(page + "\n")
}

fn row(page: &mut String, setting: &Setting, curves: &CurveSet) -> Result<(), Fault> {
    let (smoother, expected) = setting.best(curves)?;
    let (best, chosen, fixed) = errors(setting, curves, &smoother)?;
    let (name, range) = KernelName::of(smoother.kernel()).ok_or("a kernel with a name")?;
    let mark = |missed: bool| if missed { MISSED } else { "" };
    let target = setting.target.map_or_else(|| "-".to_owned(), |most| format!("<= {most:.4}{}", mark(best > most)));
    let chosen = chosen.map_or_else(
        || "-".to_owned(),
        |chosen| {
            let missed = setting.target.is_some() && chosen > MOST_OVER_BEST * best;
            format!("{chosen:.4} ({:.2}){}", chosen / best, mark(missed))
        },
    );
    writeln!(
        page,
        "| {} {} | {} | {} | {:?} | ({}, {}) | {name}, rho {range}, phi {:.1e} (expected {expected:.4}) | {best:.4} | \
         {target} | {chosen} | {fixed:.4} |",
        curves.units(),
        if setting.are_subjects { "subjects" } else { "scans" },
        budget_text(setting.budget),
        if setting.is_isonormal { "isonormal" } else { "Cameron-Martin" },
        setting.calibration,
        setting.center,
        setting.radius,
        smoother.penalty(),
    )?;
    Ok(())
}

/// The errors with the best parameters, with those that SURE chooses, and with the fixed ones.
fn errors(setting: &Setting, curves: &CurveSet, smoother: &PenalizedMean) -> Result<(f64, Option<f64>, f64), Fault> {
    let settings = setting.private_mean()?;
    if setting.is_isonormal {
        // an isonormal release can be smoothed in all three ways: compared on the same noise
        let ways: [&Finish; 3] = [&|release| Ok(release.smoothed(smoother)?), &choose, &|release| Ok(release.clone())];
        let [best, chosen, fixed] = rms_errors(&settings, curves, ways)?;
        return Ok((best, Some(chosen), fixed));
    }
    let as_released: [&Finish; 1] = [&|release| Ok(release.clone())];
    let [best] = rms_errors(&settings.clone().smoother(smoother), curves, as_released)?;
    let [fixed] = rms_errors(&settings, curves, as_released)?;
    Ok((best, None, fixed))
}

/// What is made of a release before it is compared.
type Finish<'a> = dyn Fn(&MeanRelease) -> Result<MeanRelease, Fault> + 'a;

fn choose(release: &MeanRelease) -> Result<MeanRelease, Fault> {
    let surface = select_after_release(release, &Candidates::for_release(release))?;
    Ok(release.smoothed(surface.chosen())?)
}

fn rms_errors<const WAYS: usize>(
    private_mean: &PrivateMean,
    curves: &CurveSet,
    ways: [&Finish<'_>; WAYS],
) -> Result<[f64; WAYS], Fault> {
    let truth: Array1<f64> = curves.raw_mean().into_revealed();
    let mut randomness = SystemRandomness::new()?;
    let mut totals = [0.0; WAYS];
    for _ in 0..RELEASES {
        let release = private_mean.release(curves, &mut randomness)?;
        for (total, finish) in totals.iter_mut().zip(ways) {
            let difference = &finish(&release)?.function().values() - &truth;
            *total += mean_square(curves.unit_grid(), difference.view());
        }
    }
    Ok(totals.map(|total| (total / f64::from(RELEASES)).sqrt()))
}
