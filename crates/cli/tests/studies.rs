//! Study files: the same release as by options, an approval that a release proves, and no step around it.

use std::fmt::Write;
use std::process::{Command, Stdio};

use clap::CommandFactory;
use dpfda_cli::arguments::Arguments;
use dpfda_study::{Kind, SETTINGS, Sections, new_study};

use crate::common::{OF_STUDIES, Place, Run};

/// Studies of every kind on the files of [`place`]: the command with options, and its options.
const STUDIES: [(&str, Kind, &str, &str); 10] = [
    (
        "release",
        Kind::Mean,
        "curves.csv",
        "--values v* --subject id --bounds 0,1 --epsilon 1 --delta 1e-3 --title A_title",
    ),
    (
        "release",
        Kind::Mean,
        "curves.csv",
        "--values v* --center center.csv --radius 0.3 --epsilon 1 --delta 1e-3 --gaps gaussian-process --radius-share none",
    ),
    (
        "release",
        Kind::Groups,
        "curves.csv",
        "--values v* --by group --center 0.5 --radius 0.3 --epsilon 2 --delta 1e-3",
    ),
    (
        "release",
        Kind::Change,
        "curves.csv",
        "--values v2,v3,v4 --subject id --per v1 --apart 0.01 --radius 0.5 --epsilon 2 --delta 1e-3",
    ),
    (
        "release",
        Kind::Rows,
        "long.csv",
        "--id id --time day --value y --domain 0,10 --bins 5 --bounds 0,1 --epsilon 2 --delta 1e-3",
    ),
    ("release", Kind::Rows, "curves.csv", "--values v* --gaps rows --grid 0,10 --bounds 0,1 --epsilon 2 --delta 1e-3"),
    (
        "release",
        Kind::Surface,
        "curves.csv",
        "--values v1,v2,v3,v4 --surface 2,2 --center 0.5 --radius 0.3 --epsilon 2 --delta 1e-3",
    ),
    (
        "release",
        Kind::Regression,
        "curves.csv",
        "--values v* --on group --covariate-bounds group=a|b --bounds 0,1 --epsilon 3 --delta 1e-3",
    ),
    (
        "release",
        Kind::Centiles,
        "curves.csv",
        "--values v* --subject id --centiles 25,50,75 --bounds 0,1 --center 0.45 --epsilon 3 --delta 1e-3",
    ),
    ("release", Kind::Density, "curves.csv", "--columns v1 --subject id --bounds 0,1 --epsilon 1 --draws 10"),
];

fn place() -> Place {
    let (mut curves, mut long) = ("id,group,v1,v2,v3,v4\n".to_owned(), "id,day,y\n".to_owned());
    for row in 0..400_u32 {
        let value = |point: u32| 0.4 + f64::from((row * 7 + point * 5) % 13) / 60.0;
        let cells: Vec<String> = (0..4).map(|point| value(point).to_string()).collect();
        writeln!(curves, "p{},{},{}", row / 2, ["a", "b"][(row / 2) as usize % 2], cells.join(",")).unwrap();
        for point in 0..4 {
            writeln!(long, "p{},{},{}", row / 2, f64::from(point) * 2.5, value(point)).unwrap();
        }
    }
    let place = Place::new();
    place.write("curves.csv", &curves);
    place.write("long.csv", &long);
    place.write("center.csv", "t,value\n0,0.5\n1,0.45\n");
    place
}

/// What options say, as a study file.
fn study_of(kind: Kind, options: &str) -> String {
    let words: Vec<&str> = options.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| (pair[0].trim_start_matches("--").replace('-', "_"), pair[1]));
    let pairs: Vec<(String, &str)> = pairs.collect();
    let said = Sections::of_texts(pairs.iter().map(|(name, text)| (name.as_str(), *text))).unwrap();
    new_study(kind, &said).unwrap()
}

/// The digest that `dpfda show` tells of a study.
fn digest(place: &Place, study: &str) -> String {
    let shown = place.run(&format!("show {study}")).succeeded().stdout;
    shown.lines().find_map(|line| line.strip_prefix("digest")).unwrap().trim().to_owned()
}

fn ledger(place: &Place, unit: &str) {
    let account = "--epsilon 9 --delta 0.01 --neighbours substitute --dataset curves";
    place.run(&format!("ledger create l {account} --unit {unit}")).succeeded();
}

