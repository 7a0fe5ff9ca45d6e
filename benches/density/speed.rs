//! Speed: counting against NumPy, and the exponential mechanism against its target.

use std::error::Error;
use std::fmt::Write;

use dpfda::density::{Bounds, Cells, KsExponential, PerturbedHistogram, Points};
use dpfda::prelude::*;
use ndarray::Array2;
use rand::RngExt;

use crate::studies::truth;
use crate::timing::{MISSED, numpy, ratio_row, time};

/// The most seconds that an exponential draw of 10^4 records, 100 draws and 1000 cells may take.
const LONGEST: f64 = 10.0;

pub fn report() -> Result<String, Box<dyn Error>> {
    eprintln!("speed");
    let mut page = String::from(
        "## Speed\n\nMedians of several runs, alternating with NumPy on the same machine, one thread each; the ratio is ours over \
         NumPy's, median over rounds. Machines differ: read the ratios.\n\n| task | ours | NumPy | ratio | target |\n|---|---|---|---|---|\n",
    );
    let unit = Bounds::new(vec![(0.0, 1.0)])?;
    let budget = PrivacyBudget::new(1.0, 0.0)?;
    let mut randomness = SystemRandomness::new()?;
    let values = Array2::from_shape_simple_fn((10_000_000, 1), || randomness.random::<f64>());
    let points = Points::new(values, unit.clone())?;
    let histogram = PerturbedHistogram::new(Cells::new(unit.clone(), 10_000)?, budget);
    let ours = || time(5, || Ok(histogram.release(&points, &mut randomness)?.density().probabilities()[0]));
    let theirs = || numpy("histogram.py", &["10000000", "10000"]);
    let task = "perturbed histogram of 10^7 points with 10^4 cells (NumPy: `numpy.histogram` only)";
    ratio_row(&mut page, task, ours, theirs, 2.0)?;

    let mut randomness = SystemRandomness::new()?;
    let points = Points::new(truth().draw(10_000, 1, &mut randomness), unit.clone())?;
    let relation = NeighbouringRelation::SubstituteOne;
    let mechanism = KsExponential::new(budget, relation, Cells::new(unit, 1000)?, 100)?;
    let seconds = time(5, || Ok(mechanism.release(&points, &mut randomness)?.draws()[0] as f64))?;
    let verdict = if seconds < LONGEST { "" } else { MISSED };
    writeln!(
        page,
        "\n- The exponential mechanism with n = 10^4, k = 100, M = 1000, drawn exactly: {seconds:.2} s (target: under {LONGEST} s){verdict}."
    )?;
    Ok(page)
}
