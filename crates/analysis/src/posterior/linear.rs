//! Integrals of the mean, each with a standard deviation.

use dpfda_release::FunctionalError;
use ndarray::{Array1, ArrayView1, Axis};

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::rung::Section;
use crate::posterior::summary::Summary;
use crate::uncertain::Uncertain;

impl Posterior {
    /// The integral `int_a^b f(t) dt`, by the grid's quadrature.
    pub fn integral(&self) -> Uncertain {
        self.weighted_sum(self.grid().weights())
    }

    /// The integral of the product of the mean with weights at the grid's points.
    ///
    /// # Errors
    /// [`AnalysisError::Functional`] for weights that do not fit the grid.
    pub fn integral_with(&self, weight: &[f64]) -> Result<Uncertain, AnalysisError> {
        let (expected, found) = (self.grid().len(), weight.len());
        if found != expected {
            return Err(FunctionalError::WeightLength { index: 0, expected, found }.into());
        }
        if let Some((point, &value)) = weight.iter().enumerate().find(|(_, w)| w.is_nan() || w.abs() > 1e100) {
            return Err(FunctionalError::Weight { index: 0, point, value }.into());
        }
        Ok(self.weighted_sum((&self.grid().weights() * &ArrayView1::from(weight)).view()))
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
