//! A release: noisy integers with everything that a reader must know to judge and use them.

use dpfda_privacy::{Arithmetic, Body, NeighbouringRelation, Noise, NoisySum, PrivacyBudget, PrivacyUnit, Spend, Word};

use crate::facts::{Fact, budget_in_words, difference_in_words, exact, rounded};
use crate::guarantee::Guarantee;
use crate::labels::Labels;
use crate::mechanism::Mechanism;
use crate::payable::{Drawn, Stored};
use crate::prepared::stored_bytes;
use crate::reference::LedgerReference;
use crate::source::Source;
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "release_tests.rs"]
mod tests;

/// Noisy sums with their public provenance. Everything in it may be shown to anybody.
///
/// It holds what was drawn and nothing that was chosen afterwards: smoothers, merged cells and estimates are views of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Release<S: Statistic> {
    software: String,
    private: bool,
    mechanism: Mechanism<S>,
    records: Option<u64>,
    noise: Noise,
    noisy: NoisySum<<S::Body as Body>::Word>,
    labels: Labels,
    source: Option<Source>,
    ledger: Option<LedgerReference>,
}

impl<S: Statistic> Release<S> {
    pub(crate) fn new(
        software: String,
        private: bool,
        mechanism: Mechanism<S>,
        records: Option<u64>,
        noise: Noise,
        noisy: NoisySum<<S::Body as Body>::Word>,
        ledger: Option<LedgerReference>,
    ) -> Self {
        Self { software, private, mechanism, records, noise, noisy, labels: Labels::default(), source: None, ledger }
    }

    /// The same release with public names for its axes.
    #[must_use]
    pub fn labelled(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// The same release with how its table was read, where that is known.
    #[must_use]
    pub fn read_from(mut self, source: Option<Source>) -> Self {
        self.source = source;
        self
    }

    /// The statistic, its guarantee and its noise.
    pub fn mechanism(&self) -> &Mechanism<S> {
        &self.mechanism
    }

    /// What was released.
    pub fn statistic(&self) -> &S {
        self.mechanism.statistic()
    }

    /// The guarantee: budget, neighbours and unit.
    pub fn guarantee(&self) -> &Guarantee {
        self.mechanism.guarantee()
    }

    /// The guarantee that was asked for.
    pub fn budget(&self) -> PrivacyBudget {
        self.guarantee().budget()
    }

    /// Which data sets the release does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.guarantee().neighbours()
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.guarantee().unit()
    }

    /// What was spent.
    pub fn spend(&self) -> Spend {
        self.mechanism.spend()
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.records
    }

    /// The number of records: exact where it is public, else what the noisy count says, at least 1; 1 where the body has no
    /// count of its own.
    pub fn units(&self) -> f64 {
        let noisy = || match (self.noisy.count, self.mechanism.body().count_weight()) {
            (Some(count), Some(weight)) => (count.to_f64() / weight as f64).max(1.0),
            _ => 1.0,
        };
        self.records.map_or_else(noisy, |records| records as f64)
    }

    /// The standard deviation of the noise in [`Release::units`]; 0 where the number is public.
    pub fn units_sd(&self) -> f64 {
        match (self.records, self.mechanism.body().count_weight()) {
            (None, Some(weight)) => self.noise.scale_of_count() / weight as f64,
            _ => 0.0,
        }
    }

    /// The noise that was drawn.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The noisy integers that were drawn, in lattice steps.
    pub fn coordinates(&self) -> &[<S::Body as Body>::Word] {
        &self.noisy.coordinates
    }

    /// The noisy count of records as it was drawn, in lattice steps, where it is a coordinate of its own.
    pub fn count(&self) -> Option<<S::Body as Body>::Word> {
        self.noisy.count
    }

    /// All noisy integers, the count last.
    pub fn words(&self) -> impl Iterator<Item = <S::Body as Body>::Word> + '_ {
        self.noisy.words()
    }

    /// Whether the guarantee holds to the last bit, or for real numbers only.
    pub fn arithmetic(&self) -> Arithmetic {
        self.noise.arithmetic()
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// The public names of its axes.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// How its table was read, where that is known.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.ledger.as_ref()
    }

    /// What the release is, in words: the list that every summary, caption and report is made from.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![self.privacy_fact(), self.unit_fact()];
        facts.extend(self.source.iter().flat_map(Source::facts));
        facts.extend(self.statistic().facts());
        if self.arithmetic() == Arithmetic::Idealised {
            let text = "drawn in floating point: the guarantee is that of real numbers (arithmetic: idealised)";
            facts.push(Fact::new("arithmetic", text));
        }
        facts.extend((!self.private).then(Fact::from_a_seed));
        facts
    }

    fn privacy_fact(&self) -> Fact {
        let mu = self.noise.privacy(self.mechanism.body(), self.neighbours()).map(|privacy| rounded(privacy.mu()));
        let (budget, unit) = (budget_in_words(&self.budget()), self.unit());
        let in_text = mu.as_ref().map_or_else(String::new, |mu| format!(", mu\u{a0}=\u{a0}{mu}"));
        let difference = difference_in_words(self.neighbours(), unit);
        let text = format!("{budget} differential privacy{in_text}; neighbouring data sets differ in {difference}");
        let relation = match self.neighbours() {
            NeighbouringRelation::SubstituteOne => "substitute one",
            NeighbouringRelation::AddRemoveOne => "add or remove one",
        };
        let mut fact = Fact::new("privacy", text).captioned(budget.replace('\u{a0}', " "));
        if let Some(mu) = mu {
            fact = fact.captioned(format!("mu = {mu}"));
        }
        fact.captioned(format!("neighbours: {relation} {unit}"))
    }

    fn unit_fact(&self) -> Fact {
        let unit = self.unit();
        let what = match unit {
            PrivacyUnit::Subject => "all data of a person together are one record",
            PrivacyUnit::Curve => "every row of the file is a record of its own",
        };
        let (number, caption) = match (self.records, self.noisy.count) {
            (Some(records), _) => {
                let records = exact(records as f64);
                (format!("; N\u{a0}=\u{a0}{records} {unit}s, which is public"), format!(", N = {records}"))
            }
            (None, Some(_)) => {
                let (units, sd) = (rounded(self.units()), self.units_sd());
                // a noisy count below 1 is taken for 1, the least number of records a mean can be of
                let raised =
                    if self.units() == 1.0 { ", raised to 1 because the noisy count was not above 1" } else { "" };
                let text = format!(
                    "; a noisy estimate of N is {units}\u{a0}+-\u{a0}{sd:.1} (noise standard deviation){raised}; N itself \
                     is private"
                );
                (text, format!(", N ~ {units} (noisy)"))
            }
            (None, None) => ("; N is private".to_owned(), String::new()),
        };
        Fact::new("unit", format!("{unit}; {what}{number}")).captioned(format!("unit: {unit}{caption}"))
    }
}

impl<S: Statistic> Drawn for Release<S> {
    fn stored(&self) -> Stored {
        Stored { software: self.software.clone(), private: self.private, bytes: stored_bytes(self) }
    }
}
