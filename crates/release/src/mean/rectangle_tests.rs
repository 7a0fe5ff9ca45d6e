#![allow(clippy::unwrap_used, reason = "tests")]

use std::num::NonZeroUsize;

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Domain, Quadrature};
use dpfda_mechanism::{MOST_BYTES_OF_SUMS, MechanismError, PartId, Statistic};
use dpfda_privacy::{
    Body, NeighbouringRelation, NestedRadius, PrivacyBudget, PrivacyUnit, SeededRandomness, steps_to_unit,
};
use dpfda_smoothing::{BallError, Center, CsvCurves, CurveLayout, CurveSet, GridChoice};
use ndarray::{Array1, Array2, Axis, Slice};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::coordinates::sobolev::{SobolevNorm, SobolevOrder};
use crate::mean::MeanMechanism;
use crate::mean::mean_error::MeanError;
use crate::mean::prepared::sum_of;
use crate::mean::private::{MomentsChoice, PrivateMean};
use crate::parts::part::Part;
use crate::parts::plan::Plan;
use crate::purchase::bought::{BallShares, stated_by_default};
use crate::release_error::ReleaseError;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

type Drawn = Release<Surface>;

fn ball() -> Ball {
    Ball::new(Center::Constant(0.5), 0.25).unwrap()
}

fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 1e-5).unwrap()
}

fn grid() -> SurfaceGrid {
    let uneven = Grid::new(vec![0.0, 0.5, 2.0, 3.0, 8.0]).unwrap();
    SurfaceGrid::new(uneven, Grid::uniform(-1.0, 1.0, 7).unwrap()).unwrap()
}

fn square(points: usize) -> SurfaceGrid {
    let axis = || Grid::uniform(0.0, 1.0, points).unwrap();
    SurfaceGrid::new(axis(), axis()).unwrap()
}

/// The settings with the stated ball.
fn stated() -> PrivateMean {
    PrivateMean::isonormal(ball(), budget()).buying(BallShares::NONE)
}

/// Those that buy a radius below a ball that is far too wide, and perhaps a centre.
fn buying(center: Option<f64>) -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 4.0).unwrap();
    let budget = PrivacyBudget::new(1.0, 0.1).unwrap();
    PrivateMean::isonormal(ball, budget).buying(BallShares::new(center, Some(0.05)).unwrap())
}

fn surfaces(grid: &SurfaceGrid, values: Array2<f64>) -> CurveSet {
    CurveSet::new(grid.places().unwrap(), values).unwrap()
}

fn simulated(people: usize) -> CurveSet {
    let grid = grid();
    surfaces(&grid, Array2::from_shape_fn((people, grid.len()), |(i, j)| 0.5 + 0.4 * ((3 * i + 5 * j) as f64).sin()))
}

fn released(mean: &PrivateMean, surfaces: &CurveSet, seed: u64) -> Drawn {
    mean.prepare_on(surfaces, &grid(), None).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(seed))
}

/// The sum of these people clipped at a radius, in steps of this radius.
fn sum(people: &[Vec<f64>], radius: NestedRadius) -> Vec<i128> {
    let values = Array2::from_shape_fn((people.len(), 35), |(i, j)| people[i][j]);
    let mechanism = buying(None).mechanism(&grid(), PrivacyUnit::Curve, None).unwrap();
    let sum = sum_of(&surfaces(&grid(), values), mechanism.statistic(), mechanism.body(), NonZeroUsize::MIN);
    sum.unwrap().at(radius).unwrap().totals().reveal().clone()
}

fn distance(a: &[i128], b: &[i128]) -> f64 {
    a.iter().zip(b).map(|(a, b)| ((a - b) as f64).powi(2)).sum::<f64>().sqrt()
}

fn bound(relation: NeighbouringRelation) -> f64 {
    buying(None).mechanism(&grid(), PrivacyUnit::Curve, None).unwrap().body().l2_bound(relation)
}

