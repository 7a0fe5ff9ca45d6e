#![allow(clippy::unwrap_used, reason = "tests")]

use super::{NoiseFamily, NoiseFamilyError, Subbotin};

#[test]
fn a_family_reads_back_from_its_name_and_from_json() {
    let families = [
        NoiseFamily::Laplace,
        NoiseFamily::Logistic,
        NoiseFamily::Gaussian,
        NoiseFamily::Subbotin(Subbotin::new(1.5).unwrap()),
    ];
    for family in families {
        assert_eq!(family.to_string().parse(), Ok(family));
        let json = serde_json::to_string(&family).unwrap();
        assert_eq!(serde_json::from_str::<NoiseFamily>(&json).unwrap(), family);
    }
}

#[test]
fn each_refused_shape_is_told_its_own_reason() {
    let text = |shape: f64| Subbotin::new(shape).unwrap_err().to_string();
    assert!(text(0.5).contains("log-concave") && text(-1.0).contains("Lemma 1") && !text(0.5).contains("doubles"));
    for shape in [100.5, f64::INFINITY] {
        assert!(text(shape).contains("lost in doubles") && !text(shape).contains("log-concave"));
    }
    assert!(text(f64::NAN).contains("not a number") && !text(f64::NAN).contains("doubles"));
}

#[test]
fn shapes_that_are_not_log_concave_or_not_numbers_are_refused_by_every_way_in() {
    for shape in [0.999, 0.0, -1.0, 100.1, f64::INFINITY] {
        assert_eq!(Subbotin::new(shape), Err(NoiseFamilyError::Shape { value: shape }));
        assert_eq!(format!("subbotin:{shape}").parse::<NoiseFamily>(), Err(NoiseFamilyError::Shape { value: shape }));
    }
    assert!(Subbotin::new(f64::NAN).is_err());
    assert!("subbotin:nan".parse::<NoiseFamily>().is_err());
    assert!(serde_json::from_str::<Subbotin>("0.5").is_err());
    for name in ["", "Laplace", "subbotin", "subbotin:", "subbotin:x", "cauchy"] {
        assert_eq!(name.parse::<NoiseFamily>(), Err(NoiseFamilyError::Unknown));
    }
}
