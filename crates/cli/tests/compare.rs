//! `dpfda compare`: the means of two groups, from two releases.

use crate::common::{Place, dti_like};

/// Two releases of the same people: their means are equal, and their noise is independent.
fn two() -> Place {
    let place = Place::new();
    for (seed, out) in [("1", "a"), ("2", "b")] {
        let arguments =
            format!("--values cca_* --subject ID --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-2 --out {out}");
        let file = dti_like();
        let mut all = vec!["release", file.as_str(), "--not-private", "--seed", seed];
        all.extend(arguments.split(' '));
        place.run_with(&all).succeeded();
    }
    place
}

#[test]
fn a_difference_is_told_in_words_in_json_and_in_a_figure() {
    let place = two();
    let words = place.run("compare a/release.json b/release.json --names women,men --figure d.svg").succeeded().words();
    for part in
        ["The mean of women minus the mean of men", "the band holds 0 everywhere", "p = ", "cost no privacy", "d.svg"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert!(words.contains("NOT PRIVATE"), "a seed is told");
    // both files have one name: their paths tell them apart
    for side in ["first women (a/release.json): ", "second men (b/release.json): "] {
        assert!(words.contains(side), "{side}: {words}");
    }
    let svg = String::from_utf8(place.bytes("d.svg")).unwrap();
    assert!(svg.contains("women minus men") && svg.contains("NOT PRIVATE"));
    let json = place.run("compare a/release.json b/release.json --json").succeeded().stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let numbers = |key: &str| -> Vec<f64> {
        answer["difference"][key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let (a, b) = (place.json("a/release.json"), place.json("b/release.json"));
    for (index, value) in numbers("values").into_iter().enumerate() {
        let of = |release: &serde_json::Value| release["estimate"]["values"][index].as_f64().unwrap();
        assert!((value - (of(&a) - of(&b))).abs() < 1e-12);
        assert!(numbers("lower")[index] < value && value < numbers("upper")[index]);
    }
    let p = answer["test"]["p_value"].as_f64().unwrap();
    assert!(p > 0.001 && p <= 1.0 && answer["test"]["null_draws"] == 20_000);
    assert!(answer.get("without_test").is_none() && answer.get("maximum").is_none());
}

#[test]
fn a_wrong_question_is_refused_with_its_cure() {
    let place = two();
    let shaped = "--center 0.5 --radius 0.25 --epsilon 1 --delta 1e-2 --slope 2 --not-private --seed 3 --out c";
    let mut all = vec!["release".to_owned(), dti_like(), "--values".to_owned(), "cca_*".to_owned()];
    all.extend(shaped.split(' ').map(str::to_owned));
    place.run_with(&all.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
    for (arguments, said) in [
        ("compare a/release.json a/release.json", "B.json: both releases are the same one"),
        ("compare a/release.json b/release.json --names one", "two different names"),
        ("compare a/release.json b/release.json --names x,x", "two different names"),
        ("compare a/release.json b/release.json --level 1", "--level"),
        ("compare a/release.json b/release.json --figure d.gif", ".svg, .pdf or .png"),
        ("compare a/release.json b/release.json --figure a/release.svg", "exists"),
        ("compare a/release.json b/release.json --title men", "--figure"),
        ("compare a/release.json no.json", "no.json"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments}");
        assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
        assert_eq!(place.names(), ["a", "b", "c"]);
    }
    // noise of another shape has a test too
    let words = place.run("compare a/release.json c/release.json").succeeded().words();
    assert!(words.contains("for equal means"), "{words}");
}

/// The means are equal, and every number of their difference is 0.
#[test]
fn a_difference_has_slopes_an_area_a_maximum_and_a_minimum() {
    let place = two();
    let asked =
        "compare a/release.json b/release.json --derivative all --window 0.25 --integral all --maximum --minimum";
    let json = place.run(&format!("{asked} --json")).succeeded().stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((answer["window"].as_f64(), answer["target"].as_str()), (Some(0.25), Some("the population mean")));
    let slopes = answer["derivative"].as_array().unwrap();
    assert_eq!(slopes.len(), answer["difference"]["grid"].as_array().unwrap().len());
    let number = |of: &serde_json::Value, key: &str| of[key].as_f64().unwrap();
    for of in slopes.iter().chain([&answer["integral"], &answer["maximum"]["value"], &answer["minimum"]["value"]]) {
        assert!(number(of, "lower") <= 0.0 && 0.0 <= number(of, "upper"), "{of}");
    }
    let words = place.run(asked).succeeded().words();
    for said in
        ["slope at 0, from 0 to 0.25", "integral from 0 to 1", "maximum at", "smallest", "a window of length 0.25"]
    {
        assert!(words.contains(said), "{said}: {words}");
    }
    let refused = place.run("compare a/release.json b/release.json --derivative 0.5 --window 2");
    assert!(refused.code == 2 && refused.stderr.contains("--window"), "{}", refused.stderr);
}

/// Without a test, the answer says why in plain words; a band that holds 0 beside a test that rejects is no contradiction.
#[test]
fn a_band_and_a_test_that_differ_are_reconciled_and_a_missing_test_has_its_reason() {
    let place = Place::new();
    let table = |shift: f64| {
        let value =
            |i: usize, k: usize| 0.5 + shift + 0.02 * ((i * 7 + k) as f64).sin() + 0.05 * ((i % 11) as f64 - 5.0) / 5.0;
        let row = |i: usize| (0..20).map(|k| format!("{:.4}", value(i, k))).collect::<Vec<_>>().join(",");
        let head = (0..20).map(|k| format!("v{k}")).collect::<Vec<_>>().join(",");
        format!("{head}\n{}\n", (0..400).map(row).collect::<Vec<_>>().join("\n"))
    };
    let mut seen = 0;
    for (seed, shift) in [0.020, 0.024, 0.028, 0.032, 0.036, 0.040].into_iter().enumerate() {
        place.write(&format!("a{seed}.csv"), &table(shift));
        place.write(&format!("b{seed}.csv"), &table(0.0));
        for side in ["a", "b"] {
            let run = format!(
                "release {side}{seed}.csv --values v* --center 0.5 --radius 0.2 --radius-share none --epsilon 1 --delta 1e-3"
            );
            place.run(&format!("{run} --not-private --seed {seed} --out {side}{seed}")).succeeded();
        }
        let words = place.run(&format!("compare a{seed}/release.json b{seed}/release.json")).succeeded().words();
        let holds = words.contains("holds 0 everywhere");
        let rejects = words.contains("would be rare");
        seen += i32::from(words.contains("do not contradict each other"));
        assert_eq!(words.contains("do not contradict each other"), holds == rejects, "{words}");
    }
    assert!(seen > 0, "no band held 0 beside a test that rejects");
    let pure = "--values v* --center 0.5 --radius 0.2 --epsilon 1 --delta 0 --not-private --seed 1 --out pure";
    place.run(&format!("release a0.csv {pure}")).succeeded();
    let words = place.run("compare a0/release.json pure/release.json").succeeded().words();
    assert!(words.contains("test none: a release with delta = 0 holds a few coordinates"), "{words}");
    let json = place.run("compare a0/release.json pure/release.json --json").succeeded().stdout;
    assert!(json.contains("\"without_test\": \"a release with delta = 0"), "{json}");
}

#[test]
fn releases_in_other_units_have_a_note() {
    let place = Place::new();
    let file = dti_like();
    for (units, out) in [("mg/dL", "a"), ("mmol/L", "b"), ("mg/dL", "c")] {
        let more = format!("--values cca_* --subject ID --y-label glucose --units {units} --out {out}");
        place.release(&file, &more).succeeded();
    }
    let words = |names: &str| place.run(&format!("compare {names}")).succeeded().words();
    let other = words("a b");
    assert!(other.contains("the first release has `mg/dL` and the second `mmol/L`"), "{other}");
    let same = words("a c");
    assert!(same.contains("values glucose (mg/dL)") && !same.contains("By their labels"), "{same}");
    let note = |names: &str| -> serde_json::Value {
        let answer = place.run(&format!("compare {names} --json")).succeeded().stdout;
        serde_json::from_str::<serde_json::Value>(&answer).unwrap()["note"].clone()
    };
    assert!(note("a b").as_str().unwrap().contains("`mmol/L`"));
    assert!(note("a c").is_null());
}
