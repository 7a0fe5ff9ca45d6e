//! What is released: a file each, with the cells of the kind and what one release says. All settings are those of a user who says
//! nothing but bounds and a budget.

mod centiles;
mod change;
mod circle;
mod components;
mod difference;
mod features;
mod groups;
mod mean;
mod outcome;
mod pairs;
mod person;
mod regression;
mod rows;
mod several;
mod surface;

use dpfda::prelude::*;

use crate::Fault;
use crate::cell::{BUDGETS, Cell};
use crate::claim::Outcome;
use crate::pools::real;

/// What one release of a cell says, from its seed.
pub type OneRelease = Box<dyn Fn(u64) -> Result<Vec<Outcome>, Fault> + Send + Sync>;

/// A kind: what its cells are, and what makes a release of one.
pub struct Kind {
    pub name: &'static str,
    settings: fn() -> Vec<Setting>,
    pub release: fn(&Cell) -> Result<OneRelease, Fault>,
}

/// A cell before its budget.
struct Setting {
    variant: &'static str,
    pool: &'static str,
    records: usize,
}

/// The numbers of records. The last is measured only where `--records` names it.
const RECORDS: [usize; 5] = [142, 376, 1000, 10_000, MOST];
pub const MOST: usize = 50_000;

pub const KINDS: [Kind; 14] = [
    Kind { name: "mean", settings: mean::settings, release: mean::release },
    Kind { name: "circle", settings: circle::settings, release: circle::release },
    Kind { name: "features", settings: features::settings, release: features::release },
    Kind { name: "rows", settings: rows::settings, release: rows::release },
    Kind { name: "groups", settings: groups::settings, release: groups::release },
    Kind { name: "change", settings: change::settings, release: change::release },
    Kind { name: "difference", settings: difference::settings, release: difference::release },
    Kind { name: "regression", settings: regression::settings, release: regression::release },
    Kind { name: "surface", settings: surface::settings, release: surface::release },
    Kind { name: "components", settings: components::settings, release: components::release },
    Kind { name: "centiles", settings: centiles::settings, release: centiles::release },
    Kind { name: "person", settings: person::settings, release: person::release },
    Kind { name: "outcome", settings: outcome::settings, release: outcome::release },
    Kind { name: "several", settings: several::settings, release: several::release },
];

impl Kind {
    /// All cells of the kind. Those of the real tracts are there where the data are.
    pub fn cells(&self) -> Vec<Cell> {
        let has_data = real::folder().is_some();
        let settings = (self.settings)().into_iter().filter(|setting| has_data || !real::is_real(setting.pool));
        let of_budgets = |setting: Setting| {
            BUDGETS.map(|budget| Cell {
                kind: self.name.to_owned(),
                variant: setting.variant.to_owned(),
                pool: setting.pool.to_owned(),
                records: setting.records,
                budget,
            })
        };
        settings.flat_map(of_budgets).collect()
    }
}

/// Every variant with every pool and every number of records.
fn every(variants: &[&'static str], pools: &[&'static str], records: &[usize]) -> Vec<Setting> {
    let mut all = Vec::new();
    for &variant in variants {
        for &pool in pools {
            all.extend(records.iter().map(|&records| Setting { variant, pool, records }));
        }
    }
    all
}

fn budget(cell: &Cell) -> Result<PrivacyBudget, Fault> {
    let (epsilon, delta) = cell.budget.numbers();
    Ok(PrivacyBudget::new(epsilon, delta)?)
}

/// The seed of the noise of a release whose people have this one.
fn noise(seed: u64) -> SeededRandomness {
    SeededRandomness::from_seed(!seed)
}
