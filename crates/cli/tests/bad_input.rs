//! Bad input: exit code 2, the argument named, no cell of the private file shown, nothing written.

use crate::common::{Place, Run};

/// A value that occurs in every private file here.
const CANARY: &str = "7354219";

const CURVES: &str = "\
id,v1,v2,v3
a,0.7354219,0.52,0.63
b,0.42,0.51,-0.7354219
c,0.38,0.49,7354219
";

/// Runs a command that must be refused in all of these words.
fn refused(arguments: &str, words: &[&str]) {
    refused_with(&arguments.split_whitespace().collect::<Vec<_>>(), CURVES, words);
}

/// Runs `release` on another file.
fn refused_file(text: &str, more: &str, words: &[&str]) {
    let arguments = format!(
        "release curves.csv --center 0.5 --radius 0.25 --radius-share none --epsilon 1 --delta 1e-5 {more} --out out"
    );
    refused_with(&arguments.split_whitespace().collect::<Vec<_>>(), text, words);
}

fn refused_with(arguments: &[&str], curves: &str, words: &[&str]) {
    let place = Place::new();
    place.write("curves.csv", curves);
    place.write("center.csv", "t,value\n0,0.4\n0.8,0.6\n");
    let before = place.names();
    let run = place.run_with(arguments);
    assert_eq!(run.code, 2, "{}", run.text());
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` in: {}", run.stderr);
    }
    assert!(!run.text().contains(CANARY), "{}", run.text());
    assert!(!run.text().contains("panicked"), "{}", run.text());
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    assert_eq!(place.names(), before, "nothing is written");
}

/// `release` on good curves with all arguments but those on the left of each pair replaced.
fn with(replaced: &str) -> String {
    let mut arguments = vec![
        ("--values", "v*"),
        ("--center", "0.5"),
        ("--radius", "0.25"),
        ("--radius-share", "none"),
        ("--epsilon", "1"),
        ("--delta", "1e-5"),
        ("--out", "out"),
    ];
    let name = replaced.split(' ').next().unwrap();
    arguments.retain(|(argument, _)| *argument != name);
    let rest: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!("release curves.csv {} {replaced}", rest.join(" "))
}

#[test]
fn epsilon_out_of_range() {
    for (given, shown) in
        [("-1", "-1"), ("nan", "NaN"), ("inf", "inf"), ("1e9", "1e9"), ("-1e300", "got -1e300"), ("1e-9", "got 1e-9")]
    {
        let words = ["--epsilon", "0, or from 1e-6 to 50, because outside it the calibration is not proved", shown];
        refused(&with(&format!("--epsilon {given}")), &words);
    }
}

#[test]
fn delta_out_of_range() {
    for (given, shown) in
        [("-0.1", "-0.1"), ("1", "1"), ("nan", "NaN"), ("inf", "inf"), ("0.7", "0.7"), ("1e-30", "1e-15")]
    {
        refused(&with(&format!("--delta {given}")), &["--delta", "1e-15 to 0.5", shown]);
    }
}

#[test]
fn a_delta_of_zero_is_for_isonormal_noise_in_a_stated_ball() {
    let zero = |more: &str| {
        format!("release curves.csv --values v* --center 0.5 --radius 0.25 --epsilon 1 --delta 0 --out out {more}")
    };
    let explanation =
        ["--delta", "unbounded", "no scale gives delta = 0", "the mean of curves with isonormal noise may have 0"];
    refused(&zero("--mechanism cameron-martin"), &explanation);
    refused(&zero("--classical"), &explanation);
    refused(&zero("--slope 2"), &["--delta", "the bound is the ball alone", "choose a delta above 0"]);
    refused(&zero("--roughness 0.1"), &["--delta", "the bound is the ball alone"]);
    refused(&zero("--moments mean"), &["--moments", "a delta above 0 alone"]);
    refused(&zero("--select sure"), &["--select", "isonormal"]);
    refused(&zero("--band honest --band-roughness 1"), &["--band"]);
    refused(&zero("--radius-share 0.05"), &["--radius-share", "the ball is stated"]);
    refused(&zero("--center-share 0.1"), &["--radius-share", "the ball is stated"]);
    for epsilon in ["0", "1e-9", "99"] {
        refused(&zero("").replace("--epsilon 1", &format!("--epsilon {epsilon}")), &["--epsilon", "1e-6 to 50"]);
    }
}

#[test]
fn coordinates_are_for_a_delta_of_zero_and_no_more_than_points() {
    refused(&with("--coordinates 5"), &["--coordinates", "with delta 0"]);
    for number in ["0", "65", "1000000"] {
        let words = ["--coordinates", "from 1 to 64", "leave --coordinates out"];
        refused(&with(&format!("--delta 0 --coordinates {number}")), &words);
    }
    // the grid has fewer points
    refused(&with("--delta 0 --coordinates 40"), &["no more coordinates than points"]);
    for number in ["-1", "many", "1.5"] {
        refused(&with(&format!("--delta 0 --coordinates {number}")), &["--coordinates"]);
    }
}

#[test]
fn no_budget_is_explained() {
    let release = "release curves.csv --values v* --center 0.5 --radius 0.25 --radius-share none --out out";
    refused(release, &["--epsilon and --delta were not given", "e^epsilon"]);
    refused(&format!("{release} --epsilon 1"), &["--delta was not given"]);
    refused(&format!("{release} --delta 1e-5"), &["--epsilon was not given"]);
}

#[test]
fn the_classical_scale_with_a_large_epsilon() {
    refused(&with("--epsilon 1.5 --classical"), &["--classical", "1.5", "at most 1", "tight", "1e-6 to 50"]);
    refused(&with("--epsilon 0 --classical"), &["--classical", "divides by epsilon"]);
}

#[test]
fn a_radius_that_is_not_positive() {
    for (given, shown) in
        [("0", "got 0"), ("-0.25", "got -0.25"), ("nan", "NaN"), ("inf", "inf"), ("1e-320", "at least")]
    {
        refused(&with(&format!("--radius {given}")), &["--radius", shown, "positive"]);
    }
}

#[test]
fn no_centre_or_radius_is_explained_and_none_is_offered() {
    let release = "release curves.csv --values v* --epsilon 1 --delta 1e-5 --out out";
    let explanation =
        ["public bound", "root-mean-square distance", "before looking", "[0, 1]", "there is no option for it"];
    for (given, missing) in [
        ("", "--center and --radius were not given"),
        ("--radius 0.25", "--center was not given"),
        ("--center 0.5", "--radius was not given"),
    ] {
        let words: Vec<&str> = explanation.into_iter().chain([missing]).collect();
        refused(&format!("{release} {given}"), &words);
    }
}

#[test]
fn a_centre_that_is_no_number() {
    for given in ["nan", "inf", "-inf"] {
        refused(&with(&format!("--center {given}")), &["--center", "finite"]);
    }
    refused(&with("--center missing.csv"), &["--center", "missing.csv", "not a number"]);
}

#[test]
fn a_centre_curve_that_does_not_cover_the_domain() {
    refused(&with("--center center.csv"), &["--center", "from 0 to 1", "ends before the last", "--grid"]);
}

#[test]
fn the_private_file_given_as_centre() {
    refused(&with("--center curves.csv"), &["--center", "curves.csv", "no column `t`"]);
}

/// A release whose centre is this file: refused, in these words.
fn refused_with_center(text: &str, words: &str) -> (Place, Run) {
    let place = Place::new();
    place.write("curves.csv", CURVES);
    place.write("center.csv", text);
    let run = place.run(&with("--center center.csv"));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--center") && run.stderr.contains(words), "{}", run.stderr);
    (place, run)
}

#[test]
fn a_bad_centre_file() {
    let cases = [
        ("t,value\n", "no rows"),
        ("x,y\n0,1\n", "`t`"),
        ("t,value\n0,a\n1,2\n", "row 1, column `value`"),
        ("t,value\n0,1\n0,2\n", "row 2, column `t`"),
        ("t,value\n0,1\n1\n", "--center"),
        ("t,value\n0,inf\n1,2\n", "finite"),
        ("", "`t`"),
    ];
    for (text, words) in cases {
        let (place, _) = refused_with_center(text, words);
        assert_eq!(place.names(), ["center.csv", "curves.csv"]);
    }
}

#[test]
fn a_centre_file_is_never_quoted() {
    let cases = [
        ("t,value\n0,x7354219\n1,2\n", "row 1, column `value`"),
        ("t,value\n0,1\n7354219,1e101\n", "row 2, column `value`"),
        ("t,value\n7354219,1\n0.7354219,2\n", "row 2, column `t`"),
        ("t,value\n7354219,1\n7354220,2\n", "begins after the first"),
        ("id,t,value\n7354219,0,0.7354219\n", "column 1 of the header"),
        ("t,value,7354219\n0,1,2\n", "column 3 of the header"),
        ("t,value,t\n0,1,2\n", "column 3 of the header"),
        ("0,7354219\n1,0.7354219\n", "no column `t`"),
    ];
    for (text, words) in cases {
        let (_, run) = refused_with_center(text, words);
        assert!(!run.text().contains(CANARY), "{}", run.text());
    }
}

#[test]
fn the_long_format_as_centre_is_refused_with_the_reason() {
    let place = Place::new();
    place.write("curves.csv", CURVES);
    place.write("center.csv", "id,t,value\na,0,0.4\na,1,0.5\n");
    let run = place.run(&with("--center center.csv"));
    assert!(run.code == 2 && run.stderr.contains("curves of people, which are private"), "{}", run.stderr);
}

#[test]
fn a_seed_that_is_no_whole_number() {
    for seed in ["1.5", "-3", "18446744073709551616", "x"] {
        let words = ["--seed", "a whole number from 0 to 2^64-1"];
        refused(&with(&format!("--not-private --seed {seed}")), &words);
    }
}

#[test]
fn an_unknown_subject_column() {
    refused(&with("--subject person"), &["--subject", "`person`"]);
}

#[test]
fn a_pattern_that_matches_nothing() {
    refused(&with("--values w*"), &["--values", "`w*`"]);
}

#[test]
fn a_pattern_that_is_none() {
    refused(&with("--values [v"), &["--values", "[v"]);
    refused_with(&["release", "curves.csv", "--values", ""], CURVES, &["error"]);
}

#[test]
fn a_pattern_that_matches_one_column() {
    refused(&with("--values v1"), &["--values", "`v1`", "at least 2 points"]);
}

#[test]
fn more_columns_than_are_read() {
    let names: Vec<String> = (0..131_073).map(|column| format!("v{column}")).collect();
    refused_file(&format!("{}\n", names.join(",")), "--values v*", &["--values", "131073"]);
}

#[test]
fn a_cell_that_is_no_number() {
    for cell in ["x7354219", "0.7354219.1", "0,7354219", "é"] {
        let text = format!("id,v1,v2\na,0.4,0.5\nb,0.5,\"{cell}\"\n");
        refused_file(&text, "--values v*", &["curves.csv", "row 2", "column `v2`", "not a number"]);
    }
}

#[test]
fn a_row_of_another_length() {
    refused_file("id,v1,v2\na,0.4,0.7354219\nb,0.7354219\n", "--values v*", &["curves.csv", "row 2", "2 cells", "3"]);
}

#[test]
fn an_infinite_value() {
    for cell in ["inf", "-Infinity", "1e999"] {
        let text = format!("v1,v2\n0.7354219,0.5\n0.4,{cell}\n");
        refused_file(&text, "--values v*", &["curves.csv", "row 2", "column `v2`", "infinite"]);
    }
}

#[test]
fn a_row_without_subject() {
    let text = "id,v1,v2\na,0.4,0.7354219\n,0.5,0.7354219\n";
    refused_file(text, "--values v* --subject id", &["curves.csv", "row 2", "column `id`"]);
}

#[test]
fn a_file_without_header_is_not_quoted() {
    let text = "0.7354219,0.5,0.6\n0.4,0.7354219,0.5\n";
    refused_file(text, "--values v*", &["--values", "header"]);
}

#[test]
fn a_first_row_of_data_is_no_header() {
    for (row, values) in [
        ("0.7354219,0.5,0.6", "*"),
        ("0.7354219,0.7354219,0.7354219", "0.*"),
        ("1,0.7354219,NA", "*"),
        ("7354219,7354220,7354221", "7*"),
        ("0,0.5,1", "0,0.5,1"),
    ] {
        let text = format!("{row}\n0.4,0.7354219,0.5\n0.3,0.2,0.1\n");
        let words = ["curves.csv", "no header", "would be lost", "above the data", "t0.5"];
        refused_file(&text, &format!("--values {values}"), &words);
        refused_file(&text, &format!("--values {values} --grid 0,0.5,1"), &words);
    }
}

#[test]
fn an_id_that_says_that_it_is_missing() {
    for id in ["N/A", "n/a", "NULL", "None", "-", "#N/A", "nan", "."] {
        let text = format!("id,v1,v2\na,0.4,0.7354219\n{id},0.5,0.7354219\n");
        refused_file(
            &text,
            "--values v* --subject id",
            &["curves.csv", "row 2", "column `id`", "says that the id is missing"],
        );
    }
}

#[test]
fn an_empty_file() {
    refused_file("", "--values v*", &["curves.csv", "empty"]);
}

#[test]
fn a_missing_file() {
    refused(&with("--values v*").replace("curves.csv", "missing.csv"), &["CURVES.csv", "missing.csv"]);
    refused(&with("--values v*").replace("curves.csv", "."), &["CURVES.csv"]);
}

#[test]
fn a_public_number_of_records_below_two() {
    refused_file("v1,v2\n", "--values v*", &["curves.csv", "at least 2", "got 0"]);
    refused_file("v1,v2\n0.7354219,0.5\n", "--values v*", &["curves.csv", "at least 2", "got 1"]);
    let one = "id,v1,v2\na,0.7354219,0.5\na,0.4,0.5\n";
    refused_file(one, "--values v* --subject id", &["curves.csv", "at least 2", "got 1"]);
}

#[test]
fn a_grid_that_is_none() {
    let cases = [
        ("1", "at least 2 points"),
        ("1,0", "increase"),
        ("0,0", "increase"),
        ("0,2,1", "increase"),
        ("0,1,1", "increase"),
        ("0,nan,1", "finite"),
        ("-inf,1", "finite"),
        ("0,1,2,3", "4 grid points were given for 3 value columns"),
        ("0,x", "list of numbers"),
    ];
    for (grid, words) in cases {
        refused(&with(&format!("--grid {grid}")), &["--grid", words]);
    }
}

#[test]
fn a_bad_smoother() {
    refused(&with("--eta 0.5"), &["--eta", "at least 1", "0.5"]);
    refused(&with("--eta nan"), &["--eta", "NaN"]);
    refused(&with("--penalty 0"), &["--penalty", "positive", "got 0"]);
    refused(&with("--penalty -1"), &["--penalty", "got -1"]);
    refused(&with("--range 0"), &["--range", "positive", "got 0"]);
    refused(&with("--kernel cubic"), &["--kernel", "cubic", "matern:NU"]);
    refused(&with("--kernel matern:-1"), &["--kernel", "matern:-1"]);
}

#[test]
fn a_kernel_without_a_spectrum_is_refused_before_the_noise() {
    refused(&with("--kernel sobolev --range 1e308"), &["--range", "spectrum"]);
}

#[test]
fn the_cameron_martin_default_penalty_under_add_remove() {
    let arguments = with("--mechanism cameron-martin --neighbours add-remove");
    refused(&arguments, &["--penalty", "add-remove"]);
}

#[test]
fn second_moments_of_smoothed_curves() {
    for moments in ["mean", "covariance"] {
        refused(&with(&format!("--mechanism cameron-martin --moments {moments}")), &["--moments", "isonormal"]);
    }
    let tiny = "release curves.csv --values v* --center 0.5 --radius 0.25 --radius-share none --epsilon 1e-6 --delta 1e-7 --out out";
    refused(&format!("{tiny} --moments mean"), &["--moments", "range of the integers"]);
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    refused(&with("--moments all"), &["--moments", "all", "covariance", "none"]);
    refused(&with("--mechanism laplace"), &["--mechanism", "laplace", "isonormal", "cameron-martin"]);
    refused(&with("--neighbours swap"), &["--neighbours", "swap", "substitute", "add-remove"]);
}

#[test]
fn an_option_where_a_value_should_be() {
    refused(&with("--radius --force"), &["--radius", "the value is missing"]);
}

#[test]
fn a_seed_without_saying_not_private_and_the_other_way_round() {
    refused(&with("--seed 7"), &["--not-private"]);
    refused(&with("--not-private"), &["--seed"]);
}

#[test]
fn a_document_that_never_ends_is_refused_by_its_size() {
    let place = Place::new();
    // it begins as a document does
    place.write("large.json", "{");
    let file = std::fs::OpenOptions::new().write(true).open(place.path("large.json")).unwrap();
    file.set_len((1 << 26) + 1).unwrap();
    place.write("curves.csv", CURVES);
    for (arguments, most) in [
        ("evaluate large.json --at 0", 67_108_864),
        ("smooth large.json --penalty 1 --out out", 67_108_864),
        (&with("--center large.json"), 8_388_608),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{}", run.text());
        let words = format!("larger than {most} bytes, the most that are read");
        assert!(run.stderr.contains(&words), "{}", run.stderr);
    }
}

#[test]
fn a_line_that_never_ends_is_refused_by_its_length() {
    let line = "7354219x".repeat((1 << 24) / 8);
    refused_file(&format!("{line}\n"), "--values v*", &["--values", "1 column"]);
    refused_file(
        &format!("v1,v2\n0.4,{line}\n"),
        "--values v*",
        &["curves.csv", "line 2", "longer than 16777216 bytes"],
    );
}

#[test]
fn a_share_that_is_none_is_refused_by_name_whatever_its_sign() {
    for option in ["--radius-share", "--center-share"] {
        for (given, shown) in [("0", "got 0"), ("0.5", "got 0.5"), ("-0.1", "got -0.1"), ("nan", "NaN"), ("1", "got 1")]
        {
            let arguments = format!(
                "release curves.csv --values v* --bounds 0,1 --epsilon 1 --delta 1e-5 {option} {given} --out out"
            );
            refused(&arguments, &[option, "above 0 and below 0.5", "none buys nothing", shown]);
        }
    }
}

#[test]
fn bounds_that_are_not_in_order() {
    for (given, shown) in
        [("1,0", "got 1 and 0"), ("0.5,0.5", "got 0.5 and 0.5"), ("0,inf", "inf"), ("nan,1", "NaN"), ("0", "got 1")]
    {
        let arguments = format!("release curves.csv --values v* --epsilon 1 --delta 1e-5 --bounds={given} --out out");
        refused(&arguments, &["--bounds", "two", shown]);
    }
}

#[test]
fn too_few_records_for_a_radius_are_refused_where_their_number_is_public_and_nowhere_else() {
    let release = "release curves.csv --values v* --bounds 0,1 --epsilon 1 --delta 1e-5 --out out";
    refused(
        &format!("{release} --radius-share 0.05"),
        &["--radius-share", "at least 118 records, got 3", "--radius-share none"],
    );
    let place = Place::new();
    place.write("curves.csv", CURVES);
    let run = place.run(&format!("{release} --radius-share 0.05 --neighbours add-remove"));
    assert_eq!(run.code, 0, "{}", run.stderr);
}
