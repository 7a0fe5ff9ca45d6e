//! The centile curves of a release of distributions, with their bands.

use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Release, exact, least_step, rounded, rounded_beside};
use dpfda_release::{Bought, Centiles, InBall, NoisyWeights, SharesBelow, stated_by_default};
use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::Estimable;
use super::centile_cautions::{People, at_radius, cut_off, pulled, told};
use super::means::Means;
use crate::band::{Band, Target};
use crate::chart::Chart;
use crate::chart::noisy::NoisyDistribution;
use crate::error::{AnalysisError, check_level};
use crate::estimate::Estimate;
use crate::estimate::document::{EstimateDocument, Stated, StatedEstimates};

#[cfg(test)]
#[path = "of_centiles_tests.rs"]
mod tests;

/// Centile curves with bands of one level, for all points and all curves together.
#[derive(Debug, Clone)]
pub struct CentileCurves {
    chart: Arc<Chart>,
    place: Place,
    /// In percent.
    shown: Vec<f64>,
    is_normal: bool,
    curves: Vec<Estimate<f64>>,
    level: f64,
}

/// Where the numbers of a chart lie in units of the data.
#[derive(Debug, Clone)]
struct Place {
    grid: Grid,
    lower: f64,
    upper: f64,
    /// Whether the bounds cut off many values.
    is_cut_off: bool,
    /// Their mean distance from the centre, where it is nearly the largest that was stated.
    at_radius: Option<f64>,
    people: People,
}

/// The chart of section "free chart": `docs/proofs/charts.md`.
///
/// ```text
/// F(t, y) = u + sum_k r_k(t) sin(pi k u),   u = Phi((y - m(t)) / s(t)),     q_p(t) = F^-1(t, p)
/// band:  all y with |F(t, y) - p| <= c sqrt(v(t, y) + p (1 - p) / N)
/// ```
impl Estimable for Centiles {
    type View = Release<Centiles>;
    type Means = CentileCurves;
    type Document = CentileEstimates;

    fn means(release: &Release<Centiles>, band: &Band, level: f64) -> Result<CentileCurves, AnalysisError> {
        CentileCurves::new(release, release.statistic().shown(), band, level)
    }

    fn facts_of_estimate(release: &Release<Centiles>, curves: &CentileCurves) -> Vec<Fact> {
        stated_by_default(release).into_iter().chain(curves.facts(release)).collect()
    }
}

/// From this on, the evidence says that values at a point are not normal: three to one. No normal people of `docs/results/bands.md` reach it;
/// at ten to one a 15th of the releases of 1000 skewed people stayed below.
const AGAINST_NORMAL: f64 = 1.098_612_288_668_109_8;

/// Below `mu N` of so many a jump cannot be told from the noise.
const SHARP: f64 = 900.0;

/// Below `mu N` of [`FAINT`] bands are wider by `WIDER` of the inverse: without that they held in .82 to .89 of the releases of people
/// with heavy or skewed tails, in rows, and of two clusters.
const FAINT: f64 = 240.0;
const WIDER: f64 = 13.0;

/// So many points are named.
const MOST_NAMED: usize = 6;

/// What is said where the noise hides how people differ.
const DROWNED: &str = "The noise is as large as the differences between people: the curves say little of them, and the bands are wide for it.";

/// A half-width above this part of the range leaves a centile open on one side.
const OPEN: f64 = 0.25;

