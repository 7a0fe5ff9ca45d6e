//! What a guarantee means for one person, in plain words and numbers.

use dpfda::mechanism::{Guarantee, exact, rounded, unit_in_words};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit, TradeOff};

use crate::content::{Block, Page, Table};

/// The rates of a wrong "yes" in the table.
const RATES: [(f64, &str); 4] = [(0.01, "1 in 100"), (0.05, "5 in 100"), (0.1, "10 in 100"), (0.25, "25 in 100")];

/// Of how many people together the page speaks.
const FAMILY: u32 = 4;

/// What somebody sees who guesses.
#[derive(Clone, Copy)]
pub enum Seen {
    /// One release: that of a page, or the only one of a ledger.
    One,
    /// So many releases of a ledger.
    Together(usize),
}

impl Seen {
    /// What it is called, and what it is called where it is named again.
    fn words(self) -> [String; 2] {
        match self {
            Self::One => ["the release".to_owned(), "it".to_owned()],
            Self::Together(2) => ["both releases of the ledger together".to_owned(), "them".to_owned()],
            Self::Together(number) => [format!("all {number} releases of the ledger together"), "them".to_owned()],
        }
    }
}

/// The words and the numbers for what is seen; `guarantee` says who is protected, and `record` what a row is.
pub fn of(page: &mut Page, seen: Seen, trade_off: TradeOff, guarantee: &Guarantee, record: &str) {
    let [what, them] = &seen.words();
    page.add(Block::Heading("What it means for one person"));
    let row = |(rate, words): (f64, &str)| vec![words.to_owned(), percent(trade_off.power(rate))];
    let table = Table {
        caption: format!("The best rule that anybody can apply to {what}"),
        columns: vec![("says “yes” by mistake in", 0.46), ("says “yes” rightly in at most", 0.54)],
        rows: RATES.into_iter().map(row).collect(),
        is_form: false,
    };
    let words =
        [story([what, them], guarantee, record), guess(trade_off, them), several(guarantee.unit(), record, trade_off)];
    page.add(Block::Beside(vec![Block::Table(table)], words.into_iter().map(Block::Text).collect(), false));
}

fn story([what, them]: [&str; 2], guarantee: &Guarantee, record: &str) -> String {
    let data = match guarantee.unit() {
        PrivacyUnit::Subject => "the data of one person, which are all of their rows,".to_owned(),
        PrivacyUnit::Curve => format!("the values of one {record}"),
    };
    let question = match guarantee.neighbours() {
        NeighbouringRelation::SubstituteOne => format!("whether {data} are in the file, or others in their place"),
        NeighbouringRelation::AddRemoveOne => format!("whether {data} are in the file at all"),
    };
    format!(
        "Somebody knows everything about the data except {question}. A rule looks at {what} and says “yes” or “no”. Without {them}, any \
         rule says “yes” rightly as often as by mistake. The table says how much better the best of all rules is."
    )
}

fn guess(trade_off: TradeOff, them: &str) -> String {
    let guesses = percent(trade_off.right_guesses());
    let sure = match (trade_off.certainty().map(percent), trade_off) {
        (Some(sure), TradeOff::Gaussian(_)) => {
            format!(" In 999 of 1000 cases nobody becomes more than {sure} sure.")
        }
        (Some(sure), TradeOff::Budget(_)) => format!(" Nobody becomes more than {sure} sure."),
        (None, _) => String::new(),
    };
    format!(
        "If both cases are equally likely, the best guess is right in at most {guesses}, and in 50% without {them}.{sure} {}",
        strength(trade_off)
    )
}

/// What the numbers follow from.
fn strength(trade_off: TradeOff) -> String {
    let from = match trade_off {
        TradeOff::Gaussian(privacy) => {
            format!("mu = {}, which describes Gaussian noise completely", rounded(privacy.mu()))
        }
        TradeOff::Budget(budget) if budget.delta() == 0.0 => format!("epsilon = {} alone", exact(budget.epsilon())),
        TradeOff::Budget(budget) => {
            format!("epsilon = {} and delta = {}", rounded(budget.epsilon()), exact(budget.delta()))
        }
    };
    format!("The numbers are for the worst case, rounded up, and follow from {from}.")
}

fn several(unit: PrivacyUnit, record: &str, trade_off: TradeOff) -> String {
    let grows = match trade_off {
        TradeOff::Gaussian(_) => "mu is k times as large",
        TradeOff::Budget(budget) if budget.delta() == 0.0 => "epsilon is k times as large",
        TradeOff::Budget(_) => "epsilon is k times as large, and delta is larger too",
    };
    let (people, example) = match unit {
        PrivacyUnit::Subject => ("people".to_owned(), ", such as a family"),
        PrivacyUnit::Curve => (format!("{}s", unit_in_words(unit, record)), ""),
    };
    let (rate, mistakes) = RATES[1];
    let family = trade_off.of_several(FAMILY).map_or_else(String::new, |of_family| {
        let rightly = percent(of_family.power(rate));
        format!(
            "For {FAMILY} {people} together{example}, a rule that says “yes” by mistake in {mistakes} says it rightly in at most {rightly}. "
        )
    });
    format!(
        "{family}For k {people} together, {grows}. What is learned about people in general is the purpose, and is not limited."
    )
}

/// A probability in percent, rounded up.
fn percent(share: f64) -> String {
    let digits = if share > 0.999 { 1000.0 } else { 10.0 };
    let up = (share * 100.0 * digits - 1e-7).ceil() / digits;
    format!("{}%", up.min(100.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use dpfda::privacy::PrivacyBudget;

    use super::*;

    #[test]
    fn one_two_and_many_releases_are_named_in_the_number_that_they_have() {
        let told = |seen: Seen| {
            let [what, them] = &seen.words();
            let guarantee = Guarantee::new(
                PrivacyBudget::new(1.0, 1e-5).unwrap(),
                NeighbouringRelation::SubstituteOne,
                PrivacyUnit::Subject,
            );
            story([what, them], &guarantee, "curve")
        };
        for (seen, said) in [
            (Seen::One, "A rule looks at the release and says “yes” or “no”. Without it, any rule"),
            (
                Seen::Together(2),
                "A rule looks at both releases of the ledger together and says “yes” or “no”. Without them, any",
            ),
            (
                Seen::Together(5),
                "A rule looks at all 5 releases of the ledger together and says “yes” or “no”. Without them, any",
            ),
        ] {
            assert!(told(seen).contains(said), "{}", told(seen));
        }
    }

    #[test]
    fn percentages_are_rounded_up_and_never_above_100() {
        let written = [0.05, 0.0854, 0.085_01, 0.5, 0.999_81, 1.0].map(percent);
        assert_eq!(written, ["5%", "8.6%", "8.6%", "50%", "99.981%", "100%"]);
    }
}
