use super::*;
use crate::body::{Body, Emphasis};
use crate::nested::{Bucketed, ClippedBall, ClippedMoments, Design, GramBall, GramVector};
use crate::sum::exact_sum::ExactSum;

fn ball(covariates: usize, dimension: usize, of: ProductsOf, radii: Radii, design: Design) -> GramBall {
    let moments = ClippedMoments { emphasis: Emphasis::Mean, of };
    GramBall::new(covariates, ClippedBall::new(dimension, radii, Some(moments)).unwrap(), design).unwrap().with_energy()
}

/// Hostile covariates beside hostile curves.
fn records(seed: u64, body: &GramBall) -> Vec<GramVector> {
    let (p, n) = (body.covariates(), body.dimension_of_curve());
    let covariates = hostile(seed, p);
    let pairs = hostile(seed + 1, n).into_iter().zip(covariates.iter().cycle().skip(7));
    pairs
        .map(|(z, x)| {
            let mut record = body.vector();
            record.parts().0.encode(x).unwrap();
            record.parts().1.encode(&z).unwrap();
            record
        })
        .collect()
}

fn summed(body: &GramBall, records: &[GramVector]) -> ExactSum<GramBall> {
    let mut sum = ExactSum::new(body.clone());
    for record in records {
        sum.add(record).unwrap();
    }
    sum
}

fn totals(sum: ExactSum<GramBall>, radius: NestedRadius) -> Vec<i128> {
    sum.at(radius).unwrap().totals().reveal().clone()
}

/// The totals of records clipped one by one, product by product in 128 bits.
fn direct(body: &GramBall, records: &mut [GramVector], radius: NestedRadius) -> Vec<i128> {
    let (p, k) = (body.covariates(), body.directions());
    let unit = i128::from(radius.fine_steps());
    let mut exact = vec![0_i128; Body::dimension(body)];
    for record in records {
        let (x, z) = record.parts();
        let x: Vec<i128> = x.coordinates().iter().map(|x| i128::from(*x)).collect();
        let z = clipped(z, radius);
        let pairs = |of: &[i128]| -> Vec<i128> {
            (0..of.len()).flat_map(|i| of[i + 1..].iter().map(|b| of[i] * b).collect::<Vec<_>>()).collect()
        };
        let mut all: Vec<i128> = Vec::new();
        if body.design() == Design::Private {
            all.extend(x.iter().map(|x| x * x));
            all.extend(pairs(&x));
        }
        all.extend((0..p).flat_map(|j| z.iter().map(|z| x[j] * z).collect::<Vec<_>>()));
        all.extend(z[..k].iter().map(|z| z * z));
        all.extend(pairs(&z[..k]));
        if body.has_energy() {
            let radius = i128::from(RADIUS) * unit;
            all.push(radius * radius - z.iter().map(|z| z * z).sum::<i128>());
        }
        exact.iter_mut().zip(all).for_each(|(sum, product)| *sum += product);
    }
    let lengths = body.lengths();
    let (of_design, of_cross) = (lengths[0] + lengths[1], lengths[2]);
    let nearest = |x: i128, unit: i128| (2 * x + unit).div_euclid(2 * unit);
    let rounded = exact.into_iter().enumerate().map(|(place, total)| match place {
        place if place < of_design => total,
        place if place < of_design + of_cross => nearest(total, unit),
        _ => nearest(total, unit * unit),
    });
    rounded.collect()
}

#[test]
fn products_of_hostile_records_are_the_direct_ones_bit_for_bit_in_all_balls() {
    for (p, dimension, directions) in [(1, 2, 2), (3, 40, 40), (20, 93, 5)] {
        for design in [Design::Private, Design::Public] {
            let body = ball(p, dimension, ProductsOf::First(directions), Radii::Any, design);
            let mut records = records(30, &body);
            for radius in NestedRadius::all() {
                let found = totals(summed(&body, &records), radius);
                assert_eq!(found, direct(&body, &mut records, radius), "{body:?} {radius:?}");
            }
        }
    }
}

