#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_mechanism::BallShares;
use dpfda_privacy::{
    Body, Calibration, ExactSum, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, SeededRandomness, steps_to_unit,
};
use dpfda_smoothing::Center;
use ndarray::Array2;
use serde::de::IgnoredAny;

use super::*;
use crate::purchase::in_ball::InBall;
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

/// What a row of the standardised design of a status and a visit is where these are private: squares of the entries are as 1, 1 and
/// `sqrt(3)` at the ends of both ranges.
fn coded(design: &Array2<f64>) -> Array2<f64> {
    let part = 1.0 / (2.0 + 3.0_f64.sqrt());
    design * &ndarray::array![part.sqrt(), part.sqrt(), (1.0 - 2.0 * part).sqrt()]
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
    let (design, z) = exact(3000);
    let public = regression(NOISELESS).public_design();
    for (plan, is_public) in [(regression(NOISELESS), false), (public, true)] {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            if is_public && neighbours == NeighbouringRelation::AddRemoveOne {
                continue;
            }
            let products = Regression::products(&released(&plan.clone().neighbours(neighbours), 3000));
            let x = if is_public { design.clone() } else { coded(&design) };
            assert_abs_diff_eq!(design.dot(&products.transform.t()), x, epsilon = 1e-14);
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
            // the square of the intercept has this part of each record
            let part = products.transform[[0, 0]].powi(2);
            let sd = 2.0_f64.sqrt() * products.covariates_sd / part;
            assert_abs_diff_eq!(products.records, 3000.0, epsilon = 8.0 * sd + 1e-9);
        }
    }
}

#[test]
fn the_noise_is_that_of_the_proof() {
    // s_C = 2 tau / mu, o = 2 / mu, for mu at (1, 0.1)
    let mu = 0.920_913_966_613_283_1;
    let stated = |plan: PrivateRegression| released(&plan.buying(BallShares::NONE), 500);
    let products = Regression::products(&stated(regression((1.0, 0.1))));
    assert!((products.cross_sd / (2.0 * 0.25 / mu) - 1.0).abs() < 1e-5, "{}", products.cross_sd);
    assert!((products.covariates_sd / (2.0 / mu) - 1.0).abs() < 1e-5, "{}", products.covariates_sd);
    let products = Regression::products(&stated(regression((1.0, 0.1)).public_design()));
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
    let mechanism = plan.mechanism(curves(60).grid(), PrivacyUnit::Curve, None).unwrap();
    let mechanism = mechanism.of_records(60).unwrap();
    assert_eq!(mechanism.digest(), released(&plan, 60).mechanism().digest(), "the plan needs no data");
}

