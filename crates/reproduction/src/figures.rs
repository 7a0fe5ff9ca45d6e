//! What Figures 1 to 12 show: the curves, what was published about them, and a private release of the same curves.

use dpfda::crossval::{Candidates, select_after_release};
use dpfda::kernels::Grid;
use dpfda::privacy::{NonPrivate, PrivacyBudget, SeededRandomness};
use dpfda::release::{BallShares, MeanRelease, MomentsChoice, PrivateMean};
use dpfda::smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2};
use rand::Rng;

use crate::convention::{PaperConvention, PaperRelease};
use crate::error::ReproductionError;
use crate::published::TableEntry;
use crate::scenarios::{Scenario, data_entries, entry_label, simulated_scenarios};
use crate::simulation::RandomCurve;

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;

/// The figures with simulated curves.
pub const SIMULATED_FIGURES: [u8; 8] = [1, 4, 5, 6, 7, 8, 9, 10];

/// The figures with the real curves.
pub const DATA_FIGURES: [u8; 4] = [2, 3, 11, 12];

/// One panel: the same curves, as published and by this project's defaults.
#[derive(Clone)]
pub struct FigurePanel {
    /// Which parameter this panel has.
    pub label: String,
    /// The points of the curves, in their own units.
    pub grid: Grid,
    /// The curves without a missing value, `curves x n`.
    pub curves: Array2<f64>,
    /// The mean function that the curves were drawn with, at the grid's points, where it is known.
    pub truth: Option<Array1<f64>>,
    /// The estimate and what was published as private, in the convention of the authors' package.
    pub published: PaperRelease,
    /// A release with the isonormal mechanism, the tight calibration and a public ball under the same (epsilon, delta);
    /// its smoother was chosen after it. From a seed, hence stamped as not private.
    pub ours: MeanRelease,
}

/// One figure of the paper, as numbers.
#[derive(Clone)]
pub struct PaperFigure {
    /// Its number in the paper.
    pub number: u8,
    /// What its panels have in common.
    pub title: String,
    /// Whether the curves are simulated.
    pub simulated: bool,
    /// From the first value of the varied parameter to the last.
    pub panels: Vec<FigurePanel>,
}

/// One of the [`SIMULATED_FIGURES`].
///
/// All panels have the same scores and the same normals of the noise, so they differ by their parameter alone. The
/// release by this project's defaults is in the ball of [`RandomCurve::ball`]; it has no kernel, range or penalty to be
/// told, so it is the same in all panels of Figures 1, 4 and 5.
///
/// The parameters are those of the paper's section 5 and supplement B, where they are stated. Where they are not:
///
/// - Of most intervals the paper gives the ends; the values between them are chosen here.
/// - The penalty where others vary is not stated; it is 0.01 here, which section 6 calls a good trade-off.
/// - The caption of Figure 7 says `delta = 1`, with which no noise would be needed at all. It must be a slip for the
///   default 0.1, which is used.
/// - Figure 10 has three further mean functions that the paper does not give; see [`MeanFunction`](crate::MeanFunction) for those used.
///
/// In Figure 5 all four kernels have the stated range 0.001. With it the Gaussian kernel reaches over three points of the
/// grid; the other three, in which the range is a length, reach over a tenth of one step, and are white noise on the grid.
/// What the paper says about their smoothness cannot be seen with these parameters.
pub fn simulated_figure(number: u8, seed: u64) -> Result<NonPrivate<PaperFigure>, ReproductionError> {
    let (title, scenarios) = simulated_scenarios(number).ok_or(ReproductionError::NotSimulated { number })?;
    let seeds = Seeds::new(seed);
    let panels = scenarios.into_iter().map(|scenario| simulated_panel(scenario, &seeds)).collect::<Result<_, _>>()?;
    Ok(NonPrivate::new(PaperFigure { number, title: title.into(), simulated: true, panels }))
}

/// One of the [`DATA_FIGURES`], for the tract profiles of the paper or curves like them.
///
/// What was published leaves out curves with a missing value; the release by this project's defaults keeps them, and
/// counts the curves of a subject as one record where subjects are known. Its ball has centre 0.5 and radius 0.5, which
/// holds every function with values in `[0, 1]`, as fractional anisotropy has. It is the same in all panels.
pub fn data_figure(number: u8, curves: &CurveSet, seed: u64) -> Result<NonPrivate<PaperFigure>, ReproductionError> {
    let (title, entries) = data_entries(number).ok_or(ReproductionError::NotOfData { number })?;
    let seeds = Seeds::new(seed);
    let budget = PrivacyBudget::new(1.0, 0.1)?;
    let ours = private_release(curves, Ball::new(Center::Constant(0.5), 0.5)?, budget, seeds.ours)?;
    let panel = |entry: TableEntry| {
        let published = published_release(curves, &entry, &budget, seeds.published)?;
        Ok(FigurePanel {
            label: entry_label(&entry),
            grid: curves.grid().clone(),
            curves: curves.complete().values().to_owned(),
            truth: None,
            published,
            ours: ours.clone(),
        })
    };
    let panels = entries.into_iter().map(panel).collect::<Result<_, ReproductionError>>()?;
    Ok(NonPrivate::new(PaperFigure { number, title: title.into(), simulated: false, panels }))
}

/// Seeds of independent streams, the same for all panels of a figure.
struct Seeds {
    curves: u64,
    published: u64,
    ours: u64,
}

impl Seeds {
    fn new(seed: u64) -> Self {
        let mut stream = SeededRandomness::from_seed(seed);
        Self { curves: stream.next_u64(), published: stream.next_u64(), ours: stream.next_u64() }
    }
}

fn simulated_panel(scenario: Scenario, seeds: &Seeds) -> Result<FigurePanel, ReproductionError> {
    let model = RandomCurve::new(scenario.mean, scenario.decay, scenario.model_range)?;
    let curves = model.draw(scenario.records, &mut SeededRandomness::from_seed(seeds.curves))?;
    let budget = PrivacyBudget::new(scenario.epsilon, scenario.delta)?;
    Ok(FigurePanel {
        label: scenario.label,
        grid: model.grid().clone(),
        curves: curves.values().to_owned(),
        truth: Some(model.mean().to_owned()),
        published: published_release(&curves, &scenario.estimate, &budget, seeds.published)?,
        ours: private_release(&curves, model.ball()?, budget, seeds.ours)?,
    })
}

fn published_release(
    curves: &CurveSet,
    entry: &TableEntry,
    budget: &PrivacyBudget,
    seed: u64,
) -> Result<PaperRelease, ReproductionError> {
    let convention = PaperConvention::new(entry.kernel.with_range(entry.range)?, curves.grid())?;
    let release = convention.release(curves, entry.penalty, budget, &mut SeededRandomness::from_seed(seed))?;
    Ok(release.into_revealed())
}

fn private_release(
    curves: &CurveSet,
    ball: Ball,
    budget: PrivacyBudget,
    seed: u64,
) -> Result<MeanRelease, ReproductionError> {
    let randomness = &mut SeededRandomness::from_seed(seed);
    let release = PrivateMean::isonormal(ball, budget)
        .buying(BallShares::NONE)
        .moments(MomentsChoice::None)
        .release(curves, randomness)?;
    let surface = select_after_release(&release, &Candidates::for_release(&release))?;
    Ok(release.smoothed(surface.chosen())?)
}
