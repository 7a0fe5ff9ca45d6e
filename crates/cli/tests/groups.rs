//! `dpfda release --by` and `dpfda compare --groups`: the means of groups.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;

const BALL: &str = "--values y* --center 0.5 --radius 0.3 --epsilon 1 --delta 1e-4";
const SEED: &str = "--not-private --seed 1";

/// Curves of cases and controls, a site of its own for some rows, and two visits of each person.
fn place() -> Place {
    let place = Place::new();
    let mut csv = "id,case,visit".to_owned();
    (0..20).for_each(|j| write!(csv, ",y{j}").unwrap());
    for i in 0..600_u32 {
        let label = if i % 3 == 0 { "case" } else { "control" };
        write!(csv, "\np{},{label},{}", i / 2, 1 + i % 2).unwrap();
        for j in 0..20 {
            let t = f64::from(j) / 19.0;
            let own = f64::from(i * 7 % 101) / 1000.0 - 0.05;
            let shift = if i % 3 == 0 { 0.15 * (3.0 * t).cos() } else { 0.0 };
            write!(csv, ",{}", 0.5 + own + shift).unwrap();
        }
    }
    place.write("curves.csv", &(csv + "\n"));
    place
}

/// A person with two visits counts in one group unless more are allowed, and nobody is in a group that no cell says.
#[test]
fn the_curator_is_told_whom_private_labels_leave_out() {
    let place = place();
    let release = format!("release curves.csv {BALL} {SEED} --subject id --by visit");
    let refused = place.run(&format!("{release} --out public"));
    assert!(refused.stderr.contains("--groups-of-subject 2"), "{}", refused.stderr);
    let told = place.run(&format!("{release} --private-labels 1,2,third --out one")).succeeded();
    assert!(told.stderr.contains("more groups than they count in (300)") && told.stderr.contains("no cell says third"));
    assert!(!told.stdout.contains("300)"), "{}", told.stdout);
    let told = place.run(&format!("{release} --private-labels 1,2 --groups-of-subject 2 --out two")).succeeded();
    assert!(!told.stderr.contains("NOT FOR PUBLICATION"), "{}", told.stderr);
}

#[test]
fn groups_of_one_release_are_compared_in_the_form_that_was_promised() {
    let place = place();
    for (out, more) in [("public", ""), ("private", "--private-labels case,control")] {
        let run = place.run(&format!("release curves.csv {BALL} {SEED} --by case {more} --out {out}")).succeeded();
        assert!(run.stdout.contains("groups ") && run.stdout.contains("control"), "{}", run.stdout);
        let document = place.json(&format!("{out}/release.json"));
        assert!(document["kind"] == "groups" && document["labels"]["columns"][0] == "case");
        let csv = String::from_utf8(place.bytes(&format!("{out}/release.csv"))).unwrap();
        assert!(
            csv.starts_with("group,t,value,posterior_sd,noise_sd,lower,upper\ncase,0.0,") && csv.lines().count() == 41
        );
        assert!(place.bytes(&format!("{out}/release.png")).starts_with(b"\x89PNG"));
        let figure = String::from_utf8(place.bytes(&format!("{out}/release.svg"))).unwrap();
        assert!(
            figure.contains("case\u{a0}=\u{a0}case minus case\u{a0}=\u{a0}control") && figure.contains("NOT PRIVATE")
        );

        let compare = format!("compare {out}/release.json --groups case,control");
        let json = place.run(&format!("{compare} --json")).succeeded().stdout;
        let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
        for field in ["grid", "values", "lower", "upper"] {
            assert_eq!(answer["difference"][field].as_array().unwrap().len(), 20, "{field}");
        }
        assert!(
            answer["test"]["p_value"].as_f64().unwrap() < 0.05 && answer["test"]["null_draws"].as_u64() == Some(20_000)
        );
        assert!(answer["test"]["statistic"].as_f64().unwrap() > 0.0);
        let words = place.run(&format!("{compare} --figure {out}.svg")).succeeded().stdout;
        assert!(
            words.contains("The mean of case = case minus the mean of case = control") && words.contains("no privacy"),
            "{words}"
        );
        assert!(place.bytes(&format!("{out}.svg")).starts_with(b"<svg"));
    }
}