#[test]
fn the_bound_on_neighbours_is_attained_by_opposite_surfaces_at_every_radius() {
    let others = vec![vec![0.7; 35], vec![0.1; 35]];
    // one bump, and all of the rectangle
    for values in [
        (0..35).map(|j| if j == 17 { 1e3 } else { 0.5 }).collect::<Vec<f64>>(),
        vec![9.0; 35],
        (0..35).map(|j| 0.5 + f64::from(j % 3) * 7.0).collect(),
    ] {
        let opposite: Vec<f64> = values.iter().map(|x| 1.0 - x).collect();
        let with = |person: &Vec<f64>| [others.clone(), vec![person.clone()]].concat();
        for radius in NestedRadius::all().step_by(6) {
            let found = distance(&sum(&with(&values), radius), &sum(&with(&opposite), radius));
            let bound = bound(RELATIONS[0]);
            assert!(found <= bound && found >= 0.9998 * bound, "{found} for {bound}");
        }
    }
}

proptest! {
    #[test]
    fn no_two_surfaces_are_further_apart_than_the_bound_at_any_radius(
        a in prop::collection::vec(-1e6..1e6_f64, 35),
        b in prop::collection::vec(-3.0..3.0_f64, 35),
        radius in 0_u32..49,
    ) {
        let radius = NestedRadius::new(radius).unwrap();
        prop_assert!(distance(&sum(&[a], radius), &sum(&[b], radius)) <= bound(RELATIONS[0]));
    }
}

#[test]
fn a_surface_of_equal_weights_has_the_integers_of_the_curve_of_its_values() {
    let equal = |points| Grid::with_quadrature((0..points).map(f64::from).collect(), Quadrature::Equal).unwrap();
    // powers of two: the products of the weights are exact
    let grid = SurfaceGrid::new(equal(4), equal(8)).unwrap();
    let values = Array2::from_shape_fn((300, 32), |(i, j)| 0.5 + 0.04 * ((i + 7 * j) as f64).sin());
    let curves = CurveSet::new(equal(32), values).unwrap();
    for neighbours in RELATIONS {
        for shares in [BallShares::NONE, BallShares::new(None, Some(0.05)).unwrap()] {
            let settings = stated().neighbours(neighbours).buying(shares).moments(MomentsChoice::None);
            let as_curve = settings.prepare(&curves).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(7));
            let settings = settings.moments(MomentsChoice::Auto);
            let prepared = settings.prepare_on(&curves, &grid, None).unwrap();
            let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(7));
            assert!(release.words().eq(as_curve.words()));
            let (of_surface, sd) = release.statistic().whitened(&release);
            assert_eq!((of_surface, sd), as_curve.statistic().whitened(&as_curve));
        }
    }
}

#[test]
fn a_surface_from_a_stream_and_from_three_parts_has_the_bits_of_one_from_memory() {
    let (grid, people) = (grid(), simulated(600));
    let header: Vec<String> = (1..=grid.len()).map(|place| format!("x{place}")).collect();
    let values = people.values();
    let rows = values.outer_iter().map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
    let csv = [header.join(",")].into_iter().chain(rows).collect::<Vec<_>>().join("\n");
    let layout = CurveLayout::new("x*").unwrap().grid(GridChoice::Uniform(1.0, grid.len() as f64));
    for neighbours in RELATIONS {
        // a plan decides by the number of records too, and the default buys
        let default = PrivateMean::isonormal(ball(), budget());
        for settings in [stated(), default.clone(), default.roughness_of_axes([0.3; 2])] {
            let settings = settings.neighbours(neighbours);
            let expected = released(&settings, &people, 9);
            let plan = settings.plan(&grid, PrivacyUnit::Curve).unwrap();
            let drawn =
                |part: Part<Surface>| part.prepare(&plan).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(9));
            let mut stream = plan.encoder(PartId::whole(), None);
            stream.read(&mut CsvCurves::new(csv.as_bytes(), &layout).unwrap()).unwrap();
            assert_eq!(drawn(stream.finish().unwrap()), expected);
            let parts = [0..17, 17..400, 400..600].map(|rows| {
                let mut encoder = plan.encoder(format!("part{}", rows.start).parse().unwrap(), None);
                encoder.push_rows(people.values().slice_axis(Axis(0), Slice::from(rows))).unwrap();
                let bytes = encoder.finish().unwrap().reveal().reveal().clone();
                Part::<Surface>::read(&bytes).unwrap()
            });
            let joined = parts.into_iter().reduce(|mut all, part| {
                all.merge(part).unwrap();
                all
            });
            assert_eq!(drawn(joined.unwrap()), expected);
            // threads divide the records
            let threads = settings.prepare_on(&people, &grid, NonZeroUsize::new(3)).unwrap();
            assert_eq!(threads.draw_unrecorded(&mut SeededRandomness::from_seed(9)), expected);
        }
    }
}

