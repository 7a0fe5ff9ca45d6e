#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn the_usual_shares_agree_with_golden_values() {
    // mu, the number of records, the shares of a radius and of a centre, and the fewest records
    let golden: [(f64, u64, f64, f64, u64); 12] = [
        (0.920_913_966_613_283_4, 142, 0.1, 0.1, 25),
        (0.268_051_123_211_294, 142, 0.1, 0.0, 84),
        (0.088_983_452_873_809_82, 142, 0.0, 0.0, 252),
        (0.920_913_966_613_283_4, 376, 0.057_759_455_595_311_51, 0.057_759_455_595_311_51, 32),
        (0.268_051_123_211_294, 376, 0.1, 0.1, 84),
        (0.088_983_452_873_809_82, 376, 0.1, 0.0, 252),
        (0.920_913_966_613_283_4, 1000, 0.021_717_555_303_837_13, 0.021_717_555_303_837_13, 53),
        (0.268_051_123_211_294, 1000, 0.074_612_632_696_318_9, 0.074_612_632_696_318_9, 97),
        (0.088_983_452_873_809_82, 1000, 0.1, 0.1, 252),
        (0.920_913_966_613_283_4, 10000, 0.02, 0.02, 55),
        (0.268_051_123_211_294, 10000, 0.02, 0.02, 187),
        (0.088_983_452_873_809_82, 10000, 0.022_476_088_928_986_174, 0.022_476_088_928_986_174, 531),
    ];
    for (mu, records, radius, center, fewest) in golden {
        let shares = Wanted::default().shares(mu, Some(records), true);
        let is_close = |share: Option<Share>, golden: f64| (share.map_or(0.0, Share::value) - golden).abs() <= 1e-9;
        assert!(is_close(shares.radius(), radius) && is_close(shares.center(), center), "{mu} {records}: {shares:?}");
        let usual = usual_share(mu, Some(records as f64));
        assert!((least(mu, usual).ceil() - fewest as f64).abs() < 0.5);
        assert_eq!(Wanted::default().shares(mu, Some(records), false).center(), None, "a centre was stated");
        let expected = Wanted { expected: Some(records), ..Wanted::default() };
        assert_eq!(expected.shares(mu, Some(7), true), shares, "what is expected decides");
    }
}

#[test]
fn an_unknown_number_buys_a_radius_and_no_centre_and_what_is_said_is_bought() {
    let unknown = Wanted::default().shares(0.3, None, true);
    assert_eq!((unknown.radius().map(Share::value), unknown.center()), (Some(RADIUS_SHARE), None));
    assert!(unknown.is_if_enough());
    let nothing = Wanted { radius: Want::Nothing, ..Wanted::default() };
    assert_eq!(nothing.shares(0.3, Some(10_000), true), BallShares::NONE);
    let said = Wanted { radius: Want::with(0.3).unwrap(), center: Want::with(0.2).unwrap(), ..Wanted::default() };
    assert_eq!(said.shares(0.3, Some(2), false), BallShares::new(Some(0.2), Some(0.3)).unwrap());
    assert!(!said.asks_for_number() && Wanted::default().asks_for_number());
    for share in [0.0, 0.5, f64::NAN] {
        assert!(Want::with(share).is_err());
    }
}

#[test]
fn from_enough_records_on_their_number_changes_nothing() {
    for mu in [0.05, 0.27, 1.0, 3.0] {
        let enough = Wanted::enough(mu);
        let shares = |records| Wanted::default().shares(mu, Some(records), true);
        assert_eq!(shares(enough), shares(100 * enough));
        assert_ne!(shares(enough - 2), shares(enough));
    }
}
