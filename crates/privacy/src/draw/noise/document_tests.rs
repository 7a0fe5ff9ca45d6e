#![allow(clippy::unwrap_used, reason = "tests")]

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::body::EuclideanBall;
use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::calibrate::gaussian::Calibration;
use crate::calibrate::mixing::MixingLaw;
use crate::draw::discrete_laplace::DiscreteLaplace;
use crate::draw::law::Law;
use crate::draw::noise::{Noise, NormalBlock};
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::RoundedNormal;

fn mixings() -> [MixingLaw; 6] {
    [
        MixingLaw::student_t(5.0).unwrap(),
        MixingLaw::gamma_root(2.5).unwrap(),
        MixingLaw::log_normal(0.3).unwrap(),
        MixingLaw::finite(&[(0.7, 0.1), (1.0, 0.2), (2.0, 0.7)]).unwrap(),
        // probabilities of which the last is lost in rounding
        MixingLaw::finite(&[(1.0, 1.0), (2.0, 1e-17)]).unwrap(),
        MixingLaw::from_quantile(|p| 1.0 + p).unwrap(),
    ]
}

fn laws() -> Vec<Law> {
    let mut laws = vec![
        Law::GAUSSIAN,
        Law::gaussian(Calibration::Classical),
        Law::DiscreteLaplace {},
        Law::KNorm {},
        Law::StudentT { degrees_of_freedom: 1.5 },
    ];
    laws.extend(mixings().map(|mixing| Law::RandomScale { mixing }));
    laws
}

fn read_back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn laws_and_noises_of_every_kind_read_back_as_they_were() {
    for law in laws() {
        assert_eq!(read_back(&law), law);
        let is_normal = matches!(law, Law::Gaussian { .. } | Law::RandomScale { .. });
        let delta = if is_normal { 1e-5 } else { 0.0 };
        let budget = PrivacyBudget::new(1.0, delta).unwrap();
        let noise = Noise::calibrated(&law, &budget, &EuclideanBall::new(7).unwrap(), SubstituteOne).unwrap();
        assert_eq!(read_back(&noise), noise);
        let drawn = noise.realised(&mut SeededRandomness::from_seed(1));
        assert_eq!(read_back(&drawn), drawn);
    }
    for law in mixings() {
        assert_eq!(read_back(&law), law);
    }
    let (law, budget) = (Law::KNormCylinder {}, PrivacyBudget::new(1e-9, 0.0).unwrap());
    let noise = Noise::calibrated(&law, &budget, &EuclideanBall::new(7).unwrap(), AddRemoveOne).unwrap();
    assert_eq!((read_back(&law), read_back(&noise)), (law, noise));
}

#[test]
fn blocks_and_integers_beyond_the_doubles_read_back_too() {
    let block = |length, unit, scale| NormalBlock { length, unit, normal: RoundedNormal::new(scale).unwrap() };
    let blocks = Noise::Gaussian(vec![block(2, 1.0, (1 << 53) + 1), block(3, 1024.5, 1 << 56)]);
    assert_eq!(read_back(&blocks), blocks);
    let json = serde_json::to_string(&blocks).unwrap();
    assert!(json.contains("\"scale\":\"9007199254740993\""), "{json}");
    let laplace = Noise::DiscreteLaplace(DiscreteLaplace::new((1 << 62) - 1, 1 << 61).unwrap());
    assert_eq!(read_back(&laplace), laplace);
}

