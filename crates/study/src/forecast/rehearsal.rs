//! A release that is rehearsed: its account pays nothing, and compares the estimate with what is known of the people.

use std::fmt::Display;
use std::num::NonZeroUsize;

use dpfda::analysis::{Band, Banded, DomainPoint, Estimate, Named, Population, Several};
use dpfda::kinds::{Kind as Estimable, Picture};
use dpfda::mechanism::{Payable, Release, exact};
use dpfda::privacy::{RandomnessError, SeededRandomness};
use dpfda::release::{EncodeError, ReleaseError};
use dpfda::smoothing::TableError;
use ndarray::Array1;
use thiserror::Error;

use super::people::People;
use super::{Forecast, Foretold, Shares};
use crate::refusal::Refusal;
use crate::release::{Account, Asked, Data, Finish, Unwatched, Work};

/// A release that is rehearsed.
pub struct Rehearsal<'a> {
    pub forecast: &'a Forecast,
    pub asked: Asked<'a>,
    /// The number of people who are made up.
    pub made: usize,
    pub shares: Shares,
}

/// What one rehearsal has seen: of each mean by its name, unless the noise hides it.
pub type Rehearsed = Vec<(String, Option<Seen>)>;

/// What one rehearsal has seen of a mean: mean squares over the domain.
#[derive(Debug, Clone)]
pub struct Seen {
    error: f64,
    half_width: f64,
    noise: f64,
}

impl Rehearsal<'_> {
    /// What is seen with the people and the noise of a seed: of each mean, unless the noise hides it.
    ///
    /// # Errors
    /// [`Refusal`] of so few people.
    pub fn seen(&self, seed: u64) -> Result<Rehearsed, Refusal> {
        let people = People::of(self.forecast, &self.asked, self.made, seed)?;
        let data = Data::Memory(&people.curves, &people.columns);
        let account = Comparing { people: &people, shares: self.shares, seed };
        let work = Work { threads: Some(NonZeroUsize::MIN), is_sorted: false };
        self.asked.release(&data, work, account, &Unwatched).map_err(|Failed(refusal)| refusal)
    }
}

/// Why there was no release.
#[derive(Debug, Error)]
#[error("{0}")]
struct Failed(#[from] Refusal);

impl From<ReleaseError> for Failed {
    fn from(error: ReleaseError) -> Self {
        Self(error.into())
    }
}

/// What cannot happen with curves in memory, and has no setting to blame.
fn other(error: impl Display) -> Failed {
    Failed(Refusal::of("", error.to_string()))
}

impl From<TableError> for Failed {
    fn from(error: TableError) -> Self {
        other(error)
    }
}

impl From<EncodeError> for Failed {
    fn from(error: EncodeError) -> Self {
        other(error)
    }
}

impl From<RandomnessError> for Failed {
    fn from(error: RandomnessError) -> Self {
        other(error)
    }
}

/// Pays nothing, and compares.
struct Comparing<'a> {
    people: &'a People,
    shares: Shares,
    seed: u64,
}

impl Account for Comparing<'_> {
    type Output = Rehearsed;
    type Error = Failed;

    fn pay<S: Estimable>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<Self::Output, Failed> {
        let drawn = prepared.draw(None, &mut SeededRandomness::from_seed(self.seed)).map_err(other)?;
        let (estimated, _) = (finish.estimate)((finish.view)(drawn)?)?;
        let picture = S::picture(estimated);
        if let Some(means) = picture.means() {
            return Ok(self.several(means)?);
        }
        match picture {
            Picture::Curve { mean, .. } => Ok(vec![(String::new(), Some(self.compared(&mean, 0)?))]),
            Picture::Surface(mean) => Ok(vec![(String::new(), Some(self.compared(&mean, 0)?))]),
            Picture::Outcome(outcome) => Ok(vec![self.correlation(outcome.correlation())]),
            Picture::Centiles(curves) => Ok(curves.all().map(|(p, curve)| self.centile(p, curve)).collect()),
            _ => Ok(Vec::new()),
        }
    }
}

