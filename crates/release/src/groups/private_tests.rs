#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::BallShares;
use dpfda_privacy::{LatticeError, NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Center, Missing, Said};
use ndarray::Array2;
use serde_json::Value;

use super::*;

#[path = "bought_tests.rs"]
mod bought;

const POINTS: usize = 12;
const NOISELESS: (f64, f64) = (50.0, 0.5);

fn curves(records: usize) -> CurveSet {
    let value = |(i, j): (usize, usize)| 0.5 + 0.1 * ((i * 7 + j * 3) % 11) as f64 / 11.0 - 0.05 * (i % 2) as f64;
    CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), Array2::from_shape_fn((records, POINTS), value)).unwrap()
}

fn column(labels: impl IntoIterator<Item = &'static str>) -> TextColumn {
    TextColumn::new(labels.into_iter().map(|label| (!label.is_empty()).then(|| label.to_owned())).collect())
}

fn alternating(records: usize) -> TextColumn {
    column((0..records).map(|i| if i % 2 == 0 { "even" } else { "odd" }))
}

fn groups((epsilon, delta): (f64, f64), grouping: Grouping) -> PrivateGroups {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    PrivateGroups::new(ball, PrivacyBudget::new(epsilon, delta).unwrap(), grouping)
}

/// The same in the stated ball.
fn stated(budget: (f64, f64), grouping: Grouping) -> PrivateGroups {
    groups(budget, grouping).buying(BallShares::NONE)
}

fn private(names: &[&str], most: usize) -> Grouping {
    Grouping::Private { names: names.iter().map(|name| (*name).to_owned()).collect(), most }
}

fn released(groups: &PrivateGroups, curves: &CurveSet, labels: &TextColumn) -> Release<Groups> {
    groups.release(curves, labels, &mut SeededRandomness::from_seed(3)).unwrap()
}

/// The mean of every second curve, in isonormal coordinates.
fn raw(curves: &CurveSet, first: usize) -> Vec<f64> {
    let rows = curves.values().rows().into_iter().skip(first).step_by(2).map(|row| row.to_owned()).collect::<Vec<_>>();
    let roots = curves.unit_grid().weights().mapv(f64::sqrt);
    (0..POINTS).map(|j| roots[j] * (rows.iter().map(|row| row[j]).sum::<f64>() / rows.len() as f64 - 0.5)).collect()
}

#[test]
fn each_group_gets_the_mean_and_the_moments_of_its_own_curves() {
    let curves = curves(4000);
    for grouping in [Grouping::Public, private(&["even", "odd"], 1)] {
        let release = released(&stated(NOISELESS, grouping), &curves, &alternating(4000));
        let found = Groups::groups(&release);
        for (first, group) in found.iter().enumerate() {
            assert!((group.records - 2000.0).abs() < 8.0 * group.records_sd + 1e-9, "{group:?}");
            for (mean, expected) in group.whitened.iter().zip(raw(&curves, first)) {
                assert!(
                    (mean - expected).abs() < 8.0 * group.sd + 0.3 * group.records_sd / 2000.0,
                    "{mean} {expected}"
                );
            }
            let moments = group.second_moments.as_ref().unwrap();
            let squares: f64 = raw(&curves, first).iter().map(|x| x * x).sum();
            assert!(moments.total > squares - 8.0 * moments.total_sd && moments.total < 0.0625);
            assert!((moments.matrix.diag().sum() - moments.total).abs() < 0.01);
        }
    }
}

#[test]
fn the_noise_of_a_public_group_is_that_of_a_mean_of_as_many_people() {
    let labels = column((0..376).map(|i| if i < 42 { "few" } else { "many" }));
    let release = released(&stated((1.0, 0.1), Grouping::Public), &curves(376), &labels);
    // in units of 2 tau / mu: 1 / N_g
    let unit = 2.0 * 0.25 / 0.920_913_97;
    for (group, expected) in
        Groups::groups(&release).iter().zip([0.023_809_523_809_523_808, 0.002_994_011_976_047_904_4])
    {
        // rounding the sums costs 6 parts in 10^5, and rounding those of two groups half as much again
        assert!((group.sd / (unit * expected) - 1.0).abs() < 1e-4, "{}", group.sd);
    }
    // private labels: the same noise on the sums, the counts and the moments free
    let release = released(&stated((1.0, 0.1), private(&["few", "many"], 1)), &curves(376), &labels);
    let group = &Groups::groups(&release)[0];
    assert!((group.sd * group.records / unit - 1.0).abs() < 1e-4 && group.second_moments.is_some());
    assert!((group.records_sd / (2.0 * 2.0_f64.sqrt() / 0.920_913_97) - 1.0).abs() < 1e-4, "{}", group.records_sd);
    let of_two = released(&stated((1.0, 0.1), private(&["few", "many"], 2)), &curves(376), &labels);
    let ratio = of_two.noise().scale() / release.noise().scale();
    assert!((ratio - 2.0_f64.sqrt()).abs() < 1e-4, "the root of the groups of a record: {ratio}");
}

