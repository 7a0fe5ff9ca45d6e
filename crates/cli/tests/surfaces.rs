//! `dpfda release --surface`: one surface in each row.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;

const ARGUMENTS: &str = "--values v* --subject id --surface 4,6 --surface-domain 0,3,0,10";
const PUBLIC: &str = "--center 0.5 --radius 0.25 --epsilon 1 --delta 1e-4";
const SEED: &str = "--not-private --seed 1";

fn truth(s: f64, t: f64) -> f64 {
    0.45 + 0.1 * t / 10.0 + 0.02 * s
}

/// Surfaces on 4 x 6 points of people.
fn table(people: u32) -> String {
    let names: Vec<String> = (0..24).map(|j| format!("v{j}")).collect();
    let mut csv = format!("id,{}\n", names.join(","));
    for person in 0..people {
        write!(csv, "p{person}").unwrap();
        for j in 0..24_u32 {
            let value =
                truth(f64::from(j / 6), 2.0 * f64::from(j % 6)) + f64::from((person * 7 + j) % 11) / 100.0 - 0.05;
            write!(csv, ",{value}").unwrap();
        }
        csv.push('\n');
    }
    csv
}

fn place() -> Place {
    let place = Place::new();
    place.write("maps.csv", &table(2000));
    place
}

#[test]
fn surfaces_are_released_shown_smoothed_reported_and_verified() {
    let place = place();
    let run = place.run(&format!("release maps.csv {ARGUMENTS} {PUBLIC} {SEED} --out out")).succeeded();
    let words = run.words();
    for said in [
        "Private mean surface",
        "surfaces on 4 values of s from 0 to 3 and 6 values of t from 0 to 10",
        "24 columns, v0 to v23; subjects by column id; each row a surface, its last axis fastest",
        "waves along the axes shorter than",
        "N = 2000",
        "simultaneous band `population`",
    ] {
        assert!(words.contains(said), "{said}: {}", run.stdout);
    }
    assert_eq!(place.json("out/release.json")["kind"], "surface");
    let csv = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    assert!(csv.starts_with("s,t,value,posterior_sd,noise_sd,lower,upper\n0.0,0.0,"), "{csv}");
    assert_eq!(csv.lines().count(), 25);
    for line in csv.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!((numbers[2] - truth(numbers[0], numbers[1])).abs() < 0.03 && numbers[5] < numbers[6], "{line}");
    }
    assert!(place.bytes("out/release.png").starts_with(b"\x89PNG"));
    assert!(place.bytes("out/release.pdf").starts_with(b"%PDF"));
    assert!(String::from_utf8(place.bytes("out/release.svg")).unwrap().contains("NOT PRIVATE"));
    let shown = place.run("show out/release.json").succeeded().words();
    assert!(shown.contains("Private mean surface") && shown.contains("a kernel for each axis"), "{shown}");
    place.run("smooth out/release.json --band posterior --level 0.8 --out inner").succeeded();
    assert_eq!(place.json("inner/release.json")["estimate"]["band"], "posterior");
    assert_eq!(place.json("inner/release.json")["lattice"], place.json("out/release.json")["lattice"]);
    assert_refused(&place, include_str!("refusals/surfaces.txt"));
    let csv = place.run("evaluate out/release.json --at 1.5,3,3,10").succeeded().stdout;
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert!(csv.starts_with("s,t,value,posterior_sd,noise_sd,lower,upper\n") && rows.len() == 2, "{csv}");
    assert!(rows.iter().all(|row| (row[2] - truth(row[0], row[1])).abs() < 0.03 && row[5] < row[2]), "{csv}");
    let slice = place.run("evaluate out/release.json --slice s=2").succeeded().stdout;
    let of_grid = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    let numbers = |csv: &str| -> Vec<Vec<f64>> {
        csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
    };
    let (slice, of_grid) = (numbers(&slice), numbers(&of_grid));
    assert_eq!(slice.len(), 6);
    for (of_slice, of_grid) in slice.iter().zip(of_grid.iter().filter(|row| row[0] == 2.0)) {
        assert!(of_slice.iter().zip(of_grid).all(|(a, b)| (a - b).abs() < 1e-6), "{of_slice:?} {of_grid:?}");
    }
    let slopes = place.run("evaluate out/release.json --derivative 1,5").succeeded().words();
    assert!(
        slopes.contains("along s at s = 1, t = 5, from ") && slopes.contains("about the population mean"),
        "{slopes}"
    );
    let json = place.run("evaluate out/release.json --at 1,5 --slice t=4 --derivative 1,5 --json").succeeded();
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((json["points"].as_array().unwrap().len(), json["slice"].as_array().unwrap().len()), (1, 4));
    assert!((json["derivative"][0]["along_t"]["value"].as_f64().unwrap() - 0.01).abs() < 0.005, "{json}");
    let words =
        place.run("evaluate out/release.json --slice s=2 --maximum --minimum --integral all").succeeded().words();
    for said in ["maximum at", "smallest", "integral from", "from the band alone"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let json = place.run("evaluate out/release.json --slice s=2 --maximum --json").succeeded();
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(json["of_slice"]["maximum"]["at"]["value"].is_f64() && json["slice"].is_array(), "{json}");
    place.run("report out/release.json --out report.html").succeeded();
    let page = String::from_utf8(place.bytes("report.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains("heat map") && page.contains("slice at s = 2"),
        "no figure or slice"
    );
}

#[test]
fn a_ledger_pays_for_surfaces_and_gives_a_paid_release_back() {
    let place = place();
    place
        .run("ledger create book --dataset d --epsilon 3 --delta 1e-3 --neighbours substitute --unit subject")
        .succeeded();
    let command = format!("release maps.csv {ARGUMENTS} {PUBLIC} --ledger book --release-id maps --out");
    let run = place.run(&format!("{command} paid")).succeeded();
    assert!(run.stdout.contains("left"), "{}", run.stdout);
    place.run("ledger verify --ledger book paid/release.json").succeeded();
    place.run(&format!("{command} again")).succeeded();
    assert_eq!(place.json("paid/release.json")["lattice"], place.json("again/release.json")["lattice"]);
    // one integer more is found
    let text = String::from_utf8(place.bytes("paid/release.json")).unwrap();
    let mut document = place.json("paid/release.json");
    let first = document["lattice"]["coordinates"][0].as_i64().unwrap();
    document["lattice"]["coordinates"][0] = (first + 1).into();
    place.write("changed.json", &document.to_string());
    assert_ne!(text, document.to_string());
    let changed = place.run("ledger verify --ledger book changed.json");
    assert_ne!(changed.code, 0, "{}", changed.text());
}

#[test]
fn what_surfaces_do_not_have_is_refused_before_anything_is_written() {
    let place = place();
    place.write("center.csv", "t,value\n0,0.5\n1,0.5\n");
    assert_refused(&place, include_str!("refusals/surfaces-options.txt"));
}

#[test]
fn surfaces_from_a_stream_from_parts_and_from_memory_have_the_same_integers_and_a_bought_radius() {
    let place = place();
    let whole = table(2000);
    let (header, rows) = whole.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    for (name, rows) in [("first", &rows[..30]), ("second", &rows[30..1200]), ("third", &rows[1200..])] {
        place.write(&format!("{name}.csv"), &format!("{header}\n{}\n", rows.join("\n")));
    }
    place.write("long.csv", &long_table(&whole, |_| false));
    let wide = PUBLIC.replace("--radius 0.25", "--radius 4") + " --expected 2000";
    let lattice = |command: &str, out: &str| {
        place.run(&format!("{command} {SEED} --out {out}")).succeeded();
        let release = place.json(&format!("{out}/release.json"));
        assert!(release["derived"]["ball"]["radius"].as_f64().unwrap() < 0.5, "{}", release["derived"]);
        release["lattice"].clone()
    };
    let stream = lattice(&format!("release maps.csv {ARGUMENTS} {wide}"), "stream");
    assert_eq!(stream, lattice(&format!("release long.csv {LONG} {wide}"), "memory"));
    place.run(&format!("release maps.csv {ARGUMENTS} {wide} --plan-only plan.json")).succeeded();
    assert_eq!(place.json("plan.json")["kind"], "planned-surface");
    for part in ["first", "second", "third"] {
        let names = "--values v* --subject id --plan plan.json --key plan.key";
        place.run(&format!("part {part}.csv {names} --part {part} --out {part}.part")).succeeded();
    }
    assert_eq!(stream, lattice("merge first.part second.part third.part --plan plan.json", "merged"));
    let words = place.run("show merged/release.json").succeeded().words();
    assert!(words.contains("found with") && words.contains("Private mean surface"), "{words}");
    let audit = place.run("audit merged/release.json --draws 500").succeeded().words();
    assert!(audit.contains("a bought radius") && audit.contains("instead of its 24 points"), "{audit}");
    let center = lattice(&format!("release maps.csv {ARGUMENTS} {wide} --center-share 0.1"), "centred");
    assert!(center["center"].is_object() && center != stream, "{center}");
    // the same from parts, in two steps
    place.run(&format!("release maps.csv {ARGUMENTS} {wide} --center-share 0.1 --plan-only first.json")).succeeded();
    for (plan, end) in [("first", "1"), ("second", "2")] {
        for part in ["first", "second", "third"] {
            let names = format!("--values v* --subject id --plan {plan}.json --key first.key --part {part}");
            place.run(&format!("part {part}.csv {names} --out {part}{end}.part")).succeeded();
        }
        if plan == "first" {
            let parts = "first1.part second1.part third1.part";
            place.run(&format!("merge {parts} --plan first.json {SEED} --out second.json")).succeeded();
        }
    }
    let parts = "first1.part second1.part third1.part first2.part second2.part third2.part";
    assert_eq!(center, lattice(&format!("merge {parts} --plan second.json"), "both"));
}

#[test]
fn a_check_of_surfaces_tells_the_curator_what_would_be_read_and_writes_nothing() {
    let place = place();
    for command in ["check", "release --dry-run"] {
        let (command, flag) = command.split_once(' ').unwrap_or((command, ""));
        let report = place.run(&format!("{command} maps.csv {flag} {ARGUMENTS} {PUBLIC}")).succeeded().words();
        for said in ["NOT PRIVATE - CURATOR ONLY", "4 values of s", "2000 rows, 2000 records", "would spend"] {
            assert!(report.contains(said), "{said}: {report}");
        }
    }
    let refused = place.run(&format!("check maps.csv {ARGUMENTS} {PUBLIC} --figure look.svg"));
    assert!(refused.code == 2 && refused.stderr.contains("--figure"), "{}", refused.stderr);
    assert_eq!(place.names(), ["maps.csv"]);
}

/// The same people in a long table, the rows turned round, with places that were rounded; cells whose numbers `leave_out` takes have no
/// row.
fn long_table(wide: &str, leave_out: impl Fn(usize) -> bool) -> String {
    let mut rows = Vec::new();
    for (person, line) in wide.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        for (j, value) in cells[1..].iter().enumerate().filter(|(j, _)| !leave_out(person * 24 + j)) {
            rows.push(format!("{},{}.000,{value},{}\n", 2 * (j % 6), j / 6, cells[0]));
        }
    }
    rows.reverse();
    format!("hour,depth,value,who\n{}", rows.concat())
}

