use super::*;

fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum()
}

#[test]
fn dashes_have_their_length_around_corners_too() {
    let path = [(0.0, 0.0), (10.0, 0.0), (10.0, 3.0), (30.0, 3.0), (30.0, 3.0), (0.0, 3.0)];
    let dashes = dashed(&path, (7.0, 4.0));
    let (last, whole) = dashes.split_last().unwrap_or((&dashes[0], &[]));
    assert!(whole.iter().all(|dash| (length(dash) - 7.0).abs() < 1e-9), "{dashes:?}");
    assert!(length(last) <= 7.0 + 1e-9);
    // 63 long: five dashes with their gaps, and the rest of 8 a dash and a bit of a gap.
    assert_eq!(dashes.len(), 6);
    assert!(whole.windows(2).all(|pair| pair[0].last() != pair[1].first()));
}

#[test]
fn twelve_looks_differ() {
    let drawn = |index: usize| {
        let mut scene = Scene::default();
        Look::of(index).draw_line(&mut scene, &[(0.0, 0.0), (30.0, 0.0)]);
        let line = scene.marks.clone();
        scene.marks.clear();
        Look::of(index).draw_marker(&mut scene, (0.0, 0.0));
        (line, scene.marks)
    };
    for i in 0..MOST_LOOKS {
        for j in 0..i {
            assert!(drawn(i).0 != drawn(j).0 && drawn(i).1 != drawn(j).1, "{i} and {j}");
        }
    }
}
