//! What people vouch for, and what others can check.

use dpfda::AnyRelease;
use dpfda::mechanism::{Fact, exact};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda::smoothing::Center;

use crate::document::Document;
use crate::html::Html;

/// What is public by assumption, with blanks for who vouches for it.
pub fn assumptions(page: &mut Html, document: &Document) {
    page.element(
        "p",
        "No program can check these statements. The guarantee of this page holds if they are true. Somebody must vouch for each of \
         them, and say where the knowledge comes from.",
    );
    page.markup("<div class=\"wide\"><table>\n<caption>Public by assumption</caption>\n<thead><tr>");
    page.markup("<th scope=\"col\">statement</th><th scope=\"col\">who vouches for it, and from what source</th></tr></thead>\n<tbody>\n");
    for statement in statements(document) {
        page.markup("<tr><th scope=\"row\">").text(&statement).markup("</th><td class=\"blank\"></td></tr>\n");
    }
    page.markup("</tbody></table></div>\n");
}

fn statements(document: &Document) -> Vec<String> {
    let (release, guarantee) = (&document.release, document.release.guarantee());
    let facts = document.facts();
    let text = |name: &str| facts.iter().find(|fact| fact.name == name).map(|fact| fact.text.as_str());
    let mut statements = Vec::new();
    if let Some(records) = release.public_records() {
        statements.push(format!("The number of records, N = {}, is no secret.", exact(records as f64)));
    }
    statements.push(match guarantee.unit() {
        PrivacyUnit::Subject => "Each person has one id, and every row of a person carries it.".to_owned(),
        PrivacyUnit::Curve => "Nobody has more than one row in the file.".to_owned(),
    });
    if let Some(bound) = text("bound") {
        statements.push(match text("bought") {
            Some(bought) => format!(
                "The stated bound ({}) comes from public knowledge, and not from these data. What was bought was paid for: {bought}.",
                stated(release)
            ),
            None => format!("The bound comes from public knowledge, and not from these data: {bound}."),
        });
    }
    statements.extend(release.published().statements());
    let budget = guarantee.budget();
    let relation = match guarantee.neighbours() {
        NeighbouringRelation::SubstituteOne => "substitute",
        NeighbouringRelation::AddRemoveOne => "add-remove",
    };
    statements.push(format!(
        "Epsilon = {}, delta = {} and the relation ({relation}) were agreed before anybody saw a result.",
        exact(budget.epsilon()),
        exact(budget.delta())
    ));
    statements.push(release.published().chosen().to_owned());
    statements.push("Nobody was left out of the data because of their values.".to_owned());
    statements
}

/// The ball that was stated, where another was bought.
fn stated(release: &AnyRelease) -> String {
    let Some(ball) = release.published().stated_ball() else { return String::new() };
    let center = match ball.center() {
        Center::Constant(value) => exact(*value),
        Center::Curve(_) => "a public curve".to_owned(),
    };
    let bounds = ball
        .bounds()
        .map_or_else(String::new, |(lower, upper)| format!("values from {} to {}, ", exact(lower), exact(upper)));
    format!("{bounds}centre {center}, radius {}", exact(ball.radius()))
}

/// What was done before, with boxes, and who signs.
pub fn checklist(page: &mut Html, documents: &[Document], has_ledger: bool) {
    let is_private = documents.iter().all(|document| document.release.is_private());
    let is_exact = documents.iter().all(|document| !has_fact(&document.facts(), "arithmetic"));
    let noise = match (is_private, is_exact) {
        (true, true) => "The noise was secret and exact: the documents say so.",
        (true, false) => {
            "The noise was drawn in floating point (arithmetic: idealised). This is accepted, and reported."
        }
        (false, _) => "The noise came from a seed: THE RELEASE PROTECTS NOBODY and must not be published as private.",
    };
    let account = if has_ledger {
        "All earlier releases of these people are in the ledger, and the planned total is agreed."
    } else {
        "All earlier releases of these people are known and counted, although no ledger was given to this report."
    };
    page.markup("<ul class=\"checks\">\n");
    for check in [
        "The board has read the table of what the release means for one person, and can answer for it.",
        "Each statement above has a name beside it.",
        account,
        noise,
        "The release was rehearsed on synthetic data, not on the real ones.",
        "Only the output directory is published: no logs, no times, no error texts, and nothing that says NOT PRIVATE.",
        "The release is published as it is, whatever the picture looks like.",
    ] {
        page.markup("<li><span class=\"box\" role=\"img\" aria-label=\"box to tick\"></span>")
            .text(check)
            .markup("</li>\n");
    }
    page.markup(
        "</ul>\n<div class=\"wide\"><table>\n<caption>Signatures</caption>\n<thead><tr><th scope=\"col\">role</th>",
    );
    page.markup("<th scope=\"col\">name</th><th scope=\"col\">date</th><th scope=\"col\">signature</th></tr></thead>\n<tbody>\n");
    for role in ["Curator of the data", "Statistician", "Ethics board or data protection officer"] {
        page.markup("<tr><th scope=\"row\">").text(role).markup("</th>");
        page.markup("<td class=\"blank\"></td><td class=\"short blank\"></td><td class=\"blank\"></td></tr>\n");
    }
    page.markup("</tbody></table></div>\n");
}