impl CentileCurves {
    /// These centiles of a release, in percent: which ones changes nothing of it.
    ///
    /// # Errors
    /// [`AnalysisError`] for a level that no band states, and another band than that of the population.
    pub fn new(release: &Release<Centiles>, shown: &[f64], band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let statistic = release.statistic();
        let (lower, upper) = statistic.bounds();
        let grid = statistic.grid();
        let shares = Centiles::shares_below(release);
        let place = Place {
            grid: grid.clone(),
            lower,
            upper,
            is_cut_off: cut_off(&shares).is_some(),
            at_radius: at_radius(release, &shares),
            people: People::of(release),
        };
        let widening = told(release, &shares).map_or(1.0, |told| 1.0 + (WIDER / told - WIDER / FAINT).max(0.0));
        let sds = shares.noise_sds();
        let SharesBelow { levels, values, of_center, noise_sd, weights, records, records_sd } = shares;
        // a noisy number of records moves all shares together, as if there were fewer records
        let records = (1.0 / (1.0 / records + records_sd * records_sd)).max(1.0);
        let mut observed = NoisyDistribution::new(
            grid.points().iter().map(|t| grid.to_unit_point(*t)).collect(),
            grid.is_periodic(),
            levels.mapv(|y| (y - lower) / (upper - lower)),
            values,
            noise_sd,
            records,
        )?;
        if let Some(weights) = weights {
            observed = observed.weighed(sds, weights.relative_sd(), of_center, &weights.parts())?;
        }
        let chart = Chart::fit(observed)?.widened(widening);
        Self::of_chart(Arc::new(chart), place, (shown.to_vec(), false), (band, level))
    }

    fn of_chart(
        chart: Arc<Chart>,
        place: Place,
        (shown, is_normal): (Vec<f64>, bool),
        (band, level): (&Band, f64),
    ) -> Result<Self, AnalysisError> {
        check_level(level)?;
        if *band != Band::Population {
            return Err(AnalysisError::OneBand { what: "centiles", band: band.name() });
        }
        let curve = |centile: &f64| place.estimate((&chart, is_normal), centile / 100.0, shown.len(), level);
        let curves = shown.iter().map(curve).collect();
        Ok(Self { chart, place, shown, is_normal, curves, level })
    }

    /// Other centiles of the same chart, in percent.
    ///
    /// # Errors
    /// [`AnalysisError::Centiles`] for centiles that no chart shows, and for those that a release of so many people refuses, where their number
    /// is public.
    pub fn showing(&self, shown: Vec<f64>) -> Result<Self, AnalysisError> {
        Centiles::check_shown(&shown).map_err(AnalysisError::Centiles)?;
        if self.place.people.is_public {
            self.place.people.check_beyond(&shown).map_err(AnalysisError::Centiles)?;
        }
        let (chart, place) = (Arc::clone(&self.chart), self.place.clone());
        Self::of_chart(chart, place, (shown, self.is_normal), (&Band::Population, self.level))
    }

    /// The centiles, in percent, each with its curve and band in units of the data.
    pub fn all(&self) -> impl Iterator<Item = (f64, &Estimate<f64>)> {
        self.shown.iter().copied().zip(&self.curves)
    }

    /// The points.
    pub fn grid(&self) -> &Grid {
        &self.place.grid
    }

    /// The bounds that values lie between.
    pub fn bounds(&self) -> (f64, f64) {
        (self.place.lower, self.place.upper)
    }

    /// The mean distance of people from the centre, where it is nearly the one that was stated and none was found: most people may have been
    /// pulled in to it.
    pub fn distance_at_radius(&self) -> Option<f64> {
        self.place.at_radius
    }

    /// What is said where a noisy number of people is one that a release would refuse if it were public.
    pub fn few_people(&self) -> Option<String> {
        let people = self.place.people;
        if people.is_public {
            return None;
        }
        let about = format!("The noisy number of people is about {}", rounded(people.number.max(0.0).round()));
        if let Some(least) = people.least.filter(|least| people.number < *least as f64) {
            return Some(format!("{about}, and a chart with this budget needs {least}: it says little about people."));
        }
        let few = self.shown.iter().filter(|p| people.check_beyond(&[**p]).is_err());
        let few: Vec<String> = few.map(|p| exact(*p) + "%").collect();
        (!few.is_empty()).then(|| {
            format!(
                "{about}: fewer than 10 of them lie beyond these centiles, of which the chart says little: {}.",
                few.join(", ")
            )
        })
    }

    /// The logarithm of the evidence against normal values at each point.
    pub fn log_evidence(&self) -> f64 {
        self.chart.log_evidence()
    }