#[test]
fn order_and_parts_change_no_bit_at_any_radius() {
    let bodies = [
        ball(3, 93, along(93, 7), Radii::Any, Design::Private),
        ball(2, 140, along(140, 6), Radii::Any, Design::Public),
    ];
    for body in bodies {
        let mut records = records(31, &body);
        let whole = summed(&body, &records);
        let words = whole.reveal().reveal().clone();
        records.reverse();
        records.rotate_left(211);
        for parts in [1, 2, 3, 64] {
            let each = records.len().div_ceil(parts);
            let mut joined = ExactSum::new(body.clone());
            records.chunks(each).rev().for_each(|part| joined.merge(&summed(&body, part)).unwrap());
            assert_eq!(*joined.reveal().reveal(), words, "{parts}");
            assert_eq!(joined.occupied(), whole.occupied());
        }
        for radius in NestedRadius::all().step_by(7) {
            assert_eq!(
                totals(summed(&body, &records), radius),
                totals(ExactSum::restored(body.clone(), &words, whole.records()).unwrap(), radius)
            );
        }
    }
}

#[test]
fn many_records_settle_from_doubles_to_integers_without_losing_a_bit() {
    let body = ball(1, 2, ProductsOf::First(2), Radii::Any, Design::Private);
    let mut record = body.vector();
    record.parts().0.encode(&[1.0]).unwrap();
    record.parts().1.encode(&[1.0, 0.0]).unwrap();
    let times = 512 * 3 + 77;
    let mut sum = ExactSum::new(body.clone());
    (0..times).for_each(|_| sum.add(&record).unwrap());
    let mut once = [record];
    let one = direct(&body, &mut once, NestedRadius::STATED);
    let expected: Vec<i128> = one.iter().map(|total| total * times).collect();
    assert_eq!(totals(sum, NestedRadius::STATED), expected);
}

#[test]
fn the_sums_of_a_stated_radius_are_those_of_all_radii() {
    let any = ball(3, 40, along(40, 9), Radii::Any, Design::Private);
    let stated = any.stated();
    assert_eq!((stated.radii(), any.radii()), (Radii::Stated, Radii::Any));
    let of = |body: &GramBall| totals(summed(body, &records(32, body)), NestedRadius::STATED);
    assert_eq!(of(&any), of(&stated));
    assert!(summed(&stated, &[]).at(NestedRadius::new(1).unwrap()).is_err());
}

#[test]
fn sums_come_back_from_their_words_and_impossible_words_do_not() {
    for design in [Design::Private, Design::Public] {
        for radii in [Radii::Any, Radii::Stated] {
            let body = ball(2, 9, ProductsOf::First(4), radii, design);
            let sum = summed(&body, &records(33, &body));
            let (words, number) = (sum.reveal().reveal().clone(), sum.records());
            assert_eq!(words.len(), ExactSum::new(body.clone()).reveal().reveal().len(), "a public number");
            let restored = |words: &[i128], number| ExactSum::restored(body.clone(), words, number);
            assert_eq!(*restored(&words, number).unwrap().reveal().reveal(), words);
            assert!(restored(&words[1..], number).is_err() && restored(&[], number).is_err());
            assert!(
                restored(&[words.clone(), vec![0]].concat(), number).is_err() && restored(&words, number + 1).is_err()
            );
            let changed = |place: usize, value: i128| {
                let mut words = words.clone();
                words[place] = value;
                restored(&words, number).is_err()
            };
            let last = words.len() - 1;
            assert!(changed(0, -1) && changed(0, i128::MIN) && changed(last, i128::MIN) && changed(last, i128::MAX));
            assert!(changed(last, (i128::from(number) << 44) + 1));
        }
    }
}

#[test]
fn a_curve_of_another_body_brings_its_covariates_and_its_presence_alone() {
    let body = ball(1, 3, ProductsOf::First(2), Radii::Any, Design::Private);
    let mut strange = ball(2, 4, ProductsOf::First(2), Radii::Any, Design::Private).vector();
    strange.parts().0.encode(&[0.5, 0.5]).unwrap();
    strange.parts().1.encode(&[0.5; 4]).unwrap();
    let sum = summed(&body, &[strange]);
    let totals = sum.totals().reveal().clone();
    let (energy, others) = totals[1..].split_last().unwrap();
    assert!(totals[0] > 0 && others.iter().all(|total| *total == 0), "{totals:?}");
    assert_eq!(*energy, i128::from(RADIUS).pow(2), "all of the energy of a curve of zeros is missing");
}
