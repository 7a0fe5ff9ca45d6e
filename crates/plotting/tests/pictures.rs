//! A golden picture of every type of figure: the bytes of its SVG, of made-up data and a seed.

use std::fs;
use std::path::{Path, PathBuf};

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
