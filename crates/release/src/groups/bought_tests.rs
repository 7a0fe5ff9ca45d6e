//! One bought radius for all groups.

use dpfda_mechanism::{Drawn, FingerprintKey, Payable};
use dpfda_privacy::{Calibration, GaussianPrivacy, Share};
use dpfda_smoothing::Center;

use super::*;
use crate::purchase::bought::{Bought, GroupSize, stated_by_default};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;

const BUDGET: (f64, f64) = (1.0, 0.1);

/// A ball about the curves that is 20 times as wide as they need.
fn wide(grouping: Grouping) -> PrivateGroups {
    let ball = Ball::new(Center::Constant(0.5), 3.0).unwrap();
    PrivateGroups::new(ball, PrivacyBudget::new(BUDGET.0, BUDGET.1).unwrap(), grouping)
}

/// A ball that holds the curves at its rim.
fn away(grouping: Grouping) -> PrivateGroups {
    let ball = Ball::new(Center::Constant(3.0), 3.0).unwrap();
    PrivateGroups::new(ball, PrivacyBudget::new(BUDGET.0, BUDGET.1).unwrap(), grouping)
}

/// Both a centre and a radius are bought.
fn both() -> BallShares {
    BallShares::new(Some(0.1), Some(0.05)).unwrap()
}

fn groupings() -> [Grouping; 3] {
    [Grouping::Public, private(&["even", "odd"], 1), private(&["odd", "even"], 2)]
}

#[test]
fn by_default_one_radius_is_bought_for_all_groups_and_their_noise_is_smaller() {
    let (curves, labels) = (curves(600), alternating(600));
    for grouping in groupings() {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            if grouping == Grouping::Public && neighbours == NeighbouringRelation::AddRemoveOne {
                continue;
            }
            let plan = wide(grouping.clone()).neighbours(neighbours);
            let bought = released(&plan, &curves, &labels);
            let stated = released(&plan.clone().buying(BallShares::NONE), &curves, &labels);
            let radius = bought.statistic().ball().radius();
            assert!(radius < 0.3 && bought.statistic().bought().is_some(), "{grouping:?} {neighbours}: {radius}");
            for (narrow, wide) in Groups::groups(&bought).iter().zip(Groups::groups(&stated)) {
                assert!(narrow.sd < 0.2 * wide.sd);
            }
            // all answers together cost the budget, and no more
            let whole = GaussianPrivacy::calibrated(Calibration::Tight, &bought.budget()).unwrap();
            let spent = bought.privacy().unwrap();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{}", spent.mu());
            assert!(bought.facts().iter().any(|fact| fact.name == "found" && fact.text.contains("of at most 3")));
            let prepared = plan.prepare(&curves, &labels).unwrap();
            let (asked, length) = (prepared.asked(), prepared.stored_len());
            assert_eq!((asked.spend, asked.plan), (bought.spend(), bought.plan()));
            assert_eq!(bought.stored().bytes.len() as u64, length);
            assert_eq!(prepared.restore(bought.stored(), None).unwrap(), bought);
        }
    }
}

#[test]
fn too_few_records_keep_the_stated_ball_and_a_share_that_was_asked_for_is_refused() {
    let plan = wide(Grouping::Public);
    let some = curves(600);
    let least = plan.prepare(&some, &alternating(600)).unwrap().mechanism().least_for_radius().unwrap().unwrap();
    let few = usize::try_from(least).unwrap() - 1;
    let release = released(&plan, &curves(few), &alternating(few));
    assert!(release.statistic().bought().is_none() && release.answers().radius().is_none());
    assert!(stated_by_default(&release).unwrap().text.contains(&least.to_string()));
    assert!(released(&plan, &curves(few + 1), &alternating(few + 1)).statistic().bought().is_some());
    let asked = plan.clone().buying(BallShares::new(None, Some(0.05)).unwrap());
    let refused = asked.prepare(&curves(few), &alternating(few)).err().unwrap();
    assert_eq!(refused, ReleaseError::from(MechanismError::TooFewForRadius { least, found: few as u64 }).into());
}