#[test]
fn one_radius_is_bought_for_all_groups_unless_the_stated_one_is_to_be_kept() {
    let place = place();
    for labels in ["", "--private-labels case,control", "--private-labels case,control --neighbours add-remove"] {
        let scale = |more: &str| {
            let release =
                format!("release curves.csv --values y* --center 0.5 --radius 3 --epsilon 2 --delta 1e-3 {SEED}");
            let run = place.run(&format!("{release} --by case {labels} {more} --out out --force")).succeeded();
            let document = place.json("out/release.json");
            let is_told = run.words().contains("(of at most");
            assert_eq!(is_told, document["derived"]["ball"].is_object(), "{}", run.stdout);
            (is_told, document["derived"]["groups"][1]["noise_scale"].as_f64().unwrap())
        };
        let ((is_bought, bought), (is_kept, stated)) = (scale(""), scale("--radius-share none"));
        assert!(is_bought && !is_kept && bought < 0.5 * stated, "{labels}: {bought} {stated}");
        let (is_bought, _) = scale("--center-share 0.1");
        assert!(is_bought && place.json("out/release.json")["derived"]["ball"]["center"].is_array(), "{labels}");
    }
}

#[test]
fn what_cannot_be_grouped_or_compared_is_refused_in_words_that_help() {
    let place = place();
    place.run(&format!("release curves.csv {BALL} {SEED} --by case --out made")).succeeded();
    assert_refused(&place, include_str!("refusals/groups.txt"));
}

#[test]
fn what_a_private_label_says_changes_no_exit_code_and_no_word_of_a_refusal() {
    let place = place();
    let text = String::from_utf8(place.bytes("curves.csv")).unwrap();
    place.write("other.csv", &text.replacen("p0,case,", "p0,somebody else,", 1).replacen("p0,control,", "p0,NA,", 1));
    let arguments = "--by case --private-labels case,control --neighbours add-remove";
    let [one, other] = ["curves.csv", "other.csv"].map(|file| {
        let out = file.replace(".csv", "");
        let run = place.run(&format!("release {file} {BALL} {SEED} {arguments} --out {out}")).succeeded();
        assert!(!run.stdout.contains("somebody"));
        run.stderr
    });
    // that ids repeat is told to the curator, whatever a label says
    assert_eq!(one, other);
}

#[test]
fn groups_without_anybody_are_released_and_shown_as_what_they_are() {
    let place = place();
    for (out, relation) in [("s", "substitute"), ("a", "add-remove")] {
        let release =
            format!("release curves.csv {BALL} {SEED} --by case --private-labels nobody,noone --neighbours {relation}");
        let run = place.run(&format!("{release} --out {out}")).succeeded();
        assert!(run.words().contains("nothing can be said"), "{}", run.stdout);
        // a figure of a mean that nobody knows would show the centre alone
        assert!(run.words().contains("There is neither a table nor a figure"), "{}", run.stdout);
        assert!(place.path(&format!("{out}/release.json")).exists());
        assert!(["svg", "png", "csv"].iter().all(|end| !place.path(&format!("{out}/release.{end}")).exists()));
        let refused = place.run(&format!("compare {out}/release.json --groups nobody,noone"));
        assert!(refused.code != 0 && refused.stderr.contains("nothing can be said"), "{}", refused.stderr);
    }
}

#[test]
fn a_ledger_pays_once_for_all_groups() {
    let place = place();
    place
        .run("ledger create l.ledger --dataset d --unit curve --neighbours substitute --epsilon 1 --delta 1e-4")
        .succeeded();
    let release = format!("release curves.csv {BALL} --by case --ledger l.ledger");
    let run = place.run(&format!("{release} --out r")).succeeded();
    assert!(run.stdout.contains("ledger"), "{}", run.stdout);
    place.run("ledger verify r/release.json --ledger l.ledger").succeeded();
    // the same command gives the same release back, and another release is over the total
    place.run(&format!("{release} --out again")).succeeded();
    assert_eq!(place.bytes("r/release.json"), place.bytes("again/release.json"));
    assert_ne!(place.run(&format!("{release} --release-id second --out second")).code, 0);
}

