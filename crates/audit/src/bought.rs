//! The law of a release that buys its ball. It is adaptive: each answer is an exact sum with noise, in a ball that follows from
//! the answers before it. The whole transcript is attacked, every published integer of it.
//!
//! ```text
//! log p/q (y) = sum over steps k of the log-likelihood ratio of y_k,    the sums of step k being those given y_1 .. y_(k-1)
//! ```

use std::ops::Range;
use std::sync::Arc;

use dpfda_kernels::Grid;
use dpfda_privacy::{GaussianPrivacy, LATTICE_BITS, LatticeVector, Noise, RecordMean, SeededRandomness, steps_to_unit};
use dpfda_release::{BallShares, Bought, Norms};
use dpfda_smoothing::{Ball, CurveSet};

use crate::error::AuditError;
use crate::law::AddedNoise;

/// Points of a curve.
const POINTS: usize = 2;

/// Transcripts of each data set that are drawn by the library and found again, to the last integer.
const TRANSCRIPTS: u64 = 8;

/// What is public of the steps: the same for all data sets.
#[derive(Debug, Clone)]
pub(crate) struct Buying {
    pub(crate) grid: Grid,
    /// The ball that was stated.
    pub(crate) ball: Ball,
    pub(crate) shares: BallShares,
    /// The privacy of the whole budget.
    pub(crate) whole: GaussianPrivacy,
    /// Whether the number of records is public.
    pub(crate) is_counted: bool,
    pub(crate) has_moments: bool,
    /// The noise of all steps, one after another.
    pub(crate) noise: AddedNoise,
}

/// The steps of a release that buys its ball, on one data set.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    buying: Arc<Buying>,
    /// Each different record once.
    curves: CurveSet,
    /// How often each record is there.
    times: Vec<i64>,
}

impl Buying {
    /// Where the words of each step are: centre, radius, mean.
    fn places(&self) -> [Range<usize>; 3] {
        let of_count = usize::from(!self.is_counted);
        let center = if self.shares.center().is_some() { POINTS + of_count } else { 0 };
        let radius = center + if self.shares.radius().is_some() { Norms::CELLS } else { 0 };
        // one product, two squares and the missing energy
        let mean = radius + POINTS + if self.has_moments { 4 } else { 0 } + of_count;
        [0..center, center..radius, radius..mean]
    }

    /// The ball that the answers of the first step call for.
    fn centered(&self, answers: &[i64], records: u64) -> Ball {
        let Some((mean, count)) = answers.split_at_checked(POINTS) else { return self.ball.clone() };
        let noisy = |count: &i64| (*count as f64 / f64::from(1 << (LATTICE_BITS - 1))).max(1.0);
        let units = count.first().map_or(records as f64, noisy);
        let factor = self.ball.radius() / steps_to_unit(POINTS) / units;
        let mean: Vec<f64> = mean.iter().map(|k| *k as f64 * factor).collect();
        let found = Bought::centered_ball(&self.ball, &self.grid, &mean, factor * self.noise.scale());
        found.unwrap_or_else(|| self.ball.clone())
    }

    /// The ball that the answers of the second step call for.
    fn narrowed(&self, centered: Ball, counts: &[i64], records: u64) -> Ball {
        if counts.is_empty() {
            return centered;
        }
        let records = self.is_counted.then_some(records);
        Bought::narrowed_ball(&centered, counts, records, self.whole).unwrap_or(centered)
    }
}