const LONG: &str = "--surface 4,6 --surface-domain 0,3,0,10 --id who --s depth --t hour --value value";

#[test]
fn a_long_table_of_surfaces_has_the_integers_of_the_wide_table_of_the_same_people() {
    let place = Place::new();
    let whole = table(300);
    // cells without a row, and cells whose value is missing, are cells that the wide table leaves empty
    let is_left_out = |cell: usize| cell % 7 == 3 || ((40 * 24..41 * 24).contains(&cell) && cell % 24 != 5);
    let wide: Vec<String> = whole
        .lines()
        .enumerate()
        .map(|(line, text)| {
            let cells = text.split(',').enumerate().map(|(j, cell)| {
                let is_empty = line > 0 && j > 0 && is_left_out((line - 1) * 24 + j - 1);
                if is_empty { "" } else { cell }
            });
            cells.collect::<Vec<&str>>().join(",")
        })
        .collect();
    place.write("whole.csv", &whole);
    place.write("whole-long.csv", &long_table(&whole, |_| false));
    place.write("gaps.csv", &wide.join("\n"));
    place.write("gaps-long.csv", &long_table(&whole, is_left_out));
    place.write("empty-long.csv", &long_table(&wide.join("\n"), |_| false));
    let lattice = |table: &str, columns: &str, out: &str| {
        let run = place.run(&format!("release {table} {columns} {PUBLIC} {SEED} --out {out}")).succeeded();
        let release = place.json(&format!("{out}/release.json"));
        (run, release["lattice"].clone(), release["privacy"].clone())
    };
    let (_, of_wide, privacy) = lattice("whole.csv", ARGUMENTS, "a");
    let (run, of_long, of_long_privacy) = lattice("whole-long.csv", LONG, "b");
    assert_eq!((&of_wide, privacy), (&of_long, of_long_privacy));
    let words = run.words();
    assert!(words.contains("one row for each value of a surface: 3 columns, depth to value"), "{words}");
    assert!(words.contains("subjects by column who"), "{words}");
    let (_, of_gaps, _) = lattice("gaps.csv", ARGUMENTS, "c");
    assert_ne!(of_gaps, of_wide);
    assert_eq!(of_gaps, lattice("gaps-long.csv", LONG, "d").1);
    assert_eq!(of_gaps, lattice("empty-long.csv", LONG, "e").1);
    // in several files, with the rows of a subject in both
    let text = long_table(&whole, |_| false);
    let (header, rows) = text.split_once('\n').unwrap();
    let (first, second) = rows.split_at(rows[..rows.len() / 2].rfind('\n').unwrap() + 1);
    place.write("parts-1.csv", &format!("{header}\n{second}"));
    place.write("parts-2.csv", &format!("{header}\n{first}"));
    assert_eq!(of_wide, lattice("parts-*.csv", LONG, "f").1);
    let check = place.run(&format!("check gaps-long.csv {LONG} {PUBLIC}")).succeeded().words();
    for said in
        ["300 surfaces, 300 records (subjects), one surface each", "in 300 surfaces", "4 values of s from 0 to 3"]
    {
        assert!(check.contains(said), "{said}: {check}");
    }
}

