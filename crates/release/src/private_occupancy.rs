//! From rows of people to the private mean of irregular curves.

use std::collections::HashMap;
use std::fmt;

use dpfda_mechanism::{Guarantee, Mechanism, Prepared};
use dpfda_privacy::{Calibration, Law, NeighbouringRelation, NonPrivate, PrivacyBudget, PrivacyUnit, Randomness};
use dpfda_smoothing::{Ball, CurveBatch, CurveSource, TableError, similar_ids};

use crate::bin_sums::BinSums;
use crate::noise_law::{Design, NoiseLaw};
use crate::occupancy::{DEFAULT_BINS, Occupancy};
use crate::occupancy_release::OccupancyRelease;
use crate::release_error::ReleaseError;

#[cfg(test)]
#[path = "private_occupancy_tests.rs"]
mod tests;

/// From this share of rows that count as none on, the curator is told.
const MANY_UNUSED: f64 = 0.1;

/// The private mean of curves that were seen at other times for each subject, for substitute-one or add/remove-one.
///
/// # Examples
/// ```
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateOccupancy;
/// use dpfda_smoothing::{Ball, Center};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ball = Ball::new(Center::Constant(0.5), 0.25)?;
/// let private_mean = PrivateOccupancy::new(ball, (0.0, 10.0), PrivacyBudget::new(1.0, 1e-5)?);
/// let mut rows = private_mean.rows()?;
/// for visit in 0..3000 {
///     let (subject, time) = (visit % 1000, f64::from(visit * 7 % 1000) / 100.0);
///     rows.push(format!("S{subject}").as_bytes(), time, 0.5 + 0.01 * time);
/// }
/// let release = rows.release(&mut SystemRandomness::new()?)?;
/// assert_eq!(release.sums().weights.len(), 20);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateOccupancy {
    ball: Ball,
    domain: (f64, f64),
    is_periodic: bool,
    budget: PrivacyBudget,
    bins: usize,
    bound: Option<f64>,
    neighbours: NeighbouringRelation,
    calibration: Calibration,
}

impl PrivateOccupancy {
    /// The mean between two ends of curves whose root-mean-square distance from the centre of the ball, at the times that they were seen
    /// at, is at most its radius.
    pub fn new(ball: Ball, domain: (f64, f64), budget: PrivacyBudget) -> Self {
        let (neighbours, calibration) = (NeighbouringRelation::default(), Calibration::default());
        Self { ball, domain, is_periodic: false, budget, bins: DEFAULT_BINS, bound: None, neighbours, calibration }
    }

    /// Closes the domain: its two ends are one point, such as midnight.
    #[must_use]
    pub fn periodic(self) -> Self {
        Self { is_periodic: true, ..self }
    }

    /// Sets the number of bins (default: 20).
    #[must_use]
    pub fn bins(self, bins: usize) -> Self {
        Self { bins, ..self }
    }

    /// Sets the largest distance of one value from the centre (default: twice the radius, or half the distance of bounds).
    #[must_use]
    pub fn bound(self, bound: f64) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Sets which data sets are neighbours (default: substitute one).
    #[must_use]
    pub fn neighbours(self, neighbours: NeighbouringRelation) -> Self {
        Self { neighbours, ..self }
    }

    /// Sets how the noise is calibrated (default: tight).
    #[must_use]
    pub fn calibration(self, calibration: Calibration) -> Self {
        Self { calibration, ..self }
    }

    /// The public plan of a release, before there are data.
    ///
    /// # Errors
    /// [`ReleaseError::Occupancy`] for bins, a bound or a domain that cannot be, [`ReleaseError::Mechanism`] for a budget that cannot be
    /// met.
    pub fn mechanism(&self) -> Result<Mechanism<Occupancy>, ReleaseError> {
        let statistic = Occupancy::new(self.ball.clone(), self.domain, self.is_periodic, self.bins, self.bound)?;
        let guarantee = Guarantee::new(self.budget, self.neighbours, PrivacyUnit::Subject);
        Ok(Mechanism::new(statistic, guarantee, Law::gaussian(self.calibration))?)
    }

    /// The law of the noise for subjects with so many values each, at times that are spread evenly over the domain: a function of public
    /// numbers alone.
    ///
    /// ```text
    /// sum_sd = s sqrt(n) / r,   r = E sqrt(k),   k of n bins hold the m values of a subject
    /// E k = n (1 - (1 - 1/n)^m),   r = sqrt(E k) (1 - var k / (8 (E k)^2))
    /// ```
    ///
    /// `s` is the noise of a sum of values: the mean of a bin is observed with the noise `s n / (N r)`, which is that of curves on a grid of
    /// `n` points with this `sum_sd`. At `k = n` it is the law of the dense mean. Foretell errors on a grid of `n` points.
    ///
    /// # Errors
    /// As [`PrivateOccupancy::mechanism`].
    pub fn noise_law(&self, values: u32) -> Result<NoiseLaw, ReleaseError> {
        let mechanism = self.mechanism()?;
        let statistic = mechanism.statistic();
        let (bins, (of_values, of_weights)) = (statistic.bins() as f64, statistic.steps());
        let weight = root_of_occupied(bins, f64::from(values.max(1)));
        let sd = mechanism.noise().variance(0).sqrt() * of_values;
        let radius = self.ball.radius();
        let kappa = of_values / of_weights;
        Ok(NoiseLaw {
            isonormal: true,
            coordinates: None,
            radius,
            sum_sd: sd * bins.sqrt() / weight,
            count_sd: 0.0,
            buys_radius_with: None,
            least_records: None,
            design: Some(Design {
                of_weights: (radius / kappa).powi(2),
                of_times: (1.0 / weight.powi(2) - 1.0 / bins).max(0.0),
            }),
        })
    }

