#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn total(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn pure(epsilon: f64) -> Spend {
    Spend::of_budget(&total(epsilon, 0.0))
}

fn gaussian(epsilon: f64, delta: f64) -> Spend {
    let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &total(epsilon, delta)).unwrap();
    Spend::of_gaussian(privacy)
}

fn account(spends: &[Spend]) -> Account {
    spends.iter().fold(Account::default(), |account, spend| account.with(spend))
}

#[test]
fn gaussian_releases_of_sigma_2_3_and_5_compose_to_nineteen_thirtieths() {
    let spends = ["1/4", "1/9", "1/25"].map(|mu_squared| Spend::Gaussian { mu_squared: amount(mu_squared) });
    let account = account(&spends);
    assert_eq!(account.mu_squared, amount("361/900"));
    let mu = account.gaussian().unwrap().mu();
    assert!((19.0 / 30.0_f64).next_down() <= mu && mu <= (19.0 / 30.0_f64).next_up());
    // 60-digit arithmetic; never below, and above by no more than the profile is rounded
    let (epsilon, delta) = (2.926_099_202_796_989_5, 0.024_578_639_654_761_3);
    assert!((0.0..1e-10).contains(&(account.epsilon(1e-6) - epsilon)), "{}", account.epsilon(1e-6));
    assert!((0.0..1e-10).contains(&(account.delta(1.0) / delta - 1.0)), "{}", account.delta(1.0));
}

#[test]
fn three_spends_of_a_tenth_fit_in_three_tenths_and_a_fourth_of_any_size_does_not() {
    let three = account(&[pure(0.1), pure(0.1), pure(0.1)]);
    assert!(three.is_within(&total(0.3, 0.0)));
    assert!(!three.with(&pure(1e-300)).is_within(&total(0.3, 0.0)));
    assert_eq!(three.epsilon(0.0), 0.3);
    assert_eq!(three.remaining(&total(0.3, 0.0)), None);
}

#[test]
fn two_gaussian_releases_fit_where_basic_composition_would_refuse_the_second() {
    let one = gaussian(0.6, 4e-6);
    let whole = total(1.0, 1e-5);
    let two = account(&[one.clone(), one.clone()]);
    assert!(two.is_within(&whole));
    assert!(!two.with(&one).is_within(&whole));
    let basic = Spend::of_budget(&total(0.6, 4e-6));
    assert!(!account(&[basic.clone(), basic]).is_within(&whole));
}

#[test]
fn a_total_holds_one_release_of_its_own_size_and_no_more() {
    for (epsilon, delta) in [(1.0, 1e-5), (0.1, 1e-9), (0.3, 0.1), (7.0, 1e-6), (1e-3, 1e-5), (0.0, 0.01)] {
        let one = account(&[gaussian(epsilon, delta)]);
        assert!(one.is_within(&total(epsilon, delta)), "{epsilon} {delta}");
        assert!(
            !one.with(&Spend::Gaussian { mu_squared: amount("1e-12") }).is_within(&total(epsilon, delta)),
            "{epsilon} {delta}"
        );
        assert!(account(&[Spend::of_budget(&total(epsilon, delta))]).is_within(&total(epsilon, delta)));
    }
}

#[test]
fn many_small_pure_releases_cost_less_than_their_sum() {
    let hundred = account(&vec![pure(0.1); 100]);
    assert!(!hundred.is_within(&total(4.0, 0.0)));
    assert!(hundred.is_within(&total(5.0, 1e-5)));
    // rho = 0.5; the optimum over all orders in 30-digit arithmetic
    let exact = 4.728_386_984_941_334;
    assert!((0.0..1e-9).contains(&(hundred.epsilon(1e-5) - exact)), "{}", hundred.epsilon(1e-5));
    assert_eq!(hundred.epsilon(0.0), 10.0);
}

#[test]
fn the_conversion_of_zcdp_is_never_below_the_exact_profile_of_gaussian_noise() {
    for mu in [0.01, 0.1, 0.5, 1.0, 3.0, 8.0] {
        for epsilon in [0.0, 0.01, 0.3, 1.0, 4.0, 20.0] {
            let exact = GaussianPrivacy::new(mu).unwrap().delta(epsilon);
            let (twice_rho, at) = (Amount::exact(mu * mu).unwrap(), Amount::exact(epsilon).unwrap());
            let converted = delta_of_zcdp(&twice_rho, &at);
            let proved = proved_delta_of_zcdp(&twice_rho, &at).to_f64_up();
            // the charge in doubles grows with the terms of the logarithm
            let near = converted.max(f64::MIN_POSITIVE);
            assert!(proved <= near && near <= proved * (1.0 + 1e-8), "{mu} {epsilon}: {converted:e}, {proved:e}");
            assert!(converted >= exact * (1.0 - 1e-10) || exact == f64::MIN_POSITIVE, "{mu} {epsilon}");
        }
    }
}

