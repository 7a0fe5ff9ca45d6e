#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn study(kind: Kind, more: &[(&str, &str)]) -> Study {
    let usual = [("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1")];
    Study::of_flags(Some(kind), Sections::of_texts(usual.iter().chain(more).copied()).unwrap())
}

fn forecast(kind: Kind, more: &[(&str, &str)]) -> Forecast {
    let study = study(kind, more);
    let is_of_rows = study.is_of_rows();
    Forecast::of(study, if is_of_rows { 3 } else { 30 }, Some(0.1)).unwrap()
}

fn main(expected: &Expected) -> &Foretold {
    expected.main.as_ref().unwrap()
}

#[test]
fn every_kind_of_curves_is_foretold() {
    type Settings = &'static [(&'static str, &'static str)];
    let kinds: [(Kind, Settings, &[&str]); 8] = [
        (Kind::Mean, &[], &[""]),
        (Kind::Groups, &[("by", "arm"), ("private_labels", "c,a")], &["c", "a"]),
        (Kind::Rows, &[], &[""]),
        (Kind::Surface, &[("surface", "8,6")], &[""]),
        (Kind::Centiles, &[("centiles", "25,50")], &["25% centile", "50% centile"]),
        (
            Kind::Centiles,
            &[("id", "i"), ("time", "t"), ("value", "y"), ("domain", "0,1"), ("centiles", "50")],
            &["50% centile"],
        ),
        (Kind::Regression, &[("on", "age"), ("covariate_bounds", "age=20:80")], &["intercept", "age"]),
        (Kind::Regression, &[("outcome", "age=20:80")], &["correlation"]),
    ];
    for (kind, more, names) in kinds {
        let expected = forecast(kind, more).expected(900).unwrap();
        assert_eq!(expected.means.iter().map(|mean| &*mean.name).collect::<Vec<_>>(), names);
        assert!(expected.means.iter().all(|mean| mean.error > 0.0 && mean.error < mean.half_width), "{expected:?}");
        // of coefficients the first after the intercept
        assert_eq!(main(&expected).name, if names[0] == "intercept" { "age" } else { names[0] });
    }
}

#[test]
fn a_forecast_is_the_same_each_time_and_of_what_the_study_says() {
    let plain = forecast(Kind::Mean, &[]).expected(300).unwrap();
    assert_eq!(plain, forecast(Kind::Mean, &[]).expected(300).unwrap());
    let stated = forecast(Kind::Mean, &[("radius_share", "none"), ("center_share", "none")]).expected(300).unwrap();
    assert!(main(&stated).error > 1.3 * main(&plain).error, "the stated ball is larger than what is found");
    let narrow = Forecast::of(study(Kind::Mean, &[]), 30, Some(0.03)).unwrap().expected(300).unwrap();
    assert!(main(&narrow).error < main(&plain).error && main(&narrow).half_width < main(&plain).half_width);
}

#[test]
fn fewer_people_at_the_same_mu_n_say_the_same() {
    let (forecast, records) = (forecast(Kind::Mean, &[]), 6000);
    let all = forecast.rehearsed(f64::from(records), Shares { noise: 1.0, rest: 1.0, people: 1.0 }).unwrap();
    let (all, few) = (rehearsal::together(&all), forecast.expected(u64::try_from(records).unwrap()).unwrap());
    let ratios = [main(&few).error / all[0].error, main(&few).half_width / all[0].half_width];
    assert!(ratios.iter().all(|ratio| (0.75..1.33).contains(ratio)), "{ratios:?}");
}

#[test]
fn errors_fall_and_bands_close_on_the_sampling_of_people() {
    let forecast = forecast(Kind::Mean, &[]);
    let at = |records| main(&forecast.expected(records).unwrap()).clone();
    let (few, many, most) = (at(1000), at(100_000), at(1 << 40));
    assert!(few.error > 30.0 * many.error && many.error > 1e5 * most.error, "{few:?} {many:?} {most:?}");
    // three standard errors or so, of people who differ by 0.1
    let in_errors = most.half_width / (0.1 / 2_f64.powi(20));
    assert!((2.0..4.5).contains(&in_errors), "{in_errors}");
}

