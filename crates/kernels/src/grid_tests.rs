#![allow(clippy::unwrap_used, reason = "tests")]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use proptest::prelude::*;

use super::*;

const RULES: [Quadrature; 2] = [Quadrature::Trapezoid, Quadrature::Equal];

/// Random uneven points on a random interval, gaps over six orders of magnitude.
fn random_points() -> impl Strategy<Value = Vec<f64>> {
    (-1e3..1e3, -3.0..3.0, prop::collection::vec(-6.0..0.0, 1..60)).prop_map(|(start, scale, gaps)| {
        let mut t: f64 = start;
        let steps = gaps.iter().map(|gap| 10.0_f64.powf(scale + gap).max(1e-9));
        std::iter::once(start)
            .chain(steps.map(|step| {
                t += step;
                t
            }))
            .collect()
    })
}

proptest! {
    #[test]
    fn weights_are_positive_and_sum_to_the_length_of_the_domain(points in random_points()) {
        for rule in RULES {
            let grid = Grid::with_quadrature(points.clone(), rule).unwrap();
            prop_assert!(grid.weights().iter().all(|&w| w > 0.0));
            let sum = grid.weights().sum();
            prop_assert!((sum - grid.length()).abs() <= 1e-12 * grid.length(), "{rule:?}: {sum} for {}", grid.length());
        }
    }

    #[test]
    fn the_trapezoid_rule_is_exact_for_piecewise_linear_functions(
        points in random_points(),
        level in -10.0..10.0_f64,
        slope in -10.0..10.0_f64,
    ) {
        // |t - knot| is linear between the points, and so are its sums with a line
        let grid = Grid::new(points).unwrap();
        let knot = grid.points()[grid.len() / 2];
        let (left, right) = (knot - grid.lower(), grid.upper() - knot);
        let values = grid.points().mapv(|t| level + slope * (t - knot) + (t - knot).abs());
        let line: f64 = level * grid.length() + slope * 0.5 * (right * right - left * left);
        let exact = line + 0.5 * (left * left + right * right);
        let size = (10.0 + 11.0 * grid.length()) * grid.length();
        prop_assert!((grid.integrate(values.view()) - exact).abs() <= 1e-12 * size);
    }

    #[test]
    fn the_unit_grid_keeps_the_order_and_sums_to_one(points in random_points()) {
        for rule in RULES {
            let grid = Grid::with_quadrature(points.clone(), rule).unwrap();
            let unit = grid.to_unit().unwrap();
            prop_assert_eq!((unit.lower(), unit.upper(), unit.quadrature()), (0.0, 1.0, rule));
            prop_assert!((unit.weights().sum() - 1.0).abs() <= 1e-12);
            for (u, t) in unit.points().iter().zip(grid.points()) {
                prop_assert_eq!(*u, grid.to_unit_point(*t));
            }
            prop_assert_eq!(unit.to_unit().unwrap(), unit);
        }
    }

    #[test]
    fn a_grid_survives_being_written_and_read(points in random_points()) {
        for rule in RULES {
            let grid = Grid::with_quadrature(points.clone(), rule).unwrap();
            let text = serde_json::to_string(&grid).unwrap();
            prop_assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), grid);
        }
    }
}

#[test]
fn the_rules_weigh_three_uneven_points_as_by_hand() {
    let points = vec![1.0, 2.0, 5.0];
    assert_eq!(Grid::new(points.clone()).unwrap().weights(), ndarray::arr1(&[0.5, 2.0, 1.5]));
    let equal = Grid::with_quadrature(points, Quadrature::Equal).unwrap();
    let third = 4.0 / 3.0;
    assert_eq!(equal.weights(), ndarray::arr1(&[third, third, third]));
    assert_eq!((equal.lower(), equal.upper(), equal.length(), equal.len()), (1.0, 5.0, 4.0, 3));
}

#[test]
fn weights_stay_positive_where_simpsons_rule_goes_negative() {
    // the composite Simpson weight of the first point is h (2 - h1 / h0) / 6 < 0 for h1 > 2 h0
    let grid = Grid::new(vec![0.0, 0.1, 1.0]).unwrap();
    assert!(grid.weights().iter().all(|&w| w > 0.0));
    assert_abs_diff_eq!(grid.weights()[0], 0.05, epsilon = 1e-16);
}

