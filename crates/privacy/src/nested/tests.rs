#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::cast_possible_truncation, reason = "integers that doubles hold exactly")]

use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::basis::{ProductsOf, PublicBasis};
use super::radius::{Bucket, NestedRadius, Radii};
use super::record::NestedRecord;
use super::sums::NestedSums;
use crate::body::lattice::{LatticeError, RADIUS, SQUARED_RADIUS, steps_to_unit};

mod basis;
mod body;
mod gram;
mod grouped;
mod kernel;
mod person;
mod record;
mod sums;
mod words;

/// A random unit vector.
fn direction(generator: &mut ChaCha20Rng, dimension: usize) -> Vec<f64> {
    let z: Vec<f64> = (0..dimension).map(|_| generator.random_range(-1.0..1.0_f64).powi(3)).collect();
    let norm = z.iter().map(|z| z * z).sum::<f64>().sqrt();
    z.into_iter().map(|z| z / norm).collect()
}

/// Records of all octaves, on every radius within some last digits, on axes, tiny, huge, and none at all.
fn hostile(seed: u64, dimension: usize) -> Vec<Vec<f64>> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut records = vec![vec![0.0; dimension], vec![-0.0; dimension]];
    for special in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e-300, 1e300, 1.0, -1.0] {
        records.push(vec![special; dimension]);
        records.push((0..dimension).map(|i| if i == dimension / 2 { special } else { 0.0 }).collect());
        records.push((0..dimension).map(|i| if i == 0 { special } else { 0.01 }).collect());
    }
    for length in (-300..=308).step_by(8).map(|power| 10.0_f64.powi(power)) {
        records.push(direction(&mut generator, dimension).into_iter().map(|z| z * length).collect());
    }
    for octave in -3..=9 {
        for _ in 0..4 {
            let length = generator.random_range(0.5..1.0) * (-f64::from(octave)).exp2();
            records.push(direction(&mut generator, dimension).into_iter().map(|z| z * length).collect());
        }
        let axis = generator.random_range(0..dimension);
        let on_axis = (-f64::from(octave)).exp2();
        records.push((0..dimension).map(|i| if i == axis { on_axis } else { 0.0 }).collect());
    }
    for radius in NestedRadius::all() {
        for ulps in [0, 1, -1, 7, -7, 100_000, -100_000, 1_000_000_000, -1_000_000_000_i64] {
            let length = radius.of(1.0) * (1.0 + ulps as f64 * f64::EPSILON);
            let in_integers = RADIUS as f64 / steps_to_unit(dimension);
            for length in [length, length * in_integers] {
                records.push(direction(&mut generator, dimension).into_iter().map(|z| z * length).collect());
            }
        }
    }
    records
}

fn encoded(z: &[f64], radii: Radii) -> NestedRecord {
    let mut record = NestedRecord::new(z.len(), radii).unwrap();
    record.encode(z).unwrap();
    record
}

fn integers(k: &[f64]) -> Vec<i128> {
    k.iter().map(|k| *k as i128).collect()
}

/// `enc_j` of a record, from its own integers: the definition.
fn clipped(record: &NestedRecord, radius: NestedRadius) -> Vec<i128> {
    let (factor, vector) = if record.bucket().is_within(radius) {
        let octave = (record.bucket().place() as u32 - 1) / 8;
        (1_i128 << (12 - octave), integers(record.own().unwrap().0))
    } else {
        let (octave, step) = (radius.number() / 8, radius.number() % 8);
        let multiple = [64, 59, 54, 49, 45, 41, 38, 35][step as usize];
        (i128::from(multiple) << (6 - octave), integers(record.direction().unwrap().0))
    };
    vector.into_iter().map(|k| factor * k).collect()
}

/// `B'B = 1` of smooth functions on `length` points.
fn cosines(length: usize, order: usize) -> Vec<Vec<f64>> {
    let angle = |i: usize, l: usize| std::f64::consts::PI * (i as f64 + 0.5) * l as f64 / length as f64;
    let norm = |l: usize| (if l == 0 { 1.0 } else { 2.0 } / length as f64).sqrt();
    (0..order).map(|l| (0..length).map(|i| norm(l) * angle(i, l).cos()).collect()).collect()
}

fn along(length: usize, order: usize) -> ProductsOf {
    ProductsOf::Along(PublicBasis::new(&cosines(length, order)).unwrap().into())
}

fn summed(records: &[Vec<f64>], radii: Radii, products: Option<ProductsOf>) -> NestedSums {
    let mut sums = NestedSums::new(records[0].len(), radii, products);
    let mut record = NestedRecord::new(records[0].len(), radii).unwrap();
    for z in records {
        record.encode(z).unwrap();
        sums.add(&record).unwrap();
    }
    sums
}

#[test]
fn radii_are_within_a_part_in_eighty_of_eighths_of_octaves_and_all_integers_agree() {
    assert_eq!(NestedRadius::all().count(), NestedRadius::COUNT);
    assert_eq!(NestedRadius::new(49), None);
    for radius in NestedRadius::all() {
        let j = radius.number();
        assert_eq!(NestedRadius::new(j), Some(radius));
        let ideal = (-f64::from(j) / 8.0).exp2();
        assert!((radius.of(1.0) / ideal - 1.0).abs() < 1.0 / 80.0, "{j}");
        assert_eq!(radius.steps() as f64, radius.of(2.0_f64.powi(34)));
        assert_eq!(radius.fine_steps() * RADIUS, radius.steps());
        assert_eq!(radius.fine_steps() % 2, 0);
    }
    assert!(NestedRadius::all().zip(NestedRadius::all().skip(1)).all(|(one, next)| one.steps() > next.steps()));
}

#[test]
fn every_bucket_is_hit_by_the_hostile_records() {
    for dimension in [1, 2, 40, 93] {
        let occupied = summed(&hostile(1, dimension), Radii::Any, None).occupied();
        assert!(occupied.iter().all(|records| *records > 0), "{dimension}: {occupied:?}");
    }
}

#[test]
fn a_bucket_is_that_of_the_smallest_radius_that_holds_the_integers() {
    for z in hostile(2, 9) {
        let record = encoded(&z, Radii::Any);
        let Some((_, squared)) = record.own() else { continue };
        let place = record.bucket().place() as u32 - 1;
        let holds = |number: u32| {
            let radius = NestedRadius::new(number).unwrap();
            squared <= radius.own_steps().pow(2)
        };
        assert!(holds(place));
        // within an octave: the next octave has other integers
        assert!(place % 8 == 7 || place == 48 || !holds(place + 1), "{place} {squared}");
    }
    assert!(Bucket::OUTSIDE.radius().is_none() && !Bucket::OUTSIDE.is_within(NestedRadius::STATED));
    let squared = SQUARED_RADIUS;
    assert_eq!(Bucket::inside(0, squared, Radii::Any).radius(), Some(NestedRadius::STATED));
}
