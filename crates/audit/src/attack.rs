//! The attack itself: draws from both sides of every pair, counts of events, and exact bounds.

use dpfda_privacy::{NeighbouringRelation, SeededRandomness, binomial_bounds};
use serde::Serialize;

use crate::added_noise::AddedNoise;
use crate::claim::{Claim, Inequality};
use crate::distribution::Distribution;
use crate::error::AuditError;
use crate::kinds::steps::{Path, Steps};
use crate::likelihood_ratio::LikelihoodRatio;

/// How often an honest mechanism may be refuted, over all its pairs and events together.
pub const FAMILY_LEVEL: f64 = 1e-6;

/// What rounding may add to a loss that is attained.
const ROUNDING: f64 = 1e-9;

/// How an audit is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditPlan {
    /// Draws from each side of a pair.
    pub draws: u64,
    /// Where the draws come from. An audit sees synthetic data alone, so that a public seed gives nothing away.
    pub seed: u64,
    /// How many mechanisms share [`FAMILY_LEVEL`], at least 1.
    pub mechanisms: u32,
}

impl Default for AuditPlan {
    fn default() -> Self {
        Self { draws: 1_000_000, seed: 1, mechanisms: 1 }
    }
}

/// A mechanism with its claim, and pairs of neighbouring synthetic data sets that were built to be worst for it.
#[derive(Debug, Clone)]
pub struct Attack {
    pub(crate) name: &'static str,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) claim: Claim,
    /// Of a mechanism that adds some.
    pub(crate) noise: Option<AddedNoise>,
    /// Each once: data sets with the same exact sums have the same law.
    pub(crate) distributions: Vec<Distribution>,
    pub(crate) pairs: Vec<DistributionPair>,
}

/// A pair, with the places of its laws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DistributionPair {
    pub(crate) name: &'static str,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

/// The outcome of an audit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditReport {
    /// The mechanism.
    pub mechanism: &'static str,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// The claim.
    pub epsilon: f64,
    /// The claim.
    pub delta: f64,
    /// Draws from each side.
    pub draws: u64,
    /// Events looked at, over all pairs and both directions.
    pub events: usize,
    /// How often an honest mechanism is refuted by draws, at most.
    pub false_positive_rate: f64,
    /// Whether the claim is refuted, by draws or by integers.
    pub refuted: bool,
    /// The largest epsilon, at the claim's delta, that the draws contradict.
    pub epsilon_shown: f64,
    /// One for each pair.
    pub pairs: Vec<PairReport>,
}

/// What was seen of one pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairReport {
    /// How its data sets differ.
    pub name: &'static str,
    /// The loss that the exact sums of the two have at this noise, as a part of what is claimed; above 1 the claim is false.
    /// `None` where there are no sums.
    pub exact_part: Option<f64>,
    /// The largest epsilon, at the claim's delta, that the draws contradict.
    pub epsilon_shown: f64,
    /// Whether an event was too likely on one side.
    pub refuted_by_draws: bool,
    /// Whether the sums are too far apart.
    pub refuted_by_sums: bool,
}

/// Counts of one event of one pair in one direction, on the side where it is likely and on the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventCount {
    pub(crate) pair: usize,
    pub(crate) inequality: Inequality,
    pub(crate) likely: u64,
    pub(crate) other: u64,
}

impl Attack {
    /// The name of the mechanism.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is claimed.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Whether the claim has `delta = 0`.
    pub fn is_pure(&self) -> bool {
        matches!(self.claim, Claim::Pure { .. })
    }

    /// Whether answers depend on those before them.
    pub(crate) fn is_adaptive(&self) -> bool {
        self.distributions.iter().any(|law| matches!(law, Distribution::Steps(_)))
    }

    /// The number of pairs of neighbours.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The same attack through one pair alone, by its place.
    #[must_use]
    pub fn through(&self, pair: usize) -> Self {
        Self { pairs: self.pairs.get(pair).cloned().into_iter().collect(), ..self.clone() }
    }

    /// Attacks the mechanism's own claim.
    ///
    /// ```text
    /// refuted  if  lower bound of P(A) > e^e * upper bound of Q(A) + delta(e)   for an event A, or the sums are too far apart
    /// ```
    ///
    /// The events are `log p/q > t` for thresholds `t` that follow from the claim alone, in both directions. Each bound has the
    /// share `family level / (mechanisms * events * 2)` of the error (Bonferroni).
    ///
    /// # Errors
    /// [`AuditError`]; it is the claim's fault only where the error says so.
    pub fn run(&self, plan: &AuditPlan) -> Result<AuditReport, AuditError> {
        self.run_on(self, plan)
    }

