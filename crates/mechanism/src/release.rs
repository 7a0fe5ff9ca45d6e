//! A release: noisy integers with everything that a reader must know to judge and use them.

use dpfda_privacy::{
    Arithmetic, Body, GaussianPrivacy, NeighbouringRelation, Noise, NoisySum, PrivacyBudget, PrivacyUnit, Spend, Word,
};

use crate::digest::Digest;
use crate::facts::{Fact, exact, rounded, unit_in_words, units_in_brief};
use crate::guarantee::Guarantee;
use crate::labels::Labels;
use crate::mechanism::Mechanism;
use crate::payable::{Drawn, Stored};
use crate::purchases::{Answers, units};
use crate::reference::LedgerReference;
use crate::source::Source;
use crate::statistic::Statistic;

#[cfg(test)]
#[path = "release_tests.rs"]
mod tests;

/// Noisy sums with their public provenance. Everything in it may be shown to anybody.
///
/// It holds what was drawn and nothing that was chosen afterwards: smoothers, merged cells and estimates are views of it. Answers that
/// bought a part of the ball are in it: what it cost, what its plan was, and what a ledger stores are those of all answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Release<S: Statistic> {
    software: String,
    private: bool,
    mechanism: Mechanism<S>,
    records: Option<u64>,
    transcript: Transcript<S>,
    /// The names of axes that were said.
    stated: Labels,
    /// The same, and those of columns where nothing was said.
    labels: Labels,
    source: Option<Source>,
    ledger: Option<LedgerReference>,
}

/// What was drawn: answers that buy, and the last sums.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transcript<S: Statistic> {
    pub(crate) answers: Answers,
    /// In the ball that the answers bought.
    pub(crate) statistic: S,
    pub(crate) noise: Noise,
    pub(crate) noisy: NoisySum<<S::Body as Body>::Word>,
}

impl<S: Statistic> Release<S> {
    pub(crate) fn new(
        software: String,
        private: bool,
        mechanism: Mechanism<S>,
        records: Option<u64>,
        transcript: Transcript<S>,
        ledger: Option<LedgerReference>,
    ) -> Self {
        let (stated, labels) = (Labels::default(), Labels::default());
        Self { software, private, mechanism, records, transcript, stated, labels, source: None, ledger }
    }

    /// The same release with public names for its axes.
    #[must_use]
    pub fn labelled(self, labels: Labels) -> Self {
        Self { stated: labels, ..self }.named()
    }

    /// The same release with how its table was read, where that is known.
    #[must_use]
    pub fn read_from(self, source: Option<Source>) -> Self {
        Self { source, ..self }.named()
    }

    fn named(mut self) -> Self {
        self.labels = self.source.as_ref().map_or_else(|| self.stated.clone(), |source| self.stated.or_of(source));
        self
    }

    /// The plan as it was asked for: the statistic in the stated ball, its guarantee, its noise, and what was bought.
    pub fn mechanism(&self) -> &Mechanism<S> {
        &self.mechanism
    }

    /// What was released: in the ball that was bought, where it was.
    pub fn statistic(&self) -> &S {
        &self.transcript.statistic
    }

    /// The answers that bought a part of the ball.
    pub fn answers(&self) -> &Answers {
        &self.transcript.answers
    }

