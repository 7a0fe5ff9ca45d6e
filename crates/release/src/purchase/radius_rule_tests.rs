#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

/// The half norm of length 0.15 under substitute-one.
const HALF: Weighing =
    Weighing { noise: 4.0 * 6.684_183_584_922_764, pull: 1.0, untrusted: NestedRadius::STATED, outside: MOST_OUTSIDE };

fn distances(counts: &[f64], sizes: &[f64], mu: f64) -> Distances {
    Distances::new(counts, sizes.iter().copied().map(Some).collect(), mu, mu)
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

/// `mu` of (1, 1e-5).
const MU: f64 = 0.268_051_123_211_294;

#[test]
fn the_radius_of_noisy_counts_agrees_with_golden_values() {
    // counts of 376 records, mu, the radii of the limit and of least risk, the excess at the radius, and the largest share outside
    let golden: [([f64; CELLS], f64, u32, u32, f64, f64); 10] = [
        (
            [3.0, -5.0, 2.0, 8.0, 70.0, 95.0, 180.0, 40.0, -7.0, 2.0, 1.0, -6.0, 4.0],
            0.268_051_123_211_294,
            21,
            21,
            0.010_845_290_492_220_225,
            0.307_418_599_839_929_9,
        ),
        (
            [3.0, -5.0, 2.0, 8.0, 70.0, 95.0, 180.0, 40.0, -7.0, 2.0, 1.0, -6.0, 4.0],
            0.920_913_966_613_283_4,
            17,
            17,
            0.002_825_065_568_354_969_7,
            0.089_480_563_842_659_32,
        ),
        (
            [12.0, 9.0, 20.0, 31.0, 60.0, 120.0, 90.0, 30.0, 6.0, -4.0, 2.0, 1.0, -1.0],
            0.268_051_123_211_294,
            19,
            15,
            0.020_646_334_344_759_775,
            0.307_418_599_839_929_9,
        ),
        (
            [12.0, 9.0, 20.0, 31.0, 60.0, 120.0, 90.0, 30.0, 6.0, -4.0, 2.0, 1.0, -1.0],
            0.920_913_966_613_283_4,
            10,
            10,
            0.008_604_602_713_205_135,
            0.089_480_563_842_659_32,
        ),
        (
            [-30.0, 41.0, -22.0, 18.0, 9.0, 130.0, 220.0, 33.0, -25.0, 14.0, -8.0, 6.0, -9.0],
            0.268_051_123_211_294,
            22,
            22,
            0.007_343_854_487_481_574,
            0.307_418_599_839_929_9,
        ),
        (
            [-30.0, 41.0, -22.0, 18.0, 9.0, 130.0, 220.0, 33.0, -25.0, 14.0, -8.0, 6.0, -9.0],
            0.920_913_966_613_283_4,
            20,
            19,
            0.002_816_351_410_033_421_6,
            0.089_480_563_842_659_32,
        ),
        (
            [210.0, 90.0, 40.0, 20.0, 10.0, 5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            0.268_051_123_211_294,
            2,
            2,
            0.021_573_980_140_509_74,
            0.307_418_599_839_929_9,
        ),
        (
            [210.0, 90.0, 40.0, 20.0, 10.0, 5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            0.920_913_966_613_283_4,
            0,
            1,
            0.0,
            0.089_480_563_842_659_32,
        ),
        (
            [2.0, -1.0, 0.0, 1.0, -2.0, 1.0, 0.0, 0.0, 2.0, -1.0, 3.0, 9.0, 362.0],
            0.268_051_123_211_294,
            48,
            48,
            0.000_168_363_580_037_723_51,
            0.307_418_599_839_929_9,
        ),
        (
            [2.0, -1.0, 0.0, 1.0, -2.0, 1.0, 0.0, 0.0, 2.0, -1.0, 3.0, 9.0, 362.0],
            0.920_913_966_613_283_4,
            48,
            48,
            0.000_168_363_580_037_723_51,
            0.089_480_563_842_659_32,
        ),
    ];
    for (counts, mu, limit, risk, excess, share) in golden {
        let distances = distances(&counts, &[376.0], mu);
        assert_eq!((distances.limit(376.0, MOST_OUTSIDE), distances.least_risk(&HALF)), (limit, risk), "{counts:?}");
        let radius = distances.radius(&HALF);
        assert_eq!(radius.number(), limit.min(risk));
        let found = distances.tail(0, 376.0).unwrap().excess(libm::exp2(-f64::from(radius.number()) / 8.0));
        assert!((found - excess).abs() <= 1e-9 * excess.max(1e-3), "{found} {excess}");
        assert!((distances.most_outside(376.0) - share).abs() <= 1e-9);
    }
}

#[test]
fn the_radius_of_every_kind_agrees_with_golden_values() {
    let counts = [2.0, -5.0, 8.0, 30.0, 120.0, 300.0, 350.0, 150.0, 60.0, -10.0, 5.0, 0.0, -4.0];
    let number = |weighing: Weighing, size: Option<f64>| {
        Distances::new(&counts, vec![size], MU, 0.1 * MU).radius(&weighing).number()
    };
    assert_eq!(number(HALF, Some(1000.0)), 17);
    // a circle
    assert_eq!(number(Weighing::of(4.0 * 6.343_723_749_655_195), Some(1000.0)), 17);
    // a private number of records, with second moments
    assert_eq!(number(Weighing::of(1.75 * 6.684_183_584_922_764), None), 16);
    // three levels of a covariate
    assert_eq!(number(Weighing { noise: 9.0 * HALF.noise, pull: 3.0, ..HALF }, Some(1000.0)), 18);
    assert!((most_outside(1000.0, MU, 9.0) - 0.346_768_180_619_440_9).abs() < 1e-12);
    // surfaces
    assert_eq!(number(Weighing::of(4.0 * 9.532_379_114_092_95), Some(1000.0)), 18);
    // two groups of 500
    let of_groups = [
        [1.0, -3.0, 4.0, 20.0, 90.0, 200.0, 150.0, 40.0, 5.0, -6.0, 2.0, 0.0, 1.0],
        [3.0, 10.0, 40.0, 120.0, 180.0, 90.0, 50.0, 10.0, -5.0, 2.0, 0.0, 1.0, -3.0],
    ];
    assert_eq!(distances(&of_groups.concat(), &[500.0, 500.0], MU).radius(&HALF).number(), 13);
}

#[test]
fn a_limit_that_counts_cannot_tell_is_read_from_the_tail() {
    // 1000 records of which 3 in 100 are farther than a quarter of the largest distance; one far count is high by its noise alone
    let counts = [26.0, -11.0, 8.0, 28.0, 118.0, 322.0, 367.0, 148.0, 13.0, -9.0, 4.0, 0.0, -20.0];
    let few = Weighing { pull: 0.0, outside: 0.02, ..HALF };
    let radius = |share: f64| Distances::new(&counts, vec![Some(1000.0)], MU, share * MU).radius(&few).number();
    // at most 10 / mu = 37 records, with counts of a standard deviation of 24
    assert_eq!(radius(0.05_f64.sqrt()), 15);
    // counts that tell so many are believed, the far one too
    assert_eq!(radius(0.9), 13);
    // 200 of 10000, of which 8 sqrt(15) / mu = 116 are let outside
    let many = counts.map(|count| 10.0 * count);
    let of_many = Distances::new(&many, vec![Some(10_000.0)], MU, 0.05_f64.sqrt() * MU).limit(10_000.0, 0.02);
    assert_eq!(of_many, 2);
}

#[test]
fn counts_that_say_nothing_leave_the_radius_that_a_kind_states() {
    let weighing = Weighing { untrusted: NestedRadius::new(8).unwrap(), ..HALF };
    let private = |counts: &[f64]| Distances::new(counts, vec![None], 1.0, 1.0).radius(&weighing).number();
    assert_eq!((private(&[0.0; CELLS]), private(&[-5.0; CELLS])), (8, 8));
    let mut counts = [0.0; CELLS];
    counts[12] = 7.0;
    assert_eq!(private(&counts), 8, "less than 5 sqrt(2) records");
    counts[12] = 7.1;
    assert_eq!(private(&counts), SMALLEST_RADIUS);
    assert_eq!(distances(&counts, &[7.0], 1.0).radius(&weighing).number(), 8, "so few, and their number is public");
}

#[test]
fn without_noise_the_ball_leaves_out_as_many_as_it_may() {
    // 100 records at each half octave: with mu = 1 at most 30.98 may lie outside
    let mut counts = [0.0; CELLS];
    counts[4] = 100.0;
    counts[5] = 900.0;
    // outside radius 2^(-4/2): none, outside 2^(-5/2): 100
    let expected: f64 = 4.0 * (4.0 + 30.983_866_769_659_336 / 100.0);
    assert_eq!(f64::from(distances(&counts, &[1000.0], 1.0).limit(1000.0, MOST_OUTSIDE)), expected.floor());
    // everybody at the centre, everybody outside
    counts = [0.0; CELLS];
    counts[12] = 50.0;
    assert_eq!(distances(&counts, &[50.0], 1.0).limit(50.0, MOST_OUTSIDE), SMALLEST_RADIUS);
    counts = [0.0; CELLS];
    counts[0] = 1e6;
    assert_eq!(distances(&counts, &[1e6], 1.0).limit(1e6, MOST_OUTSIDE), 0);
}

#[test]
fn noise_in_empty_cells_far_outside_does_not_add_up() {
    let mut counts = [8.0, -7.0, 9.0, 3.0, -8.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    counts[6] = 1000.0;
    assert!(
        distances(&counts, &[1000.0], 1.0).limit(1000.0, MOST_OUTSIDE) >= 24,
        "the raw counts leave out 34 records at the first cells"
    );
}

#[test]
fn the_records_outside_are_those_of_farther_cells_and_a_part_of_the_cell_of_the_radius() {
    let counts = [10.0, 30.0, 60.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let distances = distances(&counts, &[100.0], 10.0);
    let few = Weighing { pull: 0.0, ..HALF };
    let outside = |number: u32| distances.outside(NestedRadius::new(number).unwrap(), &few).unwrap();
    let sd = std::f64::consts::SQRT_2 / 10.0 / 100.0;
    for (number, estimated, most, cells) in
        [(0, 0.0, 0.0, 0.0), (1, 0.025, 0.1, 1.0), (4, 0.1, 0.1, 1.0), (6, 0.25, 0.4, 2.0)]
    {
        let found = outside(number);
        assert!((found.estimated - estimated).abs() < 1e-12 && (found.most - most).abs() < 1e-12, "{number} {found:?}");
        assert!((found.noise_sd - sd * f64::sqrt(cells)).abs() < 1e-12, "{number} {found:?}");
    }
    // of counts that are all noise nothing is told
    assert_eq!(Distances::new(&counts, vec![None], 1e-3, 1e-3).outside(NestedRadius::STATED, &few), None);
}
