use std::collections::HashMap;

use super::*;

fn covered(points: &[Point], width: f64) -> HashMap<(i32, i32), f64> {
    let mut pixels: HashMap<(i32, i32), f64> = HashMap::new();
    rasterise(points, width, &(-1000..1000), |x, y, coverage| {
        let pixel = pixels.entry((x, y)).or_default();
        *pixel = pixel.max(coverage);
    });
    pixels
}

#[test]
fn a_line_covers_its_area() {
    for end in [(100.0, 0.0), (0.0, 100.0), (60.0, 80.0), (-80.0, 60.0)] {
        let area: f64 = covered(&[(0.0, 0.0), end], 6.0).values().sum();
        let expected = 600.0 + 9.0 * std::f64::consts::PI;
        assert!((area - expected).abs() < 0.03 * expected, "{end:?}: {area}");
    }
}

#[test]
fn a_line_that_turns_back_has_no_hole() {
    let pixels = covered(&[(0.0, 0.0), (50.0, 40.0), (0.0, 1.0), (50.0, 41.0)], 4.0);
    assert!((5..45).all(|x| pixels.get(&(x, x * 4 / 5)) == Some(&1.0)));
}

#[test]
fn a_repeated_point_is_a_dot() {
    let area: f64 = covered(&[(10.0, 10.0), (10.0, 10.0)], 8.0).values().sum();
    assert!((area - 16.0 * std::f64::consts::PI).abs() < 2.0, "{area}");
}
