use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Ball::new(Center::Constant(6.0), 2.0)?;
    let day = PrivateRows::new(ball, (0.0, 24.0), PrivacyBudget::new(1.0, 1e-5)?).periodic().bins(8);
    let mut rows = day.rows()?;
    for line in std::fs::read_to_string("data/week_like.csv")?.lines().skip(1) {
        if let [id, _day, hour, glucose] = line.split(',').collect::<Vec<_>>()[..] {
            rows.push(id.as_bytes(), hour.parse()?, glucose.parse()?);
        }
    }
    let release = rows.release(&mut SystemRandomness::new()?)?;

    let estimated = Estimated::<Rows>::new(release, &Band::Population, 0.95)?;
    for point in estimated.at(&[3.0, 13.5, 20.0])? {
        println!("{:.2} to {:.2} mmol/L at {}", point.lower, point.upper, point.at);
    }
    Ok(())
}
