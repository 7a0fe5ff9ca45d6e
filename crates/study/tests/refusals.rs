//! What a study refuses, with the line or the setting.

use std::path::Path;

use dpfda_study::{Door, LARGEST, Sections, Study};

use crate::{STUDIES, of_flags};

/// What is refused of the ranges of covariates.
#[test]
fn covariates_have_one_range_each() {
    let refused = |bounds: &str| {
        let study = of_flags(&[("on", "status,visit"), ("covariate_bounds", bounds)]);
        Door::Python.refusal(&study.regression.covariates().unwrap_err())
    };
    assert!(refused("status=control|case").starts_with("covariate_bounds=: give the range of `visit`"));
    assert!(refused("status=control|case,visit=1").contains("visit=1:8"));
    assert!(
        refused("status=a|b,visit=1:8,sex=F|M").contains("`sex` is not among the covariates; on= names status, visit")
    );
    let study = of_flags(&[("on", "status, visit"), ("covariate_bounds", "visit=1:8, status = control | case")]);
    let names: Vec<_> = study.regression.covariates().unwrap().iter().map(|one| one.name().to_owned()).collect();
    assert_eq!(names, ["status", "visit"]);
}

const MEAN: &str =
    "[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\n[table]\nvalues = 'h*'\n";

/// A study that is refused when it is read.
fn refused(text: &str) -> String {
    Study::from_toml(text).unwrap_err().to_string()
}

#[test]
fn a_file_that_is_no_study_is_refused_with_its_line() {
    for (line, text) in [
        (3, MEAN.replace("epsilon = 1", "epsilo = 1")),
        (4, MEAN.replace("delta = 1e-5", "epsilon = 2")),
        (3, MEAN.replace("epsilon = 1", "epsilon = 'one'")),
        (3, MEAN.replace("epsilon = 1", "epsilon = nan")),
        (3, MEAN.replace("epsilon = 1", "epsilon = inf")),
        (6, MEAN.replace("[0, 1]", "[0, 'one']")),
        (6, MEAN.replace("[0, 1]", "[0, -nan]")),
        (8, MEAN.replace("'h*'", "7")),
        (8, MEAN.replace("'h*'", "['a,b']")),
        (3, MEAN.replace("epsilon = 1", "epsilon = ")),
        (3, MEAN.replace("epsilon = 1", "epsilon = 1\nradius = 3").replace("epsilon = 1\n", "")),
        (1, MEAN.replace("release.mean", "release.maen")),
    ] {
        let told = refused(&text);
        assert!(told.contains(&format!("line {line}: ")), "{text}\n{told}");
    }
    assert!(
        refused(&MEAN.replace("epsilon = 1", "epsilon = 'one'")).starts_with("privacy.epsilon: line 3: not a number")
    );
    assert!(refused(&MEAN.replace("delta = 1e-5", "radius = 3")).contains("is bound.radius"));
    let blank = refused(&MEAN.replace("epsilon = 1", "epsilon = # fill in, such as 1.0"));
    assert_eq!(blank, "privacy.epsilon: line 3: no value is filled in");
    let word = MEAN.replace("[release.mean]", "release = 'mean'");
    for no_kind in ["[privacy]\nepsilon = 1\n", &MEAN.replace("[privacy]", "[release.rows]\n[privacy]"), &word] {
        assert!(refused(no_kind).contains("one kind of release"));
    }
}

#[test]
fn a_private_table_that_is_given_for_a_study_is_not_shown() {
    for table in ["id,v0\nAnna,12.5\n", "Anna = 1\n", "[Anna]\n", "\"Anna\"\n", "{\"Anna\": 1}"] {
        let told = refused(table);
        // the name of a section or a key is what an unknown one is told by
        assert!(!told.contains("12.5"), "{told}");
    }
}

#[test]
fn the_same_is_refused_in_json_with_its_line() {
    let (_, _, _, json) = STUDIES[0];
    for (line, text) in [
        (1, json.replace("epsilon", "epsilo")),
        (1, json.replace("\"delta\"", "\"epsilon\"")),
        (1, json.replace("1e-5", "1e999")),
        (1, json.replace("1e-5", "NaN")),
        (1, json.replace("1e-5", "\"little\"")),
        (2, json.replace("\"subject\"", "\"values\"")),
        (2, json.replace("\"id\"", "[1, \"id\"]")),
    ] {
        let refusal = Study::from_json(&text).unwrap_err();
        assert!(refusal.why.starts_with(&format!("line {line}: ")), "{text}\n{}", refusal.why);
    }
}

