use super::*;

fn covered(points: &[Point]) -> Vec<(i32, i32, f64)> {
    let mut pixels = Vec::new();
    rasterise(points, &(-100..100), |x, y, coverage| pixels.push((x, y, coverage)));
    pixels
}

fn total(points: &[Point]) -> f64 {
    covered(points).iter().map(|pixel| pixel.2).sum()
}

#[test]
fn a_rectangle_covers_whole_pixels_and_the_parts_that_it_reaches_into() {
    let pixels = covered(&[(1.25, 2.0), (4.0, 2.0), (4.0, 3.5), (1.25, 3.5)]);
    let expected = [(1, 2, 0.75), (2, 2, 1.0), (3, 2, 1.0), (1, 3, 0.375), (2, 3, 0.5), (3, 3, 0.5)];
    assert_eq!(pixels, expected);
}

#[test]
fn a_polygon_covers_its_area_whichever_way_its_outline_turns() {
    let mut triangle = vec![(-3.3, 0.4), (40.1, 12.7), (7.9, 33.2)];
    let area = 0.5 * f64::abs(43.4 * 32.8 - 11.2 * 12.3);
    assert!((total(&triangle) - area).abs() < 0.01 * area);
    triangle.reverse();
    assert!((total(&triangle) - area).abs() < 0.01 * area);
}

#[test]
fn what_an_outline_winds_around_twice_is_inside() {
    let square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
    let twice: Vec<Point> = square.iter().chain(&square).copied().collect();
    assert_eq!(total(&twice), 100.0);
}