#[test]
fn a_plan_is_read_back_and_is_none_of_curves() {
    let plan = buying(None).plan(&grid(), PrivacyUnit::Subject).unwrap();
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan<Surface>>(&text).unwrap(), plan);
    assert!(serde_json::from_str::<Plan<Mean>>(&text).is_err());
    let renamed = text.replacen("planned-surface", "planned-mean", 1);
    assert!(serde_json::from_str::<Plan<Surface>>(&renamed).is_err());
}

/// Surfaces of people about a mean of their own, `0.2` about it in root mean square.
fn population(people: usize, seed: u64) -> (CurveSet, Array1<f64>) {
    let (grid, phase) = (grid(), seed as f64);
    let mean = Array1::from_shape_fn(grid.len(), |j| 0.6 + 0.2 * (0.4 * j as f64 + phase).sin());
    let values = Array2::from_shape_fn((people, grid.len()), |(i, j)| {
        mean[j] + 0.28 * (1.7 * i as f64 + phase).sin() * (0.9 * j as f64 + i as f64).cos()
    });
    (surfaces(&grid, values), mean)
}

/// The squared root-mean-square error of a release against the mean of the people in it.
fn squared_error(release: &Drawn, people: &CurveSet) -> f64 {
    let weights = grid().unit_weights();
    let center = release.statistic().ball().center_at(&grid()).unwrap();
    let mean = people.values().mean_axis(Axis(0)).unwrap();
    let expected = (mean - center) * weights.mapv(f64::sqrt);
    (release.statistic().whitened(release).0 - expected).mapv(|x| x * x).sum()
}

#[test]
fn in_a_ball_that_is_stated_too_wide_a_bought_radius_makes_the_error_smaller_at_the_same_guarantee() {
    const RUNS: u64 = 60;
    let errors = |settings: &PrivateMean| {
        let errors: Vec<f64> = (0..RUNS)
            .map(|seed| {
                let people = population(400, seed).0;
                let release = released(settings, &people, 1000 + seed);
                let spent = release.privacy().unwrap().mu();
                assert!((spent - 0.921).abs() < 0.01, "{spent}");
                squared_error(&release, &people)
            })
            .collect();
        let mean = errors.iter().sum::<f64>() / RUNS as f64;
        let variance = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (RUNS - 1) as f64;
        (mean, (variance / RUNS as f64).sqrt())
    };
    let [of_stated, of_bought, of_center] =
        [buying(None).buying(BallShares::NONE), buying(None), buying(Some(0.1))].map(|settings| errors(&settings));
    println!("squared error and its standard error: stated {of_stated:?}, radius {of_bought:?}, both {of_center:?}");
    // the noise of the wide ball: 35 coordinates of 2 tau / (N mu)
    let expected = 35.0 * (2.0 * 4.0 / 400.0 / 0.9214_f64).powi(2);
    assert!((of_stated.0 - expected).abs() < 4.0 * of_stated.1, "{of_stated:?} {expected}");
    for (error, se) in [of_bought, of_center] {
        // six standard errors below a twentieth of the other
        assert!(error + 6.0 * se < 0.05 * (of_stated.0 - 6.0 * of_stated.1), "{error} {se} {of_stated:?}");
    }
}

