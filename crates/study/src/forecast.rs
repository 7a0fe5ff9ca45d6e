//! What a release will be worth, before there are data: the release itself, rehearsed on people who are made up.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use dpfda::mechanism::Statistic;
use dpfda::privacy::{Calibration, GaussianPrivacy, PrivacyBudget};
use dpfda::release::{DEFAULT_BINS, MAX_RECORDS, Mean as MeanOfCurves};
use serde::Serialize;

use crate::checked::Checked;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::release::Asked;
use crate::sections::Sections;
use crate::study::Study;
use crate::values::{CenterValue, Reason, Shape};

mod design;
mod draws;
mod error;
mod errors;
mod people;
mod rehearsal;
#[cfg(test)]
mod tests;
mod waves;

pub use error::ForecastError;
use error::{MOST_POINTS, MOST_VALUES};
pub use errors::Errors;
use rehearsal::{Rehearsal, Rehearsed};

/// How often a release is rehearsed.
const REHEARSALS: u64 = 8;

/// The most people who are made up where fewer say the same.
const ENOUGH: f64 = 1024.0;

/// The most people who are made up at all: from more on, noise falls as `1/N`.
const MOST: f64 = 8192.0;

/// The most points of a rehearsal: error and band hardly depend on their number.
const ENOUGH_POINTS: usize = 50;

/// The largest epsilon of a rehearsal.
const LARGEST: f64 = 50.0;

/// The part of the stated radius that people differ by where nothing is said.
const USUAL_SPREAD: f64 = 0.2;

/// What a study will be worth with so many people.
///
/// The release is rehearsed: curves are made up, and released by the study with the noise that it asks for. So the forecast is of whatever
/// the study does, also of a radius that is found. What is made up: people differ from their mean by the `spread` (root mean square), half
/// of it in their level and the rest in waves; the mean lies 1.5 spreads from the centre; groups and covariates move it by half a spread.
///
/// # Accuracy
/// A release depends on budget and number of people through `mu N`, but for the sampling of people (and of times, of rows). Of many people,
/// fewer are made up, at the same `mu N`.
///
/// # Examples
/// ```
/// use dpfda_study::{Forecast, Kind, Sections, Study};
///
/// # fn main() -> Result<(), dpfda_study::ForecastError> {
/// let said = Sections::of_texts([("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1")])?;
/// let forecast = Forecast::of(Study::of_flags(Some(Kind::Mean), said), 50, Some(0.1))?;
/// let expected = forecast.expected(400)?;
/// let mean = &expected.means[0];
/// assert!(mean.error < mean.half_width);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Forecast {
    /// The study; a centre that it states is 0 here.
    study: Checked,
    points: usize,
    spread: f64,
}

/// What is expected of one mean: root mean squares over the domain and over rehearsals, in the units of the data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Foretold {
    /// What it is called; empty where there is one.
    pub name: String,
    /// The distance of the estimate from the mean of these people, or from the coefficient of their regression.
    pub error: f64,
    /// The half-width of the band.
    pub half_width: f64,
    /// The standard deviation of the privacy noise in the estimate.
    pub noise_sd: f64,
}

/// What is expected of a release of so many people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Expected {
    /// The number of records.
    pub records: u64,
    /// The mean that one number is about: of groups the first, of a regression the coefficient of the first covariate.
    #[serde(flatten)]
    pub main: Option<Foretold>,
    /// All means, groups or coefficients. One that the noise hides in half of all rehearsals is left out.
    pub means: Vec<Foretold>,
    /// Why there is no such release.
    pub refused: Option<String>,
}

