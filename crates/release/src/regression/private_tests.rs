#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::Center;
use ndarray::Array2;

use super::*;
use crate::regression::covariate::CovariateError;
use crate::regression::public_design::DesignError;

const POINTS: usize = 12;
const NOISELESS: (f64, f64) = (50.0, 0.5);

/// Curves that are `0.5 + 0.02 case + 0.01 visit t` and a little more.
fn curves(records: usize) -> CurveSet {
    let value = |(i, j): (usize, usize)| {
        let (case, visit, t) = (f64::from(u8::from(i % 3 == 0)), (i % 8) as f64 + 1.0, j as f64 / 11.0);
        0.5 + 0.02 * case + 0.01 * visit * t + 0.001 * ((i * 7 + j * 3) % 11) as f64
    };
    CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), Array2::from_shape_fn((records, POINTS), value)).unwrap()
}

fn columns(records: usize) -> Vec<TextColumn> {
    let text = |cell: &dyn Fn(usize) -> String| TextColumn::new((0..records).map(|i| Some(cell(i))).collect());
    let case = |i: usize| if i.is_multiple_of(3) { "case" } else { "control" }.to_owned();
    vec![text(&case), text(&|i| ((i % 8) + 1).to_string())]
}

fn covariates() -> Vec<Covariate> {
    let levels = ["control", "case"].map(str::to_owned).into();
    let visit = Covariate::Number { name: "visit".to_owned(), lower: 1.0, upper: 8.0 };
    vec![Covariate::Category { name: "status".to_owned(), levels }, visit]
}

fn regression((epsilon, delta): (f64, f64)) -> PrivateRegression {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateRegression::new(ball, PrivacyBudget::new(epsilon, delta).unwrap(), covariates())
}

fn released(plan: &PrivateRegression, records: usize) -> Release<Regression> {
    plan.release(&curves(records), &columns(records), &mut SeededRandomness::from_seed(4)).unwrap()
}

/// The standardised design and the isonormal curves.
fn exact(records: usize) -> (Array2<f64>, Array2<f64>) {
    let design = Array2::from_shape_fn((records, 3), |(i, j)| match j {
        0 => 1.0,
        1 => {
            if i % 3 == 0 {
                1.0
            } else {
                -1.0
            }
        }
        _ => ((i % 8) as f64 - 3.5) / 3.5,
    });
    let curves = curves(records);
    let roots = curves.unit_grid().weights().mapv(f64::sqrt);
    (design, (&curves.values() - 0.5) * &roots)
}

#[test]
fn products_are_those_of_covariates_and_curves() {
    let (x, z) = exact(3000);
    let public = regression(NOISELESS).public_design();
    for (plan, is_public) in [(regression(NOISELESS), false), (public, true)] {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            if is_public && neighbours == NeighbouringRelation::AddRemoveOne {
                continue;
            }
            let products = Regression::products(&released(&plan.clone().neighbours(neighbours), 3000));
            assert_abs_diff_eq!(products.covariates, x.t().dot(&x), epsilon = 8.0 * products.covariates_sd + 1e-3);
            let transform = products.root.clone().unwrap_or_else(|| Array2::eye(3));
            let expected = if is_public {
                // beta, by A beta = X'Z
                let beta = transform.dot(&products.cross);
                assert_abs_diff_eq!(x.t().dot(&x).dot(&beta), x.t().dot(&z), epsilon = 30.0 * products.cross_sd * 60.0);
                products.cross.clone()
            } else {
                x.t().dot(&z)
            };
            assert_abs_diff_eq!(products.cross, expected, epsilon = 8.0 * products.cross_sd);
            let along = z.dot(&products.basis);
            let sd = products.cross_sd;
            assert!(sd > 0.0 && products.covariates_sd.is_finite() && (products.covariates_sd == 0.0) == is_public);
            assert_abs_diff_eq!(products.curves, along.t().dot(&along), epsilon = 2.0);
            assert_abs_diff_eq!(products.cross.dot(&products.basis), products.cross_in_basis, epsilon = 1e-9);
            assert_abs_diff_eq!(
                products.records,
                3000.0,
                epsilon = 8.0 * 2.0_f64.sqrt() * products.covariates_sd + 1e-9
            );
        }
    }
}

