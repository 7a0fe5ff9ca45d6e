//! Second moments that are released with a mean.

use crate::common::{ball, budget, curves, smoother};
use dpfda_kernels::KernelName;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness, steps_to_unit};
use dpfda_release::{MeanRelease, MomentsChoice, PrivateMean, SecondMoments};
use dpfda_smoothing::{CurveSet, PenalizedMean};
use ndarray::{Array1, Array2};
use serde_json::{Value, json};

use NeighbouringRelation::{AddRemoveOne, SubstituteOne};

fn matern() -> PenalizedMean {
    smoother(KernelName::Matern(2.5), 0.25, 1e-2)
}

fn private(relation: NeighbouringRelation, moments: MomentsChoice) -> PrivateMean {
    PrivateMean::isonormal(ball(), budget())
        .buying(dpfda_release::BallShares::NONE)
        .smoother(&matern())
        .neighbours(relation)
        .moments(moments)
}

fn released(private: &PrivateMean, curves: &CurveSet, seed: u64) -> MeanRelease {
    private.release(curves, &mut SeededRandomness::from_seed(seed)).unwrap()
}

/// `sqrt(w_i) (X(t_i) - c)`: a row for each curve, all of which lie in the ball.
fn whitened(curves: &CurveSet) -> Array2<f64> {
    let roots = curves.grid().to_unit().unwrap().weights().mapv(f64::sqrt);
    (&curves.values() - 0.5) * &roots
}

/// Without noise, in the basis that a release states.
fn exact(z: &Array2<f64>, basis: &Array2<f64>) -> (Array2<f64>, f64) {
    let (coordinates, n) = (z.dot(basis), z.nrows() as f64);
    (coordinates.t().dot(&coordinates) / n, z.iter().map(|z| z * z).sum::<f64>() / n)
}

#[test]
fn second_moments_are_those_of_the_curves_with_noise_of_the_stated_deviation() {
    let rows = 2000;
    for (points, coordinates) in [(7, 7), (50, 40)] {
        let curves = curves(rows, points);
        let z = whitened(&curves);
        for relation in [SubstituteOne, AddRemoveOne] {
            for choice in [MomentsChoice::Mean, MomentsChoice::Covariance] {
                let release = released(&private(relation, choice), &curves, 5);
                let SecondMoments { basis, matrix, total, .. } = release.second_moments().unwrap();
                let moments = release.second_moments().unwrap();
                assert_eq!((basis.dim(), matrix.dim()), ((points, coordinates), (coordinates, coordinates)));
                assert_eq!(matrix, matrix.t());
                let (exact_matrix, exact_total) = exact(&z, &basis);
                // divided by a noisy count, what is released is as much larger
                let count = release.units() / rows as f64;
                let squared_radius = ball().radius().powi(2);
                let expected_total = squared_radius - (squared_radius - exact_total) / count;
                assert!(((total - expected_total) / moments.total_sd).abs() < 5.5, "{relation} {choice:?}");
                let mut squares = Vec::new();
                for ((i, j), entry) in matrix.indexed_iter().filter(|((i, j), _)| i <= j) {
                    let sd = if i == j { moments.matrix_sd_diagonal } else { moments.matrix_sd_off_diagonal };
                    let score = (entry - exact_matrix[[i, j]] / count) / sd;
                    assert!(score.abs() < 5.5, "{relation} {choice:?} {i} {j}: {score}");
                    squares.push(score * score);
                }
                // standard normal scores: five standard errors of their mean square
                let (k, mean) = (squares.len() as f64, squares.iter().sum::<f64>() / squares.len() as f64);
                assert!((mean - 1.0).abs() < 5.0 * (2.0 / k).sqrt(), "{relation} {choice:?}: {mean}");
            }
        }
    }
}

#[test]
fn free_moments_leave_the_mean_as_it_is_without_them() {
    let (with, without) = (private(SubstituteOne, MomentsChoice::Auto), private(SubstituteOne, MomentsChoice::None));
    for points in [7, 50] {
        let curves = curves(60, points);
        let (with, without) = (released(&with, &curves, 1), released(&without, &curves, 1));
        assert_eq!(with.statistic().moments().unwrap().coordinates, points.min(40));
        assert!(without.second_moments().is_none());
        assert_eq!(with.noise().scale().to_bits(), without.noise().scale().to_bits());
        assert_eq!(with.noise_scale(), without.noise_scale());
        // a large scale is rounded up by less
        let [more, less] = [with.mu().unwrap(), without.mu().unwrap()];
        assert!(more >= less && more < less * (1.0 + 1e-7));
        assert_eq!((with.price_of_moments(), without.price_of_moments()), (1.0, 1.0));
        if points <= 40 {
            assert_eq!(with.whitened(), without.whitened());
            assert_eq!(with.function().values(), without.function().values());
        }
    }
}

