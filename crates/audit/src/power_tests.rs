#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::OnceLock;

use crate::attack::{Attack, AuditPlan};
use crate::audited::{AuditedMechanism, Setting, suite};

/// As the tests of every mechanism and the nightly audit have it.
fn plan() -> AuditPlan {
    AuditPlan { draws: 1_000_000, seed: 5, mechanisms: u32::try_from(suite().unwrap().len()).unwrap() }
}

/// Every setting with its attack, and the same mechanism with nine tenths of its noise; some are calibrated at great length.
fn settings() -> &'static [(Setting, Attack, Attack)] {
    static SETTINGS: OnceLock<Vec<(Setting, Attack, Attack)>> = OnceLock::new();
    let with_attacks = |setting: Setting| (setting, setting.attack().unwrap(), setting.with_less_noise(0.9).unwrap());
    SETTINGS.get_or_init(|| suite().unwrap().into_iter().map(with_attacks).collect())
}

fn label(setting: &Setting) -> String {
    format!("{} {} {:?}", setting.mechanism, setting.neighbours, setting.budget)
}

#[test]
#[ignore = "minutes long: every mechanism of the suite"]
fn a_million_draws_show_a_tenth_less_noise_of_every_mechanism_with_probability_99_percent() {
    let mut unseen = Vec::new();
    for (setting, attack, weaker) in settings() {
        let power = attack.power(weaker, &plan()).unwrap();
        if power < 0.99 {
            unseen.push(format!("{}: {power}", label(setting)));
        }
    }
    assert_eq!(unseen, Vec::<String>::new());
}

/// Each count is within five and a half standard errors: 800 of them are with probability 1 - 4e-5. The seed is fixed.
#[test]
#[ignore = "minutes long: every mechanism of the suite"]
fn the_probabilities_of_events_are_those_that_draws_show() {
    for (setting, attack, weaker) in settings() {
        // a transcript with a centre of its own has sums that are computed anew
        let draws = if setting.mechanism == AuditedMechanism::IsonormalBoughtCenter { 2_000 } else { 20_000 };
        let few = AuditPlan { draws, ..plan() };
        let counts = attack.count(weaker, &few).unwrap();
        let known = attack.probabilities(weaker).unwrap();
        assert!(!known.is_empty(), "{}", label(setting));
        let events = attack.claim().inequalities().len();
        for (place, event) in known.iter().enumerate() {
            // of a pair first come the events that are likely on the left
            let of_pair: Vec<_> = counts.iter().filter(|count| count.pair == event.pair).collect();
            let seen = of_pair[place % (2 * events)];
            assert_eq!(seen.inequality, event.inequality);
            for (count, p) in [(seen.likely, event.likely), (seen.other, event.other)] {
                let (n, k) = (few.draws as f64, count as f64);
                let error = (n * p * (1.0 - p)).max(0.0).sqrt();
                assert!((k - n * p).abs() <= 5.5 * error + 6.0, "{}, {event:?}: {k} of {n}", label(setting));
            }
        }
    }
}