#[test]
fn a_study_and_its_options_release_the_same_bytes() {
    let place = place();
    for (number, (command, kind, data, options)) in STUDIES.into_iter().enumerate() {
        let seed = "--not-private --seed 5";
        place.write("study.toml", &study_of(kind, options));
        let flags = place.run(&format!("{command} {data} {options} {seed} --out flags{number}")).succeeded();
        let file = place.run(&format!("release study.toml {data} {seed} --out file{number}")).succeeded();
        let told = |run: &Run, out: &str| run.stdout.replace(&format!("{out}{number}"), "DIR");
        assert_eq!(told(&flags, "flags"), told(&file, "file"), "{options}");
        let names: Vec<String> = std::fs::read_dir(place.path(&format!("flags{number}")))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert!(names.len() > 3, "{names:?}");
        for name in names {
            let [flags, file] = ["flags", "file"].map(|out| place.bytes(&format!("{out}{number}/{name}")));
            assert!(flags == file, "{options}: {name}");
        }
        let document = place.json(&format!("file{number}/release.json"));
        assert_eq!(document["source"]["study"], digest(&place, "study.toml"), "{options}");
        // an option may repeat the study
        let epsilon = options.split("--epsilon ").nth(1).unwrap().split(' ').next().unwrap();
        place.run(&format!("release study.toml {data} {seed} --epsilon {epsilon} --out again{number}")).succeeded();
    }
}

#[test]
fn a_release_says_which_study_it_follows_and_no_other() {
    let place = place();
    let (_, kind, _, options) = STUDIES[0];
    place.write("study.toml", &study_of(kind, options));
    place.write("other.toml", &study_of(kind, &options.replace("--epsilon 1", "--epsilon 1.5")));
    place.write("same.toml", &format!("# the same\n{}", study_of(kind, options)));
    place.run("release study.toml curves.csv --out out").succeeded();
    for followed in ["study.toml", "same.toml"] {
        let told = place.run(&format!("verify out --study {followed}")).succeeded().words();
        assert!(told.contains("VERIFIED") && told.contains(&digest(&place, "study.toml")), "{told}");
    }
    let refused = place.run("verify out/release.json --study other.toml");
    assert!(refused.code == 1 && refused.stderr.contains("NOT VERIFIED"), "{}", refused.text());
    assert!(refused.stderr.contains(&digest(&place, "other.toml")), "{}", refused.text());
    // what is smoothed later still follows it
    place.run("smooth out/release.json --select default --out smooth").succeeded();
    place.run("verify smooth --study study.toml").succeeded();
    // a directory stands for its release.json
    for command in ["show DIR", "evaluate DIR --at 0.5"] {
        let [of, file] = ["out", "out/release.json"].map(|path| place.run(&command.replace("DIR", path)).succeeded());
        assert_eq!(of.words().replace(" out,", " out/release.json,"), file.words());
    }
    place.run("report out/release.json --out page.html").succeeded();
    let page = String::from_utf8(place.bytes("page.html")).unwrap();
    assert!(page.contains(&digest(&place, "study.toml")) && page.contains("--study study.toml"), "{page}");
    // with a signature
    place.run("key new key --no-passphrase").succeeded();
    place.run("release study.toml curves.csv --out signed --sign key").succeeded();
    place.run("verify signed --key key.pub --study study.toml").succeeded();
    assert_eq!(place.run("verify signed --key key.pub --study other.toml").code, 1);
}

#[test]
fn parts_follow_the_study_of_their_plan() {
    let place = place();
    let (_, kind, _, options) = STUDIES[0];
    place.write("study.toml", &study_of(kind, options));
    place.run("release study.toml curves.csv --plan-only plan.json").succeeded();
    let part = "part curves.csv --values v* --subject id --plan plan.json --key plan.key --part a --out a.part";
    place.run(part).succeeded();
    place.run("merge a.part --plan plan.json --out merged").succeeded();
    place.run("verify merged --study study.toml").succeeded();
}

#[test]
fn a_release_with_another_guarantee_than_its_study_is_not_verified() {
    let place = place();
    let study = study_of(Kind::Mean, STUDIES[0].3);
    place.write("study.toml", &study);
    place.write("other.toml", &study_of(Kind::Mean, &STUDIES[0].3.replace("--epsilon 1", "--epsilon 2")));
    place.run("release study.toml curves.csv --out out").succeeded();
    place.run("release other.toml curves.csv --out other").succeeded();
    let [said, other] =
        ["out", "other"].map(|out| place.json(&format!("{out}/release.json"))["source"]["study"].to_string());
    let forged = String::from_utf8(place.bytes("other/release.json")).unwrap().replace(&other, &said);
    place.write("other/release.json", &forged);
    let run = place.run("verify other --study study.toml");
    assert!(run.code == 1 && run.stderr.contains("`epsilon` of its guarantee"), "{}", run.text());
    place.run("verify out --study study.toml").succeeded();
}

