//! `dpfda release --columns`: the journey of each mechanism that is not the default.

use std::fmt::Write;
use std::fs;

use crate::common::{Place, Run, SMALL};
use dpfda::density::{CellDraws, SeriesRelease};
use serde_json::{Value, json};

/// A place with 1000 points of three columns in the unit cube, dense in the middle of each.
fn place() -> Place {
    let mut text = "a,b,c\n".to_owned();
    for row in 0..1000_u32 {
        let place = |prime: u32| f64::from(row * prime % 1009) / 1009.0;
        let middle = |prime: u32| (place(prime) + place(prime + 100) + place(prime + 210)) / 3.0;
        writeln!(text, "{},{},{}", middle(37), middle(51), middle(73)).unwrap();
    }
    let place = Place::new();
    place.write("points.csv", &text);
    place
}

fn density(place: &Place, more: &str) -> Run {
    place.run(&format!("release points.csv --epsilon 1 {more}"))
}

const ONE: &str = "--columns a --bounds 0,1";
const TWO: &str = "--columns a,b --bounds 0,1,0,1";
const THREE: &str = "--columns a,b,c --bounds 0,1,0,1,0,1";

fn rows(place: &Place, name: &str) -> Vec<Vec<f64>> {
    let csv = fs::read_to_string(place.path(name)).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

fn says(run: &Run, all: &[&str]) {
    for said in all {
        assert!(run.words().contains(said), "`{said}` in {}", run.stdout);
    }
    assert!(run.stdout.lines().count() <= 32 && run.stdout.lines().all(|line| line.chars().count() <= 90));
}

fn cell_draws(place: &Place, out: &str) -> CellDraws {
    CellDraws::from_json(&fs::read_to_string(place.path(&format!("{out}/release.json"))).unwrap()).unwrap()
}

/// The fields that every document has at its top.
fn has_provenance(release: &Value, bounds: &Value) {
    let privacy = &release["privacy"];
    assert_eq!((&privacy["epsilon"], &privacy["delta"]), (&json!(1.0), &json!(0.0)));
    assert_eq!((&privacy["neighbours"], &privacy["records"]), (&json!("substitute"), &json!(1000)));
    assert_eq!((&privacy["private"], &privacy["arithmetic"]), (&json!(true), &json!("exact")));
    let statistic = &release["statistic"];
    assert_eq!(*statistic.get("bounds").unwrap_or(&statistic["cells"]["bounds"]), *bounds);
}

/// How many cells a document of drawn cells has along an axis, and how many draws; both are said twice.
fn cells_and_draws(release: &Value) -> (u64, usize) {
    let draws = release["lattice"]["draws"].as_array().unwrap().len();
    assert_eq!(release["statistic"]["draws"], draws);
    (release["statistic"]["cells"]["per_axis"].as_u64().unwrap(), draws)
}

/// Every drawn cell has one synthetic point, which lies in it, and the table is their shares.
fn draws_agree_with_the_files(place: &Place, out: &str) {
    let release = cell_draws(place, out);
    let synthetic = rows(place, &format!("{out}/synthetic.csv"));
    assert_eq!(synthetic.len(), release.draws().len());
    let dimension = release.cells().bounds().dimension();
    for (point, &cell) in synthetic.iter().zip(release.draws()) {
        let (lower, upper) = (release.cells().lower_corner(cell), release.cells().upper_corner(cell));
        assert!((0..dimension).all(|axis| (lower[axis]..=upper[axis]).contains(&point[axis])));
    }
    let table = rows(place, &format!("{out}/release.csv"));
    assert_eq!(table.len(), release.cells().count());
    for (cell, row) in table.iter().enumerate() {
        let share = release.draws().iter().filter(|drawn| **drawn == cell).count() as f64 / synthetic.len() as f64;
        assert!((row[2 * dimension] * release.cells().cell_volume() - share).abs() < 1e-12);
    }
    assert!(place.bytes(&format!("{out}/release.png")).starts_with(b"\x89PNG"));
}

#[test]
fn a_smoothed_histogram_is_its_draws() {
    let place = place();
    let run = density(&place, &format!("{ONE} --mechanism smoothed --out out")).succeeded();
    let release = place.json("out/release.json");
    has_provenance(&release, &json!([[0.0, 1.0]]));
    assert_eq!(release["kind"], "smoothed-histogram");
    // 1000^(1/5) and 1000^(3/5), and the d with 63 log((1 - d) 4 / (1000 d) + 1) = 1
    assert_eq!(cells_and_draws(&release), (4, 63));
    assert!((release["statistic"]["mixture"].as_f64().unwrap() - 0.200_003_386).abs() < 1e-8);
    draws_agree_with_the_files(&place, "out");
    says(
        &run,
        &[
            "pure differential privacy",
            "Theorem 5): k = 63 exact draws (by the rate of Theorem 7 for n epsilon)",
            "a share of 0.2 of the uniform density",
            "4, by the rate of Theorem 7",
            "63 points, the draws themselves, each uniform in its cell",
        ],
    );
    let svg = fs::read_to_string(place.path("out/release.svg")).unwrap();
    assert!(svg.contains("smoothed histogram") && svg.contains("N = 1000"));
}

#[test]
fn the_cells_and_draws_of_a_smoothed_histogram_can_be_given() {
    let place = place();
    let run = density(&place, &format!("{TWO} --mechanism smoothed --cells 5 --draws 2000 --out out")).succeeded();
    let release = cell_draws(&place, "out");
    assert_eq!((release.cells().per_axis(), release.draws().len()), (5, 2000));
    draws_agree_with_the_files(&place, "out");
    says(&run, &["k = 2000 exact draws (as given)", "5 along each axis, 25 in all, as given", "little of the data"]);
}

#[test]
fn the_exponential_mechanism_is_one_draw_of_a_distribution() {
    let place = place();
    let run = density(&place, &format!("{ONE} --mechanism exponential --out out")).succeeded();
    let release = place.json("out/release.json");
    has_provenance(&release, &json!([[0.0, 1.0]]));
    assert_eq!(release["kind"], "ks-exponential");
    assert_eq!(cells_and_draws(&release), (48, 200));
    draws_agree_with_the_files(&place, "out");
    let mean = rows(&place, "out/synthetic.csv").iter().map(|row| row[0]).sum::<f64>() / 200.0;
    assert!((mean - 0.5).abs() < 0.1, "near the data: {mean}");
    says(
        &run,
        &[
            "Theorems 9 to 12): one exact draw, no Markov chain, of a distribution of k = 200 points",
            "48, about 4 n^(1/3) for n, at most 1000",
            "a factor of e for every 2 records",
            "publish the release, not its duration",
        ],
    );
}

#[test]
fn under_add_remove_the_defaults_of_the_exponential_mechanism_do_not_depend_on_n() {
    let place = place();
    let text = fs::read_to_string(place.path("points.csv")).unwrap();
    for (rows, out) in [(1000, "all"), (3, "three"), (0, "none")] {
        let lines: Vec<&str> = text.lines().take(rows + 1).collect();
        place.write("points.csv", &(lines.join("\n") + "\n"));
        let arguments = format!("{ONE} --mechanism exponential --neighbours add-remove --out {out}");
        let run = density(&place, &arguments).succeeded();
        let release = cell_draws(&place, out);
        assert_eq!((release.cells().per_axis(), release.draws().len(), release.public_records()), (48, 200, None));
        says(&run, &["whose number is private", "for n = 1000 whatever n is"]);
        let svg = fs::read_to_string(place.path(&format!("{out}/release.svg"))).unwrap();
        assert!(svg.contains("unit: point") && !svg.contains("N = "));
    }
}

#[test]
fn fewer_draws_than_cells_are_noted() {
    let place = place();
    let arguments = format!("{ONE} --mechanism exponential --cells 1000 --draws 100 --out out");
    let run = density(&place, &arguments).succeeded();
    draws_agree_with_the_files(&place, "out");
    says(&run, &["k = 100 points (as given)", "1000, as given", "so the density has gaps"]);
}

#[test]
fn coefficients_of_the_exponential_mechanism_are_a_series() {
    let place = place();
    let run = density(&place, &format!("{ONE} --mechanism series-exponential --draws 50 --out out")).succeeded();
    let release = place.json("out/release.json");
    assert_eq!((&release["kind"], &release["noise"]["law"]), (&json!("series"), &json!({"k-norm": {}})));
    assert_eq!(rows(&place, "out/synthetic.csv").len(), 50);
    says(&run, &["the exponential mechanism on all coefficients together", "exact K-norm noise on 32 coefficients"]);
    place.run("audit out/release.json --draws 20000").succeeded();
    let refused = density(&place, &format!("{ONE} --mechanism series-exponential --delta 1e-6 --out never"));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--delta") && refused.stderr.contains("delta 0"), "{}", refused.stderr);
    let alone = format!("{ONE} --mechanism series-exponential --neighbours add-remove --out alone");
    density(&place, &alone).succeeded();
}

#[test]
fn a_series_is_its_noisy_coefficients() {
    let place = place();
    let run = density(&place, &format!("{ONE} --mechanism series --draws 300 --out out")).succeeded();
    let release = place.json("out/release.json");
    has_provenance(&release, &json!([[0.0, 1.0]]));
    assert_eq!(release["kind"], json!("series"));
    assert_eq!(
        (&release["statistic"]["terms"], release["derived"]["coefficients"].as_array().unwrap().len()),
        (&json!({"chosen-up-to": 32}), 32)
    );
    let series = SeriesRelease::from_json(&release.to_string()).unwrap();
    let table = rows(&place, "out/release.csv");
    assert_eq!(table.len(), 200);
    let expected = series.density().piecewise(200).unwrap();
    for (row, probability) in table.iter().zip(expected.probabilities()) {
        assert!((row[2] / 200.0 - probability).abs() < 1e-9);
    }
    let synthetic = rows(&place, "out/synthetic.csv");
    assert_eq!(synthetic.len(), 300);
    assert!(synthetic.iter().all(|row| (0.0..=1.0).contains(&row[0])));
    says(
        &run,
        &[
            "Theorem 15, the scale of its noise corrected",
            "exact discrete Laplace noise on 32 coefficients",
            &format!("the first {} are used", series.terms()),
            "200: the resolution of release.csv",
            "noise in a coefficient",
            "300 points, drawn from the released density at no cost",
        ],
    );
}

#[test]
fn a_series_takes_a_delta_add_remove_and_up_to_three_columns() {
    let place = place();
    let two = format!("{TWO} --mechanism series --delta 1e-5 --out two");
    says(&density(&place, &two).succeeded(), &["rounded normal noise on 36", "60 along each axis, 3600 in all"]);
    assert!(!place.path("two/synthetic.csv").exists());
    let three = format!("{THREE} --mechanism series --neighbours add-remove --cells 5 --out three");
    let run = density(&place, &three).succeeded();
    says(
        &run,
        &["noise on 64", "5 along each axis, 125 in all", "(noise standard deviation)", "number itself is private"],
    );
    assert_eq!(place.json("three/release.json")["privacy"]["records"], Value::Null);
    assert!(!run.words().contains("1000 points"), "{}", run.stdout);
    assert_eq!(rows(&place, "three/release.csv").len(), 125);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_a_stamp() {
    let place = place();
    for mechanism in ["smoothed", "exponential", "series"] {
        let names = [format!("{mechanism}-1"), format!("{mechanism}-2")];
        for out in &names {
            let arguments = format!("{ONE} --mechanism {mechanism} --draws 50 --not-private --seed 7 --out {out}");
            let run = density(&place, &arguments).succeeded();
            assert!(run.words().contains("NOT PRIVATE"), "{}", run.stdout);
            assert_eq!(place.json(&format!("{out}/release.json"))["privacy"]["private"], false);
        }
        for file in ["release.json", "release.csv", "release.svg", "release.png", "synthetic.csv"] {
            let [one, two] = names.each_ref().map(|out| place.bytes(&format!("{out}/{file}")));
            assert_eq!(one, two, "{mechanism} {file}");
        }
    }
}

#[test]
fn force_replaces_each_by_another_and_no_mean_function_replaces_one() {
    let place = place();
    place.write("small.csv", SMALL);
    for mechanism in ["smoothed", "exponential", "series", "perturbed"] {
        density(&place, &format!("{ONE} --mechanism {mechanism} --out out --force")).succeeded();
        assert_eq!(place.path("out/synthetic.csv").exists(), ["smoothed", "exponential"].contains(&mechanism));
        // The files then have names that those of a mean function have too.
        let _ = fs::remove_file(place.path("out/synthetic.csv"));
        let refused = place.release("small.csv", "--values v* --out out --force");
        assert_eq!(refused.code, 2, "{mechanism}");
        assert!(refused.stderr.contains("another command, not a release,"), "{}", refused.stderr);
    }
}
