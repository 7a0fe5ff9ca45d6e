//! The guards of `dpfda release` hold wherever a budget is spent or planned: an unusual guarantee needs a reason, and a number that may
//! be a code for a missing value is refused until the curator says what it is.

use std::fs;

use crate::common::Place;

const REASON: &str = "a rehearsal on invented curves";

/// Forty people with two values, a covariate and a label.
fn place() -> Place {
    let place = Place::new();
    let row = |i: usize| format!("p{i},0.{},0.{},{},{}\n", 3 + i % 5, 2 + i % 7, 20 + i, ["north", "south"][i % 2]);
    place.write("good.csv", &format!("id,v1,v2,age,site\n{}", (0..40).map(row).collect::<String>()));
    for (name, from, to) in
        [("value.csv", ",0.5,", ",-999,"), ("age.csv", ",29,", ",-999,"), ("site.csv", ",29,south", ",29,-999")]
    {
        let text = fs::read_to_string(place.path("good.csv")).unwrap();
        assert!(text.contains(from));
        place.write(name, &text.replacen(from, to, 1));
    }
    place
}

/// Whatever spends or plans to spend, without its guarantee and its place.
const SPENDING: [&str; 8] = [
    "release good.csv --values v* --bounds 0,1 --radius-share none",
    "release good.csv --values v* --bounds 0,1 --by site",
    "release good.csv --values v* --bounds 0,1 --on age --covariate-bounds age=0:100",
    "release good.csv --columns v1 --bounds 0,1 --mechanism perturbed",
    "release good.csv --columns v1 --bounds 0,1 --mechanism series",
    "crossval good.csv --values v* --center 0.5 --radius 0.5 --folds 4 --kernel gaussian --penalty 0.1",
    "check good.csv --values v* --bounds 0,1 --radius-share none",
    "release good.csv --values v* --bounds 0,1 --radius-share none --dry-run",
];

#[test]
fn an_unusual_guarantee_needs_a_reason_wherever_a_budget_is_spent() {
    let place = place();
    let before = place.names();
    for command in SPENDING {
        for (guarantee, words) in [
            ("--epsilon 1 --delta 0.5", "above 0.1 it protects hardly anybody"),
            ("--epsilon 0 --delta 1e-3", "at epsilon 0"),
        ] {
            let run = place.run(&format!("{command} {guarantee} --out out"));
            assert!(run.code == 2 && run.stderr.contains(words), "{command} {guarantee}: {}", run.text());
            assert!(run.stderr.contains("--because"), "{}", run.stderr);
        }
    }
    assert_eq!(place.names(), before);
}

#[test]
fn the_reason_is_told_in_the_release_of_every_kind() {
    let place = place();
    for (out, command) in SPENDING.iter().take(5).enumerate() {
        let whole = format!("{command} --epsilon 1 --delta 0.5 --out {out} --because");
        let mut words: Vec<&str> = whole.split_whitespace().collect();
        words.push(REASON);
        place.run_with(&words).succeeded();
        let release = place.json(&format!("{out}/release.json"));
        assert_eq!(release["source"]["reason"], REASON, "{command}");
        let shown = place.run(&format!("show {out}/release.json")).succeeded().words();
        assert!(shown.contains(&format!("reason {REASON}")), "{command}: {shown}");
    }
}

