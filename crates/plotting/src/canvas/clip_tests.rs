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
