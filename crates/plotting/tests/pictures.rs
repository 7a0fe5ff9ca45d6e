//! A golden picture of every type of figure: the bytes of its SVG, of made-up data and a seed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[path = "pictures/curves.rs"]
mod curves;
#[path = "pictures/densities.rs"]
mod densities;
#[path = "pictures/others.rs"]
mod others;
#[path = "pictures/people.rs"]
mod people;

use dpfda_plotting::{Drawing, FigureSize, Frame};

/// The name of a picture, and its figure in a frame.
type Picture = (&'static str, Box<dyn Fn(&Frame<'_>) -> Drawing>);

fn picture(name: &'static str, drawn: impl Fn(&Frame<'_>) -> Drawing + 'static) -> Picture {
    (name, Box::new(drawn))
}

fn all() -> Vec<Picture> {
    [curves::all(), densities::all(), others::all()].into_iter().flatten().collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/golden")
}

#[test]
fn every_type_of_figure_is_drawn_as_its_golden_picture_was() {
    let writes = std::env::var_os("DPFDA_WRITE").is_some();
    for (name, figure) in all() {
        let path = folder().join(format!("{name}.svg"));
        let drawn = figure(&Frame::default()).to_svg().unwrap();
        if writes {
            fs::write(path, drawn).unwrap();
        } else {
            let golden = fs::read_to_string(&path).unwrap();
            assert!(
                drawn == golden,
                "{name}: look at it, and write it with DPFDA_WRITE=1 cargo test -p dpfda-plotting"
            );
        }
    }
}

/// Writes every figure as SVG, PDF and PNG at its own size and at two others, to be looked at.
#[test]
fn every_type_of_figure_can_be_drawn_at_any_size() {
    let folder = std::env::var_os("DPFDA_LOOK").map(PathBuf::from);
    for (name, figure) in all() {
        for (size, width, height) in [("small", 400.0, 300.0), ("usual", 800.0, 530.0)] {
            let frame = Frame { size: FigureSize::new(width, height).ok(), ..Frame::default() };
            let drawn = figure(&frame);
            let svg = drawn.to_svg().unwrap();
            assert!(svg.starts_with("<svg"), "{name}");
            if let Some(folder) = &folder {
                fs::write(folder.join(format!("{name}-{size}.svg")), svg).unwrap();
                fs::write(folder.join(format!("{name}-{size}.pdf")), drawn.to_pdf().unwrap()).unwrap();
                fs::write(folder.join(format!("{name}-{size}.png")), drawn.to_png().unwrap()).unwrap();
            }
        }
    }
}

/// The texts of each figure at its own size, with the line breaks of its caption as spaces.
static TEXTS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let texts = |(name, figure): Picture| {
        let svg = figure(&Frame::default()).to_svg().unwrap().replace('\u{a0}', " ");
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split_once('>')?.1.split("</text>").next());
        (name, texts.map(str::trim).collect::<Vec<_>>().join(" "))
    };
    all().into_iter().map(texts).collect()
});

fn texts(name: &str) -> &'static str {
    &TEXTS[name]
}

#[test]
fn from_four_groups_on_each_group_has_a_panel_before_the_others() {
    let (two, five) = (texts("groups-two"), texts("groups-five"));
    assert!(two.contains("shift = 0 minus shift = 1") && two.contains("shift = 1 (N = 2000)"), "{two}");
    assert!(five.contains("the other groups") && (0..5).all(|i| five.contains(&format!("shift = {i} (N = 800)"))));
    assert!(!two.contains("the other groups") && !five.contains("minus"), "{five}");
}

#[test]
fn a_coefficient_has_a_unit_of_its_own_and_the_mean_is_of_people_that_there_are() {
    let said = texts("regression");
    for words in ["mean at age = 60, arm = usual", "change (mg/dL per unit of age)", "change (mg/dL)", "no effect"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("intercept"));
}

#[test]
fn a_figure_of_a_release_says_its_budget_and_its_band_once() {
    for name in ["mean", "change", "rows", "difference", "groups-two", "groups-five", "regression", "surface"] {
        let said = texts(name);
        assert!(said.contains("(ε, δ) = (") && said.contains("N = "), "{name}: {said}");
        assert_eq!(said.matches("95% band").count(), 1, "{name}: {said}");
    }
    for name in ["scree", "modes", "covariance", "synthetic", "neighbours", "density", "density-three-axes"] {
        assert!(texts(name).contains("(ε, δ) = ("), "{name}");
    }
    let comparison = texts("difference");
    assert!(comparison.contains("night shift: (ε, δ) = (1, ") && comparison.contains("day shift: (ε, δ) = (0.5, "));
}

#[test]
fn what_a_density_does_not_know_of_its_noise_it_says() {
    for name in ["density-without-band", "density-three-axes"] {
        assert!(texts(name).contains("no band: "), "{name}");
    }
    assert!(!texts("density").contains("no band"));
}

#[test]
fn each_centile_is_in_its_band_in_a_panel_of_its_own_before_the_others() {
    let said = texts("centiles");
    for words in ["all centiles", "5% in its band", "50% in its band", "95% in its band", "the other centiles"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn captions_say_kernels_in_words_and_no_mu() {
    for name in ["mean", "surface", "regression", "centiles"] {
        let said = texts(name);
        assert!(!["μ", "matern", "gaussian", "R^2"].iter().any(|word| said.contains(word)), "{name}: {said}");
    }
}
