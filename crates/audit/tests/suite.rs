//! Every mechanism under attack: draws from each side of at least twenty pairs of neighbours, a million of them by night.
//!
//! A true claim is refuted with probability at most 1e-6 over all mechanisms, pairs and events together; the seeds are fixed.

use dpfda_audit::{AuditPlan, AuditReport, AuditedMechanism, Setting, suite};
use dpfda_privacy::NeighbouringRelation;

/// How hard an attack tries: draws a side, and the part of the noise that is left in a false claim.
#[derive(Clone, Copy)]
struct Effort {
    draws: u64,
    noise: f64,
}

const BY_DAY: Effort = Effort { draws: 20_000, noise: 0.4 };

/// Where a draw takes long: still less noise, which fewer draws see.
const SLOW_BY_DAY: Effort = Effort { draws: 8_000, noise: 0.3 };

const BY_NIGHT: Effort = Effort { draws: 1_000_000, noise: 0.9 };

fn plan(effort: Effort) -> AuditPlan {
    AuditPlan { draws: effort.draws, seed: 20, mechanisms: u32::try_from(suite().unwrap().len()).unwrap() }
}

fn settings(wanted: &[AuditedMechanism]) -> Vec<Setting> {
    suite().unwrap().into_iter().filter(|setting| wanted.contains(&setting.mechanism)).collect()
}

fn refuted_pairs(report: &AuditReport) -> Vec<&str> {
    let refuted = report.pairs.iter().filter(|pair| pair.refuted_by_draws || pair.refuted_by_sums);
    refuted.map(|pair| pair.name).collect()
}

/// Pairs whose two data sets are the same to every mechanism.
const SAME: [&str; 5] = [
    "the same records in another order",
    "the same subject's curves in another order",
    "missing for the centre",
    "signed zeros",
    "subnormal",
];

/// Exact sums of neighbours are at most as far apart as claimed, and attain it; order changes nothing.
fn check_sums(setting: Setting, report: &AuditReport, label: &str) {
    let parts: Vec<f64> = report.pairs.iter().filter_map(|pair| pair.exact_part).collect();
    assert!(parts.iter().all(|part| *part <= 1.0 + 1e-9), "{label}");
    let most = parts.iter().copied().fold(0.0, f64::max);
    assert!(parts.is_empty() || most > 0.999, "{label}: {most}");
    if setting.neighbours == NeighbouringRelation::SubstituteOne {
        // what is missing counts as the centre that was bought
        let bought = setting.mechanism == AuditedMechanism::IsonormalBoughtCenter;
        let is_same = |name: &&str| SAME.contains(name) && !(bought && *name == "missing for the centre");
        let same = report.pairs.iter().filter(|pair| is_same(&pair.name));
        assert!(same.filter_map(|pair| pair.exact_part).all(|part| part == 0.0), "{label}");
    }
}

/// The claim stands, and with less noise it falls: by draws alone, and by the exact sums where there are any.
fn attack(effort: Effort, wanted: &[AuditedMechanism]) {
    for setting in settings(wanted) {
        let label = format!("{} {} {:?}", setting.mechanism, setting.neighbours, setting.budget);
        let attack = setting.attack().unwrap();
        assert!(attack.pairs() >= 20, "{label}: {} pairs", attack.pairs());
        let report = attack.run(&plan(effort)).unwrap();
        assert!(!report.refuted, "{label}: {:?}", refuted_pairs(&report));
        check_sums(setting, &report, &label);
        println!("{label}: {} draws a side show epsilon {:.4}", report.draws, report.epsilon_shown);
        // one pair is enough, at the error that all of them together leave it
        let shown = |pair: &usize| report.pairs[*pair].epsilon_shown;
        let worst = (0..attack.pairs()).max_by(|a, b| shown(a).total_cmp(&shown(b))).unwrap();
        let share =
            AuditPlan { mechanisms: plan(effort).mechanisms * u32::try_from(attack.pairs()).unwrap(), ..plan(effort) };
        let caught = attack.through(worst).run_on(&setting.with_less_noise(effort.noise).unwrap(), &share).unwrap();
        assert!(caught.pairs.iter().any(|pair| pair.refuted_by_draws), "{label}: a false claim stands");
        let sums_are_known = caught.pairs.iter().any(|pair| pair.exact_part.is_some());
        assert_eq!(caught.pairs.iter().any(|pair| pair.refuted_by_sums), sums_are_known, "{label}");
    }
}

#[test]
fn private_means_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::Isonormal, AuditedMechanism::CameronMartin]);
}

#[test]
fn private_means_without_a_delta_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::IsonormalPure]);
}

#[test]
fn means_with_second_moments_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::IsonormalMoments, AuditedMechanism::IsonormalCovariance]);
}

#[test]
fn means_in_a_ball_whose_radius_is_bought_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::IsonormalBoughtRadius]);
}

#[test]
fn sums_in_a_ball_whose_centre_is_bought_are_at_most_as_far_apart_as_claimed_and_attain_it() {
    for setting in settings(&[AuditedMechanism::IsonormalBoughtCenter]) {
        let few = AuditPlan { draws: 20, ..AuditPlan::default() };
        let label = format!("{} {}", setting.mechanism, setting.neighbours);
        check_sums(setting, &setting.attack().unwrap().run(&few).unwrap(), &label);
    }
}

