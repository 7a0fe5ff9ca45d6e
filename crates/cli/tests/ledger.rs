//! `dpfda ledger` and `--ledger`: the budget of a data set, from the command line.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Place, Run, SMALL};
use crate::refusals::assert_refused;

const RELEASE: &str = "release small.csv --values v* --center 0.5 --radius 0.25 --radius-share none --epsilon 0.6 --delta 4e-6 --ledger l";

fn place(terms: &str) -> Place {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let create = format!("ledger create l {terms} --dataset growth");
    place.run(&create).succeeded();
    place
}

fn curves() -> Place {
    place("--epsilon 1 --delta 1e-5 --unit curve --neighbours substitute")
}

fn shown(place: &Place) -> serde_json::Value {
    serde_json::from_str(&place.run("ledger show l --json").succeeded().stdout).unwrap()
}

fn release(place: &Place, more: &str) -> Run {
    place.run(&format!("{RELEASE} {more}"))
}

#[test]
fn two_releases_fit_and_the_refusal_of_the_third_says_what_would() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    release(&place, "--release-id two --out two").succeeded();
    let refused = release(&place, "--release-id three --out three");
    assert_eq!(refused.code, 2);
    assert_eq!(place.names(), ["l", "one", "small.csv", "two"]);
    for part in
        ["asks for (epsilon, delta) = (0.6, 4e-6)", "of the total (epsilon, delta) = (1, 1e-5)", "for any kind, "]
    {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    let fits = refused.stderr.split("with epsilon ").nth(1).unwrap().split(';').next().unwrap();
    let third = format!(
        "release small.csv --values v* --center 0.5 --radius 0.25 --radius-share none --epsilon {fits} --delta 4e-6 --ledger l --out three"
    );
    place.run(&third).succeeded();
    assert_eq!(shown(&place)["releases"].as_array().unwrap().len(), 3);
}

#[test]
fn a_repeated_command_gives_the_stored_release_back_and_spends_nothing() {
    let place = curves();
    release(&place, "--out one").succeeded();
    let spent = shown(&place);
    // into the same directory, where it is already, and into another
    for out in ["one", "two"] {
        let text = release(&place, &format!("--out {out}")).succeeded().words();
        assert!(text.contains("Nothing was drawn and nothing was spent"), "{text}");
    }
    for name in ["release.json", "release.csv", "release.svg", "release.png"] {
        assert_eq!(place.bytes(&format!("one/{name}")), place.bytes(&format!("two/{name}")), "{name}");
    }
    assert_eq!(shown(&place), spent);
    // a directory that holds something else is not touched
    fs::write(place.path("two/release.csv"), "mine").unwrap();
    assert_eq!(release(&place, "--out two").code, 2);
    assert_eq!(place.bytes("two/release.csv"), b"mine");
    release(&place, "--out two --force").succeeded();
    assert_eq!(place.bytes("one/release.csv"), place.bytes("two/release.csv"));
}

#[test]
fn the_head_stands_in_the_release_and_in_the_ledger() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    let reference = &place.json("one/release.json")["ledger"];
    let export: serde_json::Value = serde_json::from_str(&place.run("ledger export l").succeeded().stdout).unwrap();
    let entry = usize::try_from(reference["entry"].as_u64().unwrap()).unwrap();
    assert_eq!(reference["head"], export["entries"][entry]["hash"]);
    assert_eq!((&reference["dataset"], &reference["id"]), (&"growth".into(), &"one".into()));
    // and whoever compares the two need not export anything
    assert_eq!(reference["head"], shown(&place)["releases"][0]["hash"]);
    assert!(place.run("ledger show l").succeeded().stdout.contains(reference["head"].as_str().unwrap()));
    // smoothing it again keeps where it was paid
    place.run("smooth one/release.json --penalty 0.1 --out smoother").succeeded();
    assert_eq!(&place.json("smoother/release.json")["ledger"], reference);
}

#[test]
fn a_ledger_that_would_be_replaced_by_the_release_is_refused() {
    let place = curves();
    fs::create_dir(place.path("out")).unwrap();
    fs::rename(place.path("l"), place.path("out/release.csv")).unwrap();
    let refused =
        place.run(&format!("{} --out out --force", RELEASE.replace("--ledger l", "--ledger out/release.csv")));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("lies in that directory"), "{}", refused.stderr);
    place.run("ledger show out/release.csv").succeeded();
}

