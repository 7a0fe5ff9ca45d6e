//! The law of a release that buys its ball. It is adaptive: each answer is an exact sum with noise, in a ball that follows from
//! the answers before it. The whole transcript is attacked, every published integer of it.
//!
//! ```text
//! log p/q (y) = sum over steps k of the log-likelihood ratio of y_k,    the sums of step k being those given y_1 .. y_(k-1)
//! ```

use std::sync::Arc;

use dpfda_mechanism::{Release, Step};
use dpfda_privacy::{Calibration, GaussianPrivacy, Noise, NoisySum, SeededRandomness};
use dpfda_release::{BallShares, InBall};
use dpfda_smoothing::Ball;

use crate::added_noise::{AddedNoise, in_64_bits};
use crate::attack::Attack;
use crate::distribution::Distribution;
use crate::error::AuditError;
use crate::kinds::pairs::Pair;
use crate::kinds::steps::{Buying, Records, Steps};
use crate::sums::{distributions, words};
use crate::target::Target;

/// The share that buys a part of the ball: so large that a fault of the step that buys it shows.
const SHARE: f64 = 0.3;

/// Other records beside those of a pair: so many that a bought centre comes near them.
const OTHERS: u64 = 1_000;

/// The shares of a radius, and of a centre where one is bought.
pub(crate) fn shares(has_center: bool) -> Result<BallShares, AuditError> {
    Ok(BallShares::new(has_center.then_some(SHARE), Some(SHARE))?)
}

/// A release that buys its ball, as it is attacked.
pub(crate) struct Bargain<T> {
    /// The ball that is stated.
    pub(crate) ball: Ball,
    pub(crate) shares: BallShares,
    /// The fewest records that a radius is bought from.
    pub(crate) least: Option<u64>,
    /// Who else is in the data, many times.
    pub(crate) other: T,
}

impl<T: Copy> Bargain<T> {
    /// The attack on all answers together. `records`: the different records of a data set; `release`: a release of all of them.
    pub(crate) fn attack<S: InBall>(
        self,
        target: &Target,
        pairs: Vec<Pair<T>>,
        records: impl Fn(&[T]) -> Result<Records, AuditError>,
        release: impl Fn(&[T], &mut SeededRandomness) -> Result<Release<S>, AuditError>,
    ) -> Result<Attack, AuditError> {
        let Self { ball, shares, least, other } = self;
        let others = OTHERS.max(least.unwrap_or(0));
        let everyone =
            |records: &[T]| -> Vec<T> { records.iter().copied().chain((0..others).map(|_| other)).collect() };
        let some = pairs.first().map_or(&[][..], |pair| &pair.left);
        let sample = release(&everyone(some), &mut SeededRandomness::from_seed(0))?;
        let noise = AddedNoise::plain(&noise_of_steps(&sample));
        let buying = Arc::new(Buying {
            ball,
            shares,
            whole: GaussianPrivacy::calibrated(Calibration::Tight, &target.budget)?,
            is_public: sample.public_records().is_some(),
            sizes: sample.statistic().counted(sample.public_records()),
            weighing: sample.mechanism().statistic().weighing(sample.public_records().is_some()),
            words: words(&sample).len(),
            noise: noise.clone(),
        });
        let law_of = |number: usize, pair: &[T]| {
            let all = everyone(pair);
            let different: Vec<T> = pair.iter().copied().chain([other]).collect();
            let times = pair.iter().map(|_| 1).chain([others.cast_signed()]).collect();
            // public sizes of groups are those of the data set
            let buying = if buying.sizes.len() > 1 && buying.sizes.iter().all(Option::is_some) {
                let sample = release(&all, &mut SeededRandomness::from_seed(0))?;
                let sizes = sample.statistic().counted(sample.public_records());
                Arc::new(Buying { sizes, ..(*buying).clone() })
            } else {
                Arc::clone(&buying)
            };
            let steps = Steps::new((target.name, number), &buying, (records(&different)?, times), |randomness| {
                release(&all, randomness).map(|release| words_of_steps(&release))
            });
            steps.map(|steps| Distribution::Steps(Arc::new(steps)))
        };
        let same = |left: &Distribution, right: &Distribution| matches!((left, right), (Distribution::Steps(a), Distribution::Steps(b)) if a.is_like(b));
        Ok(target.attack(Some(noise), distributions(pairs, law_of, same)?))
    }
}

pub(crate) fn noise_of_steps<S: InBall>(release: &Release<S>) -> Noise {
    let mechanism = release.mechanism();
    let center = mechanism.center().map(Step::noise);
    let radius = mechanism.radius().map(Step::noise);
    together([center, radius, Some(release.noise())].into_iter().flatten())
}

/// All integers of a release that bought its ball.
fn words_of_steps<S: InBall>(release: &Release<S>) -> Vec<i64> {
    let answers = release.answers();
    let center = answers.center().into_iter().flat_map(NoisySum::words).map(in_64_bits);
    let radius = answers.radius().into_iter().flat_map(NoisySum::words);
    center.chain(radius).chain(words(release)).collect()
}

/// Noise of several steps as one.
fn together<'n>(steps: impl IntoIterator<Item = &'n Noise>) -> Noise {
    let of_step = |noise: &Noise| match noise {
        Noise::Gaussian(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    Noise::Gaussian(steps.into_iter().flat_map(of_step).collect())
}