/// The first documents have covariates that were only standardised, and say no coding.
#[test]
fn a_document_without_a_coding_has_the_products_of_standardised_covariates() {
    let release = released(&regression((1.0, 0.1)).neighbours(NeighbouringRelation::AddRemoveOne), 600);
    let new = Regression::products(&release);
    let mut document: serde_json::Value = serde_json::from_str(&release.to_json_with_estimate(&()).unwrap()).unwrap();
    document["statistic"].as_object_mut().unwrap().remove("coding");
    assert!(Release::<Regression>::from_json(&document.to_string()).is_err(), "the units of the noise are others");
    let mut edit = |field: &str, factor: f64, from: f64| {
        *document.pointer_mut(field).unwrap() = serde_json::json!(factor * from);
    };
    // vectors of norm sqrt(3) at most
    edit("/derived/covariates_sd", 3.0, new.covariates_sd);
    edit("/derived/cross_sd", 3.0_f64.sqrt(), new.cross_sd);
    edit("/derived/records", 3.0, new.covariates[[0, 0]]);
    let old = Regression::products(&Release::<Regression>::from_json(&document.to_string()).unwrap());
    assert_eq!(old.transform, Array2::<f64>::eye(3));
    assert_abs_diff_eq!(old.covariates, 3.0 * &new.covariates, epsilon = 1e-9);
    assert_abs_diff_eq!(old.cross, 3.0_f64.sqrt() * &new.cross, epsilon = 1e-9);
    assert_abs_diff_eq!(old.records, old.covariates[[0, 0]], epsilon = 1e-9);
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
    // all levels in equal parts
    let site =
        Covariate::Category { name: "site".to_owned(), levels: ["a", "b", "c", "d"].map(str::to_owned).to_vec() };
    assert_eq!(site.standardised(None), [-0.5; 3]);
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

/// In a ball that is far too wide.
fn wide(budget: (f64, f64)) -> PrivateRegression {
    let ball = Ball::new(Center::Constant(0.5), 2.0).unwrap();
    PrivateRegression::new(ball, PrivacyBudget::new(budget.0, budget.1).unwrap(), covariates())
}

/// Both a centre and a radius are bought.
fn both() -> BallShares {
    BallShares::new(Some(0.1), Some(0.05)).unwrap()
}

#[test]
fn a_radius_that_is_stated_too_large_is_bought_smaller_and_the_noise_with_it() {
    for plan in [wide((1.0, 0.1)), wide((1.0, 0.1)).public_design()] {
        let stated = released(&plan.clone().buying(BallShares::NONE), 400);
        let bought = released(&plan, 400);
        let answers = InBall::bought(bought.statistic()).unwrap();
        assert_eq!(
            (answers.stated_ball(), answers.shares()),
            (stated.statistic().ball(), BallShares::new(None, Some(0.05)).unwrap())
        );
        let (wide, narrow) = (Regression::products(&stated), Regression::products(&bought));
        assert!(narrow.cross_sd < 0.2 * wide.cross_sd, "{} {}", narrow.cross_sd, wide.cross_sd);
        // the products of covariates have no radius
        let part = narrow.covariates_sd / wide.covariates_sd;
        assert!(part.is_nan() || (part * 0.95_f64.sqrt() - 1.0).abs() < 1e-5, "{part}");
        assert!(bought.facts().iter().any(|fact| fact.name == "found" && fact.text.contains("of at most 2")));
    }
}

#[test]
fn products_in_a_bought_ball_are_those_of_clipped_curves_and_their_covariates() {
    let x = coded(&exact(3000).0);
    let mut values = curves(3000).values().to_owned();
    // three of all are far away
    values.rows_mut().into_iter().step_by(1000).for_each(|mut row| row += 1.9);
    let far = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    let z = (&far.values() - 0.5) * &far.unit_grid().weights().mapv(f64::sqrt);
    let release = wide((12.0, 0.5)).release(&far, &columns(3000), &mut SeededRandomness::from_seed(4)).unwrap();
    let (products, radius) = (Regression::products(&release), release.statistic().ball().radius());
    assert!(radius < 0.5, "{radius}");
    let mut clipped = z.clone();
    for mut row in clipped.rows_mut() {
        let length = row.dot(&row).sqrt();
        row.mapv_inplace(|z| z * (radius / length).min(1.0));
    }
    let lost = x.t().dot(&(&clipped - &z));
    let most = lost.iter().fold(0.0_f64, |most, lost| most.max(lost.abs())) / products.cross_sd;
    assert!(most > 7.0, "what is clipped shows: {most} {radius}");
    assert_abs_diff_eq!(products.cross, x.t().dot(&clipped), epsilon = 4.5 * products.cross_sd);
    assert_abs_diff_eq!(products.covariates, x.t().dot(&x), epsilon = 8.0 * products.covariates_sd);
    let along = clipped.dot(&products.basis);
    assert_abs_diff_eq!(products.curves, along.t().dot(&along), epsilon = 1.0);
}

#[test]
fn a_bought_centre_is_that_of_the_curves_and_the_noise_falls_where_the_stated_one_is_far() {
    let ball = Ball::new(Center::Constant(3.0), 3.0).unwrap();
    let plan = PrivateRegression::new(ball, PrivacyBudget::new(1.0, 0.1).unwrap(), covariates());
    for plan in [plan.clone(), plan.clone().public_design(), plan.neighbours(NeighbouringRelation::AddRemoveOne)] {
        let (radius, both) = (released(&plan, 600), released(&plan.clone().buying(both()), 600));
        let center = both.statistic().ball().center_at(curves(9).grid()).unwrap();
        assert!(center.iter().all(|value| (value - 0.55).abs() < 0.5), "{center}");
        assert_eq!(radius.statistic().ball().center(), &Center::Constant(3.0));
        let [wide, narrow] = [&radius, &both].map(|release| Regression::products(release).cross_sd);
        assert!(narrow < 0.3 * wide, "{narrow} {wide}");
        if both.statistic().public_design().is_some() {
            continue;
        }
        // the same bits in any order; a public design is computed in real numbers
        let backwards = |rows: usize| (0..rows).rev().collect::<Vec<_>>();
        let values = curves(600).values().select(ndarray::Axis(0), &backwards(600));
        let turned = CurveSet::new(curves(9).grid().clone(), values).unwrap();
        let turn = |column: &TextColumn| {
            let mut cells: Vec<Option<String>> = column.cells().map(|cell| cell.map(str::to_owned)).collect();
            cells.reverse();
            TextColumn::new(cells)
        };
        let columns: Vec<TextColumn> = columns(600).iter().map(turn).collect();
        let plan = plan.buying(self::both());
        let again = plan.release(&turned, &columns, &mut SeededRandomness::from_seed(4)).unwrap();
        assert_eq!(again, both);
    }
}

#[test]
fn what_is_bought_and_the_products_together_cost_the_budget_and_no_more() {
    let whole = GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(1.0, 0.1).unwrap()).unwrap();
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        for shares in [BallShares::default(), both()] {
            let plan = wide((1.0, 0.1)).neighbours(neighbours).buying(shares);
            let spent = released(&plan, 800).privacy().unwrap();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{}", spent.mu());
        }
    }
}