    /// Attacks this claim with the releases of another mechanism of the same shape, such as one with too little noise.
    pub fn run_on(&self, drawn: &Self, plan: &AuditPlan) -> Result<AuditReport, AuditError> {
        let counts = self.count(drawn, plan)?;
        let level = self.level(plan);
        let mut pairs = self.exact_parts(drawn)?;
        for event in &counts {
            let (least, _) = binomial_bounds(event.likely, plan.draws, level);
            let (_, most) = binomial_bounds(event.other, plan.draws, level);
            let Inequality { epsilon, delta, .. } = event.inequality;
            let pair = &mut pairs[event.pair];
            pair.refuted_by_draws |= least > epsilon.exp() * most + delta;
            pair.epsilon_shown = pair.epsilon_shown.max(self.claim.loss_shown(least, most));
        }
        Ok(AuditReport {
            mechanism: self.name,
            neighbours: self.neighbours,
            epsilon: self.claim.epsilon(),
            delta: self.claim.delta(),
            draws: plan.draws,
            events: counts.len(),
            false_positive_rate: FAMILY_LEVEL / f64::from(plan.mechanisms.max(1)),
            refuted: pairs.iter().any(|pair| pair.refuted_by_draws || pair.refuted_by_sums),
            epsilon_shown: pairs.iter().map(|pair| pair.epsilon_shown).fold(0.0, f64::max),
            pairs,
        })
    }

    /// The error that each bound is allowed.
    pub(crate) fn level(&self, plan: &AuditPlan) -> f64 {
        let events = 2 * self.pairs.len() * self.claim.inequalities().len();
        FAMILY_LEVEL / (f64::from(plan.mechanisms.max(1)) * 2.0 * events as f64)
    }

    /// The loss of each pair's exact sums under the noise that is drawn, as a part of the claimed one.
    fn exact_parts(&self, drawn: &Self) -> Result<Vec<PairReport>, AuditError> {
        let allowed = match &self.claim {
            Claim::Pure { epsilon } => *epsilon,
            Claim::Gaussian { privacy, .. } => privacy.mu(),
            Claim::Mixed { privacy, .. } => privacy.distance(),
        };
        let report = |pair: &DistributionPair| {
            let exact_part = drawn.pair_loss(pair)?.map(|loss| loss / allowed);
            Ok(PairReport {
                name: pair.name,
                exact_part,
                epsilon_shown: 0.0,
                refuted_by_draws: false,
                // NaN refutes
                refuted_by_sums: exact_part.is_some_and(|part| part.is_nan() || part > 1.0 + ROUNDING),
            })
        };
        self.pairs.iter().map(report).collect()
    }

    pub(crate) fn pair_loss(&self, pair: &DistributionPair) -> Result<Option<f64>, AuditError> {
        Ok(self.pair_losses(pair)?.map(|(_, most)| most))
    }

