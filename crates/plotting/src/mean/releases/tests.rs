#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::canvas::palette::{BLUE, NEIGHBOURS, Paint};
use crate::canvas::scene::Mark;
use crate::parts::header::{CURATOR_STAMP, SEED_STAMP};
use crate::samples::{assert_on_the_figure, assert_readable, raw, text_boxes, wave, with_values};

fn figure() -> Figure {
    Figure::of_few_layers(vec![wave("", 93, 0.01)])
}

#[test]
fn an_svg_has_its_size_in_css_pixels_and_finer_coordinates() {
    let svg = figure().to_svg().unwrap();
    let root = svg.split_once('>').unwrap().0;
    let height: u32 = root.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    assert!(root.contains("width=\"800\""), "{root}");
    assert!(root.contains(&format!("viewBox=\"0 0 3200 {}\"", 4 * height)), "{root}");
    assert!(svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("font-family=\"DejaVu Sans, Verdana, sans-serif\""));
}

#[test]
fn a_png_decodes_and_has_two_pixels_for_each_css_pixel() {
    let png = figure().to_png().unwrap();
    let scene = figure().scene().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((f64::from(info.width), f64::from(info.height)), (2.0 * scene.width, 2.0 * scene.height));
    let blue = pixels.chunks_exact(3).filter(|pixel| *pixel == [0, 114, 178]).count();
    let ink = pixels.chunks_exact(3).filter(|pixel| pixel.iter().all(|c| *c < 60)).count();
    assert!(blue > 3000 && ink > 3000, "{blue} {ink}");
}