#[test]
fn a_group_is_evaluated_as_a_mean_is_and_a_name_that_is_none_is_refused() {
    let place = place();
    place.run(&format!("release curves.csv {BALL} {SEED} --by case --out out")).succeeded();
    let evaluate = "evaluate out/release.json --of case";
    let asked = format!("{evaluate} --at 0.5 --derivative 0.5 --integral all --maximum --json");
    let answer: serde_json::Value = serde_json::from_str(&place.run(&asked).succeeded().stdout).unwrap();
    // the people differ by a level alone; the mean of the cases is 0.5 + 0.15 cos(3 t)
    let between = |of: &serde_json::Value, truth: f64| {
        let [lower, upper] = ["lower", "upper"].map(|end| of[end].as_f64().unwrap());
        assert!(lower < truth && truth < upper, "{of} {truth}");
    };
    between(&answer["points"][0], 0.5 + 0.15 * 1.5_f64.cos());
    between(&answer["derivative"][0], 1.5 * (1.65_f64.cos() - 1.35_f64.cos()));
    between(&answer["integral"], 0.5 + 0.05 * 3.0_f64.sin());
    assert!(answer["maximum"]["at"]["value"].as_f64().unwrap() < 0.2);
    let narrow = place.run(&format!("{evaluate} --at 0.5 --band posterior --level 0.6 --json")).succeeded();
    let width = |text: &str| {
        let point = &serde_json::from_str::<serde_json::Value>(text).unwrap()["points"][0];
        point["upper"].as_f64().unwrap() - point["lower"].as_f64().unwrap()
    };
    let wide = place.run(&format!("{evaluate} --at 0.5 --json")).succeeded();
    assert!(width(&narrow.stdout) < width(&wide.stdout));
    let unknown = place.run("evaluate out/release.json --of cases --at 0.5");
    assert!(unknown.code == 2 && unknown.stderr.contains("case, control"), "{}", unknown.text());
}

#[test]
fn several_groups_have_one_test_and_two_still_have_a_difference() {
    let place = place();
    place
        .run(&format!("release curves.csv {BALL} {SEED} --by case --private-labels case,control,nobody --out r"))
        .succeeded();
    let words = place.run("compare r/release.json --groups all").succeeded().words();
    for part in ["compared case, control", "left out nobody", "p = ", "cost no privacy"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let json = place.run("compare r/release.json --groups case,control,nobody --json").succeeded().stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(answer["test"]["p_value"].as_f64().unwrap() < 0.01, "{answer}");
    assert_eq!(answer["left_out"], serde_json::json!(["nobody"]));
    let two = place.run("compare r/release.json --groups case,control --json").succeeded().stdout;
    assert!(two.contains("difference"), "{two}");
    place.run("compare r/release.json --groups case,control,other").refused("it has case, control, nobody");
    place.run("compare r/release.json --groups all --figure d.svg").refused("--figure: a test of three groups");
    place.run("compare r/release.json --groups all --level 0.9").refused("--level");
}

#[test]
fn groups_that_share_records_have_no_common_test() {
    let place = place();
    let shared = "--subject id --by case --private-labels case,control --groups-of-subject 2 --out r";
    place.run(&format!("release curves.csv {BALL} {SEED} {shared}")).succeeded();
    place.run("compare r/release.json --groups all").refused("may count in 2 groups");
}

#[test]
fn centiles_of_a_group_follow_from_its_second_moments_and_say_what_they_assume() {
    let place = place();
    let ball = "--values y* --center 0.5 --radius 0.2 --epsilon 20 --delta 1e-3";
    place.run(&format!("release curves.csv {ball} {SEED} --by case --out made")).succeeded();
    let run = place.run("evaluate made/release.json --of control --centiles 25,50,75").succeeded();
    assert!(run.stdout.starts_with("t,p25,p25_lower,p25_upper,p50,"), "{}", run.stdout);
    assert!(run.stderr.contains("which is not checked"), "{}", run.stderr);
}
