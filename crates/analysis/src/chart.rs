//! Charts of centiles, from noisy distribution functions.

use ndarray::{Array1, Array2, ArrayView1};

use crate::band::critical::sidak;
use crate::error::AnalysisError;

mod amplitudes;
mod inversion;
mod laplace;
pub(crate) mod noisy;
pub(crate) mod of_moments;
mod prior;
mod second_opinion;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
mod triangle;
mod uncertainty;

use amplitudes::{Charts, Weighted};
use inversion::{Uncertain, fine_levels};
use noisy::NoisyDistribution;
use shape::Shape;
use uncertainty::{Uncertainty, averaged};

/// A chart of centiles with its band, made of noisy distribution functions and public numbers alone.
///
/// ```text
/// F(t, y) = u + sum_k r_k(t) sin(pi k u),    u = Phi((y - m(t)) / s(t)),    k = 1..8
/// ```
///
/// `m`, `log s` and `r_k` are sums of public functions of `t` with independent normal coefficients. Laplace's approximation gives the
/// evidence of each prior. The *normal chart* has no `r_k`; its two amplitudes are those of most evidence. The *free chart* averages three
/// priors of the shapes by their evidence.
///
/// All values are in parts of the range. `docs/proofs/charts.md` says what is proved and what is measured.
///
/// # Examples
/// ```
/// use dpfda_analysis::{Chart, NoisyDistribution};
/// use ndarray::{Array1, Array2};
///
/// let points = Array1::linspace(0.0, 1.0, 20);
/// let levels = Array1::from_shape_fn(31, |j| (j + 1) as f64 / 32.0);
/// // a logistic distribution around a line, and no draw of noise
/// let values = Array2::from_shape_fn((20, 31), |(i, j)| 1.0 / (1.0 + (-(levels[j] - 0.4 - 0.1 * points[i]) / 0.05).exp()));
/// let chart = Chart::fit(NoisyDistribution::new(points, false, levels, values, 0.02, 1000.0)?)?;
///
/// let median = chart.centile(0.5);
/// let (lower, upper) = chart.band(0.5, 3, 0.95);
/// assert!((median[10] - 0.4526).abs() < 0.01);
/// assert!(lower[10] < 0.4526 && 0.4526 < upper[10]);
/// assert!(chart.centile(0.25)[10] < median[10]);
/// # Ok::<(), dpfda_analysis::AnalysisError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Chart {
    records: Array1<f64>,
    /// Location and logarithm of the scale of the normal chart at each point.
    normal: Array2<f64>,
    shapes: Vec<Weighted>,
    log_evidence: f64,
    levels: Array1<f64>,
    seen: (usize, usize),
    uncertainty: Uncertainty,
    widening: f64,
    /// The standard deviation of the noise of the location, and as a part of the spread of people.
    location_sd: f64,
    drowned: f64,
}

/// `Phi^-1(3/4)`
const QUARTILE: f64 = 0.674_489_750_196_081_7;

/// What a location is told from: values in a window of so long a part of the domain.
const WINDOW: f64 = 0.05;

/// Where the noise of the location is this part of the spread of people, bands begin to be wider for it, and from half as much again on they are
/// as wide as they become; where it is as large as the spread, the fit may follow the noise, and the chart says nothing of how people differ.
const DROWNING: f64 = 0.5;

/// So many standard deviations of that noise are added to each side of a band then.
const ADDED: f64 = 1.5;

impl Chart {
    /// The chart of what was observed. No number is drawn: everybody finds the same chart, up to rounding.
    ///
    /// # Errors
    /// None: every [`NoisyDistribution`] has a chart. Whether the chart is worth showing is for the caller to say.
    pub fn fit(observed: NoisyDistribution) -> Result<Self, AnalysisError> {
        let mut charts = Charts::fit(&observed);
        // what the noise of weights does to shares depends on the shares: a first chart says about what they are
        let weighed = observed.with_common(&averaged(&charts.shapes, &observed.levels));
        let observed = weighed.map_or(observed, |weighed| {
            charts = Charts::fit(&weighed);
            weighed
        });
        let Charts { normal, shapes, log_evidence } = charts;
        let (levels, seen) = fine_levels(observed.levels.view());
        let levels = Array1::from(levels);
        let uncertainty = Uncertainty::of(&observed, &shapes, &levels);
        let (location_sd, records) = (observed.location_sd(WINDOW), observed.records);
        let (widening, drowned) = (1.0, 0.0);
        let chart =
            Self { records, normal, shapes, log_evidence, levels, seen, uncertainty, widening, location_sd, drowned };
        let quartiles = (chart.centile(0.75) - chart.centile(0.25)).sum() / chart.normal.nrows() as f64;
        let spread = quartiles / (2.0 * QUARTILE);
        Ok(Self { drowned: location_sd / spread.max(f64::MIN_POSITIVE), ..chart })
    }