#[test]
fn a_label_that_is_not_listed_counts_nowhere_and_is_told_nowhere() {
    let plan = groups((1.0, 1e-5), private(&["even", "odd"], 1));
    let known = alternating(40);
    let labels = |last: &'static str| {
        let cells = known.cells().take(39).map(|cell| cell.map(str::to_owned));
        TextColumn::new(cells.chain([(!last.is_empty()).then(|| last.to_owned())]).collect())
    };
    let missing = released(&plan, &curves(40), &labels(""));
    let unlisted = released(&plan, &curves(40), &labels("nobody asked"));
    assert_eq!(missing, unlisted);
    assert_ne!(missing, released(&plan, &curves(40), &known));
    // no group at all has members: it is released all the same
    let strangers = column((0..40).map(|_| "stranger"));
    assert_eq!(Groups::groups(&released(&plan, &curves(40), &strangers)).len(), 2);
}

#[test]
fn the_type_that_a_reader_gives_to_labels_changes_nobodys_group() {
    let plan = groups((1.0, 1e-5), private(&["1", "2.5"], 1));
    let of_text = column((0..40).map(|i| if i % 2 == 0 { "1" } else { "2.50" }));
    let numbers = (0..40).map(|i| Said::of_number(if i % 2 == 0 { 1.0 } else { 2.5 }));
    let of_numbers = TextColumn::of(numbers, &Missing::default(), "label").unwrap();
    assert_eq!(released(&plan, &curves(40), &of_text), released(&plan, &curves(40), &of_numbers));
    let other_names = groups((1.0, 1e-5), private(&["01.0", "2.500"], 1));
    let counts = |plan, labels| Groups::groups(&released(plan, &curves(40), labels))[1].records;
    assert_eq!(counts(&plan, &of_text), counts(&other_names, &of_numbers));
}

#[test]
fn a_subject_counts_in_the_first_groups_of_the_list_and_in_no_more_than_it_may() {
    let ids: Vec<usize> = (0..40).map(|row| row / 2).collect();
    let curves = curves(40).with_subjects(&ids).unwrap();
    let counts = |names: &[&str], most| {
        let release = released(&stated(NOISELESS, private(names, most)), &curves, &alternating(40));
        Groups::groups(&release).iter().map(|group| (group.name.clone(), group.records.round())).collect::<Vec<_>>()
    };
    let is_near = |found: &[(String, f64)], expected: [f64; 2]| {
        found.iter().zip(expected).all(|((_, found), expected)| (found - expected).abs() <= 3.0)
    };
    assert!(is_near(&counts(&["even", "odd"], 1), [20.0, 1.0]));
    assert!(is_near(&counts(&["odd", "even"], 1), [20.0, 1.0]));
    assert!(is_near(&counts(&["even", "odd"], 2), [20.0, 20.0]));
}

#[test]
fn what_is_refused_is_refused_by_public_numbers_and_shows_no_label() {
    let refused = |grouping, labels: &TextColumn| groups((1.0, 1e-5), grouping).prepare(&curves(40), labels).err();
    let public = |labels: &TextColumn| refused(Grouping::Public, labels).unwrap();
    let one_alone = column((0..40).map(|i| if i == 7 { "alone" } else { "all" }));
    assert_eq!(public(&one_alone), GroupingError::Size { place: 2, found: 1 }.into());
    assert_eq!(public(&column(["all"; 40])), GroupingError::TooFewGroups { found: 1 }.into());
    assert_eq!(public(&column((0..40).map(|i| if i == 7 { "" } else { "all" }))), GroupsError::NoLabel { row: 8 });
    let many = TextColumn::new((0..40).map(|i| Some(format!("{}{i}", "x".repeat(101)))).collect());
    assert!(matches!(public(&many), GroupsError::Grouping(GroupingError::Name { place: 1 })));
    assert_eq!(public(&alternating(39)), GroupsError::Labels { curves: 40, labels: 39 });
    let all = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), Array2::zeros((100_000, POINTS))).unwrap();
    let different = TextColumn::new((0..100_000).map(|i| Some(i.to_string())).collect());
    let refusal = groups((1.0, 1e-5), Grouping::Public).prepare(&all, &different).err().unwrap();
    assert_eq!(refusal, GroupsError::TooManyLabels { found: 100_000 });
    let subjects = curves(40).with_subjects(&(0..40).map(|row| row / 2).collect::<Vec<_>>()).unwrap();
    let two = groups((1.0, 1e-5), Grouping::Public).prepare(&subjects, &alternating(40)).err().unwrap();
    assert_eq!(two, GroupsError::SubjectInTwoGroups);
    for grouping in [private(&["1", "1.0"], 1), private(&["a", "None"], 1), private(&["1", "9007199254740993"], 1)] {
        assert!(matches!(refused(grouping, &alternating(40)), Some(GroupsError::Grouping(_))));
    }
    for grouping in [private(&["a"], 1), private(&["a", "a"], 1), private(&["a", ""], 1), private(&["a", "b"], 0)] {
        assert!(refused(grouping, &alternating(40)).is_some());
    }
    let memberships = GroupingError::Lattice(LatticeError::Memberships { found: 3, groups: 2 });
    assert_eq!(refused(private(&["a", "b"], 3), &alternating(40)), Some(memberships.into()));
    let emphasis = groups((1.0, 1e-5), Grouping::Public).moments(MomentsChoice::Covariance);
    assert_eq!(emphasis.prepare(&curves(40), &alternating(40)).err(), Some(GroupsError::Emphasis));
}

