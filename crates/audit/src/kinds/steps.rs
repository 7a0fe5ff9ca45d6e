//! The steps of a release that buys its ball, on one data set. Each answer is an exact sum with noise, in a ball that follows from
//! the answers before it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use dpfda_kernels::Grid;
use dpfda_privacy::{
    Bucket, Bucketed, ClippedBall, ClippedMoments, Emphasis, ExactSum, GaussianPrivacy, GramBall, GroupedBall,
    LATTICE_BITS, LatticeError, LatticeVector, Membership, NestedRadius, NestedRecord, PersonSum, PrivacyUnit,
    ProductsOf, Radii, SeededRandomness, steps_to_unit,
};
use dpfda_release::{BallShares, Bought, Norms, Weighing};
use dpfda_smoothing::{Ball, BoundedCurves, Center, CurveSet};

use crate::added_noise::{AddedNoise, in_64_bits};
use crate::error::AuditError;
use crate::kinds::encoded_centiles;
use crate::kinds::encoded_rows::{self, SeenRows};

/// Points of a curve.
const POINTS: usize = 2;

/// Transcripts of each data set that are drawn by the library and found again, to the last integer.
const TRANSCRIPTS: u64 = 8;

/// Sums that are remembered of a data set: more than there are radii.
const REMEMBERED: usize = 64;

/// Different records of a data set.
#[derive(Debug)]
pub(crate) enum Records {
    /// Curves on two points, with second moments or without.
    Curves { curves: Box<CurveSet>, has_moments: bool },
    /// Curves on two points, each in one of the groups of this body or in none.
    Groups { curves: Box<CurveSet>, groups: Vec<Option<usize>>, body: GroupedBall },
    /// Curves on two points, each with its coded covariates, of a regression in this body.
    Regression { curves: Box<CurveSet>, covariates: Vec<Vec<f64>>, body: GramBall },
    /// Curves on two points, as indicators.
    Centiles(Box<CurveSet>),
    /// Rows of subjects.
    Rows(Vec<SeenRows>),
    /// Rows of subjects, as indicators.
    CentilesOfRows(Vec<SeenRows>),
}

/// What is public of the steps: the same for all data sets.
#[derive(Debug, Clone)]
pub(crate) struct Buying {
    /// The ball that was stated.
    pub(crate) ball: Ball,
    pub(crate) shares: BallShares,
    /// The privacy of the whole budget.
    pub(crate) whole: GaussianPrivacy,
    /// Whether the number of all records is public.
    pub(crate) is_public: bool,
    /// The numbers of records of the groups whose distances are counted apart, where they are public: the same for all data sets then.
    pub(crate) sizes: Vec<Option<u64>>,
    /// How a radius is chosen.
    pub(crate) weighing: Weighing,
    /// The number of integers of the last step.
    pub(crate) words: usize,
    /// The noise of all steps, one after another.
    pub(crate) noise: AddedNoise,
}

/// The balls that answers call for.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    centered: Ball,
    radius: NestedRadius,
}

/// The steps of a release that buys its ball, on one data set.
#[derive(Debug)]
pub(crate) struct Steps {
    buying: Arc<Buying>,
    /// Each different record once.
    records: Records,
    /// How often each record is there.
    times: Vec<i64>,
    /// The sums of the first step, where a centre is bought.
    first: Vec<i64>,
    /// The counts, where they are always about the stated centre.
    stated_counts: Option<Vec<i64>>,
    /// The sums of all steps, by the balls that they are of.
    known: Mutex<HashMap<Vec<u64>, Arc<[i64]>>>,
}

/// The numbers of records in the cells, from those in the buckets.
fn count(counts: &mut [i64], occupied: impl Iterator<Item = [u64; Bucket::COUNT]>) {
    for (counts, occupied) in counts.chunks_mut(Norms::CELLS).zip(occupied) {
        for (bucket, records) in Bucket::all().zip(occupied) {
            counts[Norms::cell_of_bucket(bucket)] += records.cast_signed() * Norms::STEPS;
        }
    }
}

/// The integers of a sum at the radius that was bought.
fn totals<B: Bucketed<Word = i128>>(sum: Result<ExactSum<B>, LatticeError>, path: &Path) -> Vec<i64> {
    let totals =
        sum.and_then(|sum| sum.at(path.radius)).map_or_else(|_| Vec::new(), |sum| sum.totals().reveal().clone());
    totals.into_iter().map(in_64_bits).collect()
}