#[test]
fn the_caption_and_the_meaning_of_the_ribbon_are_on_the_figure() {
    let svg = figure().title("Mean growth").axes("age", "height").to_svg().unwrap();
    for text in [
        "Mean growth",
        "(ε, δ) = (1, 10⁻⁵)",
        "N = 142",
        "smoother Matérn 5/2 kernel",
        "privacy noise, ±2 sd (not a confidence band)",
        "age",
        "height",
    ] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn long_names_of_axes_keep_their_units_and_stay_on_the_page() {
    let name = |words: usize| format!("{} (mmol/l)", vec!["concentration"; words].join(" "));
    for (width, height) in [(800.0, 500.0), (420.0, 320.0)] {
        for words in 1..9 {
            let size = crate::FigureSize::new(width, height).unwrap();
            let figure = figure().size(size).axes(&name(words), &name(words));
            let scene = figure.scene().unwrap();
            assert_readable(&scene);
            let svg = figure.to_svg().unwrap();
            // texts that a pointer shows are not on the page
            let written = svg.lines().filter(|line| line.contains("(mmol/l)") && !line.contains("<title>")).count();
            assert_eq!(written, 2, "{words} words on {width} x {height}: {svg}");
            let page = [4.0 * scene.width, 4.0 * scene.height];
            for text in svg.split("<text ").skip(1) {
                let place = |name: &str| -> f64 {
                    text.split(name).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
                };
                let at = [place("x=\""), place("y=\"")];
                let is_inside = at.iter().zip(&page).all(|(at, end)| (0.0..=*end).contains(at));
                assert!(is_inside || text.contains("rotate"), "{text}");
            }
        }
    }
}

#[test]
fn texts_are_escaped_and_free_of_control_characters() {
    let svg = figure().title("<script>\u{0}&\"'").axes("<x>", "a & b").to_svg().unwrap();
    assert!(svg.contains("&lt;script&gt; &amp;&quot;&apos;") && svg.contains("&lt;x&gt;") && svg.contains("a &amp; b"));
    assert!(!svg.contains("<script") && !svg.contains("<x>") && !svg.contains('\u{0}'));
}

#[test]
fn the_watermark_is_there_exactly_when_private_curves_are() {
    let public = figure().to_svg().unwrap();
    assert!(!public.contains("NOT PRIVATE") && !public.contains("raw"));
    let curator = figure().with_private_layer(NonPrivate::new(raw(5))).to_svg().unwrap();
    assert!(curator.matches(CURATOR_STAMP).count() > 5);
    assert!(curator.contains("Do not publish.") && curator.contains("raw mean") && curator.contains("raw curves (5)"));
}

#[test]
fn the_curators_curves_do_not_show_in_debug_output() {
    let curator = figure().with_private_layer(NonPrivate::new(raw(5)));
    assert!(format!("{curator:?}").contains("NonPrivate(..)"));
}

#[test]
fn noise_from_a_seed_is_stamped() {
    let mut layer = wave("", 93, 0.01);
    assert!(!figure().to_svg().unwrap().contains(SEED_STAMP));
    layer.is_private = false;
    assert!(Figure::of_few_layers(vec![layer]).to_svg().unwrap().contains(SEED_STAMP));
}

#[test]
fn the_same_release_gives_the_same_bytes() {
    assert_eq!(figure().to_svg().unwrap(), figure().to_svg().unwrap());
    assert_eq!(figure().to_png().unwrap(), figure().to_png().unwrap());
}

#[test]
fn an_empty_title_leaves_no_title() {
    let titled = figure().scene().unwrap();
    let untitled = figure().title("").scene().unwrap();
    assert!(untitled.height < titled.height);
    assert!(!figure().title(" ").to_svg().unwrap().contains("Released mean function"));
}

#[test]
fn a_comparison_has_between_one_and_twelve_releases() {
    let layers = |n: usize| vec![wave("a", 5, 0.01); n];
    assert_eq!(Figure::of_layers(layers(0)).unwrap_err(), FigureError::NoReleases);
    assert_eq!(
        Figure::of_layers(layers(13)).unwrap_err(),
        FigureError::TooMany { what: "releases", found: 13, most: 12 }
    );
    assert!(Figure::of_layers(layers(12)).is_ok());
}

fn neighbours(n: usize) -> Vec<Layer> {
    (0..n)
        .map(|i| with_values(&format!("penalty {i}"), wave("", 93, 0.0).t, vec![0.1 * i as f64; 93], vec![0.0; 93]))
        .collect()
}

#[test]
fn neighbours_are_thin_lines_below_the_function_each_with_its_name() {
    let scene = figure().with_neighbouring_layers(neighbours(6)).unwrap().scene().unwrap();
    let lines: Vec<(Paint, f64)> = scene
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Line { points, width, paint } if points.len() == 93 => Some((*paint, *width)),
            _ => None,
        })
        .collect();
    let paints: Vec<Paint> = lines.iter().map(|line| line.0).collect();
    assert_eq!(paints, [&NEIGHBOURS[..], &[BLUE]].concat());
    assert!(lines[..6].iter().all(|line| line.1 < lines[6].1));
    let texts: Vec<String> = text_boxes(&scene).into_iter().map(|(text, _)| text).collect();
    assert!((0..6).all(|i| texts.contains(&format!("penalty {i}"))), "{texts:?}");
    assert_readable(&scene);
    assert_on_the_figure(&scene);
}

#[test]
fn neighbours_belong_to_one_release_on_its_grid() {
    let refused = |figure: Figure, neighbours: Vec<Layer>| figure.with_neighbouring_layers(neighbours).unwrap_err();
    let several = Figure::of_layers(vec![wave("a", 93, 0.01), wave("b", 93, 0.01)]).unwrap();
    assert_eq!(refused(several, neighbours(1)), FigureError::SeveralReleases { found: 2 });
    let too_many = FigureError::TooMany { what: "neighbours of a release", found: 7, most: 6 };
    assert_eq!(refused(figure(), neighbours(7)), too_many);
    let mut others = neighbours(2);
    others[1] = wave("", 92, 0.01);
    assert_eq!(refused(figure(), others), FigureError::OtherGrid { neighbour: 1 });
    let mut others = neighbours(3);
    others[2].facts[0] = "(ε, δ) = (2, 10⁻⁵)".to_owned();
    assert_eq!(refused(figure(), others), FigureError::OtherRelease { neighbour: 2 });
}

