//! Centile curves: released, looked at again, and foretold.

use std::fmt::Write;

use crate::common::{Place, dti_like};

const CHART: &str =
    "--values cca_* --subject ID --bounds 0,1 --center 0.5 --epsilon 4 --delta 1e-3 --not-private --seed 5";

fn released() -> Place {
    let place = Place::new();
    place.run(&format!("release {} {CHART} --centiles 10,50,90 --out out", dti_like())).succeeded();
    place
}

fn columns(csv: &str) -> Vec<&str> {
    csv.lines().next().unwrap().split(',').collect()
}

fn row(csv: &str, number: usize) -> Vec<f64> {
    csv.lines().nth(number).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn the_table_has_each_centile_with_the_ends_of_its_band_in_their_order() {
    let place = released();
    let csv = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    let names =
        ["t", "p10", "p10_lower", "p10_upper", "p50", "p50_lower", "p50_upper", "p90", "p90_lower", "p90_upper"];
    assert_eq!(columns(&csv), names);
    for number in 1..=93 {
        let row = row(&csv, number);
        assert!(row[1] < row[4] && row[4] < row[7], "{row:?}");
        assert!([1, 4, 7].iter().all(|&p| row[p + 1] <= row[p] && row[p] <= row[p + 2]), "{row:?}");
    }
}

#[test]
fn other_centiles_are_free_and_those_of_a_mean_say_what_they_assume() {
    let place = released();
    let other = place.run("evaluate out/release.json --centiles 25,50").succeeded();
    assert_eq!(columns(&other.stdout), ["t", "p25", "p25_lower", "p25_upper", "p50", "p50_lower", "p50_upper"]);
    let median = row(&other.stdout, 40)[4];
    assert!((median - row(&String::from_utf8(place.bytes("out/release.csv")).unwrap(), 40)[4]).abs() < 1e-9);
    assert!(!other.stderr.contains("normal"));
    place.run(&format!("release {} {} --out mean", dti_like(), CHART.replace("--center 0.5 ", ""))).succeeded();
    let normal = place.run("evaluate mean/release.json --centiles 5,50,95");
    if normal.code == 0 {
        assert!(normal.stderr.contains("is not checked") && columns(&normal.stdout).len() == 10);
    } else {
        // so few people may hide the variance
        assert!(normal.stderr.contains("--centiles: "), "{}", normal.stderr);
    }
}

#[test]
fn centiles_that_no_chart_has_are_refused_and_nothing_is_spent() {
    let release = |more: &str| format!("release {} {CHART} --out out {more}", dti_like());
    for (more, part) in [
        ("--centiles 1,50", "from 2 to 98"),
        ("--centiles 50,25", "in their order"),
        ("--centiles 5,50", "needs 200 records"),
        ("--centiles 50 --center-share 0.1", "--center-share"),
        ("--centiles 50 --radius 0.6", "--radius: the mean absolute distance from the centre is at most 0.5"),
    ] {
        let place = Place::new();
        let refused = place.run(&release(more));
        assert!(refused.code != 0 && refused.stderr.contains(part), "{more}: {}", refused.stderr);
        assert_eq!(place.names(), Vec::<String>::new(), "{more}");
    }
    // about a curve, what is farthest is known at the points alone
    let place = Place::new();
    place.write("typical.csv", "t,value\n0,0.6\n1,0.8\n");
    let about = format!("release {} {CHART} --centiles 50", dti_like()).replace("--center 0.5", "--center typical.csv");
    let refused = place.run(&format!("{about} --radius 0.75 --out far"));
    assert!(refused.code == 2 && refused.stderr.contains("from the centre is at most 0.7"), "{}", refused.stderr);
    assert_eq!(place.names(), ["typical.csv"]);
    place.run(&format!("{about} --radius 0.69 --out near")).succeeded();
    let place = released();
    let at = place.run("evaluate out/release.json --centiles 50 --at 0.5");
    assert!(at.stderr.contains("leave --at"), "{}", at.stderr);
}

/// A long table: six values of each of 600 people over a day, at times of their own.
fn day() -> String {
    let mut text = "id,hour,glucose\n".to_owned();
    for person in 0..600 {
        for visit in 0..6 {
            let hour = f64::from((person * 47 + visit * 173) % 240) / 10.0;
            let value = 5.0 + f64::from(person % 40) / 20.0 + (hour / 24.0 * std::f64::consts::TAU).sin();
            writeln!(text, "S{person},{hour},{value}").unwrap();
        }
    }
    text
}

const DAY: &str = "--id id --time hour --value glucose --domain 0,24 --bins 12 --bounds 2,12 --epsilon 4 --delta 1e-3";

#[test]
fn a_long_table_has_a_chart_a_look_and_a_profile_of_the_day() {
    let place = Place::new();
    place.write("day.csv", &day());
    let look = place.run(&format!("check day.csv {DAY} --periodic --centiles 25,50,75")).succeeded().stdout;
    assert!(look.contains("12 points from 0 to 24") && look.contains("3600 rows of 600 subjects"), "{look}");
    let release =
        format!("release day.csv {DAY} --periodic --centiles 25,50,75 --not-private --seed 3 --out out --formats svg");
    place.run(&release).succeeded();
    let csv = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    assert_eq!(csv.lines().count(), 13);
    // people are spread evenly over 2 about the day's wave
    let at_six = row(&csv, 4);
    assert!(at_six[0] == 6.0 && at_six[5] <= 7.0 && 7.0 <= at_six[6], "{at_six:?}");
    let cut =
        place.run(&format!("{} --out cut", release.replace("--bounds 2,12", "--bounds 0,6").replace("--out out", "")));
    let told = cut.succeeded().text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("lie at the upper bound"), "half of all values are clamped: {told}");
    let json = String::from_utf8(place.bytes("out/release.json")).unwrap();
    assert!(json.contains("\"rows\": true") || json.contains("\"rows\":true"));
    place.run("show out").succeeded();
}