impl Forecast {
    /// Refuses what can be refused before there are data. The study need not name the columns of its table. `points` are those of the grid;
    /// of rows, the values of one subject.
    ///
    /// # Errors
    /// [`ForecastError`] of the study, of a density, of numbers of points that no grid has, and of a spread that is not positive or wider
    /// than the stated ball.
    pub fn of(mut study: Study, points: usize, spread: Option<f64>) -> Result<Self, ForecastError> {
        let is_of_rows = study.is_of_rows();
        match study.kind {
            Kind::Density => return Err(ForecastError::Density),
            Kind::Rows | Kind::Centiles if is_of_rows && !(1..=MOST_VALUES).contains(&points) => {
                return Err(ForecastError::Values { found: points });
            }
            Kind::Mean | Kind::Groups | Kind::Change | Kind::Regression | Kind::Centiles
                if !is_of_rows && !(2..=MOST_POINTS).contains(&points) =>
            {
                return Err(ForecastError::Points { found: points });
            }
            _ => {}
        }
        let Sections { privacy, table, bound, .. } = &mut study.said;
        // nothing is spent
        privacy.because.get_or_insert_with(|| Reason("a rehearsal".to_owned()));
        if table.time.is_none() && table.s.is_none() {
            table.values.get_or_insert_with(|| vec!["*".to_owned()]);
        }
        if study.kind == Kind::Change {
            table.subject.get_or_insert_with(|| "subject".to_owned());
        }
        if is_of_rows {
            // those of a release, not the times that people are made up at
            table.bins.get_or_insert(DEFAULT_BINS);
        }
        if bound.radius.is_some() && study.kind != Kind::Centiles {
            // nothing depends on the centre
            bound.center = Some(CenterValue::Constant(0.0));
        }
        // error and band hardly depend on the number of points
        if let Some(Shape(first, second)) = &mut study.said.surface.surface {
            (*first, *second) = ((*first).min(ENOUGH_POINTS / 2), (*second).min(ENOUGH_POINTS / 2));
        }
        let radius = study.ball()?.radius();
        let spread = spread.unwrap_or(USUAL_SPREAD * radius);
        if !(spread > 0.0 && spread <= radius) {
            return Err(ForecastError::Spread { radius, found: spread });
        }
        let study = study.check(Path::new("."))?;
        Asked::of(&study)?;
        Ok(Self { study, points, spread })
    }

    /// The study that is rehearsed.
    pub fn study(&self) -> &Checked {
        &self.study
    }

    /// How much people are taken to differ: root mean square, in the units of the data.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// The same of a study that says something else.
    ///
    /// # Errors
    /// [`Refusal`] of that study.
    pub fn changed(&self, change: impl FnOnce(&mut Sections)) -> Result<Self, Refusal> {
        let mut said = self.study.said.clone();
        change(&mut said);
        let study = Study { kind: self.study.kind, said }.check(Path::new("."))?;
        Asked::of(&study)?;
        Ok(Self { study, ..self.clone() })
    }

    /// The same mean without a delta, and without what needs one.
    ///
    /// # Errors
    /// As [`Forecast::changed`].
    pub fn without_delta(&self) -> Result<Self, Refusal> {
        self.changed(|said| {
            said.privacy.delta = Some(0.0);
            said.privacy.moments = None;
            let bound = &mut said.bound;
            (bound.radius_share, bound.center_share, bound.expected) = (None, None, None);
            (bound.slope, bound.roughness) = (None, None);
        })
    }

    /// What so many people are told from each other by, for one of them: `mu`, or epsilon without a delta.
    ///
    /// # Errors
    /// [`Refusal`] for an epsilon that no noise gives.
    pub fn size(&self, epsilon: f64) -> Result<f64, Refusal> {
        let privacy = &self.study.privacy;
        if privacy.is_pure() {
            return Ok(epsilon);
        }
        let budget = PrivacyBudget::new(epsilon, privacy.delta.unwrap_or(f64::NAN))?;
        Ok(GaussianPrivacy::calibrated(privacy.calibration(), &budget)?.mu())
    }

    /// The epsilon that the study says.
    pub fn epsilon(&self) -> f64 {
        self.study.privacy.epsilon.unwrap_or(f64::NAN)
    }

