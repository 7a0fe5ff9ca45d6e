//! Bad input of `dpfda density`: exit code 2, the argument named, no cell of the private file shown, nothing written.

use crate::common::Place;

/// A value that occurs in every private file here.
const CANARY: &str = "7354219";

const POINTS: &str = "\
id,x,y,x2,x2
1,0.7354219,0.52,7,1
2,0.42,-0.7354219,7,1
3,0.38,7354219,7,1
";

/// Runs the command on this file; it must be refused in all of these words.
fn refused_file(points: &str, arguments: &str, words: &[&str]) {
    let place = Place::new();
    place.write("points.csv", points);
    let before = place.names();
    let run = place.run(arguments);
    assert_eq!(run.code, 2, "{}", run.text());
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` in: {}", run.stderr);
    }
    assert!(!run.text().contains(CANARY), "{}", run.text());
    assert!(!run.text().contains("panicked"), "{}", run.text());
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    assert_eq!(place.names(), before, "nothing is written");
}

/// `density` on good points with one argument replaced, or one more given.
fn refused(replaced: &str, words: &[&str]) {
    refused_file(POINTS, &with(replaced), words);
}

fn with(replaced: &str) -> String {
    let mut arguments = vec![("--columns", "x"), ("--bounds", "0,1"), ("--epsilon", "1"), ("--out", "out")];
    let given: Vec<&str> = replaced.split(' ').filter(|word| word.starts_with("--")).collect();
    arguments.retain(|(argument, _)| !given.contains(argument));
    let rest: Vec<String> = arguments.iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!("density points.csv {} {replaced}", rest.join(" "))
}

#[test]
fn no_bounds_are_explained_and_none_are_offered() {
    let arguments = "density points.csv --columns x --epsilon 1 --out out";
    let explanation = ["public box", "clamped", "before looking", "--bounds 0,120", "there is no option for them"];
    refused_file(POINTS, arguments, &["--bounds was not given"]);
    refused_file(POINTS, arguments, &explanation);
}

#[test]
fn no_epsilon_is_explained() {
    let arguments = "density points.csv --columns x --bounds 0,1 --out out";
    refused_file(POINTS, arguments, &["--epsilon was not given", "e^epsilon", "--delta", "--epsilon 1"]);
}

#[test]
fn an_epsilon_that_protects_nobody() {
    for mechanism in ["perturbed", "smoothed", "exponential", "series"] {
        for epsilon in ["51", "1e300", "1e-7"] {
            let arguments = format!("--mechanism {mechanism} --epsilon {epsilon}");
            refused(&arguments, &["--epsilon", "from 1e-6 to 50", "protects nobody"]);
        }
    }
}

#[test]
fn bounds_that_are_none() {
    let cases = [
        ("1,0", "the lower bound of column 1 must be below the upper one, got 1 to 0"),
        ("1,1", "must be below"),
        ("nan,1", "the bounds of column 1 must be finite, got NaN to 1"),
        ("0,inf", "must be finite"),
        ("-inf,0", "must be finite"),
        ("-1e300,1e300", "the width of column 1 must be from 1e-80 to 1e80"),
        ("0", "each column needs two numbers"),
        ("0,1,2", "got 3 for 1 of --columns"),
        ("0,1,0,1", "got 4 for 1 of --columns"),
        ("0,x", "list of numbers"),
        ("--force", "the value is missing"),
    ];
    for (bounds, words) in cases {
        refused(&format!("--bounds {bounds}"), &["--bounds", words]);
    }
    refused("--columns x,y --bounds 0,1,5,-5", &["--bounds", "column 2", "got 5 to -5"]);
    refused("--columns x,y --bounds 0,1", &["--bounds", "got 2 for 2 of --columns", "--bounds 0,1,0,1"]);
}

#[test]
fn columns_that_are_not_there() {
    refused("--columns z", &["--columns", "no column is named z"]);
    refused("--columns x2", &["--columns", "several columns are named x2"]);
    refused("--columns x,,y", &["--columns", "empty"]);
    refused("--columns x,x", &["--columns", "`x` is given twice"]);
    refused("--columns a,b,c,d", &["--columns", "4 columns", "at most 3"]);
    let without_columns = "density points.csv --bounds 0,1 --epsilon 1 --out out";
    refused_file(POINTS, without_columns, &["--columns"]);
}

#[test]
fn a_file_without_header_is_not_quoted() {
    refused_file("0.7354219\n0.5\n", &with(""), &["--columns", "no column is named x", "first row"]);
}

#[test]
fn a_budget_out_of_range() {
    for (given, shown) in [("-1", "got -1"), ("nan", "NaN"), ("inf", "inf"), ("-1e300", "got -1e300")] {
        refused(&format!("--epsilon {given}"), &["--epsilon", "finite and at least 0", shown]);
    }
    refused("--epsilon 0", &["--epsilon", "must not both be 0"]);
    refused("--epsilon 1e-30", &["--epsilon", "nothing of the data would be left"]);
    refused("--epsilon 1e9 --delta 1e-5", &["--epsilon", "from 1e-6 to 50", "1e9"]);
    for (given, shown) in [("-0.1", "-0.1"), ("1", "got 1"), ("nan", "NaN"), ("inf", "inf")] {
        refused(&format!("--delta {given}"), &["--delta", "at least 0 and below 1", shown, "leave --delta out"]);
    }
    for delta in ["0.7", "1e-30"] {
        refused(&format!("--delta {delta}"), &["--delta", "1e-15 to 0.5", delta]);
    }
}

#[test]
fn cells_that_are_none_or_too_many() {
    refused("--cells 0", &["--cells", "at least 1", "leave --cells out"]);
    refused("--cells -3", &["--cells", "not a whole number"]);
    refused("--cells 1.5", &["--cells", "not a whole number"]);
    refused("--cells 100000000", &["--cells", "16777216", "8.9 GiB"]);
    refused("--columns x,y,id --bounds 0,1,0,1,0,1 --cells 1000", &["--cells", "3 axes", "89.4 GiB", "fewer cells"]);
    refused("--columns x,y --bounds 0,1,0,1 --cells 18446744073709551615", &["--cells", "GiB"]);
}

#[test]
fn draws_that_are_none_or_too_many() {
    refused("--draws 0", &["--draws", "must be from 1 to 10000000, got 0\n", "leave --draws out"]);
    refused("--draws 1000000000", &["--draws", "got 1000000000, which would take 7.5 GiB", "release.json"]);
    refused("--draws many", &["--draws", "not a whole number"]);
}

#[test]
fn draws_that_are_part_of_the_mechanism() {
    refused("--mechanism smoothed --draws 0", &["--draws", "from 1 to 16777216, got 0", "leave --draws out"]);
    refused("--mechanism smoothed --draws 100000000", &["--draws", "from 1 to 16777216, got 100000000"]);
    refused("--mechanism exponential --draws 0", &["--draws", "at least 1, got 0"]);
    refused("--mechanism exponential --draws 1000000", &["--draws", "table", "0.7 GiB", "fewer draws or fewer cells"]);
    refused(
        "--mechanism exponential --cells 1000000 --draws 100",
        &["--cells", "100 draws on 1000000 cells", "1.5 GiB"],
    );
    refused("--mechanism exponential --cells 1000000", &["--cells", "3.0 GiB"]);
    refused("--mechanism series --draws 0", &["--draws", "number of synthetic points", "got 0", "for none"]);
}

#[test]
fn cells_that_no_mechanism_takes() {
    for mechanism in ["smoothed", "exponential", "series"] {
        refused(&format!("--mechanism {mechanism} --cells 0"), &["--cells", "at least 1", "leave --cells out"]);
        refused(&format!("--mechanism {mechanism} --cells 100000000"), &["--cells", "16777216", "8.9 GiB"]);
    }
}

#[test]
fn what_a_mechanism_is_not_made_for() {
    for mechanism in ["smoothed", "exponential"] {
        let words = ["--delta", "must be 0", "Wasserman and Zhou", "--mechanism perturbed or series"];
        refused(&format!("--mechanism {mechanism} --delta 1e-5"), &words);
        refused(&format!("--mechanism {mechanism} --epsilon 0"), &["--epsilon", "got 0"]);
    }
    refused(
        "--mechanism smoothed --neighbours add-remove",
        &["--neighbours", "public number of records", "substitute"],
    );
    refused(
        "--mechanism exponential --columns x,y --bounds 0,1,0,1",
        &["--mechanism", "on one axis, got 2", "use the perturbed or the smoothed histogram"],
    );
    refused("--mechanism smoothed --epsilon 1e-30", &["--epsilon", "nothing of the data would be left"]);
    refused("--mechanism series --epsilon 0", &["--epsilon", "must not both be 0"]);
    refused("--mechanism series --epsilon 0 --because trial", &["--epsilon", "must not both be 0"]);
    refused("--mechanism series --epsilon 1e9 --delta 1e-5", &["--epsilon", "from 1e-6 to 50", "1e9"]);
    refused("--mechanism series --delta 0.7 --because trial", &["--delta", "1e-15 to 0.5"]);
}

#[test]
fn a_file_without_records_where_their_number_is_public() {
    for (mechanism, words) in [
        ("smoothed", "at least one record"),
        ("exponential", "at least one record"),
        ("series", "at least 1 record when"),
    ] {
        let arguments = with(&format!("--mechanism {mechanism}"));
        refused_file("x\n", &arguments, &["POINTS.csv (`points.csv`)", words]);
    }
}

#[test]
fn a_public_number_of_records_below_two() {
    for (points, found) in [("x\n", "got 0"), ("x\n0.7354219\n", "got 1")] {
        refused_file(points, &with(""), &["POINTS.csv (`points.csv`)", "at least 2 records", found, "more people"]);
    }
}

#[test]
fn a_file_that_holds_no_points() {
    refused_file("", &with(""), &["POINTS.csv (`points.csv`)", "empty"]);
    for cell in ["x7354219", "0.7354219.1", "\"0,7354219\"", "é"] {
        let text = format!("x,y\n0.4,0.5\n{cell},0.5\n");
        refused_file(&text, &with(""), &["POINTS.csv (`points.csv`)", "row 2", "column x", "not a number"]);
    }
    refused_file(
        "x,y\n0.4,0.7354219\n0.7354219\n",
        &with(""),
        &["POINTS.csv", "row 2", "has 1 cells, the header has 2"],
    );
    refused_file(
        POINTS,
        &with("").replace("points.csv", "missing.csv"),
        &["POINTS.csv", "missing.csv", "of the points"],
    );
    refused_file(POINTS, &with("").replace("points.csv", "."), &["POINTS.csv", "of the points"]);
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    refused("--mechanism laplace", &["--mechanism", "laplace", "perturbed"]);
    refused("--neighbours swap", &["--neighbours", "swap", "substitute", "add-remove"]);
}

#[test]
fn a_seed_without_saying_not_private_and_the_other_way_round() {
    refused("--seed 7", &["--not-private"]);
    refused("--not-private", &["--seed"]);
}

#[test]
fn output_that_cannot_be_written_is_refused_by_name() {
    for (out, words) in
        [("missing/out", "`missing`"), ("points.csv", "not a directory"), ("..", "name of a new directory")]
    {
        refused(&format!("--out {out}"), &["--out", words]);
    }
}

#[test]
fn a_first_row_of_data_is_no_header() {
    for (points, columns) in [
        ("0.7354219\n0.5\n0.6\n", "0.7354219"),
        ("7,0.7354219,7\n1,0.5,2\n2,0.6,3\n", "7"),
        ("NA,0.7354219\n0.1,0.5\n", "NA"),
    ] {
        let arguments = with(&format!("--columns {columns}")).replace("--out", "--cells 2 --out");
        let place = Place::new();
        place.write("points.csv", points);
        let run = place.run(&arguments);
        assert_eq!(run.code, 2, "{}", run.text());
        for word in ["points.csv", "no header", "would not be counted", "put a row with the names"] {
            assert!(run.stderr.contains(word), "`{word}` in {}", run.stderr);
        }
        assert!(!run.text().contains(CANARY), "{}", run.text());
        assert_eq!(place.names(), ["points.csv"]);
    }
}