#[test]
fn draws_of_cells_tell_their_table_and_their_reason() {
    let place = place();
    for mechanism in ["smoothed", "exponential --cells 8 --draws 4"] {
        let whole = format!(
            "release good.csv --columns v1 --bounds 0,1 --epsilon 2 --mechanism {mechanism} --out out --because"
        );
        let mut words: Vec<&str> = whole.split_whitespace().collect();
        words.push(REASON);
        place.run_with(&words).succeeded();
        let source = &place.json("out/release.json")["source"];
        assert_eq!((&source["columns"], &source["reason"]), (&serde_json::json!(["v1"]), &serde_json::json!(REASON)));
        assert!(place.run("show out/release.json").succeeded().words().contains("table column v1"));
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn parts_of_an_unusual_plan_need_a_reason_when_they_are_merged() {
    let place = place();
    let plan = "release good.csv --values v* --bounds 0,1 --radius-share none --epsilon 1 --delta 0.5 --because x";
    place.run(&format!("{plan} --plan-only plan.json")).succeeded();
    place.run("part good.csv --values v* --plan plan.json --part a --out a.part").succeeded();
    let refused = place.run("merge a.part --plan plan.json --out out");
    assert!(refused.code == 2 && refused.stderr.contains("--because"), "{}", refused.text());
    assert!(!place.names().contains(&"out".to_owned()));
    let merge = "merge a.part --plan plan.json --out out --json --title Waves --x-label hour --because x";
    let run = place.run(merge).succeeded();
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["facts"].as_array().unwrap().iter().any(|fact| fact["name"] == "reason" && fact["text"] == "x"));
    let figure = fs::read_to_string(place.path("out/release.svg")).unwrap();
    assert!(figure.contains("Waves") && figure.contains("hour"));
    let source = place.json("out/release.json")["source"].clone();
    assert_eq!(source, serde_json::json!({ "reason": "x", "study": place.json("plan.json")["study"] }));
}

/// A code in a value, a covariate or a label is refused, and missing as soon as it is named.
#[test]
fn a_number_that_may_be_a_code_is_refused_by_every_command_until_it_is_named() {
    let place = place();
    let commands = [
        ("value.csv", "release FILE --values v* --bounds 0,1 --radius-share none"),
        ("value.csv", "crossval FILE --values v* --center 0.5 --folds 4 --kernel gaussian --penalty 0.1"),
        ("value.csv", "check FILE --values v* --bounds 0,1 --radius-share none"),
        ("value.csv", "release FILE --columns v1 --bounds 0,1"),
        ("value.csv", "release FILE --columns v1 --subject id --bounds 0,1 --mechanism smoothed --draws 5"),
        ("value.csv", "release FILE --columns v1 --bounds 0,1 --mechanism exponential --cells 8 --draws 4"),
        ("age.csv", "release FILE --columns age --bounds 0,100 --mechanism series"),
        ("age.csv", "release FILE --values v* --bounds 0,1 --on age --covariate-bounds age=0:100"),
        ("site.csv", "release FILE --values v* --bounds 0,1 --by site --private-labels north,south"),
    ];
    for (file, command) in commands {
        let delta = if command.contains("--columns") { "" } else { "--delta 1e-3" };
        let guarantee = if command.starts_with("crossval") { String::new() } else { format!("--epsilon 2 {delta}") };
        let whole = format!("{} {guarantee} --out out", command.replace("FILE", file));
        let refused = place.run(&whole);
        assert_eq!(refused.code, 2, "{whole}: {}", refused.text());
        for said in ["-999, -9999 and -99999", "--missing -999", "row"] {
            assert!(refused.stderr.contains(said), "{whole}: {}", refused.stderr);
        }
        assert!(!place.names().contains(&"out".to_owned()), "{whole}");
        place.run(&format!("{whole} --missing -999")).succeeded();
        let _ = fs::remove_dir_all(place.path("out"));
    }
}

#[test]
fn the_curator_is_told_what_was_missing_of_points_and_of_a_stream() {
    let place = place();
    let density = "release value.csv --columns v1 --bounds 0,1 --epsilon 1 --missing -999 --out density";
    let stream = "release value.csv --values v* --subject id --sorted-by-subject --bounds 0,1 --radius-share none --epsilon 1 --delta \
                  1e-3 --missing -999 --out stream";
    for command in [density, stream] {
        let run = place.run(command).succeeded();
        let told: String = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("read as missing: -999 (1)"), "{}", run.stderr);
        assert!(told.contains("NOT PRIVATE - CURATOR ONLY"), "{}", run.stderr);
        assert!(!run.stdout.contains("read as missing"), "{}", run.stdout);
    }
    let half: String = (0..20).map(|i| if i % 2 == 0 { ",0.4\n" } else { "0.5,0.4\n" }).collect();
    place.write("half.csv", &format!("v1,v2\n{half}"));
    let run = place.run("release half.csv --columns v1 --bounds 0,1 --epsilon 1 --out half").succeeded();
    assert!(run.stderr.contains("50% of the cells are missing") && run.stderr.contains("pulled"), "{}", run.stderr);
}

