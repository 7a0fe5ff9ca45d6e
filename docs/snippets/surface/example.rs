use std::collections::BTreeMap;

use dpfda::prelude::*;
use ndarray::Array2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = SurfaceGrid::new(Grid::uniform(1.0, 7.0, 7)?, Grid::uniform(0.0, 21.0, 8)?)?;
    let mut people: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in std::fs::read_to_string("data/week_like.csv")?.lines().skip(1) {
        if let [id, day, hour, glucose] = line.split(',').collect::<Vec<_>>()[..] {
            let surface = people.entry(id.to_owned()).or_insert_with(|| vec![f64::NAN; 56]);
            surface[(day.parse::<usize>()? - 1) * 8 + hour.parse::<usize>()? / 3] = glucose.parse()?;
        }
    }
    let values = Array2::from_shape_vec((people.len(), 56), people.into_values().flatten().collect())?;
    let surfaces = CurveSet::new(grid.places()?, values)?;
    let week = PrivateMean::isonormal(Ball::within(3.0, 12.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    let prepared = week.prepare_on(&surfaces, &grid, None)?;
    let release = prepared.draw_unrecorded(&mut SystemRandomness::new()?);

    let estimated = Estimated::<Surface>::new(release, &Band::Population, 0.95)?;
    let along_hours = estimated.slopes_at(&[(6.0, 9.0)])?[0].along_t;
    println!("{:.2} mmol/L an hour", along_hours.slope.value);
    Ok(())
}