    /// Whether values at a point are not normal: the evidence against it is more than three to one.
    pub fn are_not_normal(&self) -> bool {
        self.log_evidence() > AGAINST_NORMAL && !self.chart.hides_spread()
    }

    /// The same centiles if values at each point are normal, in the same bands, which assume nothing of the kind.
    ///
    /// # Errors
    /// [`AnalysisError::NotNormal`] where something speaks against it: the evidence is above 0. [`AnalysisError::CutOff`] where the bounds cut
    /// off many values, and [`AnalysisError::SpreadHidden`] where the noise hides how people differ.
    pub fn if_normal(&self) -> Result<Self, AnalysisError> {
        if self.place.is_cut_off {
            return Err(AnalysisError::CutOff);
        }
        if self.chart.hides_spread() {
            return Err(AnalysisError::SpreadHidden);
        }
        let log_evidence = self.log_evidence();
        if log_evidence.is_nan() || log_evidence >= 0.0 {
            return Err(AnalysisError::NotNormal { log_evidence });
        }
        let (chart, place) = (Arc::clone(&self.chart), self.place.clone());
        Self::of_chart(chart, place, (self.shown.clone(), true), (&Band::Population, self.level))
    }

    fn facts(&self, release: &Release<Centiles>) -> Vec<Fact> {
        let percent = rounded(100.0 * self.level);
        let estimate = "centiles of one smooth chart, which never cross: a location, a scale and a shape at each point";
        let shares = Centiles::shares_below(release);
        let of_rows =
            if shares.weights.is_some() { ". A point stands for the times that are nearest to it" } else { "" };
        let promise = format!(
            "{percent}% band for all centiles and all points together{of_rows}. Changes sharper than a twentieth of the domain may lie outside \
             the band. Coverage was simulated, not proved"
        );
        let widths: Vec<String> =
            self.all().map(|(p, curve)| format!("{}%: {}", exact(p), rounded(curve.half_width()))).collect();
        let precision = format!("the band reaches to each side on average, by centile, {}", widths.join(", "));
        let normal = match self.log_evidence() {
            _ if self.chart.hides_spread() => "whether values at a point are normal cannot be told",
            _ if self.are_not_normal() => "values at a point are not normal",
            evidence if evidence < 0.0 => "nothing speaks against normal values at each point, which proves nothing",
            _ => "whether values at a point are normal cannot be told",
        };
        let hidden = shares.weights.as_ref().and_then(|weights| self.unseen(weights));
        let pulled = release.statistic().bought().and_then(Bought::outside).and_then(pulled);
        let drowned = self.chart.hides_spread().then(|| DROWNED.to_owned());
        let notes = self.few_people().into_iter().chain(drowned).chain(self.one_sided());
        let notes = notes.chain(cut_off(&shares)).chain(pulled).chain(hidden);
        let notes = notes.chain(Self::blunt(release, &shares));
        [
            Fact::new("estimate", estimate)
                .briefly("centiles of one smooth chart, which never cross")
                .captioned("one smooth chart"),
            Fact::new("band", promise)
                .briefly(format!("{percent}% band for all centiles and all points together"))
                .captioned(format!("{percent}% band for all centiles together")),
            Fact::new("precision", precision.clone()).briefly(precision),
            Fact::new("shape", normal).briefly(normal),
        ]
        .into_iter()
        .chain(notes.map(|text| Fact::new("NOTE", text)))
        .collect()
    }

    /// Which centiles are known on one side only.
    fn one_sided(&self) -> Option<String> {
        let (lower, upper) = self.bounds();
        let is_open = |curve: &Estimate<f64>| {
            let reaches = curve.lower.iter().any(|x| *x <= lower) || curve.upper.iter().any(|x| *x >= upper);
            reaches || curve.half_width() > OPEN * (upper - lower)
        };
        let open: Vec<String> =
            self.all().filter(|(_, curve)| is_open(curve)).map(|(p, _)| format!("{}%", exact(p))).collect();
        let (centiles, are) = match open.len() {
            0 => return None,
            1 => ("centile", "is"),
            _ => ("centiles", "are"),
        };
        Some(format!("The {} {centiles} {are} known on one side only: the band is wide on the other.", open.join(", ")))
    }