impl Comparing<'_> {
    fn several<M: Population>(&self, means: &Several<M>) -> Result<Rehearsed, Refusal> {
        let one = |(place, named): (usize, &Named<M>)| {
            let mean = named.mean().ok();
            Ok((named.name().to_owned(), mean.map(|mean| self.compared(mean, place)).transpose()?))
        };
        means.all().iter().enumerate().map(one).collect()
    }

    /// A centile curve, compared with the centile of the people at each point.
    fn centile(&self, p: f64, curve: &Estimate<f64>) -> (String, Option<Seen>) {
        let of_people = curve.at.iter().map(|t| centile_of(self.people.values_at(*t), p));
        let error = &curve.values - &of_people.collect::<Array1<f64>>();
        let Shares { noise, people, .. } = self.shares;
        let compared = Seen {
            error: people * mean_square(&error),
            half_width: people * mean_square(&((&curve.upper - &curve.lower) / 2.0)),
            noise: noise * mean_square(&curve.noise_sd),
        };
        (format!("{}% centile", exact(p)), Some(compared))
    }

    /// The correlation with an outcome, compared with that of the people.
    fn correlation(&self, curve: &Estimate<f64>) -> (String, Option<Seen>) {
        let Shares { noise, people, .. } = self.shares;
        let compared = Seen {
            error: people * mean_square(&(&curve.values - &self.people.correlation())),
            half_width: people * mean_square(&((&curve.upper - &curve.lower) / 2.0)),
            noise: noise * mean_square(&curve.noise_sd),
        };
        ("correlation".to_owned(), Some(compared))
    }

    fn compared<M: Population>(&self, mean: &Banded<M>, place: usize) -> Result<Seen, Refusal> {
        let estimate = mean.estimate();
        let points: Vec<Vec<f64>> = estimate.at.iter().map(|point| point.coordinates().collect()).collect();
        let error = &estimate.values - &self.people.truth(place, &points);
        let width = |estimate: &Estimate<M::Point>| mean_square(&((&estimate.upper - &estimate.lower) / 2.0));
        let (all, Shares { noise, rest, people }) = (width(estimate), self.shares);
        // what is not due to the sampling of people
        let private = if people < 1.0 {
            width(&mean.population().estimate(&Band::Posterior, estimate.level)?).min(all)
        } else {
            0.0
        };
        let (error, due_to_noise) = (mean_square(&error), mean_square(&estimate.noise_sd));
        let beside = (error - due_to_noise).max(0.0);
        let private_share = if rest < 1.0 { noise } else { rest };
        Ok(Seen {
            error: noise * (error - beside) + rest * beside,
            half_width: private_share * private + people * (all - private),
            noise: noise * due_to_noise,
        })
    }
}

/// The value that this percentage of people is at or below.
fn centile_of(mut values: Vec<f64>, p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
    let place = (p / 100.0 * values.len() as f64).ceil() as usize;
    values.get(place.max(1) - 1).copied().unwrap_or(f64::NAN)
}

fn mean_square(values: &Array1<f64>) -> f64 {
    values.dot(values) / values.len() as f64
}

/// What all rehearsals have seen together. A mean that half of them hide is left out.
pub fn together(rehearsals: &[Rehearsed]) -> Vec<Foretold> {
    let Some(first) = rehearsals.first() else { return Vec::new() };
    let of_mean = |place: usize| {
        let seen: Vec<&Seen> = rehearsals.iter().filter_map(|one| one.get(place)?.1.as_ref()).collect();
        let root = |of: fn(&Seen) -> f64| (seen.iter().map(|seen| of(seen)).sum::<f64>() / seen.len() as f64).sqrt();
        (2 * seen.len() > rehearsals.len()).then(|| Foretold {
            name: first[place].0.clone(),
            error: root(|seen| seen.error),
            half_width: root(|seen| seen.half_width),
            noise_sd: root(|seen| seen.noise),
        })
    };
    (0..first.len()).filter_map(of_mean).collect()
}