/// The curves of a record: one, or the mean of those of a subject.
fn encode(bounded: &BoundedCurves<'_>, rows: &[usize], record: &mut NestedRecord) -> Result<(), LatticeError> {
    let (curves, mut z) = (bounded.curves(), [0.0; POINTS]);
    let mut person = PersonSum::new(POINTS)?;
    for &row in rows {
        bounded.projection().coordinates_into(curves.curve(row), &mut z);
        record.encode(&z)?;
        person.add(&z)?;
    }
    if curves.unit() == PrivacyUnit::Subject { person.close(record) } else { Ok(()) }
}

/// The rows of a record in the first groups that it may count in.
fn in_first_groups(rows: &[usize], groups: &[Option<usize>], body: &GroupedBall) -> Vec<usize> {
    let most = match body.membership() {
        Membership::Public => 1,
        Membership::Private { most } => most,
    };
    let first: BTreeSet<usize> = rows.iter().filter_map(|row| groups[*row]).collect();
    let last = first.into_iter().take(most).next_back();
    rows.iter().copied().filter(|row| groups[*row].is_some_and(|group| Some(group) <= last)).collect()
}

impl Path {
    /// The ball of the last step.
    fn narrowed(&self) -> Ball {
        Bought::narrowed_ball(&self.centered, self.radius).unwrap_or_else(|| self.centered.clone())
    }

    /// A radius that is bought is a part of the stated one.
    fn key(&self) -> Vec<u64> {
        let mut key = vec![u64::from(self.radius.number())];
        if let Center::Curve(values) = self.centered.center() {
            key.extend(values.iter().map(|value| value.to_bits()));
        }
        key
    }
}

impl Buying {
    /// Where the words of each step are: centre, radius, mean.
    fn places(&self) -> [Range<usize>; 3] {
        let of_count = usize::from(!self.is_public);
        let center = if self.shares.center().is_some() { POINTS + of_count } else { 0 };
        let radius = center + if self.shares.radius().is_some() { Norms::CELLS * self.sizes.len() } else { 0 };
        let mean = radius + self.words;
        [0..center, center..radius, radius..mean]
    }

    /// The balls that a transcript calls for.
    fn path(&self, transcript: &[i64], records: u64) -> Path {
        let [center, radius, _] = self.places();
        let centered = self.centered(&transcript[center], records);
        Path { radius: self.narrowed(&centered, &transcript[radius]), centered }
    }

    /// The ball that the answers of the first step call for.
    fn centered(&self, answers: &[i64], records: u64) -> Ball {
        let Some((mean, count)) = answers.split_at_checked(POINTS) else { return self.ball.clone() };
        let noisy = |count: &i64| (*count as f64 / f64::from(1 << (LATTICE_BITS - 1))).max(1.0);
        let units = count.first().map_or(records as f64, noisy);
        let factor = self.ball.radius() / steps_to_unit(POINTS) / units;
        let mean: Vec<f64> = mean.iter().map(|k| *k as f64 * factor).collect();
        let found = Grid::uniform(0.0, 1.0, POINTS).ok();
        let found = found.and_then(|grid| Bought::centered_ball(&self.ball, &grid, &mean, factor * self.noise.scale()));
        found.unwrap_or_else(|| self.ball.clone())
    }

    /// The radius that the answers of the second step call for, in a ball that is not lost in rounding.
    fn narrowed(&self, centered: &Ball, counts: &[i64]) -> NestedRadius {
        let Some(share) = self.shares.radius().filter(|_| !counts.is_empty()) else { return NestedRadius::STATED };
        let radius = Bought::narrowed(counts, &self.sizes, &self.weighing, self.whole, share);
        if Bought::narrowed_ball(centered, radius).is_some() { radius } else { NestedRadius::STATED }
    }
}