#[test]
fn a_huge_file_is_refused_unread() {
    let huge = format!("{MEAN}# {}", "x".repeat(LARGEST));
    assert!(refused(&huge).contains("at most"));
    assert!(Study::from_json(&huge).unwrap_err().why.contains("at most"));
}

#[test]
fn flags_are_refused_by_their_names() {
    for (pairs, setting) in [
        (vec![("epsilon", "nan")], "epsilon"),
        (vec![("bounds", "0,inf")], "bounds"),
        (vec![("epsilon", "1"), ("epsilon", "1")], "epsilon"),
        (vec![("bins", "1.5")], "bins"),
        (vec![("colour", "red")], ""),
    ] {
        assert_eq!(Sections::of_texts(pairs.iter().copied()).unwrap_err().setting(), setting, "{pairs:?}");
    }
}

/// What checking the study of these flags, beside those of a mean, is refused for.
fn told(flags: &[(&str, &str)]) -> String {
    let usual = [("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1"), ("values", "h*")];
    let kept = usual.iter().filter(|(name, _)| !flags.iter().any(|(other, _)| other == name));
    let all: Vec<(&str, &str)> = kept.chain(flags).copied().filter(|(_, value)| *value != "-").collect();
    Door::Flags.refusal(&of_flags(&all).check(Path::new(".")).unwrap_err())
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (flags, expected) in [
        (vec![("bins", "20")], "--bins is not a setting of a mean of curves: it is one of a mean of rows"),
        (vec![("center_share", "0.1"), ("gaps", "rows")], "--center-share is not a setting of a mean of rows"),
        (vec![("mechanism", "smoothed")], "a mean of curves has no smoothed: it has isonormal, cameron-martin"),
        (vec![("radius", "1")], "--bounds cannot be used with --radius"),
        (vec![("slope", "1"), ("roughness", "1")], "--slope cannot be used with --roughness"),
        (vec![("gaps_noise", "1")], "--gaps-noise cannot be used without --gaps gaussian-process"),
        (vec![("by", "g"), ("groups_of_subject", "2")], "give --private-labels"),
        (vec![("values", "-")], "--values was not given"),
        (vec![("values", "-"), ("value", "v")], "are named by --values"),
        (
            vec![("time", "day"), ("id", "id"), ("value", "v"), ("domain", "0,1")],
            "--values cannot be used with a table with one row",
        ),
        (vec![("values", "-"), ("time", "day"), ("id", "id"), ("value", "v")], "--domain was not given"),
        (vec![("bounds", "-")], "--center and --radius were not given\n\nA release needs a public bound"),
        (vec![("bounds", "-"), ("radius", "1")], "--center was not given"),
        (vec![("epsilon", "-")], "--epsilon was not given"),
        (vec![("epsilon", "0")], "--because 'REASON'"),
        (vec![("delta", "0.2")], "--delta: a delta of 0.2 allows"),
        (vec![("level", "0.5")], "--level: a band states"),
        (vec![("band", "honest")], "--band honest needs --band-roughness"),
        (vec![("band_roughness", "1")], "only --band honest uses it"),
        (vec![("select", "sure"), ("eta", "1")], "--select sure chooses"),
        (vec![("bounds", "0,1,2")], "give two numbers"),
        (vec![("columns", "x,y"), ("values", "-")], "got 2 for 2 of --columns"),
    ] {
        let told = told(&flags);
        assert!(told.contains(expected), "{flags:?}: {told}");
    }
}

#[test]
fn a_day_needs_no_quotes_in_a_study_file_and_a_time_is_none() {
    let study = |date: &str| Study::from_toml(&format!("{MEAN}[papers]\ndate = {date}\n"));
    assert_eq!(study("2026-11-27"), study("'2026-11-27'"));
    assert!(study("2026-11-27").is_ok());
    for no_day in ["2026-11-27T10:00:00", "10:00:00", "2026"] {
        let told = study(no_day).unwrap_err().to_string();
        assert!(told.starts_with("papers.date: line 10: not a") && !told.contains("toml"), "{told}");
    }
}