#[test]
fn curves_with_gaps_are_rows_where_that_is_asked_for() {
    let place = Place::new();
    place.run(&format!("release {} {CHART} --centiles 25,50,75 --gaps rows --out out", dti_like())).succeeded();
    assert_eq!(String::from_utf8(place.bytes("out/release.csv")).unwrap().lines().count(), 94);
    place.write("day.csv", &day());
    let many =
        place.run(&format!("release day.csv {} --centiles 50 --out other", DAY.replace("--bins 12", "--bins 5000")));
    assert!(
        many.code != 0 && many.stderr.contains("--bins: rows count at the nearest of 2 to 4096"),
        "{}",
        many.stderr
    );
    let refused = place.run(&format!("release {} {CHART} --centiles 50 --bins 12 --out other", dti_like()));
    assert!(refused.code != 0 && refused.stderr.contains("curves have points of their own"), "{}", refused.stderr);
}

#[test]
fn a_forecast_of_rows_takes_the_values_of_a_subject() {
    let forecast = "forecast --centiles 50 --bounds 0,1 --epsilon 2 --delta 1e-5 --records 400";
    let refused = Place::new().run(&format!("{forecast} --points-per-subject 0"));
    assert!(refused.code != 0 && refused.stderr.contains("--points-per-subject"), "{}", refused.stderr);
}

