use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b, Simd, WithSimd as _};

use super::*;
use crate::nested::quantise::SquaredNorms;
use crate::nested::record::EncodePlain;

#[test]
fn every_clipped_record_is_within_its_radius_in_integers() {
    for dimension in [1, 2, 9, 93, 300] {
        for z in hostile(3, dimension) {
            let record = encoded(&z, Radii::Any);
            for radius in NestedRadius::all() {
                let squared: i128 = clipped(&record, radius).iter().map(|k| k * k).sum();
                assert!(squared <= i128::from(radius.steps()).pow(2), "{dimension} {radius:?}");
            }
        }
    }
}

#[test]
fn energies_are_the_squared_norms_of_the_integers() {
    for z in hostile(4, 93) {
        let record = encoded(&z, Radii::Any);
        for (k, squared) in [record.own(), record.direction()].into_iter().flatten() {
            assert!(k.iter().all(|k| k.fract() == 0.0 && k.abs() <= RADIUS as f64));
            assert_eq!(integers(k).iter().map(|k| k * k).sum::<i128>(), i128::from(squared));
            assert!(squared <= SQUARED_RADIUS);
        }
    }
}

#[test]
fn a_record_is_clipped_to_within_three_millionths_of_a_radius() {
    for dimension in [1, 40, 93] {
        for z in hostile(5, dimension).into_iter().filter(|z| z.iter().all(|z| z.is_finite())) {
            let record = encoded(&z, Radii::Any);
            let largest = z.iter().fold(f64::MIN_POSITIVE, |most, z| most.max(z.abs()));
            let rest = z.iter().map(|z| (z / largest).powi(2)).sum::<f64>().sqrt();
            // may be infinite, of finite numbers
            let norm = largest * rest;
            for radius in NestedRadius::all() {
                let tau = radius.of(1.0);
                let step = 2.0_f64.powi(-12) / steps_to_unit(dimension);
                let vector = clipped(&record, radius);
                let distance = vector.iter().zip(&z).map(|(k, z)| {
                    let expected = if norm > tau { z / largest / rest * tau } else { *z };
                    (*k as f64 * step - expected).powi(2)
                });
                let distance = distance.sum::<f64>().sqrt() / tau;
                assert!(distance < 3e-6, "{dimension} {radius:?} {norm}: {distance}");
            }
        }
    }
}

#[test]
fn what_is_no_number_is_outside_and_has_the_direction_that_the_lattice_gives_it() {
    for special in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let z = [0.1, special, -0.2];
        let record = encoded(&z, Radii::Any);
        assert_eq!(record.bucket(), Bucket::OUTSIDE);
        let mut lattice = crate::body::lattice::LatticeVector::zero(3).unwrap();
        lattice.encode(&z).unwrap();
        let expected: Vec<i128> = lattice.coordinates().iter().copied().map(i128::from).collect();
        assert_eq!(integers(record.direction().unwrap().0), expected);
    }
}

#[test]
fn a_record_is_the_same_whatever_was_encoded_before_and_beside_it() {
    let records = hostile(6, 40);
    let alone: Vec<NestedRecord> = records.iter().map(|z| encoded(z, Radii::Any)).collect();
    let mut room = NestedRecord::new(40, Radii::Any).unwrap();
    for step in [1, 7, 64, 65] {
        for start in 0..step {
            for place in (start..records.len()).step_by(step) {
                room.encode(&records[place]).unwrap();
                assert_eq!(room.bucket(), alone[place].bucket());
                assert_eq!((room.own(), room.direction()), (alone[place].own(), alone[place].direction()));
            }
        }
    }
    let (all, mut places) = (records.concat(), 0..);
    let given = room.encode_each(&all, 40, |record| {
        let alone = &alone[places.next().unwrap()];
        assert_eq!((record.bucket(), record.own()), (alone.bucket(), alone.own()));
        assert_eq!(record.direction(), alone.direction());
        Ok::<(), ()>(())
    });
    assert_eq!((given, places.next()), (Ok(()), Some(records.len())));
    room.clear();
    let empty = NestedRecord::new(40, Radii::Any).unwrap();
    assert_eq!((room.bucket(), room.own(), room.direction()), (empty.bucket(), empty.own(), None));
}

fn encoded_in<S: Simd>(registers: S, z: &[f64]) -> Option<NestedRecord> {
    let (mut record, mut squared) = (NestedRecord::new(z.len(), Radii::Any).unwrap(), [0.0]);
    SquaredNorms { all: z, length: z.len(), into: &mut squared }.with_simd(registers);
    let [squared] = squared;
    (squared < f64::INFINITY).then(|| {
        EncodePlain { record: &mut record, z, squared, most: f64::INFINITY }.with_simd(registers);
        record
    })
}

#[test]
fn registers_of_every_width_give_the_same_integers() {
    for dimension in (1..=18).chain([93, 700]) {
        for z in hostile(22, dimension) {
            let of_this_machine = encoded(&z, Radii::Any);
            let records = [
                encoded_in(Scalar, &z),
                encoded_in(Scalar128b, &z),
                encoded_in(Scalar256b, &z),
                encoded_in(Scalar512b, &z),
            ];
            for record in records.iter().flatten() {
                assert_eq!(
                    (record.bucket(), record.own(), record.direction()),
                    (of_this_machine.bucket(), of_this_machine.own(), of_this_machine.direction())
                );
            }
        }
    }
}

#[test]
fn records_of_another_dimension_are_refused() {
    let mut record = NestedRecord::new(3, Radii::Any).unwrap();
    assert_eq!(record.encode(&[1.0; 4]), Err(LatticeError::Mismatch { expected: 3, found: 4 }));
    assert_eq!(NestedRecord::new(0, Radii::Any).err(), Some(LatticeError::Dimension { found: 0 }));
    assert_eq!(format!("{record:?}"), "NestedRecord(..)");
}
