//! What a release says about a mean, over any domain.

use dpfda_kernels::{Kernel, KernelName};
use dpfda_mechanism::exact;
use ndarray::Array1;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::band::{Band, Target};

pub(crate) mod document;
pub(crate) mod in_words;

use document::EstimateDocument;

/// Above this fraction of the centre's error the estimate is hardly better than the centre.
pub(crate) const HARDLY_BETTER: f64 = 0.7;

/// A point of a domain: a number on a line or a circle, a pair on a rectangle.
pub trait DomainPoint: Copy + std::fmt::Debug + PartialEq {
    /// What its coordinates are called in documents and tables.
    const NAMES: &'static [&'static str];

    /// Its coordinates, in this order.
    fn coordinates(self) -> impl Iterator<Item = f64>;

    /// The points of a grid as a document holds them: `grid` on a line or a circle, `s` and `t` on a rectangle.
    fn axes(at: &[Self]) -> [Option<Vec<f64>>; 3];
}

impl DomainPoint for f64 {
    const NAMES: &'static [&'static str] = &["t"];

    fn coordinates(self) -> impl Iterator<Item = f64> {
        [self].into_iter()
    }

    fn axes(at: &[Self]) -> [Option<Vec<f64>>; 3] {
        [Some(at.to_vec()), None, None]
    }
}

impl DomainPoint for (f64, f64) {
    const NAMES: &'static [&'static str] = &["s", "t"];

    fn coordinates(self) -> impl Iterator<Item = f64> {
        [self.0, self.1].into_iter()
    }

    fn axes(at: &[Self]) -> [Option<Vec<f64>>; 3] {
        let row = at.iter().take_while(|point| point.0 == at[0].0);
        let t: Vec<f64> = row.map(|point| point.1).collect();
        let s = at.iter().step_by(t.len().max(1)).map(|point| point.0).collect();
        [None, Some(s), Some(t)]
    }
}

/// The estimate of a mean with its band, at the points of its grid: numbers for readers, which follow from the release.
///
/// The points of a rectangle stand row by row: the second coordinate runs fastest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "EstimateDocument")]
#[serde(bound = "P: DomainPoint")]
pub struct Estimate<P> {
    /// The points of the grid.
    pub at: Vec<P>,
    /// The middle of the band: the posterior mean, or what the band's own smoother gives.
    pub values: Array1<f64>,
    /// The pointwise standard deviation of the posterior, whose mean is in `values` for the bands `population`, `posterior` and
    /// `noise`.
    pub posterior_sd: Array1<f64>,
    /// The standard deviation of the privacy noise in `values`; of a surface at least that.
    pub noise_sd: Array1<f64>,
    /// The lower end of the band.
    pub lower: Array1<f64>,
    /// The upper end of the band.
    pub upper: Array1<f64>,
    /// Which band. All bands are simultaneous: they are about all points at once.
    pub band: Band,
    /// The probability that the band states.
    pub level: f64,
    /// What the band is about.
    pub target: Target,
    /// How many standard deviations the band is wide, on either side. It is in no document.
    pub critical: f64,
}

/// The estimate at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointEstimate<P> {
    /// The point.
    pub at: P,
    /// The estimate.
    pub value: f64,
    /// Its posterior standard deviation.
    pub posterior_sd: f64,
    /// The standard deviation of the privacy noise alone.
    pub noise_sd: f64,
    /// The lower end of the band.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

impl<P: DomainPoint> Estimate<P> {
    /// The estimate point by point.
    pub fn points(&self) -> Vec<PointEstimate<P>> {
        let point = |(i, &at): (usize, &P)| PointEstimate {
            at,
            value: self.values[i],
            posterior_sd: self.posterior_sd[i],
            noise_sd: self.noise_sd[i],
            lower: self.lower[i],
            upper: self.upper[i],
        };
        self.at.iter().enumerate().map(point).collect()
    }

    /// How far the band reaches to each side, on average over the points.
    pub fn half_width(&self) -> f64 {
        self.lower.iter().zip(&self.upper).map(|(lower, upper)| (upper - lower) / 2.0).sum::<f64>()
            / self.at.len() as f64
    }
}

impl<P> PointEstimate<P> {
    /// The same numbers at a place of another domain.
    pub(crate) fn moved<Q>(self, at: Q) -> PointEstimate<Q> {
        let Self { value, posterior_sd, noise_sd, lower, upper, .. } = self;
        PointEstimate { at, value, posterior_sd, noise_sd, lower, upper }
    }
}

impl<P: DomainPoint> Serialize for PointEstimate<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PointEstimate", P::NAMES.len() + 5)?;
        for (name, coordinate) in P::NAMES.iter().zip(self.at.coordinates()) {
            fields.serialize_field(name, &coordinate)?;
        }
        fields.serialize_field("value", &self.value)?;
        fields.serialize_field("posterior_sd", &self.posterior_sd)?;
        fields.serialize_field("noise_sd", &self.noise_sd)?;
        fields.serialize_field("lower", &self.lower)?;
        fields.serialize_field("upper", &self.upper)?;
        fields.end()
    }
}

/// A kernel in words, such as `matern52 kernel, range 0.4`, with the words before the range.
pub(crate) fn kernel_in_words(kernel: &Kernel, range_is: &str) -> String {
    KernelName::of(kernel).map_or_else(
        || "a composite kernel".to_owned(),
        |(name, range)| format!("{name} kernel{range_is} {}", exact(range)),
    )
}