#[test]
fn uniform_grids_include_both_ends_exactly() {
    for (lower, upper, n) in [(0.0, 1.0, 2), (0.0, 1.0, 93), (-0.3, 0.7, 100), (1e-3, 7.1, 1000), (2010.0, 2020.0, 11)]
    {
        let grid = Grid::uniform(lower, upper, n).unwrap();
        assert_eq!((grid.lower(), grid.upper(), grid.len()), (lower, upper, n));
        assert!(grid.is_uniform() && grid.is_symmetric());
        assert_relative_eq!(grid.weights().sum(), upper - lower, max_relative = 1e-13);
    }
}

#[test]
fn symmetry_and_equal_spacing_are_recognised() {
    let symmetric = Grid::new(vec![0.0, 0.1, 0.5, 0.9, 1.0]).unwrap();
    assert!(symmetric.is_symmetric() && !symmetric.is_uniform());
    let uneven = Grid::new(vec![0.0, 0.1, 0.5, 1.0]).unwrap();
    assert!(!uneven.is_symmetric() && !uneven.is_uniform());
    // the middle point counts too
    for middle in [0.3, 0.5 + 1e-9] {
        assert!(!Grid::new(vec![0.0, middle, 1.0]).unwrap().is_symmetric());
    }
}

#[test]
fn fewer_than_two_points_are_refused() {
    assert_eq!(Grid::new(vec![]), Err(GridError::TooFew { found: 0 }));
    assert_eq!(Grid::new(vec![0.5]), Err(GridError::TooFew { found: 1 }));
    for n in [0, 1] {
        assert_eq!(Grid::uniform(0.0, 1.0, n), Err(GridError::TooFew { found: n }));
    }
}

#[test]
fn points_that_are_not_finite_are_refused_by_position() {
    assert!(matches!(
        Grid::new(vec![0.0, f64::NAN, 1.0]),
        Err(GridError::NotFinite { index: 1, value }) if value.is_nan()
    ));
    for bad in [f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Grid::new(vec![0.0, 1.0, bad]), Err(GridError::NotFinite { index: 2, value: bad }));
        assert_eq!(Grid::uniform(0.0, bad, 5), Err(GridError::NotFinite { index: 4, value: bad }));
        assert_eq!(Grid::uniform(bad, 0.0, 5), Err(GridError::NotFinite { index: 0, value: bad }));
    }
}

#[test]
fn points_that_do_not_increase_are_refused_by_position() {
    assert_eq!(
        Grid::new(vec![0.0, 0.5, 0.5, 1.0]),
        Err(GridError::NotIncreasing { index: 2, previous: 0.5, value: 0.5 })
    );
    assert_eq!(Grid::new(vec![0.0, 1.0, 0.5]), Err(GridError::NotIncreasing { index: 2, previous: 1.0, value: 0.5 }));
    assert!(matches!(Grid::uniform(1.0, 0.0, 3), Err(GridError::NotIncreasing { .. })));
    assert!(matches!(Grid::uniform(1.0, 1.0, 3), Err(GridError::NotIncreasing { .. })));
    // -0 and +0 are the same point
    assert!(matches!(Grid::new(vec![-0.0, 0.0, 1.0]), Err(GridError::NotIncreasing { index: 1, .. })));
}

