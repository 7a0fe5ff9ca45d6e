//! What a mechanism releases: a record becomes an integer vector in a public body.

use std::fmt;

use dpfda_privacy::{Body, ClippedBall, Law, OneHot};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::facts::Fact;
use crate::purchases::Purchases;

/// A function of records whose sum is released with noise.
///
/// ```text
/// record -> integer vector in a body -> exact sum -> noise -> what the sum says
/// ```
///
/// A statistic encodes, decodes and describes. It bounds nothing: bounds are enforced and proved by the [`Body`], so that a
/// wrong statistic is useless and never unsafe. How it serialises is the public plan; deserialising checks what the
/// constructor checks.
pub trait Statistic: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned {
    /// Where the sums live.
    type Body: Body;

    /// One record, as the data hold it.
    type Record<'a>;

    /// Room that encoding needs; it carries nothing from one record to the next.
    type Scratch;

    /// What documents call such a release.
    const KIND: &'static str;

    /// What a reader calls a record that is a row of its own.
    const RECORD: &'static str = "curve";

    /// The fewest records, where their number is public.
    const LEAST_RECORDS: u64;

    /// The body of the sums, for noise of this law.
    fn body(&self, law: &Law) -> Self::Body;

    /// The same where no radius is bought: sums for other radii are not needed then.
    fn stated_body(&self, law: &Law) -> Self::Body {
        self.body(law)
    }

    /// Room for [`Statistic::encode`].
    fn scratch(&self) -> Self::Scratch;

    /// Writes one record into a vector of nothing. It depends on this record alone, and cannot fail: whatever is unusable in a
    /// record is something within the body.
    fn encode(&self, record: Self::Record<'_>, scratch: &mut Self::Scratch, vector: &mut <Self::Body as Body>::Vector);

    /// What is released and of what, for whoever reads a release.
    fn facts(&self) -> Vec<Fact>;

    /// The body of the noisy mean that a centre is bought with; `None` where none can be bought.
    fn center_body(&self) -> Option<ClippedBall> {
        None
    }

    /// The body of the noisy counts that a radius is bought with; `None` where none can be bought.
    fn radius_body(&self) -> Option<OneHot> {
        None
    }

    /// Whether the ball is wider than the stated one unless its radius is bought.
    fn needs_radius(&self) -> bool {
        false
    }

    /// The statistic in the ball that was bought. Its body is the same in every ball, in units of the radius: so is its noise. It is
    /// post-processing of public answers, and cannot fail.
    ///
    /// A document holds the stated statistic and the answers, and so this is no part of it: the result need not serialise as it is.
    #[must_use]
    fn under(&self, _purchases: &Purchases<'_>) -> Self {
        self.clone()
    }
}