    /// Where rows are so few that the noise hides how many.
    fn unseen(&self, weights: &NoisyWeights) -> Option<String> {
        let at: Vec<f64> = weights.hidden().map(|point| self.grid().points()[point]).collect();
        if at.len() == self.grid().len() {
            return Some(
                "At no point are there enough rows to be told from noise: the chart says little about people."
                    .to_owned(),
            );
        }
        let step = least_step(self.grid().points());
        let named: Vec<String> = at.iter().take(MOST_NAMED).map(|t| rounded_beside(*t, step)).collect();
        let more = if at.len() > MOST_NAMED { ", ..." } else { "" };
        (!at.is_empty()).then(|| {
            format!(
                "At {} of {} points ({}{more}) rows are too few to be told from noise: the chart there is made of its neighbours.",
                at.len(),
                self.grid().len(),
                named.join(", ")
            )
        })
    }

    /// What so few people and so small a budget cannot show.
    fn blunt(release: &Release<Centiles>, shares: &SharesBelow) -> Option<String> {
        (told(release, shares)? < SHARP).then(|| {
            "The band may miss a jump of more than two standard deviations, or a fifth of people far away in a narrow window."
                .to_owned()
        })
    }
}

impl Place {
    fn in_data_units(&self, values: &Array1<f64>) -> Array1<f64> {
        values.mapv(|x| self.lower + (self.upper - self.lower) * x.clamp(0.0, 1.0))
    }

    /// A centile as it stands in a document. Its curve is shown within its band.
    fn estimate(&self, (chart, is_normal): (&Chart, bool), p: f64, shown: usize, level: f64) -> Estimate<f64> {
        let (lower, upper) = chart.band(p, shown, level);
        let mut values = if is_normal { chart.normal_centile(p) } else { chart.centile(p) };
        for ((value, lower), upper) in values.iter_mut().zip(&lower).zip(&upper) {
            *value = value.min(*upper).max(*lower);
        }
        let sd = chart.posterior_sd(p).mapv(|sd| sd * (self.upper - self.lower));
        Estimate {
            at: self.grid.points().to_vec(),
            values: self.in_data_units(&values),
            // the noise of an estimate is at most what is not known of it
            noise_sd: sd.clone(),
            posterior_sd: sd,
            lower: self.in_data_units(&lower),
            upper: self.in_data_units(&upper),
            band: Band::Population,
            level,
            target: Target::PopulationCentile,
            critical: chart.critical(shown, level),
        }
    }
}

impl Means for CentileCurves {
    fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let (chart, place) = (Arc::clone(&self.chart), self.place.clone());
        Self::of_chart(chart, place, (self.shown.clone(), self.is_normal), (band, level))
    }

    fn band(&self) -> Option<Band> {
        Some(Band::Population)
    }

    fn level(&self) -> f64 {
        self.level
    }

    fn stated(&self) -> Vec<(Stated, f64)> {
        let size = self.place.upper - self.place.lower;
        self.all().map(|(p, curve)| ((exact(p), Some(curve.clone().into())), size)).collect()
    }
}

/// The centiles in a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CentileEstimates {
    level: f64,
    centiles: Vec<CentileEstimate>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CentileEstimate {
    /// In percent.
    centile: f64,
    curve: EstimateDocument,
}

impl StatedEstimates for CentileEstimates {
    fn of(level: f64, means: Vec<Stated>) -> Option<Self> {
        let centile = |(name, curve): Stated| Some(CentileEstimate { centile: name.parse().ok()?, curve: curve? });
        Some(Self { level, centiles: means.into_iter().filter_map(centile).collect() })
    }

    fn stated(self) -> (f64, Vec<Stated>) {
        let named = |CentileEstimate { centile, curve }| (exact(centile), Some(curve));
        (self.level, self.centiles.into_iter().map(named).collect())
    }
}
