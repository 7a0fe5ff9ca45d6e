use std::fs::File;

use dpfda::density::{Bounds, Cells, PerturbedHistogram, PointLayout, Points};
use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bounds = Bounds::new(vec![(0.0, 1.0)])?;
    let layout = PointLayout::new(["cca_47"]).subject("ID");
    let points = Points::from_csv_reader(File::open("data/dti_like.csv")?, &layout, bounds.clone())?;
    let histogram = PerturbedHistogram::new(Cells::new(bounds, 64)?, PrivacyBudget::new(1.0, 0.0)?);
    let release = histogram.release(&points, &mut SystemRandomness::new()?)?;

    println!("median {:.2}", release.merged_by_risk().density().quantile(0.5)?);
    Ok(())
}
