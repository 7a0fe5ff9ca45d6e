//! Two points now, a slope and a third point later: one budget, one noise path, one file for the curator.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/examples-output/path");
    fs::create_dir_all(folder)?;
    let (public, secret) = (folder.join("release.json"), folder.join("curator-only.json"));
    // a kept path never replaces another: this is an example, and forgets the one before
    if secret.exists() {
        fs::remove_file(&secret)?;
    }

    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.25)?, 1e-2, 1.0)?;
    let settings = PrivatePath::new(ball, PrivacyBudget::new(1.0, 1e-5)?, smoother);
    let first = [LinearFunctional::Evaluation { t: 0.2 }, LinearFunctional::Evaluation { t: 0.7 }];
    let (release, kept) = settings.release(&curves, &first, &mut SystemRandomness::new()?)?;
    fs::write(&public, release.to_json()?)?;
    kept.write(&secret)?;
    println!("published {:.4} +- {:.4}", release.values(), release.noise_sd());

    // Another day. No curves are needed, nothing is drawn and nothing is spent.
    let kept = KeptPath::read(&secret)?;
    let release = PathRelease::from_json(&fs::read_to_string(&public)?)?;
    let more = [LinearFunctional::Derivative { t: 0.2 }, LinearFunctional::Evaluation { t: 0.45 }];
    let extended = kept.extend(&release, &more)?;
    println!("and later {:.4} +- {:.4}", extended.values(), extended.noise_sd());
    println!("the whole of it is ({}, {:e})-private", extended.budget().epsilon(), extended.budget().delta());
    Ok(())
}