#[test]
fn the_bits_of_a_release_do_not_depend_on_the_order_of_its_curves() {
    let ids: Vec<usize> = (0..600).map(|row| row * 7 % 400).collect();
    let (values, labels) = (curves(600).values().to_owned(), alternating(600));
    let place = |row: usize| row * 121 % 600;
    let moved = Array2::from_shape_fn(values.dim(), |(row, point)| values[[place(row), point]]);
    let cells: Vec<Option<&str>> = labels.cells().collect();
    let moved_labels = TextColumn::new((0..600).map(|row| cells[place(row)].map(str::to_owned)).collect());
    let moved_ids: Vec<usize> = (0..600).map(|row| ids[place(row)]).collect();
    let of = |values: Array2<f64>| CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    for shares in [BallShares::NONE, BallShares::default(), both()] {
        for grouping in [Grouping::Public, private(&["even", "odd"], 1)] {
            let plan = wide(grouping).buying(shares);
            assert_eq!(
                released(&plan, &of(values.clone()), &labels),
                released(&plan, &of(moved.clone()), &moved_labels)
            );
        }
        let plan = wide(private(&["even", "odd"], 2)).buying(shares);
        let subjects = released(&plan, &of(values.clone()).with_subjects(&ids).unwrap(), &labels);
        assert_eq!(subjects, released(&plan, &of(moved.clone()).with_subjects(&moved_ids).unwrap(), &moved_labels));
    }
}

#[test]
fn a_bought_centre_is_one_for_all_groups_and_the_error_falls_where_the_stated_one_is_far() {
    let (curves, labels) = (curves(600), alternating(600));
    let centers = |release: &Release<Groups>| release.statistic().ball().center_at(curves.grid()).unwrap();
    let error = |release: &Release<Groups>| {
        let (roots, center) = (curves.unit_grid().weights().mapv(f64::sqrt), centers(release) - 0.5);
        let each = Groups::groups(release).into_iter().enumerate().map(|(place, group)| {
            // the names of private groups stand in the order in which they were given
            let first = usize::from(release.statistic().names()[place] == "odd");
            let found = group.whitened + &center * &roots;
            found.iter().zip(raw(&curves, first)).map(|(found, raw)| (found - raw).powi(2)).sum::<f64>()
        });
        each.sum::<f64>()
    };
    for grouping in groupings() {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            if grouping == Grouping::Public && neighbours == NeighbouringRelation::AddRemoveOne {
                continue;
            }
            let plan = away(grouping.clone()).neighbours(neighbours);
            let buying = plan.clone().buying(both());
            let mut errors = [0.0, 0.0];
            for seed in 0..8 {
                let of = |plan: &PrivateGroups| {
                    plan.release(&curves, &labels, &mut SeededRandomness::from_seed(seed)).unwrap()
                };
                let (radius, both) = (of(&plan), of(&buying));
                let center = centers(&both);
                let far = center.iter().map(|value| (value - 0.5).abs()).fold(0.0, f64::max);
                assert!(far < 0.8 && both.statistic().ball().radius() < 1.0, "{grouping:?} {neighbours}: {center}");
                errors[0] += error(&radius);
                errors[1] += error(&both);
            }
            assert!(errors[1] < 0.2 * errors[0], "{grouping:?} {neighbours}: {errors:?}");
            let whole = GaussianPrivacy::calibrated(Calibration::Tight, &buying.terms.guarantee().budget()).unwrap();
            let (prepared, again) =
                (buying.prepare(&curves, &labels).unwrap(), buying.prepare(&curves, &labels).unwrap());
            let asked = prepared.asked();
            let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(3));
            let spent = release.privacy().unwrap();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{}", spent.mu());
            assert_eq!((asked.spend, asked.plan), (release.spend(), release.plan()));
            assert_eq!(again.restore(release.stored(), None).unwrap(), release);
        }
    }
}

#[test]
fn a_record_counts_once_for_the_centre_by_its_curves_in_the_groups_that_it_counts_in() {
    // of three curves a record: at 1, at 2, and at 5 where nobody asks
    let values = Array2::from_shape_fn((3000, POINTS), |(row, _)| [1.0, 2.0, 5.0][row % 3]);
    let ids: Vec<usize> = (0..3000).map(|row| row / 3).collect();
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    let curves = curves.with_subjects(&ids).unwrap();
    let labels = column((0..3000).map(|row| ["one", "two", "stranger"][row % 3]));
    for (most, expected) in [(2, 1.5), (1, 1.0)] {
        let ball = Ball::new(Center::Constant(3.0), 3.0).unwrap();
        let budget = PrivacyBudget::new(NOISELESS.0, NOISELESS.1).unwrap();
        let plan = PrivateGroups::new(ball, budget, private(&["one", "two"], most)).buying(both());
        let release = released(&plan, &curves, &labels);
        let center = release.statistic().ball().center_at(curves.grid()).unwrap();
        assert!(center.iter().all(|value| (value - expected).abs() < 0.05), "{most}: {center}");
    }
}