#[test]
fn a_mean_in_rotated_coordinates_is_rotated_back() {
    let (rows, points) = (40, 93);
    let curves = curves(rows, points);
    // hardly any noise
    let budget = PrivacyBudget::new(50.0, 0.5).unwrap();
    for relation in [SubstituteOne, AddRemoveOne] {
        let private = PrivateMean::isonormal(ball(), budget)
            .buying(dpfda_release::BallShares::NONE)
            .smoother(&matern())
            .neighbours(relation);
        let release = released(&private.moments(MomentsChoice::Mean), &curves, 3);
        assert_eq!(release.coordinates().len(), 93 + 780 + 40 + 1);
        let mean: Array1<f64> = whitened(&curves).sum_axis(ndarray::Axis(0)) / release.units();
        let most = (&release.whitened() - &mean).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(most < 6.0 * release.noise_scale() && release.noise_scale() < 2e-3, "{most}");
    }
}

#[test]
fn noise_of_second_moments_agrees_with_golden_values() {
    let curves = curves(142, 50);
    // along vectors of a length of 1 - 2^-14, with 513 steps for the rounding of sums
    let length = 1.0 - 2.0_f64.powi(-14);
    let rounding = |radii: f64| 1.0 + 513.0 / (radii * f64::from(1 << 22));
    let steps = (steps_to_unit(50) / f64::from(1 << 22)).powi(2);
    // golden inference.json: sigma = 2 tau / (N mu) and sigma tau, sqrt(2) sigma tau, (2/3) sigma tau
    let sigma_tau = 0.25 * 2.0 * 0.25 / (142.0 * 0.268_051_123_211_294_5);
    let mean = [sigma_tau, 2.0_f64.sqrt() * sigma_tau, 2.0 / 3.0 * sigma_tau];
    // golden second_order.json, scales: eps 1, delta 1e-5, N 142, tau 0.25, r 0.1
    let covariance = [0.001_806_203_696_433_773, 0.002_554_357_763_905_058_7, 0.002_331_798_945_382_093_7];
    for (choice, expected) in [(MomentsChoice::Mean, mean), (MomentsChoice::Covariance, covariance)] {
        let release = released(&private(SubstituteOne, choice), &curves, 1);
        let moments = release.second_moments().unwrap();
        let found = [moments.matrix_sd_off_diagonal, moments.matrix_sd_diagonal, moments.total_sd];
        let rounded = rounding(if choice == MomentsChoice::Mean { 2.0 } else { 12.1_f64.sqrt() });
        for ((found, expected), length) in found.into_iter().zip(expected).zip([length, length, 1.0]) {
            let expected = expected * rounded / length.powi(2);
            // the rounding of records adds less than 2e-9
            assert!((found * steps / expected - 1.0).abs() < 3e-9, "{choice:?}: {found} {expected}");
        }
    }
    // sd_mean of the same
    let release = released(&private(SubstituteOne, MomentsChoice::Covariance), &curves, 1);
    let (mean, both) = (rounding(2.0), rounding(12.1_f64.sqrt()));
    assert!((release.noise_scale() * steps.sqrt() / (0.022_846_870_395_784_282 * both) - 1.0).abs() < 1e-7);
    assert!((release.price_of_moments() - 1.739_252_713_092_608_8 * both / mean).abs() < 1e-12);
}

#[test]
fn moments_are_released_by_themselves_only_where_they_are_free() {
    let has_moments = |private: &PrivateMean| {
        let mechanism = private.mechanism(curves(1, 7).grid(), PrivacyUnit::Curve, Some(100)).unwrap();
        mechanism.statistic().moments().is_some()
    };
    assert!(has_moments(&private(SubstituteOne, MomentsChoice::Auto)));
    assert!(!has_moments(&private(AddRemoveOne, MomentsChoice::Auto)));
    assert!(has_moments(&private(AddRemoveOne, MomentsChoice::Mean)));
    let kernel = PrivateMean::cameron_martin(ball(), budget()).smoother(&matern());
    assert!(!has_moments(&kernel));
    // products need noise that the integers do not hold
    let tiny = |choice| {
        PrivateMean::isonormal(ball(), PrivacyBudget::new(1e-6, 1e-7).unwrap())
            .buying(dpfda_release::BallShares::NONE)
            .moments(choice)
    };
    assert!(!has_moments(&tiny(MomentsChoice::Auto)));
    let grid = curves(1, 7).grid().clone();
    let refused =
        |private: &PrivateMean| private.mechanism(&grid, PrivacyUnit::Curve, Some(100)).unwrap_err().to_string();
    assert!(refused(&tiny(MomentsChoice::Mean)).contains("leave the range of the integers"));
    for choice in [MomentsChoice::Mean, MomentsChoice::Covariance] {
        assert!(refused(&kernel.clone().moments(choice)).contains("isonormal noise alone"));
    }
}

