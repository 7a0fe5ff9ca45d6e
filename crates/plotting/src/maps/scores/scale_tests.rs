use super::*;
use crate::canvas::palette::{BEYOND, VIRIDIS};

fn scale(scores: &[f64]) -> Scale {
    Scale::covering(scores.iter().copied())
}

#[test]
fn the_least_score_is_at_the_start_and_the_most_at_the_end_whatever_their_signs() {
    for scores in [[0.01, 0.02, 0.5, 3.0], [-2.0, -1.5, 0.0, 7.0], [-5.0, -4.0, -3.0, -2.0], [0.0, 0.0, 0.0, 1.0]] {
        let scale = scale(&scores);
        let positions = scores.map(|score| scale.position(score));
        assert!(positions[0] == 0.0 && (positions[3] - 1.0).abs() < 1e-12, "{positions:?}");
        assert!(positions.is_sorted(), "{positions:?}");
    }
}

#[test]
fn scores_near_the_least_are_told_apart_beside_much_larger_ones() {
    let mut scores: Vec<f64> = (0..50).map(|i| 0.012 + 1e-4 * f64::from(i)).collect();
    scores.extend((0..50).map(|i| f64::from(i) + 1.0));
    let scale = scale(&scores);
    assert!(scale.position(0.0125) - scale.position(0.012) > 0.015);
    assert!(scale.position(26.0) - scale.position(1.0) > 0.2);
    assert_eq!(scale.colour(50.0), BEYOND);
}

/// Scores far above the least have one colour that is none of the scale, and the figure says from where on.
#[test]
fn scores_far_above_the_least_leave_the_colours_to_the_others() {
    let scores: Vec<f64> = (0..100).map(|i| 0.01 + 0.001 * f64::from(i).exp2()).collect();
    let far = scale(&scores);
    let end = (1.0 + 1e-9) * far.score_at(1.0);
    assert!(scores.iter().all(|score| (far.colour(*score) == BEYOND) == (*score > end)));
    assert_eq!(scores.iter().filter(|score| **score > end).count(), 24);
    let said = format!("above {}, up to {}", rounded(end), rounded(scores[99]));
    assert_eq!(far.beyond(), Some(said));
    let near = scale(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!((near.beyond(), near.colour(6.0)), (None, VIRIDIS.at(1.0)));
    assert!((0..=100).all(|i| VIRIDIS.at(f64::from(i) / 100.0) != BEYOND));
}

#[test]
fn equal_scores_have_one_colour_and_one_tick() {
    for scores in [&[0.3; 5][..], &[-0.3], &[0.0, 0.0], &[1.0, 1.0 + f64::EPSILON]] {
        let scale = scale(scores);
        assert_eq!(scale.position(scores[0]), 0.5);
        assert_eq!(scale.ticks().len(), 1);
    }
}

#[test]
fn ticks_have_one_digit_where_the_scale_holds_enough_of_them() {
    let texts = |least: f64, most: f64| {
        let scores: Vec<f64> = (0..100).map(|i| least * (most / least).powf(f64::from(i) / 99.0)).collect();
        scale(&scores).ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(texts(1.9, 210.0), ["2", "5", "10", "20", "50"]);
    // two of one digit are too few
    assert!(texts(0.011, 0.12).len() == 5);
}

#[test]
fn ticks_are_round_scores_at_their_places_from_end_to_end() {
    let scores: Vec<f64> = (0..100).map(|i| 0.012_711 * 1.04f64.powi(i)).collect();
    let scale = scale(&scores);
    let ticks = scale.ticks();
    for (position, text) in &ticks {
        let score: f64 = text.parse().unwrap_or(f64::NAN);
        assert!((scale.position(score) - position).abs() < 1e-9 && text.len() <= 5, "{text} at {position}");
    }
    assert!(ticks.len() == 4 && ticks[0].0 < 0.15 && ticks[3].0 > 0.85, "{ticks:?}");
}

#[test]
fn ticks_ascend_and_differ_for_every_range() {
    let ranges = [
        [-f64::MAX, 0.0, f64::MAX],
        [1e-280, 2e-280, 1e-270],
        [1.0, 1.0 + 1e-10, 1.0 + 3e-10],
        [-1.0, -1.0, 1e9],
        [0.0, 1.0, 1.0],
    ];
    for range in ranges {
        let ticks = scale(&range).ticks();
        assert!((2..=5).contains(&ticks.len()), "{range:?}: {ticks:?}");
        let ascend = ticks.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1);
        assert!(ascend && ticks.iter().all(|(at, _)| (0.0..=1.0).contains(at)), "{range:?}: {ticks:?}");
    }
}

#[test]
fn colours_grow_lighter_all_the_way() {
    let lightness = |i: i32| {
        let (r, g, b) = VIRIDIS.at(f64::from(i) / 100.0).rgb;
        0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
    };
    assert!((0..100).all(|i| lightness(i) < lightness(i + 1) + 0.5));
    assert_eq!((VIRIDIS.at(0.0).rgb, VIRIDIS.at(1.0).rgb), ((68, 1, 84), (253, 231, 37)));
    assert_eq!((VIRIDIS.at(-1.0), VIRIDIS.at(2.0)), (VIRIDIS.at(0.0), VIRIDIS.at(1.0)));
}
