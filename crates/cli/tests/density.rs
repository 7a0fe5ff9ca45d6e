//! `dpfda release --columns`: the journey from a file of points to public files.

use std::fmt::Write;
use std::fs;

use crate::common::{Place, Run, SMALL};
use dpfda::density::HistogramRelease;

/// Points of three columns in the unit cube, dense near the diagonal.
fn points(rows: u32) -> String {
    let mut text = "id,a,b,c\n".to_owned();
    for row in 0..rows {
        let place = |prime: u32| f64::from(row * prime % 1009) / 1009.0;
        let (x, y) = (0.5 * (place(37) + place(101)), 0.5 * (place(37) + place(211)));
        writeln!(text, "{row},{x},{y},{}", place(53)).unwrap();
    }
    text
}

/// A place with 1000 points.
fn place() -> Place {
    let place = Place::new();
    place.write("points.csv", &points(1000));
    place
}

fn density(place: &Place, more: &str) -> Run {
    place.run(&format!("release points.csv {more}"))
}

const ONE: &str = "--columns a --bounds 0,1 --epsilon 1";

fn rows(place: &Place, name: &str) -> Vec<Vec<f64>> {
    let csv = fs::read_to_string(place.path(name)).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

fn header(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn a_density_is_five_files_that_agree_and_nothing_else() {
    let place = place();
    density(&place, &format!("{ONE} --out out")).succeeded();
    assert_eq!(place.names(), ["out", "points.csv"], "nothing else is left behind");
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 5);
    let release = place.json("out/release.json");
    let probabilities = release["derived"]["probabilities"].as_array().unwrap();
    let cells = rows(&place, "out/release.csv");
    assert_eq!(header(&place, "out/release.csv"), "lower_a,upper_a,density");
    assert_eq!(cells.len(), probabilities.len());
    assert_eq!((cells[0][0], cells[cells.len() - 1][1]), (0.0, 1.0));
    for (cell, probability) in cells.iter().zip(probabilities) {
        assert!((cell[2] * (cell[1] - cell[0]) - probability.as_f64().unwrap()).abs() < 1e-12);
    }
    assert!(place.bytes("out/release.png").starts_with(b"\x89PNG"));
    let svg = fs::read_to_string(place.path("out/release.svg")).unwrap();
    assert!(svg.contains("<svg") && svg.contains("N = 1000") && !svg.contains("NOT PRIVATE"));
}

#[test]
fn the_document_holds_its_provenance_and_is_read_back() {
    let place = place();
    density(&place, "--columns a,b --bounds 0,1,-1,2 --epsilon 0.5 --delta 1e-6 --cells 6 --out out").succeeded();
    let release = place.json("out/release.json");
    assert_eq!(release["kind"], "histogram");
    let privacy = &release["privacy"];
    assert_eq!(privacy["epsilon"], 0.5);
    assert_eq!(privacy["delta"], 1e-6);
    assert_eq!(privacy["neighbours"], "substitute");
    assert_eq!(privacy["records"], 1000);
    assert_eq!(privacy["arithmetic"], "exact");
    assert_eq!(privacy["private"], true);
    assert_eq!(release["statistic"]["cells"]["bounds"], serde_json::json!([[0.0, 1.0], [-1.0, 2.0]]));
    assert_eq!(release["statistic"]["cells"]["per_axis"], 6);
    assert_eq!(release["noise"]["law"], serde_json::json!({ "gaussian": { "calibration": "tight" } }));
    assert!(release["derived"]["noise_sd"].as_f64().unwrap() > 1.0);
    assert_eq!(release["lattice"]["coordinates"].as_array().unwrap().len(), 36);
    assert_eq!(release["derived"]["cells_per_axis"], 6, "the cells that were given are not merged");
    let text = fs::read_to_string(place.path("out/release.json")).unwrap();
    assert_eq!(HistogramRelease::from_json(&text).unwrap().density().cells().count(), 36);
}

#[test]
fn the_default_is_pure_differential_privacy_with_laplace_noise() {
    let place = place();
    let run = density(&place, &format!("{ONE} --out out")).succeeded();
    let release = place.json("out/release.json");
    assert_eq!(release["privacy"]["delta"], 0.0);
    assert_eq!(release["noise"]["law"], serde_json::json!({ "discrete-laplace": {} }));
    let drawn = &release["noise"]["drawn"]["discrete-laplace"];
    assert_eq!((&drawn["numerator"], &drawn["denominator"]), (&2.into(), &1.into()));
    assert!(
        run.words().contains("(epsilon, delta) = (1, 0) for one substituted point; pure differential privacy"),
        "{}",
        run.stdout
    );
}

#[test]
fn the_summary_fits_one_screen_and_tells_what_a_methods_section_needs() {
    let place = place();
    let run = density(&place, &format!("{ONE} --draws 7 --out out")).succeeded();
    let (words, summary) = (run.words(), run.stdout);
    assert!(summary.lines().count() <= 28, "{summary}");
    assert!(summary.lines().all(|line| line.chars().count() <= 90), "{summary}");
    for said in [
        "one substituted point",
        "1000 points; that number is public",
        "a in [0, 1]; points outside are clamped, a missing value counts as the centre",
        "how many there are is not told",
        "perturbed histogram (Wasserman and Zhou 2010, Theorem 8)",
        "discrete Laplace noise of standard deviation 2.799",
        "of the numbers that divide the 48 released",
        "by the noisy counts alone and so at no cost in privacy",
        "standard deviation of the privacy noise in the probability of a cell",
        "7 points, drawn from the released density at no cost in privacy",
        "each row is protected alone",
        "is public",
        "spends (1, 0) again",
    ] {
        assert!(words.contains(said), "`{said}` in {summary}");
    }
}

#[test]
fn one_to_three_columns_are_released() {
    let place = place();
    for (columns, bounds) in [("a", "0,1"), ("b,a", "0,1,0,1"), ("a,b,c", "0,1,0,1,0,1")] {
        let out = columns.replace(',', "");
        density(&place, &format!("--columns {columns} --bounds {bounds} --epsilon 1 --draws 4 --out {out}"))
            .succeeded();
        assert_eq!(header(&place, &format!("{out}/synthetic.csv")), columns);
        let svg = fs::read_to_string(place.path(&format!("{out}/release.svg"))).unwrap();
        assert!(columns.split(',').all(|name| svg.contains(&format!("\n{name}\n"))), "{columns}");
    }
}

#[test]
fn synthetic_points_are_as_many_as_asked_for_and_lie_in_the_bounds() {
    let place = place();
    density(&place, "--columns a,b --bounds 0.2,0.8,-1,2 --epsilon 1 --draws 500 --out out").succeeded();
    let synthetic = rows(&place, "out/synthetic.csv");
    assert_eq!(synthetic.len(), 500);
    assert!(synthetic.iter().all(|row| (0.2..=0.8).contains(&row[0]) && (-1.0..=2.0).contains(&row[1])));
    let mean = synthetic.iter().map(|row| row[1]).sum::<f64>() / 500.0;
    assert!((mean - 0.5).abs() < 0.15, "they are of the density: {mean}");
}

#[test]
fn clamped_and_missing_points_are_counted_but_not_told_of() {
    let place = Place::new();
    // 400 in the first quarter, 300 missing (the centre begins the third quarter), 200 far above, 100 far below.
    let cells = [("0.1", 400), ("", 100), ("NA", 100), ("nan", 100), ("7354219", 200), ("-7354219", 100)];
    let rows: Vec<&str> = cells.into_iter().flat_map(|(cell, times)| vec![cell; times]).collect();
    place.write("points.csv", &format!("id,a\nx,{}\n", rows.join("\nx,")));
    let run = density(&place, "--columns a --bounds 0,1 --epsilon 50 --cells 4 --out out").succeeded();
    assert_eq!(place.json("out/release.json")["lattice"]["coordinates"], serde_json::json!([500, 0, 300, 200]));
    for hidden in ["7354219", "300", "600"] {
        assert!(!run.text().contains(hidden), "{}", run.text());
    }
}

#[test]
fn under_add_remove_the_number_of_records_is_nowhere() {
    let place = place();
    let run = density(&place, &format!("{ONE} --neighbours add-remove --out out")).succeeded();
    assert!(
        run.words().contains("(noise standard deviation)") && run.words().contains("their number itself is private")
    );
    assert!(!run.words().contains("1000 points"), "{}", run.stdout);
    assert_eq!(place.json("out/release.json")["privacy"]["records"], serde_json::Value::Null);
    let svg = fs::read_to_string(place.path("out/release.svg")).unwrap();
    assert!(svg.contains("unit: point") && !svg.contains("n = ") && !svg.contains("N = "));
}

#[test]
fn one_record_or_none_is_released_when_their_number_is_private() {
    let place = Place::new();
    for (rows, out) in [(1, "one"), (0, "none")] {
        place.write("points.csv", &points(rows));
        density(&place, &format!("{ONE} --neighbours add-remove --out {out}")).succeeded();
        let run = density(&place, &format!("{ONE} --neighbours add-remove --cells 48 --out {out}48")).succeeded();
        assert!(run.words().contains("mostly noise"), "{}", run.stdout);
        let again = place.run(&format!("show {out}48")).succeeded();
        assert!(again.words().contains("mostly noise") && again.words().contains("each row is protected alone"));
    }
}

#[test]
fn a_delta_that_does_not_pay_is_noted_and_a_weak_one_too() {
    let place = place();
    let words = |delta: &str| density(&place, &format!("{ONE} --delta {delta} --out {delta}")).succeeded().words();
    let small = words("1e-6");
    assert!(
        small.contains("mu = 0.2") && small.contains("the noise smaller") && !small.contains("above 1/N"),
        "{small}"
    );
    let large = words("0.1");
    assert!(large.contains("above 1/N") && !large.contains("the noise smaller"), "{large}");
}

#[test]
fn seeded_runs_are_identical_and_stamped() {
    let place = place();
    for out in ["a", "b"] {
        let run = density(&place, &format!("{ONE} --draws 20 --not-private --seed 7 --out {out}")).succeeded();
        let words = run.words();
        assert!(words.contains("NOT PRIVATE") && words.ends_with("A private release has no --seed."), "{words}");
        assert!(!words.contains("Everything in"), "{words}");
    }
    for file in ["release.json", "release.csv", "release.svg", "release.png", "synthetic.csv"] {
        assert_eq!(place.bytes(&format!("a/{file}")), place.bytes(&format!("b/{file}")), "{file}");
    }
    assert_eq!(place.json("a/release.json")["privacy"]["private"], false);
    assert!(fs::read_to_string(place.path("a/release.svg")).unwrap().contains("NOISE FROM A SEED: NOT PRIVATE"));
}

#[test]
fn private_runs_differ() {
    let place = place();
    for out in ["a", "b"] {
        density(&place, &format!("{ONE} --out {out}")).succeeded();
    }
    assert_ne!(
        place.json("a/release.json")["lattice"]["coordinates"],
        place.json("b/release.json")["lattice"]["coordinates"]
    );
}

#[test]
fn the_order_of_rows_does_not_change_a_seeded_release() {
    let place = Place::new();
    let text = points(200);
    let (header, rows) = text.split_once('\n').unwrap();
    for (out, reversed) in [("a", false), ("b", true)] {
        let mut rows: Vec<&str> = rows.lines().collect();
        if reversed {
            rows.reverse();
        }
        place.write("points.csv", &format!("{header}\n{}\n", rows.join("\n")));
        density(&place, &format!("{ONE} --not-private --seed 7 --out {out}")).succeeded();
    }
    assert_eq!(place.bytes("a/release.json"), place.bytes("b/release.json"));
}

#[test]
fn a_density_is_replaced_by_force_only_and_a_mean_function_never() {
    let place = place();
    place.write("small.csv", SMALL);
    density(&place, &format!("{ONE} --draws 5 --out out")).succeeded();
    let refused = density(&place, &format!("{ONE} --out out"));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--out: `out` exists") && refused.stderr.contains("--force"), "{}", refused.stderr);
    density(&place, &format!("{ONE} --out out --force")).succeeded();
    assert!(!place.path("out/synthetic.csv").exists(), "the old files are gone");

    place.release("small.csv", "--values v* --select default --out mean").succeeded();
    let refused = density(&place, &format!("{ONE} --out mean --force"));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("another command, not a released density"), "{}", refused.stderr);
    let refused = place.release("small.csv", "--values v* --out out --force");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("another command, not a release,"), "{}", refused.stderr);

    place.write("out/notes.txt", "");
    let refused = density(&place, &format!("{ONE} --out out --force"));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("`notes.txt`, which is not part of a released density"), "{}", refused.stderr);
}

#[test]
fn help_offers_the_mechanisms_that_there_are() {
    let help = Place::new().run("show --settings --kind density").succeeded().stdout;
    for mechanism in ["perturbed:", "smoothed:", "exponential:", "series:"] {
        assert!(help.contains(&format!("- {mechanism}")), "{mechanism} in {help}");
    }
}
