//! `dpfda check` and `release --dry-run`: the curator sees what a release would do, and nothing is drawn, spent or published.

use std::fs;

use crate::common::{Place, Run, SMALL};

/// Curves with codes, a constant row, a repeated one, ids that look alike, and values outside of the bounds.
const ODD: &str = "\
ID,h0,h2,h20,h21
S1,0.1,0.2,0.3,0.4
S1,0.1,N/A,0.3,0.4
s1,-999,0.5,-999,0.5
S2,0.5,0.5,0.5,0.5
S3,0.1,0.2,0.3,0.4
S4,7,0.2,0.3,
";

const OPTIONS: &str =
    "--values h* --subject ID --grid names --missing -999 --bounds 0,1 --radius-share none --epsilon 1 --delta 1e-3";

fn check(place: &Place, more: &str) -> Run {
    place.run(&format!("check odd.csv {OPTIONS} {more}"))
}

fn place() -> Place {
    let place = Place::new();
    place.write("odd.csv", ODD);
    place
}

#[test]
fn the_curator_is_told_what_would_be_read_and_spent_and_nothing_is_written() {
    let place = place();
    let run = check(&place, "").succeeded();
    let words = run.words();
    for said in [
        "NOT PRIVATE - CURATOR ONLY",
        "Nothing was drawn, written or spent",
        "4 points: h0 at 0, h2 at 2, h20 at 20, h21 at 21",
        "subjects by column ID; grid where the names of the columns say",
        "words such as NA, -999)",
        "6 rows, 5 records (subjects); from 1 to 2 rows a record, median 1",
        "groups of ids that look alike: 1",
        "4 cells (16.67%), in 3 rows; rows without any value: 0; written as -999 (2), N/A (1)",
        "from 0.1 to 7; 1 outside the bounds 0 to 1",
        "Do not choose bounds, centre or radius by these numbers",
        "data rows of one value alone: 4",
        "data rows that repeat an earlier one: 5",
        "a release would spend (epsilon, delta) = (1, 0.001)",
    ] {
        assert!(words.contains(said), "`{said}` in {}", run.stdout);
    }
    for said in [
        "read as missing: -999\u{a0}(2), N/A\u{a0}(1)",
        "16.67% of the cells are missing",
        "NOT PRIVATE - CURATOR ONLY",
    ] {
        let said = said.replace('\u{a0}', " ");
        assert!(
            run.stderr.split_whitespace().collect::<Vec<_>>().join(" ").contains(&said),
            "`{said}` in {}",
            run.stderr
        );
    }
    assert_eq!(place.names(), ["odd.csv"]);
}

#[test]
fn a_dry_run_says_what_check_says_also_with_the_place_for_the_files() {
    let place = place();
    let report = check(&place, "").succeeded().stdout;
    for more in ["--dry-run", "--dry-run --out out"] {
        let run = place.run(&format!("release odd.csv {OPTIONS} {more}")).succeeded();
        assert_eq!(run.stdout, report, "{more}");
    }
    assert_eq!(check(&place, "--out out").succeeded().stdout, report);
    assert_eq!(place.names(), ["odd.csv"]);
}

#[test]
fn what_a_release_refuses_check_refuses_in_the_same_words() {
    let place = place();
    let usual: Vec<(&str, &str)> =
        OPTIONS.split_whitespace().collect::<Vec<_>>().chunks(2).map(|pair| (pair[0], pair[1])).collect();
    for (name, value) in [
        ("--missing", None),
        ("--grid", Some("0,21")),
        ("--values", Some("H*")),
        ("--subject", Some("id")),
        ("--bounds", Some("1,0")),
        ("--radius-share", Some("0.05")),
    ] {
        let others = usual.iter().filter(|(known, _)| *known != name).copied();
        let options = others.chain(value.map(|value| (name, value))).flat_map(|(name, value)| [name, value]);
        let options: Vec<&str> = options.collect();
        let run = |command| place.run_with(&[&[command, "odd.csv", "--out", "out"], options.as_slice()].concat());
        let (checked, released) = (run("check"), run("release"));
        assert_eq!(checked.code, 2, "{name}: {}", checked.text());
        // and tells the columns where they are what was refused
        let same = checked.stderr.split("columns: ID").next().unwrap_or_default();
        assert_eq!(same, released.stderr, "{name}");
        assert!(checked.stdout.is_empty());
    }
    assert_eq!(place.names(), ["odd.csv"]);
}

#[test]
fn the_preview_is_stamped_and_for_its_owner_alone() {
    let place = place();
    check(&place, "--figure preview.svg").succeeded();
    let svg = fs::read_to_string(place.path("preview.svg")).unwrap();
    assert!(svg.contains("NOT PRIVATE - CURATOR ONLY") && svg.contains("Do not publish."));
    check(&place, "--figure preview.png").succeeded();
    assert!(place.bytes("preview.png").starts_with(b"\x89PNG"));
    #[cfg(unix)]
    for name in ["preview.svg", "preview.png"] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o077, 0, "{name}");
    }
    let again = check(&place, "--figure preview.svg");
    assert!(again.code == 2 && again.stderr.contains("exists"), "{}", again.stderr);
    let other = check(&place, "--figure preview.gif");
    assert!(other.code == 2 && other.stderr.contains(".svg, .pdf or .png"), "{}", other.stderr);
}