    /// What is expected of so many people. A release that is refused is told as one.
    ///
    /// # Errors
    /// [`ForecastError::Records`], and where a budget cannot be calibrated.
    pub fn expected(&self, records: u64) -> Result<Expected, ForecastError> {
        if !(<MeanOfCurves>::LEAST_RECORDS..=MAX_RECORDS).contains(&records) {
            return Err(ForecastError::Records { found: records });
        }
        let (count, size) = (records as f64, self.size(self.epsilon())?);
        let privacy = &self.study.privacy;
        let largest = if privacy.is_pure() { LARGEST } else { self.tight(LARGEST)? }.max(size);
        let is_outcome = self.study.regression.outcome.is_some();
        let rehearsed = count.min(MOST * largest / size);
        let enough = match self.study.kind {
            // the band has no part that is known to be due to the sampling of people
            Kind::Centiles => rehearsed,
            Kind::Regression if is_outcome => rehearsed,
            _ => (rehearsed * size / largest).ceil().max(ENOUGH),
        };
        let made = rehearsed.min(enough).floor();
        let study = if made < count { &self.of_fewer(made / count, size * rehearsed / made)? } else { self };
        let seen = study.rehearsed(made, self.shares(made / count, rehearsed / count));
        let (means, refused) = match seen {
            Ok(seen) => (rehearsal::together(&seen), None),
            Err(refusal) => (Vec::new(), Some(refusal.why)),
        };
        // of coefficients the first after the intercept
        let main = means.get(usize::from(self.study.kind == Kind::Regression && !is_outcome));
        Ok(Expected { records, main: main.cloned(), means, refused })
    }

    /// The same for this share of the people, with another size of the budget.
    fn of_fewer(&self, share: f64, size: f64) -> Result<Self, Refusal> {
        let epsilon = if self.study.privacy.is_pure() { size.min(LARGEST) } else { self.epsilon_of(size)? };
        self.changed(|said| {
            said.privacy.classical = None;
            said.privacy.epsilon = Some(epsilon);
            let scaled = |expected: usize| count(expected as f64 * share);
            said.bound.expected = said.bound.expected.map(scaled);
        })
    }

    /// The `mu` of this epsilon at the delta of the study, whatever its calibration.
    fn tight(&self, epsilon: f64) -> Result<f64, Refusal> {
        let budget = PrivacyBudget::new(epsilon, self.study.privacy.delta.unwrap_or(f64::NAN))?;
        Ok(GaussianPrivacy::calibrated(Calibration::Tight, &budget)?.mu())
    }

    /// The epsilon of this `mu` at the delta of the study.
    fn epsilon_of(&self, size: f64) -> Result<f64, Refusal> {
        let (mut low, mut high) = (0.0, LARGEST);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.tight(middle)? < size { low = middle } else { high = middle }
        }
        Ok(high)
    }

    fn shares(&self, people: f64, noise: f64) -> Shares {
        let rest = match self.study.kind {
            // what lies outside the coordinates is there however many people there are
            _ if self.study.privacy.is_pure() => 1.0,
            // times are sampled with people
            Kind::Rows => people,
            _ => noise.powi(2),
        };
        Shares { noise: noise.powi(2), rest, people }
    }

    fn asked(&self) -> Result<Asked<'_>, Refusal> {
        Ok(Asked::of(&self.study)?.unwrap_or_else(|| unreachable!("no density is foretold")))
    }

    /// What was seen in all rehearsals.
    fn rehearsed(&self, made: f64, shares: Shares) -> Result<Vec<Rehearsed>, Refusal> {
        let rehearsal = Rehearsal { forecast: self, asked: self.asked()?, made: count(made), shares };
        let seeds: Vec<u64> = (0..REHEARSALS).collect();
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let some = |seeds: &[u64]| seeds.iter().map(|&seed| rehearsal.seen(seed)).collect::<Result<Vec<_>, _>>();
        let some = &some;
        thread::scope(|scope| {
            let parts = seeds.chunks(seeds.len().div_ceil(threads));
            let working: Vec<_> = parts.map(|seeds| scope.spawn(move || some(seeds))).collect();
            let parts = working.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
            // all are waited for before one of them is refused
            let parts: Vec<_> = parts.collect();
            Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
        })
    }
}

/// What squares of a rehearsal with fewer people are scaled by.
#[derive(Debug, Clone, Copy)]
struct Shares {
    /// Those of the noise.
    noise: f64,
    /// Those of the error that is no noise.
    rest: f64,
    /// Those that are due to the sampling of people.
    people: f64,
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of people")]
fn count(number: f64) -> usize {
    number.round().max(1.0) as usize
}