    /// Whether the noise of the location is as large as the spread of people: the chart does not tell how people differ.
    pub fn hides_spread(&self) -> bool {
        self.drowned >= 1.0
    }

    /// How much further out both ends of a band are where the noise is nearly as large as the spread of people, or larger.
    ///
    /// ```text
    /// 1.5 e min(1, 4 (e / S - 1/2))_+,    S = (q_75 - q_25) / (2 Phi^-1(3/4)),    e the noise of the location, averages over the domain
    /// ```
    fn added(&self) -> f64 {
        ADDED * self.location_sd * (2.0 * (self.drowned / DROWNING - 1.0)).clamp(0.0, 1.0)
    }

    /// The same with bands that are wider by a factor.
    pub(crate) fn widened(self, factor: f64) -> Self {
        Self { widening: factor * self.widening, ..self }
    }

    /// What a standard deviation is multiplied by in the bands of so many centiles at all points.
    pub(crate) fn critical(&self, shown: usize, level: f64) -> f64 {
        self.widening * sidak(self.normal.nrows() * shown, 1.0 - level)
    }

    /// How much the noisy values speak against normal values at each point: the logarithm of the evidence for shapes, over that of a sample
    /// from normal values.
    ///
    /// ```text
    /// B = log mean evidence(A = .03, .1, .3) - log evidence(A = 0)
    /// ```
    ///
    /// Above `log 3` values at a point are not normal. Below 0 nothing speaks against normal, which is no proof.
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// A centile of the free chart at each point. Centiles of one chart never cross.
    pub fn centile(&self, p: f64) -> Array1<f64> {
        let mut found = Array1::zeros(self.normal.nrows());
        for shape in &self.shapes {
            let own: Array1<f64> = shape.locals.rows().into_iter().map(|local| Shape::of(local).centile(p)).collect();
            found.scaled_add(shape.weight, &own);
        }
        found
    }

    /// A centile of the normal chart at each point: `m + s Phi^-1(p)`.
    pub fn normal_centile(&self, p: f64) -> Array1<f64> {
        self.normal.rows().into_iter().map(|local| Shape::of(local).centile(p)).collect()
    }

    /// The posterior standard deviation of a centile at each point, by the chart alone.
    ///
    /// Half of the width of the band that one standard deviation of `F` makes, `C` in `docs/proofs/charts.md`: to first order
    /// `sqrt(C) / (dF/dy)`, without a division by a density that may vanish.
    pub fn posterior_sd(&self, p: f64) -> Array1<f64> {
        let half = |(lower, upper): (f64, f64)| 0.5 * (upper - lower);
        self.ends(&self.uncertainty.chart, p, 1.0, |_| 0.0).map(half).collect()
    }

    /// The band of a centile: lower ends and upper ends at each point, for all points and all `shown` centiles together.
    ///
    /// ```text
    /// [ first y with F + c sqrt(v + p(1-p)/N) >= p,   last y with F - c sqrt(v + p(1-p)/N) <= p ],   c = Sidak(n shown), or a multiple
    /// ```
    ///
    /// Where the noise hides how people differ, both ends are further out.
    ///
    /// `v` is the larger of the variance of the chart and half of what a rougher process says. An end that is not reached is the end of the range.
    /// The level was measured, and is not proved.
    pub fn band(&self, p: f64, shown: usize, level: f64) -> (Array1<f64>, Array1<f64>) {
        let c = self.critical(shown, level);
        let sampling = |point: usize| p * (1.0 - p) / self.records[point];
        let (lower, upper): (Vec<f64>, Vec<f64>) = self.ends(&self.uncertainty.band, p, c, sampling).unzip();
        let added = self.added();
        let within = |y: f64| y.clamp(0.0, 1.0);
        ((Array1::from(lower) - added).mapv(within), (Array1::from(upper) + added).mapv(within))
    }

    fn ends(
        &self,
        variances: &Array2<f64>,
        p: f64,
        c: f64,
        sampling: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.uncertainty.distribution.rows().into_iter().zip(variances.rows()).enumerate();
        let uncertain = |(point, (distribution, variance)): (usize, (ArrayView1<'_, f64>, ArrayView1<'_, f64>))| {
            let levels = self.levels.view();
            Uncertain { levels, distribution, variance, seen: self.seen }.ends(p, c, sampling(point))
        };
        rows.map(uncertain).collect::<Vec<_>>().into_iter()
    }
}
