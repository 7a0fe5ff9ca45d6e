//! From curves with covariates to a private regression.

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Mechanism, MechanismError, Prepared, Release, Statistic, Terms, sum_records};
use dpfda_privacy::{
    ClippedBall, Design, Emphasis, ExactSum, GramBall, GramVector, Moments, PersonSum, PrivacyUnit, Randomness,
};
use dpfda_smoothing::{Ball, CurveSet, TextColumn};
use ndarray::Array2;
use thiserror::Error;

use crate::coordinates::encode::CurveRecord;
use crate::coordinates::rotation::whole_frequencies;
use crate::mean::prepared::sum_of;
use crate::mean::private::{COORDINATES_OF_MOMENTS, mean_in, shares_in};
use crate::purchase::ball_data::{self, BallData, Records};
use crate::regression::covariate::Covariate;
use crate::regression::public_design::PublicDesign;
use crate::regression::{Regression, RegressionPlanError, RegressionRecord};
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// Why a regression was not released. Nothing in it depends on the values of curves or covariates.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RegressionError {
    #[error("there must be a column for each covariate, with one cell for each curve")]
    Cells,
    #[error(
        "public covariates belong to the relation substitute: under add-remove they would tell who is in the data. Leave them private"
    )]
    PublicUnderAddRemove,
    #[error(
        "data row {row}: `{name}` is missing or outside its range, and public covariates must say what they are for each curve"
    )]
    NoCovariate {
        /// The data row, from 1.
        row: usize,
        name: String,
    },
    #[error(
        "{records} people are too few: with this budget the noise hides any outcome within its range, and nothing could be said of it; \
         it takes {least} or more"
    )]
    TooFew { records: u64, least: u64 },
    #[error(transparent)]
    Plan(#[from] RegressionPlanError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

/// The private regression of curves on covariates, for substitute-one or add/remove-one.
///
/// ```text
/// Y(t) = beta_0(t) + sum_k x_k beta_k(t) + error,    from X'X, X'Z and Z'Z with noise of one joint sensitivity
/// ```
///
/// Covariates are as private as curves, unless they are [public](Self::public_design).
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Covariate, PrivateRegression, Regression};
/// use dpfda_smoothing::{Ball, CurveSet, TextColumn};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let values = Array2::from_shape_fn((500, 30), |(i, j)| ((i + j) % 9) as f64 / 9.0);
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 30)?, values)?;
/// let ages = TextColumn::new((0..500).map(|i| Some((20 + i % 60).to_string())).collect());
/// let age = Covariate::Number { name: "age".to_owned(), lower: 18.0, upper: 90.0 };
/// let regression = PrivateRegression::new(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?, vec![age]);
/// let release = regression.release(&curves, &[ages], &mut SystemRandomness::new()?)?;
/// assert_eq!(Regression::products(&release).covariates.dim(), (2, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateRegression {
    ball: Ball,
    terms: Terms,
    covariates: Vec<Covariate>,
    design: Design,
    outcome: Option<String>,
}

/// A regression that has to be paid for: private data. Curves are borrowed until the draw.
pub type PreparedRegression<'a> = Prepared<Regression, BallData<GramBall, MeasuredCurves<'a>>>;

/// Curves in memory with the coded covariates of their records: private data.
pub struct MeasuredCurves<'a> {
    curves: &'a CurveSet,
    /// A row for each record.
    covariates: Array2<f64>,
}

impl Records<Regression> for MeasuredCurves<'_> {
    fn curves(&self) -> &CurveSet {
        self.curves
    }

    fn beside(&self, record: usize, _row: usize) -> Vec<u8> {
        self.covariates.row(record).iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn sum_to_center(&self, stated: &Regression, body: &ClippedBall) -> Result<ExactSum<ClippedBall>, ReleaseError> {
        sum_of(self.curves, &stated.mean().of_center(), body, NonZeroUsize::MIN)
    }

    fn sum(&self, centered: &Regression, body: &GramBall) -> Result<ExactSum<GramBall>, ReleaseError> {
        let (bounded, mut scratch) = (centered.ball().bound(self.curves)?, centered.scratch());
        let records = CurveRecord::all(&bounded).zip(self.covariates.rows());
        let sum = sum_records(body, records, |(curve, covariates), vector: &mut GramVector| {
            let record = RegressionRecord { curve, covariates: covariates.to_vec() };
            centered.encode(record, &mut scratch, vector);
        });
        Ok(sum.map_err(MechanismError::from)?)
    }
}

on_terms!(PrivateRegression: neighbours calibration buying wanting);

impl PrivateRegression {
    /// The regression of curves in this ball on these covariates and an intercept. By default the radius is bought with 5% of `mu^2`, where
    /// there are enough records, so that at most a twentieth of the curves lie outside. A centre can be [bought](Self::buying) as well.
    pub fn new(ball: Ball, terms: impl Into<Terms>, covariates: Vec<Covariate>) -> Self {
        Self { ball, terms: terms.into(), covariates, design: Design::Private, outcome: None }
    }

    /// The same with this covariate as the outcome of people, which the curves are to explain; see [`Regression::of_outcome`].
    #[must_use]
    pub fn of_outcome(self, name: &str) -> Self {
        Self { outcome: Some(name.to_owned()), ..self }
    }

    /// Says that the covariates of everybody are public, and only the curves private: less noise, in the best shape for this design.
    /// For the relation substitute alone.
    #[must_use]
    pub fn public_design(mut self) -> Self {
        self.design = Design::Public;
        self
    }

