//! Long tables in parts, as their curator meets them.

use std::fmt::Write;

use crate::common::{Place, Run};
use crate::refusals::assert_refused;

const COLUMNS: &str = "--id id --time day --value y";
const PUBLIC: &str = "--domain 0,10 --center 0.5 --radius 2 --epsilon 1 --delta 1e-4 --expected 1000";
const BOUGHT: &str = "--domain 0,10 --center 0.5 --radius 2 --radius-share 0.05 --bins 12 --epsilon 1 --delta 1e-4";
const SEED: &str = "--not-private --seed 7";

/// Rows of these people, in an order in which nobody's rows follow one another.
fn table(people: std::ops::Range<u32>) -> String {
    let mut csv = "id,day,y,note\n".to_owned();
    for visit in 0..3 {
        for person in people.clone() {
            let day = f64::from((person * 37 + visit * 311) % 997) / 99.0;
            writeln!(csv, "p{person},{day},{},x", 0.5 + f64::from(person * 7 % 11) / 100.0).unwrap();
        }
    }
    csv
}

/// The whole table, and its people divided between two sites, one of which has two files.
fn place() -> Place {
    let place = Place::new();
    for (name, people) in
        [("all.csv", 0..600), ("north.csv", 0..200), ("south-1.csv", 200..350), ("south-2.csv", 350..600)]
    {
        place.write(name, &table(people));
    }
    place
}

/// A part of a table that has the columns of the plan.
fn partial(place: &Place, file: &str, plan: &str, part: &str) -> Run {
    place.run(&format!("part {file} --plan {plan}.json --key {plan}.key --part {part} --out {part}.part"))
}

#[test]
fn parts_of_a_long_table_release_the_same_numbers_as_one_file() {
    let place = place();
    for (number, public) in [PUBLIC, BOUGHT].into_iter().enumerate() {
        let plan = format!("plan{number}");
        let told = place.run(&format!("release north.csv {COLUMNS} {public} --plan-only {plan}.json")).succeeded();
        assert!(told.stdout.contains("SECRET") && told.words().contains("Nothing was drawn"), "{}", told.stdout);
        assert_eq!(place.json(&format!("{plan}.json"))["kind"], "planned-rows");
        let [north, south] = ["north", "south"].map(|site| format!("{site}{number}"));
        assert!(partial(&place, "north.csv", &plan, &north).succeeded().words().contains("WITHOUT NOISE"));
        partial(&place, "south-*.csv", &plan, &south).succeeded();
        place
            .run(&format!("merge {south}.part {north}.part --plan {plan}.json {SEED} --out merged{number}"))
            .succeeded();
        place.run(&format!("release all.csv {COLUMNS} {public} {SEED} --out whole{number}")).succeeded();
        let mut whole = place.json(&format!("whole{number}/release.json"));
        // each part has a table of its own, and all follow one study
        whole["source"] = serde_json::json!({ "study": whole["source"]["study"] });
        assert_eq!(place.json(&format!("merged{number}/release.json")), whole);
        let shown = place.run(&format!("show merged{number}/release.json")).succeeded().stdout;
        assert!(shown.contains("irregular curves"), "{shown}");
    }
}

#[test]
fn a_person_in_two_parts_another_plan_and_a_part_twice_are_refused_before_anything_is_paid() {
    let place = place();
    for (plan, public) in [("a", PUBLIC), ("b", BOUGHT)] {
        place.run(&format!("release all.csv {COLUMNS} {public} --plan-only {plan}.json")).succeeded();
    }
    let curves = "release all.csv --values day,y --subject id --grid 0,1 --bounds 0,10 --epsilon 1 --delta 1e-4";
    place.run(&format!("{curves} --radius-share none --plan-only c.json")).succeeded();
    partial(&place, "north.csv", "a", "north").succeeded();
    partial(&place, "all.csv", "a", "all").succeeded();
    partial(&place, "south-1.csv", "b", "other").succeeded();
    let of_curves = "part south-1.csv --values day,y --subject id --plan c.json --key c.key --part curves";
    place.run(&format!("{of_curves} --out curves.part")).succeeded();
    let terms = "--epsilon 3 --delta 1e-3 --unit subject --neighbours substitute --dataset d";
    place.run(&format!("ledger create people.ledger {terms}")).succeeded();
    for (second, words) in [
        ("north", "both hold the part north"),
        ("all", "a subject is in both parts"),
        ("other", "another plan than that of --plan"),
        ("curves", "another plan than that of --plan"),
    ] {
        let refused =
            place.run(&format!("merge north.part {second}.part --plan a.json --ledger people.ledger --out out"));
        assert!(refused.code == 2 && refused.stderr.contains(words), "{second}: {}", refused.text());
        assert!(!place.path("out").exists());
    }
    let history = place.run("ledger show people.ledger --json").succeeded().stdout;
    let history: serde_json::Value = serde_json::from_str(&history).unwrap();
    assert_eq!(history["releases"].as_array().map_or(0, Vec::len), 0);
    partial(&place, "south-*.csv", "a", "south").succeeded();
    place.run("merge north.part south.part --plan a.json --ledger people.ledger --out out").succeeded();
    let again = place.run("merge south.part north.part --plan a.json --ledger people.ledger --out again").succeeded();
    assert!(again.words().contains("was made before"), "{}", again.stdout);
}

#[test]
fn a_part_that_does_not_have_what_its_plan_needs_is_refused_and_says_what() {
    let place = place();
    place.run(&format!("release all.csv {COLUMNS} {PUBLIC} --plan-only plan.json")).succeeded();
    let curves = "--values day,y --subject id";
    let wide = format!("release all.csv {curves} --bounds 0,10 --epsilon 1 --delta 1e-4 --plan-only curves.json");
    place.run(&wide).succeeded();
    let key = "--key plan.key";
    assert_refused(&place, include_str!("refusals/long-parts.txt"));
    place.write("cut.json", &String::from_utf8_lossy(&place.bytes("plan.json")[..200]));
    let cut = place.run(&format!("part all.csv {COLUMNS} {key} --plan cut.json --part a --out a.part"));
    assert!(cut.code == 2 && cut.stderr.contains("is no plan: EOF"), "{}", cut.text());
    let nameless = place.run_with(&["part", "all.csv", "--plan", "plan.json", "--part", "", "--out", "a.part"]);
    assert!(nameless.code == 2 && nameless.stderr.contains("a name must have"), "{}", nameless.text());
    let header = place.run(&format!("release all.csv --id id --time when --value y {PUBLIC} --plan-only other.json"));
    assert!(header.code == 2 && header.stderr.contains("no column is named `when`"), "{}", header.text());
    let no_domain = place.run(&format!("release all.csv {COLUMNS} --bounds 0,1 --epsilon 1 --delta 0.01 --out out"));
    assert!(no_domain.code == 2 && no_domain.stderr.contains("--domain"), "{}", no_domain.text());
    let gaps = "--values y --gaps rows --bounds 0,1 --epsilon 1 --delta 0.01 --plan-only gaps.json";
    let gaps = place.run(&format!("release all.csv {gaps}"));
    assert!(gaps.code == 2 && gaps.stderr.contains("--plan-only"), "{}", gaps.text());
}
