//! The public plan of a release whose records are in several places, or too many for memory.

use std::fmt;
use std::sync::{Arc, OnceLock};

use dpfda_mechanism::{Digest, Mechanism, PartError, PartFile, PrivateData, ReadError, Release, SCHEMA, Statistic};
use dpfda_privacy::{ExactSum, PrivacyUnit};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::purchase::in_ball::InBall;
use crate::purchase::round::Round;
use crate::release_error::ReleaseError;

/// A statistic in a ball that can be encoded in parts: what a kind says beyond being [in a ball](InBall).
pub trait InParts: InBall {
    /// How a release is looked at afterwards: public settings that its plan carries, and that no noise depends on.
    type View: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned;

    /// What it is released from, in parts or in memory.
    type Data: PrivateData<Self>;

    /// What a part keeps beside its exact sum: nothing where the body is [in buckets](dpfda_privacy::Bucketed).
    type Beside: Beside<Self>;

    /// All parts together, as what is released.
    fn data(sum: ExactSum<Self::Body>, beside: Self::Beside) -> Self::Data;
}

/// Exact sums beside the one in the stated ball, in a part of a statistic whose sum in one ball does not give that in another.
pub trait Beside<S: Statistic>: Sized {
    /// Joins those of another part of the same plan, whose sum in the stated ball was joined.
    fn merge(&mut self, other: &Self);

    /// Puts them behind the sum in the stated ball.
    fn push_to(&self, file: &mut PartFile);

    /// Takes them from behind a sum of so many records.
    fn take_from(file: &mut PartFile, mechanism: &Mechanism<S>, records: u64) -> Result<Self, PartError>;
}

impl<S: Statistic> Beside<S> for () {
    fn merge(&mut self, (): &Self) {}

    fn push_to(&self, _file: &mut PartFile) {}

    fn take_from(_file: &mut PartFile, _mechanism: &Mechanism<S>, _records: u64) -> Result<Self, PartError> {
        Ok(())
    }
}

/// A mechanism with all that is public before there are data: what parts are encoded by, and recognised by.
///
/// It serialises as `{schema, kind, mechanism, view}`, with the kind `planned-` and that of the statistic, and its digest covers all of
/// it. A plan that follows a study has its digest, `study`, and how tables are read, `table`, too. The plan of the second time that records are encoded has `about` too: what they are encoded by then. Whether a default buys a radius is
/// decided when all parts are joined, by the number of records, where that is public ([`Mechanism::of_records`]). Where a centre is bought, records are encoded twice: in the stated ball, and about the centre
/// ([`Part::prepare_twice`](crate::Part::prepare_twice)).
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, PrivacyUnit, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.5)?, PrivacyBudget::new(1.0, 1e-5)?);
/// let plan = mean.plan(&Grid::uniform(0.0, 1.0, 30)?, PrivacyUnit::Curve)?;
///
/// let mut north = plan.encoder("north".parse()?, None);
/// let mut south = plan.encoder("south".parse()?, None);
/// for person in 0..300 {
///     let curve: Vec<f64> = (0..30).map(|i| f64::from((person + i) % 9) / 9.0).collect();
///     if person % 2 == 0 { north.push(&curve)? } else { south.push(&curve)? }
/// }
/// let mut all = north.finish()?;
/// all.merge(south.finish()?)?;
/// let release = all.prepare(&plan)?.draw_unrecorded(&mut SystemRandomness::new()?);
/// assert_eq!(release.public_records(), Some(300));
/// // a share of the budget bought the radius, and the release tells so
/// assert!(release.answers().radius().is_some());
/// # Ok(())
/// # }
/// ```
pub struct Plan<S: InParts>(Arc<Planned<S>>);

struct Planned<S: InParts> {
    mechanism: Mechanism<S>,
    view: S::View,
    text: OnceLock<String>,
    round: Round<S>,
    /// The plan of the first time, where records are encoded for the second.
    first: Option<Plan<S>>,
    agreed: Agreed,
}

/// What was agreed on beside the mechanism, and changes nothing of the release.
#[derive(Debug, Clone, Default)]
struct Agreed {
    /// The digest of the study that it follows.
    study: Option<Digest>,
    /// How the tables of all parts are read, in the words of whoever reads them.
    table: Option<Map<String, Value>>,
}

impl<S: InParts> Plan<S> {
    /// The plan of a mechanism, and of how its release is looked at.
    pub fn new(mechanism: Mechanism<S>, view: S::View) -> Result<Self, ReleaseError> {
        let round = Round::first(&mechanism)?;
        Ok(Self(Arc::new(Planned {
            mechanism,
            view,
            text: OnceLock::new(),
            round,
            first: None,
            agreed: Agreed::default(),
        })))
    }

    /// The same plan of a study with this digest, which the release says that it follows.
    #[must_use]
    pub fn following(&self, study: Option<Digest>) -> Self {
        self.agreed(Agreed { study, ..self.0.agreed.clone() })
    }

