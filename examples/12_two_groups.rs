//! Cases and controls: one release of both means, their difference with a band and a test, a table and a figure.
//!
//! The curves are synthetic. Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::analysis::Difference;
use dpfda::plotting::About;
use dpfda::prelude::*;
use dpfda::release::Groups;

const FILE: &str = "data/dti_like.csv";

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv(FILE, &layout)?;
    let columns = TableFiles::find(Path::new(FILE))?.text_columns(&layout, &["case"])?;
    let labels = columns.first().ok_or("the column of labels")?;

    // Who is a case is private here, so the labels of the groups are stated and their sizes are noisy. With Grouping::Public each
    // group has the whole budget, and its size is told. Nobody is in both groups.
    let grouping = Grouping::Private { names: ["1", "0"].map(str::to_owned).into(), most: 1 };
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let groups = PrivateGroups::new(ball, PrivacyBudget::new(3.0, 1e-3)?, grouping);
    let release = groups.release(&curves, labels, &mut SystemRandomness::new()?)?;

    // From here on nothing but the release is looked at.
    let estimated = Estimated::<Groups>::new(release, &Band::Population, 0.95)?;
    for fact in estimated.facts() {
        println!("{}: {}", fact.name, fact.text);
    }
    let group = |name| estimated.means().get(name).ok_or("a group of the release");
    let (cases, controls) = (group("1")?, group("0")?);
    let (Ok(of_cases), Ok(of_controls)) = (cases.population(), controls.population()) else {
        println!("this time the noise hides the size of a group: no mean is shown, and the budget is spent");
        return Ok(());
    };
    let difference = Difference::new(of_cases, of_controls, 0.95)?;
    println!("\n{:>6} {:>10} {:>22}", "t", "difference", "95% band");
    let (lower, upper) = (difference.lower(), difference.upper());
    for i in (0..difference.values().len()).step_by(23) {
        let t = difference.grid().points()[i];
        println!("{t:6.2} {:10.4}   {:8.4} to {:8.4}", difference.values()[i], lower[i], upper[i]);
    }
    let test = difference.equality()?;
    println!("equal means: p = {:.4}", test.p_value);

    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("groups.json"), estimated.to_json()?)?;
    let facts = estimated.facts();
    let about = About::of(estimated.drawn(), &facts);
    let figure = Figure::difference(&difference, [("cases", about), ("controls", about)]);
    fs::write(folder.join("groups.svg"), figure.axes("position along the tract", "difference").to_svg()?)?;
    Ok(())
}
