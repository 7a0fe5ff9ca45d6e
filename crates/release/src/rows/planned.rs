//! The public plan of a mean of irregular curves whose rows are in several places.

use std::sync::Arc;

use dpfda_mechanism::{Digest, Mechanism, SCHEMA};
use serde::{Deserialize, Serialize};

use crate::mean::planned::PlanError;
use crate::parts::part::PartPlan;
use crate::purchase::bought::{BallShares, shares_of};
use crate::purchase::nested_sums::Nested;
use crate::release_error::ReleaseError;
use crate::rows::Rows;
use crate::rows::long::{LongRows, RowsData};
use crate::rows::private::PrivateRows;

#[cfg(test)]
#[path = "planned_tests.rs"]
mod tests;

/// A private mean of irregular curves, as it is before there are data: what parts of a long table are encoded by and recognised by.
///
/// It serialises, and has a digest. The centre of its ball is stated; a radius may be bought. All rows of a subject must be in one
/// part: a subject in two parts is refused.
///
/// # Examples
/// ```
/// use dpfda_mechanism::FingerprintKey;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{PlannedRows, PrivateRows};
/// use dpfda_smoothing::{Ball, Center};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ball = Ball::new(Center::Constant(0.5), 0.25)?;
/// let plan = PlannedRows::new(PrivateRows::new(ball, (0.0, 10.0), PrivacyBudget::new(1.0, 1e-5)?))?;
///
/// let key = FingerprintKey::new(&mut SystemRandomness::new()?);
/// let (mut north, mut south) = (plan.rows(), plan.rows());
/// for visit in 0..900_u32 {
///     let (subject, time) = (visit % 300, f64::from(visit * 7 % 100) / 10.0);
///     let rows = if subject % 2 == 0 { &mut north } else { &mut south };
///     rows.push(&subject.to_le_bytes(), time, 0.5 + 0.01 * time);
/// }
/// let mut all = north.part("north".parse()?, Some(&key))?;
/// all.merge(south.part("south".parse()?, Some(&key))?)?;
/// let release = all.prepare()?.draw_unrecorded(&mut SystemRandomness::new()?);
/// assert_eq!(release.public_records(), Some(300));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "PlanDocument", into = "PlanDocument")]
pub struct PlannedRows(Arc<Planned>);

#[derive(Debug)]
struct Planned {
    settings: PrivateRows,
    mechanism: Mechanism<Rows>,
    /// The fewest subjects that a radius is bought from.
    least: Option<u64>,
}

impl PlannedRows {
    /// What documents call such a plan.
    pub const KIND: &'static str = "planned-rows";

    /// The plan of these settings. What can be refused without data is refused here.
    ///
    /// # Errors
    /// As [`PrivateRows::mechanism`], and [`ReleaseError::CenterNeedsCurves`] for a centre that would be bought.
    pub fn new(settings: PrivateRows) -> Result<Self, ReleaseError> {
        let (mechanism, least) = (settings.mechanism()?, settings.least_records_for_radius()?);
        Ok(Self(Arc::new(Planned { settings, mechanism, least })))
    }

    /// The settings.
    pub fn settings(&self) -> &PrivateRows {
        &self.0.settings
    }

    /// The digest of the plan in its canonical bytes, which are those of its JSON without white space.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }

    /// Takes rows, one after the other.
    pub fn rows(&self) -> LongRows {
        LongRows::of(self.clone())
    }
}

impl PartPlan for PlannedRows {
    type Statistic = Rows;
    type Data = RowsData<'static>;

    fn of_every_ball(nested: Nested<Rows>) -> Option<RowsData<'static>> {
        Some(RowsData::Nested(Box::new(nested)))
    }

    fn keeps_every_ball(&self) -> bool {
        self.mechanism().shares().buys()
    }

    fn mechanism(&self) -> &Mechanism<Rows> {
        &self.0.mechanism
    }

    fn shares_of(&self, found: u64) -> Result<BallShares, ReleaseError> {
        shares_of(self.mechanism().shares(), self.0.least, found)
    }
}

impl PartialEq for PlannedRows {
    fn eq(&self, other: &Self) -> bool {
        self.0.settings == other.0.settings
    }
}

/// A plan as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanDocument {
    schema: u32,
    kind: PlanKind,
    rows: PrivateRows,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PlanKind {
    PlannedRows,
}

impl From<PlannedRows> for PlanDocument {
    fn from(plan: PlannedRows) -> Self {
        Self { schema: SCHEMA, kind: PlanKind::PlannedRows, rows: plan.0.settings.clone() }
    }
}

impl TryFrom<PlanDocument> for PlannedRows {
    type Error = PlanError;

    fn try_from(document: PlanDocument) -> Result<Self, PlanError> {
        let PlanDocument { schema, kind: PlanKind::PlannedRows, rows } = document;
        if schema != SCHEMA {
            return Err(PlanError::Schema { found: schema });
        }
        Ok(Self::new(rows)?)
    }
}