#[test]
fn a_bought_centre_lies_near_the_mean_surface_and_in_the_stated_ball() {
    let (people, mean) = population(3000, 3);
    let release = released(&buying(Some(0.2)), &people, 5);
    let center = release.statistic().ball().center_at(&grid()).unwrap();
    let weights = grid().unit_weights();
    let rms = |x: Array1<f64>| (x.mapv(|x| x * x) * &weights).sum().sqrt();
    let (stated, bought) = (rms(&mean - 0.5), rms(&mean - &center));
    assert!(bought < 0.6 * stated && rms(center - 0.5) <= 4.0, "{bought} {stated}");
    let text = release.facts().into_iter().find(|fact| fact.name == "found").unwrap().text;
    assert!(text.contains("centre found with") && text.contains("How many surfaces lie farther"), "{text}");
}

#[test]
fn surfaces_inside_the_ball_are_released_as_they_are_but_for_the_noise() {
    let plan =
        PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.5).unwrap(), PrivacyBudget::new(50.0, 0.5).unwrap());
    let people = simulated(4000);
    let release = released(&plan.buying(BallShares::NONE), &people, 1);
    let roots = grid().unit_weights().mapv(f64::sqrt);
    let expected = (people.values().mean_axis(Axis(0)).unwrap() - 0.5) * &roots;
    let (found, sd) = release.statistic().whitened(&release);
    assert_abs_diff_eq!(found, expected, epsilon = 6.0 * sd);
    assert!(sd < 1e-4);
}

#[test]
fn missing_values_are_filled_along_the_last_axis_first() {
    let nan = f64::NAN;
    let whole: Vec<f64> = (0..35).map(|j| 0.4 + 0.02 * f64::from(j % 7)).collect();
    let mut gaps = whole.clone();
    // a gap in a line of straight values, and a line without values between two equal ones
    gaps[3] = nan;
    gaps[14..21].fill(nan);
    let sum = |values: &[f64]| sum(&[values.to_vec()], NestedRadius::STATED);
    let difference = distance(&sum(&whole), &sum(&gaps));
    assert!(difference <= 6.0, "{difference}");
    assert!(sum(&[nan; 35]).iter().all(|k| *k == 0));
}

#[test]
fn all_surfaces_of_a_subject_are_one_record() {
    let ids: Vec<usize> = (0..60).map(|row| row % 20).collect();
    let people = simulated(60).with_subjects(&ids).unwrap();
    let release = released(&stated(), &people, 2);
    assert_eq!((release.public_records(), release.unit()), (Some(20), PrivacyUnit::Subject));
}

#[test]
fn rows_and_centres_that_do_not_fit_the_domain_are_refused_before_any_noise() {
    let other = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 5).unwrap(), Grid::uniform(0.0, 1.0, 8).unwrap()).unwrap();
    let refused = stated().prepare_on(&simulated(9), &other, None).err().unwrap();
    assert_eq!(refused, ReleaseError::Ball(BallError::Points { points: 40, found: 35 }));
    let curve = Ball::new(Center::Curve(vec![0.5; 35].into()), 0.25).unwrap();
    let refused = PrivateMean::isonormal(curve, budget()).mechanism(&other, PrivacyUnit::Curve, None).err().unwrap();
    assert_eq!(refused, ReleaseError::Ball(BallError::CenterLength { points: 40, found: 35 }));
    let refused = stated().prepare_on(&simulated(1), &grid(), None).err().unwrap();
    assert!(matches!(refused, ReleaseError::Mechanism(MechanismError::TooFewRecords { .. })), "{refused}");
}

