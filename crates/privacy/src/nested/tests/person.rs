use super::*;
use crate::nested::PersonSum;

const PEOPLE: usize = 30;

/// Curves of people: of each, some of all kinds.
fn curves(dimension: usize) -> Vec<(usize, Vec<f64>)> {
    hostile(16, dimension).into_iter().enumerate().map(|(place, z)| (place * place % PEOPLE, z)).collect()
}

/// The sum over people of the records that they become.
fn released(people: &[PersonSum], dimension: usize) -> Vec<i128> {
    let mut sums = NestedSums::new(dimension, Radii::Any, Some(ProductsOf::First(dimension)));
    let mut record = NestedRecord::new(dimension, Radii::Any).unwrap();
    for person in people {
        person.close(&mut record).unwrap();
        sums.add(&record).unwrap();
    }
    sums.words()
}

fn together(curves: &[(usize, Vec<f64>)], dimension: usize) -> Vec<PersonSum> {
    let mut people = vec![PersonSum::new(dimension).unwrap(); PEOPLE];
    for (person, z) in curves {
        people[*person].add(z).unwrap();
    }
    people
}

#[test]
fn curves_of_a_person_give_the_same_bits_interleaved_sorted_and_merged() {
    for dimension in [1, 40, 93] {
        let mut curves = curves(dimension);
        let whole = released(&together(&curves, dimension), dimension);
        curves.sort_by_key(|(person, _)| *person);
        assert_eq!(released(&together(&curves, dimension), dimension), whole);
        curves.reverse();
        for parts in [2, 3, 50] {
            let mut joined = vec![PersonSum::new(dimension).unwrap(); PEOPLE];
            for part in curves.chunks(curves.len().div_ceil(parts)) {
                let more = together(part, dimension);
                joined.iter_mut().zip(&more).for_each(|(person, more)| person.merge(more).unwrap());
            }
            assert_eq!(released(&joined, dimension), whole, "{parts}");
        }
    }
}

#[test]
fn a_person_is_never_outside_the_stated_radius_and_always_within_the_integers() {
    for z in hostile(17, 40) {
        for number in [1, 3] {
            let mut person = PersonSum::new(40).unwrap();
            for _ in 0..number {
                person.add(&z).unwrap();
            }
            let mut record = NestedRecord::new(40, Radii::Any).unwrap();
            person.close(&mut record).unwrap();
            assert_ne!(record.bucket(), Bucket::OUTSIDE);
            for radius in NestedRadius::all() {
                let squared: i128 = clipped(&record, radius).iter().map(|k| k * k).sum();
                assert!(squared <= i128::from(radius.steps()).pow(2));
            }
        }
    }
}

#[test]
fn each_curve_is_clipped_at_the_stated_radius_and_the_mean_at_the_bought_one() {
    let curves = [[3.0, 0.0], [0.0, 0.5], [-0.3, -0.2]];
    let clipped_curves = [[1.0, 0.0], [0.0, 0.5], [-0.3, -0.2]];
    let mut person = PersonSum::new(2).unwrap();
    for z in curves {
        person.add(&z).unwrap();
    }
    let mut record = NestedRecord::new(2, Radii::Any).unwrap();
    person.close(&mut record).unwrap();
    let mean = [0, 1].map(|i| clipped_curves.iter().map(|z| z[i]).sum::<f64>() / 3.0);
    let norm = (mean[0] * mean[0] + mean[1] * mean[1]).sqrt();
    let step = 2.0_f64.powi(-12) / steps_to_unit(2);
    for radius in NestedRadius::all() {
        let shrink = (radius.of(1.0) / norm).min(1.0);
        for (k, z) in clipped(&record, radius).iter().zip(mean) {
            assert!((*k as f64 * step - z * shrink).abs() < 3e-6 * radius.of(1.0), "{radius:?}");
        }
    }
}

#[test]
fn no_curves_are_a_record_at_the_centre_and_other_dimensions_are_refused() {
    let mut person = PersonSum::new(2).unwrap();
    let mut record = encoded(&[0.5, 0.5], Radii::Any);
    person.close(&mut record).unwrap();
    assert_eq!((record.bucket(), record.own()), (Bucket::INNERMOST, Some((&[0.0, 0.0][..], 0))));
    assert_eq!(person.add(&[1.0]), Err(LatticeError::Mismatch { expected: 2, found: 1 }));
    assert_eq!(person.merge(&PersonSum::new(3).unwrap()), Err(LatticeError::Mismatch { expected: 2, found: 3 }));
    let mut three = NestedRecord::new(3, Radii::Any).unwrap();
    assert_eq!(person.close(&mut three), Err(LatticeError::Mismatch { expected: 3, found: 2 }));
    assert_eq!(format!("{person:?}"), "PersonSum(..)");
}
