use super::*;
use crate::canvas::palette::BLUE;
use crate::canvas::scene::Mark;
use crate::parts::axis::Axis;

#[test]
fn a_band_leaves_out_zero_from_where_an_end_crosses_it() {
    let t = [0.0, 1.0, 2.0, 3.0, 4.0];
    let found = without_zero(&t, &[-1.0, 1.0, 2.0, -2.0, -9.0], &[1.0, 3.0, 5.0, 5.0, -1.0]);
    let expected = [(0.5, 2.5), (3.0 + 5.0 / 6.0, 4.0)];
    let is_near = |(found, expected): (&(f64, f64), &(f64, f64))| {
        (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12
    };
    assert!(found.len() == 2 && found.iter().zip(&expected).all(is_near), "{found:?}");
    assert!(without_zero(&t, &[-1.0; 5], &[1.0; 5]).is_empty());
    assert_eq!(without_zero(&t, &[1.0; 5], &[2.0; 5]), [(0.0, 4.0)]);
}

#[test]
fn a_band_beyond_its_limits_is_marked_at_the_limit_and_nowhere_else() {
    let axis = Axis::covering([0.0, 4.0].into_iter(), 0.0, 5.0);
    let panel = Panel { left: 0.0, top: 0.0, width: 4.0, height: 40.0, x: &axis, y: &axis };
    let mut scene = Scene::default();
    let t = [0.0, 1.0, 2.0, 3.0, 4.0];
    draw_cut(&mut scene, &panel, (&t, &[5.0, 6.0, 2.0, -1.0, -2.0]), Some((0.0, 4.0)), BLUE);
    let lines: Vec<_> = scene
        .marks
        .iter()
        .filter_map(|mark| if let Mark::Line { points, .. } = mark { Some(points.clone()) } else { None })
        .collect();
    // inside the panel: below its upper end, and above its axis
    assert_eq!(lines, [vec![(3.0, 36.0), (4.0, 36.0)], vec![(0.0, 4.0), (1.0, 4.0)]]);
    assert!(
        is_cut([5.0].iter(), Some((0.0, 4.0)))
            && is_cut([4.0].iter(), Some((0.0, 4.0)))
            && !is_cut([3.9].iter(), Some((0.0, 4.0)))
            && !is_cut([5.0].iter(), None)
    );
}