    /// The digest of the plan that was asked for.
    pub fn plan(&self) -> Digest {
        self.mechanism.digest()
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

    /// What was spent, on all answers together.
    pub fn spend(&self) -> Spend {
        self.privacy().map_or_else(|| Spend::of_budget(&self.budget()), Spend::of_gaussian)
    }

    /// What was spent on all answers together, as the `mu` of a Gaussian release; compose several releases with
    /// [`GaussianPrivacy::compose`].
    ///
    /// `None` for noise that is not normal.
    pub fn privacy(&self) -> Option<GaussianPrivacy> {
        self.mechanism.privacy_with(&self.transcript.noise)
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.records
    }

    /// The number of records: exact where it is public, else what the noisy count says, at least 1; 1 where the body has no
    /// count of its own.
    pub fn units(&self) -> f64 {
        units(self.mechanism.body(), self.transcript.noisy.count, self.records)
    }

    /// The standard deviation of the noise in [`Release::units`]; 0 where the number is public.
    pub fn units_sd(&self) -> f64 {
        match (self.records, self.mechanism.body().count_weight()) {
            (None, Some(weight)) => self.noise().scale_of_count() / weight as f64,
            _ => 0.0,
        }
    }

    /// What is released about the centre that was bought, in the stated radius.
    pub fn centered(&self) -> S {
        let answers = Answers { center: self.transcript.answers.center.clone(), radius: None };
        self.mechanism.under(&answers, self.records)
    }

    /// The noise of the last sums, as it was drawn.
    pub fn noise(&self) -> &Noise {
        &self.transcript.noise
    }

    pub(crate) fn noisy(&self) -> &NoisySum<<S::Body as Body>::Word> {
        &self.transcript.noisy
    }

    /// The noisy integers that were drawn last, in lattice steps.
    pub fn coordinates(&self) -> &[<S::Body as Body>::Word] {
        &self.transcript.noisy.coordinates
    }

    /// The noisy count of records as it was drawn, in lattice steps, where it is a coordinate of its own.
    pub fn count(&self) -> Option<<S::Body as Body>::Word> {
        self.transcript.noisy.count
    }

    /// All noisy integers, the count last.
    pub fn words(&self) -> impl Iterator<Item = <S::Body as Body>::Word> + '_ {
        self.transcript.noisy.words()
    }

    /// Whether the guarantee holds to the last bit, or for real numbers only.
    pub fn arithmetic(&self) -> Arithmetic {
        self.noise().arithmetic()
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// The public names of its axes: those that were said, and otherwise those of the columns of a long table.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The names of its axes that were said.
    pub(crate) fn stated_labels(&self) -> &Labels {
        &self.stated
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
        let mu = self.privacy().map(|privacy| privacy.mu());
        let mut facts = vec![Fact::privacy(self.guarantee(), mu, S::RECORD), self.unit_fact()];
        facts.extend(self.labels.values_fact());
        facts.extend(self.source.iter().flat_map(Source::facts));
        facts.extend(self.statistic().facts());
        if self.arithmetic() == Arithmetic::Idealised {
            let text = "drawn in floating point: the guarantee is that of real numbers (arithmetic: idealised)";
            facts.push(Fact::new("arithmetic", text));
        }
        facts.extend((!self.private).then(Fact::from_a_seed));
        facts
    }

    fn unit_fact(&self) -> Fact {
        let unit = unit_in_words(self.unit(), S::RECORD);
        let what = match self.unit() {
            PrivacyUnit::Subject => "all data of a person together are one record",
            PrivacyUnit::Curve => "every row of the file is a record of its own",
        };
        let (number, brief, caption) = match (self.records, self.transcript.noisy.count) {
            (Some(records), _) => {
                let records = exact(records as f64);
                (
                    format!("; N\u{a0}=\u{a0}{records} {unit}s, which is public"),
                    records.clone(),
                    format!(", N = {records}"),
                )
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
                let whole = rounded(self.units().round());
                (text, format!("about {whole}"), format!(", N ~ {whole} (noisy)"))
            }
            (None, None) => ("; N is private".to_owned(), "a private number of".to_owned(), String::new()),
        };
        Fact::new("unit", format!("{unit}; {what}{number}"))
            .briefly(units_in_brief(&brief, self.unit(), S::RECORD))
            .captioned(format!("unit: {unit}{caption}"))
    }
}

impl<S: Statistic> Drawn for Release<S> {
    fn stored(&self) -> Stored {
        Stored { software: self.software.clone(), private: self.private, bytes: stored_bytes(self) }
    }
}

/// The stored form of a release; its length is that of [`Payable::stored_len`].
fn stored_bytes<S: Statistic>(release: &Release<S>) -> Vec<u8> {
    let mut bytes = Vec::new();
    release.answers().write(&mut bytes);
    bytes.extend(release.noise().drawn().map_or(0, |normal| normal.scale()).to_le_bytes());
    release.words().for_each(|word| word.write(&mut bytes));
    bytes
}
