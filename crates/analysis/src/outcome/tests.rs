#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{CovarianceKernel, Grid, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{Covariate, PrivateRegression, Regression};
use dpfda_smoothing::{Ball, Center, CurveSet, TextColumn};
use ndarray::{Array1, Array2};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use super::slope::Ridge;
use super::{Counted, correlation};
use crate::band::Band;
use crate::defaults::DEFAULT_LEVEL;
use crate::error::AnalysisError;
use crate::estimated::Estimated;
use crate::golden::{self, matrix, numbers};

#[test]
fn the_correlation_and_its_standard_deviation_are_the_golden_ones() {
    let (input, output) = golden::of_people("correlation curve");
    let number = |name: &str| input[name].as_f64().unwrap();
    let counted =
        Counted { variance: output["variance_y"].as_f64().unwrap(), relative_sd: number("relative_sd_var_y") };
    let scale = numbers(&input["sd_x"]);
    let (noise, relative) = (number("cov_sd").powi(2), number("relative_sd_var_x"));
    let (noise, relative) = (Array1::from_elem(scale.len(), noise), Array1::from_elem(scale.len(), relative));
    let (values, sd) =
        correlation(numbers(&output["covariance"]), (&noise, number("records")), (&scale, &relative), &counted);
    for (found, name) in [(values, "correlation"), (sd, "sd")] {
        for (found, expected) in found.iter().zip(&numbers(&output[name])) {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-10);
        }
    }
}

#[test]
fn the_slope_and_its_evidence_are_the_golden_ones() {
    let (input, output) = golden::of_people("slope");
    let number = |name: &str| input[name].as_f64().unwrap();
    let covariance = matrix(&input["covariance_whitened"]);
    let n = covariance.nrows();
    let kernel = Matern::new(1.5, 0.5).unwrap();
    let at = |i: usize| i as f64 / (n - 1) as f64;
    let ridge = Ridge {
        covariance,
        prior: Array2::from_shape_fn((n, n), |(i, j)| kernel.covariance(at(i), at(j)) / n as f64),
        observed: numbers(&input["cross"]),
        noise: Array2::eye(n) * number("noise_sd").powi(2),
        variance: number("variance_y"),
        records: number("records"),
    };
    let found = ridge.at(0.02).unwrap();
    for (found, expected) in found.slope.iter().zip(&numbers(&output["slope"])) {
        assert_abs_diff_eq!(found, expected, epsilon = 1e-7);
    }
    assert_abs_diff_eq!(found.log_evidence, output["log_evidence"].as_f64().unwrap(), epsilon = 1e-6);
}

const PEOPLE: usize = 4000;
const POINTS: usize = 25;

/// What people of a seed say: an outcome of variance 1 of which curves explain this part, and a second number that both depend on with this weight.
struct People {
    curves: CurveSet,
    outcome: TextColumn,
    other: TextColumn,
}

fn people(explained: f64, shared: f64, seed: u64) -> People {
    so_many(PEOPLE, (explained, shared), seed)
}

fn so_many(number: usize, (explained, shared): (f64, f64), seed: u64) -> People {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut values = Array2::zeros((number, POINTS));
    let (mut outcome, mut other) = (Vec::new(), Vec::new());
    for mut row in values.rows_mut() {
        let [level, wave, rest, common]: [f64; 4] = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
        let wave = wave * (1.0 - shared * shared).sqrt() + shared * common;
        for (k, value) in row.iter_mut().enumerate() {
            let t = k as f64 / (POINTS - 1) as f64;
            *value = 0.5 + 0.03 * level + 0.06 * wave * (std::f64::consts::PI * t).sin();
        }
        let own = rest * (1.0 - explained - shared * shared).max(0.0).sqrt();
        outcome.push(Some((50.0 + 10.0 * (wave * explained.sqrt() + own + shared * common)).to_string()));
        other.push(Some(common.to_string()));
    }
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    People { curves, outcome: TextColumn::new(outcome), other: TextColumn::new(other) }
}

fn number(name: &str, lower: f64, upper: f64) -> Covariate {
    Covariate::Number { name: name.to_owned(), lower, upper }
}

fn private(covariates: Vec<Covariate>) -> PrivateRegression {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateRegression::new(ball, PrivacyBudget::new(1.0, 1e-5).unwrap(), covariates)
}

fn estimated(private: &PrivateRegression, people: &People, columns: &[TextColumn], seed: u64) -> Estimated<Regression> {
    let release = private.release(&people.curves, columns, &mut SeededRandomness::from_seed(seed)).unwrap();
    Estimated::<Regression>::new(release, &Band::Population, DEFAULT_LEVEL).unwrap()
}

