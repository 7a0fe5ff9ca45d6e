//! Centile curves that are asked for after a release: of its chart, or of its mean if values are normal.

use dpfda_analysis::{
    AnalysisError, Band, CentileCurves, ComponentsError, DEFAULT_LEVEL, Means, NormalCentiles, Population,
    PopulationMean,
};
use dpfda_mechanism::exact;
use dpfda_release::Centiles;

use super::picture::of_centiles;
use super::shown::Table;

/// Other centile curves than a release shows, in columns: `t`, and `pP`, `pP_lower`, `pP_upper` for the centile `P` in percent. They cost no
/// privacy.
#[derive(Debug, Clone)]
pub struct OtherCentiles {
    /// The curves with their bands.
    pub table: Table,
    /// What should make a reader careful: a noisy number of people that is too small for these centiles.
    pub note: Option<String>,
}

impl OtherCentiles {
    /// Those of a chart, in one band for all of them; its own level where none is given. Where they are to be normal, they are those of
    /// values that are normal at each point, in the same band.
    ///
    /// # Errors
    /// [`AnalysisError::Centiles`] for centiles that no chart shows, and for those that a release of so many people refuses;
    /// [`AnalysisError::NotNormal`], [`AnalysisError::CutOff`] and [`AnalysisError::SpreadHidden`] where something speaks against normal
    /// values; [`AnalysisError::Level`] for a level that no band states.
    pub fn of_chart(
        chart: &CentileCurves,
        centiles: Vec<f64>,
        is_normal: bool,
        level: Option<f64>,
    ) -> Result<Self, AnalysisError> {
        let curves = chart.showing(centiles)?;
        let curves = if is_normal { curves.if_normal()? } else { curves };
        let curves = match level {
            Some(level) => curves.with_band(&Band::Population, level)?,
            None => curves,
        };
        Ok(Self { table: of_centiles(&curves), note: curves.few_people() })
    }

    /// Those of a mean or of a group with second moments, if values at each point are normal, which it cannot check.
    ///
    /// # Errors
    /// [`ComponentsError`] where the release has no second moments or they do not tell how people differ, for centiles that no chart shows
    /// and for a level that no band states.
    pub fn of_mean(mean: &PopulationMean, centiles: &[f64], level: Option<f64>) -> Result<Self, ComponentsError> {
        Centiles::check_shown(centiles).map_err(AnalysisError::Centiles)?;
        let normal = NormalCentiles::of(mean)?;
        let mut columns = vec!["t".to_owned()];
        let mut rows: Vec<(String, Vec<f64>)> =
            mean.grid().points().iter().map(|t| (String::new(), vec![*t])).collect();
        for &p in centiles {
            let (lower, upper) = normal.band(p / 100.0, level.unwrap_or(DEFAULT_LEVEL))?;
            for (end, numbers) in [("", normal.centile(p / 100.0)), ("_lower", lower), ("_upper", upper)] {
                columns.push(format!("p{}{end}", exact(p)));
                rows.iter_mut().zip(&numbers).for_each(|((_, row), number)| row.push(*number));
            }
        }
        Ok(Self { table: Table { key: None, columns, rows }, note: None })
    }
}