#[test]
fn the_noise_is_that_of_the_proof() {
    // s_C = 2 B tau / mu with B = sqrt(3), o = 2 B^2 / mu, for mu at (1, 0.1)
    let mu = 0.920_913_966_613_283_1;
    let products = Regression::products(&released(&regression((1.0, 0.1)), 500));
    assert!((products.cross_sd / (2.0 * 3.0_f64.sqrt() * 0.25 / mu) - 1.0).abs() < 1e-5, "{}", products.cross_sd);
    assert!((products.covariates_sd / (2.0 * 3.0 / mu) - 1.0).abs() < 1e-5, "{}", products.covariates_sd);
    let products = Regression::products(&released(&regression((1.0, 0.1)).public_design(), 500));
    assert!((products.cross_sd / (2.0 * 0.25 / mu) - 1.0).abs() < 1e-5, "{}", products.cross_sd);
}

#[test]
fn documents_and_plans_read_back_and_edited_ones_do_not() {
    for plan in [regression((1.0, 1e-5)), regression((1.0, 1e-5)).public_design()] {
        let release = released(&plan, 60);
        let json = release.to_json_with_estimate(&()).unwrap();
        assert_eq!(Release::<Regression>::from_json(&json).unwrap(), release);
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let mut edits = vec![("/derived/cross_sd", serde_json::json!(0.5)), ("/derived/columns/0", "one".into())];
        if release.statistic().public_design().is_some() {
            edits.push(("/statistic/design/records", 61.into()));
        }
        for (field, value) in edits {
            let mut edited = document.clone();
            *edited.pointer_mut(field).unwrap() = value;
            assert!(Release::<Regression>::from_json(&edited.to_string()).is_err(), "{field}");
        }
    }
    let plan = regression((1.0, 1e-5));
    let mechanism = plan.mechanism(curves(60).grid(), PrivacyUnit::Curve).unwrap();
    assert_eq!(mechanism.digest(), released(&plan, 60).mechanism().digest(), "the plan needs no data");
}

#[test]
fn a_person_with_several_curves_is_one_record_whatever_their_order() {
    let plan = regression((1.0, 1e-3));
    let release = |order: &[usize]| {
        let (all, cells) = (curves(40), columns(40));
        let values = Array2::from_shape_fn((40, POINTS), |(i, j)| all.values()[[order[i], j]]);
        let ids: Vec<String> = order.iter().map(|i| (i / 2).to_string()).collect();
        let set = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
        let set = set.with_subjects(&ids).unwrap();
        let moved = |column: &TextColumn| {
            let cells: Vec<Option<String>> = column.cells().map(|cell| cell.map(str::to_owned)).collect();
            TextColumn::new(order.iter().map(|i| cells[*i].clone()).collect())
        };
        let cells: Vec<TextColumn> = cells.iter().map(moved).collect();
        plan.release(&set, &cells, &mut SeededRandomness::from_seed(1)).unwrap()
    };
    let forwards: Vec<usize> = (0..40).collect();
    let swapped: Vec<usize> = (0..40).map(|i| i ^ 1).collect();
    let (one, other) = (release(&forwards), release(&swapped));
    assert_eq!(one.coordinates(), other.coordinates());
    assert_eq!(one.public_records(), Some(20));
}

#[test]
fn missing_unknown_and_far_covariates_count_within_the_range() {
    let [status, visit]: [Covariate; 2] = covariates().try_into().unwrap();
    for (cell, expected) in [("8", 1.0), ("1", -1.0), ("4.5", 0.0), ("99", 1.0), ("-7", -1.0), ("NaN", 0.0), ("x", 0.0)]
    {
        assert_eq!(visit.standardised(Some(cell)), [expected], "{cell}");
    }
    assert_eq!(visit.standardised(None), [0.0]);
    for (cell, expected) in [("case", 1.0), ("control", -1.0), ("other", 0.0)] {
        assert_eq!(status.standardised(Some(cell)), [expected], "{cell}");
    }
}