#[test]
fn the_default_buys_from_enough_records_and_a_share_that_is_asked_for_is_refused_from_fewer() {
    let plan = wide((1.0, 1e-5));
    let least =
        plan.mechanism(curves(9).grid(), PrivacyUnit::Curve, None).unwrap().least_for_radius().unwrap().unwrap();
    #[allow(clippy::cast_possible_truncation, reason = "some hundred")]
    let records = least as usize;
    let buys = |plan: &PrivateRegression, records| released(plan, records).mechanism().shares().buys();
    assert!(buys(&plan, records) && !buys(&plan, records - 1) && !buys(&plan.clone().public_design(), records - 1));
    let asked = plan.clone().buying(BallShares::new(None, Some(0.05)).unwrap());
    let refused = asked.prepare(&curves(records - 1), &columns(records - 1)).unwrap_err();
    let expected = MechanismError::TooFewForRadius { least, found: least - 1 }.into();
    assert_eq!(refused, RegressionError::Release(expected));
    // where their number is private it decides nothing
    assert!(buys(&plan.neighbours(NeighbouringRelation::AddRemoveOne), 20));
}

#[test]
fn a_bought_ball_survives_its_document_and_another_one_is_refused() {
    for plan in [wide((1.0, 0.1)), wide((1.0, 0.1)).public_design(), wide((1.0, 0.1)).buying(both())] {
        let release = released(&plan, 500);
        let json = release.to_json_with_estimate(&()).unwrap();
        let again = Release::<Regression>::from_json(&json).unwrap();
        assert_eq!((again.statistic(), again.spend()), (release.statistic(), release.spend()));
        assert_eq!(Regression::products(&again), Regression::products(&release));
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let of_center = [
            ("/lattice/center/coordinates/0", serde_json::json!(1_i64 << 50)),
            ("/lattice/center", serde_json::Value::Null),
            ("/derived/ball/center/0", serde_json::json!(0.4)),
        ];
        let of_center = of_center.into_iter().filter(|_| release.answers().center().is_some());
        let edits = [
            ("/lattice/radius/coordinates/0", serde_json::json!(1_i64 << 50)),
            ("/lattice/radius", serde_json::Value::Null),
            ("/derived/ball/radius", serde_json::json!(1.0)),
            ("/derived/ball", serde_json::Value::Null),
            ("/statistic/mean/ball/radius", serde_json::json!(0.5)),
            ("/derived/cross_sd", serde_json::json!(0.5)),
        ];
        for (field, value) in edits.into_iter().chain(of_center) {
            let mut edited = document.clone();
            *edited.pointer_mut(field).unwrap_or_else(|| panic!("{field}")) = value;
            assert!(Release::<Regression>::from_json(&edited.to_string()).is_err(), "{field}");
        }
    }
}

#[test]
fn a_radius_is_for_sale_where_its_sums_fit_into_memory() {
    let of = |points| {
        let grid = Grid::uniform(0.0, 1.0, points).unwrap();
        wide((1.0, 0.1)).mechanism(&grid, PrivacyUnit::Curve, None).unwrap().shares().buys()
    };
    assert!(of(4_896) && !of(4_897), "three columns of covariates");
}