#[test]
fn rows_that_are_no_point_of_the_grid_are_refused_by_file_column_and_row() {
    let place = Place::new();
    assert_refused(&place, include_str!("refusals/surface-rows.txt"));
}

#[test]
fn the_axes_of_a_surface_are_named_and_keep_their_names() {
    let place = place();
    let run = format!(
        "release maps.csv {ARGUMENTS} {PUBLIC} {SEED} --s-label depth --x-label hour --y-label signal --out out"
    );
    place.run(&run).succeeded();
    assert_eq!(place.json("out/release.json")["labels"]["s"], "depth");
    let figure = |path: &str| String::from_utf8(place.bytes(path)).unwrap();
    place.run("smooth out/release.json --level 0.8 --out same").succeeded();
    place.run("smooth out/release.json --level 0.8 --s-label distance --out other").succeeded();
    place.run("report out/release.json --out report.html").succeeded();
    for path in ["out/release.svg", "same/release.svg", "report.html"] {
        let svg = figure(path);
        assert!(["depth", "hour", "signal", "depth = 2"].iter().all(|name| svg.contains(name)), "{path}");
    }
    let other = figure("other/release.svg");
    assert!(other.contains("distance") && !other.contains("depth"), "{other}");
    place.write("curves.csv", "id,a,b,c\n1,0.1,0.2,0.3\n2,0.2,0.3,0.4\n");
    place
        .run(&format!("release curves.csv --values a,b,c --bounds 0,1 --radius-share none --epsilon 1 --delta 1e-4 {SEED} --out curves"))
        .succeeded();
    for refused in ["smooth curves/release.json --s-label depth --out no", "evaluate curves/release.json --slice s=1"] {
        let run = place.run(refused);
        assert!(run.code == 2 && run.stderr.contains("no release of surfaces"), "{refused}: {}", run.stderr);
    }
    let curve_and_surface = place.run("compare curves/release.json out/release.json");
    assert!(curve_and_surface.code == 2 && curve_and_surface.stderr.contains("this is a release of surfaces"));
    let surface_and_curve = place.run("compare out/release.json curves/release.json");
    assert!(surface_and_curve.code == 2 && surface_and_curve.stderr.contains("this is none"));
}

