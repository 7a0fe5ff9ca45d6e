#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::{Array1, Array2, Axis, array};
use serde_json::Value;

use super::laplace::Fitted;
use super::prior::{Amplitudes, Basis, Design};
use super::shape::{LOCAL, Waves};
use super::*;
use crate::golden::{matrix, numbers};

/// A golden case by its name.
pub(super) fn golden(name: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../tests/golden/charts.json")).unwrap();
    all[name].clone()
}

/// The parameters at the points of a golden case, `n x (2 + shapes)`.
fn locals(input: &Value) -> Array2<f64> {
    let basis = Basis::at(numbers(&input["t"]).view(), false, 3);
    let along = |coefficients: Array1<f64>| {
        basis.values().slice_axis(Axis(1), (..coefficients.len()).into()).dot(&coefficients)
    };
    let shapes = matrix(&input["shape"]);
    let mut columns = vec![along(numbers(&input["location"])), along(numbers(&input["log_scale"]))];
    columns.extend(shapes.columns().into_iter().map(|column| along(column.to_owned())));
    Array2::from_shape_fn((columns[0].len(), columns.len()), |(i, a)| columns[a][i])
}

#[test]
fn the_chart_function_meets_the_golden_values() {
    let case = golden("chart function");
    let (locals, levels) = (locals(&case["input"]), numbers(&case["input"]["levels"]));
    let found = Array2::from_shape_fn((5, 7), |(i, j)| Shape::of(locals.row(i)).distribution(levels[j]));
    assert_abs_diff_eq!(found, matrix(&case["output"]["F"]), epsilon = 1e-9);
    for (i, local) in locals.rows().into_iter().enumerate() {
        for (j, &y) in levels.iter().enumerate() {
            assert_abs_diff_eq!(Shape::of(local).slopes(y).0, found[[i, j]], epsilon = 1e-14);
        }
    }
}

#[test]
fn the_gradient_meets_the_golden_values() {
    let case = golden("chart function");
    let (locals, levels) = (locals(&case["input"]), numbers(&case["input"]["levels"]));
    let basis = Basis::at(numbers(&case["input"]["t"]).view(), false, 3);
    let (_, slopes) = Shape::of(locals.row(1)).slopes(levels[3]);
    let row = basis.values().row(1).to_owned();
    let times = |slope: f64, count: usize| row.iter().take(count).map(|value| slope * value).collect::<Vec<f64>>();
    let mut found = times(slopes[0], 3);
    found.extend(times(slopes[1], 2));
    // of the shapes, all at the first function, then all at the second one
    found.extend(row.iter().take(2).flat_map(|value| slopes[2..5].iter().map(move |slope| slope * value)));
    let expected = numbers(&golden("chart gradient")["output"]["row_t1_y4"]);
    assert_abs_diff_eq!(Array1::from(found), expected, epsilon = 1e-7);
}

#[test]
fn the_centiles_meet_the_golden_values() {
    let case = golden("chart centiles");
    let (locals, p) = (locals(&case["input"]), numbers(&case["input"]["p"]));
    let expected = matrix(&case["output"]["q"]);
    for (i, local) in locals.rows().into_iter().enumerate() {
        for (k, &p) in p.iter().enumerate() {
            assert_abs_diff_eq!(Shape::of(local).centile(p), expected[[k, i]], epsilon = 2e-4);
        }
    }
}

#[test]
fn the_waves_meet_the_golden_values() {
    let case = golden("sines");
    for (u, expected) in numbers(&case["input"]["u"]).iter().zip(matrix(&case["output"]["S"]).rows()) {
        let found: Array1<f64> = Waves::at(*u).take(12).map(|wave| wave.0).collect();
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
    }
}

#[test]
fn the_prior_meets_the_golden_values() {
    let case = golden("chart prior");
    let amplitudes = Amplitudes { location: 0.15, scale: 0.3, shape: Some(0.1) };
    let basis = Basis::at(array![0.0, 0.5].view(), false, 5);
    let frequencies = Array1::from(basis.frequencies().to_vec());
    assert_abs_diff_eq!(frequencies, array![0.0, 1.0, 1.0, 2.0, 3.0], epsilon = 0.0);
    let output = &case["output"];
    let location = frequencies.mapv(|j| amplitudes.of_location(j));
    assert_abs_diff_eq!(location, numbers(&output["variance_location"]), epsilon = 1e-10);
    let scale: Array1<f64> = frequencies.iter().take(3).map(|&j| amplitudes.of_scale(j)).collect();
    assert_abs_diff_eq!(scale, numbers(&output["variance_log_scale"]), epsilon = 1e-10);
    let shape = Array2::from_shape_fn((4, 2), |(c, k)| amplitudes.of_shape(frequencies[c], (k + 1) as f64, 1000.0));
    assert_abs_diff_eq!(shape, matrix(&output["variance_shape"]), epsilon = 1e-10);
}