    /// The same plan for tables that are read so: public settings by their names, which whoever encodes a part need not say again.
    #[must_use]
    pub fn of_table(&self, table: Option<Map<String, Value>>) -> Self {
        self.agreed(Agreed { table, ..self.0.agreed.clone() })
    }

    fn agreed(&self, agreed: Agreed) -> Self {
        let Planned { mechanism, view, round, first, .. } = &*self.0;
        let (mechanism, view, round) = (mechanism.clone(), view.clone(), round.clone());
        let first = first.as_ref().map(|first| first.agreed(agreed.clone()));
        Self(Arc::new(Planned { mechanism, view, text: OnceLock::new(), round, first, agreed }))
    }

    /// The digest of the study that it follows.
    pub fn study(&self) -> Option<Digest> {
        self.0.agreed.study
    }

    /// How the tables of all parts are read.
    pub fn table(&self) -> Option<&Map<String, Value>> {
        self.0.agreed.table.as_ref()
    }

    /// The same plan for the second time that records are encoded: about this centre, for the release of this mechanism.
    pub(crate) fn about(&self, centered: &S, whole: &Mechanism<S>) -> Result<Self, ReleaseError> {
        Ok(self.in_round(Round::second(centered, whole)?))
    }

    /// The same for a release that was made: about the centre that it bought.
    ///
    /// # Errors
    /// None in practice: the release was made by this plan.
    pub fn about_center_of(&self, release: &Release<S>) -> Result<Self, ReleaseError> {
        self.about(&release.centered(), release.mechanism())
    }

    fn in_round(&self, round: Round<S>) -> Self {
        let Planned { mechanism, view, agreed, .. } = &*self.0;
        let (mechanism, view, agreed) = (mechanism.clone(), view.clone(), agreed.clone());
        let first = Some(self.first().clone());
        Self(Arc::new(Planned { mechanism, view, text: OnceLock::new(), round, first, agreed }))
    }

    /// The plan of the first time that records are encoded: this one, unless it is that of the second.
    pub fn first(&self) -> &Self {
        self.0.first.as_ref().unwrap_or(self)
    }

    /// Whether records are encoded twice: a centre is bought from the first time.
    pub fn is_twice(&self) -> bool {
        self.0.round != Round::Only
    }

    /// Whether records are encoded for the first of two times.
    pub fn is_first(&self) -> bool {
        matches!(self.0.round, Round::First(_))
    }

    /// Whether records are encoded for the second of two times: about a centre that was bought.
    pub fn is_second(&self) -> bool {
        matches!(self.0.round, Round::Second(_))
    }

    /// What records are encoded by: what is released, unless they are encoded twice.
    pub(crate) fn encoded(&self) -> &Mechanism<S> {
        self.0.round.encoded(&self.0.mechanism)
    }

    /// What documents call such a plan.
    pub fn kind() -> String {
        format!("planned-{}", S::KIND)
    }

    /// What is released, in the stated ball, on which terms.
    pub fn mechanism(&self) -> &Mechanism<S> {
        &self.0.mechanism
    }

    /// How the release is looked at.
    pub fn view(&self) -> &S::View {
        &self.0.view
    }

    /// What one record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.0.mechanism.guarantee().unit()
    }

    /// The canonical JSON, without white space.
    pub fn text(&self) -> &str {
        self.0.text.get_or_init(|| {
            serde_json::to_string(self).unwrap_or_else(|_| unreachable!("a plan holds numbers and names"))
        })
    }

    /// The digest of the canonical JSON.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }
}

impl<S: InParts> Clone for Plan<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: InParts> PartialEq for Plan<S> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl<S: InParts> fmt::Debug for Plan<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("mechanism", &self.0.mechanism).field("view", &self.0.view).finish()
    }
}

/// A plan as a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanDocument<M, V> {
    schema: u32,
    kind: String,
    mechanism: M,
    view: V,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<M>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    study: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Map<String, Value>>,
}

impl<S: InParts> Serialize for Plan<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let Planned { mechanism, view, agreed, .. } = &*self.0;
        let about = self.is_second().then(|| self.encoded());
        let (kind, Agreed { study, table }) = (Self::kind(), agreed.clone());
        PlanDocument { schema: SCHEMA, kind, mechanism, view, about, study, table }.serialize(serializer)
    }
}

impl<'de, S: InParts> Deserialize<'de> for Plan<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PlanDocument { schema, kind, mechanism, view, about, study, table } =
            PlanDocument::<Mechanism<S>, S::View>::deserialize(deserializer)?;
        if schema != SCHEMA {
            return Err(D::Error::custom(ReadError::Schema { found: schema }));
        }
        if kind != Self::kind() {
            return Err(D::Error::custom(format_args!("this is no plan of the kind {}", Self::kind())));
        }
        S::check_mechanism(&mechanism).map_err(D::Error::custom)?;
        let plan = Self::new(mechanism, view).map_err(D::Error::custom)?.agreed(Agreed { study, table });
        let Some(about) = about else { return Ok(plan) };
        let round = Round::read(about, plan.mechanism()).map_err(D::Error::custom)?;
        Ok(plan.in_round(round))
    }
}