impl Steps {
    /// The steps on a data set in which each of these records is there so many times, after comparing transcripts with those of
    /// the library: the same random bits must give the same integers.
    pub(crate) fn new(
        (mechanism, data_set): (&'static str, usize),
        buying: &Arc<Buying>,
        (records, times): (Records, Vec<i64>),
        release: impl Fn(&mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
    ) -> Result<Self, AuditError> {
        let known = Mutex::new(HashMap::new());
        let mut steps =
            Self { buying: Arc::clone(buying), records, times, first: Vec::new(), stated_counts: None, known };
        if buying.shares.center().is_some() {
            steps.first = steps.sums_to_center();
        } else {
            steps.stated_counts = Some(steps.counts(&buying.ball));
        }
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
        let curves = |mine: &CurveSet, theirs: &CurveSet| {
            mine.values() == theirs.values()
                && mine.records().map(|rows| rows.len()).eq(theirs.records().map(|rows| rows.len()))
        };
        let same = match (&self.records, &other.records) {
            (Records::Curves { curves: mine, .. }, Records::Curves { curves: theirs, .. })
            | (Records::Centiles(mine), Records::Centiles(theirs)) => curves(mine, theirs),
            (Records::Groups { curves: mine, groups: of_mine, .. }, Records::Groups { curves: theirs, groups, .. }) => {
                of_mine == groups && curves(mine, theirs)
            }
            (
                Records::Regression { curves: mine, covariates: of_mine, .. },
                Records::Regression { curves: theirs, covariates, .. },
            ) => of_mine == covariates && curves(mine, theirs),
            (Records::Rows(mine), Records::Rows(theirs))
            | (Records::CentilesOfRows(mine), Records::CentilesOfRows(theirs)) => mine == theirs,
            _ => false,
        };
        same && self.times == other.times
    }

    fn drawn(&self, seed: u64) -> Vec<i64> {
        let mut noise = vec![0; self.len()];
        self.buying.noise.add_to(&mut noise, &mut SeededRandomness::from_seed(seed));
        let mut transcript = vec![0; self.len()];
        self.answer(&noise, &mut transcript);
        transcript
    }

    /// The transcript of a release with this noise, and the balls that it calls for.
    pub(crate) fn answer(&self, noise: &[i64], transcript: &mut [i64]) -> Path {
        transcript.copy_from_slice(noise);
        let add = |transcript: &mut [i64], place: &Range<usize>, sums: &[i64]| {
            transcript[place.clone()].iter_mut().zip(sums).for_each(|(y, sum)| *y = y.saturating_add(*sum));
        };
        let [center, radius, mean] = self.buying.places();
        add(transcript, &center, &self.first);
        let centered = self.buying.centered(&transcript[center], self.records());
        let counts = self.counts(&centered);
        add(transcript, &radius, &counts);
        let radius = self.buying.narrowed(&centered, &transcript[radius]);
        let path = Path { centered, radius };
        add(transcript, &mean, &self.given(&path)[mean.start..]);
        path
    }

    /// The exact sums of all steps that lead to these balls.
    pub(crate) fn given(&self, path: &Path) -> Arc<[i64]> {
        let key = path.key();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sums) = known.get(&key) {
            return Arc::clone(sums);
        }
        let counts = self.counts(&path.centered);
        let mean = self.sums(path);
        let sums: Arc<[i64]> = self.first.iter().chain(&counts).chain(&mean).copied().collect();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, Arc::clone(&sums));
        sums
    }

    /// The least and the largest loss of two neighbours over some transcripts of both.
    pub(crate) fn losses(pair: [&Self; 2], noise: &AddedNoise) -> Result<(f64, f64), AuditError> {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for (seed, drawn) in (0..TRANSCRIPTS).flat_map(|seed| pair.map(|steps| (seed, steps))) {
            let path = drawn.path(&drawn.drawn(seed));
            let [left, right] = pair.map(|steps| steps.given(&path));
            let difference: Vec<i64> = left.iter().zip(&*right).map(|(a, b)| a.saturating_sub(*b)).collect();
            let loss = noise.loss(&difference)?;
            (least, most) = (least.min(loss), most.max(loss));
        }
        Ok((least, most))
    }

    /// The balls that a transcript of this data set or of a neighbour calls for.
    pub(crate) fn path(&self, transcript: &[i64]) -> Path {
        // a number of records that is public is the same on both sides
        self.buying.path(transcript, self.records())
    }

    fn records(&self) -> u64 {
        self.times.iter().sum::<i64>().unsigned_abs()
    }

