//! What a guarantee means for one person, in plain words and numbers.

use dpfda::mechanism::{Guarantee, exact, rounded};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit, TradeOff};

use crate::html::Html;

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod tests;

/// The rates of a wrong "yes" in the table.
const RATES: [(f64, &str); 4] = [(0.01, "1 in 100"), (0.05, "5 in 100"), (0.1, "10 in 100"), (0.25, "25 in 100")];

/// The words and the numbers for `what`, such as "this release"; `guarantee` says who is protected.
pub fn of(page: &mut Html, what: &str, trade_off: TradeOff, guarantee: &Guarantee) {
    let (unit, relation) = (guarantee.unit(), guarantee.neighbours());
    page.element("p", &story(what, unit, relation));
    let row = |(rate, words): (f64, &str)| vec![words.to_owned(), percent(trade_off.power(rate))];
    let rows: Vec<Vec<String>> = RATES.into_iter().map(row).collect();
    let columns = ["A rule that says “yes” by mistake in", "says “yes” rightly in at most"];
    page.table(&format!("The best rule that anybody can apply to {what}"), &columns, &rows);
    page.element("p", &guess(trade_off));
    page.element("p", &strength(trade_off));
    page.element("p", several(unit, trade_off).as_str());
}

fn story(what: &str, unit: PrivacyUnit, relation: NeighbouringRelation) -> String {
    let record = match unit {
        PrivacyUnit::Subject => "all data of one person",
        PrivacyUnit::Curve => "one row of the file",
    };
    let question = match relation {
        NeighbouringRelation::SubstituteOne => {
            format!("whether {record} are in the data, or other data in their place")
        }
        NeighbouringRelation::AddRemoveOne => format!("whether {record} are in the data at all"),
    };
    let question =
        if unit == PrivacyUnit::Curve { question.replace(" are ", " is ").replace("their", "its") } else { question };
    format!(
        "Suppose that somebody knows everything about the data except one thing: {question}. They have any computer and any other \
         source. They apply a rule to {what}: it says “yes” or “no”. Without {what}, a rule says “yes” rightly as often as by \
         mistake. The table says how much better the best of all rules is."
    )
}

fn guess(trade_off: TradeOff) -> String {
    let guesses = percent(trade_off.right_guesses());
    let sure = match (trade_off.certainty().map(percent), trade_off) {
        (Some(sure), TradeOff::Gaussian(_)) => {
            format!(" In 999 of 1000 releases, nobody can become more than {sure} sure, from 50%.")
        }
        (Some(sure), TradeOff::Budget(_)) => format!(" Nobody can become more than {sure} sure, from 50%."),
        (None, _) => String::new(),
    };
    format!(
        "If both cases were equally likely before, the best guess is right in at most {guesses} of all cases. Without the release it \
         is right in 50%.{sure} These numbers are for the worst case over all people, data and rules. Percentages are rounded up."
    )
}

/// Whether the numbers are exact, and in which sense delta counts.
fn strength(trade_off: TradeOff) -> String {
    match trade_off {
        TradeOff::Gaussian(privacy) => format!(
            "The numbers follow from mu = {}, which describes Gaussian noise completely.",
            rounded(privacy.mu())
        ),
        TradeOff::Budget(budget) if budget.delta() == 0.0 => format!(
            "The numbers follow from epsilon = {} alone: the odds of any two cases change by a factor of at most {}.",
            exact(budget.epsilon()),
            rounded(budget.epsilon().exp())
        ),
        TradeOff::Budget(budget) => format!(
            "The numbers are the most that epsilon = {} and delta = {} allow.",
            rounded(budget.epsilon()),
            exact(budget.delta())
        ),
    }
}

fn several(unit: PrivacyUnit, trade_off: TradeOff) -> String {
    let grows = match trade_off {
        TradeOff::Gaussian(_) => "mu is k times as large",
        TradeOff::Budget(budget) if budget.delta() == 0.0 => "epsilon is k times as large",
        TradeOff::Budget(_) => "epsilon is k times as large, and delta is larger too",
    };
    match unit {
        PrivacyUnit::Subject => format!(
            "The limits hold for each person, with all their rows together. For k people together, {grows}. The release does teach \
             something about people in general: that is its purpose, and it is not limited here."
        ),
        PrivacyUnit::Curve => format!(
            "The limits hold for each row of the file. A person with k rows is protected less: {grows}. The release does teach \
             something about people in general: that is its purpose, and it is not limited here."
        ),
    }
}

/// A probability in percent, rounded up.
fn percent(share: f64) -> String {
    let digits = if share > 0.999 { 1000.0 } else { 10.0 };
    let up = (share * 100.0 * digits - 1e-7).ceil() / digits;
    format!("{}%", up.min(100.0))
}
