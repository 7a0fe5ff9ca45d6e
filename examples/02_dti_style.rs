//! A release as a neuroimaging lab would publish it: provenance, figure, and the curator's own view.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let release = PrivateMean::isonormal(ball, budget).release(&curves, &mut SystemRandomness::new()?)?;

    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("release.json"), release.to_json()?)?;

    let figure = Figure::release(&release)
        .title("Fractional anisotropy along the corpus callosum (synthetic)")
        .axes("position along the tract", "fractional anisotropy");
    fs::write(folder.join("release.svg"), figure.to_svg()?)?;
    fs::write(folder.join("release.png"), figure.to_png()?)?;

    // For the curator alone: the raw curves are in this figure, and it says so across its face.
    let curators = figure.with_private_curves(NonPrivate::new(&curves));
    fs::write(folder.join("curator-only.svg"), curators.to_svg()?)?;
    fs::write(folder.join("curator-only.png"), curators.to_png()?)?;

    // What was published can be read back and used by anybody.
    let published = MeanRelease::from_json(&fs::read_to_string(folder.join("release.json"))?)?;
    println!("integral of the released mean: {:.4}", published.function().integral());
    println!("spent: mu = {:.4}", published.mu().unwrap_or(f64::NAN));
    println!("wrote {}", folder.display());
    Ok(())
}