impl Steps {
    /// The steps on a data set in which each of these records is there so many times, after comparing transcripts with those of
    /// the library: the same random bits must give the same integers.
    pub(crate) fn new(
        (mechanism, data_set): (&'static str, usize),
        buying: &Arc<Buying>,
        (curves, times): (CurveSet, Vec<i64>),
        release: impl Fn(&mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
    ) -> Result<Self, AuditError> {
        let steps = Self { buying: Arc::clone(buying), curves, times };
        for seed in 0..TRANSCRIPTS {
            let released = release(&mut SeededRandomness::from_seed(seed))?;
            if released != steps.drawn(seed) {
                return Err(AuditError::OtherNoise { mechanism, data_set });
            }
        }
        Ok(steps)
    }

    /// The number of integers of a transcript.
    pub(crate) fn len(&self) -> usize {
        self.buying.places()[2].end
    }

    /// Whether two data sets are the same for certain.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.times == other.times
            && self.curves.values() == other.curves.values()
            && self.curves.records().map(|rows| rows.len()).eq(other.curves.records().map(|rows| rows.len()))
    }

    fn drawn(&self, seed: u64) -> Vec<i64> {
        let mut noise = vec![0; self.len()];
        self.buying.noise.add_to(&mut noise, &mut SeededRandomness::from_seed(seed));
        let mut transcript = vec![0; self.len()];
        self.answer(&noise, &mut transcript);
        transcript
    }

    /// The transcript of a release with this noise.
    pub(crate) fn answer(&self, noise: &[i64], transcript: &mut [i64]) {
        transcript.copy_from_slice(noise);
        let add = |transcript: &mut [i64], place: &Range<usize>, sums: &[i64]| {
            transcript[place.clone()].iter_mut().zip(sums).for_each(|(y, sum)| *y = y.saturating_add(*sum));
        };
        let [center, radius, mean] = self.buying.places();
        if !center.is_empty() {
            add(transcript, &center, &self.sums(&self.buying.ball, false));
        }
        let ball = self.buying.centered(&transcript[center], self.records());
        if !radius.is_empty() {
            add(transcript, &radius, &self.counts(&ball));
        }
        let ball = self.buying.narrowed(ball, &transcript[radius], self.records());
        add(transcript, &mean, &self.sums(&ball, self.buying.has_moments));
    }

    /// The exact sums of two data sets in the steps that lead to these answers.
    pub(crate) fn given(pair: [&Self; 2], transcript: &[i64]) -> [Vec<i64>; 2] {
        let buying = &pair[0].buying;
        let [center, radius, _] = buying.places();
        // a number of records that is public is the same on both sides
        let records = pair[0].records();
        let centered = buying.centered(&transcript[center.clone()], records);
        let narrowed = buying.narrowed(centered.clone(), &transcript[radius.clone()], records);
        pair.map(|steps| {
            let mut sums = Vec::with_capacity(transcript.len());
            if !center.is_empty() {
                sums.extend(steps.sums(&buying.ball, false));
            }
            if !radius.is_empty() {
                sums.extend(steps.counts(&centered));
            }
            sums.extend(steps.sums(&narrowed, buying.has_moments));
            sums
        })
    }

    /// The least and the largest loss of two neighbours over some transcripts of both.
    pub(crate) fn losses(pair: [&Self; 2], noise: &AddedNoise) -> Result<(f64, f64), AuditError> {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for (seed, drawn) in (0..TRANSCRIPTS).flat_map(|seed| pair.map(|steps| (seed, steps))) {
            let [left, right] = Self::given(pair, &drawn.drawn(seed));
            let difference: Vec<i64> = left.iter().zip(&right).map(|(a, b)| a.saturating_sub(*b)).collect();
            let loss = noise.loss(&difference)?;
            (least, most) = (least.min(loss), most.max(loss));
        }
        Ok((least, most))
    }

    fn records(&self) -> u64 {
        self.times.iter().sum::<i64>().unsigned_abs()
    }

    /// The sums of the mean: coordinates, products, squares and missing energy, and the number of records where it is private.
    fn sums(&self, ball: &Ball, has_moments: bool) -> Vec<i64> {
        let radius = 1_i64 << LATTICE_BITS;
        let (mut sums, mut moments) = ([0_i64; POINTS], [0_i64; 4]);
        self.encode(ball, |vector, times| {
            let k = vector.coordinates();
            sums.iter_mut().zip(k).for_each(|(sum, k)| *sum += times * k);
            let energy = k[0] * k[0] + k[1] * k[1];
            let of_record = [k[0] * k[1], k[0] * k[0], k[1] * k[1], radius * radius - energy];
            for (sum, moment) in moments.iter_mut().zip(of_record) {
                *sum = sum.saturating_add(moment.saturating_mul(times));
            }
        });
        let count = (!self.buying.is_counted).then(|| self.records().cast_signed() * (radius / 2));
        sums.into_iter().chain(moments.into_iter().filter(|_| has_moments)).chain(count).collect()
    }

    /// The numbers of records by their distance from the centre.
    fn counts(&self, ball: &Ball) -> [i64; Norms::CELLS] {
        let mut counts = [0; Norms::CELLS];
        self.encode(ball, |vector, times| counts[Norms::cell_of(vector)] += times * Norms::STEPS);
        counts
    }

    /// Shows the vector of each different record, and how often it is there.
    fn encode(&self, ball: &Ball, mut seen: impl FnMut(&LatticeVector, i64)) {
        let (Ok(bounded), Ok(mut vector)) = (ball.bound(&self.curves), LatticeVector::zero(POINTS)) else { return };
        let mut z = [0.0; POINTS];
        for (rows, times) in self.curves.records().zip(&self.times) {
            let mut mean = (rows.len() > 1).then(|| RecordMean::new(POINTS)).and_then(Result::ok);
            for &row in &*rows {
                bounded.whiten_into(row, &mut z);
                let encoded = vector.encode(&z).and_then(|()| mean.as_mut().map_or(Ok(()), |mean| mean.add(&vector)));
                if encoded.is_err() {
                    vector.clear();
                }
            }
            if mean.is_some_and(|mean| mean.mean_into(&mut vector).is_err()) {
                vector.clear();
            }
            seen(&vector, *times);
        }
    }
}

/// Noise of several steps as one.
pub(crate) fn together<'n>(steps: impl IntoIterator<Item = &'n Noise>) -> Noise {
    let of_step = |noise: &Noise| match noise {
        Noise::Gaussian(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    Noise::Gaussian(steps.into_iter().flat_map(of_step).collect())
}