#[test]
fn data_of_a_bought_centre_are_known_again_and_another_label_makes_other_data() {
    let plan = wide(private(&["even", "odd"], 1)).buying(both());
    let fingerprint = |labels: &TextColumn| {
        let mut fingerprinter = FingerprintKey::from_bytes([5; 32]).begin(b"test");
        let curves = curves(600);
        plan.prepare(&curves, labels).unwrap().fingerprint(&mut fingerprinter);
        fingerprinter.finish()
    };
    let known = fingerprint(&alternating(600));
    assert_eq!(fingerprint(&alternating(600)), known);
    let moved = column((0..600).map(|row| if row % 2 == 0 || row == 301 { "even" } else { "odd" }));
    assert_ne!(fingerprint(&moved), known);
}

/// The numbers of records in the cells of distance, without noise.
fn cells(release: &Release<Groups>) -> Vec<i64> {
    let noisy = &release.answers().radius().unwrap().coordinates;
    noisy.iter().map(|count| (count + Norms::STEPS / 2).div_euclid(Norms::STEPS)).collect()
}

#[test]
fn a_record_counts_once_by_its_longest_part_and_a_record_of_no_group_nowhere() {
    // lengths of 0.1, 0.4 and 3 radii: cells 6, 2 and 0
    let length = |row: usize| [0.1, 0.4, 3.0][row % 3];
    let values = Array2::from_shape_fn((300, POINTS), |(row, _)| 0.5 + 0.25 * length(row));
    let ids: Vec<usize> = (0..300).map(|row| row / 3).collect();
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    let labels = column((0..300).map(|row| ["short", "middle", "long"][row % 3]));
    let ask = |names: &[&str], most| {
        groups(NOISELESS, private(names, most)).buying(BallShares::new(None, Some(0.4)).unwrap())
    };
    let subjects = curves.clone().with_subjects(&ids).unwrap();
    let near = |found: &[i64], cell: usize| {
        found.iter().enumerate().all(|(place, found)| (found - if place == cell { 100 } else { 0 }).abs() <= 4)
    };
    for (names, most, cell) in [
        (["short", "middle", "absent"], 3, 2),
        // only the first group of the list counts
        (["short", "middle", "absent"], 1, 6),
        (["short", "middle", "long"], 3, 0),
    ] {
        let found = cells(&released(&ask(&names, most), &subjects, &labels));
        assert!(near(&found, cell), "{names:?} {most}: {found:?}");
    }
    // 200 of 300 curves have no group
    let found = cells(&released(&ask(&["short", "absent"], 1), &curves, &labels));
    assert!(near(&found, 6), "{found:?}");
}

#[test]
fn who_is_in_no_group_changes_no_bit_of_a_release() {
    let cells: Vec<&str> = (0..600).map(|row| ["even", "odd", "stranger"][row % 3]).collect();
    let release = |shares, stranger: f64| {
        let plan = wide(private(&["even", "odd"], 1)).buying(shares);
        let mut values = curves(600).values().to_owned();
        values.rows_mut().into_iter().skip(2).step_by(3).for_each(|mut row| row.fill(stranger));
        let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
        released(&plan, &curves, &column(cells.iter().copied()))
    };
    for shares in [BallShares::default(), both()] {
        let first = release(shares, 0.5);
        assert!(first.statistic().bought().is_some());
        assert_eq!(first, release(shares, 1e9));
        assert_eq!(first, release(shares, f64::NAN));
    }
}

#[test]
fn what_the_rule_of_a_radius_is_told_does_not_depend_on_who_has_no_label() {
    let (curves, share) = (curves(900), Share::new(0.05).unwrap());
    let labels = column((0..900).map(|row| ["even", "odd", "stranger"][(row % 9).min(2)]));
    let whole =
        GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(BUDGET.0, BUDGET.1).unwrap()).unwrap();
    let mut are_other = 0;
    // with public labels a stranger is a group of its own
    for (grouping, sizes, others) in [
        (private(&["even", "odd"], 1), vec![None, None], vec![Some(100), Some(800)]),
        (Grouping::Public, vec![Some(100), Some(100), Some(700)], vec![None; 3]),
    ] {
        for seed in 0..20 {
            let plan = wide(grouping.clone());
            let release = plan.release(&curves, &labels, &mut SeededRandomness::from_seed(seed)).unwrap();
            let counts = &release.answers().radius().unwrap().coordinates;
            let weighing = release.mechanism().statistic().weighing(true);
            let called_for = |sizes: &[Option<u64>]| Bought::narrowed(counts, sizes, &weighing, whole, share);
            assert_eq!(release.statistic().bought().unwrap().radius(), called_for(&sizes));
            are_other += usize::from(called_for(&others) != called_for(&sizes));
        }
    }
    assert!(are_other > 10, "other numbers of records would call for other radii: {are_other}");
}

