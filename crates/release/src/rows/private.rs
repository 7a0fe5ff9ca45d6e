//! From rows of people to the private mean of irregular curves.

use dpfda_mechanism::{BallShares, Mechanism, Terms, Want};
use dpfda_privacy::PrivacyUnit;
use dpfda_smoothing::{Ball, CurveSet};

use crate::defaults::DEFAULT_BINS;
use crate::parts::plan::Plan;
use crate::purchase::norms::Norms;
use crate::release_error::ReleaseError;
use crate::rows::long::LongRows;
use crate::rows::{Rows, USUAL_RADII};
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// The private mean of curves that were seen at other times for each subject, for substitute-one or add/remove-one.
///
/// # Examples
/// ```
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Rows, PrivateRows};
/// use dpfda_smoothing::{Ball, Center};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ball = Ball::new(Center::Constant(0.5), 0.25)?;
/// let private_mean = PrivateRows::new(ball, (0.0, 10.0), PrivacyBudget::new(1.0, 1e-5)?);
/// let mut rows = private_mean.rows()?;
/// for visit in 0..3000 {
///     let (subject, time) = (visit % 1000, f64::from(visit * 7 % 1000) / 100.0);
///     rows.push(format!("S{subject}").as_bytes(), time, 0.5 + 0.01 * time);
/// }
/// let release = rows.release(&mut SystemRandomness::new()?)?;
/// assert_eq!(Rows::sums(&release).weights.len(), 20);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateRows {
    ball: Ball,
    domain: (f64, f64),
    is_periodic: bool,
    terms: Terms,
    bins: usize,
    bound: Option<f64>,
}

on_terms!(PrivateRows: neighbours calibration buying wanting);

impl PrivateRows {
    /// The mean between two ends of curves whose root-mean-square distance from the centre of the ball, at the times that they were seen
    /// at, is at most its radius. A record is a subject.
    ///
    /// Nothing is bought where nothing is [said](PrivateRows::buying), and a centre cannot be bought of rows. Where a radius is, the bound
    /// on one value is twice the radius by default also for values between bounds: the stated radius for rows, and the bought one for
    /// their mean in a bin.
    pub fn new(ball: Ball, domain: (f64, f64), terms: impl Into<Terms>) -> Self {
        let terms = terms.into().unit(PrivacyUnit::Subject);
        Self { ball, domain, is_periodic: false, terms, bins: DEFAULT_BINS, bound: None }
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

    /// The public plan of a release, before there are data: in the stated ball, where a radius is bought.
    ///
    /// # Errors
    /// [`ReleaseError::Rows`] for bins, a bound or a domain that cannot be, [`ReleaseError::CenterNeedsCurves`] for a centre that
    /// would be bought, [`ReleaseError::Mechanism`] for a budget that cannot be met.
    pub fn mechanism(&self) -> Result<Mechanism<Rows>, ReleaseError> {
        self.mechanism_of(None)
    }

    /// The same of so many records, which decide what the rule buys.
    pub fn mechanism_of(&self, records: Option<u64>) -> Result<Mechanism<Rows>, ReleaseError> {
        let shares = self.shares(records)?;
        if shares.center().is_some() {
            return Err(ReleaseError::CenterNeedsCurves);
        }
        let usual = shares.buys().then(|| USUAL_RADII * self.ball.radius());
        let statistic = Rows::new(self.ball.clone(), self.domain, self.is_periodic, self.bins, self.bound.or(usual))?;
        Ok(Mechanism::new(statistic, self.terms.clone().buying(shares))?)
    }

    /// By the rule, a radius is bought where a centre of curves would be, and so nowhere without a known number: rows tell less of a distance.
    fn shares(&self, records: Option<u64>) -> Result<BallShares, ReleaseError> {
        let shares = self.terms.shares_of(records, false)?.unwrap_or(BallShares::NONE);
        let Some(wanted) = self.terms.wanted().filter(|wanted| wanted.radius == Want::Usual) else { return Ok(shares) };
        let records = records.filter(|_| self.terms.has_public_records());
        let is_told = wanted.tells_center(self.terms.gaussian()?.mu(), records);
        Ok(if is_told { shares } else { shares.without_radius() })
    }

    /// From which number of records on their number changes nothing of the plan, as for a [mean](crate::PrivateMean::asks_for_number).
    ///
    /// # Errors
    /// [`ReleaseError`] for a budget that no normal noise meets.
    pub fn asks_for_number(&self) -> Result<Option<u64>, ReleaseError> {
        Ok(self.terms.asks_for_number()?)
    }

    /// The fewest subjects that a radius is bought from, as for a [mean](crate::PrivateMean::least_records_for_radius) of curves.
    pub fn least_records_for_radius(&self) -> Result<Option<u64>, ReleaseError> {
        let least = self.shares(None)?.radius().map(|share| self.terms.least_for_radius(&Norms::body(1), share));
        Ok(least.transpose()?.flatten())
    }

    /// The public plan of rows that are in several places. All rows of a subject must be in one part: a subject in two parts is refused.
    pub fn plan(&self) -> Result<Plan<Rows>, ReleaseError> {
        Plan::new(self.mechanism()?, ())
    }

    /// Takes rows, one after the other. What can be refused without data is refused here.
    pub fn rows(&self) -> Result<LongRows, ReleaseError> {
        Ok(self.plan()?.rows())
    }

    /// The same for so many records, which decide what the rule buys.
    pub fn rows_of_records(&self, records: Option<u64>) -> Result<LongRows, ReleaseError> {
        Ok(Plan::new(self.mechanism_of(records)?, ())?.rows())
    }

    /// The rows of curves on a grid: the values that each record was seen with. A missing value is no row, and is filled with nothing.
    pub fn rows_of(&self, curves: &CurveSet) -> Result<LongRows, ReleaseError> {
        let settings = Self { terms: self.terms.clone().unit(curves.unit()), ..self.clone() };
        let mut rows = settings.rows_of_records(Some(curves.units() as u64))?;
        rows.push_curves(curves);
        Ok(rows)
    }
}
