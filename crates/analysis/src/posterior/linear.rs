//! Slopes, integrals and other linear functionals of the mean, each with a standard deviation.

use dpfda_release::{FunctionalError, LinearFunctional};
use ndarray::{Array1, ArrayView1, Axis};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::rung::{Rung, Section};
use crate::posterior::summary::Summary;
use crate::uncertain::Uncertain;

impl Posterior {
    /// The slope `df/dt` at any points of the domain, in data units per unit of `t`.
    ///
    /// A kernel with a cusp (the exponential one) says that the mean has no slope. To ask for a slope is to assume that it
    /// exists, so kernels with a cusp are left out and the weights of the others are renormalised. A centre given as a curve
    /// counts with the slope of its linear interpolant.
    ///
    /// # Errors
    /// [`AnalysisError::NotDifferentiable`] where only kernels with a cusp have weight; [`AnalysisError::OutsideDomain`] for a
    /// point outside the domain or not a number.
    pub fn derivative(&self, points: &[f64]) -> Result<Vec<Uncertain>, AnalysisError> {
        let unit = self.to_units(points)?;
        let slopes =
            self.rungs.iter().filter_map(|rung| Some((rung, rung.slopes_at(unit.view(), &self.support, self.rows())?)));
        let slopes: Vec<(&Rung, Section)> = slopes.collect();
        if slopes.is_empty() {
            return Err(AnalysisError::NotDifferentiable);
        }
        let parts: Vec<_> = slopes.iter().map(|(rung, section)| (*rung, section)).collect();
        let summary = Summary::of(&parts, self.reduced.sigma);
        let scale = self.observation.radius / self.grid().length();
        let answers = points.iter().zip(&summary.mean).zip(&summary.variance).map(|((&t, mean), variance)| {
            let slope = mean * scale;
            Uncertain { value: self.center_slope_at(t) + slope, sd: self.with_count(variance.sqrt() * scale, slope) }
        });
        Ok(answers.collect())
    }

    /// The integral `int_a^b f(t) dt`, by the grid's quadrature.
    pub fn integral(&self) -> Uncertain {
        self.weighted_sum(self.grid().weights())
    }

    /// A linear functional of the mean.
    ///
    /// # Errors
    /// [`AnalysisError::NoEigenbasis`] for a coefficient, because several kernels are mixed; otherwise as
    /// [`Posterior::derivative`], and [`AnalysisError::Functional`] for a weight that does not fit the grid.
    pub fn functional(&self, functional: &LinearFunctional) -> Result<Uncertain, AnalysisError> {
        match functional {
            LinearFunctional::Evaluation { t } => {
                Ok(Uncertain { value: self.evaluate(&[*t])?[0], sd: self.sd_at(&[*t])?[0] })
            }
            LinearFunctional::Derivative { t } => Ok(self.derivative(&[*t])?[0]),
            LinearFunctional::Integral { weight } => {
                let (expected, found) = (self.grid().len(), weight.len());
                if found != expected {
                    return Err(FunctionalError::WeightLength { index: 0, expected, found }.into());
                }
                if let Some((point, &value)) = weight.iter().enumerate().find(|(_, w)| w.is_nan() || w.abs() > 1e100) {
                    return Err(FunctionalError::Weight { index: 0, point, value }.into());
                }
                Ok(self.weighted_sum((&self.grid().weights() * &ArrayView1::from(weight)).view()))
            }
            LinearFunctional::Coefficient { .. } => Err(AnalysisError::NoEigenbasis),
        }
    }

    /// `sum_i g_i f(t_i)` over the grid's points.
    fn weighted_sum(&self, weights: ArrayView1<'_, f64>) -> Uncertain {
        let gathered = self.support.gathered(weights);
        let sections: Vec<Section> = self
            .rungs
            .iter()
            .zip(&self.sections)
            .map(|(rung, section)| {
                let open = rung.open_between(&self.support.points, section);
                Section {
                    cross: gathered.dot(&section.cross).insert_axis(Axis(0)),
                    open: Array1::from_elem(1, open.map_or(0.0, |open| gathered.dot(&open.dot(&gathered)).max(0.0))),
                }
            })
            .collect();
        let summary = Summary::of(&self.parts(&sections), self.reduced.sigma);
        let deviation = weights.dot(self.deviation());
        let sd = summary.variance[0].sqrt() * self.observation.radius;
        Uncertain { value: weights.dot(&self.observation.center) + deviation, sd: self.with_count(sd, deviation) }
    }
}
