//! One mean curve of a release, read from its file.

use std::path::Path;

use dpfda::analysis::{Banded, Estimable, Estimated, Means, PopulationMean, Several, View};
use dpfda::kinds::Kind;
use dpfda::mechanism::{Fact, Labels, Statistic};
use dpfda::plotting::About;
use dpfda::release::{Change, Groups, Mean, MeanMechanism, Regression, Rows, Surface};
use dpfda_study::BandChoice;

use crate::covariates::{Value, values_at};
use crate::document::{flawed, kind_in};
use crate::error::CliError;
use crate::input::document;
use crate::surfaces::SurfaceRefusal;

mod error;

pub use error::CurveRefusal;

/// The largest document that is read: a release on 100,000 points with its estimate takes a third of it.
pub const LARGEST: u64 = 1 << 26;

/// One mean curve of a release, with what is said beside it.
pub struct Curve {
    pub mean: Banded<PopulationMean>,
    pub facts: Vec<Fact>,
    /// What is said of the release alone.
    pub of_release: Vec<Fact>,
    pub software: String,
    pub labels: Labels,
    /// The least and the largest value that are possible, where they were stated.
    pub limits: Option<(f64, f64)>,
    /// Whether the noise of the release was secret.
    pub private: bool,
    /// Why its mean cannot be tested for equality with another, where it cannot.
    pub without_test: Option<&'static str>,
}

/// Why there is no test with rows.
const OF_ROWS: &str = "of curves measured at times of their own, the noise differs from place to place with the number of people who were measured \
                       there, and the test needs noise that is the same everywhere; the band is what tells two such means apart";

/// Why there is no test with noise of this shape.
fn shape_of_noise(mechanism: &MeanMechanism) -> Option<&'static str> {
    match mechanism {
        MeanMechanism::Isonormal => None,
        MeanMechanism::Coordinates(_) => Some(
            "a release with delta = 0 holds a few coordinates of the mean alone, with noise that is not normal, and the test is for normal noise \
             on the whole mean; the band is what tells such means apart",
        ),
        MeanMechanism::Sobolev(_) | MeanMechanism::CameronMartin(_) => Some(
            "the test needs noise of one size at all frequencies on both means, and a bound on slope or roughness or the Cameron-Martin \
             mechanism shaped the noise of one; the band is what tells such means apart",
        ),
    }
}

