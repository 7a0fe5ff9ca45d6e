//! `dpfda forecast`: what a release will be worth, before there are data.

use crate::common::Place;
use crate::refusals::assert_refused;
use serde_json::Value;

const USUAL: &str = "forecast --bounds 0,1 --epsilon 1 --delta 1e-5";

fn answer(arguments: &str) -> Value {
    serde_json::from_str(&Place::new().run(&format!("{arguments} --json")).succeeded().stdout).unwrap()
}

#[test]
fn the_words_say_all_that_was_asked_for() {
    let words = Place::new().run(&format!("{USUAL} --records 500 --error 0.02")).succeeded().words();
    for expected in [
        "no data were read",
        "a fifth of the stated radius",
        "with N = 500 records, the expected error of the estimate is",
        "95% band for the population mean",
        "an expected error of 0.02 takes about N =",
        "Expected error by N and epsilon",
        "N = 2000",
        "N needed",
        "under add-remove",
        "root-mean-square distance over the domain",
        "rehearsed on people who are made up",
    ] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn the_document_holds_the_numbers_of_the_words() {
    let document = answer(&format!("{USUAL} --records 500 --spread 0.08"));
    let expected = &document["expected"][0];
    let number = |name: &str| expected[name].as_f64().unwrap();
    assert_eq!(
        (&document["radius"], &document["level"], &document["spread"]),
        (&0.5.into(), &0.95.into(), &0.08.into())
    );
    assert!(number("noise_sd") < number("half_width") && number("error") < number("half_width"));
    assert_eq!(expected["means"][0]["error"], expected["error"]);
    let table = &document["table"];
    let (records, epsilons) = (table["records"].as_array().unwrap(), table["epsilons"].as_array().unwrap());
    let place = |list: &[Value], wanted: f64| list.iter().position(|x| x.as_f64() == Some(wanted)).unwrap();
    assert_eq!(table["errors"][place(records, 500.0)][place(epsilons, 1.0)], expected["error"]);
}

#[test]
fn every_kind_of_curves_is_foretold_by_its_options() {
    for (options, kind, name) in [
        ("--by arm", "groups", "A"),
        ("--change visit=1,2", "change", ""),
        ("--per year --apart 0.5", "change", ""),
        ("--surface 8,6", "surface", ""),
        ("--on age --covariate-bounds age=20:80", "regression", "age"),
        ("--points-per-subject 3", "rows", ""),
    ] {
        let document = answer(&format!("{USUAL} --records 2000 {options}"));
        assert_eq!((&document["kind"], &document["expected"][0]["name"]), (&kind.into(), &name.into()), "{options}");
        let words = Place::new().run(&format!("{USUAL} --records 2000 {options}")).succeeded().words();
        assert!(words.contains("the expected error of the estimate") && words.contains("N = 8000"), "{words}");
    }
}

#[test]
fn the_number_of_records_for_an_error_has_that_error() {
    let needed = answer(&format!("{USUAL} --error 0.02"));
    let records = needed["needed"]["records"].as_u64().unwrap();
    assert_eq!(needed["expected"][0]["records"].as_u64().unwrap(), records);
    // what is rehearsed at this number, against a power between two others
    let error = needed["expected"][0]["error"].as_f64().unwrap();
    assert!((0.016..0.025).contains(&error), "{error}");
}

#[test]
fn lists_and_ranges_of_records_are_tables() {
    let records = |text: &str| -> Vec<u64> {
        let document = answer(&format!("{USUAL} --records {text}"));
        document["expected"].as_array().unwrap().iter().map(|row| row["records"].as_u64().unwrap()).collect()
    };
    assert_eq!(records("100,300"), [100, 300]);
    assert_eq!(records("100..10000"), [100, 220, 460, 1000, 2200, 4600, 10000]);
    let words = Place::new().run(&format!("{USUAL} --records 20,300 --radius-share 0.05")).succeeded().words();
    assert!(words.contains("with N = 20 there is no release") && words.contains("For each N"), "{words}");
}

#[test]
fn what_release_would_refuse_is_said() {
    let refused = format!("{USUAL} --records 20 --radius-share 0.05");
    let words = Place::new().run(&refused).succeeded().words();
    assert!(words.contains("with N = 20 records: ") && words.contains("none"), "{words}");
    assert!(answer(&refused)["expected"][0]["refused"].is_string());
    for allowed in ["--records 20", "--records 20 --radius-share none", "--records 20 --neighbours add-remove"] {
        let document = answer(&format!("{USUAL} {allowed}"));
        assert!(document["expected"][0]["refused"].is_null(), "{allowed}");
    }
}

#[test]
fn a_smaller_radius_and_the_relation_change_the_noise_as_they_do_in_a_release() {
    let noise = |arguments: &str| {
        let document = answer(&format!("forecast --records 500 --epsilon 1 --delta 1e-5 --spread 0.05 {arguments}"));
        document["expected"][0]["noise_sd"].as_f64().unwrap()
    };
    let stated = noise("--radius 0.5 --radius-share none");
    assert_eq!(noise("--center 0.5 --radius 0.5 --radius-share none"), stated);
    assert!(noise("--radius 0.25 --radius-share none") < 0.8 * stated);
    assert!(noise("--radius 0.5") < stated);
    assert!(noise("--radius 0.5 --radius-share none --neighbours add-remove") < 0.8 * stated);
}

#[test]
fn the_figure_is_a_new_file_of_the_kind_of_its_name() {
    let place = Place::new();
    let run = place.run(&format!("{USUAL} --records 500 --figure plan.svg")).succeeded();
    assert!(run.words().contains("plan.svg shows the error against N"));
    let svg = String::from_utf8(place.bytes("plan.svg")).unwrap();
    for text in ["epsilon = 0.25", "number of records N", "how much people differ"] {
        assert!(svg.contains(text), "{text}");
    }
    place.run(&format!("{USUAL} --error 0.02 --figure plan.png")).succeeded();
    assert!(place.bytes("plan.png").starts_with(b"\x89PNG"));
}

#[test]
fn bad_input_names_the_argument_what_is_allowed_and_the_cure() {
    let place = Place::new();
    place.write("plan.svg", "mine");
    assert_refused(&place, include_str!("refusals/plan.txt"));
}

#[test]
fn a_plan_says_when_a_delta_buys_nothing() {
    let planned = |given: &str| {
        let run = Place::new().run(&format!("forecast --records 376 --bounds 0.25,0.75 {given} --json")).succeeded();
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let with = planned("--epsilon 1 --delta 1e-5 --radius-share none");
    assert_eq!(with["pure"]["free_coordinates"], 12);
    assert_eq!(planned("--epsilon 1 --delta 1e-5 --neighbours add-remove")["pure"]["free_coordinates"], 14);
    assert_eq!(planned("--epsilon 1 --delta 0.1")["pure"]["free_coordinates"], 0);
    assert!(planned("--epsilon 0 --delta 1e-5")["pure"].is_null());
    let without = planned("--epsilon 1 --delta 0");
    let error = |plan: &serde_json::Value| plan["expected"][0]["error"].as_f64().unwrap();
    assert_eq!(with["pure"]["error"], without["expected"][0]["error"]);
    assert!(without["pure"].is_null());
    // at 12 coordinates the noise is that of the delta, and what lies outside is missing
    assert!((0.8..1.5).contains(&(error(&without) / error(&with))), "{without}");
    let words = Place::new().run("forecast --records 376 --radius 0.25 --epsilon 1 --delta 1e-5").succeeded().words();
    assert!(words.contains("from 13 coordinates on"), "{words}");
}

#[test]
fn noise_of_one_summary_points_to_the_error_of_a_curve() {
    let run = Place::new().run("forecast --noise gaussian --epsilon 1 --delta 1e-5 --sensitivity 2").succeeded();
    assert!(run.stdout.contains("`dpfda forecast --records`"), "{}", run.stdout);
}

#[test]
fn for_a_long_table_the_plan_knows_how_many_values_a_subject_has() {
    let at = |values: u32| {
        let document = answer(&format!("{USUAL} --records 500 --points-per-subject {values}"));
        assert_eq!(document["points"].as_u64(), Some(values.into()));
        document["expected"][0]["error"].as_f64().unwrap()
    };
    let (one, three, fifty) = (at(1), at(3), at(50));
    assert!(one > three && three > fifty, "{one} {three} {fifty}");
    let words =
        Place::new().run(&format!("{USUAL} --records 500 --points-per-subject 3 --bins 30")).succeeded().words();
    for expected in ["3 values of each subject", "as if spread evenly", "under add-remove"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}