#[test]
fn centiles_without_bounds_are_asked_for_bounds_alone() {
    let place = Place::new();
    let asked = "--values cca_* --center 0.5 --radius 0.5 --epsilon 4 --delta 1e-3 --centiles 50 --out out";
    let refused = place.run(&format!("release {} {asked}", dti_like()));
    assert!(refused.code == 2 && refused.stderr.contains("Centile curves need public bounds"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("with --radius"), "{}", refused.stderr);
}

#[test]
fn a_radius_that_pulls_many_of_few_people_in_is_noted() {
    let place = Place::new();
    let mut text = "id,day,weight\n".to_owned();
    for person in 0..50 {
        let size = f64::from(person * 29 % 50) / 50.0;
        (0..12)
            .for_each(|day| writeln!(text, "{person},{day},{}", 41.0 + f64::from(day) * (12.0 + 10.0 * size)).unwrap());
    }
    place.write("growth.csv", &text);
    let asked = "--id id --time day --value weight --domain 0,11 --bins 12 --bounds 0,500 --centiles 50 --epsilon 2.5 --delta 1e-3";
    let said = |more: &str| {
        place.run(&format!("release growth.csv {asked} --not-private --seed 1 {more}")).succeeded().words()
    };
    let found = said("--out found");
    assert!(found.contains("lie farther from the centre than the radius that was found, and up to"), "{found}");
    assert!(!said("--radius-share none --out stated").contains("than the radius that was found"));
}

#[test]
fn a_check_counts_who_is_farther_from_the_centre_than_the_mean_distance_that_is_stated() {
    let place = Place::new();
    // 30 of 100 people lie .3 from the centre, the others .1; beyond .2 of it values are clamped where bounds say so
    let mut table = "a,b,c\n".to_owned();
    for person in 0..100 {
        let value = if person < 30 { 0.8 } else { 0.6 };
        let _ = writeln!(table, "{value},{value},{}", value - 0.001 * f64::from(person));
    }
    std::fs::write(place.path("people.csv"), table).unwrap();
    let pulled = |more: &str| -> String {
        let asked = "--values a,b,c --grid uniform --epsilon 4 --delta 1e-3 --centiles 50";
        let words = place.run(&format!("check people.csv {asked} {more}")).succeeded().words();
        words.split("pulls in: ").nth(1).unwrap().split(" (").next().unwrap().to_owned()
    };
    assert_eq!(pulled("--bounds 0,1 --center 0.5 --radius 0.2"), "30 of 100");
    assert_eq!(pulled("--bounds 0,1 --center 0.5 --radius 0.01"), "100 of 100");
    assert_eq!(pulled("--bounds 0.7,0.9"), "0 of 100");
}

#[test]
fn a_check_counts_subjects_of_rows_whom_the_stated_distance_pulls_in_and_names_bounds_that_cut_people_off() {
    let place = Place::new();
    // 30 of 100 people lie .3 from the middle of the bounds at each of their days, the others .1
    let mut table = "id,day,y\n".to_owned();
    for person in 0..100 {
        let value = if person < 30 { 0.8 } else { 0.6 };
        (0..5).for_each(|day| writeln!(table, "p{person},{day},{value}").unwrap());
    }
    std::fs::write(place.path("long.csv"), table).unwrap();
    let told = |more: &str| {
        let asked = "--id id --time day --value y --domain 0,4 --bins 5 --epsilon 4 --delta 1e-3";
        place.run(&format!("check long.csv {asked} {more}")).succeeded().words()
    };
    for kind in ["--centiles 50 --bounds 0,1", ""] {
        let some = told(&format!("{kind} --center 0.5 --radius 0.2"));
        assert!(some.contains("subjects that the stated radius pulls in: 30 of 100 (30%)"), "{some}");
        assert!(!some.contains("pulls in most") && !some.contains("would be clamped"), "{some}");
        let all = told(&format!("{kind} --center 0.5 --radius 0.01"));
        assert!(
            all.contains("pulls in: 100 of 100") && all.contains("the stated radius pulls in most subjects"),
            "{all}"
        );
    }
    for kind in ["--centiles 50", ""] {
        let bounds = told(&format!("{kind} --bounds 0,1"));
        assert!(bounds.contains("pulls in: 0 of 100"), "{bounds}");
        let cut = told(&format!("{kind} --bounds 0.61,1"));
        assert!(cut.contains("350 of 500 values lie outside the bounds and would be clamped"), "{cut}");
    }
}

/// Curves of so many people about .5, each of which differs from it by .15 on average.
fn people(place: &Place, number: usize) {
    let mut table = (0..8).map(|j| format!("y{j}")).collect::<Vec<_>>().join(",") + "\n";
    for person in 0..number {
        let level = 0.5 + 0.6 * (person as f64 / number as f64 - 0.5);
        table += &(0..8).map(|_| level.to_string()).collect::<Vec<_>>().join(",");
        table += "\n";
    }
    std::fs::write(place.path("people.csv"), table).unwrap();
}

#[test]
fn a_chart_whose_stated_distance_pulls_most_people_in_says_so() {
    let place = Place::new();
    people(&place, 1000);
    let asked = "--values y* --bounds 0,1 --center 0.5 --epsilon 4 --delta 1e-5 --not-private --seed 1";
    let said = |more: &str| place.run(&format!("release people.csv {asked} --centiles 50 {more}")).succeeded().words();
    let found = said("--radius 0.07 --out found");
    assert!(found.contains("seven tenths of the largest radius that was allowed, 0.07"), "{found}");
    let stated = said("--radius 0.07 --radius-share none --out stated");
    assert!(stated.contains("0.07 is the most that was allowed. Those beyond it are pulled in"), "{stated}");
    for wide in ["--out bounds", "--radius 0.3 --radius-share none --out wide"] {
        let wide = said(wide);
        assert!(!wide.contains("Those beyond it are pulled in"), "{wide}");
    }
}

#[test]
fn centiles_that_few_people_lie_beyond_are_refused_later_as_well_and_told_where_the_number_is_noisy() {
    let place = Place::new();
    people(&place, 150);
    let asked = "--values y* --bounds 0,1 --center 0.5 --epsilon 8 --delta 1e-5 --not-private --seed 1";
    place.run(&format!("release people.csv {asked} --centiles 50 --out public")).succeeded();
    place.run("evaluate public --centiles 10,50").succeeded();
    place.run("evaluate public --centiles 2,50").refused("--centiles: the 2% centile needs 500 records at least");
    let noisy = place.run(&format!("release people.csv {asked} --neighbours add-remove --centiles 2,50 --out noisy"));
    let words = noisy.succeeded().words();
    assert!(words.contains("fewer than 10 of them lie beyond these centiles"), "{words}");
    // the curator hears of it before
    let check = place.run(&format!(
        "check people.csv {} --neighbours add-remove --centiles 2,50",
        asked.replace(" --not-private --seed 1", "")
    ));
    let check = check.succeeded().words();
    assert!(
        check.contains("a chart with this budget and these centiles needs 500 records at least, and there are 150"),
        "{check}"
    );
    // what is refused for its number has no error at any epsilon
    let table = place
        .run("forecast --bounds 0,1 --epsilon 1 --delta 1e-5 --centiles 5,50,95 --records 60,400 --json")
        .succeeded();
    let answer: serde_json::Value = serde_json::from_str(&table.stdout).unwrap();
    for errors in answer["table"]["errors"].as_array().unwrap() {
        let errors = errors.as_array().unwrap();
        // at any epsilon 60 people are too few, and at the largest 400 are enough
        assert!(
            errors.len() == 5 && (errors.iter().all(serde_json::Value::is_null) || errors[4].is_f64()),
            "{errors:?}"
        );
    }
    assert!(answer["table"]["errors"][0].as_array().unwrap().iter().all(serde_json::Value::is_null), "{answer}");
    let other = place.run("evaluate noisy --centiles 5,50").succeeded();
    assert!(other.stderr.contains("fewer than 10 of them"), "{}", other.stderr);
    assert!(!place.run("evaluate noisy --centiles 50").succeeded().stderr.contains("fewer"));
}

#[test]
fn what_a_chart_does_not_answer_is_told_by_the_option_with_what_it_does() {
    let place = released();
    for (asked, option) in [("--at 0.5", "--at"), ("--maximum", "--maximum"), ("--outcome age", "--outcome")] {
        let run = place.run(&format!("evaluate out {asked}"));
        run.refused(option);
        run.refused("a release of the kind centiles");
        run.refused("hint: other centiles are free (dpfda evaluate out --centiles 10,50,90)");
    }
    place.run("compare out --groups all").refused("--groups: `out` is a release of the kind centiles");
    place.run("evaluate out --normal").refused("--centiles");
    // its band and the look of its figure can be others
    let again = place.run("smooth out --level 0.8 --title Heights --out again").succeeded().words();
    assert!(again.contains("80% band for all centiles"), "{again}");
    assert!(String::from_utf8(place.bytes("again/release.svg")).unwrap().contains("Heights"));
    place.run("smooth out --band posterior --out other").refused("--band");
}