#[test]
#[ignore = "half a minute long: sums anew for each draw"]
fn means_in_a_ball_whose_centre_is_bought_keep_their_claim_and_with_less_noise_they_do_not() {
    // every transcript has a centre of its own, and sums that are computed anew
    attack(Effort { draws: 10_000, noise: 0.4 }, &[AuditedMechanism::IsonormalBoughtCenter]);
}

const GROUPS: [AuditedMechanism; 3] =
    [AuditedMechanism::GroupsPublic, AuditedMechanism::GroupsPrivate, AuditedMechanism::GroupsOfTwo];

#[test]
fn means_of_groups_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(SLOW_BY_DAY, &GROUPS);
}

#[test]
fn sums_of_groups_in_a_ball_whose_radius_is_bought_are_at_most_as_far_apart_as_claimed_and_attain_it() {
    for setting in settings(&[AuditedMechanism::GroupsBoughtRadius]) {
        let few = AuditPlan { draws: 100, ..AuditPlan::default() };
        let label = format!("{} {}", setting.mechanism, setting.neighbours);
        check_sums(setting, &setting.attack().unwrap().run(&few).unwrap(), &label);
    }
}

#[test]
#[ignore = "many pairs, each with draws of all steps"]
fn means_of_groups_whose_radius_is_bought_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::GroupsBoughtRadius]);
}

#[test]
fn sums_of_regressions_in_a_ball_whose_radius_is_bought_are_at_most_as_far_apart_as_claimed_and_attain_it() {
    for setting in settings(&[AuditedMechanism::RegressionBoughtRadius]) {
        let few = AuditPlan { draws: 100, ..AuditPlan::default() };
        let label = format!("{} {}", setting.mechanism, setting.neighbours);
        check_sums(setting, &setting.attack().unwrap().run(&few).unwrap(), &label);
    }
}

#[test]
#[ignore = "many pairs, each with draws of all steps"]
fn regressions_whose_radius_is_bought_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::RegressionBoughtRadius]);
}

const REGRESSIONS: [AuditedMechanism; 2] = [AuditedMechanism::Regression, AuditedMechanism::RegressionPublic];

#[test]
fn regressions_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &REGRESSIONS);
}

#[test]
fn means_of_irregular_curves_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::Rows]);
}

#[test]
fn means_of_irregular_curves_whose_radius_is_bought_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::RowsBoughtRadius]);
}

#[test]
fn means_of_surfaces_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::Surface]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_means_of_irregular_curves() {
    attack(BY_NIGHT, &[AuditedMechanism::Rows]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_a_bought_radius_of_irregular_curves() {
    attack(BY_NIGHT, &[AuditedMechanism::RowsBoughtRadius]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_regressions() {
    attack(BY_NIGHT, &REGRESSIONS);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_groups() {
    attack(BY_NIGHT, &GROUPS);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_moments() {
    attack(BY_NIGHT, &[AuditedMechanism::IsonormalMoments, AuditedMechanism::IsonormalCovariance]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_a_bought_radius() {
    attack(BY_NIGHT, &[AuditedMechanism::IsonormalBoughtRadius]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_a_bought_centre() {
    attack(BY_NIGHT, &[AuditedMechanism::IsonormalBoughtCenter]);
}

#[test]
fn private_functionals_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(
        BY_DAY,
        &[AuditedMechanism::Functionals, AuditedMechanism::FunctionalsKNorm, AuditedMechanism::FunctionalsStudentT],
    );
}

#[test]
fn private_paths_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(SLOW_BY_DAY, &[AuditedMechanism::Path, AuditedMechanism::EllipticalPath]);
}

#[test]
fn perturbed_densities_keep_their_claim_and_with_less_noise_they_do_not() {
    attack(BY_DAY, &[AuditedMechanism::Perturbed, AuditedMechanism::Series, AuditedMechanism::SeriesKNorm]);
}

/// Drawn densities show less of a larger epsilon.
const OF_DENSITIES: Effort = Effort { draws: 60_000, noise: 0.4 };

#[test]
fn smoothed_densities_keep_their_claim_and_with_a_larger_epsilon_they_do_not() {
    attack(OF_DENSITIES, &[AuditedMechanism::Smoothed]);
}

#[test]
fn points_of_the_exponential_mechanism_keep_their_claim_and_with_a_larger_epsilon_they_do_not() {
    attack(OF_DENSITIES, &[AuditedMechanism::Exponential]);
}

#[test]
fn series_of_the_exponential_mechanism_keep_their_claim_and_with_a_larger_epsilon_they_do_not() {
    attack(OF_DENSITIES, &[AuditedMechanism::SeriesExponential]);
}

#[test]
#[ignore = "minutes long: a million draws a side against a tenth less noise"]
fn a_tenth_less_noise_is_seen_in_every_other_mechanism() {
    let apart = [
        AuditedMechanism::IsonormalMoments,
        AuditedMechanism::IsonormalCovariance,
        AuditedMechanism::IsonormalBoughtRadius,
        AuditedMechanism::IsonormalBoughtCenter,
        AuditedMechanism::RowsBoughtRadius,
        AuditedMechanism::GroupsPublic,
        AuditedMechanism::GroupsPrivate,
        AuditedMechanism::GroupsOfTwo,
        AuditedMechanism::GroupsBoughtRadius,
        AuditedMechanism::Regression,
        AuditedMechanism::RegressionPublic,
        AuditedMechanism::RegressionBoughtRadius,
    ];
    let others: Vec<AuditedMechanism> =
        AuditedMechanism::all().filter(|mechanism| !apart.contains(mechanism)).collect();
    attack(BY_NIGHT, &others);
}