#[test]
fn the_fit_of_a_normal_chart_meets_the_golden_values() {
    let case = golden("chart fit (normal, MAP and Laplace)");
    let (input, output) = (&case["input"], &case["output"]);
    let points = numbers(&input["t"]);
    let basis = Basis::at(points.view(), false, 3);
    let sigma = input["sigma"].as_f64().unwrap();
    let observed =
        NoisyDistribution::new(points, false, numbers(&input["levels"]), matrix(&input["Z"]), sigma, 100.0).unwrap();
    let amplitudes = Amplitudes { location: 0.1, scale: 0.3, shape: None };
    let design = Design::new(&basis, [3, 2, 0], amplitudes, 100.0);
    let fitted = Fitted::from(&observed, &design, Array1::zeros(5));
    let prior_sd = numbers(&input["prior_variance"]).mapv(f64::sqrt);
    let theta = &fitted.x * &prior_sd + numbers(&input["prior_mean"]);
    // the optimum to 1e-8, by another program; the golden coefficients are within 2e-4 of it
    let optimum = array![0.454_900_16, 0.034_732_36, 0.017_107_26, -2.124_978_75, 0.036_683_68];
    assert_abs_diff_eq!(theta, optimum, epsilon = 1e-4);
    assert_abs_diff_eq!(numbers(&output["theta"]), optimum, epsilon = 2e-4);
    assert_abs_diff_eq!(fitted.log_evidence, output["log_evidence"].as_f64().unwrap(), epsilon = 1e-4);
    // standard deviations of all coefficients, from the parameters at three points that tell them apart
    let sds = numbers(&output["sd"]);
    let covariances = fitted.local_covariances(&design);
    let root = fitted.root();
    let inverse = super::triangle::solve_lower(root, Array2::eye(5), 0);
    let covariance = inverse.t().dot(&inverse);
    assert_abs_diff_eq!(covariance.diag().mapv(f64::sqrt) * &prior_sd, sds, epsilon = 1e-4);
    // at the middle of the domain the location has the rows 1, 0 and -sqrt2
    let row = basis.values().row(2).to_owned() * prior_sd.slice_axis(Axis(0), (..3).into());
    let own = covariance.select(Axis(0), &[0, 1, 2]).select(Axis(1), &[0, 1, 2]);
    assert_abs_diff_eq!(covariances[[2, 0]], row.dot(&own.dot(&row)), epsilon = 1e-12);
}

#[test]
fn the_whole_band_meets_the_golden_values() {
    let case = golden("whole band");
    let (input, output) = (&case["input"], &case["output"]);
    let (location, scale) = (numbers(&input["location"]), numbers(&input["log_scale"]).mapv(f64::exp));
    let released: Array1<f64> = (1..64).map(|j| f64::from(j) / 64.0).collect();
    let chart = |i: usize, y: f64| shape::normal_distribution((y - location[i]) / scale[i]);
    let values = Array2::from_shape_fn((5, 63), |(i, j)| {
        shape::normal_distribution((released[j] - location[i] - 0.01) / (1.1 * scale[i]))
            + 0.05 * (7.0 * j as f64).cos()
    });
    let observed =
        NoisyDistribution::new(numbers(&input["t"]), false, released.clone(), values.clone(), 0.05, 1000.0).unwrap();
    let residuals = values - Array2::from_shape_fn((5, 63), |(i, j)| chart(i, released[j]));
    let middles: Vec<(f64, f64)> = location.iter().zip(&scale).map(|(m, s)| (*m, *s)).collect();
    let opinion = second_opinion::SecondOpinion::of(&observed, &residuals, &middles);
    let (levels, seen) = fine_levels(released.view());
    let levels = Array1::from(levels);
    let c = input["c"].as_f64().unwrap();
    assert_abs_diff_eq!(c, sidak(5 * 5, 0.05), epsilon = 1e-9);
    let (lower, upper) = (matrix(&output["lower"]), matrix(&output["upper"]));
    for (i, &(m, s)) in middles.iter().enumerate() {
        let distribution = levels.mapv(|y| chart(i, y));
        let variance: Array1<f64> = levels
            .iter()
            .zip(&distribution)
            .map(|(&y, f)| {
                let (mean, variance) = opinion.at(i, &second_opinion::columns(y, m, s, 12));
                (4e-4 * f * (1.0 - f)).max(0.5 * (variance + mean * mean))
            })
            .collect();
        assert_abs_diff_eq!(variance[127], numbers(&output["v_at_y_half"])[i], epsilon = 1e-7);
        let uncertain =
            Uncertain { levels: levels.view(), distribution: distribution.view(), variance: variance.view(), seen };
        for (k, p) in [0.05, 0.25, 0.5, 0.75, 0.95].into_iter().enumerate() {
            let (from, to) = uncertain.ends(p, c, p * (1.0 - p) / 1000.0);
            assert_abs_diff_eq!(from, lower[[k, i]], epsilon = 1e-7);
            assert_abs_diff_eq!(to, upper[[k, i]], epsilon = 1e-7);
        }
    }
}

#[test]
fn slopes_are_those_of_finite_differences() {
    let local = array![0.45, -2.2, 0.05, -0.03, 0.02, 0.01, 0.0, 0.004, -0.01, 0.006];
    for y in [0.2, 0.4, 0.45, 0.6] {
        let (_, slopes) = Shape::of(local.view()).slopes(y);
        for a in 0..LOCAL {
            let moved = |by: f64| {
                let mut moved = local.clone();
                moved[a] += by;
                Shape::of(moved.view()).distribution(y)
            };
            assert_abs_diff_eq!(slopes[a], (moved(1e-6) - moved(-1e-6)) / 2e-6, epsilon = 1e-8);
        }
    }
}