    /// Releases the regression: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`RegressionError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        columns: &[TextColumn],
        randomness: &mut R,
    ) -> Result<Release<Regression>, RegressionError> {
        Ok(self.prepare(curves, columns)?.draw_unrecorded(randomness))
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`RegressionError`]; nothing has been drawn or spent then.
    pub fn prepare<'a>(
        &self,
        curves: &'a CurveSet,
        columns: &[TextColumn],
    ) -> Result<PreparedRegression<'a>, RegressionError> {
        let fits = columns.len() == self.covariates.len();
        if !fits || columns.iter().any(|column| column.cells().len() != curves.len()) {
            return Err(RegressionError::Cells);
        }
        Covariate::check(&self.covariates).map_err(RegressionPlanError::from)?;
        let (grid, unit, records) = (curves.grid(), curves.unit(), Some(curves.units()));
        let (mechanism, covariates) = match self.design {
            Design::Private => {
                let mechanism = self.mechanism(grid, unit, records)?;
                let rows = self.design_of(curves, columns, |row| mechanism.statistic().coded(&row))?;
                (mechanism, rows)
            }
            Design::Public => {
                self.check_public(columns)?;
                let (design, weights) = PublicDesign::of(&self.design_of(curves, columns, |row| row)?)
                    .map_err(RegressionPlanError::from)?;
                (self.planned(grid, unit, Some(&design), records)?, weights)
            }
        };
        let records = curves.units() as u64;
        let mechanism = mechanism.of_records(records).map_err(ReleaseError::from)?;
        if let Some(least) = Regression::least_records(&mechanism).filter(|least| records < *least) {
            return Err(RegressionError::TooFew { records, least });
        }
        Ok(ball_data::prepare(mechanism, MeasuredCurves { curves, covariates })?)
    }

    /// A row for each record, coded from standardised covariates with a 1 in front: of a subject, the mean over its curves, the same in any
    /// order of them.
    fn design_of(
        &self,
        curves: &CurveSet,
        columns: &[TextColumn],
        coded: impl Fn(Vec<f64>) -> Vec<f64>,
    ) -> Result<Array2<f64>, RegressionError> {
        let mut of_curves = vec![vec![1.0]; curves.len()];
        for (covariate, column) in self.covariates.iter().zip(columns) {
            for (row, cell) in of_curves.iter_mut().zip(column.cells()) {
                row.extend(covariate.standardised(cell));
            }
        }
        let of_curves: Vec<Vec<f64>> = of_curves.into_iter().map(coded).collect();
        let width = of_curves.first().map_or(1, Vec::len);
        let mut records = Vec::new();
        for rows in curves.records() {
            match (curves.unit(), &rows[..]) {
                (PrivacyUnit::Curve, [row]) => records.extend(&of_curves[*row]),
                (_, rows) => records.extend(mean_of(rows.iter().map(|row| &of_curves[*row]), width)?),
            }
        }
        let mut records = records.into_iter();
        let shape = (records.len() / width, width);
        Ok(Array2::from_shape_simple_fn(shape, || records.next().unwrap_or(0.0)))
    }

    fn check_public(&self, columns: &[TextColumn]) -> Result<(), RegressionError> {
        if !self.terms.has_public_records() {
            return Err(RegressionError::PublicUnderAddRemove);
        }
        for (covariate, column) in self.covariates.iter().zip(columns) {
            if let Some(row) = column.cells().position(|cell| !cell.is_some_and(|cell| covariate.holds(cell))) {
                return Err(RegressionError::NoCovariate { row: row + 1, name: covariate.name().to_owned() });
            }
        }
        Ok(())
    }

    /// The public plan of a release of curves on this grid with private covariates, before there are data, or of so many records. Whether a
    /// default buys a radius is for [`Mechanism::of_records`].
    pub fn mechanism(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Mechanism<Regression>, RegressionError> {
        self.planned(grid, unit, None, records)
    }

    fn planned(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        design: Option<&PublicDesign>,
        records: Option<usize>,
    ) -> Result<Mechanism<Regression>, RegressionError> {
        let shares = shares_in(&self.ball, &self.terms, records)?;
        let coordinates = whole_frequencies(grid.len(), grid.is_periodic(), COORDINATES_OF_MOMENTS);
        let moments = Moments { emphasis: Emphasis::Mean, coordinates };
        let mean = mean_in(&self.ball, grid, &self.terms, shares)?;
        let mean = mean.with_moments(Some(moments)).map_err(ReleaseError::from)?;
        let regression = Regression::new(mean, self.covariates.clone(), design)?;
        let regression = match &self.outcome {
            Some(name) => regression.of_outcome(name)?,
            None => regression,
        };
        let terms = self.terms.clone().unit(unit).buying(shares);
        Ok(Mechanism::new(regression, terms).map_err(ReleaseError::from)?)
    }
}

/// The mean of rows no longer than the root of their width, exact in any order.
fn mean_of<'r>(rows: impl Iterator<Item = &'r Vec<f64>>, width: usize) -> Result<Vec<f64>, RegressionError> {
    let longest = (width as f64).sqrt();
    let mut sum = PersonSum::new(width).map_err(RegressionPlanError::from)?;
    for row in rows {
        let scaled: Vec<f64> = row.iter().map(|x| x / longest).collect();
        sum.add(&scaled).map_err(RegressionPlanError::from)?;
    }
    Ok(sum.mean().into_iter().map(|x| x * longest).collect())
}