#[test]
fn domains_have_a_largest_and_a_least_width() {
    let (most, least) = (LARGEST_WIDTH, LEAST_WIDTH);
    for (lower, upper) in [(0.0, 2.0 * most), (-most, most), (0.0, 1e308), (-f64::MAX, f64::MAX), (0.0, 0.5 * least)] {
        let too_wide = GridError::Width { lower, upper };
        for rule in RULES {
            assert_eq!(Grid::with_quadrature(vec![lower, upper], rule), Err(too_wide));
        }
        assert_eq!(Grid::uniform(lower, upper, 5), Err(too_wide));
        assert_eq!(Grid::circle(lower, upper, 5), Err(too_wide));
        let points = vec![lower, lower / 2.0 + upper / 2.0];
        assert!(matches!(Grid::periodic(points, upper), Err(GridError::Width { .. })), "{lower} {upper}");
        let text = format!(r#"{{"points": [{lower:e}, {upper:e}], "quadrature": "trapezoid"}}"#);
        assert!(serde_json::from_str::<Grid>(&text).unwrap_err().to_string().contains("choose other units"), "{text}");
        let middle = lower / 2.0 + upper / 2.0;
        let text =
            format!(r#"{{"points": [{lower:e}, {middle:e}], "quadrature": "trapezoid", "closes_at": {upper:e}}}"#);
        assert!(serde_json::from_str::<Grid>(&text).unwrap_err().to_string().contains("choose other units"), "{text}");
    }
}

#[test]
fn domains_of_the_largest_and_of_the_least_width_are_taken() {
    for (lower, upper) in [(0.0, LEAST_WIDTH), (0.0, LARGEST_WIDTH), (-1e-12, 1e-12), (1e15, 1e15 + 64.0)] {
        for n in [2, 5] {
            let grid = Grid::uniform(lower, upper, n).unwrap();
            assert_relative_eq!(grid.weights().sum(), upper - lower, max_relative = 1e-13);
            let unit = grid.to_unit().unwrap();
            for (i, &t) in unit.points().iter().enumerate() {
                assert_abs_diff_eq!(t, i as f64 / (n - 1) as f64, epsilon = 1e-13);
            }
        }
    }
    for (lower, upper) in [(0.0, LEAST_WIDTH), (-LARGEST_WIDTH / 2.0, LARGEST_WIDTH / 2.0)] {
        for n in [2, 5] {
            assert!(Grid::circle(lower, upper, n).unwrap().to_unit().unwrap().is_periodic());
        }
    }
}

#[test]
fn points_that_nearly_coincide_within_their_domain_are_refused_by_position() {
    let close = GridError::Step { index: 2, previous: 0.0, value: 1.0 };
    assert_eq!(Grid::new(vec![-1e20, 0.0, 1.0, 1e20]), Err(close));
    assert!(close.to_string().contains("point 2 is 1.0 after 0.0"), "{close}");
    assert!(matches!(Grid::new(vec![0.0, 1e-300, 1.0]), Err(GridError::Step { index: 1, .. })));
    // what is taken can be mapped to the unit interval
    assert!(Grid::new(vec![0.0, 7.0 * LEAST_STEP, 7.0]).unwrap().to_unit().is_ok());
}

#[test]
fn every_error_names_what_was_wrong() {
    let messages = [
        (Grid::new(vec![0.1]), "at least 2 points, got 1"),
        (Grid::new(vec![0.0, f64::INFINITY]), "point 1 must be finite, got inf"),
        (Grid::new(vec![0.0, 2.0, 1.0]), "point 2 is 1.0 after 2.0"),
        (Grid::new(vec![-f64::MAX, f64::MAX]), "choose other units"),
    ];
    for (result, words) in messages {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn bad_grids_are_refused_when_read() {
    for text in [
        r#"{"points": [0.0], "quadrature": "trapezoid"}"#,
        r#"{"points": [0.0, 0.0], "quadrature": "trapezoid"}"#,
        r#"{"points": [0.0, null], "quadrature": "trapezoid"}"#,
        r#"{"points": [0.0, 1.0], "quadrature": "simpson"}"#,
        r#"{"points": [0.0, 1.0], "quadrature": "trapezoid", "weights": [0.5, 0.5]}"#,
        r#"{"points": [0.0, 1.0]}"#,
    ] {
        assert!(serde_json::from_str::<Grid>(text).is_err(), "{text}");
    }
    let read: Grid = serde_json::from_str(r#"{"points": [0.0, 1.0], "quadrature": "equal"}"#).unwrap();
    assert_eq!(read.quadrature(), Quadrature::Equal);
}

#[test]
fn a_circle_has_equal_weights_and_integrates_waves_exactly() {
    for (lower, upper, n) in [(0.0, 24.0, 24), (-3.0, 4.5, 7), (0.1, 0.3, 2)] {
        let grid = Grid::circle(lower, upper, n).unwrap();
        assert!(grid.is_periodic() && grid.len() == n);
        assert_eq!((grid.lower(), grid.upper(), grid.length()), (lower, upper, upper - lower));
        assert!(grid.weights().iter().all(|w| *w == (upper - lower) / n as f64));
        for k in 1..n {
            let wave =
                grid.points().mapv(|t| 1.0 + (std::f64::consts::TAU * k as f64 * grid.to_unit_point(t) + 0.4).cos());
            assert_abs_diff_eq!(grid.integrate(wave.view()), grid.length(), epsilon = 1e-12 * grid.length());
        }
    }
}

#[test]
fn a_circle_that_its_points_close_ends_one_step_after_the_last() {
    let grid = Grid::closing((0..24).map(f64::from).collect()).unwrap();
    assert_eq!(grid, Grid::circle(0.0, 24.0, 24).unwrap());
    let unit = grid.to_unit().unwrap();
    assert!(unit.is_periodic());
    assert_eq!((unit.lower(), unit.upper(), unit.points()[6]), (0.0, 1.0, 0.25));
    assert_eq!(unit.to_unit().unwrap(), unit);
}

#[test]
fn points_that_are_no_circle_are_refused() {
    let repeated = Grid::periodic(vec![0.0, 6.0, 12.0, 18.0, 24.0], 24.0).unwrap_err();
    assert_eq!(repeated, GridError::Closed { last: 24.0, end: 24.0 });
    assert!(repeated.to_string().contains("leave the last point out"), "{repeated}");
    let uneven = Grid::periodic(vec![0.0, 6.0, 13.0, 18.0], 24.0).unwrap_err();
    assert_eq!(uneven, GridError::Uneven { index: 2, value: 13.0, expected: 12.0 });
    assert!(matches!(Grid::closing(vec![0.0, 1.0, 3.0]), Err(GridError::Uneven { .. })));
    // equally spaced, but not across the end
    assert!(matches!(Grid::periodic(vec![0.0, 1.0, 2.0], 24.0), Err(GridError::Uneven { .. })));
    for end in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert!(Grid::periodic(vec![0.0, 1.0], end).is_err(), "{end}");
    }
    for n in [0, 1] {
        assert!(matches!(Grid::circle(0.0, 1.0, n), Err(GridError::TooFew { .. })));
        assert!(matches!(Grid::closing(vec![0.0; n]), Err(GridError::TooFew { .. })));
    }
    assert!(Grid::circle(1.0, 0.0, 5).is_err() && Grid::circle(f64::NEG_INFINITY, 0.0, 5).is_err());
}

#[test]
fn a_circle_is_written_with_its_end_and_read_back_and_an_interval_without() {
    let circle = Grid::circle(0.0, 3.0, 3).unwrap();
    let text = serde_json::to_string(&circle).unwrap();
    assert_eq!(text, r#"{"points":[0.0,1.0,2.0],"quadrature":"trapezoid","closes_at":3.0}"#);
    assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), circle);
    let equal = text.replace("trapezoid", "equal");
    assert_eq!(serde_json::to_string(&serde_json::from_str::<Grid>(&equal).unwrap()).unwrap(), equal);
    assert!(serde_json::from_str::<Grid>(&text.replace("3.0", "2.0")).is_err());
    let interval = Grid::uniform(0.0, 2.0, 3).unwrap();
    assert_eq!(serde_json::to_string(&interval).unwrap(), r#"{"points":[0.0,1.0,2.0],"quadrature":"trapezoid"}"#);
    assert_ne!(circle, interval);
}

#[test]
fn the_last_cell_of_a_circle_reaches_to_the_first_point() {
    let grid = Grid::circle(0.0, 4.0, 4).unwrap();
    let values = ndarray::array![1.0, 2.0, 5.0, 3.0];
    for (t, value) in [(0.0, 1.0), (0.5, 1.5), (3.0, 3.0), (3.25, 2.5), (4.0, 1.0)] {
        assert_eq!(grid.cell(t).between(values.view()), value, "{t}");
    }
    assert_eq!((grid.cell(3.5).slope(values.view()), grid.cell(2.5).slope(values.view())), (-2.0, -2.0));
    let interval = Grid::new(vec![0.0, 1.0, 4.0]).unwrap();
    let cell = interval.cell(4.0);
    assert_eq!((cell.left, cell.right, cell.share, cell.length), (1, 2, 1.0, 3.0));
}