#[test]
fn what_is_left_is_told_for_each_kind_where_no_kind_could_use_all() {
    let place = place("--epsilon 1 --delta 1e-5 --unit curve --neighbours substitute");
    place
        .run(
            &RELEASE
                .replace("0.6 --delta 4e-6", "1 --delta 1e-5")
                .replace("--ledger", "--moments none --out one --ledger"),
        )
        .succeeded();
    let shown = place.run("ledger show l").succeeded().words();
    assert!(shown.contains("left with Gaussian noise and delta = 1e-6"), "{shown}");
    assert!(!shown.contains("nothing"), "{shown}");
}

#[test]
fn processes_with_one_id_and_one_directory_agree() {
    let place = curves();
    let start = |_: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dpfda"));
        command.args(RELEASE.split(' ')).args(["--release-id", "one", "--out", "out"]).current_dir(place.path("."));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let processes: Vec<_> = (0..8).map(start).collect();
    for mut process in processes {
        assert_eq!(process.wait().unwrap().code(), Some(0));
    }
    assert_eq!(shown(&place)["releases"].as_array().unwrap().len(), 1);
    assert_eq!(place.names(), ["l", "out", "small.csv"]);
}

#[test]
fn other_settings_need_another_id() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    let wider = RELEASE.replace("--radius 0.25", "--radius 0.3");
    let other = place.run(&format!("{wider} --release-id one --out two"));
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("give another id"), "{}", other.stderr);
    assert!(!place.path("two").exists());
    // without an id, other settings are another release
    place.run(&format!("{wider} --out two")).succeeded();
    assert_eq!(shown(&place)["releases"].as_array().unwrap().len(), 2);
    let ids = ["one", "two"].map(|out| place.json(&format!("{out}/release.json"))["ledger"]["id"].clone());
    assert!(ids[0] == "one" && ids[1].as_str().unwrap().starts_with("mean-"), "{ids:?}");
}

#[test]
fn another_smoother_of_the_same_release_spends_nothing() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    let spent = shown(&place);
    for (smoother, out) in [("--kernel gaussian", "two"), ("--select sure", "three")] {
        let words = release(&place, &format!("--release-id one {smoother} --out {out}")).succeeded().words();
        assert!(words.contains("nothing was spent"), "{words}");
        let (first, again) = (place.json("one/release.json"), place.json(&format!("{out}/release.json")));
        for same in ["privacy", "statistic", "noise", "lattice", "ledger"] {
            assert_eq!(first[same], again[same], "{same}");
        }
        assert_ne!(first["derived"]["smoother"], again["derived"]["smoother"]);
    }
    assert!(place.path("three/selection.csv").exists());
    assert_eq!(shown(&place), spent);
}

#[test]
fn other_data_under_the_same_id_are_refused_for_nothing() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    let spent = shown(&place);
    // the name of the file does not matter, its data do
    place.write("copy.csv", SMALL);
    place.run(&format!("{} --release-id one --out two", RELEASE.replace("small.csv", "copy.csv"))).succeeded();
    assert_eq!(place.bytes("one/release.json"), place.bytes("two/release.json"));
    place.write("small.csv", &SMALL.replacen("0.", "0.9", 1));
    let other = release(&place, "--release-id one --out three");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("made from other data: one"), "{}", other.stderr);
    assert!(!place.path("three").exists());
    assert_eq!(shown(&place), spent);
}

#[test]
fn a_density_is_given_back_with_the_same_synthetic_points() {
    let place = curves();
    place.write("points.csv", &("x\n".to_owned() + &"0.3\n".repeat(40)));
    for (mechanism, draws) in [("perturbed", 9), ("smoothed", 3), ("exponential", 3), ("series", 9)] {
        let density = format!(
            "release points.csv --columns x --bounds 0,1 --epsilon 0.1 --ledger l --mechanism {mechanism} --cells 4 --draws {draws}"
        );
        place.run(&format!("{density} --out {mechanism}-1")).succeeded();
        let spent = shown(&place);
        let words = place.run(&format!("{density} --out {mechanism}-2")).succeeded().words();
        assert!(words.contains("Nothing was drawn and nothing was spent"), "{words}");
        assert_eq!(shown(&place), spent);
        for name in ["release.json", "release.csv", "release.svg", "release.png", "synthetic.csv"] {
            let [one, two] = [1, 2].map(|run| place.bytes(&format!("{mechanism}-{run}/{name}")));
            assert_eq!(one, two, "{mechanism} {name}");
        }
    }
}