    /// The least and the largest loss of a pair: they differ where the sums depend on earlier answers.
    pub(crate) fn pair_losses(&self, pair: &DistributionPair) -> Result<Option<(f64, f64)>, AuditError> {
        match (&self.distributions[pair.left], &self.distributions[pair.right], &self.noise) {
            (Distribution::Sums(left), Distribution::Sums(right), Some(noise)) => {
                let difference: Vec<i64> = left.iter().zip(right).map(|(a, b)| a - b).collect();
                noise.loss(&difference).map(|loss| Some((loss, loss)))
            }
            (Distribution::Steps(left), Distribution::Steps(right), Some(noise)) => {
                Steps::losses([left, right], noise).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Draws from both sides of every pair, and counts the events.
    pub(crate) fn count(&self, drawn: &Self, plan: &AuditPlan) -> Result<Vec<EventCount>, AuditError> {
        if !(1..=1 << 40).contains(&plan.draws) {
            return Err(AuditError::Draws { found: plan.draws });
        }
        let mut events = self.events()?;
        let ratio = match (&self.noise, &drawn.noise) {
            (Some(claimed), Some(used)) => claimed.scale() / used.scale(),
            _ => 1.0,
        };
        match &drawn.noise {
            Some(noise) => see_noise(&mut events, drawn, noise, ratio, plan),
            None => see_cells(&mut events, drawn, plan)?,
        }
        let counted: Vec<Vec<EventCount>> = events.into_iter().map(PairEvents::counts).collect();
        let of_pair = |(index, pair): (usize, &DistributionPair)| {
            let like = self.first_like(pair);
            let same = counted.iter().flatten().filter(move |event| event.pair == like);
            same.map(move |event| EventCount { pair: index, ..*event })
        };
        Ok(self.pairs.iter().enumerate().flat_map(of_pair).collect())
    }

    /// The first pair with the same two laws: its counts are those of all such pairs.
    fn first_like(&self, pair: &DistributionPair) -> usize {
        self.pairs.iter().position(|known| (known.left, known.right) == (pair.left, pair.right)).unwrap_or(0)
    }

    fn events(&self) -> Result<Vec<PairEvents>, AuditError> {
        let inequalities = self.claim.inequalities();
        let events_of = |(index, pair): (usize, &DistributionPair)| {
            let statistic = LikelihoodRatio::of(
                &self.distributions[pair.left],
                &self.distributions[pair.right],
                self.noise.as_ref(),
            )
            .ok_or(AuditError::OtherShape { mechanism: self.name, pair: index })?;
            let (forwards, backwards) =
                if self.is_pure() { statistic.largest(self.pair_loss(pair)?.unwrap_or(0.0)) } else { (1.0, 1.0) };
            let scaled = |largest: f64| -> Vec<Tally> {
                let tally = |inequality: &Inequality| Tally {
                    threshold: inequality.threshold * largest,
                    inequality: *inequality,
                    left: 0,
                    right: 0,
                };
                inequalities.iter().map(tally).collect()
            };
            let (forwards, backwards) = (scaled(forwards), scaled(backwards));
            Ok(PairEvents { index, left: pair.left, right: pair.right, statistic, forwards, backwards })
        };
        let is_first = |(index, pair): &(usize, &DistributionPair)| self.first_like(pair) == *index;
        self.pairs.iter().enumerate().filter(is_first).map(events_of).collect()
    }
}

/// The generator of one stream of draws.
fn stream(plan: &AuditPlan, place: usize) -> u64 {
    plan.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(place as u64)
}

/// One stream of noise for all left sides and one for all right sides: noise that is added knows nothing of the sums, which
/// was checked on real releases when these were found. So each pair has independent draws on its two sides, of the law of its
/// releases; that pairs share them is what the bounds of Bonferroni allow.
fn see_noise(events: &mut [PairEvents], drawn: &Attack, noise: &AddedNoise, ratio: f64, plan: &AuditPlan) {
    let dimension = drawn.distributions.iter().map(Distribution::dimension).max().unwrap_or(0);
    let (mut added, mut outcome) = (vec![0; dimension], vec![0; dimension]);
    for side in [Side::Left, Side::Right] {
        let mut randomness = SeededRandomness::from_seed(stream(plan, usize::from(side == Side::Right)));
        events.sort_by_key(|pair| pair.place(side));
        for _ in 0..plan.draws {
            added.fill(0);
            let scale = noise.add_to(&mut added, &mut randomness);
            for same in events.chunk_by_mut(|a, b| a.place(side) == b.place(side)) {
                let path = drawn.distributions[same[0].place(side)].released(&added, &mut outcome);
                for pair in same {
                    pair.see(side, &outcome, path.as_ref(), scale * ratio);
                }
            }
        }
    }
    events.sort_by_key(|pair| pair.index);
}

/// Draws of every data set, once, for all pairs that it belongs to.
fn see_cells(events: &mut [PairEvents], drawn: &Attack, plan: &AuditPlan) -> Result<(), AuditError> {
    for (place, law) in drawn.distributions.iter().enumerate() {
        let mut here: Vec<&mut PairEvents> =
            events.iter_mut().filter(|pair| pair.left == place || pair.right == place).collect();
        if here.is_empty() {
            continue;
        }
        law.draw_cells(plan.draws, stream(plan, place), &mut |outcome| {
            for pair in &mut here {
                if pair.left == place {
                    pair.see(Side::Left, outcome, None, 1.0);
                }
                if pair.right == place {
                    pair.see(Side::Right, outcome, None, 1.0);
                }
            }
        })?;
    }
    Ok(())
}

/// Which of two neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

struct PairEvents {
    index: usize,
    left: usize,
    right: usize,
    statistic: LikelihoodRatio,
    /// Likely on the left.
    forwards: Vec<Tally>,
    /// Likely on the right.
    backwards: Vec<Tally>,
}

/// How often one event was seen.
struct Tally {
    threshold: f64,
    inequality: Inequality,
    left: u64,
    right: u64,
}

impl Tally {
    /// Counts the event if it happens; `None` if it does not.
    fn see(&mut self, ratio: f64, side: Side) -> Option<()> {
        (ratio > self.threshold).then(|| match side {
            Side::Left => self.left += 1,
            Side::Right => self.right += 1,
        })
    }
}

impl PairEvents {
    /// The law of one side.
    fn place(&self, side: Side) -> usize {
        if side == Side::Left { self.left } else { self.right }
    }

    fn see(&mut self, side: Side, outcome: &[i64], path: Option<&Path>, scale: f64) {
        let ratio = self.statistic.at(outcome, path, scale);
        // thresholds increase: the first that is not exceeded is the last to look at
        let _ = self.forwards.iter_mut().try_for_each(|tally| tally.see(ratio, side));
        let _ = self.backwards.iter_mut().try_for_each(|tally| tally.see(-ratio, side));
    }

    fn counts(self) -> Vec<EventCount> {
        let Self { index, forwards, backwards, .. } = self;
        let count = |inequality, likely, other| EventCount { pair: index, inequality, likely, other };
        let forwards = forwards.into_iter().map(|tally| count(tally.inequality, tally.left, tally.right));
        let backwards = backwards.into_iter().map(|tally| count(tally.inequality, tally.right, tally.left));
        forwards.chain(backwards).collect()
    }
}
