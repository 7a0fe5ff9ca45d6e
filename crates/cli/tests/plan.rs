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
        "with N = 500 records, the expected error of the estimate is",
        "in the mean before smoothing",
        "95% band for the population mean",
        "from the centre",
        "an expected error of 0.02 takes N =",
        "Expected error by N and epsilon",
        "N = 2000",
        "N needed",
        "under add-remove",
        "root-mean-square distance over the domain",
        "for the stated radius",
    ] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn the_document_holds_the_numbers_of_the_words() {
    let document = answer(&format!("{USUAL} --records 500"));
    let expected = &document["expected"][0];
    let number = |name: &str| expected[name].as_f64().unwrap();
    assert_eq!((number("radius"), number("records"), number("level")), (0.5, 500.0, 0.95));
    // sigma = 2 tau / (N mu) sqrt(1 / 0.95), with the mu of (1, 1e-5) and 513 of 2^23 steps for the rounding of sums
    let rounded = 1.0 + 513.0 / f64::from(1 << 23);
    assert!((number("sigma") / (rounded / (500.0 * 0.268_051_117 * 0.95_f64.sqrt())) - 1.0).abs() < 1e-5);
    assert!((number("unsmoothed_sd") / (10.0 * number("sigma")) - 1.0).abs() < 1e-9);
    assert!(number("estimate_sd") < number("error") && number("error") < number("center_error"));
    assert!(number("error") < number("half_width") && number("resolvable") > 2.0 * number("sigma"));
    let table = &document["table"];
    let (records, epsilons) = (table["records"].as_array().unwrap(), table["epsilons"].as_array().unwrap());
    let place = |list: &[Value], wanted: f64| list.iter().position(|x| x.as_f64() == Some(wanted)).unwrap();
    assert_eq!(table["errors"][place(records, 500.0)][place(epsilons, 1.0)], expected["error"]);
}

#[test]
fn the_number_of_records_for_an_error_has_that_error() {
    let needed = answer(&format!("{USUAL} --error 0.02"));
    let records = needed["needed"]["records"].as_u64().unwrap();
    assert_eq!(needed["expected"][0]["records"].as_u64().unwrap(), records);
    let error =
        |records: u64| answer(&format!("{USUAL} --records {records}"))["expected"][0]["error"].as_f64().unwrap();
    assert!(error(records) <= 0.02 && error(records - 1) > 0.02);
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
    assert!(words.contains("refused") && words.contains("For each N"), "{words}");
}

#[test]
fn what_release_would_refuse_is_said_with_the_number_from_which_on_it_does_not() {
    let default = Place::new().run(&format!("{USUAL} --records 20")).succeeded().words();
    assert!(default.contains("with N = 20 no radius is bought") && !default.contains("refuse"), "{default}");
    let words = Place::new().run(&format!("{USUAL} --records 20 --radius-share 0.05")).succeeded().words();
    let least = answer(&format!("{USUAL} --records 20"))["expected"][0]["least_records"].as_u64().unwrap();
    assert!(words.contains("dpfda release refuses N = 20"), "{words}");
    assert!(words.contains(&format!("from N = {least} records on")), "{words}");
    for allowed in [
        &format!("--records {least} --radius-share 0.05"),
        "--records 20",
        "--records 20 --radius-share none",
        "--records 20 --neighbours add-remove",
    ] {
        let document = answer(&format!("{USUAL} {allowed}"));
        assert_eq!(document["expected"][0]["refused"], false, "{allowed}");
    }
}

#[test]
fn a_smaller_radius_a_share_and_the_relation_change_the_noise_as_they_do_in_a_release() {
    let sigma = |arguments: &str| {
        let document = answer(&format!("forecast --records 500 --epsilon 1 --delta 1e-5 {arguments}"));
        document["expected"][0]["sigma"].as_f64().unwrap()
    };
    let stated = sigma("--radius 0.5 --radius-share none");
    assert_eq!(sigma("--center 0.5 --radius 0.5 --radius-share none"), stated);
    assert!((sigma("--radius 0.25 --radius-share none") / stated - 0.5).abs() < 1e-9);
    assert!((sigma("--radius 0.5 --radius-share 0.19") / stated - 1.0 / 0.9).abs() < 1e-5);
    let relations = answer(&format!("{USUAL} --records 500"))["relations"].clone();
    let ratio = sigma("--radius 0.5 --radius-share none --neighbours add-remove") / stated;
    assert!((relations["noise_ratio"].as_f64().unwrap() / ratio - 1.0).abs() < 1e-5 && ratio < 0.6);
}

#[test]
fn the_figure_is_a_new_file_of_the_kind_of_its_name() {
    let place = Place::new();
    let run = place.run(&format!("{USUAL} --records 500 --figure plan.svg")).succeeded();
    assert!(run.words().contains("plan.svg shows the error against N"));
    let svg = String::from_utf8(place.bytes("plan.svg")).unwrap();
    for text in ["epsilon = 0.25", "number of records N", "the public centre alone"] {
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
    assert_eq!((&with["pure"]["coordinates"], &with["pure"]["free_coordinates"]), (&12.into(), &12.into()));
    assert_eq!(planned("--epsilon 1 --delta 1e-5 --neighbours add-remove")["pure"]["free_coordinates"], 14);
    assert_eq!(planned("--epsilon 1 --delta 0.1")["pure"]["free_coordinates"], 0);
    assert!(planned("--epsilon 0 --delta 1e-5")["pure"].is_null());
    let without = planned("--epsilon 1 --delta 0");
    let error = |plan: &serde_json::Value| plan["expected"][0]["error"].as_f64().unwrap();
    assert_eq!(with["pure"]["error"], without["expected"][0]["error"]);
    assert!(without["pure"]["free_coordinates"].is_null());
    // at 12 coordinates the noise is that of the delta, and what lies outside is missing
    assert!(error(&without) > error(&with) && error(&without) < 1.3 * error(&with), "{without}");
    let few = planned("--epsilon 1 --delta 0 --coordinates 4");
    assert!(few["pure"]["share_outside"].as_f64() > without["pure"]["share_outside"].as_f64());
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
        let document = answer(&format!("{USUAL} --records 2000 --points-per-subject {values}"));
        assert_eq!(
            (document["points"].as_u64(), document["points_per_subject"].as_u64()),
            (Some(20), Some(values.into()))
        );
        document["expected"][0]["error"].as_f64().unwrap()
    };
    let (one, three, fifty) = (at(1), at(3), at(50));
    assert!(one > three && three > fifty, "{one} {three} {fifty}");
    let words =
        Place::new().run(&format!("{USUAL} --records 2000 --points-per-subject 3 --bins 30")).succeeded().words();
    for expected in ["3 values of each subject", "in 30 bins", "as if spread evenly", "under add-remove"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    assert!(!words.contains("bought"), "{words}");
}