#[test]
fn a_plan_names_moments_only_where_there_are_any_and_holds_no_impossible_ones() {
    let grid = curves(1, 7).grid().clone();
    let plan = |choice| private(SubstituteOne, choice).mechanism(&grid, PrivacyUnit::Curve, Some(9)).unwrap();
    let written = |choice| serde_json::to_value(plan(choice)).unwrap();
    assert!(written(MomentsChoice::None)["statistic"].get("moments").is_none());
    let with = written(MomentsChoice::Mean);
    assert_eq!(with["statistic"]["moments"], json!({ "emphasis": "mean", "coordinates": 7 }));
    assert_ne!(plan(MomentsChoice::Mean).digest(), plan(MomentsChoice::None).digest());
    assert_ne!(plan(MomentsChoice::Mean).digest(), plan(MomentsChoice::Covariance).digest());
    let read = |edit: &dyn Fn(&mut Value)| {
        let mut plan = with.clone();
        edit(&mut plan);
        serde_json::from_value::<dpfda_mechanism::Mechanism<dpfda_release::Mean>>(plan)
    };
    assert_eq!(read(&|_| {}).unwrap(), plan(MomentsChoice::Mean));
    for coordinates in [0, 1, 8, 2000] {
        assert!(read(&|plan| plan["statistic"]["moments"]["coordinates"] = json!(coordinates)).is_err());
    }
    assert!(read(&|plan| plan["statistic"]["moments"]["emphasis"] = json!("both")).is_err());
    assert!(read(&|plan| plan["statistic"]["moments"]["other"] = json!(1)).is_err());
}

#[test]
fn a_release_says_what_its_moments_are_and_what_they_cost() {
    let said = |relation, choice, points| {
        let release = released(&private(relation, choice), &curves(60, points), 1);
        release.facts().into_iter().find(|fact| fact.name == "moments").map(|fact| fact.text)
    };
    assert_eq!(said(SubstituteOne, MomentsChoice::None, 7), None);
    let free = said(SubstituteOne, MomentsChoice::Auto, 93).unwrap();
    assert!(free.contains("the first 40 coordinates") && free.contains("at no cost"), "{free}");
    let all = said(SubstituteOne, MomentsChoice::Covariance, 7).unwrap();
    assert!(all.contains("all 7 coordinates") && all.contains("1.739 times as large"), "{all}");
    let dear = said(AddRemoveOne, MomentsChoice::Mean, 7).unwrap();
    assert!(dear.contains("1.183 times as large"), "{dear}");
}

#[test]
fn a_document_that_states_other_moments_than_its_noise_has_is_refused() {
    for choice in [MomentsChoice::Mean, MomentsChoice::Covariance] {
        let json = released(&private(SubstituteOne, choice), &curves(60, 50), 1).to_json().unwrap();
        let release = MeanRelease::from_json(&json).unwrap();
        assert_eq!(release.to_json().unwrap(), json);
        let edited = |edit: &dyn Fn(&mut Value)| {
            let mut document: Value = serde_json::from_str(&json).unwrap();
            edit(&mut document);
            MeanRelease::from_json(&document.to_string())
        };
        edited(&|_| {}).unwrap();
        let other = if choice == MomentsChoice::Mean { "covariance" } else { "mean" };
        assert!(edited(&|document| document["statistic"]["moments"]["emphasis"] = json!(other)).is_err());
        assert!(edited(&|document| document["statistic"]["moments"]["coordinates"] = json!(39)).is_err());
        assert!(edited(&|document| document["statistic"]["moments"] = Value::Null).is_err());
        assert!(edited(&|document| document["derived"]["second_moments"] = Value::Null).is_err());
        // less noise in one block
        for block in 0..4 {
            assert!(
                edited(&|document| {
                    let scale = &mut document["noise"]["drawn"]["gaussian"]["blocks"][block]["scale"];
                    *scale = json!(scale.as_i64().unwrap() * 9 / 10);
                })
                .is_err()
            );
        }
        assert!(
            edited(&|document| {
                document["noise"]["drawn"]["gaussian"]["blocks"].as_array_mut().unwrap().truncate(1);
            })
            .is_err()
        );
        assert!(
            edited(&|document| {
                document["lattice"]["coordinates"].as_array_mut().unwrap().pop();
            })
            .is_err()
        );
    }
}