#[test]
fn a_part_may_name_the_study_of_its_plan_and_no_other() {
    let place = place();
    place.write("study.toml", &study_of(Kind::Mean, STUDIES[0].3));
    place.write("other.toml", &study_of(Kind::Mean, &STUDIES[0].3.replace("--epsilon 1", "--epsilon 2")));
    place.run("release study.toml curves.csv --plan-only plan.json").succeeded();
    let encoded = |study: &str, name: &str| {
        let asked = format!("part {study} curves.csv --plan plan.json --key plan.key --part all --out {name}.part");
        place.run(asked.trim_start())
    };
    encoded("study.toml", "named").succeeded();
    encoded("", "planned").succeeded();
    assert_eq!(place.bytes("named.part"), place.bytes("planned.part"));
    let other = encoded("other.toml", "other");
    assert!(other.code == 2 && other.stderr.contains("the plan follows another study"), "{}", other.text());
    encoded("--values v* study.toml", "said").succeeded();
    // who a record is was agreed on by all
    for (more, words) in [
        ("--subject group", "--subject: the plan says otherwise"),
        ("--values v1,v2,v3", "for 3 value columns"),
        ("--values v2,v1,v3,v4", "not in their order"),
    ] {
        let other = encoded(more, "other");
        assert!(other.code == 2 && other.stderr.contains(words), "{more}: {}", other.text());
    }
    let renamed = String::from_utf8(place.bytes("curves.csv")).unwrap().replace("v1,v2,v3,v4", "v2,v3,v4,v5");
    place.write("curves.csv", &renamed);
    let renamed = encoded("", "renamed");
    assert!(renamed.code == 2 && renamed.stderr.contains("the plan has the column `v1`"), "{}", renamed.text());
    let another = encoded("--values v1,v2 study.toml", "another");
    assert!(another.code == 2 && another.stderr.contains("--values"), "{}", another.text());
}

#[test]
fn a_study_is_foretold_as_its_options_are() {
    let place = place();
    place.write("study.toml", &study_of(Kind::Mean, STUDIES[0].3));
    let by_study = place.run("forecast study.toml --records 200 --points 4").succeeded().stdout;
    let by_options = place.run("forecast --bounds 0,1 --epsilon 1 --delta 1e-3 --records 200 --points 4").succeeded();
    assert_eq!(by_study, by_options.stdout);
    place.write("groups.toml", &study_of(Kind::Groups, STUDIES[2].3));
    let groups = place.run("forecast groups.toml --records 200").succeeded().words();
    assert!(groups.contains("means of groups"), "{groups}");
    let rows = place.run("forecast groups.toml --records 200 --points-per-subject 3");
    assert!(rows.code == 2 && rows.stderr.contains("--points-per-subject is for rows"), "{}", rows.text());
}

#[test]
fn a_contradiction_a_typo_and_a_lost_file_spend_nothing() {
    let place = place();
    let (_, kind, _, options) = STUDIES[0];
    let study = study_of(kind, options);
    place.write("study.toml", &study);
    ledger(&place, "subject");
    let before = place.run("ledger export l").succeeded().stdout;
    place.write("typo.toml", &study.replace("# radius_share =", "radius_shore = 0 #"));
    place.write("twice.toml", &study.replace("[bound]", "[bound]\nbounds = [0, 2]"));
    place.write("blank.toml", &new_study(kind, &Sections::default()).unwrap());
    place.write("kind.toml", &study.replace("[release.mean]", "[release.mode]"));
    for (arguments, words) in [
        ("study.toml curves.csv --epsilon 2", "--epsilon: the study says 1.0, and not 2.0"),
        ("study.toml curves.csv --radius-share none", "--radius-share: the study does not say it"),
        ("study.toml curves.csv --title Another", "--title: the study says \"A_title\""),
        ("study.toml curves.csv --by group", "--by: the study does not say it"),
        ("typo.toml curves.csv", "unknown field `radius_shore`"),
        ("twice.toml curves.csv", "line"),
        ("blank.toml curves.csv", "line"),
        ("kind.toml curves.csv", "line"),
        ("none.toml curves.csv", "cannot read `none.toml`"),
        ("study.toml none.csv", "none.csv"),
        ("study.toml curves.csv --sorted-by-subject --values w*", "--values: the study says"),
        ("study.toml", "CURVES.csv"),
        ("curves.csv study.toml", "CURVES.csv"),
    ] {
        let run = place.run(&format!("release {arguments} --ledger l --out out"));
        assert!(run.code == 2 && run.stderr.contains(words), "{arguments}: `{words}` in {}", run.text());
        let check = place.run(&format!("check {arguments} --ledger l"));
        assert!(check.code == 2 && check.stderr.contains(words), "{arguments}: `{words}` in {}", check.text());
    }
    assert_eq!(place.run("ledger export l").succeeded().stdout, before);
    assert!(!place.names().contains(&"out".to_owned()));
    // the study itself is released once, and given back as often as it is asked for
    place.run("release study.toml curves.csv --ledger l --out out").succeeded();
    let again = place.run("release study.toml curves.csv --ledger l --out again").succeeded();
    assert!(again.words().contains("was made before"), "{}", again.stdout);
}