/// Which curve of a release is meant.
#[derive(Clone, Copy)]
pub enum Which<'a> {
    /// The mean of a release that has no other.
    Mean,
    /// The same, for a comparison of two releases.
    Side,
    /// The mean of a group, or a coefficient.
    Named(&'a str),
    /// The mean of people with these covariates.
    At(&'a [Value]),
}

impl Curve {
    /// A curve of a release in a file, with the band asked for.
    pub fn read(path: &Path, which: Which<'_>, band: &BandChoice) -> Result<Self, CliError> {
        let text = document(path, LARGEST)?;
        let kind = kind_in(&text);
        match (kind.as_str(), which) {
            (Groups::KIND, which) => {
                let estimated = parsed::<Groups>(path, &text)?;
                Self::beside(of_several(estimated.means(), which, (path, false))?, &estimated, band)
            }
            (Regression::KIND, Which::At(at)) => {
                let estimated = parsed::<Regression>(path, &text)?;
                Self::beside(predicted(&estimated, at)?, &estimated, band)
            }
            (Regression::KIND, which) => {
                let estimated = parsed::<Regression>(path, &text)?;
                Self::beside(of_several(estimated.means(), which, (path, true))?, &estimated, band)
            }
            (_, Which::Named(_)) => Err(CurveRefusal::OneMean.into()),
            (Change::KIND, Which::Mean | Which::Side) => {
                let estimated = parsed::<Change>(path, &text)?;
                let change = estimated.means().all().iter().map(|one| one.mean().cloned()).next();
                let change = change.ok_or(CurveRefusal::OneMean)?.map_err(CurveRefusal::Weak)?;
                let curve = Self::beside(change, &estimated, band)?;
                Ok(Self { without_test: shape_of_noise(&estimated.statistic().mean().mechanism()), ..curve })
            }
            (_, Which::At(_)) => Err(CurveRefusal::NoCovariates.into()),
            (Rows::KIND, Which::Mean | Which::Side) => {
                let estimated = parsed::<Rows>(path, &text)?;
                let curve = Self::beside(estimated.mean().clone(), &estimated, band)?;
                Ok(Self { without_test: Some(OF_ROWS), ..curve })
            }
            (_, Which::Mean | Which::Side) => {
                let estimated = band.again(of_mean(path, &kind, &text)?)?;
                let curve = Self::beside(estimated.mean().clone(), &estimated, &BandChoice::default())?;
                Ok(Self { without_test: shape_of_noise(&estimated.coordinates_of_noise()), ..curve })
            }
        }
    }

    /// The mean of a release that has one, of a mean or of a change, with its own band.
    pub fn read_one(path: &Path) -> Result<Self, CliError> {
        let text = document(path, LARGEST)?;
        let kind = kind_in(&text);
        if kind == Change::KIND {
            return Self::read(path, Which::Mean, &BandChoice::default());
        }
        let estimated = of_mean(path, &kind, &text)?;
        Self::beside(estimated.mean().clone(), &estimated, &BandChoice::default())
    }

    /// What figures say of the release.
    pub fn about(&self) -> About<'_> {
        About { facts: &self.of_release, labels: &self.labels, is_private: self.private, limits: None }
    }

    fn beside<S: Kind>(
        mean: Banded<PopulationMean>,
        estimated: &Estimated<S>,
        band: &BandChoice,
    ) -> Result<Self, CliError> {
        let mean = match band.other_than(&mean)? {
            Some((band, level)) => mean.with_band(&band, level)?,
            None => mean,
        };
        let (release, facts) = (estimated.drawn(), estimated.facts());
        Ok(Self {
            mean,
            facts,
            of_release: View::facts(estimated.release()),
            software: release.software().to_owned(),
            labels: release.labels().clone(),
            limits: S::bounds(estimated.release()),
            private: release.is_private(),
            without_test: None,
        })
    }
}

fn of_several(
    means: &Several<PopulationMean>,
    which: Which<'_>,
    (path, is_regression): (&Path, bool),
) -> Result<Banded<PopulationMean>, CurveRefusal> {
    let known = || means.all().iter().map(|mean| mean.name().to_owned()).collect();
    let name = match which {
        Which::Named(name) => name,
        Which::Side => return Err(CurveRefusal::Several { path: path.to_owned(), known: known(), is_regression }),
        Which::Mean => return Err(CurveRefusal::NoName { known: known(), is_regression }),
        Which::At(_) => return Err(CurveRefusal::NoCovariates),
    };
    let found = means.get(name).ok_or_else(|| CurveRefusal::Name { known: known() })?;
    found.mean().cloned().map_err(|reason| CurveRefusal::Hidden { name: name.to_owned(), reason })
}

fn predicted(estimated: &Estimated<Regression>, at: &[Value]) -> Result<Banded<PopulationMean>, CliError> {
    // whatever is asked of it
    estimated.hidden().map_or(Ok(()), |reason| Err(CurveRefusal::Weak(reason)))?;
    let cells = values_at(at, estimated.statistic().covariates())?;
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    Ok(estimated.predict(&cells).map_err(CurveRefusal::Weak)?)
}

/// The release in the text of a document, with its estimates.
fn parsed<S: Estimable>(path: &Path, text: &str) -> Result<Estimated<S>, CliError> {
    Estimated::<S>::from_json(text).map_err(|error| flawed(path, text, &error))
}

/// The kind of a release, as its file says it.
pub fn kind_of(path: &Path) -> Result<String, CliError> {
    Ok(kind_in(&document(path, LARGEST)?))
}

/// A release of groups from its file, with its estimates.
pub fn read_groups(path: &Path) -> Result<Estimated<Groups>, CliError> {
    parsed(path, &document(path, LARGEST)?).map_err(|error| error.asked_by("--groups"))
}

/// The release in a document that is not one of surfaces.
fn of_mean(path: &Path, kind: &str, text: &str) -> Result<Estimated<Mean>, CliError> {
    if kind == Surface::KIND {
        return Err(SurfaceRefusal::Curves { path: path.to_owned() }.into());
    }
    parsed(path, text)
}