#[test]
fn a_neighbour_with_noise_from_a_seed_gets_the_figure_its_stamp() {
    let mut others = neighbours(2);
    assert!(!figure().with_neighbouring_layers(others.clone()).unwrap().to_svg().unwrap().contains(SEED_STAMP));
    others[1].is_private = false;
    assert!(figure().with_neighbouring_layers(others).unwrap().to_svg().unwrap().contains(SEED_STAMP));
}

#[test]
fn a_long_name_of_a_neighbour_is_shortened() {
    let mut others = neighbours(1);
    others[0].label = "a long name ".repeat(50);
    assert_readable(&figure().with_neighbouring_layers(others).unwrap().scene().unwrap());
}

#[test]
fn a_figure_has_the_size_that_was_asked_for_and_its_texts_have_room() {
    for (width, height) in [(800.0, 500.0), (500.0, 420.0), (1600.0, 900.0), (700.0, 1200.0)] {
        let size = crate::FigureSize::new(width, height).unwrap();
        let scene = figure().size(size).scene().unwrap();
        assert_eq!(scene.width, width);
        assert!((scene.height - height).abs() <= 1.0, "{} is not {height}", scene.height);
        assert_readable(&scene);
        assert_on_the_figure(&scene);
    }
    // the texts take more than was asked for
    let low = figure().size(crate::FigureSize::new(300.0, 240.0).unwrap()).scene().unwrap();
    assert!(low.width == 300.0 && low.height >= 240.0);
    for (width, height) in [(0.0, 500.0), (800.0, 10_000.0), (f64::NAN, 500.0), (800.0, f64::INFINITY)] {
        assert!(crate::FigureSize::new(width, height).is_err(), "{width} {height}");
    }
}

#[test]
fn a_ribbon_that_is_too_thin_to_see_is_said_to_be() {
    let said = |sd: f64| {
        let scene = Figure::of_few_layers(vec![wave("", 93, sd)]).scene().unwrap();
        text_boxes(&scene).iter().any(|(text, _)| text.contains("(thinner than the line)"))
    };
    assert!(said(1e-6) && !said(0.01));
}

#[test]
fn pointing_at_the_curve_tells_its_numbers() {
    let svg = figure().axes("age <b>", "height").to_svg().unwrap();
    let titles: Vec<&str> = svg.split("<title>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(titles.len(), 93);
    assert_eq!(titles[0], "age &lt;b&gt; = 0: 0.6, from 0.58 to 0.62");
    let scene = figure().scene().unwrap();
    let across: f64 = scene.spots.iter().map(|spot| spot.width).sum();
    assert!(across > 600.0 && across < scene.width, "{across}");
    assert!(scene.spots.windows(2).all(|pair| (pair[0].corner.0 + pair[0].width - pair[1].corner.0).abs() < 1e-9));
}

#[test]
fn the_watermark_lies_below_every_text_and_above_every_curve() {
    let scene = figure().with_private_layer(dpfda_privacy::NonPrivate::new(raw(9))).scene().unwrap();
    let is_stamp =
        |mark: &Mark| matches!(mark, Mark::Text(text) if text.words == CURATOR_STAMP && text.paint.alpha < 1.0);
    let first = scene.marks.iter().position(is_stamp).unwrap();
    let last = scene.marks.iter().rposition(is_stamp).unwrap();
    assert!(scene.marks[..first].iter().all(|mark| !matches!(mark, Mark::Text(_))));
    assert!(scene.marks[last + 1..].iter().all(|mark| matches!(mark, Mark::Text(_))) && last + 1 < scene.marks.len());
}

#[test]
fn a_pdf_is_a_page_of_the_size_of_the_figure() {
    let scene = figure().scene().unwrap();
    let pdf = figure().to_pdf().unwrap();
    let size = format!("/MediaBox [0 0 {:.2} {:.2}]", 0.75 * scene.width, 0.75 * scene.height);
    assert!(pdf.starts_with(b"%PDF") && pdf.windows(size.len()).any(|bytes| bytes == size.as_bytes()));
    assert_eq!(pdf, figure().to_pdf().unwrap());
}
