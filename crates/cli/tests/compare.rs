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
    for side in ["women a/release.json: ", "men b/release.json: "] {
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
    // noise of another shape leaves a difference without a test
    let words = place.run("compare a/release.json c/release.json").succeeded().words();
    assert!(words.contains("test none: it needs white noise on both means"), "{words}");
}