#[test]
fn what_only_one_axis_has_is_refused_on_a_rectangle_with_the_reason() {
    let cameron_martin = PrivateMean::cameron_martin(ball(), budget()).penalty(0.1);
    let pure = PrivateMean::isonormal(ball(), PrivacyBudget::new(1.0, 0.0).unwrap());
    for settings in [
        cameron_martin,
        pure,
        stated().slope(3.0),
        stated().moments(MomentsChoice::Mean),
        stated().moments(MomentsChoice::Covariance),
    ] {
        let refused = settings.mechanism(&grid(), PrivacyUnit::Curve, Some(100)).unwrap_err();
        assert!(matches!(refused, ReleaseError::Mean(MeanError::OnRectangle { .. })), "{refused}");
        assert!(refused.to_string().contains("those of one axis"));
    }
    // also in a document
    let mean = Mean::new(ball(), grid(), &MeanMechanism::Isonormal).unwrap();
    let text = serde_json::to_string(&mean).unwrap();
    assert_eq!(serde_json::from_str::<Surface>(&text).unwrap(), mean);
    let coordinates = text.replace("\"isonormal\"", "{\"coordinates\":35}");
    assert!(serde_json::from_str::<Surface>(&coordinates).is_err());
    let moments = text.replace("\"rank\":35", "\"rank\":35,\"moments\":{\"emphasis\":\"mean\",\"coordinates\":5}");
    assert_ne!(moments, text);
    assert!(serde_json::from_str::<Surface>(&moments).is_err());
}

#[test]
fn roughness_of_axes_is_a_ball_of_the_product_of_half_norms_four_times_as_wide_and_needs_a_radius() {
    let settings = buying(None).roughness_of_axes([0.3, 0.2]);
    let mechanism = settings.mechanism(&grid(), PrivacyUnit::Curve, Some(1000)).unwrap();
    let mean = mechanism.statistic();
    let norm = SobolevNorm::product(SobolevOrder::Half, [0.3, 0.2]).unwrap();
    assert_eq!((mean.mechanism(), mean.ball().radius()), (MeanMechanism::Sobolev(norm), 16.0));
    let refused = |settings: &PrivateMean| settings.mechanism(&grid(), PrivacyUnit::Curve, Some(1000)).unwrap_err();
    assert_eq!(refused(&settings.clone().buying(BallShares::NONE)), ReleaseError::RoughnessNeedsRadius);
    assert!(matches!(refused(&buying(None).roughness_of_axes([0.3, 0.0])), ReleaseError::Lengths(_)));
    assert!(matches!(refused(&buying(None).roughness(0.3)), ReleaseError::Mean(MeanError::OnRectangle { .. })));
    let line = Grid::uniform(0.0, 1.0, 20).unwrap();
    let refused = settings.mechanism(&line, PrivacyUnit::Curve, Some(1000)).unwrap_err();
    assert_eq!(refused, ReleaseError::Mean(MeanError::Lengths { axes: 1, found: 2 }));
}

#[test]
fn opposite_surfaces_attain_the_bound_in_a_product_of_norms_and_no_others_pass_it() {
    let settings = buying(None).roughness_of_axes([0.3, 0.2]).moments(MomentsChoice::None);
    let mechanism = settings.mechanism(&grid(), PrivacyUnit::Curve, None).unwrap();
    let bound = mechanism.body().l2_bound(RELATIONS[0]);
    let sum = |values: Vec<f64>| {
        let values = Array2::from_shape_vec((1, 35), values).unwrap();
        let sum = sum_of(&surfaces(&grid(), values), mechanism.statistic(), mechanism.body(), NonZeroUsize::MIN);
        sum.unwrap().at(NestedRadius::STATED).unwrap().totals().reveal().clone()
    };
    for seed in 0..200_u32 {
        let values = |sign: f64, phase: f64| -> Vec<f64> {
            (0..35).map(|j| 0.5 + sign * 200.0 * (f64::from(seed * j) * 0.7 + phase).cos()).collect()
        };
        let opposite = distance(&sum(values(1.0, 0.0)), &sum(values(-1.0, 0.0)));
        assert!(opposite <= bound && opposite >= 0.9998 * bound, "{opposite} for {bound}");
        assert!(distance(&sum(values(1.0, 0.0)), &sum(values(-1.0, 1.0))) <= bound);
    }
}

