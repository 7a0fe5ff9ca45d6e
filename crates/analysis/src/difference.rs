//! Two means of different people, over any domain: their difference with a band.

use ndarray::Array;

use crate::error::{AnalysisError, check_level};
use crate::population::{Population, PopulationMean, Spread};
use crate::uncertain::{Feature, Uncertain};

mod equality;
mod several;
#[cfg(test)]
mod several_tests;
#[cfg(test)]
mod surface_tests;
#[cfg(test)]
mod tests;

pub use equality::EqualityTest;
pub use several::GroupsTest;

/// The difference of the means of two populations, from two releases, or two groups of one release, whose noise is independent.
///
/// ```text
/// d = f_A - f_B,    C = C_A + C_B
/// a line, a circle    half-width = 1.06 min(tube(max(kappa, 32)), Sidak_n) sqrt(C_tt)
/// a rectangle         half-width = Sidak_n sqrt(C_tt)
/// ```
///
/// `f` is the posterior mean of a release, and `C_A` the covariance of its population band: posterior, sampling of people, and the
/// pull of a bought ball. The releases may have any balls and budgets. That they are of different people is the user's word: for people
/// who are in both, the sampling part of the band is not right. Two coefficients of one regression share their noise, and are refused.
///
/// Everything here is post-processing.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, Difference, Estimated};
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Mean, PrivateMean};
/// use dpfda_smoothing::{Ball, CurveSet};
/// use ndarray::Array2;
///
/// let plan = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
/// let release = |shift: f64| -> Result<Estimated<Mean>, Box<dyn std::error::Error>> {
///     let values = Array2::from_shape_fn((900, 30), |(i, k)| shift + 0.05 * ((i % 7 + k) as f64 / 9.0).sin());
///     let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 30)?, values)?;
///     Ok(Estimated::<Mean>::new(plan.release(&curves, &mut SystemRandomness::new()?)?, &Band::Population, DEFAULT_LEVEL)?)
/// };
/// let (first, second) = (release(0.6)?, release(0.4)?);
/// let difference = Difference::new(first.population(), second.population(), DEFAULT_LEVEL)?;
/// assert!(difference.equality()?.p_value < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Difference<'a, M: Population> {
    pub(crate) sides: [&'a M; 2],
    spread: Spread<M::Dimension>,
    level: f64,
}

impl<'a, M: Population> Difference<'a, M> {
    /// The first mean minus the second, with a simultaneous band of this level for the populations.
    ///
    /// # Errors
    /// [`AnalysisError::OtherGrid`] for releases on different grids, [`AnalysisError::OtherQuantity`] for a change and a mean of curves, [`AnalysisError::SameRelease`] for one mean twice, and for two
    /// coefficients of one regression, [`AnalysisError::Level`] for a level outside (0.5, 0.9999), [`AnalysisError::TooFewRecords`] for
    /// fewer than 2 records.
    pub fn new(first: &'a M, second: &'a M, level: f64) -> Result<Self, AnalysisError> {
        check_level(level)?;
        if first.grid() != second.grid() {
            return Err(AnalysisError::OtherGrid);
        }
        if first.quantity() != second.quantity() {
            return Err(AnalysisError::OtherQuantity { first: first.quantity(), second: second.quantity() });
        }
        if first.shares_noise_with(second) {
            return Err(AnalysisError::SameRelease);
        }
        let sides = [first, second];
        if let Some(side) = sides.iter().find(|side| side.records() < 2.0) {
            return Err(AnalysisError::TooFewRecords { band: "difference", records: side.records() });
        }
        Ok(Self { spread: first.minus(second, level)?, sides, level })
    }

    /// The points of both releases.
    pub fn grid(&self) -> &M::Grid {
        self.sides[0].grid()
    }

    /// The first estimate minus the second at the grid's points; of surfaces a row for each `s`.
    pub fn values(&self) -> &Array<f64, M::Dimension> {
        &self.spread.values
    }

    /// The standard deviation of everything that the band covers, at the grid's points.
    pub fn sd(&self) -> &Array<f64, M::Dimension> {
        &self.spread.sd
    }

    /// The lower end of the band.
    pub fn lower(&self) -> Array<f64, M::Dimension> {
        self.values() - &(self.sd() * self.spread.critical)
    }

    /// The upper end of the band.
    pub fn upper(&self) -> Array<f64, M::Dimension> {
        self.values() + &(self.sd() * self.spread.critical)
    }

    /// The level of the band.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The difference at any points of the domain, with its standard deviation and its band. Between the points of a line or a circle the
    /// standard deviation is linear.
    pub fn at(&self, points: &[M::Point]) -> Result<Vec<Feature>, AnalysisError> {
        let [first, second] = self.sides;
        let found = first.minus_at(second, &self.spread, points)?;
        Ok(found.into_iter().map(|number: Uncertain| number.within(self.spread.critical)).collect())
    }

    /// Whether the band leaves out 0 at each point of the grid: there the means differ.
    pub fn is_not_zero(&self) -> Array<bool, M::Dimension> {
        let critical = self.spread.critical;
        ndarray::Zip::from(self.values()).and(self.sd()).map_collect(|value, sd| value.abs() > critical * sd)
    }
}

impl Difference<'_, PopulationMean> {
    /// The parts of the domain where the band does not hold 0, each from its first to its last point of the grid.
    pub fn where_it_is_not_zero(&self) -> Vec<(f64, f64)> {
        let (points, differs) = (self.grid().points(), self.is_not_zero());
        let mut parts: Vec<(f64, f64)> = Vec::new();
        for i in (0..points.len()).filter(|&i| differs[i]) {
            match parts.last_mut() {
                Some(part) if i > 0 && differs[i - 1] => part.1 = points[i],
                _ => parts.push((points[i], points[i])),
            }
        }
        parts
    }
}