/// How others check what this page says.
pub fn verification(page: &mut Html, documents: &[Document]) {
    page.element(
        "p",
        "This page follows from the documents of the releases. Whoever has a document can make the page again, and check it. No \
         document is signed by the program: the checks show that the numbers agree, and not who wrote them.",
    );
    page.markup("<dl>\n");
    for document in documents {
        let text = format!("made by {}; SHA-256 of its release.json: {}", document.release.software(), document.digest);
        let study = document.study.map(|study| format!("; SHA-256 of the study that it follows: {study}"));
        let text = text + &study.unwrap_or_default();
        page.markup("<div>").element("dt", &name(document)).element("dd", &text).markup("</div>\n");
    }
    page.markup("</dl>\n<ul class=\"commands\">\n");
    let has_ledger = documents.is_empty() || documents.iter().any(|document| document.release.ledger().is_some());
    for (command, says, is_shown) in [
        ("sha256sum release.json", "shows whether a document is the one of this page.", !documents.is_empty()),
        ("dpfda show release.json", "shows whether its numbers agree with one another.", true),
        (
            "dpfda ledger export study.ledger > ledger.json",
            "is for the curator: all entries with their hashes.",
            has_ledger,
        ),
        (
            "dpfda ledger verify release.json --export ledger.json",
            "shows whether the ledger paid for it, with this guarantee.",
            has_ledger,
        ),
        (
            "dpfda verify release.json --study study.toml",
            "shows whether the release names the study that was approved, and has its guarantee.",
            documents.iter().any(|document| document.study.is_some()),
        ),
        ("dpfda audit release.json", "attacks the guarantee of a mean or a density with synthetic data.", true),
    ] {
        if is_shown {
            page.markup("<li>").element("code", command).text(says).markup("</li>\n");
        }
    }
    page.markup("</ul>\n");
}

/// What a release is called on this page.
pub fn name(document: &Document) -> String {
    document.release.ledger().map_or_else(|| document.title().to_owned(), |reference| reference.id().to_string())
}

/// A paragraph that a paper can quote.
pub fn methods(page: &mut Html, document: &Document) {
    page.markup("<blockquote class=\"quote\"><p>").text(&paragraph(document)).markup("</p></blockquote>\n");
}

fn paragraph(document: &Document) -> String {
    let mut text = format!("{} ({}).", document.title(), document.release.software());
    let facts = document.facts();
    for Fact { name, text: fact, .. } in &facts {
        let words = match *name {
            "privacy" => format!(" The release has {fact}"),
            "unit" => format!(" The unit of privacy is the {fact}"),
            "bound" => format!(" Public bound: {fact}"),
            "group" => format!(" Group {fact}"),
            name => format!(" {}: {fact}", capitalised(name)),
        };
        text += words.trim_end_matches('.');
        text.push('.');
    }
    if !has_fact(&facts, "arithmetic") {
        text += " The noise was drawn in exact arithmetic.";
    }
    for note in document.notes() {
        text += " Note: ";
        text += note.trim_end_matches('.');
        text.push('.');
    }
    text + " [Say here which other releases of these people you know of, and where the public bound comes from.]"
}

fn has_fact(facts: &[Fact], name: &str) -> bool {
    facts.iter().any(|fact| fact.name == name)
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
