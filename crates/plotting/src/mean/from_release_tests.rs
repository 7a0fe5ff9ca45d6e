#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Gaussian, Grid, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness, SystemRandomness};
use dpfda_release::{Mean, PrivateMean};
use dpfda_smoothing::{Ball, Center};
use ndarray::Array2;

use super::*;

fn curves(rows: usize) -> CurveSet {
    let grid = Grid::uniform(0.0, 1.0, 21).unwrap();
    let value = |row: usize, column: usize| 0.5 + 0.1 * (0.3 * column as f64).sin() + 0.01 * (row % 7) as f64;
    CurveSet::new(grid, Array2::from_shape_fn((rows, 21), |(row, column)| value(row, column))).unwrap()
}

fn mean() -> PrivateMean {
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.25).unwrap(), budget)
        .buying(dpfda_release::BallShares::NONE)
}

fn smoother(kernel: impl Into<Kernel>) -> PenalizedMean {
    PenalizedMean::new(kernel.into(), 0.001, 1.0).unwrap()
}

/// All texts of an SVG, with the line breaks of the caption as spaces.
fn texts(svg: &str) -> String {
    let lines = svg.split("<text").skip(1).filter_map(|text| text.split_once('>')?.1.split("</text>").next());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_caption_states_all_that_is_public() {
    let mean = mean().smoother(&smoother(Matern::new(2.5, 0.05).unwrap()));
    let release = mean.release(&curves(150), &mut SystemRandomness::new().unwrap()).unwrap();
    let texts = texts(&Figure::release(&release).to_svg().unwrap());
    for fact in [
        "(ε, δ) = (1, 10⁻⁵)",
        "neighbours: substitute one curve",
        "unit: curve, N = 150",
        "centre 0.5, largest distance 0.25",
        "white noise",
        "smoother Matérn 5/2 kernel, range 0.05, penalty 0.001, power 1",
    ] {
        assert!(texts.contains(fact), "{fact} is not in {texts}");
    }
    assert!(!texts.contains("NOT PRIVATE"));
}

#[test]
fn an_estimated_count_is_not_written_as_exact() {
    let release = mean()
        .neighbours(NeighbouringRelation::AddRemoveOne)
        .release(&curves(150), &mut SeededRandomness::from_seed(1))
        .unwrap();
    let texts = texts(&Figure::release(&release).to_svg().unwrap());
    assert!(texts.contains("neighbours: add or remove one curve") && texts.contains("(noisy)"), "{texts}");
    assert!(texts.contains("NOISE FROM A SEED: NOT PRIVATE"));
}

#[test]
fn a_comparison_shows_labels_and_what_differs() {
    let release = mean().release(&curves(150), &mut SeededRandomness::from_seed(1)).unwrap();
    let other = release.smoothed(&smoother(Gaussian::new(0.05).unwrap())).unwrap();
    let svg = Figure::compare(&[("default", &release), ("smooth <1>", &other)]).unwrap().to_svg().unwrap();
    let texts = texts(&svg);
    assert!(texts.contains("default") && texts.contains("smooth &lt;1&gt;") && texts.contains("Gaussian kernel"));
    assert_eq!(texts.matches("(ε, δ)").count(), 1);
    assert_eq!(Figure::compare(&[]).unwrap_err(), FigureError::NoReleases);
}

#[test]
fn private_curves_come_with_the_watermark() {
    let release = mean().release(&curves(950), &mut SeededRandomness::from_seed(1)).unwrap();
    let figure = Figure::release(&release).with_private_curves(NonPrivate::new(&curves(950)));
    let svg = figure.to_svg().unwrap();
    assert!(svg.contains("NOT PRIVATE - CURATOR ONLY") && svg.contains("raw curves (317 of 950)"));
    assert!(figure.to_png().is_ok());
}

#[test]
fn kernels_are_named_with_their_ranges() {
    let matern = |nu: f64| Kernel::from(Matern::new(nu, 0.1).unwrap());
    assert_eq!(kernel_fact(&matern(0.5)), "Matérn 1/2 kernel, range 0.1");
    assert_eq!(kernel_fact(&matern(1.0)), "Matérn 1 kernel, range 0.1");
    assert_eq!(kernel_fact(&matern(0.7)), "Matérn 0.7 kernel, range 0.1");
    let gaussian = Kernel::from(Gaussian::new(0.2).unwrap());
    let sum = matern(1.5) + gaussian.scaled(2.0).unwrap();
    assert_eq!(kernel_fact(&sum), "(Matérn 3/2 kernel, range 0.1 + 2 × Gaussian kernel, range 0.2)");
}

#[test]
fn a_release_that_is_mostly_the_centre_says_so_and_no_other_does() {
    let caption = |penalty: f64| {
        let mean = mean().kernel(Matern::new(2.5, 0.25).unwrap()).penalty(penalty);
        let release = mean.release(&curves(150), &mut SystemRandomness::new().unwrap()).unwrap();
        texts(&Figure::release(&release).to_svg().unwrap())
    };
    assert!(caption(1e3).contains("mostly the centre: only 0 % of the leading component is kept"));
    assert!(!caption(1e-3).contains("mostly the centre"));
}

#[test]
fn neighbours_are_the_same_release_through_other_smoothers() {
    let release = |epsilon: f64| {
        let budget = PrivacyBudget::new(epsilon, 1e-5).unwrap();
        let mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.25).unwrap(), budget)
            .buying(dpfda_release::BallShares::NONE);
        mean.release(&curves(150), &mut SystemRandomness::new().unwrap()).unwrap()
    };
    let chosen = release(1.0);
    let wider = chosen.smoothed(&smoother(Gaussian::new(0.2).unwrap())).unwrap();
    let svg = Figure::release(&chosen).with_neighbours(&[("range 0.2", &wider)]).unwrap().to_svg().unwrap();
    assert!(svg.contains("range 0.2") && !svg.contains("NOT PRIVATE"));
    let other = Figure::release(&chosen).with_neighbours(&[("range 0.2", &wider), ("b", &release(0.5))]);
    assert_eq!(other.unwrap_err(), FigureError::OtherRelease { neighbour: 1 });
    let several = Figure::compare(&[("a", &chosen), ("b", &wider)]).unwrap();
    assert_eq!(several.with_neighbours(&[]).unwrap_err(), FigureError::SeveralReleases { found: 2 });
}

