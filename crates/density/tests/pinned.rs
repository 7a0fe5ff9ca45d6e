//! Releases from the same seed have the same integers, bit for bit, in every version: those of the whole toolkit are pinned in
//! `tests/pinned_draws.rs` at the root, and these are the ones of this crate.

use std::collections::BTreeMap;

use dpfda_density::{
    Bounds, Cells, KsExponential, PerturbedHistogram, Points, SeriesExponential, SeriesMechanism, SeriesTerms,
    SmoothedHistogram,
};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;

type Pinned = BTreeMap<String, Vec<i64>>;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn points(dimension: usize) -> Points {
    let value = |(i, axis): (usize, usize)| ((i * 29 + axis * 13) % 31) as f64 / 30.0;
    let bounds = Bounds::new(vec![(0.0, 1.0); dimension]).unwrap();
    Points::new(Array2::from_shape_fn((40, dimension), value), bounds).unwrap()
}

fn seed(number: u64) -> SeededRandomness {
    SeededRandomness::from_seed(number)
}

fn in_integers(cells: &[usize]) -> Vec<i64> {
    cells.iter().map(|cell| i64::try_from(*cell).unwrap()).collect()
}

fn of_sums(found: &mut Pinned, relation: NeighbouringRelation, law: &str, budget: PrivacyBudget) {
    for dimension in [1, 2] {
        let points = points(dimension);
        let cells = Cells::new(points.bounds().clone(), 4).unwrap();
        let histogram = PerturbedHistogram::new(cells, budget).neighbours(relation);
        let release = histogram.release(&points, &mut seed(4)).unwrap();
        found.insert(format!("histogram-{law}/{relation}/{dimension}"), release.words().collect());
        let series = SeriesMechanism::new(SeriesTerms::Given(5), budget, relation).unwrap();
        let release = series.release(&points, &mut seed(5)).unwrap();
        found.insert(format!("series-{law}/{relation}/{dimension}"), release.words().collect());
    }
}

fn of_draws(found: &mut Pinned, pure: PrivacyBudget) {
    for relation in RELATIONS {
        let points = points(1);
        let cells = Cells::new(points.bounds().clone(), 8).unwrap();
        let drawn = KsExponential::new(pure, relation, cells, 12).unwrap().release(&points, &mut seed(6)).unwrap();
        found.insert(format!("ks-exponential/{relation}"), in_integers(drawn.draws()));
    }
    let (points, relation) = (points(2), NeighbouringRelation::SubstituteOne);
    let cells = Cells::new(points.bounds().clone(), 3).unwrap();
    let smoothed = SmoothedHistogram::with_smallest_mixture(pure, relation, 40, cells, 12).unwrap();
    found.insert("smoothed".to_owned(), in_integers(smoothed.release(&points, &mut seed(7)).unwrap().draws()));
    let series = SeriesExponential::new(3, 4, 5, PrivacyBudget::new(0.5, 0.0).unwrap()).unwrap();
    found.insert("series-exponential".to_owned(), in_integers(series.release(&points, &mut seed(8)).unwrap().draws()));
}

#[test]
fn releases_from_the_same_seed_keep_the_same_integers() {
    let mut found = Pinned::new();
    let (pure, gaussian) = (PrivacyBudget::new(1.0, 0.0).unwrap(), PrivacyBudget::new(1.0, 1e-5).unwrap());
    for relation in RELATIONS {
        of_sums(&mut found, relation, "pure", pure);
        of_sums(&mut found, relation, "gaussian", gaussian);
    }
    of_draws(&mut found, pure);
    let all: Pinned = serde_json::from_str(include_str!("../../../tests/golden/pinned_draws.json")).unwrap();
    let of_points = ["histogram-", "series-", "ks-exponential/", "smoothed"];
    let pinned: Pinned = all.into_iter().filter(|(name, _)| of_points.iter().any(|of| name.starts_with(of))).collect();
    assert_eq!(found, pinned);
}