#[test]
fn under_add_remove_no_refusal_depends_on_who_is_in_the_file() {
    let relation = NeighbouringRelation::AddRemoveOne;
    let public = groups((1.0, 1e-5), Grouping::Public).neighbours(relation);
    for labels in [alternating(40), column([""; 40]), column(["all"; 40])] {
        assert_eq!(public.prepare(&curves(40), &labels).err(), Some(GroupsError::PublicUnderAddRemove));
    }
    let listed = groups((1.0, 1e-5), private(&["even", "odd"], 1)).neighbours(relation);
    for records in [0, 1, 40] {
        let release = released(&listed, &curves(records), &alternating(records));
        assert!(Groups::groups(&release).iter().all(|group| group.second_moments.is_none() && group.records_sd > 0.0));
        let again = Release::<Groups>::from_json(&release.to_json_with_estimate(&()).unwrap()).unwrap();
        assert_eq!(again, release);
    }
}

#[test]
fn documents_read_back_and_contradictions_are_found() {
    for grouping in [Grouping::Public, private(&["odd", "even"], 2)] {
        let release = released(&groups((1.0, 1e-5), grouping), &curves(40), &alternating(40));
        let json = release.to_json_with_estimate(&()).unwrap();
        assert_eq!(Release::<Groups>::from_json(&json).unwrap(), release);
        let document: Value = serde_json::from_str(&json).unwrap();
        let edited = |change: &dyn Fn(&mut Value)| {
            let mut document = document.clone();
            change(&mut document);
            Release::<Groups>::from_json(&document.to_string())
        };
        assert!(edited(&|document| document["derived"]["groups"][0]["records"] = 39.0.into()).is_err());
        assert!(edited(&|document| document["derived"]["groups"][1]["name"] = "other".into()).is_err());
        assert!(
            edited(&|document| document["statistic"]["names"][1] = document["statistic"]["names"][0].clone()).is_err()
        );
        assert!(edited(&|document| document["statistic"]["membership"] = "none".into()).is_err());
        assert!(
            edited(&|document| document["privacy"]["epsilon"] = 0.5.into()).is_err(),
            "more privacy than its noise gives"
        );
        if release.statistic().sizes().is_some() {
            assert!(edited(&|document| document["statistic"]["sizes"] = serde_json::json!([20, 21])).is_err());
            assert!(edited(&|document| document["statistic"]["sizes"] = Value::Null).is_err());
        }
    }
}

#[test]
fn the_plan_of_private_groups_needs_no_data_and_reads_back() {
    let plan = groups((1.0, 1e-5), private(&["even", "odd"], 1));
    let curves = curves(40);
    let whole = released(&plan, &curves, &alternating(40));
    let mechanism = plan.mechanism(curves.grid(), curves.unit(), None).unwrap();
    let of_records = mechanism.of_records(40).unwrap();
    assert_eq!(of_records.digest(), whole.mechanism().digest());
    assert!(mechanism.shares().radius().is_some() && of_records.shares().radius().is_none());
    let text = serde_json::to_string(&mechanism).unwrap();
    assert_eq!(serde_json::from_str::<Mechanism<Groups>>(&text).unwrap(), mechanism);
    // labels stay out of whatever may be shown
    assert!(!format!("{:?}", plan.prepare(&curves, &alternating(40)).unwrap()).contains("even"));
}

#[test]
fn a_number_of_records_that_is_less_than_the_noisy_counts_of_private_labels_is_refused() {
    for most in [1, 2] {
        let release = released(&stated((1.0, 0.1), private(&["even", "odd"], most)), &curves(4000), &alternating(4000));
        let json = release.to_json().unwrap();
        let read = |records: u64| {
            let edited = json.replace("\"records\": 4000,", &format!("\"records\": {records},"));
            assert!(records == 4000 || edited != json);
            let mut document: Value = serde_json::from_str(&edited).unwrap();
            // a public number is in no other noise than that of groups
            document["derived"] = serde_json::from_str::<Value>(&json).unwrap()["derived"].clone();
            Release::<Groups>::from_json(&document.to_string()).map_err(|error| error.to_string())
        };
        assert!(read(4000).is_ok() && read(100_000).is_ok());
        for records in [2, 3_800 / most as u64] {
            assert!(read(records).unwrap_err().contains("privacy.records"), "{most} {records}");
        }
    }
}
