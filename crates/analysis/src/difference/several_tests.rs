#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{Grouping, Groups, PrivateGroups};
use dpfda_smoothing::{Ball, Center, CurveSet, TextColumn};
use ndarray::{Array1, Array2};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;

use super::several::{Along, tested};
use crate::band::Band;
use crate::defaults::DEFAULT_LEVEL;
use crate::error::AnalysisError;
use crate::estimated::Estimated;
use crate::golden::{self, matrix, numbers};

fn groups_of(input: &Value) -> (Vec<Along>, Vec<f64>) {
    let (means, covariances) = (&input["Y"], input["V"].as_array().unwrap());
    let of = |(mean, covariance): (&Value, &Value)| Along { mean: numbers(mean), covariance: matrix(covariance) };
    let groups = means.as_array().unwrap().iter().zip(covariances).map(of).collect();
    (groups, numbers(&input["s"]).to_vec())
}

#[test]
fn the_test_of_three_groups_meets_the_golden_statistic_and_p_value() {
    let (input, output) = golden::of_people("anova of 3 groups");
    let (groups, s) = groups_of(&input);
    let (statistic, p_value) = tested(&groups, &s).unwrap();
    assert_abs_diff_eq!(statistic, output["statistic"].as_f64().unwrap(), epsilon = 1e-6);
    assert_abs_diff_eq!(p_value, output["p_exact"].as_f64().unwrap(), epsilon = 0.012);
}

#[test]
fn the_test_of_two_groups_weighs_their_difference_by_the_sum_of_variances() {
    let (input, output) = golden::of_people("anova of 2 groups is the test of a difference with weights");
    let (groups, s) = groups_of(&input);
    let (statistic, _) = tested(&groups, &s).unwrap();
    assert_abs_diff_eq!(statistic, output["statistic"].as_f64().unwrap(), epsilon = 1e-10);
    let of = |j: usize| {
        let difference = groups[0].mean[j] - groups[1].mean[j];
        (s[j] * difference).powi(2) / (groups[0].covariance[[j, j]] + groups[1].covariance[[j, j]])
    };
    assert_abs_diff_eq!(statistic, (0..s.len()).map(of).sum::<f64>(), epsilon = 1e-12);
}

#[test]
fn a_curve_that_all_groups_share_changes_nothing() {
    let (groups, s) = groups_of(&golden::of_people("anova of 3 groups").0);
    let (statistic, p_value) = tested(&groups, &s).unwrap();
    let common = Array1::from(vec![0.3, -0.2, 0.1, 0.5]);
    let moved: Vec<Along> = groups
        .iter()
        .map(|group| Along { mean: &group.mean + &common, covariance: group.covariance.clone() })
        .collect();
    let (again, p_again) = tested(&moved, &s).unwrap();
    assert_abs_diff_eq!(statistic, again, epsilon = 1e-8);
    assert_abs_diff_eq!(p_value, p_again, epsilon = 1e-3);
}

const LABELS: [&str; 4] = ["a", "b", "c", "few"];

/// People of three groups, and three of a fourth; the means of the second and the third differ from the first by a wave of this size.
fn released(sizes: [usize; 4], shift: f64, most: usize, seed: u64) -> Estimated<Groups> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let places: Vec<usize> = (0..4).flat_map(|group| vec![group; sizes[group]]).collect();
    let mut values = Array2::zeros((places.len(), 25));
    for (mut row, place) in values.rows_mut().into_iter().zip(&places) {
        let [level, slope]: [f64; 2] = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
        let size = [0.0, shift, -shift / 2.0, 0.0][*place];
        for (k, value) in row.iter_mut().enumerate() {
            let t = k as f64 / 24.0;
            *value = 0.5 + size * (3.0 * t).sin() + 0.05 * level + 0.05 * slope * (t - 0.5);
        }
    }
    let labels = places.iter().map(|place| Some(LABELS[*place].to_owned())).collect();
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 25).unwrap(), values).unwrap();
    let grouping = Grouping::Private { names: LABELS.map(str::to_owned).into(), most };
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    let plan = PrivateGroups::new(ball, PrivacyBudget::new(1.0, 1e-3).unwrap(), grouping);
    let release = plan.release(&curves, &TextColumn::new(labels), &mut SeededRandomness::from_seed(seed)).unwrap();
    Estimated::<Groups>::new(release, &Band::Population, DEFAULT_LEVEL).unwrap()
}

#[test]
fn groups_that_differ_are_told_apart_and_those_that_noise_hides_are_left_out_by_name() {
    let test = released([300, 300, 400, 3], 0.08, 1, 1).equality(&[]).unwrap();
    assert_eq!((test.compared, test.left_out), (vec!["a".into(), "b".into(), "c".into()], vec!["few".to_owned()]));
    assert!(test.p_value < 0.01, "{}", test.p_value);
}

#[test]
fn groups_of_one_mean_are_seldom_called_different() {
    // the chance of 12 or more of 40 at the level 0.05 is below 1e-6
    let rejected = (0..40).filter(|seed| {
        released([100, 120, 150, 3], 0.0, 1, 100 + seed).equality(&["a", "b", "c"]).unwrap().p_value < 0.05
    });
    assert!(rejected.count() < 12);
}

#[test]
fn a_test_of_groups_that_share_members_or_of_one_group_is_refused() {
    let shared = released([100, 100, 100, 3], 0.0, 2, 1).equality(&[]);
    assert_eq!(shared, Err(AnalysisError::SharedMembers { most: 2 }));
    let estimated = released([100, 100, 100, 3], 0.0, 1, 1);
    assert_eq!(estimated.equality(&["a", "few"]), Err(AnalysisError::FewGroups { left: 1 }));
    assert_eq!(estimated.equality(&["a", "z"]), Err(AnalysisError::NoGroup { place: 2 }));
    assert_eq!(estimated.equality(&["a", "b", "a"]), Err(AnalysisError::NoGroup { place: 3 }));
}