#[test]
fn a_released_surface_in_a_product_of_norms_is_the_mean_of_the_people_but_for_the_noise() {
    let settings =
        PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 3.0).unwrap(), PrivacyBudget::new(50.0, 0.5).unwrap());
    let people = simulated(4000);
    let release =
        released(&settings.roughness_of_axes([0.3; 2]).buying(BallShares::new(None, Some(0.05)).unwrap()), &people, 1);
    let statistic = release.statistic();
    assert!(statistic.bought().is_some());
    let roots = grid().unit_weights().mapv(f64::sqrt);
    let isonormal = (people.values().mean_axis(Axis(0)).unwrap() - 0.5) * &roots;
    let (found, sd) = statistic.whitened(&release);
    // by all coordinates at once, in the order of their charges
    assert_abs_diff_eq!(found, statistic.map().unwrap().t().dot(&isonormal), epsilon = 6.0 * sd);
    // and along each axis
    let maps = statistic.axis_maps().unwrap();
    let rows = isonormal.into_shape_with_order((5, 7)).unwrap();
    let by_axes = maps[0].t().dot(&rows).dot(&maps[1]);
    let by_axes = Array1::from_iter(by_axes.iter().copied());
    assert_abs_diff_eq!(statistic.by_axes(found), by_axes, epsilon = 6.0 * sd);
    assert!(sd < 2e-3, "{sd}");
}

#[test]
fn second_moments_are_free_in_a_product_of_norms_and_are_those_of_the_people_along_the_axes() {
    let budget = PrivacyBudget::new(50.0, 0.5).unwrap();
    let settings = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 3.0).unwrap(), budget)
        .roughness_of_axes([0.3, 0.2])
        .buying(BallShares::new(None, Some(0.05)).unwrap());
    let people = simulated(4000);
    let release = released(&settings, &people, 1);
    let statistic = release.statistic();
    // 35 points: all coordinates have one
    assert_eq!(statistic.moments().unwrap().coordinates, 35);
    let without = released(&settings.clone().moments(MomentsChoice::None), &people, 1);
    assert_eq!(without.noise().sd(), release.noise().sd());
    let large = square(12);
    let of_many = settings.mechanism(&large, PrivacyUnit::Curve, Some(4000)).unwrap();
    let coordinates = of_many.statistic().moments().unwrap().coordinates;
    assert!((30..=40).contains(&coordinates), "{coordinates}");
    let added = settings.neighbours(RELATIONS[1]).mechanism(&large, PrivacyUnit::Curve, None).unwrap();
    assert!(added.statistic().moments().is_none());
    let moments = SecondMoments::of(&release).unwrap();
    let coordinates = (people.values().to_owned() - 0.5) * &grid().unit_weights().mapv(f64::sqrt);
    let expected = coordinates.t().dot(&coordinates) / 4000.0;
    // what is released is about the basis T times its matrix
    let functions = moments.basis.dot(moments.to_basis.as_ref().unwrap());
    let seen = functions.dot(&moments.matrix).dot(&functions.t());
    let size = expected.diag().sum();
    assert_abs_diff_eq!(seen, expected, epsilon = 0.02 * size);
}

#[test]
fn of_records_whose_sums_would_fill_the_memory_the_default_buys_nothing_and_a_share_is_refused() {
    let settings = |shares: Option<BallShares>| {
        let settings = PrivateMean::isonormal(ball(), budget());
        shares.map_or(settings.clone(), |shares| settings.buying(shares))
    };
    let plan = |grid: &SurfaceGrid, shares, records| settings(shares).mechanism(grid, PrivacyUnit::Curve, records);
    let bytes = |grid: &SurfaceGrid| {
        let mean = Mean::new(ball(), grid.clone(), &MeanMechanism::Isonormal).unwrap();
        mean.body(&dpfda_privacy::Law::GAUSSIAN).bytes_of_sums()
    };
    // 49 radii, sums of records and of directions, 16 bytes each; a count and an energy
    assert_eq!(bytes(&square(64)), 2 * 49 * 16 * (4096 + 2));
    let (small, large) = (square(142), square(143));
    assert!(bytes(&small) <= MOST_BYTES_OF_SUMS && bytes(&large) > MOST_BYTES_OF_SUMS);
    for records in [None, Some(10_000)] {
        assert!(plan(&small, None, records).unwrap().shares().radius().is_some());
        assert!(!plan(&large, None, records).unwrap().shares().buys());
        let asked = BallShares::new(None, Some(0.05)).unwrap();
        let refused = plan(&large, Some(asked), records).unwrap_err();
        assert!(
            matches!(
                refused,
                ReleaseError::Mechanism(MechanismError::TooWideForRadius { most: MOST_BYTES_OF_SUMS, .. })
            ),
            "{refused}"
        );
    }
    // a plan that is encoded in parts agrees when the number of records is known, and the release says why
    let planned = settings(None).plan(&large, PrivacyUnit::Curve).unwrap();
    let mut encoder = planned.encoder(PartId::whole(), None);
    let people = Array2::from_shape_fn((400, large.len()), |(i, j)| 0.5 + 0.2 * ((i + j) as f64).sin());
    encoder.push_rows(people.view()).unwrap();
    let prepared = encoder.finish().unwrap().prepare(&planned).unwrap();
    let release: Drawn = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1));
    assert!(release.statistic().bought().is_none());
    let nothing = stated_by_default(&release).unwrap().text;
    assert!(nothing.contains("more than 32 MB"), "{nothing}");
}

