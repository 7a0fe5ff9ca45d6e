#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::reproduction::published::TABLE_2;

#[test]
fn the_published_gaussian_kernel_release_had_mu_1_785() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    for entry in TABLE_2 {
        println!("{entry:?} {:?}", PublishedPrivacy::of(&entry, &grid).unwrap());
    }
}
