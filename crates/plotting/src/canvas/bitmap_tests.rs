use super::*;
use crate::canvas::palette::{PAPER, Paint};

fn pixels(file: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn the_bands_of_a_figure_join_without_a_seam() {
    assert!(font::check().is_ok());
    let mut scene = Scene { width: 150.5, height: 97.25, ..Scene::default() };
    let wave = |i: i32| (f64::from(i) * 1.55, 50.0 + 45.0 * (f64::from(i) * 0.11).sin());
    let paint = Paint { alpha: 0.37, ..PAPER };
    let paint = Paint { rgb: (10, 90, 200), ..paint };
    let below = (0..100).rev().map(|i| (wave(i).0, wave(i).1 + 11.3));
    scene.area((0..100).map(wave).chain(below).collect(), paint);
    scene.area(vec![(20.0, 3.0), (27.0, 90.0), (33.0, 5.0)], Paint { alpha: 1.0, ..paint });
    scene.line((0..100).map(wave).collect(), 1.7, Paint { alpha: 0.8, ..paint });
    scene.text("gjÅ|across", (75.0, 47.0), 31.0, Anchor::Middle, paint);
    scene.upward_text("gjÅ|upwards", (120.0, 60.0), 14.0, paint);
    let whole = pixels(&png_in_bands(&scene, 1 << 12).unwrap());
    assert!(whole.iter().any(|byte| *byte < 100));
    for band in [2, 16, 54, 256] {
        assert!(pixels(&png_in_bands(&scene, band).unwrap()) == whole, "{band}");
    }
}