#[test]
fn a_study_is_shown_with_the_origin_of_every_value() {
    let place = place();
    let (_, kind, _, options) = STUDIES[0];
    place.write("study.toml", &study_of(kind, options));
    let shown = place.run("show study.toml").succeeded().stdout;
    assert!(shown.contains("privacy.epsilon") && !shown.contains("estimate.level"), "{shown}");
    let all = place.run("show study.toml --origins").succeeded().stdout;
    let line = |name: &str| all.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {all}"));
    assert!(line("privacy.epsilon").ends_with("said") && line("estimate.level").ends_with("default"), "{all}");
    assert!(line("bound.radius_share").ends_with("from other settings"), "{all}");
    let schema: serde_json::Value = serde_json::from_str(&place.run("show --schema").succeeded().stdout).unwrap();
    assert_eq!(schema, dpfda_study::schema());
    assert_eq!(place.run("show curves.csv --origins").code, 2);
}

#[test]
fn crossval_takes_the_table_of_a_study() {
    let place = place();
    let (_, kind, _, options) = STUDIES[0];
    place.write("study.toml", &study_of(kind, &options.replace("--bounds 0,1", "--center 0.5 --radius 0.3")));
    let few = "--kernel gaussian --range 0.1,0.3 --penalty 0.01 --folds 3";
    let study = place.run(&format!("crossval study.toml curves.csv {few}")).succeeded().stdout;
    let own = "--values v* --subject id --center 0.5 --radius 0.3 --epsilon 1 --delta 1e-3";
    assert_eq!(study, place.run(&format!("crossval curves.csv {own} {few}")).succeeded().stdout);
}

/// A new study, from answers on the standard input.
fn answered(place: &Place, answers: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dpfda"));
    command.arg("new").current_dir(place.path(".")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_new_study_is_made_from_answers_from_options_or_with_blanks() {
    let place = place();
    // a wrong answer is asked for again
    let text = answered(&place, "mean\nmuch\n1\n1e-3\n0,1\nv*\nid\n");
    place.write("asked.toml", &text);
    place.run("release asked.toml curves.csv --out asked").succeeded();
    let options = "--kind mean --epsilon 1 --delta 1e-3 --bounds 0,1 --values v* --subject id";
    assert_eq!(place.run(&format!("new {options}")).succeeded().stdout, text);
    for kind in Kind::ALL {
        let blank = place.run(&format!("new --kind {}", kind.word())).succeeded().stdout;
        assert_eq!(blank, new_study(kind, &Sections::default()).unwrap());
        assert!(blank.contains("epsilon = # fill in"));
    }
    assert_eq!(place.run("new --kind mode").code, 2);
    assert!(place.run("new --kind mean --columns x").stderr.contains("--columns is not a setting of"));
}

/// A setting is one line in the table: its option, its help, its place in a new study and in the schema follow.
#[test]
fn every_setting_of_the_table_is_an_option_with_its_help_and_stands_in_new_studies_and_the_schema() {
    let mut program = Arguments::command();
    program.build();
    let schema = dpfda_study::schema().to_string();
    for setting in SETTINGS {
        for kind in setting.kinds {
            let name = format!("--{}", setting.name.replace('_', "-"));
            let new = program.find_subcommand_mut("new").unwrap().render_long_help().to_string();
            assert!(new.contains(&name), "{name}");
            let has = |option: &clap::Arg| option.get_id() == setting.name;
            let is_option = program.find_subcommand("release").unwrap().get_arguments().any(has);
            let is_of_file = OF_STUDIES.contains(&name.as_str());
            assert_eq!(is_option, !is_of_file, "{name}");
            let study = new_study(*kind, &Sections::default()).unwrap();
            assert!(study.contains(&format!("{} =", setting.name)), "{}", setting.name);
        }
        assert!(schema.contains(&format!("\"{}\":", setting.name)), "{}", setting.name);
    }
}

#[test]
fn the_study_of_the_page_is_one() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/study.md")).unwrap();
    let text = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let study = dpfda_study::Study::from_toml(text).unwrap();
    study.check(std::path::Path::new("")).unwrap();
}
