//! What people vouch for, and who signs.

use dpfda::AnyRelease;
use dpfda::mechanism::{Fact, exact};
use dpfda::privacy::PrivacyUnit;
use dpfda::smoothing::Center;

use crate::content::{Block, Page, Table};
use crate::document::Document;

/// What no program can check, with blanks for who vouches for it; and how many statements there are.
pub fn of(page: &mut Page, document: &Document, has_ledger: bool) -> usize {
    page.add(Block::Heading("What was assumed, and who vouches for it"));
    let statements = statements(document, has_ledger);
    let count = statements.len();
    let row = |(number, text): (usize, String)| vec![(number + 1).to_string(), text, String::new()];
    page.add(Block::Table(Table {
        caption: "No program can check these statements. The guarantee holds if they are true.".to_owned(),
        columns: vec![("", 0.04), ("statement", 0.64), ("vouched for by, and from what source", 0.32)],
        rows: statements.into_iter().enumerate().map(row).collect(),
        is_form: true,
    }));
    count
}

fn statements(document: &Document, has_ledger: bool) -> Vec<String> {
    let (release, guarantee) = (&document.release, document.release.guarantee());
    let record = release.record();
    let mut statements = vec![match (guarantee.unit(), release.public_records()) {
        (PrivacyUnit::Subject, records) => {
            format!("Each person has one id, and every row of a person carries it.{}", no_secret(records))
        }
        (PrivacyUnit::Curve, records) => {
            format!("Nobody has more than one {record} in the file.{}", no_secret(records))
        }
    }];
    let facts = &document.shown.facts;
    if let Some(bound) = brief(facts, "bound") {
        statements.push(match brief(facts, "found") {
            Some(_) => stated(release),
            None => format!("The bound comes from public knowledge, and not from these data: {bound}."),
        });
    }
    statements.extend(release.published().statements());
    statements.push(format!(
        "{} Epsilon, delta and the relation were agreed before anybody saw a result.",
        release.published().chosen()
    ));
    statements.push("Nobody was left out of the data because of their values.".to_owned());
    statements.push(if has_ledger {
        "All earlier releases of these people are in the ledger, and the planned total is agreed.".to_owned()
    } else {
        "All earlier releases of these people are known and counted, although this page was given no ledger.".to_owned()
    });
    statements.push(
        "Only the output directory is published: no logs, no times, no error texts, and nothing that says NOT PRIVATE."
            .to_owned(),
    );
    statements
}

fn no_secret(records: Option<u64>) -> String {
    records.map_or_else(String::new, |records| format!(" That there are {} is no secret.", exact(records as f64)))
}

/// The clause of a fact.
pub fn brief<'a>(facts: &'a [Fact], name: &str) -> Option<&'a str> {
    facts.iter().find(|fact| fact.name == name && !fact.brief.is_empty()).map(|fact| fact.brief.as_str())
}

/// What was stated, where a radius was found.
fn stated(release: &AnyRelease) -> String {
    const NOT_SEEN: &str = "come from public knowledge, and not from these data";
    let Some(ball) = release.published().stated_ball() else { return format!("The bounds {NOT_SEEN}.") };
    if let Some((lower, upper)) = ball.bounds() {
        return format!("The bounds (values from {} to {}) {NOT_SEEN}.", exact(lower), exact(upper));
    }
    let center = match ball.center() {
        Center::Constant(center) => exact(*center),
        Center::Curve(_) => "a curve".to_owned(),
    };
    let most = exact(ball.radius());
    match release.published().stated_radius().map(exact) {
        Some(stated) if stated == most => format!("The centre ({center}) and the radius ({stated}) {NOT_SEEN}."),
        Some(stated) => format!(
            "The centre ({center}) and the radius ({stated}) {NOT_SEEN}. The radius that was found counts short waves more, and could be at \
             most {most}."
        ),
        None => format!(
            "The centre ({center}), the radius and the slope {NOT_SEEN}. The radius that was found could be at most {most}."
        ),
    }
}

/// Who signs, and for what.
pub fn signatures(page: &mut Page, documents: &[Document], count: usize) {
    page.add(Block::Heading("Who signs"));
    if documents.iter().any(|document| has_fact(&document.shown.facts, "arithmetic")) {
        let text = "The noise was drawn in floating point (arithmetic: idealised). Whoever signs accepts this.";
        page.add(Block::Note(text.to_owned()));
    }
    let row =
        |(role, what): (&str, String)| vec![format!("{role}: {what}"), String::new(), String::new(), String::new()];
    let vouched = match count {
        0 => "the account is complete".to_owned(),
        count => format!("statements 1 to {count} are true"),
    };
    let signers = [
        ("Curator of the data", vouched),
        ("Statistician", "the design suits the question, and was rehearsed on synthetic data".to_owned()),
        ("Ethics board or data protection", "the table of what it means for one person is acceptable".to_owned()),
    ];
    page.add(Block::Table(Table {
        caption: String::new(),
        columns: vec![("role, and what is signed", 0.44), ("name", 0.22), ("date", 0.12), ("signature", 0.22)],
        rows: signers.into_iter().map(row).collect(),
        is_form: true,
    }));
}

/// Whether there is a fact of this name.
pub fn has_fact(facts: &[Fact], name: &str) -> bool {
    facts.iter().any(|fact| fact.name == name)
}
