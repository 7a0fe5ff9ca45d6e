use super::*;

fn number(counts: &[f64], total: Option<f64>) -> u32 {
    called_for(counts, total, 1.0, 1.0).number()
}

#[test]
fn cells_are_half_octaves_of_the_norm_in_integers() {
    let whole = 1 << 44;
    for (squared, expected) in [
        (whole + 1, 0),
        (whole, 0),
        ((whole >> 1) + 1, 0),
        (whole >> 1, 1),
        ((whole >> 2) + 1, 1),
        (whole >> 2, 2),
        ((whole >> 12) + 1, 11),
        (whole >> 12, 12),
        (0, 12),
        (u64::MAX, 0),
    ] {
        assert_eq!(cell(squared, whole), expected, "{squared}");
    }
}

#[test]
fn a_point_of_the_simplex_is_nearest_where_what_is_taken_off_is_the_same_everywhere() {
    let counts = [5.0, -3.0, 40.0, 61.0, 2.0];
    let nearest = on_simplex(&counts, 100.0);
    assert!((nearest.iter().sum::<f64>() - 100.0).abs() < 1e-9);
    let taken = counts[2] - nearest[2];
    for (count, p) in counts.iter().zip(&nearest) {
        assert!(if *p > 0.0 { (count - p - taken).abs() < 1e-9 } else { *count <= taken }, "{count} {p}");
    }
    assert_eq!(on_simplex(&[3.0, 1.0], 4.0), [3.0, 1.0]);
}

#[test]
fn without_noise_the_ball_leaves_out_as_many_as_it_may() {
    // 100 records at each half octave: with mu = 1 at most 30.98 may lie outside
    let mut counts = [0.0; CELLS];
    counts[4] = 100.0;
    counts[5] = 900.0;
    // outside radius 2^(-4/2): none, outside 2^(-5/2): 100
    let expected: f64 = 4.0 * (4.0 + 30.983_866_769_659_336 / 100.0);
    assert_eq!(f64::from(number(&counts, Some(1000.0))), expected.floor());
    assert_eq!(number(&counts, trusted_total(&counts, None, 1.0)), number(&counts, Some(1000.0)));
    // of two groups of which the smaller has a twentieth, 0.4 of it may
    let expected: f64 = 4.0 * (4.0 + 20.0 / 100.0);
    assert_eq!(f64::from(called_for(&counts, Some(1000.0), 0.05, 1.0).number()), expected.floor());
    assert!((outside(Some(1000.0), 0.05, 1.0) - 0.02).abs() < 1e-15);
    // everybody at the centre, everybody outside, nobody
    counts = [0.0; CELLS];
    counts[12] = 50.0;
    assert_eq!(number(&counts, Some(50.0)), SMALLEST_RADIUS);
    counts = [0.0; CELLS];
    counts[0] = 1e6;
    assert_eq!(number(&counts, Some(1e6)), 0);
    assert_eq!(number(&[0.0; CELLS], trusted_total(&[0.0; CELLS], None, 1.0)), 0);
    assert_eq!(number(&[-5.0; CELLS], trusted_total(&[-5.0; CELLS], None, 1.0)), 0);
}

#[test]
fn noise_in_empty_cells_far_outside_does_not_add_up() {
    let mut counts = [8.0, -7.0, 9.0, 3.0, -8.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    counts[6] = 1000.0;
    assert!(number(&counts, Some(1000.0)) >= 24, "the raw counts leave out 34 records at the first cells");
}