    /// The sums of the step that buys a centre: of the curves of each record, where there are groups of those in the groups it counts in.
    fn sums_to_center(&self) -> Vec<i64> {
        let stated = Path { centered: self.buying.ball.clone(), radius: NestedRadius::STATED };
        let sum = match &self.records {
            Records::Rows(_) | Records::Centiles(_) | Records::CentilesOfRows(_) => return Vec::new(),
            Records::Groups { curves, groups, body } => {
                self.sum_of_curves(curves, &stated.centered, false, |rows| in_first_groups(rows, groups, body))
            }
            Records::Curves { curves, .. } | Records::Regression { curves, .. } => {
                self.sum_of_curves(curves, &stated.centered, false, <[usize]>::to_vec)
            }
        };
        self.totals_of_curves(sum, &stated)
    }

    /// The sums of the last step.
    fn sums(&self, path: &Path) -> Vec<i64> {
        match &self.records {
            Records::Rows(records) => self.sums_of_rows(records, &path.narrowed()),
            Records::Centiles(_) | Records::CentilesOfRows(_) => self.sums_of_centiles(&path.narrowed()),
            Records::Groups { curves, groups, body } => {
                totals(self.sum_of_groups(curves, groups, body, &path.centered), path)
            }
            Records::Regression { curves, covariates, body } => {
                totals(self.sum_of_regression(curves, covariates, body, &path.centered), path)
            }
            Records::Curves { curves, has_moments } => {
                self.totals_of_curves(self.sum_of_curves(curves, &path.centered, *has_moments, <[usize]>::to_vec), path)
            }
        }
    }

    /// The totals of curves, with the number of records where that is private.
    fn totals_of_curves(&self, sum: Result<ExactSum<ClippedBall>, LatticeError>, path: &Path) -> Vec<i64> {
        totals(sum, path).into_iter().chain(self.private_count()).collect()
    }

    /// The weighted values and the weights.
    fn sums_of_rows(&self, records: &[SeenRows], ball: &Ball) -> Vec<i64> {
        let mut sums = vec![0; self.buying.words];
        for (record, times) in records.iter().zip(&self.times) {
            let Ok(encoded) = encoded_rows::encoded(record, ball.radius()) else { continue };
            sums.iter_mut().zip(encoded_rows::words(&encoded)).for_each(|(sum, word)| *sum += times * word);
        }
        sums
    }

    /// The indicators, with the number of records where that is private.
    fn sums_of_centiles(&self, ball: &Ball) -> Vec<i64> {
        let number = self.private_count();
        let mut sums = vec![0; self.buying.words - number.iter().len()];
        for (encoded, times) in self.as_indicators(ball).into_iter().zip(&self.times) {
            let Ok(encoded) = encoded else { continue };
            sums.iter_mut().zip(encoded_centiles::words(&encoded)).for_each(|(sum, word)| *sum += times * word);
        }
        sums.extend(number);
        sums
    }

