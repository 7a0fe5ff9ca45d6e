//! How figures look: title, names of the axes, size and kinds of files.

use crate::common::{Place, SMALL};
use serde_json::json;

const LOOK: [&str; 10] = [
    "--title",
    "Mean growth <2026>",
    "--x-label",
    "age (years)",
    "--y-label",
    "height",
    "--units",
    "cm",
    "--size",
    "640x480",
];

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.bytes(name)).unwrap()
}

fn release(place: &Place, out: &str, more: &[&str]) -> crate::common::Run {
    let usual = ["release", "small.csv", "--values", "v*", "--out", out];
    place.run_with(&[&usual[..], &crate::common::PUBLIC, more].concat())
}

#[test]
fn a_figure_has_the_title_the_names_and_the_size_that_were_asked_for_in_each_kind_of_file() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    release(&place, "out", &LOOK).succeeded();
    let svg = text(&place, "out/release.svg");
    for said in ["Mean growth &lt;2026&gt;", "age (years)", "height (cm)", "width=\"640\" height=\"480\""] {
        assert!(svg.contains(said), "{said}");
    }
    let pdf: String = place.bytes("out/release.pdf").into_iter().map(char::from).collect();
    assert!(pdf.starts_with("%PDF-1.7") && pdf.contains("/MediaBox [0 0 480.00 360.00]"));
    // a PNG has its size in bytes 16 to 24, two pixels for each CSS pixel
    let png = place.bytes("out/release.png");
    let number = |from: usize| u32::from_be_bytes(png[from..from + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (1280, 960));
}

#[test]
fn a_figure_is_written_as_the_kinds_of_files_that_were_asked_for() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    release(&place, "out", &["--formats", "pdf, svg"]).succeeded();
    let has = |out: &str| ["svg", "pdf", "png"].map(|kind| place.path(&format!("{out}/release.{kind}")).exists());
    assert_eq!(has("out"), [true, true, false]);
    place.run("smooth out/release.json --select sure --formats png --out smoothed").succeeded();
    assert_eq!(has("smoothed"), [false, false, true]);
    assert!(place.path("smoothed/selection.png").exists() && !place.path("smoothed/neighbours.svg").exists());
    let refused = release(&place, "other", &["--formats", "svg,jpg"]);
    assert!(refused.code == 2 && refused.stderr.contains("svg, pdf, png"), "{}", refused.stderr);
}

#[test]
fn the_names_of_the_axes_stand_in_the_release_and_stay_when_it_is_smoothed() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    release(&place, "out", &LOOK).succeeded();
    let labels = place.json("out/release.json")["labels"].clone();
    assert_eq!((labels["argument"].clone(), labels["value"].clone()), (json!("age (years)"), json!("height (cm)")));
    place.run("smooth out/release.json --kernel gaussian --out smoothed").succeeded();
    let svg = text(&place, "smoothed/release.svg");
    assert!(svg.contains("age (years)") && svg.contains("height (cm)") && svg.contains("Estimated mean function"));
    place
        .run_with(&["smooth", "out/release.json", "--kernel", "gaussian", "--out", "other", "--x-label", "weeks"])
        .succeeded();
    let svg = text(&place, "other/release.svg");
    assert!(svg.contains("weeks") && svg.contains("height (cm)"));
    place.run("report out/release.json").succeeded();
    assert!(text(&place, "report.html").contains("age (years) = "));
}

#[test]
fn a_comparison_is_drawn_as_svg_pdf_and_png() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    for out in ["a", "b"] {
        release(&place, out, &[]).succeeded();
    }
    for (file, begins) in [("d.svg", &b"<svg"[..]), ("d.pdf", b"%PDF"), ("d.png", b"\x89PNG")] {
        place
            .run_with(&["compare", "a/release.json", "b/release.json", "--figure", file, "--title", "Difference"])
            .succeeded();
        assert!(place.bytes(file).starts_with(begins), "{file}");
    }
    assert!(text(&place, "d.svg").contains("Difference"));
    let refused = place.run("compare a/release.json b/release.json --figure d.jpg");
    assert!(refused.code == 2 && refused.stderr.contains(".svg, .pdf or .png"), "{}", refused.stderr);
}

#[test]
fn a_histogram_shows_its_noise_and_what_might_be_empty() {
    let place = Place::new();
    let rows = (0..300).map(|i| format!("{}\n", 0.001 * f64::from(i))).collect::<Vec<_>>().concat();
    place.write("points.csv", &format!("x\n{rows}"));
    let density =
        "release points.csv --columns x --bounds 0,1 --epsilon 1 --cells 20 --out out --title Ages --size 600x400";
    place.run(density).succeeded();
    let svg = text(&place, "out/release.svg");
    assert!(svg.contains("Ages") && svg.contains("width=\"600\" height=\"400\""));
    assert!(svg.contains("privacy noise, ±2 sd (not a confidence band)"));
    // nobody is above 0.3
    assert!(svg.contains("not distinguishable from empty"));
    assert!(place.bytes("out/release.pdf").starts_with(b"%PDF"));
}

#[test]
fn a_look_that_no_figure_can_have_is_refused_before_anything_is_spent() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let long = "x".repeat(101);
    for (look, said) in [
        (["--size", "800"], "800x500"),
        (["--size", "0x500"], "240 to 4000"),
        (["--size", "800x1e9"], "240 to 4000"),
        (["--size", "nanx500"], "240 to 4000"),
        (["--title", ""], "1 to 100 characters"),
        (["--x-label", "two\nlines"], "1 to 100 characters"),
        (["--units", &long], "1 to 100 characters"),
    ] {
        let run = release(&place, "out", &look);
        assert!(run.code == 2 && run.stderr.contains(said), "{look:?}: {}", run.text());
    }
    assert_eq!(place.names(), ["small.csv"]);
}
