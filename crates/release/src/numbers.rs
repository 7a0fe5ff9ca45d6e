//! Releases whose answer is some numbers: what they have in common.

use std::marker::PhantomData;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Documented, Mechanism, Prepared, ReadError, Release, Statistic, Terms, close, demand};
use dpfda_privacy::{Law, PrivacyBudget, PrivacyUnit, Randomness};
use dpfda_smoothing::{Ball, CurveSet};
use serde::{Deserialize, Serialize};

use crate::coordinates::encode::CurveRecord;
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

/// A released number.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// What it is.
    pub name: String,
    /// The number.
    pub value: f64,
    /// The standard deviation of its privacy noise, which may be infinite.
    pub noise_sd: f64,
}

/// A statistic of a few numbers of each curve, which a grid and a public ball settle. What the ball bounds is the statistic's own.
///
/// A kind is a file with this trait and a row of the table of kinds: builder, document, command, report and audit follow from it.
pub trait CurveNumbers:
    Documented<Derived = NumbersDerived, Estimate = ()> + for<'a> Statistic<Record<'a> = CurveRecord<'a>>
{
    /// The statistic of curves on this grid.
    ///
    /// # Errors
    /// [`ReleaseError`] for a centre that is no curve on this grid, or a grid that has no unit interval.
    fn on(ball: Ball, grid: Grid) -> Result<Self, ReleaseError>;

    /// What bounds a record.
    fn ball(&self) -> &Ball;

    /// What a release says.
    fn numbers(release: &Release<Self>) -> Vec<Number>;
}

/// A private release of numbers of curves, for substitute-one or add/remove-one.
///
/// The noise is exact: normal, or discrete Laplace where the budget has no delta.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateNumbers<S> {
    ball: Ball,
    terms: Terms,
    of: PhantomData<S>,
}

on_terms!(PrivateNumbers<S>: neighbours);

impl<S: CurveNumbers> PrivateNumbers<S> {
    /// Numbers of curves in this ball, at this price.
    pub fn new(ball: Ball, budget: PrivacyBudget) -> Self {
        Self { ball, terms: Terms::new(budget).noise(Law::exact(&budget)), of: PhantomData }
    }

    /// Releases the numbers: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        randomness: &mut R,
    ) -> Result<Release<S>, ReleaseError> {
        Ok(self.prepare(curves)?.draw_unrecorded(randomness))
    }

    /// Everything public about a release of curves on this grid.
    ///
    /// # Errors
    /// [`ReleaseError`] for a centre that is no curve on this grid, and a budget that no noise meets.
    pub fn mechanism(&self, grid: &Grid, unit: PrivacyUnit) -> Result<Mechanism<S>, ReleaseError> {
        let statistic = S::on(self.ball.clone(), grid.clone())?;
        Ok(Mechanism::new(statistic, self.terms.clone().unit(unit))?)
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, curves: &CurveSet) -> Result<Prepared<S>, ReleaseError> {
        let mechanism = self.mechanism(curves.grid(), curves.unit())?;
        let bounded = self.ball.bound(curves)?;
        Ok(mechanism.prepare_all(CurveRecord::all(&bounded))?)
    }
}

/// Some numbers, for readers; a standard deviation that is infinite is `null`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumbersDerived {
    values: Vec<f64>,
    noise_sd: Vec<Option<f64>>,
}

impl NumbersDerived {
    /// Of these values with these standard deviations.
    pub(crate) fn new(values: impl Iterator<Item = f64>, noise_sd: impl Iterator<Item = f64>) -> Self {
        let finite = |sd: f64| sd.is_finite().then_some(sd);
        Self { values: values.collect(), noise_sd: noise_sd.map(finite).collect() }
    }

    /// Of these numbers.
    pub fn of(numbers: &[Number]) -> Self {
        Self::new(numbers.iter().map(|number| number.value), numbers.iter().map(|number| number.noise_sd))
    }

    /// Refuses numbers that are not these, up to what rounding on another machine may change: a fraction of their sizes.
    ///
    /// # Errors
    /// [`ReadError::Contradiction`] with the field.
    pub fn check(&self, derived: &Self, sizes: &[f64]) -> Result<(), ReadError> {
        let number = derived.values.len();
        let values = self.values.iter().zip(&derived.values).zip(sizes).all(|((a, b), size)| close(*a, *b, *size));
        let sds = self.noise_sd.iter().zip(&derived.noise_sd).all(|pair| match pair {
            (Some(a), Some(b)) => close(*a, *b, *b),
            (None, None) => true,
            _ => false,
        });
        demand("derived.values", self.values.len() == number && values)?;
        demand("derived.noise_sd", self.noise_sd.len() == number && sds)
    }
}
