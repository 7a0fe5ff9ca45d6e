//! `dpfda release --on`, and `dpfda evaluate` at covariates: coefficient functions of curves on covariates.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;

const BALL: &str = "--values y* --center 0.5 --radius 0.3 --epsilon 2 --delta 1e-4";
const ON: &str = "--on status,visit --covariate-bounds status=control|case,visit=1:4";
const SEED: &str = "--not-private --seed 1";

/// Curves of cases and controls at four visits.
fn place() -> Place {
    let place = Place::new();
    let mut csv = "id,status,visit".to_owned();
    (0..20).for_each(|j| write!(csv, ",y{j}").unwrap());
    for i in 0..2000_u32 {
        let (status, visit) = (if i % 3 == 0 { "case" } else { "control" }, 1 + i % 4);
        write!(csv, "\np{i},{status},{visit}").unwrap();
        for j in 0..20 {
            let t = f64::from(j) / 19.0;
            let own = f64::from(i * 7 % 101) / 1000.0 - 0.05;
            let shift = if i % 3 == 0 { 0.15 * (3.0 * t).cos() } else { 0.0 };
            write!(csv, ",{}", 0.4 + own + shift + 0.02 * t * f64::from(visit)).unwrap();
        }
    }
    place.write("curves.csv", &(csv + "\n"));
    place
}

#[test]
fn coefficients_come_in_the_form_that_was_promised_and_predictions_are_free() {
    let place = place();
    for (out, more) in [("private", ""), ("public", "--public-design"), ("add", "--neighbours add-remove")] {
        let run = place.run(&format!("release curves.csv {BALL} {ON} {SEED} {more} --out {out}")).succeeded();
        assert!(run.stdout.contains("covariates") && run.stdout.contains("status (control, case"), "{}", run.stdout);
        assert_eq!(place.json(&format!("{out}/release.json"))["kind"], "regression");
        let csv = String::from_utf8(place.bytes(&format!("{out}/release.csv"))).unwrap();
        assert!(csv.starts_with("coefficient,t,value,posterior_sd,noise_sd,lower,upper\nintercept,0.0,"), "{csv}");
        assert_eq!(csv.lines().count(), 61);
        assert!(place.bytes(&format!("{out}/release.png")).starts_with(b"\x89PNG"));
        let figure = String::from_utf8(place.bytes(&format!("{out}/release.svg"))).unwrap();
        assert!(figure.contains("status: case against control") && figure.contains("NOT PRIVATE"));

        let mean = "--values y* --subject id --center 0.4 --radius 0.5 --epsilon 1 --delta 1e-4";
        let replaced = place.run(&format!("release curves.csv {mean} {SEED} --force --out {out}"));
        assert!(replaced.code == 2 && replaced.stderr.contains("--out"), "{}", replaced.text());

        let predict = format!("evaluate {out} --at visit=2,status=case");
        let json = place.run(&format!("{predict} --json")).succeeded().stdout;
        let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
        let points = answer["points"].as_array().unwrap();
        assert_eq!(points.len(), 20);
        for point in points {
            let [value, t] = ["value", "t"].map(|field| point[field].as_f64().unwrap());
            assert!((value - (0.4 + 0.15 * (3.0 * t).cos() + 0.04 * t)).abs() < 0.08, "{out} at {t}: {value}");
        }
        let csv = place.run(&predict).succeeded().stdout;
        assert!(
            csv.starts_with("t,value,posterior_sd,noise_sd,lower,upper\n0.0,") && csv.lines().count() == 21,
            "{csv}"
        );
    }
    // each is a difference already
    let refused = place.run("compare private/release.json public/release.json");
    assert!(refused.code == 2 && refused.stderr.contains("dpfda evaluate --of"), "{}", refused.text());
    let run = place.run(&format!("release curves.csv {BALL} {ON} {SEED} --json --out json")).succeeded();
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let names: Vec<&str> =
        answer["coefficients"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["intercept", "status=case", "visit"]);
    for field in ["values", "lower", "upper"] {
        assert_eq!(answer["coefficients"][2][field].as_array().unwrap().len(), 20, "{field}");
    }
}

#[test]
fn a_design_that_the_noise_hides_is_released_without_coefficients_and_says_what_would_do() {
    let place = place();
    let few: String =
        String::from_utf8(place.bytes("curves.csv")).unwrap().lines().take(61).collect::<Vec<_>>().join("\n");
    place.write("few.csv", &few);
    let run = place.run(&format!("release few.csv {BALL} {ON} {SEED} --out few")).succeeded();
    assert!(
        run.stdout.contains("No coefficients: the design is too weak") && run.stdout.contains("records"),
        "{}",
        run.stdout
    );
    assert!(place.bytes("few/release.json").starts_with(b"{"));
    for asked in ["", "--maximum", "--band posterior"] {
        let run = place.run(&format!("evaluate few --at status=case,visit=1 {asked}"));
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.starts_with("error: RELEASE.json: the design is too weak"), "{}", run.stderr);
        assert!(!run.stderr.contains("--band"), "{}", run.stderr);
    }
}

