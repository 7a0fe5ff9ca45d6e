//! Cells that were drawn privately: one kind of release for all mechanisms that draw some.

use dpfda_mechanism::{
    Digest, Drawn, Envelope, Fact, Guarantee, Head, Labels, LedgerReference, PrivacyDocument, ReadError, SCHEMA,
    Source as TableSource, Stored, demand, rounded, unit_in_words, units_in_brief,
};
use dpfda_privacy::{Arithmetic, CosineBasis, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use ndarray::Array2;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::facts::{RECORD, bound};
use crate::piecewise::PiecewiseDensity;
use crate::series::SeriesDensity;

mod plan;
mod prepared;
#[cfg(test)]
mod tests;

pub use plan::DrawsMechanism;
pub(crate) use plan::DrawsPlan;
pub(crate) use prepared::DrawsCells;
pub use prepared::PreparedDraws;

use plan::DrawsStatistic;

/// Cells that were drawn privately: a public release, with where it comes from.
///
/// It is written as JSON and read back through the checks that it was made with. Everything computed from it is free.
#[derive(Debug, Clone, PartialEq)]
pub struct CellDraws {
    software: String,
    private: bool,
    plan: DrawsPlan,
    records: Option<u64>,
    draws: Vec<usize>,
    labels: Labels,
    source: Option<TableSource>,
    ledger: Option<LedgerReference>,
}

impl CellDraws {
    /// The same release with public names for its axes.
    #[must_use]
    pub fn labelled(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// The same release with how its table was read, where that is known.
    #[must_use]
    pub fn read_from(mut self, source: Option<TableSource>) -> Self {
        self.source = source;
        self
    }

    /// The public names of its axes.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.ledger.as_ref()
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// The guarantee: budget, neighbours and unit.
    pub fn guarantee(&self) -> &Guarantee {
        &self.plan.guarantee
    }

    /// The budget that was spent; its delta is 0.
    pub fn budget(&self) -> PrivacyBudget {
        self.plan.guarantee.budget()
    }

    /// Which data sets are not told apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.plan.guarantee.neighbours()
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.plan.guarantee.unit()
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.records
    }

    /// What was spent.
    pub fn spend(&self) -> Spend {
        Spend::of_budget(&self.budget())
    }

    /// The digest of the public plan.
    pub fn plan(&self) -> Digest {
        self.plan.digest()
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.plan.cells
    }

    /// What drew them.
    pub fn mechanism(&self) -> DrawsMechanism {
        self.plan.mechanism
    }

    /// The arithmetic in which they were drawn: always exact.
    pub fn arithmetic(&self) -> Arithmetic {
        Arithmetic::Exact
    }

    /// Whether nobody can repeat the randomness.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// The index of each drawn cell.
    pub fn draws(&self) -> &[usize] {
        &self.draws
    }

    /// The density that gives each cell its share of the draws.
    pub fn empirical(&self) -> PiecewiseDensity {
        let mut counts = vec![0.0; self.cells().count()];
        for &cell in &self.draws {
            counts[cell] += 1.0;
        }
        PiecewiseDensity::proportional_to(self.cells().clone(), counts)
    }

    /// One point for each draw, uniform in its cell (`k x r`, in data units): the sanitised data set of the paper.
    pub fn points<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array2<f64> {
        self.points_within(|| randomness.random())
    }

    /// The midpoints of the drawn cells (`k x r`, in data units).
    pub fn midpoints(&self) -> Array2<f64> {
        self.points_within(|| 0.5)
    }

    /// One point for each draw, each coordinate at such a part of its cell.
    fn points_within(&self, mut part: impl FnMut() -> f64) -> Array2<f64> {
        let (cells, bounds) = (self.cells(), self.cells().bounds());
        let mut points = Array2::zeros((self.draws.len(), bounds.dimension()));
        for (mut point, &cell) in points.rows_mut().into_iter().zip(&self.draws) {
            let at = cells.position(cell);
            for (axis, x) in point.iter_mut().enumerate() {
                *x = bounds.from_unit(axis, (at[axis] as f64 + part()) / cells.per_axis() as f64);
            }
        }
        points
    }

    /// The series of the midpoints of the drawn cells, (16), its negative parts cut; `None` unless they were drawn by the
    /// distance of series.
    pub fn series(&self) -> Option<SeriesDensity> {
        let DrawsMechanism::SeriesExponential { terms } = self.plan.mechanism else { return None };
        let bounds = self.cells().bounds();
        let basis = CosineBasis::new(bounds.dimension(), terms).ok()?;
        let mut means = vec![0.0; terms];
        let mut values = Vec::new();
        for point in self.midpoints().rows() {
            let unit: Vec<f64> = point.iter().enumerate().map(|(axis, x)| bounds.to_unit(axis, *x)).collect();
            basis.values_into(&unit, &mut values);
            means.iter_mut().zip(&values).for_each(|(mean, value)| *mean += value / self.draws.len() as f64);
        }
        Some(SeriesDensity::on(bounds.clone(), basis, means))
    }

    /// How its table was read, where there was one.
    pub fn source(&self) -> Option<&TableSource> {
        self.source.as_ref()
    }

    /// What the release is, in words: the list that every summary, caption and report is made from.
    pub fn facts(&self) -> Vec<Fact> {
        let unit = unit_in_words(self.unit(), RECORD);
        let (number, brief) = match self.records {
            Some(records) => (format!("N\u{a0}=\u{a0}{records} {unit}s, which is public"), records.to_string()),
            None => ("N is private".to_owned(), "a private number of".to_owned()),
        };
        let n = self.records.map_or_else(String::new, |records| format!(", N = {records}"));
        let mut facts = vec![
            Fact::privacy(self.guarantee(), None, RECORD),
            Fact::new("unit", format!("{unit}; {number}"))
                .briefly(units_in_brief(&brief, self.unit(), RECORD))
                .captioned(format!("unit: {unit}{n}")),
            bound(self.cells().bounds()),
            Fact::new("mechanism", self.mechanism_in_words()).briefly(self.noise_in_words()),
            Fact::new("cells", self.cells().to_string())
                .briefly(format!("a density that is constant on each of {}", self.cells())),
        ];
        facts.extend(self.source.iter().flat_map(TableSource::facts));
        if !self.private {
            let text = "NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.";
            facts.push(Fact::new("NOTE", text));
        }
        facts
    }

    /// What makes it private, in a clause.
    fn noise_in_words(&self) -> String {
        let what = match self.plan.mechanism {
            DrawsMechanism::SmoothedHistogram { .. } => "draws from a smoothed histogram",
            DrawsMechanism::KsExponential => {
                "one draw of the exponential mechanism with the Kolmogorov-Smirnov distance"
            }
            DrawsMechanism::SeriesExponential { .. } => {
                "one draw of the exponential mechanism with the distance of cosine series"
            }
        };
        format!("{what}, of {} points", self.draws.len())
    }

    fn mechanism_in_words(&self) -> String {
        let k = self.draws.len();
        match self.plan.mechanism {
            DrawsMechanism::SmoothedHistogram { mixture } => format!(
                "smoothed histogram (Wasserman and Zhou 2010, Theorem 5): k\u{a0}=\u{a0}{k} exact draws from the histogram with \
                 a share of {} of the uniform density",
                rounded(mixture)
            ),
            DrawsMechanism::KsExponential => format!(
                "exponential mechanism with the Kolmogorov-Smirnov distance (Wasserman and Zhou 2010, Theorems 9 to 12): one \
                 exact draw, no Markov chain, of a distribution of k\u{a0}=\u{a0}{k} points"
            ),
            DrawsMechanism::SeriesExponential { terms } => format!(
                "exponential mechanism with the distance of cosine series of {terms} terms (Wasserman and Zhou 2010, (14) to \
                 (17)): one exact draw, no Markov chain, of k\u{a0}=\u{a0}{k} points"
            ),
        }
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let privacy = PrivacyDocument::new(&self.plan.guarantee, self.records, self.arithmetic(), self.private);
        Envelope {
            schema: SCHEMA,
            kind: self.mechanism().kind().to_owned(),
            software: self.software.clone(),
            privacy,
            statistic: DrawsStatistic::of(&self.plan),
            noise: None::<()>,
            lattice: DrawsLattice { draws: self.draws.clone() },
            labels: self.labels.clone(),
            source: self.source.clone(),
            ledger: self.ledger.clone(),
            derived: None::<()>,
            estimate: None::<()>,
        }
        .to_json()
    }

    /// Reads a release of any of the three kinds back, checking every constructor's rules.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let found = Head::read(json)?.kind;
        let kind = DrawsMechanism::KINDS.into_iter().find(|kind| *kind == found);
        let kind =
            kind.ok_or(ReadError::Kind { expected: "smoothed-histogram, ks-exponential or series-exponential" })?;
        let document: Envelope<DrawsStatistic, (), DrawsLattice, ()> = Envelope::read(json, kind)?;
        let mechanism = document.statistic.mechanism(kind);
        let mechanism = mechanism.ok_or(ReadError::Contradiction { field: "statistic" })?;
        let (guarantee, records) = (document.privacy.guarantee()?, document.privacy.records());
        let DrawsStatistic { cells, draws, .. } = document.statistic;
        let plan = DrawsPlan { guarantee, mechanism, cells, draws };
        plan.check(records)?;
        demand("privacy.arithmetic", document.privacy.arithmetic() == Arithmetic::Exact)?;
        let (private, draws) = (document.privacy.is_private(), document.lattice.draws);
        demand("lattice.draws", plan.allows(&draws))?;
        let (software, labels, source, ledger) = (document.software, document.labels, document.source, document.ledger);
        Ok(Self { software, private, plan, records, draws, labels, source, ledger })
    }
}

/// At most 2^24 cells: four bytes a draw.
impl Drawn for CellDraws {
    fn stored(&self) -> Stored {
        let bytes = self.draws.iter().flat_map(|cell| u32::try_from(*cell).unwrap_or(u32::MAX).to_le_bytes());
        Stored { software: self.software.clone(), private: self.private, bytes: bytes.collect() }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawsLattice {
    /// The index of each drawn cell, the first axis slowest.
    draws: Vec<usize>,
}