#[test]
fn noise_that_is_none_is_refused() {
    let good = [
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":5}]}}"#,
        r#"{"discrete-laplace":{"numerator":2,"denominator":1}}"#,
        r#"{"k-norm":{"dimension":2,"scale":5.0}}"#,
        r#"{"k-norm-cylinder":{"coordinates":3,"scale":5}}"#,
        r#"{"student-t":{"degrees-of-freedom":5.0,"dimension":2,"scale":5.0}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":5.0,"drawn":7}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":5.0,"drawn":null}}"#,
    ];
    for json in good {
        serde_json::from_str::<Noise>(json).unwrap();
    }
    for bad in [
        r#"{"gaussian":{"blocks":[]}}"#,
        r#"{"gaussian":{"blocks":[{"length":0,"unit":1.0,"scale":5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":0.5,"scale":5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":-1.0,"scale":5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":0}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":-5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":72057594037927937}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":"99999999999999999999999999"}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":5.5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"scale":5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":2,"unit":1.0,"scale":5,"sd":5}]}}"#,
        r#"{"gaussian":{"blocks":[{"length":18446744073709551615,"unit":1.0,"scale":5},{"length":1,"unit":1.0,"scale":5}]}}"#,
        r#"{"discrete-laplace":{"numerator":0,"denominator":1}}"#,
        r#"{"discrete-laplace":{"numerator":1,"denominator":0}}"#,
        r#"{"discrete-laplace":{"numerator":-1,"denominator":1}}"#,
        r#"{"k-norm":{"dimension":0,"scale":5.0}}"#,
        r#"{"k-norm":{"dimension":2,"scale":0.0}}"#,
        r#"{"k-norm":{"dimension":2,"scale":-5.0}}"#,
        r#"{"k-norm":{"dimension":2,"scale":5.5}}"#,
        r#"{"k-norm":{"dimension":2,"scale":1e17}}"#,
        r#"{"k-norm-cylinder":{"coordinates":0,"scale":5}}"#,
        r#"{"k-norm-cylinder":{"coordinates":3,"scale":0}}"#,
        r#"{"k-norm-cylinder":{"coordinates":3,"scale":-5}}"#,
        r#"{"k-norm-cylinder":{"coordinates":3,"scale":5.5}}"#,
        r#"{"k-norm-cylinder":{"coordinates":3,"scale":72057594037927937}}"#,
        r#"{"k-norm-cylinder":{"dimension":4,"scale":5}}"#,
        r#"{"student-t":{"degrees-of-freedom":0.0,"dimension":2,"scale":5.0}}"#,
        r#"{"student-t":{"degrees_of_freedom":5.0,"dimension":2,"scale":5.0}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":0.0,"drawn":null}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":-5.0,"drawn":7}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":1e300,"drawn":null}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":5.0}},"sigma":5.0,"drawn":0}}"#,
        r#"{"random-scale":{"mixing":{"student-t":{"nu":0.0}},"sigma":5.0,"drawn":7}}"#,
        r#"{"uniform":{"width":5}}"#,
        r#"{"k-norm":{"dimension":2,"scale":5.0},"gaussian":{"blocks":[]}}"#,
        r#""gaussian""#,
    ] {
        assert!(serde_json::from_str::<Noise>(bad).is_err(), "{bad}");
    }
}

#[test]
fn laws_that_are_none_are_refused() {
    for bad in [
        r#"{"gaussian":{"calibration":"loose"}}"#,
        r#"{"gaussian":{}}"#,
        r#"{"discrete-laplace":{"scale":1}}"#,
        r#"{"student-t":{"degrees-of-freedom":"5"}}"#,
        r#"{"random-scale":{"mixing":"student-t"}}"#,
        r#"{"cauchy":{}}"#,
        r#""k-norm""#,
    ] {
        assert!(serde_json::from_str::<Law>(bad).is_err(), "{bad}");
    }
    for bad in [
        r#"{"student-t":{"nu":0.05}}"#,
        r#"{"student-t":{"nu":5.0,"scale":2.0}}"#,
        r#"{"gamma-root":{"shape":-1.0}}"#,
        r#"{"log-normal":{"sigma":0.0}}"#,
        r#"{"values":{"values":[],"cumulative":[]}}"#,
        r#"{"values":{"values":[1.0],"cumulative":[0.9]}}"#,
        r#"{"values":{"values":[1.0],"cumulative":[0.5,1.0]}}"#,
        r#"{"values":{"values":[2.0,1.0],"cumulative":[0.5,1.0]}}"#,
        r#"{"values":{"values":[1.0,2.0],"cumulative":[1.0,0.5]}}"#,
        r#"{"values":{"values":[1.0,2.0],"cumulative":[0.0,1.0]}}"#,
        r#"{"values":{"values":[1.0,2.0],"cumulative":[-0.5,1.0]}}"#,
        r#"{"values":{"values":[0.0,2.0],"cumulative":[0.5,1.0]}}"#,
        r#"{"values":{"values":[1.0,1e300],"cumulative":[0.5,1.0]}}"#,
        r#"{"constant":{"value":1.0}}"#,
    ] {
        assert!(serde_json::from_str::<MixingLaw>(bad).is_err(), "{bad}");
    }
}