#[test]
fn what_cannot_be_regressed_is_refused_in_words_that_help() {
    let place = place();
    place.run(&format!("release curves.csv {BALL} {ON} {SEED} --out made")).succeeded();
    assert_refused(&place, include_str!("refusals/regress.txt"));
}

#[test]
fn a_coefficient_is_evaluated_as_a_mean_is_and_a_mean_has_no_names() {
    let place = place();
    place.run(&format!("release curves.csv {BALL} {ON} {SEED} --out out")).succeeded();
    let json = place.run("evaluate out/release.json --of status=case --integral all --json").succeeded().stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let [lower, upper] = ["lower", "upper"].map(|end| answer["integral"][end].as_f64().unwrap());
    // of 0.15 cos(3 t)
    assert!((lower..=upper).contains(&(0.05 * 3.0_f64.sin())), "{lower} {upper}");
    // the mean at covariates has features, too: of 0.4 + 0.15 cos(3 t) + 0.04 t
    let json = place.run("evaluate out --at status=case,visit=2 --integral all --level 0.9 --json").succeeded().stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let [lower, upper] = ["lower", "upper"].map(|end| answer["integral"][end].as_f64().unwrap());
    assert!((lower..=upper).contains(&(0.42 + 0.05 * 3.0_f64.sin())), "{lower} {upper}");
    assert_eq!((answer["level"].as_f64(), answer["points"].as_array().unwrap().len()), (Some(0.9), 20));
    let words = place.run("evaluate out --at status=case,visit=2 --maximum").succeeded().stdout;
    assert!(words.contains("largest") && !words.contains("t,value"), "{words}");

    place.run(&format!("release curves.csv {BALL} {SEED} --out mean")).succeeded();
    let refused = place.run("evaluate mean/release.json --of status=case --at 0.5");
    assert!(refused.code == 2 && refused.stderr.contains("--of"), "{}", refused.text());
}

#[test]
fn a_radius_is_bought_by_default_where_there_are_enough_records_and_kept_where_it_is_asked_for() {
    let place = place();
    let wide = BALL.replace("--radius 0.3", "--radius 3");
    let of = |more: &str, out: &str| {
        let run = place.run(&format!("release curves.csv {wide} {ON} {SEED} {more} --out {out}")).succeeded();
        (run.words(), place.json(&format!("{out}/release.json")))
    };
    let (words, bought) = of("", "bought");
    assert!(words.contains("(of at most 6) found with 2% of the budget") && words.contains("radius "), "{words}");
    let radius = bought["derived"]["ball"]["radius"].as_f64().unwrap();
    assert!(radius < 0.5 && bought["statistic"]["mean"]["ball"]["radius"] == 6.0, "{radius}");
    let (words, stated) = of("--radius-share none", "stated");
    assert!(!words.contains("found with") && stated["derived"].get("ball").is_none(), "{words}");
    assert!(stated["derived"]["cross_sd"].as_f64() > bought["derived"]["cross_sd"].as_f64().map(|sd| 5.0 * sd));
    place.run("evaluate bought --at status=case,visit=2").succeeded();
    let (words, centered) = of("--center-share 0.1", "centred");
    assert!(words.contains("centre found with 10% of the budget"), "{words}");
    assert!(centered["derived"]["ball"]["center"].is_array() && centered["lattice"]["center"].is_object());

    let few: String =
        String::from_utf8(place.bytes("curves.csv")).unwrap().lines().take(31).collect::<Vec<_>>().join("\n");
    place.write("few.csv", &few);
    let run = place.run(&format!("release few.csv {BALL} {ON} {SEED} --out few")).succeeded();
    assert!(run.stdout.contains("nothing: by default, a radius is found from"), "{}", run.stdout);
    for (more, value, file) in [
        ("--radius-share", 0.7, "curves.csv"),
        ("--radius-share", 0.05, "few.csv"),
        ("--center-share", 0.7, "curves.csv"),
    ] {
        let run = place.run(&format!("release {file} {BALL} {ON} {SEED} {more} {value} --out refused"));
        assert!(run.code == 2 && run.stderr.contains(more), "{more} {value}: {}", run.text());
        assert!(!place.path("refused").exists());
    }
}