#[test]
fn what_is_said_to_remain_fits_and_a_little_more_does_not() {
    let whole = total(1.0, 1e-5);
    let cases = [
        account(&[]),
        account(&[gaussian(0.6, 4e-6)]),
        account(&[pure(0.25)]),
        account(&[gaussian(0.3, 1e-6), pure(0.4)]),
        account(&[Spend::of_budget(&total(0.5, 2e-6))]),
        account(&vec![pure(0.001); 200]),
    ];
    for account in cases {
        let fits = |spend: &Spend| account.with(spend).is_within(&whole);
        let left = account.remaining(&whole).unwrap();
        assert!(fits(&Spend::of_budget(&left)));
        let largest = account.largest_pure(&whole).unwrap();
        assert!(fits(&pure(largest)) && !fits(&pure(largest * 1.001)), "{largest}");
        let largest = account.largest_gaussian(&whole, 4e-6).unwrap();
        assert!(fits(&gaussian(largest, 4e-6)) && !fits(&gaussian(largest * 1.001, 4e-6)), "{largest}");
    }
    assert_eq!(account(&[]).remaining(&whole), Some(whole));
}

#[test]
fn nothing_fits_what_is_spent() {
    let spent = account(&[pure(1.0)]);
    assert_eq!(spent.remaining(&total(1.0, 0.0)), None);
    assert_eq!(spent.largest_pure(&total(1.0, 0.0)), None);
    assert_eq!(spent.largest_gaussian(&total(1.0, 0.0), 1e-6), None);
    assert_eq!(spent.largest_gaussian(&total(0.5, 1e-5), 1e-6), None);
    assert!(!account(&[gaussian(0.1, 1e-9)]).is_within(&total(50.0, 0.0)));
}

#[test]
fn order_does_not_matter() {
    let spends = [gaussian(0.3, 1e-6), pure(0.1), Spend::of_budget(&total(0.2, 1e-7)), gaussian(0.1, 1e-6)];
    let mut reversed = spends.to_vec();
    reversed.reverse();
    assert_eq!(account(&spends), account(&reversed));
}

#[test]
fn a_mixed_account_is_the_better_of_two_theorems() {
    // a few: basic is better; many: zCDP is
    let few = account(&[gaussian(0.5, 1e-6), pure(0.5)]);
    assert!(few.is_within(&total(1.0, 1e-6)));
    let many = account(&[vec![gaussian(0.1, 1e-6); 10], vec![pure(0.05); 400]].concat());
    assert!(many.epsilon(1e-5) < 10.0, "{}", many.epsilon(1e-5));
}

#[test]
fn a_spend_is_read_through_the_checks_of_amounts() {
    let spend = gaussian(1.0, 1e-5);
    let json = serde_json::to_string(&spend).unwrap();
    assert_eq!(serde_json::from_str::<Spend>(&json).unwrap(), spend);
    assert_eq!(serde_json::to_string(&pure(0.1)).unwrap(), r#"{"approximate":{"epsilon":"0.1","delta":"0"}}"#);
    for bad in [r#"{"approximate":{"epsilon":"-1","delta":"0"}}"#, r#"{"approximate":{"epsilon":0.1,"delta":"0"}}"#] {
        assert!(serde_json::from_str::<Spend>(bad).is_err(), "{bad}");
    }
}

#[test]
fn deltas_of_approximate_releases_add_up() {
    let one = Spend::of_budget(&total(0.1, 4e-6));
    let two = account(&[one.clone(), one.clone()]);
    assert!(two.is_within(&total(0.2, 8e-6)));
    assert!(!two.is_within(&total(50.0, 7.9e-6)));
    assert!(!two.with(&one).is_within(&total(1.0, 1e-5)));
    assert!((8e-6..8.000_001e-6).contains(&two.delta(0.2)), "{}", two.delta(0.2));
}

#[test]
fn a_sum_above_all_doubles_is_within_no_total() {
    let spend = Spend::Gaussian { mu_squared: amount(&"9".repeat(2400)) };
    let account = account(&[spend]);
    assert!(!account.is_within(&total(50.0, 0.5)));
    assert_eq!((account.epsilon(1e-5), account.delta(1.0)), (f64::INFINITY, 1.0));
}

#[test]
fn an_account_of_extreme_amounts_is_summed_up() {
    for mu_squared in ["1e-160", "1e-400", "1e155", "1e400"] {
        let account = account(&[Spend::Gaussian { mu_squared: amount(mu_squared) }]);
        assert!(account.epsilon(1e-5) >= 0.0, "{mu_squared}");
        assert!(account.delta(1.0) > 0.0, "{mu_squared}");
    }
}
