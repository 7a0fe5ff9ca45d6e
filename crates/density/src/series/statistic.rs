//! Values of a cosine basis as a statistic.

use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{BasisError, Cosine, CosineBasis, CosineVector, Law};
use serde::{Deserialize, Serialize};

use super::SeriesError;
use crate::bounds::Bounds;
use crate::facts::{RECORD, bound};

/// How many terms a series has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SeriesTerms {
    /// So many.
    Given(usize),
    /// The rate for densities with `gamma` square-integrable derivatives, `gamma > 1/2`: the integer nearest to
    ///
    /// ```text
    /// m = n^(r / (2 gamma + r))
    /// ```
    ///
    /// between 1 and [`CosineBasis::most_terms`]. For `r = 1` it is (15) and Theorem 15 of Wasserman and Zhou; for more
    /// dimensions the usual rate. It uses `n`, which must be public.
    Smoothness(f64),
    /// So many are released, with noise for all of them, and what is used is chosen from the noisy coefficients alone, at no
    /// further cost; see [`SeriesRelease::selection`](crate::SeriesRelease::selection).
    ChosenUpTo(usize),
}

impl SeriesTerms {
    /// Refuses what is no rule in any dimension.
    pub(super) fn check(self) -> Result<(), SeriesError> {
        match self {
            Self::Given(0) | Self::ChosenUpTo(0) => Err(BasisError::NoTerms.into()),
            Self::Smoothness(gamma) if !(gamma.is_finite() && gamma > 0.5) => {
                Err(SeriesError::Smoothness { value: gamma })
            }
            _ => Ok(()),
        }
    }

    /// The number of terms to release in this dimension, for so many records where that is public.
    pub(super) fn number(self, dimension: usize, records: Option<u64>) -> Result<usize, SeriesError> {
        self.check()?;
        match self {
            Self::Given(terms) | Self::ChosenUpTo(terms) => Ok(terms),
            Self::Smoothness(gamma) => {
                let n = records.ok_or(SeriesError::PrivateRecords)? as f64;
                let r = dimension as f64;
                let most = CosineBasis::most_terms(dimension) as f64;
                let rate = n.powf(r / (2.0 * gamma + r)).round().min(most).max(1.0);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 1024")]
                let terms = rate as usize;
                Ok(terms)
            }
        }
    }
}

/// The sums of a cosine basis over points in a public box; a record is the coordinates of a point, in data units.
///
/// Its plan is `{bounds, terms, basis}`: the rule for the number of terms, and the basis that follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SeriesPlan", into = "SeriesPlan")]
pub struct Series {
    bounds: Bounds,
    terms: SeriesTerms,
    body: Cosine,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesPlan {
    bounds: Bounds,
    terms: SeriesTerms,
    basis: BasisPlan,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum BasisPlan {
    Cosine { terms: usize },
}

impl Series {
    /// The series with as many terms as the rule gives for so many records, where that is public.
    pub fn new(bounds: Bounds, terms: SeriesTerms, records: Option<u64>) -> Result<Self, SeriesError> {
        let number = terms.number(bounds.dimension(), records)?;
        Self::with_terms(bounds, terms, number)
    }

    fn with_terms(bounds: Bounds, terms: SeriesTerms, number: usize) -> Result<Self, SeriesError> {
        let basis = CosineBasis::new(bounds.dimension(), number)?;
        Ok(Self { bounds, terms, body: Cosine::new(basis) })
    }

    /// The public bounds.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The rule for the number of terms.
    pub fn terms(&self) -> SeriesTerms {
        self.terms
    }

    /// The terms released.
    pub fn basis(&self) -> &CosineBasis {
        self.body.basis()
    }
}

impl Statistic for Series {
    type Body = Cosine;
    type Record<'a> = &'a [f64];
    type Scratch = ();

    const KIND: &'static str = "series";
    const RECORD: &'static str = RECORD;
    const LEAST_RECORDS: u64 = 1;

    fn body(&self, _law: &Law) -> Cosine {
        self.body.clone()
    }

    fn scratch(&self) {}

    fn encode(&self, record: &[f64], (): &mut (), vector: &mut CosineVector) {
        vector.encode(&self.bounds.unit_point(record));
    }

    fn facts(&self) -> Vec<Fact> {
        let text = format!(
            "orthogonal series on the cosine basis (Wasserman and Zhou 2010, Theorem 15, the scale of its noise corrected): \
             noise on {} coefficients; negative parts are then cut",
            self.basis().terms()
        );
        vec![bound(&self.bounds), Fact::new("mechanism", text)]
    }
}

impl From<Series> for SeriesPlan {
    fn from(statistic: Series) -> Self {
        let basis = BasisPlan::Cosine { terms: statistic.basis().terms() };
        Self { bounds: statistic.bounds, terms: statistic.terms, basis }
    }
}

impl TryFrom<SeriesPlan> for Series {
    type Error = SeriesError;

    /// A rule that needs the number of records is taken at its word here; whoever knows that number checks it.
    fn try_from(plan: SeriesPlan) -> Result<Self, SeriesError> {
        let SeriesPlan { bounds, terms, basis: BasisPlan::Cosine { terms: found } } = plan;
        match terms.number(bounds.dimension(), None) {
            Ok(expected) if expected != found => Err(SeriesError::Terms { expected, found }),
            Ok(_) | Err(SeriesError::PrivateRecords) => Self::with_terms(bounds, terms, found),
            Err(refused) => Err(refused),
        }
    }
}