#[test]
fn a_level_is_what_cells_say_in_every_type() {
    let dose =
        Covariate::Category { name: "dose".to_owned(), levels: ["0", "1", "2.5", "TRUE"].map(str::to_owned).to_vec() };
    for (cell, expected) in [("1.0", [1.0, -1.0, -1.0]), ("02.50", [-1.0, 1.0, -1.0]), ("true", [-1.0, -1.0, 1.0])] {
        assert_eq!(dose.standardised(Some(cell)), expected, "{cell}");
        assert!(dose.holds(cell));
    }
    assert!(!dose.holds("2.51") && !dose.holds("NA"));
    for levels in [["1", "1.0"], ["a", "none"], ["a", "9007199254740993"]] {
        let refused = Covariate::Category { name: "dose".to_owned(), levels: levels.map(str::to_owned).to_vec() };
        assert_eq!(Covariate::check(&[refused]), Err(CovariateError::Levels { name: "dose".to_owned() }));
    }
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_drawn() {
    let plan = regression((1.0, 1e-5));
    let refused = |plan: &PrivateRegression, columns: &[TextColumn]| plan.prepare(&curves(60), columns).unwrap_err();
    assert_eq!(refused(&plan, &columns(60)[..1]), RegressionError::Cells);
    assert_eq!(refused(&plan, &columns(59)), RegressionError::Cells);
    let public = plan.clone().public_design();
    let add_remove = public.clone().neighbours(NeighbouringRelation::AddRemoveOne);
    assert_eq!(refused(&add_remove, &columns(60)), RegressionError::PublicUnderAddRemove);
    for cell in [None, Some("9"), Some("NaN"), Some("many")] {
        let mut bad = columns(60);
        let cells = (0..60).map(|i| if i == 4 { cell.map(str::to_owned) } else { Some("2".to_owned()) });
        bad[1] = TextColumn::new(cells.collect());
        let name = "visit".to_owned();
        assert_eq!(refused(&public, &bad), RegressionError::NoCovariate { row: 5, name }, "{cell:?}");
    }
    let mut constant = columns(60);
    constant[1] = TextColumn::new(vec![Some("2".to_owned()); 60]);
    let collinear = RegressionPlanError::Design(DesignError::Collinear { columns: 3 });
    assert_eq!(refused(&public, &constant), RegressionError::Plan(collinear));
    // nobody may learn from a refusal that private covariates are constant
    assert!(plan.prepare(&curves(60), &constant).is_ok());

    let number = |lower: f64, upper: f64| Covariate::Number { name: "age".to_owned(), lower, upper };
    let level = |levels: &[&str]| Covariate::Category {
        name: "site".to_owned(),
        levels: levels.iter().map(|level| (*level).to_owned()).collect(),
    };
    let many: Vec<String> = (0..21).map(|i| i.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for bad in [
        vec![],
        vec![number(1.0, 1.0)],
        vec![number(2.0, 1.0)],
        vec![number(f64::NAN, 1.0)],
        vec![number(0.0, f64::INFINITY)],
        vec![level(&["one"])],
        vec![level(&["one", "one"])],
        vec![level(&["one", "t\nwo"])],
        vec![level(&many)],
        vec![number(0.0, 1.0), number(0.0, 2.0)],
    ] {
        assert!(Covariate::check(&bad).is_err(), "{bad:?}");
    }
    assert_eq!(Covariate::check(&[level(&many)]), Err(CovariateError::Columns { found: 20 }));
    assert!(!format!("{:?}", plan.prepare(&curves(60), &columns(60)).unwrap()).contains("case"));
}