#[test]
fn another_unit_or_relation_is_refused_for_nothing() {
    let place = curves();
    for (more, part) in [("--subject id", "each subject"), ("--neighbours add-remove", "by add-remove")] {
        let refused = release(&place, &format!("{more} --out one"));
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    assert_eq!(shown(&place)["releases"].as_array().unwrap().len(), 0);
    assert_eq!(place.names(), ["l", "small.csv"]);
}

#[test]
fn densities_are_paid_for_too_and_three_tenths_are_three_times_a_tenth() {
    let place = place("--epsilon 0.3 --delta 0 --unit subject --neighbours substitute");
    place.write("points.csv", &("x\n".to_owned() + &"0.3\n".repeat(40)));
    let density = "release points.csv --columns x --bounds 0,1 --epsilon 0.1 --ledger l --unit subject";
    for mechanism in ["perturbed", "exponential", "series"] {
        place.run(&format!("{density} --mechanism {mechanism} --cells 4 --out {mechanism}")).succeeded();
        assert_eq!(place.json(&format!("{mechanism}/release.json"))["ledger"]["dataset"], "growth");
    }
    let fourth = place.run(&format!("{density} --mechanism smoothed --cells 4 --draws 1 --out fourth"));
    assert_eq!(fourth.code, 2);
    assert!(fourth.stderr.contains("there is left no room"), "{}", fourth.stderr);
    let curve = place.run("release points.csv --columns x --bounds 0,1 --epsilon 0.1 --ledger l --out curve");
    assert!(curve.stderr.contains("each curve"), "{}", curve.stderr);
}

#[test]
fn what_is_refused_for_the_data_is_not_paid_for() {
    let place = curves();
    place.write("small.csv", "id,v1,v2,v3\na,0.1,0.2,0.3\n");
    assert_eq!(release(&place, "--out one").code, 2, "one record");
    place.write("points.csv", "x\n");
    let empty = "release points.csv --columns x --bounds 0,1 --epsilon 0.1 --ledger l --mechanism";
    for mechanism in ["perturbed", "smoothed", "exponential", "series"] {
        assert_eq!(place.run(&format!("{empty} {mechanism} --cells 4 --out one")).code, 2, "{mechanism}");
    }
    assert_eq!(shown(&place)["releases"].as_array().unwrap().len(), 0);
}

#[test]
fn bad_ledgers_and_bad_arguments_are_told_in_words() {
    let place = curves();
    assert_refused(&place, include_str!("refusals/ledger.txt"));
}

#[test]
fn sixteen_processes_spend_exactly_the_total_and_lose_nothing() {
    let place = place("--epsilon 1 --delta 0 --unit curve --neighbours substitute");
    place.write("points.csv", &("x\n".to_owned() + &"0.3\n".repeat(40)));
    let start = |process: usize| {
        let (id, out) = (format!("p{process}"), format!("out{process}"));
        Command::new(env!("CARGO_BIN_EXE_dpfda"))
            .args(["release", "points.csv", "--columns", "x", "--bounds", "0,1", "--epsilon", "0.1", "--cells", "4"])
            .args(["--ledger", "l", "--release-id", &id, "--out", &out])
            .current_dir(place.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let processes: Vec<_> = (0..16).map(start).collect();
    let codes: Vec<_> = processes.into_iter().map(|mut process| process.wait().unwrap().code().unwrap()).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 10, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 2).count(), 6, "{codes:?}");
    let shown = shown(&place);
    assert_eq!(shown["releases"].as_array().unwrap().len(), 10);
    assert_eq!(shown["left"]["any"], serde_json::Value::Null);
    for (process, code) in codes.iter().enumerate() {
        assert_eq!(place.path(&format!("out{process}")).exists(), *code == 0);
    }
}

#[test]
fn a_release_is_verified_against_its_ledger_and_its_export_and_an_edited_one_is_not() {
    let place = curves();
    release(&place, "--release-id one --out one").succeeded();
    place.write("export.json", &place.run("ledger export l").succeeded().stdout);
    for source in ["--ledger l", "--export export.json"] {
        let words = place.run(&format!("ledger verify one/release.json {source}")).succeeded().words();
        assert!(words.starts_with("VERIFIED: entry 1 of the ledger of growth paid for the release one"), "{words}");
    }
    let whole = fs::read_to_string(place.path("one/release.json")).unwrap();
    let head = place.json("one/release.json")["ledger"]["head"].as_str().unwrap().to_owned();
    // a budget that contradicts the noise is not even a release
    place.write("edited.json", &whole.replacen("\"epsilon\": 0.6", "\"epsilon\": 0.5", 1));
    let refused = place.run("ledger verify edited.json --ledger l");
    assert!(refused.code == 2 && refused.stderr.contains("contradicts the rest"), "{}", refused.stderr);
    // a whole release of another budget that says that the same entry paid for it
    place.run(&format!("{} --out other", RELEASE.replace("0.6", "0.5").replace(" --ledger l", ""))).succeeded();
    let other = fs::read_to_string(place.path("other/release.json")).unwrap();
    let reference = format!("\"labels\": {{}}, \"ledger\": {}", place.json("one/release.json")["ledger"]);
    assert!(other.contains("\"labels\": {}"));
    place.write("edited.json", &other.replacen("\"labels\": {}", &reference, 1));
    let refused = place.run("ledger verify edited.json --ledger l");
    assert!(refused.code == 1 && refused.stderr.contains("NOT VERIFIED"), "{}", refused.stderr);
    assert!(refused.stderr.contains("epsilon or delta"), "{}", refused.stderr);
    for (old, new, part) in [
        ("\"unit\": \"curve\"", "\"unit\": \"subject\"", "unit of privacy"),
        ("\"id\": \"one\"", "\"id\": \"two\"", "did not pay"),
        ("\"dataset\": \"growth\"", "\"dataset\": \"other\"", "another data set"),
        (head.as_str(), &head.chars().rev().collect::<String>(), "another hash"),
    ] {
        assert!(whole.contains(old), "{old}");
        place.write("edited.json", &whole.replacen(old, new, 1));
        let refused = place.run("ledger verify edited.json --ledger l");
        assert_eq!(refused.code, 1, "{old}");
        assert!(refused.stderr.contains("NOT VERIFIED") && refused.stderr.contains(part), "{}", refused.stderr);
    }
    // an export that was edited, a release without a ledger, and no ledger at all
    place.write("export.json", &fs::read_to_string(place.path("export.json")).unwrap().replacen("0.6", "0.5", 1));
    let edited = place.run("ledger verify one/release.json --export export.json");
    assert!(edited.code == 2 && edited.stderr.contains("it was edited"), "{}", edited.stderr);
    place.release("small.csv", "--values v* --out free").succeeded();
    let free = place.run("ledger verify free/release.json --ledger l");
    assert!(free.code == 2 && free.stderr.contains("without one"), "{}", free.stderr);
    assert_eq!(place.run("ledger verify one/release.json").code, 2);
    // the other command asks for a signature or a study, and says which one is for a ledger alone
    let alone = place.run("verify one/release.json --ledger l");
    for said in ["--key was not given, and no --study", "--study STUDY.toml", "`dpfda ledger verify`"] {
        assert!(alone.code == 2 && alone.stderr.contains(said), "{}", alone.stderr);
    }
    // the private table, given by mistake, is not quoted
    let table = place.run("ledger verify small.csv --ledger l");
    assert!(table.code == 2 && !table.text().contains("0.41"), "{}", table.text());
}

#[test]
fn the_same_settings_for_another_group_are_another_release() {
    let place = place("--epsilon 1 --delta 1e-5 --unit curve --neighbours substitute --groups women,men");
    let bytes = |group: &str, out: &str| {
        release(&place, &format!("--part-of {group} --out {out}")).succeeded();
        place.bytes(&format!("{out}/release.json"))
    };
    let (women, men) = (bytes("women", "a"), bytes("men", "b"));
    assert!(women != men && bytes("women", "c") == women);
}

#[test]
fn disjoint_groups_cost_their_maximum() {
    let place = place("--epsilon 1 --delta 1e-5 --unit curve --neighbours substitute --groups women,men");
    release(&place, "--part-of women --release-id a --out a").succeeded();
    release(&place, "--part-of women --release-id b --out b").succeeded();
    release(&place, "--part-of men --release-id c --out c").succeeded();
    for more in ["--part-of women --out d", "--out d"] {
        let refused = release(&place, &format!("{more} --release-id d"));
        assert!(refused.code == 2 && refused.stderr.contains("asks for"), "{more}: {}", refused.stderr);
    }
    let unknown = release(&place, "--part-of children --out d");
    assert!(unknown.code == 2 && unknown.stderr.contains("no group children"), "{}", unknown.stderr);
    let words = place.run("ledger show l").succeeded().words();
    for part in ["within its group", "group men: spent", "group women: spent", "of women alone"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let shown = shown(&place);
    assert_eq!(shown["groups"][0]["group"], "men");
    assert!(shown["groups"][0]["spent"]["epsilon"].as_f64() < shown["spent"]["epsilon"].as_f64());
    for groups in ["women", "women,women", "a/b,c"] {
        let create = "ledger create m --epsilon 1 --delta 0 --unit curve --neighbours substitute --dataset a";
        assert_eq!(place.run(&format!("{create} --groups {groups}")).code, 2, "{groups}");
    }
}