#[test]
fn the_number_of_people_for_an_error_has_that_error_at_every_epsilon() {
    let forecast = forecast(Kind::Mean, &[]);
    let mut errors = Errors::of(&forecast);
    for epsilon in [0.5, 1.0, 2.0] {
        let records = errors.records_for(0.01, epsilon).unwrap();
        assert!(errors.at(records, epsilon).unwrap().unwrap() <= 0.01 * (1.0 + 1e-9));
        assert!(errors.at(records - 2, epsilon).unwrap().unwrap() > 0.01);
    }
    assert!(matches!(errors.records_for(f64::NAN, 1.0), Err(ForecastError::Error { .. })));
    assert_eq!(errors.records_for(1e-18, 1.0), Err(ForecastError::Unreachable { error: 1e-18 }));
}

#[test]
fn without_a_delta_an_epsilon_of_n_people_is_one_too() {
    let pure = forecast(Kind::Mean, &[]).without_delta().unwrap();
    let at = |records| main(&pure.expected(records).unwrap()).clone();
    assert!(at(500).error > at(5000).error);
    // what lies outside the coordinates does not fall with the number of people
    let (many, most) = (at(100_000), at(1 << 40));
    assert!(most.noise_sd < 1e-6 * many.noise_sd && (most.error / many.error - 1.0).abs() < 0.1, "{many:?} {most:?}");
}

#[test]
fn a_classical_scale_is_foretold_for_any_number_of_people() {
    let classical = forecast(Kind::Mean, &[("classical", "true")]);
    let at = |records| {
        (
            main(&classical.expected(records).unwrap()).error,
            main(&forecast(Kind::Mean, &[]).expected(records).unwrap()).error,
        )
    };
    for (classical, tight) in [at(900), at(1100), at(50_000)] {
        assert!(classical > 1.05 * tight, "{classical} {tight}");
    }
}

#[test]
fn errors_are_smaller_than_their_bands_also_where_people_differ_by_the_radius() {
    let wide = Forecast::of(study(Kind::Mean, &[]), 30, Some(0.5)).unwrap();
    let expected = wide.expected(1000).unwrap();
    assert!(main(&expected).error < main(&expected).half_width, "{expected:?}");
}

#[test]
fn a_number_is_told_where_fewer_people_are_hidden() {
    let settings = [("on", "a,b,c"), ("covariate_bounds", "a=0:1,b=0:1,c=0:1")];
    let regression = forecast(Kind::Regression, &settings);
    let mut errors = Errors::of(&regression);
    let needed = errors.records_for(0.2, 1.0).unwrap();
    let direct = main(&regression.expected(needed).unwrap()).error;
    assert!(direct <= 0.2 * 1.3, "{needed} {direct}");
    assert!(errors.at(needed, 1.0).unwrap().is_some());
}

#[test]
fn a_release_that_is_refused_is_told_as_one() {
    let expected = forecast(Kind::Mean, &[("radius_share", "0.05")]).expected(10).unwrap();
    assert!(expected.refused.unwrap().contains("records") && expected.means.is_empty());
}

#[test]
fn what_there_is_no_forecast_of_is_refused() {
    let refused = |study, points, spread| Forecast::of(study, points, spread).unwrap_err();
    assert_eq!(refused(study(Kind::Density, &[]), 30, None), ForecastError::Density);
    assert_eq!(refused(study(Kind::Mean, &[]), 1, None), ForecastError::Points { found: 1 });
    assert_eq!(refused(study(Kind::Rows, &[]), 0, None), ForecastError::Values { found: 0 });
    for spread in [0.0, -1.0, 0.6, f64::INFINITY] {
        assert!(matches!(refused(study(Kind::Mean, &[]), 30, Some(spread)), ForecastError::Spread { .. }), "{spread}");
    }
    assert_eq!(forecast(Kind::Mean, &[]).expected(1), Err(ForecastError::Records { found: 1 }));
    let unknown = study(Kind::Mean, &[("level", "0.3")]);
    assert!(matches!(refused(unknown, 30, None), ForecastError::Study(_)));
}