#[test]
fn an_outcome_that_curves_explain_has_the_correlation_and_the_part_that_they_explain() {
    for relation in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let people = people(0.4, 0.0, 1);
        let private = private(vec![number("age", 20.0, 80.0)]).of_outcome("age").neighbours(relation);
        let estimated = estimated(&private, &people, std::slice::from_ref(&people.outcome), 7);
        let outcome = estimated.outcome("age").unwrap();
        let correlation = outcome.correlation();
        for (i, t) in correlation.at.iter().enumerate() {
            let wave = 0.06 * (std::f64::consts::PI * t).sin();
            let truth = 0.4_f64.sqrt() * wave / 0.03_f64.hypot(wave);
            assert!((correlation.lower[i]..=correlation.upper[i]).contains(&truth), "{t}: {truth}");
        }
        assert!(correlation.half_width() < 0.3, "{}", correlation.half_width());
        let (t, largest) = outcome.largest().unwrap();
        assert!((t - 0.5).abs() < 0.2 && (0.45..0.7).contains(&largest), "{t} {largest}");
        let (slope, explained) = (outcome.slope().unwrap(), outcome.explained().unwrap());
        let of_new = explained.of_new.unwrap();
        assert!(
            (0.1..0.4).contains(&explained.at_least) && (explained.at_least..0.45).contains(&of_new),
            "{explained}"
        );
        // a curve that is one unit higher in the middle alone has a larger outcome
        assert!(slope.values[POINTS / 2] > 0.0 && slope.values.len() == POINTS);
    }
}

#[test]
fn of_an_outcome_that_nothing_explains_no_slope_is_shown() {
    let people = people(0.0, 0.0, 2);
    let private = private(vec![number("age", 20.0, 80.0)]).of_outcome("age");
    let outcome = estimated(&private, &people, std::slice::from_ref(&people.outcome), 8).outcome("age").unwrap();
    assert!(matches!(outcome.slope(), Err(AnalysisError::NoAssociation { .. })), "{:?}", outcome.slope());
    assert!(outcome.correlation().lower.iter().zip(&outcome.correlation().upper).all(|(a, b)| *a < 0.0 && *b > 0.0));
}

#[test]
fn what_a_third_number_explains_of_both_is_taken_out() {
    let people = people(0.0, 0.7, 3);
    let (age, other) = (number("age", 20.0, 80.0), number("height", -3.0, 3.0));
    let alone = private(vec![age.clone()]).of_outcome("age");
    let alone = estimated(&alone, &people, std::slice::from_ref(&people.outcome), 9).outcome("age").unwrap();
    assert!(alone.correlation().values[POINTS / 2] > 0.3, "{}", alone.correlation().values[POINTS / 2]);
    let both = private(vec![other, age]).of_outcome("age");
    let both = estimated(&both, &people, &[people.other.clone(), people.outcome.clone()], 10);
    let given = both.outcome("age").unwrap();
    assert_eq!((given.name(), given.beside()), ("age", &["height".to_owned()][..]));
    let (lower, upper) = (&given.correlation().lower, &given.correlation().upper);
    assert!(lower.iter().zip(upper).all(|(lower, upper)| *lower < 0.0 && *upper > 0.0));
    // the third number as an outcome given this one
    assert!(both.outcome("height").unwrap().correlation().values[POINTS / 2] > 0.3);
}

#[test]
fn what_is_no_outcome_or_is_hidden_by_noise_is_refused() {
    let people = people(0.4, 0.0, 4);
    let columns = std::slice::from_ref(&people.outcome);
    let plain = estimated(&private(vec![number("age", 20.0, 80.0)]), &people, columns, 11);
    assert!(plain.outcome("age").is_ok(), "any regression on private covariates tells of its outcomes");
    assert_eq!(plain.outcome("weight").unwrap_err(), AnalysisError::NoOutcome);
    let public = estimated(&private(vec![number("age", -500.0, 500.0)]).public_design(), &people, columns, 12);
    assert_eq!(public.outcome("age").unwrap_err(), AnalysisError::NoOutcome);
    let wide = estimated(&private(vec![number("age", -1e5, 1e5)]), &people, columns, 13);
    assert!(matches!(wide.outcome("age"), Err(AnalysisError::OutcomeHidden { .. })));
}

/// A level and a wave are nearly the same direction: the noise hides their contrast, which the best slope needs, and no slope that is shown explains
/// all that curves do.
#[test]
fn of_few_people_as_of_many_no_more_is_said_to_be_explained_than_curves_explain() {
    for (records, epsilon) in [(376, 8.0), (1000, 3.0), (4000, 1.0)] {
        for truth in [0.1, 0.8] {
            let (mut shown, mut least, mut of_new) = (0.0, Vec::new(), 0.0);
            for seed in 0..8 {
                let people = so_many(records, (truth, 0.0), 100 + seed);
                let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
                let budget = PrivacyBudget::new(epsilon, 1e-5).unwrap();
                let private = PrivateRegression::new(ball, budget, vec![number("age", 20.0, 80.0)]).of_outcome("age");
                let found = estimated(&private, &people, std::slice::from_ref(&people.outcome), seed).outcome("age");
                let Ok(explained) = found.and_then(|outcome| outcome.explained()) else { continue };
                shown += 1.0;
                least.push(explained.at_least);
                of_new += explained.of_new.unwrap();
            }
            assert!(shown >= 5.0 && least.iter().all(|least| *least < truth), "{records} {truth}: {least:?}");
            // a part that is worth telling, and less than the whole, as the noise hides a part
            let average = least.iter().sum::<f64>() / shown;
            assert!(average > 0.2 * truth && of_new / shown < truth, "{records} {truth}: {average} {}", of_new / shown);
        }
    }
}
