#![allow(clippy::unwrap_used, reason = "tests")]

use super::{BasisError, CosineBasis};

fn listed(dimension: usize, terms: usize) -> Vec<Vec<u16>> {
    let basis = CosineBasis::new(dimension, terms).unwrap();
    (0..terms).map(|term| basis.frequencies(term).unwrap().to_vec()).collect()
}

#[test]
fn terms_are_ordered_by_total_frequency_and_ties_by_the_first_axis() {
    assert_eq!(listed(1, 3), [[1], [2], [3]]);
    assert_eq!(listed(2, 6), [[1, 0], [0, 1], [2, 0], [1, 1], [0, 2], [3, 0]]);
    let three = listed(3, 9);
    assert_eq!(three[..4], [[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0]]);
    assert_eq!(three[4..], [[1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]]);
}

#[test]
fn the_terms_are_orthonormal_and_orthogonal_to_the_constant() {
    // the midpoint rule is exact for cosines of frequencies below the number of points
    const POINTS: u32 = 16;
    for (dimension, terms) in [(1, 7), (2, 9), (3, 10)] {
        let basis = CosineBasis::new(dimension, terms).unwrap();
        let (mut sums, mut products) = (vec![0.0; terms], vec![0.0; terms * terms]);
        let total = POINTS.pow(u32::try_from(dimension).unwrap());
        let mut values = Vec::new();
        for index in 0..total {
            let coordinate = |axis: u32| (f64::from(index / POINTS.pow(axis) % POINTS) + 0.5) / f64::from(POINTS);
            let point: Vec<f64> = (0..u32::try_from(dimension).unwrap()).map(coordinate).collect();
            basis.values_into(&point, &mut values);
            for (i, a) in values.iter().enumerate() {
                sums[i] += a / f64::from(total);
                for (j, b) in values.iter().enumerate() {
                    products[i * terms + j] += a * b / f64::from(total);
                }
            }
        }
        assert!(sums.iter().all(|sum| sum.abs() < 1e-12));
        for (place, product) in products.iter().enumerate() {
            let expected = f64::from(u8::from(place / terms == place % terms));
            assert!((product - expected).abs() < 1e-12, "dimension {dimension}, {place}: {product}");
        }
    }
}

#[test]
fn no_terms_too_many_and_other_dimensions_are_refused() {
    assert_eq!(CosineBasis::new(1, 0), Err(BasisError::NoTerms));
    assert_eq!(CosineBasis::new(0, 5), Err(BasisError::Dimension { value: 0 }));
    assert_eq!(CosineBasis::new(4, 5), Err(BasisError::Dimension { value: 4 }));
    for (dimension, most) in [(1, 1024), (2, 1024), (3, 512)] {
        assert_eq!(CosineBasis::most_terms(dimension), most);
        assert!(CosineBasis::new(dimension, most).is_ok());
        let refused = Err(BasisError::TooManyTerms { terms: most + 1, most, dimension });
        assert_eq!(CosineBasis::new(dimension, most + 1), refused);
    }
    assert_eq!((CosineBasis::most_terms(0), CosineBasis::most_terms(4)), (0, 0));
}

#[test]
fn fewer_terms_are_the_first_ones() {
    let basis = CosineBasis::new(2, 9).unwrap();
    assert_eq!(basis.first(4), CosineBasis::new(2, 4).unwrap());
    assert_eq!((basis.first(0).terms(), basis.first(100).terms()), (1, 9));
}
