//! Polylines cut off at the edge of a rectangle (Liang and Barsky, 1984).

use crate::canvas::scene::Point;

/// The parts of a polyline in the rectangle between two corners, edges included; the points inside stay as they are.
pub(crate) fn clipped(points: &[Point], low: Point, high: Point) -> Vec<Vec<Point>> {
    if let &[(x, y)] = points {
        let inside = (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y);
        return if inside { vec![vec![(x, y)]] } else { Vec::new() };
    }
    let mut parts: Vec<Vec<Point>> = Vec::new();
    let mut continues = false;
    for pair in points.windows(2) {
        let (from, to) = stretch_inside(pair[0], pair[1], low, high);
        if from <= to {
            let end = between(pair[0], pair[1], to, low, high);
            match parts.last_mut() {
                Some(part) if continues => part.push(end),
                _ => parts.push(vec![between(pair[0], pair[1], from, low, high), end]),
            }
        }
        continues = from <= to && to == 1.0;
    }
    parts
}

/// The fractions of a segment between which it is inside the rectangle; the first is the larger if no part is inside.
fn stretch_inside(a: Point, b: Point, low: Point, high: Point) -> (f64, f64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let edges = [(-dx, a.0 - low.0), (dx, high.0 - a.0), (-dy, a.1 - low.1), (dy, high.1 - a.1)];
    edges.into_iter().fold((0.0, 1.0), |(from, to): (f64, f64), (outwards, room)| {
        if outwards > 0.0 {
            (from, to.min(room / outwards))
        } else if outwards < 0.0 {
            (from.max(room / outwards), to)
        } else if room < 0.0 {
            (1.0, 0.0)
        } else {
            (from, to)
        }
    })
}

fn between(a: Point, b: Point, fraction: f64, low: Point, high: Point) -> Point {
    if fraction == 0.0 {
        return a;
    }
    if fraction == 1.0 {
        return b;
    }
    let (x, y) = (a.0 + fraction * (b.0 - a.0), a.1 + fraction * (b.1 - a.1));
    (x.clamp(low.0, high.0), y.clamp(low.1, high.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(points: &[Point]) -> Vec<Vec<Point>> {
        clipped(points, (0.0, 0.0), (1.0, 1.0))
    }

    #[test]
    fn a_line_inside_stays_as_it_is() {
        let line = vec![(0.0, 0.1), (0.3, 1.0), (1.0, 0.0), (0.7, 0.123_456_789)];
        assert_eq!(unit(&line), vec![line]);
    }

    #[test]
    fn a_line_is_cut_where_it_crosses_an_edge_and_comes_back_as_another_part() {
        let line = [(0.0, 0.5), (0.25, 1.5), (0.5, 0.5), (0.75, -1.5), (1.0, 0.5)];
        let parts = unit(&line);
        assert_eq!(
            parts,
            [
                vec![(0.0, 0.5), (0.125, 1.0)],
                vec![(0.375, 1.0), (0.5, 0.5), (0.5625, 0.0)],
                vec![(0.9375, 0.0), (1.0, 0.5)]
            ]
        );
    }

    #[test]
    fn a_segment_with_both_ends_outside_may_cross_or_miss() {
        assert_eq!(unit(&[(-1.0, -1.0), (3.0, 3.0)]), [vec![(0.0, 0.0), (1.0, 1.0)]]);
        assert_eq!(unit(&[(-1.0, 0.5), (0.5, 3.0)]), Vec::<Vec<Point>>::new());
        assert_eq!(unit(&[(0.2, 2.0), (0.8, 2.0)]), Vec::<Vec<Point>>::new());
    }

    #[test]
    fn everything_clipped_is_inside_and_a_long_way_out_is_no_harm() {
        let line: Vec<Point> =
            (0..200).map(|i| (f64::from(i) / 199.0, 0.5 + 1e8 * (0.7 * f64::from(i)).sin().powi(9))).collect();
        let parts = unit(&line);
        assert!(parts.len() > 20);
        assert!(parts.iter().flatten().all(|(x, y)| (0.0..=1.0).contains(x) && (0.0..=1.0).contains(y)));
    }

    #[test]
    fn a_lone_point_is_kept_if_inside() {
        assert_eq!(unit(&[(1.0, 0.5)]), [vec![(1.0, 0.5)]]);
        assert!(unit(&[(1.1, 0.5)]).is_empty() && unit(&[]).is_empty());
    }
}