#[test]
fn a_check_with_a_ledger_tells_what_is_left_and_spends_nothing() {
    let place = place();
    place
        .run("ledger create l --epsilon 3 --delta 1e-2 --unit subject --neighbours substitute --dataset odd")
        .succeeded();
    let words = check(&place, "--ledger l").succeeded().words();
    assert!(words.contains("l: left one more release of (epsilon, delta) = (3, 0.01)"), "{words}");
    assert!(place.run("ledger show l").succeeded().words().contains("spent nothing"));
}

#[test]
fn groups_are_checked_with_their_labels() {
    let place = Place::new();
    place.write(
        "small.csv",
        &SMALL.replace("id,", "id,case,").replace("a,", "a,x,").replace("b,", "b,y,").replace("c,", "c,y,"),
    );
    let options = "small.csv --values v* --subject id --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-5";
    let refused = place.run(&format!("check {options} --by nothing"));
    assert!(refused.code == 2 && refused.stderr.contains("`nothing`"), "{}", refused.text());
    let run = place.run(&format!("check {options} --by case --neighbours add-remove --private-labels x,y")).succeeded();
    assert!(run.words().contains("a release would spend (epsilon, delta) = (1, 1e-5)"), "{}", run.stdout);
}

#[test]
fn a_check_is_told_to_programs_and_its_preview_has_the_names_asked_for() {
    let place = place();
    let run =
        check(&place, "--json --figure p.svg --title Heights --x-label age --y-label height --units cm").succeeded();
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["warning"], "NOT PRIVATE - CURATOR ONLY");
    let names: Vec<&str> =
        told["facts"].as_array().unwrap().iter().map(|fact| fact["name"].as_str().unwrap()).collect();
    for name in ["grid", "rows", "missing", "values", "cost", "figure"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let figure = fs::read_to_string(place.path("p.svg")).unwrap();
    for said in ["Heights", "age", "height (cm)", "NOT PRIVATE"] {
        assert!(figure.contains(said), "{said}");
    }
    let dry = place.run(&format!("release odd.csv {OPTIONS} --dry-run --json")).succeeded();
    let dry: serde_json::Value = serde_json::from_str(&dry.stdout).unwrap();
    assert_eq!(dry["facts"].as_array().unwrap().len() + 1, names.len());
}

#[test]
fn a_refusal_of_columns_tells_the_curator_which_there_are() {
    let place = Place::new();
    place.write("wide.csv", "ID;group;t_1;t_2;t_3;t_4;t_5;age\nS1;A;1;2;3;4;5;60\nS2;B;1;2;3;4;5;61\n");
    let columns = "columns: ID, group, t_1 to t_5, age";
    let refused = |options: &str| {
        let run = place.run(&format!("check wide.csv --delimiter ; {options}"));
        run.refused("");
        run.stderr
    };
    let first = refused("");
    assert!(
        first.contains(columns) && first.contains("a release needs --epsilon, --delta and --bounds as well"),
        "{first}"
    );
    let budget = "--bounds 0,9 --epsilon 1 --delta 1e-5";
    for options in ["--values u*", "--values t* --subject id", "--values t* --by case", "--values *"] {
        let refusal = refused(&format!("{options} {budget}"));
        assert!(refusal.contains(columns), "{refusal}");
    }
    // the setting that names the column is the one that is told
    for (option, named) in [("--change wave=1,2", "--change"), ("--per wave", "--per"), ("--by wave", "--by")] {
        let refusal = refused(&format!("--values t* --subject ID {option} {budget}"));
        assert!(
            refusal.contains(&format!("{named}: no column is named `wave`")) && refusal.contains(columns),
            "{refusal}"
        );
    }
    // nothing but a cell would be told
    place.write("wide.csv", "Smith;NA;NA\n");
    assert!(!refused("--values t*").contains("Smith"));
    assert!(!refused(&format!("--values t* --bounds 9,0 {budget}")).contains("\ncolumns: "));
    // a release tells nobody
    place.write("wide.csv", "ID;a;b\nS1;1;2\n");
    let release = place.run(&format!("release wide.csv --delimiter ; --values t* {budget} --out out"));
    assert!(!release.stderr.contains("\ncolumns: "), "{}", release.stderr);
}

#[test]
fn people_are_counted_in_groups_and_not_their_rows() {
    let place = Place::new();
    place.write("rows.csv", "ID,case,v1,v2\nS1,A,1,2\nS1,A,2,2\nS2,B,1,2\nS3,A,1,3\nS3,B,1,3\nS4,,1,2\n");
    let check = "check rows.csv --values v* --by case --bounds 0,9 --epsilon 1 --delta 1e-5";
    let of_people = place.run(&format!("{check} --subject ID --private-labels A,B --groups-of-subject 2"));
    let words = of_people.succeeded().words();
    assert!(words.contains("subjects of each label: A: 2, B: 2; of none of them: 1; of several: 1"), "{words}");
}
