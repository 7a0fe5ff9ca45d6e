use dashu_int::IBig;
use dashu_int::ops::DivEuclid;

use super::*;
use crate::nested::ContractionError;

/// `trunc(2^24 (1 - 2^-14) q)`
fn entries(columns: &[Vec<f64>]) -> Vec<Vec<IBig>> {
    let entry = |q: &f64| IBig::from((q * 16_776_192.0).trunc() as i64);
    columns.iter().map(|column| column.iter().map(entry).collect()).collect()
}

#[test]
fn orthonormal_columns_are_contractions_in_integers_and_longer_ones_are_refused() {
    for (length, order) in [(1, 1), (2, 1), (93, 40), (93, 93), (1000, 40)] {
        PublicBasis::new(&cosines(length, order)).unwrap();
    }
    let mut longer = cosines(93, 40);
    longer[3].iter_mut().for_each(|q| *q *= 1.0002);
    assert_eq!(PublicBasis::new(&longer), Err(ContractionError::Norm));
    let mut alike = cosines(93, 2);
    alike[1] = alike[0].clone();
    assert_eq!(PublicBasis::new(&alike), Err(ContractionError::Norm));
    for special in [f64::NAN, f64::INFINITY, 1.5, -1e300] {
        assert_eq!(PublicBasis::new(&[vec![special, 0.0]]), Err(ContractionError::Norm));
    }
    assert_eq!(PublicBasis::new::<Vec<f64>>(&[]), Err(ContractionError::Shape));
    assert_eq!(PublicBasis::new(&[vec![1.0, 0.0], vec![1.0]]), Err(ContractionError::Shape));
    assert_eq!(PublicBasis::new(&[vec![1.0], vec![0.0]]), Err(ContractionError::Shape));
}

#[test]
fn the_basis_of_the_largest_sums_is_applied_as_in_unbounded_integers() {
    for (length, order) in [(3, 2), (93, 40), (128, 11)] {
        let columns = cosines(length, order);
        let basis = PublicBasis::new(&columns).unwrap();
        let mut generator = ChaCha20Rng::seed_from_u64(14);
        let largest = 1_i128 << 108;
        let triangle: Vec<i128> = (0..length * (length + 1) / 2)
            .map(|place| match place % 7 {
                0 => largest,
                1 => -largest,
                2 => -1,
                _ => generator.random_range(-largest..=largest),
            })
            .collect();
        let b = entries(&columns);
        let at = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            IBig::from(triangle[i * length - i * (i + 1) / 2 + j])
        };
        let found = basis.along(&triangle);
        let mut found = found.iter();
        for l in 0..order {
            let half: Vec<IBig> = (0..length).map(|j| (0..length).map(|i| at(i, j) * &b[l][i]).sum()).collect();
            for other in &b[l..] {
                let whole: IBig = half.iter().zip(other).map(|(half, b)| half * b).sum();
                // IBig shifts round towards minus infinity
                assert_eq!(IBig::from(*found.next().unwrap()), whole >> 48);
            }
        }
        assert!(found.next().is_none());
    }
}

#[test]
fn products_along_a_basis_are_those_of_every_record() {
    // 93: the basis of the sum; 300: of each record, rounded to a step
    for (length, order, slack) in [(93, 40, 0.0), (300, 12, 1.0)] {
        let records = hostile(15, length);
        let b = entries(&cosines(length, order));
        let sums = summed(&records, Radii::Any, Some(along(length, order))).settled();
        let pairs: Vec<(usize, usize)> = (0..order).flat_map(|l| (l..order).map(move |m| (l, m))).collect();
        for radius in NestedRadius::all().step_by(6) {
            let mut expected = vec![IBig::ZERO; pairs.len()];
            for z in &records {
                let k: Vec<IBig> = clipped(&encoded(z, Radii::Any), radius).into_iter().map(IBig::from).collect();
                let w: Vec<IBig> = b.iter().map(|b| b.iter().zip(&k).map(|(b, k)| b * k).sum()).collect();
                expected.iter_mut().zip(&pairs).for_each(|(sum, (l, m))| *sum += &w[*l] * &w[*m]);
            }
            let totals = sums.clipped(radius);
            let (above, squares) = totals[length..].split_at(order * (order - 1) / 2);
            let mut above = above.iter();
            for ((l, m), expected) in pairs.iter().zip(expected) {
                let found = if l == m { squares[*l] } else { *above.next().unwrap() };
                let unit = IBig::from(radius.fine_steps()).pow(2);
                // floor(x / unit + 1/2)
                let exact: IBig = (expected + (&unit << 47)) >> 48;
                let distance = (IBig::from(found) - exact.div_euclid(&unit)).to_f64().value().abs();
                // a rounded coordinate is less than one step off: two radii of a step a record
                let most = slack * 2.0 * records.len() as f64 * RADIUS as f64;
                assert!(distance <= most, "{length} {radius:?} {l} {m}: {distance}");
            }
        }
    }
}