#[test]
fn curves_and_an_outcome_of_people_are_released_evaluated_foretold_and_reported() {
    let place = place();
    let outcome = "--outcome status=control|case";
    for (out, more) in
        [("alone", ""), ("given", "--on visit --covariate-bounds visit=1:4"), ("add", "--neighbours add-remove")]
    {
        let more = format!("{more} --units mg/dL {SEED}");
        let run = place.run(&format!("release curves.csv {BALL} {outcome} {more} --out {out}")).succeeded();
        let words = run.words();
        assert!(
            words.contains("correlation of curves with status") && words.contains("band for the correlation"),
            "{words}"
        );
        assert_eq!(words.contains("correlation of curves with status given visit"), out == "given", "{words}");
        assert_eq!(words.contains("(control, case; reference control), given visit"), out == "given", "{words}");
        let document = place.json(&format!("{out}/release.json"));
        assert_eq!(
            (&document["statistic"]["outcome"], &document["statistic"]["energy"]),
            (&"status".into(), &true.into())
        );
        let csv = String::from_utf8(place.bytes(&format!("{out}/release.csv"))).unwrap();
        assert!(csv.starts_with("t,correlation,posterior_sd,noise_sd,lower,upper,slope\n0.0,"), "{csv}");
        let figure = String::from_utf8(place.bytes(&format!("{out}/release.svg"))).unwrap();
        assert!(figure.contains("Correlation of curves with status") && figure.contains("slope function"));
        assert!(figure.contains("slope (status per mg/dL)"), "{figure}");
        let told = place.run(&format!("evaluate {out} --outcome status --json")).succeeded().stdout;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let correlation = |point: usize| told["curves"][point]["correlation"].as_f64().unwrap();
        // 0.15 cos(3 t) of cases, and people beside it alike
        assert!(correlation(0) > 0.6 && correlation(19) < -0.6, "{told}");
        let [of_new, least] = ["r_squared", "r_squared_at_least"].map(|name| told[name].as_f64().unwrap());
        assert!((0.5..1.0).contains(&of_new) && (0.2..of_new).contains(&least), "{told}");
        assert!(figure.contains("R² at least 0.") && words.contains("curves explain at least"), "{words}");
        place.run(&format!("report {out}/release.json --out {out}.html")).succeeded();
        let page = String::from_utf8(place.bytes(&format!("{out}.html"))).unwrap();
        assert!(page.contains("released a private correlation of curves with an outcome"), "{page}");
        assert_eq!(page.contains("with status given visit"), out == "given");
    }
    let run = place.run(&format!("release curves.csv {BALL} {outcome} {SEED} --json --out json")).succeeded();
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&answer["outcome"], answer["level"].as_f64()), (&"status".into(), Some(0.95)));
    for numbers in
        ["values", "lower", "upper"].map(|of| &answer["correlation"][of]).into_iter().chain([&answer["slope"]])
    {
        assert_eq!(numbers.as_array().unwrap().len(), 20);
    }
    assert!(
        answer["r_squared_at_least"].as_f64() < answer["r_squared"].as_f64() && answer.get("coefficients").is_none()
    );
    let run = place.run(&format!("release curves.csv {BALL} {outcome} --out private")).succeeded();
    assert!(run.words().contains("free (dpfda evaluate private --outcome status --level 0.9)"), "{}", run.stdout);
    place.run("evaluate private --outcome status --level 0.9").succeeded();
    // a regression on the same covariates answers as well
    place.run(&format!("release curves.csv {BALL} {ON} {SEED} --out plain")).succeeded();
    let csv = place.run("evaluate plain --outcome visit").succeeded().stdout;
    assert!(csv.starts_with("t,correlation,"), "{csv}");
    // a new study of an outcome has no other covariates to fill in
    let study =
        place.run("new --kind regression --outcome age=20:80 --values y* --bounds 0,1 --epsilon 1 --delta 1e-5");
    place.write("study.toml", &study.succeeded().stdout);
    place.run("forecast study.toml --records 2000").succeeded();
    let forecast = place
        .run(&format!("forecast {} {outcome} --points 20 --records 2000", &BALL["--values y* ".len()..]))
        .succeeded()
        .stdout;
    assert!(forecast.contains("correlation"), "{forecast}");
}