#[test]
fn the_excess_and_the_energy_of_a_small_group_far_away_are_told_by_its_own_counts() {
    let far = |row: usize| if row < 40 { 2.5 } else { 0.5 + 0.01 * (row % 7) as f64 };
    let values = Array2::from_shape_fn((1000, POINTS), |(row, _)| far(row));
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    // The group that is far away is the second: "middle" comes before "small".
    let labels = column((0..1000).map(|row| if row < 40 { "small" } else { "middle" }));
    for seed in 0..20 {
        let release = wide(Grouping::Public).release(&curves, &labels, &mut SeededRandomness::from_seed(seed)).unwrap();
        let bought = release.statistic().bought().unwrap();
        let (many, few) = (GroupSize { records: 960.0, all: 1000.0 }, GroupSize { records: 40.0, all: 1000.0 });
        let (excess, energy) = (
            |group, size| bought.excess(group, size).unwrap(),
            |group, size| bought.excess_energy(group, size).unwrap(),
        );
        assert!(excess(1, few) > 3.0 * excess(0, many), "{} {}", excess(1, few), excess(0, many));
        assert!(energy(1, few) > 3.0 * energy(0, many), "{} {}", energy(1, few), energy(0, many));
    }
}

#[test]
fn a_bought_ball_survives_its_document_and_another_one_is_refused() {
    for (grouping, shares) in groupings().into_iter().zip([BallShares::default(), both(), both()]) {
        let release = released(&wide(grouping).buying(shares), &curves(600), &alternating(600));
        let json = release.to_json_with_estimate(&()).unwrap();
        let again = Release::<Groups>::from_json(&json).unwrap();
        assert_eq!((&again, again.statistic()), (&release, release.statistic()));
        let value: Value = serde_json::from_str(&json).unwrap();
        let of_center = [
            ("/lattice/center/coordinates/0", Value::from(1_i64 << 50)),
            ("/lattice/center/coordinates", vec![1; POINTS - 1].into()),
            ("/lattice/center", Value::Null),
            ("/derived/ball/center/0", 0.4.into()),
        ];
        let of_center = of_center.into_iter().filter(|_| shares.center().is_some());
        let edits = [
            ("/lattice/radius/coordinates/0", Value::from(1_i64 << 50)),
            ("/lattice/radius/coordinates", vec![1; 12].into()),
            ("/lattice/radius", Value::Null),
            ("/statistic/mean/ball/radius", 0.5.into()),
            ("/statistic/mean/ball/center", 0.4.into()),
            ("/privacy/epsilon", 2.0.into()),
            ("/derived/ball", Value::Null),
            ("/derived/ball/radius", 1.0.into()),
            ("/derived/groups/0/noise_scale", 1.0.into()),
        ];
        for (pointer, change) in edits.into_iter().chain(of_center) {
            let mut other = value.clone();
            *other.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = change;
            assert!(Release::<Groups>::from_json(&other.to_string()).is_err(), "{pointer}");
        }
    }
}

#[test]
fn so_many_groups_that_their_sums_fill_the_memory_keep_the_stated_radius() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let names = |groups: usize| (0..groups).map(|place| format!("group {place}")).collect::<Vec<_>>();
    let buys = |groups, moments, shares: BallShares| {
        let plan = wide(Grouping::Private { names: names(groups), most: 1 }).moments(moments).buying(shares);
        plan.mechanism(&grid, PrivacyUnit::Curve, None).map(|mechanism| mechanism.shares().radius().is_some())
    };
    for (groups, moments, expected) in
        [(4, MomentsChoice::Mean, true), (5, MomentsChoice::Mean, false), (64, MomentsChoice::None, true)]
    {
        assert_eq!(buys(groups, moments, BallShares::default()), Ok(expected), "{groups}");
    }
    let asked = BallShares::new(None, Some(0.05)).unwrap();
    assert!(matches!(
        buys(5, MomentsChoice::Mean, asked),
        Err(GroupsError::Release(ReleaseError::Mechanism(MechanismError::TooWideForRadius { .. })))
    ));
}