    /// Takes rows, one after the other. What can be refused without data is refused here.
    ///
    /// # Errors
    /// As [`PrivateOccupancy::mechanism`].
    pub fn rows(&self) -> Result<LongRows, ReleaseError> {
        Ok(LongRows { mechanism: self.mechanism()?, subjects: HashMap::new(), seen: SeenRows::default() })
    }
}

/// `E sqrt(k)` for the number `k` of bins that hold values, to second order in its deviation.
fn root_of_occupied(bins: f64, values: f64) -> f64 {
    let empty = (1.0 - 1.0 / bins).powf(values);
    let mean = bins * (1.0 - empty);
    let variance = bins * empty + bins * (bins - 1.0) * (1.0 - 2.0 / bins).powf(values) - (bins * empty).powi(2);
    mean.sqrt() * (1.0 - variance.max(0.0) / (8.0 * mean * mean))
}

/// Rows of subjects, as they come in: private data.
///
/// Rows are not kept. Of each subject it keeps the id, and 16 bytes for each bin that the subject has a row in. Rows of one subject may
/// come in any order, with those of others between them: the exact sums are the same.
pub struct LongRows {
    mechanism: Mechanism<Occupancy>,
    subjects: HashMap<Vec<u8>, BinSums>,
    seen: SeenRows,
}

/// What a curator may want to know of rows before a release: private data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenRows {
    /// All rows.
    pub rows: u64,
    /// Rows whose time lies outside the domain.
    pub outside: u64,
    /// Rows without a finite time or value.
    pub missing: u64,
    /// Values beyond their bound.
    pub clamped: u64,
    /// The number of bins of each subject that have rows, in no order.
    pub bins: Vec<usize>,
}

impl SeenRows {
    /// The share of rows that count as none, where a curator should know of it: above a tenth.
    pub fn many_unused(&self) -> Option<f64> {
        let share = (self.outside + self.missing) as f64 / self.rows.max(1) as f64;
        Some(share).filter(|share| *share > MANY_UNUSED)
    }
}

impl LongRows {
    /// The public plan.
    pub fn mechanism(&self) -> &Mechanism<Occupancy> {
        &self.mechanism
    }

    /// Adds a row. One outside the domain, and one without a finite time and value, counts as no row; its subject is a record all the
    /// same.
    pub fn push(&mut self, subject: &[u8], time: f64, value: f64) {
        let placed = self.mechanism.statistic().place(time, value);
        self.seen.rows += 1;
        match placed {
            Some((_, value)) => self.seen.clamped += u64::from(value.abs() == 1.0),
            None if time.is_finite() && value.is_finite() => self.seen.outside += 1,
            None => self.seen.missing += 1,
        }
        let add = |sums: &mut BinSums| placed.into_iter().for_each(|(bin, value)| sums.add(bin, value));
        if let Some(sums) = self.subjects.get_mut(subject) {
            add(sums);
        } else {
            add(self.subjects.entry(subject.to_owned()).or_default());
        }
    }

    /// Adds all rows that are left in a table whose two value columns are a time and a value, as
    /// [`CurveLayout::long`](dpfda_smoothing::CurveLayout::long) reads it.
    ///
    /// # Errors
    /// [`TableError`]; do not go on with these rows after an error.
    pub fn read(&mut self, source: &mut impl CurveSource) -> Result<(), TableError> {
        let mut batch = CurveBatch::new();
        while source.read(&mut batch)? {
            for (row, cells) in batch.curves().enumerate() {
                if let (Some(subject), [time, value]) = (batch.subject(row), cells) {
                    self.push(subject, *time, *value);
                }
            }
        }
        Ok(())
    }

    /// Adds the rows of another part of the same table. A subject may have rows in both.
    pub fn absorb(&mut self, other: Self) {
        let SeenRows { rows, outside, missing, clamped, .. } = other.seen;
        self.seen.rows += rows;
        self.seen.outside += outside;
        self.seen.missing += missing;
        self.seen.clamped += clamped;
        for (subject, sums) in other.subjects {
            self.subjects.entry(subject).or_default().merge(&sums);
        }
    }

    /// How many groups there are of subjects' ids that look alike, such as `S01` and `s1`: see [`similar_ids`].
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        NonPrivate::new(similar_ids(self.subjects.keys().map(Vec::as_slice)))
    }

    /// How many rows there are of what kind, for the curator.
    pub fn seen(&self) -> NonPrivate<SeenRows> {
        let bins = self.subjects.values().map(BinSums::occupied).collect();
        NonPrivate::new(SeenRows { bins, ..self.seen.clone() })
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`ReleaseError::Mechanism`] for fewer than 2 subjects where their number is public; nothing has been drawn or spent then.
    pub fn prepare(&self) -> Result<Prepared<Occupancy>, ReleaseError> {
        Ok(self.mechanism.prepare_all(self.subjects.values())?)
    }

    /// Releases the sums: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// As [`LongRows::prepare`].
    pub fn release<R: Randomness + ?Sized>(&self, randomness: &mut R) -> Result<OccupancyRelease, ReleaseError> {
        Ok(self.prepare()?.draw_unrecorded(randomness).into())
    }
}

impl fmt::Debug for LongRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LongRows(..)")
    }
}