#[test]
fn a_document_is_read_back_and_one_that_contradicts_itself_is_refused() {
    for (settings, neighbours) in [
        (stated(), RELATIONS[0]),
        (stated(), RELATIONS[1]),
        (buying(Some(0.1)), RELATIONS[1]),
        (buying(Some(0.1)).roughness_of_axes([0.3, 0.2]), RELATIONS[0]),
    ] {
        let release = released(&settings.neighbours(neighbours), &simulated(500), 3);
        let text = release.to_json().unwrap();
        assert_eq!(Drawn::from_json(&text).unwrap(), release);
        let changed = |pointer: &str, value: Value| {
            let mut document: Value = serde_json::from_str(&text).unwrap();
            *document.pointer_mut(pointer).unwrap() = value;
            Drawn::from_json(&document.to_string())
        };
        assert_eq!(changed("/statistic/grid/s/points/1", json!(0.5)).unwrap(), release);
        let refused = changed("/derived/noise_scale", json!(1.0));
        assert!(matches!(refused, Err(ReadError::Contradiction { field: "derived.noise_scale" })));
        // an axis with a point more than there are integers, one out of order, and one of points without end
        assert!(changed("/statistic/grid/s/points", json!([0.0, 0.5, 2.0, 3.0, 4.0, 8.0])).is_err());
        assert!(changed("/statistic/grid/s/points", json!([0.0, 0.5, 3.0, 2.0, 8.0])).is_err());
        assert!(changed("/statistic/grid/s/points", (0..100_000).collect()).is_err());
        assert!(changed("/statistic/ball/center", json!([0.5, 0.5])).is_err());
        if release.statistic().bought().is_some() {
            assert!(changed("/derived/ball/radius", json!(3.0)).is_err());
            assert!(changed("/derived/ball", json!(null)).is_err());
        }
        if release.statistic().moments().is_some() {
            assert!(changed("/derived/second_moments/total", json!(3.0)).is_err());
            assert!(changed("/derived/second_moments", json!(null)).is_err());
        }
    }
}

#[test]
fn the_facts_tell_grid_and_bound() {
    let release = released(&stated(), &simulated(50), 3);
    let text = |name| release.facts().into_iter().find(|fact| fact.name == name).unwrap().text;
    assert_eq!(text("grid"), "surfaces on 5 values of s from 0 to 8 and 7 values of t from -1 to 1");
    assert!(text("bound").contains("every surface is scaled towards the centre"), "{}", text("bound"));
    let rough = released(&buying(None).roughness_of_axes([0.25, 0.5]), &simulated(500), 3);
    let bound = rough.facts().into_iter().find(|fact| fact.name == "bound").unwrap().text;
    let norm = "waves along the axes shorter than 2 and 1 count more";
    assert!(bound.starts_with("every surface is scaled towards the centre 0.5") && bound.contains(norm), "{bound}");
    let step = release.statistic().lattice_step();
    assert_eq!(step, 0.25 / steps_to_unit(Domain::len(&grid())));
}
