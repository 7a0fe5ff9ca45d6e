#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::coordinates::sobolev::SobolevOrder;

fn rectangle() -> Vec<Grid> {
    let uneven = Grid::new((0..9).map(|i| f64::from(i * i) / 64.0).collect()).unwrap();
    vec![uneven, Grid::uniform(0.0, 1.0, 7).unwrap()]
}

fn product() -> SobolevAxes {
    SobolevAxes::new(SobolevNorm::product(SobolevOrder::Half, [0.3, 0.2]).unwrap(), &rectangle())
}

fn some(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 37 + seed * 11) % 17) as f64 / 17.0 - 0.4).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn changed(vector: &[f64], change: impl Fn(&mut [f64])) -> Vec<f64> {
    let mut changed = vector.to_vec();
    change(&mut changed);
    changed
}

/// `z -> A z`, of which records take an approximation.
fn apply(product: &SobolevAxes, z: &mut [f64]) {
    product.along_axes(z, |axis, lines| each_line(axis, lines, SobolevWhitening::apply));
    product.put_in_order(z);
}

#[test]
fn the_norm_of_a_product_of_functions_is_the_product_of_their_norms() {
    let product = product();
    let (first, second) = (some(9, 1), some(7, 2));
    let surface: Vec<f64> = first.iter().flat_map(|a| second.iter().map(move |b| a * b)).collect();
    let seen = changed(&surface, |z| apply(&product, z));
    let [along_s, along_t] = [0, 1].map(|axis| changed([&first, &second][axis], |z| product.axes()[axis].apply(z)));
    let expected = dot(&along_s, &along_s) * dot(&along_t, &along_t);
    assert!((dot(&seen, &seen) / expected - 1.0).abs() < 1e-12);
    // a norm of a product is no less than the distance
    assert!(dot(&seen, &seen) > 1.5 * dot(&surface, &surface));
    let in_product = changed(&seen, |u| product.put_in_product(u));
    for (place, found) in in_product.iter().enumerate() {
        assert!((found - along_s[place / 7] * along_t[place % 7]).abs() < 1e-12);
    }
}

#[test]
fn what_charges_least_comes_first() {
    let product = product();
    let charges = product.charges();
    let ordered: Vec<f64> = product.order.iter().map(|place| charges[*place]).collect();
    assert!(ordered.is_sorted() && ordered[0] == 1.0 && ordered.len() == 63);
    // the length of a unit vector says its charge
    for (k, charge) in ordered.iter().enumerate() {
        let unit: Vec<f64> = (0..63).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
        let function = changed(&unit, |u| product.undo(u));
        assert!((dot(&function, &function) * charge - 1.0).abs() < 1e-10);
    }
}

#[test]
fn inverse_transpose_and_dual_of_a_product_are_those_of_the_map() {
    let product = product();
    let (z, form) = (some(63, 3), some(63, 5));
    let applied = changed(&z, |z| apply(&product, z));
    let back = changed(&applied, |u| product.undo(u));
    assert!(back.iter().zip(&z).all(|(a, b)| (a - b).abs() < 1e-12));
    let transposed = changed(&form, |u| product.transpose(u));
    assert!((dot(&form, &applied) - dot(&transposed, &z)).abs() < 1e-11);
    let dual = changed(&form, |z| product.dual(z));
    assert!((dot(&dual, &applied) - dot(&form, &z)).abs() < 1e-11);
}

#[test]
fn coordinates_of_equal_charge_are_kept_or_left_out_together() {
    let axis = Grid::uniform(0.0, 1.0, 8).unwrap();
    let square = SobolevAxes::new(SobolevNorm::product(SobolevOrder::Half, [0.3; 2]).unwrap(), &[axis.clone(), axis]);
    let charges = square.charges();
    for most in 1..=64 {
        let whole = square.whole(most);
        assert!(whole <= most && whole + 3 > most);
        let (kept, left) = square.order.split_at(whole);
        assert!(left.iter().all(|j| kept.iter().all(|i| charges[*j] > charges[*i])), "{most}");
    }
    assert_eq!(square.whole(100), 64);
}

#[test]
fn the_noise_of_smooth_functions_is_that_of_the_pages() {
    // golden bands.md, section 1: D of a line with the length 0.15
    let line = SobolevNorm::new(SobolevOrder::Half, 0.15).unwrap();
    let line = SobolevAxes::new(line, &[Grid::uniform(0.0, 1.0, 93).unwrap()]);
    assert!((line.smooth_noise() - 6.684).abs() < 5e-4, "{}", line.smooth_noise());
    // of a rectangle: the charges of the golden page along its axes, each with its root here, multiplied
    let axes = [Grid::uniform(0.0, 1.0, 16).unwrap(), Grid::uniform(0.0, 1.0, 12).unwrap()];
    let product = SobolevAxes::new(SobolevNorm::product(SobolevOrder::Half, [0.2; 2]).unwrap(), &axes);
    let charges = product.charges();
    assert!((charges[0] - 1.0).abs() < 1e-12);
    // golden bands-kinds.json, squared charges of 16 x 12 points: 1 + l^2 g of each axis
    assert!((charges[12] - 1.393_343_186_791_498_5_f64.sqrt()).abs() < 1e-12, "{}", charges[12]);
    assert!((charges[1] - 1.392_108_015_411_665_4_f64.sqrt()).abs() < 1e-12, "{}", charges[1]);
    assert!((charges[13] - charges[1] * charges[12]).abs() < 1e-12);
    let mut smallest = charges.clone();
    smallest.sort_by(f64::total_cmp);
    let expected: f64 = smallest[..60].iter().map(|charge| 1.0 / charge).sum();
    assert!((product.smooth_noise() - expected).abs() < 1e-12);
}

#[test]
fn a_product_is_read_back_with_its_lengths() {
    let norm = SobolevNorm::product(SobolevOrder::Half, [0.3, 0.2]).unwrap();
    let text = serde_json::to_string(&norm).unwrap();
    assert_eq!(text, r#"{"order":"half","length":[0.3,0.2]}"#);
    assert_eq!(serde_json::from_str::<SobolevNorm>(&text).unwrap(), norm);
    assert!(serde_json::from_str::<SobolevNorm>(&text.replace("0.2", "-1.0")).is_err());
    assert!(serde_json::from_str::<SobolevNorm>(&text.replace("0.3,", "")).is_err());
}