#[test]
fn two_surfaces_are_compared_and_one_is_audited() {
    let place = place();
    let shifted: String = table(1500).replace(",0.4", ",0.7");
    place.write("others.csv", &shifted);
    let release = |table: &str, seed: u32, out: &str| {
        let command =
            format!("release {table} {ARGUMENTS} {PUBLIC} --radius-share none --not-private --seed {seed} --out {out}");
        place.run(&command).succeeded();
    };
    release("maps.csv", 1, "a");
    release("others.csv", 2, "b");
    let words = place.run("compare a/release.json b/release.json --names women,men").succeeded().words();
    for said in [
        "surface of women minus the mean surface of men",
        "the band does not hold 0 at",
        "the means differ",
        "cost no privacy",
    ] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let json = place.run("compare a/release.json b/release.json --level 0.9 --json").succeeded();
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let list = |name: &str| -> Vec<f64> {
        json["difference"][name].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    let (values, lower, upper) = (list("values"), list("lower"), list("upper"));
    assert_eq!((list("s").len(), list("t").len(), values.len(), list("sd").len()), (4, 6, 24, 24));
    assert!(values.iter().zip(lower.iter().zip(&upper)).all(|(value, (lower, upper))| lower < value && value < upper));
    place.run("compare a/release.json b/release.json --names women,men --figure d.svg --x-label hour").succeeded();
    let figure = String::from_utf8(place.bytes("d.svg")).unwrap();
    assert!(
        ["women minus men", "hour", "difference in a slice", "NOT PRIVATE"].iter().all(|word| figure.contains(word))
    );
    let audit = place.run("audit a/release.json --draws 20000").succeeded().words();
    for said in ["Not refuted", "2 x 2 points instead of its 4 x 6 points", "noise came from a seed"] {
        assert!(audit.contains(said), "{said}: {audit}");
    }
}
