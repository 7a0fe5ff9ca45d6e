#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::*;
use crate::{CovarianceKernel, Gaussian, Grid, Kernel, KernelError, Matern, Spectrum};

fn gaussian(range: f64) -> Kernel {
    Gaussian::new(range).unwrap().into()
}

fn any_name() -> impl Strategy<Value = KernelName> {
    let words: Vec<_> = KernelName::all().collect();
    prop_oneof![
        prop::sample::select(words),
        (-1.0..2.5).prop_map(|exponent: f64| KernelName::Matern(10.0_f64.powf(exponent))),
    ]
}

proptest! {
    #[test]
    fn names_survive_being_written_and_read(name in any_name(), range in 0.01..10.0) {
        let kernel = name.with_range(range).unwrap();
        prop_assert_eq!(KernelName::of(&kernel), Some((name, range)));
        prop_assert_eq!(name.to_string().parse(), Ok(name));
    }
}

#[test]
fn names_are_read_and_shown_in_one_way() {
    for name in ["gaussian", "matern12", "matern32", "matern52", "matern:1.2", "exponential", "sobolev"] {
        assert_eq!(name.parse::<KernelName>().unwrap().to_string(), name);
    }
    assert_eq!("matern:0.5".parse(), Ok(KernelName::Matern(0.5)));
    assert_eq!(
        "matern32".parse::<KernelName>().unwrap().with_range(0.2).unwrap(),
        Kernel::from(Matern::new(1.5, 0.2).unwrap())
    );
    for unknown in ["", "Gaussian", "matern", "matern:", "matern:-1", "matern:0", "matern:inf", "matern:NaN", "rbf"] {
        assert!(unknown.parse::<KernelName>().is_err(), "{unknown}");
    }
    assert!("rbf".parse::<KernelName>().unwrap_err().to_string().contains("matern:NU"));
    assert!(matches!(KernelName::Sobolev.with_range(-1.0), Err(KernelError::Range { value: -1.0 })));
    assert_eq!(KernelName::of(&(gaussian(1.0) + gaussian(2.0))), None);
}

#[test]
fn every_row_of_the_table_is_complete() {
    let mut written = Vec::new();
    for name in KernelName::all() {
        let kernel = name.with_range(name.default_range()).unwrap();
        let (lower, upper) = kernel.domain();
        assert!(lower <= 0.0 && 1.0 <= upper, "{name} is no covariance on the unit interval");
        let spectrum = Spectrum::new(kernel, Grid::uniform(0.0, 1.0, 21).unwrap(), 1e-9).unwrap();
        assert!(spectrum.rank() >= 5, "{name} with its default range is nearly constant");

        assert!(name.usual_ranges().is_sorted_by(|a, b| a < b), "{name}");
        assert!(name.usual_ranges().iter().all(|&range| name.with_range(range).is_ok()), "{name}");
        let (least, most) = (name.usual_ranges()[0], name.usual_ranges()[name.usual_ranges().len() - 1]);
        assert!((least..=most).contains(&name.default_range()), "{name}");

        for text in [name.caption(), name.row().help] {
            assert!(!text.is_empty() && !text.contains('\n') && !text.contains("kernel"), "{name}: {text}");
        }
        assert!(KernelName::known().contains(&name.to_string()) && KernelName::help().contains(&name.to_string()));
        written.push(name.to_string());
    }
    let names = written.len();
    written.sort();
    written.dedup();
    assert_eq!(written.len(), names, "two kernels are written alike");
}

#[test]
fn the_list_of_names_has_all_forms_and_the_help_a_line_for_each_kernel() {
    let known = KernelName::known();
    assert!(known.starts_with("gaussian, matern12, matern32, matern52, matern:NU, exponential, sobolev"), "{known}");
    let help = KernelName::help();
    assert!(help.contains("\nmatern12, matern32, matern52, matern:NU: curves with"), "{help}");
}

#[test]
fn default_ranges_are_those_of_releases_already_made() {
    let range = |name: &str| name.parse::<KernelName>().unwrap().default_range();
    assert_eq!(["gaussian", "exponential", "sobolev"].map(range), [0.05, 0.5, 2.0]);
    assert_eq!(
        ["matern:0.2", "matern12", "matern:0.51", "matern32", "matern52"].map(range),
        [0.5, 0.5, 0.25, 0.25, 0.25]
    );
}
