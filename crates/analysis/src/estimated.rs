//! Releases with their estimates: what documents, figures and summaries show of them.

use std::ops::{Deref, Range};

use dpfda_mechanism::{Fact, RawValue, ReadError, Release, Statistic, read_part};

use crate::band::Band;
use crate::defaults::DEFAULT_LEVEL;
use crate::error::AnalysisError;
use crate::estimate::document::{self, StatedEstimates};
use crate::estimate::{Estimate, PointEstimate};
use crate::population::Population;

mod centile_cautions;
pub(crate) mod means;
mod of_centiles;
mod of_groups;
mod of_mean;
pub(crate) mod of_regression;
mod of_rows;
mod of_surface;
mod view;

use means::{Banded, Means};
pub use of_centiles::CentileCurves;
pub use of_regression::Fitted;
pub use of_surface::SurfaceSlopes;
pub use view::View;

/// A statistic whose releases have estimates.
pub trait Estimable: Statistic {
    /// Its release as readers see it.
    type View: View<Statistic = Self>;
    /// One mean, or several under names.
    type Means: Means;
    /// The estimates in a document.
    type Document: StatedEstimates;

    /// What a release says about its means, with a band.
    fn means(release: &Self::View, band: &Band, level: f64) -> Result<Self::Means, AnalysisError>;

    /// The band where none is asked for: that of the population, or of these people where the release says nothing about a population.
    fn default_band(_release: &Self::View) -> Band {
        Band::Population
    }

    /// The release as a band shows it, which may change the estimate.
    fn shown(release: Self::View, _means: &mut Self::Means) -> Result<Self::View, AnalysisError> {
        Ok(release)
    }

    /// The parts of the domain that too few people were measured in to tell from the noise.
    fn unsupported(_release: &Self::View) -> Vec<Range<f64>> {
        Vec::new()
    }

    /// How the estimates were made, what their bands promise, and what should make a reader careful.
    fn facts_of_estimate(release: &Self::View, means: &Self::Means) -> Vec<Fact>;
}

/// A release with what it says about its mean, or about each of its means: a posterior, and a band. It dereferences to the release.
///
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, Estimated};
/// # use dpfda_kernels::Grid;
/// # use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// # use dpfda_release::{Mean, PrivateMean};
/// # use dpfda_smoothing::{Ball, Center, CurveSet};
/// # use ndarray::Array2;
/// # let values = Array2::from_shape_fn((400, 40), |(i, k)| 0.5 + 0.1 * ((i % 7 + k) as f64 / 9.0).sin());
/// # let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 40)?, values)?;
/// # let ball = Ball::new(Center::Constant(0.5), 0.2)?;
/// # let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
/// # let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
/// let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
/// let estimate = estimated.estimate();
/// assert!(estimate.lower.iter().zip(&estimate.upper).all(|(lower, upper)| lower < upper));
/// // the document has the estimate in it, and reads back
/// let again = Estimated::<Mean>::from_json(&estimated.to_json()?)?;
/// assert_eq!(again.estimate().band, Band::Population);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Estimated<S: Estimable> {
    release: S::View,
    means: S::Means,
}

impl<S: Estimable> Deref for Estimated<S> {
    type Target = S::View;

    fn deref(&self) -> &S::View {
        &self.release
    }
}

impl<S: Estimable> Estimated<S> {
    /// What a release says, with bands of this level.
    ///
    /// # Errors
    /// [`AnalysisError`] for a level outside (0.5, 0.9999), and a band that needs what the release does not hold. One of several means of
    /// which nothing can be said is no error here.
    pub fn new(release: S::View, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let means = S::means(&release, band, level)?;
        Self::shown(release, means)
    }

    /// The band of a release where none is asked for: that of the population, or of these people where the release says nothing about a
    /// population.
    pub fn default_band(release: &S::View) -> Band {
        S::default_band(release)
    }

    /// The same release with another band: post-processing, at no cost.
    pub fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        Self::shown(self.release.clone(), self.means.with_band(band, level)?)
    }

    fn shown(release: S::View, mut means: S::Means) -> Result<Self, AnalysisError> {
        Ok(Self { release: S::shown(release, &mut means)?, means })
    }

    /// The release.
    pub fn release(&self) -> &S::View {
        &self.release
    }

    /// The release alone, without a smoother.
    pub fn drawn(&self) -> &Release<S> {
        self.release.drawn()
    }

    /// The mean, or the means.
    pub fn means(&self) -> &S::Means {
        &self.means
    }

    /// The release, and the mean or the means.
    pub fn into_parts(self) -> (S::View, S::Means) {
        (self.release, self.means)
    }

    /// The parts of the domain that too few people were measured in to tell from the noise; none for a release of whole curves.
    pub fn unsupported(&self) -> Vec<Range<f64>> {
        S::unsupported(&self.release)
    }

    /// What the release is and what the estimate promises, in words.
    pub fn facts(&self) -> Vec<Fact> {
        View::facts(&self.release).into_iter().chain(self.facts_of_estimate()).collect()
    }

    /// How the estimate was made, what its band promises, and what should make a reader careful.
    pub fn facts_of_estimate(&self) -> Vec<Fact> {
        S::facts_of_estimate(&self.release, &self.means)
    }

    /// The release with its estimates as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let stated = self.means.stated().into_iter().map(|(stated, _)| stated).collect();
        self.release.write(S::Document::of(self.means.level(), stated).as_ref())
    }

    /// Reads a release back with its estimates, which must be what the release gives. A document without estimates gets the default
    /// ones.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, document) = S::View::read::<S::Document>(json)?;
        Self::stated(release, document)
    }

    /// The same for a release that was read already, with the estimates in its document.
    pub fn of_document(release: S::View, estimates: Option<&RawValue>) -> Result<Self, ReadError> {
        Self::stated(release, read_part(estimates)?)
    }

    fn stated(release: S::View, document: Option<S::Document>) -> Result<Self, ReadError> {
        let (level, stated) = document.map_or((DEFAULT_LEVEL, None), |document| {
            let (level, stated) = document.stated();
            (level, Some(stated))
        });
        let band = stated.iter().flatten().find_map(|(_, estimate)| Some(estimate.as_ref()?.band.clone()));
        let band = band.unwrap_or_else(|| S::default_band(&release));
        let refused = |_| ReadError::Contradiction { field: "estimate.band" };
        let derived = Self::new(release, &band, level).map_err(refused)?;
        if let Some(stated) = stated {
            document::check(&stated, &derived.means.stated())?;
        }
        Ok(derived)
    }
}

/// What a release of one mean says.
impl<S: Estimable<Means = Banded<M>>, M: Population> Estimated<S> {
    /// The mean with its estimate.
    pub fn mean(&self) -> &Banded<M> {
        &self.means
    }

    /// The mean of the population, for a difference with another.
    pub fn population(&self) -> &M {
        self.means.population()
    }

    /// The posterior of the mean of the people in the release.
    pub fn posterior(&self) -> &M::Posterior {
        self.means.population().posterior()
    }

    /// The estimate at the grid's points, as it stands in a document.
    pub fn estimate(&self) -> &Estimate<M::Point> {
        self.means.estimate()
    }

    /// The estimate at the grid's points, one by one.
    pub fn points(&self) -> Vec<PointEstimate<M::Point>> {
        self.means.estimate().points()
    }

    /// The estimate at any points of the domain. Between the grid's points the width of the band, and where the band has no
    /// function of its own its middle, are linear.
    pub fn at(&self, points: &[M::Point]) -> Result<Vec<PointEstimate<M::Point>>, AnalysisError> {
        self.means.at(points)
    }
}