    /// All records as indicators: those of curves, or of rows.
    fn as_indicators(&self, ball: &Ball) -> Vec<Result<LatticeVector, LatticeError>> {
        let distance = ball.radius();
        match &self.records {
            Records::Centiles(curves) => {
                let of_record = |rows: &[usize]| -> Vec<_> { rows.iter().map(|row| curves.curve(*row)).collect() };
                let encode = |curves: Vec<_>| encoded_centiles::encoded(curves.into_iter(), distance);
                curves.records().map(|rows| encode(of_record(&rows))).collect()
            }
            Records::CentilesOfRows(records) => {
                records.iter().map(|record| encoded_centiles::encoded_rows(record, distance)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The number of records as a coordinate, where it is private.
    fn private_count(&self) -> Option<i64> {
        (!self.buying.is_public).then(|| self.records().cast_signed() << (LATTICE_BITS - 1))
    }

    /// The sum of all curves about a centre, clipped at any radius: what the different ones add, as often as they are there.
    fn sum_of_curves(
        &self,
        curves: &CurveSet,
        ball: &Ball,
        has_moments: bool,
        counted: impl Fn(&[usize]) -> Vec<usize>,
    ) -> Result<ExactSum<ClippedBall>, LatticeError> {
        let of = ProductsOf::First(POINTS);
        let moments = has_moments.then_some(ClippedMoments { emphasis: Emphasis::Mean, of });
        let body = ClippedBall::new(POINTS, Radii::Any, moments)?;
        let Ok(bounded) = ball.bound(curves) else { return Ok(ExactSum::new(body)) };
        self.sum_of(&body, curves, |rows, record| {
            let counted = counted(rows);
            if counted.is_empty() { Ok(()) } else { encode(&bounded, &counted, record) }
        })
    }

    /// The sums of the curves of each group about a centre, clipped at any radius.
    fn sum_of_groups(
        &self,
        curves: &CurveSet,
        groups: &[Option<usize>],
        body: &GroupedBall,
        ball: &Ball,
    ) -> Result<ExactSum<GroupedBall>, LatticeError> {
        let Ok(bounded) = ball.bound(curves) else { return Ok(ExactSum::new(body.clone())) };
        self.sum_of(body, curves, |rows, record| {
            (0..body.groups()).try_for_each(|group| {
                let of_group: Vec<usize> = rows.iter().copied().filter(|row| groups[*row] == Some(group)).collect();
                if of_group.is_empty() { Ok(()) } else { encode(&bounded, &of_group, record.part(group)) }
            })
        })
    }

    /// The sums of an intercept and a covariate with curves about a centre, clipped at any radius.
    fn sum_of_regression(
        &self,
        curves: &CurveSet,
        covariates: &[Vec<f64>],
        body: &GramBall,
        ball: &Ball,
    ) -> Result<ExactSum<GramBall>, LatticeError> {
        let Ok(bounded) = ball.bound(curves) else { return Ok(ExactSum::new(body.clone())) };
        self.sum_of(body, curves, |rows, record| {
            let (of_covariates, curve) = record.parts();
            // all curves of a record have one covariate
            if let Some(row) = rows.first() {
                of_covariates.encode(&covariates[*row])?;
            }
            encode(&bounded, rows, curve)
        })
    }

    /// What the different records of some curves add, as often as they are there.
    fn sum_of<B: Bucketed<Word = i128>>(
        &self,
        body: &B,
        curves: &CurveSet,
        encode: impl Fn(&[usize], &mut B::Vector) -> Result<(), LatticeError>,
    ) -> Result<ExactSum<B>, LatticeError> {
        let mut words = ExactSum::new(body.clone()).reveal().reveal().clone();
        let mut record = body.vector();
        for (rows, times) in curves.records().zip(&self.times) {
            body.reset(&mut record);
            encode(&rows, &mut record)?;
            let mut one = ExactSum::new(body.clone());
            one.add(&record)?;
            words.iter_mut().zip(one.reveal().reveal()).for_each(|(sum, word)| *sum += i128::from(*times) * word);
        }
        ExactSum::restored(body.clone(), &words, self.records())
    }

    /// The numbers of records by their distance from the centre, where a radius is bought.
    fn counts(&self, ball: &Ball) -> Vec<i64> {
        if let Some(counts) = &self.stated_counts {
            return counts.clone();
        }
        if self.buying.shares.radius().is_none() {
            return Vec::new();
        }
        let mut counts = vec![0; Norms::CELLS * self.buying.sizes.len()];
        match &self.records {
            Records::Curves { curves, .. } => {
                count(
                    &mut counts,
                    self.sum_of_curves(curves, ball, false, <[usize]>::to_vec).iter().flat_map(ExactSum::occupied),
                );
            }
            Records::Groups { curves, groups, body } => {
                let sum = self.sum_of_groups(curves, groups, body, ball);
                count(&mut counts, sum.iter().flat_map(ExactSum::occupied));
            }
            Records::Regression { curves, covariates, body } => {
                let sum = self.sum_of_regression(curves, covariates, body, ball);
                count(&mut counts, sum.iter().flat_map(ExactSum::occupied));
            }
            Records::Centiles(_) | Records::CentilesOfRows(_) => {
                for (vector, times) in self.as_indicators(ball).iter().zip(&self.times) {
                    if let Ok(vector) = vector {
                        let cell = Norms::cell_of_mean_distance(encoded_centiles::squared_norm(vector));
                        counts[cell] += times * Norms::STEPS;
                    }
                }
            }
            Records::Rows(records) => {
                for (record, times) in records.iter().zip(&self.times) {
                    if let Ok([values, _]) = encoded_rows::encoded(record, ball.radius()) {
                        counts[Norms::cell_of(&values)] += times * Norms::STEPS;
                    }
                }
            }
        }
        counts
    }
}