#[test]
fn an_absurd_number_is_told_in_its_shortest_form() {
    let place = place();
    let release = "release good.csv --values v* --subject id --epsilon 1 --delta 1e-3 --out out";
    let ball = "--center 0.5 --radius 0.5";
    for arguments in [
        format!("{release} {ball} --penalty -1e300"),
        format!("{release} {ball} --range -1e300"),
        format!("{release} {ball} --eta -1e300"),
        format!("{release} {ball} --level 1e300"),
        format!("{release} {ball} --grid 1e300,-1e300"),
        format!("{release} {ball} --roughness 1e300"),
        format!("{release} {ball} --radius-share none --slope 1e-300"),
        format!("{release} --center 0.5 --radius -1e300"),
        format!("{release} --bounds 1e300,-1e300"),
        format!("{release} {ball} --gaps gaussian-process --gaps-noise 1e300"),
        format!("{release} {ball} --gaps gaussian-process --gaps-range -1e300"),
        format!("{release} {ball} --gaps rows --bound 1e300"),
        format!("{release} {ball} --surface 2,2 --surface-domain 1e300,-1e300,0,1"),
        "forecast --noise gaussian --epsilon 1 --delta 1e-5 --sensitivity 1e300".to_owned(),
        "release good.csv --columns v1 --bounds 1e300,-1e300 --epsilon 1 --delta 0 --out out".to_owned(),
    ] {
        let run = place.run(&arguments);
        assert_eq!(run.code, 2, "{arguments}: {}", run.text());
        assert!(run.stderr.contains("1e300") || run.stderr.contains("1e-300"), "{arguments}: {}", run.stderr);
        let longest = run.stderr.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
        assert!(longest < Some(20), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn a_domain_that_is_too_wide_or_too_narrow_is_refused_before_anything_is_paid() {
    let place = place();
    place.write("long.csv", "id,t,y\na,0,0.5\nb,1,0.5\na,1,0.4\n");
    place
        .run("ledger create books --epsilon 10 --delta 1e-2 --unit curve --neighbours substitute --dataset growth")
        .succeeded();
    let before = (place.names(), place.bytes("books"));
    let guarantee = "--bounds 0,1 --epsilon 1 --delta 1e-3 --ledger books --out out";
    for ends in ["-8e307,8e307", "0,1e51", "0,1e-51"] {
        for command in [
            format!("release good.csv --values v* --grid={ends} {guarantee}"),
            format!("release good.csv --values v* --grid={ends} --periodic {guarantee}"),
            format!("release good.csv --values v* --grid=uniform:{ends} {guarantee}"),
            format!("release good.csv --values v* --grid={ends} --by site {guarantee}"),
            format!("release good.csv --values v* --grid={ends} --gaps rows {guarantee}"),
            format!("release good.csv --values v1,v2,v1,v2 --surface 2,2 --surface-domain=0,1,{ends} {guarantee}"),
            format!("release long.csv --id id --time t --value y --domain={ends} {guarantee}"),
            format!("release good.csv --values v* --grid={ends} --on age --covariate-bounds age=0:100 {guarantee}"),
        ] {
            let run = place.run(&command);
            assert!(run.code == 2 && run.stderr.contains("from 1e-50 to 1e50 wide"), "{command}: {}", run.text());
        }
    }
    assert!((place.names(), place.bytes("books")) == before);
}

#[test]
fn the_widest_and_the_narrowest_domains_have_figures_slopes_and_areas_at_the_largest_values() {
    let place = place();
    for (ends, periodic) in [("0,1e50", ""), ("-5e49,5e49", "--periodic"), ("0,1e-50", "")] {
        place
            .run(&format!(
                "release good.csv --values v* --subject id --grid={ends} {periodic} --bounds=-1e100,1e100 --radius-share none --epsilon 1 --delta 1e-3 --out out"
            ))
            .succeeded();
        for asked in ["--derivative 0", "--integral all", "--maximum"] {
            let run = place.run(&format!("evaluate out/release.json {asked}")).succeeded();
            assert!(!run.stdout.contains("NaN") && !run.stdout.contains("inf"), "{ends} {asked}: {}", run.stdout);
        }
        place.run("report out/release.json --out report.html").succeeded();
        fs::remove_file(place.path("report.html")).unwrap();
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn a_part_of_another_plan_than_the_stated_one_is_refused_whatever_its_epsilon() {
    let place = place();
    let release = "release good.csv --values v* --bounds 0,1 --radius-share none --delta 1e-3";
    place.run(&format!("{release} --epsilon 1 --plan-only plan.json")).succeeded();
    place.run(&format!("{release} --epsilon 2 --plan-only other.json")).succeeded();
    for plan in ["plan", "other"] {
        place.run(&format!("part good.csv --values v* --plan {plan}.json --part {plan} --out {plan}.part")).succeeded();
    }
    let refused = place.run("merge other.part --plan plan.json --out out");
    assert!(refused.code == 2 && refused.stderr.contains("another plan than that of --plan"), "{}", refused.text());
    assert_eq!(place.run("merge plan.part --out out").code, 2, "the plan must be stated");
    assert!(!place.names().contains(&"out".to_owned()));
    place.run("merge plan.part --plan plan.json --out out").succeeded();
    assert_eq!(place.json("out/release.json")["privacy"]["epsilon"], 1.0);
}