#[test]
fn the_curve_of_a_domain_that_closes_up_is_drawn_to_its_end_where_it_has_its_first_value() {
    let grid = Grid::circle(0.0, 24.0, 12).unwrap();
    let wave = |k: usize| 0.5 + 0.1 * (std::f64::consts::TAU * (k as f64 + 1.0) / 12.0).cos();
    let values = Array2::from_shape_fn((150, 12), |(row, k)| wave(k) + 0.01 * (row % 7) as f64);
    let curves = CurveSet::new(grid, values).unwrap();
    let release = mean().release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
    let estimated =
        dpfda_analysis::Estimated::<Mean>::new(release.clone(), &dpfda_analysis::Band::default(), 0.95).unwrap();
    let facts = estimated.facts();
    let about = About::of(estimated.drawn(), &facts);
    for drawn in [layer("", &release), layer_of_estimate(estimated.mean(), "", &about)] {
        let last = drawn.t.len() - 1;
        assert_eq!((drawn.t[0], drawn.t[last]), (0.0, 24.0));
        for line in [&drawn.value, &drawn.lower, &drawn.upper] {
            assert_eq!(line.len(), drawn.t.len());
            assert!((line[0] - line[last]).abs() < 1e-12, "{} {}", line[0], line[last]);
        }
    }
    let people = private_layer(&curves, 100);
    assert_eq!((people.t.len(), people.t[12], people.mean[12]), (13, 24.0, people.mean[0]));
    assert!(people.curves.iter().all(|curve| curve.len() == 13 && curve[12] == curve[0]));
}

#[test]
fn captions_have_words_for_kernels_few_digits_and_no_symbol_that_only_summaries_explain() {
    let fact = Fact::new("estimate", "")
        .captioned("most weight (95%): matern52 kernel, range 0.0712345, centre 126.5625, N = 12345");
    let fact = fact.captioned("mu = 0.2681").captioned("R^2 at least 0.552");
    let expected =
        ["most weight (95%): Matérn 5/2 kernel, range 0.07123, centre 126.6, N = 12345", "R² at least 0.552"];
    assert_eq!(captions(&[fact]).collect::<Vec<_>>(), expected);
    // what was promised is not rounded
    let budget = Fact::new("privacy", "").captioned("(epsilon, delta) = (0.693147, 1e-5)");
    assert_eq!(captions(&[budget]).collect::<Vec<_>>(), ["(ε, δ) = (0.693147, 10⁻⁵)"]);
}
