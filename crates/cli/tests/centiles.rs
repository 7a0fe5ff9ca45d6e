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
    let asked = "--id id --time day --value weight --domain 0,11 --bins 12 --bounds 0,500 --centiles 50 --epsilon 2 --delta 1e-3";
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
