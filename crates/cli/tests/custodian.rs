//! What a custodian asks before signing: each question is answered by the report alone. The questions, with the words that answer them,
//! are a part of the documentation.

use std::fmt::Write;
use std::fs;

use crate::common::{Place, assert_page_shows, dti_like};

/// Questions, and what the page says.
const QUESTIONS: [(&str, &[&str]); 12] = [
    (
        "Whose data are they, and who approved what, and when?",
        &["data set tracts; study White matter; approval vote 12/2026; date 2026-11-28"],
    ),
    ("What is published?", &["private mean function", "95% band for the population mean"]),
    ("Is it what was approved?", &["follows the approved study, with which it was compared"]),
    ("Who made it, and was it changed since?", &["unchanged since it was signed by the key"]),
    ("What is promised, and for whom?", &["(epsilon, delta) = (1, 1e-5) for one substituted subject"]),
    (
        "What can somebody learn of one person at most?",
        &["5 in 100 8.5%", "the best guess is right in at most 55.4%, and in 50% without it"],
    ),
    ("And of a family?", &["For 4 people together, such as a family"]),
    (
        "Which limits were set, and where do they come from?",
        &[
            "values are clamped to [0, 1]",
            "The bounds (values from 0 to 1) come from public knowledge, and not from these data.",
        ],
    ),
    ("What was found in the data themselves, and who paid for it?", &["(of at most 1) with 10% of the budget"]),
    (
        "What was spent on these people before, and what is left?",
        &["entry 1 paid for it. Spent: (epsilon, delta)", "Left: one more release of"],
    ),
    (
        "What must be believed that no program checks, and who vouches for it?",
        &["No program can check these statements.", "Curator of the data: statements 1 to 6 are true"],
    ),
    ("How can somebody else check it?", &["dpfda verify release.json", "dpfda audit release.json"]),
];

/// The report of a release that was approved, signed and paid for, in words.
fn page() -> String {
    let place = Place::new();
    let study = "[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\n[table]\nvalues = 'cca_*'\nsubject = 'ID'\n\
                 [papers]\ndataset = 'tracts'\nstudy_name = 'White matter'\napproval = 'vote 12/2026'\ndate = '2026-11-28'\n";
    place.write("study.toml", study);
    place
        .run("ledger create l --epsilon 3 --delta 1e-4 --unit subject --neighbours substitute --dataset tracts")
        .succeeded();
    place.run("key new k --no-passphrase").succeeded();
    place.run(&format!("release study.toml {} --ledger l --sign k --out out", dti_like())).succeeded();
    place.run("report out --ledger l --key k.pub --study study.toml --out page.html").succeeded();
    let page = fs::read_to_string(place.path("page.html")).unwrap();
    let texts = page.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn twelve_questions_of_a_custodian_are_answered_by_the_page_alone() {
    let page = page();
    let mut table = "| question | the page says |\n|---|---|\n".to_owned();
    for (question, answers) in QUESTIONS {
        for answer in answers {
            assert!(page.contains(answer), "`{answer}` in {page}");
        }
        writeln!(table, "| {question} | {} |", answers.join(" ... ")).unwrap();
    }
    assert_page_shows("results/journey.md", "custodian", &table);
}