#[test]
fn rounding_moves_the_products_of_a_record_by_no_more_than_its_bound_and_by_nearly_as_much() {
    let mechanism = regression((1.0, 0.1)).mechanism(curves(9).grid(), PrivacyUnit::Curve, None).unwrap();
    let (statistic, body) = (mechanism.statistic(), mechanism.body());
    let bound = statistic.rounding(PrivacyUnit::Curve);
    let (of_covariates, of_curve) = (steps_to_unit(3), steps_to_unit(POINTS));
    let mut largest = [0.0_f64; 2];
    for seed in 0..300_u32 {
        // just below half a step in every coordinate, from the same curve and covariates as long as can be
        let half = |i: usize| (f64::from((seed * 7 + u32::try_from(i).unwrap() * 13) % 5) - 2.0).signum() * 0.499;
        let x: Vec<f64> = (0..3).map(|j| (0.577_f64 * of_covariates).floor() + half(j)).collect();
        let z: Vec<f64> = (0..POINTS).map(|i| (0.288 * of_curve).floor() + half(i + 3)).collect();
        let mut record = body.vector();
        record.parts().0.encode(&x.iter().map(|x| x / of_covariates).collect::<Vec<f64>>()).unwrap();
        record.parts().1.encode(&z.iter().map(|z| z / of_curve).collect::<Vec<f64>>()).unwrap();
        let mut sum = ExactSum::new(body.clone());
        sum.add(&record).unwrap();
        let totals = sum.totals().reveal().clone();
        let lengths = body.lengths();
        let cross = &totals[lengths[0] + lengths[1]..][..lengths[2]];
        let exact = x.iter().flat_map(|x| z.iter().map(move |z| x * z));
        let moved = cross.iter().zip(exact).map(|(k, exact)| (*k as f64 - exact).powi(2)).sum::<f64>().sqrt();
        let squares = totals.iter().zip(&x).map(|(k, x)| (*k as f64 - x * x).powi(2)).sum::<f64>();
        let pairs = [x[0] * x[1], x[0] * x[2], x[1] * x[2]];
        let pairs = totals[3..].iter().zip(pairs).map(|(k, pair)| 2.0 * (*k as f64 - pair).powi(2)).sum::<f64>();
        for (largest, part) in
            largest.iter_mut().zip([moved / bound.cross, (squares + pairs).sqrt() / bound.covariates])
        {
            *largest = largest.max(part);
        }
    }
    assert!(largest.iter().all(|part| (0.6..=1.0).contains(part)), "{largest:?}");
}

#[test]
fn at_large_units_the_sds_of_products_are_what_the_rounding_of_records_adds() {
    let json = released(&regression((1.0, 0.1)), 600).to_json().unwrap();
    let large = json.replace("\"records\": 600", "\"records\": 1099511627776");
    let (release, ..) = Release::<Regression>::from_json_with::<IgnoredAny, IgnoredAny>(&large).unwrap();
    let (statistic, products) = (release.statistic(), Regression::products(&release));
    let (rounding, records) = (statistic.rounding(release.unit()), 1_099_511_627_776.0);
    let (step, data_step) = (statistic.covariate_step(), statistic.mean().lattice_step());
    for ratio in [
        products.covariates_sd / (records * rounding.covariates * step * step),
        products.cross_sd / (records * rounding.cross * step * data_step),
    ] {
        assert!((1.0 - 1e-12..1.01).contains(&ratio), "{ratio}");
    }
}

/// An independent look: of as many people as are refused, the products of the document say that twice the noise of a variance is above the largest
/// variance, which is 1 in squared half ranges.
#[test]
fn an_outcome_of_so_few_people_that_noise_hides_any_is_refused_before_it_is_paid_for() {
    let of_outcome = |budget: (f64, f64)| regression(budget).of_outcome("visit");
    let plan = of_outcome((1.0, 1e-5));
    let refused = |plan: &PrivateRegression, records: usize| plan.prepare(&curves(records), &columns(records)).err();
    let Some(RegressionError::TooFew { records: 20, least }) = refused(&plan, 20) else {
        unreachable!("it is refused")
    };
    let least = usize::try_from(least).unwrap();
    assert!(refused(&plan, least - 1).is_some() && refused(&plan, least).is_none(), "{least}");
    let two_sds_over_largest = |records: usize| {
        let products = Regression::products(&released(&plan, records));
        let length = products.transform.t().dot(&products.transform)[[2, 2]];
        2.0 * 2.0_f64.sqrt() * products.covariates_sd / length / records as f64
    };
    assert_abs_diff_eq!(two_sds_over_largest(least), 1.0, epsilon = 1.5 / least as f64);
    // where nobody knows how many there are, no number decides; and coefficients say themselves when they are hidden
    let unknown = plan.clone().neighbours(NeighbouringRelation::AddRemoveOne);
    assert!(refused(&unknown, 20).is_none() && refused(&regression((1.0, 1e-5)), 20).is_none());
    assert!(refused(&of_outcome((8.0, 0.1)), 20).is_none());
}