#[test]
fn what_is_no_outcome_is_refused_before_anything_is_spent_or_after_it_for_nothing() {
    let place = place();
    for (more, said) in [
        ("--outcome status", "--outcome: `status` is no column with its range"),
        ("--outcome status=control", "--outcome: `status=control` is no column with its range"),
        ("--outcome =1:4", "--outcome: `=1:4` is no column with its range"),
        ("--outcome visit=4:1", "--outcome: the bounds of `visit` must be finite and increasing"),
        ("--outcome visit=a|a", "--outcome: `visit` needs at least 2 different levels"),
        ("--outcome status=control|case|other", "--outcome: `status` has more than two levels"),
        ("--outcome status=control|case --public-design", "--outcome: an outcome is as private as the curves"),
        ("--outcome stature=control|case", "--outcome: no column is named `stature`"),
        ("--outcome visit=1:4 --on visit --covariate-bounds visit=1:4", "--outcome: --on names `visit` as well"),
        ("--outcome status=control|case --on visit", "hint: give a range for each covariate"),
        ("--outcome y3=0:1", "--outcome: the column `y3` is one of the values: --values takes it"),
        ("--on y3 --covariate-bounds y3=0:1", "--on: the column `y3` is one of the values"),
        ("--on visit,visit --covariate-bounds visit=1:4", "--on: each covariate needs a name of its own"),
        ("--subject id --outcome id=0:1", "--outcome: the column `id` says whose a row is: --subject names it"),
    ] {
        let run = place.run(&format!("release curves.csv {BALL} {more} {SEED} --out refused"));
        assert!(
            run.code == 2 && run.stderr.contains(said) && !run.stderr.contains("panicked"),
            "{more}: {}",
            run.text()
        );
        assert!(!place.path("refused").exists());
    }
    place.run(&format!("release curves.csv {BALL} {ON} --public-design {SEED} --out public")).succeeded();
    for (release, name) in [("public", "status"), ("public", "weight")] {
        let run = place.run(&format!("evaluate {release} --outcome {name}"));
        assert!(run.code == 2 && run.stderr.contains("--outcome"), "{}", run.text());
    }
    let both = place.run("evaluate public --outcome status --at 0.5");
    assert!(both.code == 2 && both.stderr.contains("nothing else"), "{}", both.text());
    let curves = place.run("evaluate public --outcome status --centiles 50");
    assert!(curves.code == 2 && curves.stderr.contains("--outcome"), "{}", curves.text());
}

#[test]
fn a_curator_is_told_of_outcomes_that_lie_beyond_their_range_and_words_are_refused() {
    let place = place();
    let checked = |outcome: &str| place.run(&format!("check curves.csv {BALL} --outcome {outcome}")).succeeded();
    let beyond = checked("visit=2:4");
    assert!(beyond.words().contains("visit: 500 of 2000 cells beyond 2 and 4"), "{}", beyond.stdout);
    assert!(!beyond.stderr.contains("NOTE"), "{}", beyond.stderr);
    // a column without a number is no column of numbers
    let words = place.run(&format!("check curves.csv {BALL} --outcome status=20:80"));
    assert!(words.code == 2 && words.stderr.contains("--outcome names a column of numbers"), "{}", words.stderr);
    // before anything is paid for
    let run = place.run(&format!("release curves.csv {BALL} --outcome visit=4:9 {SEED} --out out")).succeeded();
    let words = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "of the column visit: 1500 of 2000 cells beyond 4 and 9, which count as the nearer bound";
    assert!(words.contains(said) && words.contains("These are most cells: the release says little"), "{words}");
    // a quarter of the cells is told as well, and without advice
    let run = place.run(&format!("release curves.csv {BALL} --outcome visit=2:4 {SEED} --out few")).succeeded();
    assert!(run.stderr.contains("500 of 2000 cells") && !run.stderr.contains("most cells"), "{}", run.stderr);
}

#[test]
fn an_outcome_that_the_noise_hides_says_why_and_what_would_help() {
    let place = place();
    let run = place.run(&format!("release curves.csv {BALL} --outcome visit=-1000:1000 {SEED} --out out")).succeeded();
    let words = run.words();
    for said in ["No correlation: noise hides how much outcomes differ", "a narrower range would do"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    place.run("report out --out page.html").succeeded();
    let page = String::from_utf8(place.bytes("page.html")).unwrap();
    assert!(page.contains("No correlation: noise hides") && !page.contains("There is no band"), "{page}");
    assert!(!place.path("out/release.csv").exists() && !place.path("out/release.svg").exists());
}

#[test]
fn a_document_of_an_outcome_whose_products_were_edited_is_refused() {
    let place = place();
    place.run(&format!("release curves.csv {BALL} --outcome status=control|case {SEED} --out out")).succeeded();
    place.run("show out").succeeded();
    let document = place.json("out/release.json");
    assert_eq!(document["estimate"]["correlation"]["target"], "population-correlation");
    for place_of in [1, 2, 5, 40] {
        let mut edited = document.clone();
        let integer = &mut edited["lattice"]["coordinates"][place_of];
        // long integers are texts
        let number: i128 = integer.to_string().trim_matches('"').parse().unwrap();
        *integer = (number / 10 * 11).to_string().into();
        place.write("edited.json", &edited.to_string());
        let run = place.run("show edited.json");
        assert!(run.code == 2 && run.stderr.contains("edited.json"), "{place_of}: {}", run.text());
    }
}
