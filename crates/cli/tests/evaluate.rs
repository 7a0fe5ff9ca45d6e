//! `dpfda evaluate`: slopes, integrals and the maximum of an estimate; `--json`.

use crate::common::{Place, SMALL, dti_like};
use crate::refusals::assert_refused;
use serde_json::Value;

fn released() -> Place {
    let place = Place::new();
    let release = format!("release {} --values cca_* --subject ID --grid 0,2 --epsilon 4 --delta 1e-5", dti_like());
    place
        .run(&format!("{release} --center 0.5 --radius 0.25 --radius-share none --not-private --seed 3 --out out"))
        .succeeded();
    place
}

fn answer(place: &Place, asked: &str) -> Value {
    serde_json::from_str(&place.run(&format!("evaluate out/release.json {asked} --json")).succeeded().stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn integrals_are_those_of_the_values_and_add_up() {
    let place = released();
    let integral = |asked: &str| answer(&place, asked)["integral"].clone();
    let whole = integral("--integral all");
    assert_eq!((number(&whole["from"]), number(&whole["to"])), (0.0, 2.0));
    let parts = [integral("--integral 0,0.7"), integral("--integral 0.7,2")];
    let sum: f64 = parts.iter().map(|part| number(&part["value"])).sum();
    assert!((number(&whole["value"]) - sum).abs() < 1e-9);
    // the trapezoid rule on the estimate of the document
    let estimate = &place.json("out/release.json")["estimate"];
    let of = |field: &str| -> Vec<f64> { estimate[field].as_array().unwrap().iter().map(number).collect() };
    let (grid, values) = (of("grid"), of("values"));
    let trapezoids: f64 = (1..grid.len()).map(|i| 0.5 * (grid[i] - grid[i - 1]) * (values[i] + values[i - 1])).sum();
    assert!((number(&whole["value"]) - trapezoids).abs() < 1e-3, "{whole} is not {trapezoids}");
    for part in parts.iter().chain([&whole]) {
        let [value, sd, lower, upper] = ["value", "sd", "lower", "upper"].map(|field| number(&part[field]));
        assert!(sd > 0.0 && lower < value && value < upper && (upper - lower) / sd > 3.0 && (upper - lower) / sd < 5.0);
    }
}

#[test]
fn a_slope_is_that_of_the_values_over_its_window_and_the_maximum_is_that_of_the_band() {
    let place = released();
    let found = answer(&place, "--at 0.6,0.8,1.8,2 --derivative 0.7,2 --maximum --minimum");
    let values: Vec<f64> = found["points"].as_array().unwrap().iter().map(|point| number(&point["value"])).collect();
    assert_eq!(number(&found["window"]), 0.2);
    for (place, (t, ends)) in [(0.7, (0.6, 0.8)), (2.0, (1.8, 2.0))].into_iter().enumerate() {
        let slope = &found["derivative"][place];
        assert_eq!(number(&slope["t"]), t);
        assert!(
            (number(&slope["from"]) - ends.0).abs() < 1e-9 && (number(&slope["to"]) - ends.1).abs() < 1e-9,
            "{slope}"
        );
        let chord = (values[2 * place + 1] - values[2 * place]) / 0.2;
        assert!((number(&slope["value"]) - chord).abs() < 1e-2, "{slope} is not {chord}");
        // intervals of all slopes hold together
        assert!((number(&slope["upper"]) - number(&slope["value"])) / number(&slope["sd"]) > 3.0, "{slope}");
    }
    let estimate = &place.json("out/release.json")["estimate"];
    let most = |field: &str| estimate[field].as_array().unwrap().iter().map(number).fold(f64::NEG_INFINITY, f64::max);
    let maximum = &found["maximum"];
    for (end, field) in [("value", "values"), ("lower", "lower"), ("upper", "upper")] {
        let (found, of_grid) = (number(&maximum["value"][end]), most(field));
        assert!(found >= of_grid - 1e-9 && found < of_grid + 0.01, "{end}: {found} is not {of_grid}");
    }
    assert!((0.0..=2.0).contains(&number(&maximum["at"]["value"])));
    let stretches = maximum["at"]["stretches"].as_array().unwrap();
    assert_eq!(stretches[0][0], maximum["at"]["lower"]);
    assert_eq!(stretches[stretches.len() - 1][1], maximum["at"]["upper"]);
    assert_eq!(maximum["target"], "population-mean");
    assert!(number(&found["minimum"]["value"]["upper"]) < number(&maximum["value"]["upper"]));
    // a longer window says less about where, and more surely how steep
    let sd = |asked: &str| number(&answer(&place, asked)["derivative"][0]["sd"]);
    assert!(sd("--derivative 1 --window 0.5") < sd("--derivative 1"));
    let all = answer(&place, "--derivative all");
    assert_eq!(all["derivative"].as_array().unwrap().len(), estimate["grid"].as_array().unwrap().len());
}

#[test]
fn the_band_says_whom_the_intervals_are_about_and_the_level_how_sure_they_are() {
    let place = released();
    let about = |more: &str| answer(&place, &format!("--integral all {more}"));
    let (population, people) = (about(""), about("--band posterior"));
    assert_eq!(
        (population["target"].as_str(), people["target"].as_str()),
        (Some("the population mean"), Some("the mean of these people"))
    );
    assert!(number(&population["integral"]["sd"]) > number(&people["integral"]["sd"]));
    let wide = about("--level 0.99");
    assert_eq!(number(&wide["level"]), 0.99);
    assert!(number(&wide["integral"]["upper"]) > number(&population["integral"]["upper"]));
    assert_eq!(wide["integral"]["value"], population["integral"]["value"]);
}

#[test]
fn words_say_the_numbers_and_values_stay_a_table() {
    let place = released();
    let words = place.run("evaluate out/release.json --derivative 0.5,1 --integral 0,1 --maximum").succeeded().words();
    for said in [
        "slope at 0.5, from 0.4 to 0.6: ",
        "slope at 1, from 0.9 to 1.1: ",
        "no slope at a point can be told",
        "integral from 0 to 1: ",
        "maximum at ",
        "95% interval from",
        "the population mean",
        "NOT PRIVATE",
    ] {
        assert!(words.contains(said), "`{said}` in {words}");
    }
    let exact = place.run("evaluate out/release.json --derivative 0.123456,0.123457").succeeded().words();
    assert!(exact.contains("slope at 0.123456, from ") && exact.contains("slope at 0.123457, from "), "{exact}");
    let table = place.run("evaluate out/release.json --at 0,1").succeeded().stdout;
    assert!(table.starts_with("t,value,posterior_sd,noise_sd,lower,upper\n") && table.lines().count() == 3, "{table}");
}

#[test]
fn what_cannot_be_answered_names_the_argument_and_the_cure() {
    let place = released();
    assert_refused(&place, include_str!("refusals/evaluate.txt"));
}

/// The JSON says what the words say.
#[test]
fn release_smooth_and_density_print_json_for_programs() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place
        .run("ledger create l --epsilon 3 --delta 1e-4 --unit curve --neighbours substitute --dataset growth")
        .succeeded();
    let release = "release small.csv --values v* --center 0.5 --radius 0.25 --radius-share none --epsilon 1 --delta 1e-5 --ledger l";
    let drawn = place.run(&format!("{release} --out a --json")).succeeded();
    let again = place.run(&format!("{release} --out b --json")).succeeded();
    let density = place.run("release small.csv --columns v1 --bounds 0,1 --epsilon 1 --out c --json").succeeded();
    let smoothed = place.run("smooth a/release.json --kernel gaussian --out d --json").succeeded();
    // another level is no other smoother
    let banded = place.run("smooth d/release.json --level 0.9 --out e --json").succeeded();
    for (run, title, given_back, has_ledger) in [
        (&drawn, "Private mean function", false, true),
        (&again, "Private mean function", true, true),
        (&density, "Private density", false, false),
        (&smoothed, "Private mean function, smoothed again", false, false),
        (&banded, "Private mean function", false, false),
    ] {
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((told["title"].as_str(), told["given_back"].as_bool()), (Some(title), Some(given_back)));
        let facts = told["facts"].as_array().unwrap();
        let privacy = facts.iter().find(|fact| fact["name"] == "privacy").unwrap()["text"].as_str().unwrap();
        assert!(privacy.starts_with("(epsilon, delta) = (1, "), "{privacy}");
        assert_eq!(!told["ledger"].as_array().unwrap().is_empty(), has_ledger, "{told}");
        assert!(!run.stdout.contains('\u{a0}'));
    }
    let words = place.run("show a/release.json").succeeded().words();
    let told: Value = serde_json::from_str(&drawn.stdout).unwrap();
    for fact in told["facts"].as_array().unwrap() {
        let said = format!("{} {}", fact["name"].as_str().unwrap(), fact["text"].as_str().unwrap());
        assert!(words.contains(&said), "`{said}` in {words}");
    }
}

#[test]
fn the_rows_of_a_subject_are_one_record_of_a_density() {
    let place = Place::new();
    let rows = (0..300).map(|i| format!("p{},{}\n", i / 3, 0.1 + 0.001 * f64::from(i))).collect::<Vec<_>>().concat();
    place.write("visits.csv", &format!("who,age\n{rows}"));
    let density = "release visits.csv --columns age --bounds 0,1 --epsilon 1 --out";
    let run = place.run(&format!("{density} people --subject who")).succeeded();
    assert!(
        run.words().contains("all rows of a subject together are one record") && run.words().contains("100 subjects"),
        "{}",
        run.stdout
    );
    assert!(!run.words().contains("each row is protected alone"));
    let privacy = place.json("people/release.json")["privacy"].clone();
    assert_eq!((privacy["unit"].as_str(), privacy["records"].as_u64()), (Some("subject"), Some(100)));
    let rows = place.run(&format!("{density} rows")).succeeded();
    assert!(rows.words().contains("300 points") && rows.words().contains("--subject"), "{}", rows.stdout);
    let table = String::from_utf8(place.bytes("people/release.csv")).unwrap();
    assert!(table.starts_with("lower_age,upper_age,density\n"), "{table}");
    assert_eq!(place.json("people/release.json")["labels"]["columns"][0], "age");
    for (more, said) in [("--subject nobody", "no column is named nobody"), ("--subject who --unit subject", "--unit")]
    {
        let refused = place.run(&format!("{density} other {more}"));
        assert!(refused.code == 2 && refused.stderr.contains(said), "{}", refused.stderr);
    }
    place.write("visits.csv", "who,age\np1,0.5\n,0.25\n");
    let refused = place.run(&format!("{density} other --subject who"));
    assert!(refused.code == 2 && refused.stderr.contains("--subject: row 2 has no id"), "{}", refused.stderr);
    assert!(!refused.text().contains("0.25"));
}
