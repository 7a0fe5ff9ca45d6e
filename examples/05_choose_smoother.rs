//! Choosing the smoother from a release at no cost, beside the cross-validation that would cost privacy.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::crossval::{CrossValidation, Folds, cross_validate};
use dpfda::plotting::{SurfaceFigure, SurfacePanel};
use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let layout = CurveLayout::new("cca_*")?.subject("ID");
    let curves = CurveSet::read_csv("data/dti_like.csv", &layout)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let release = PrivateMean::isonormal(ball, budget).release(&curves, &mut SystemRandomness::new()?)?;

    // From here on nothing but the release is looked at: the choice is free, and may be published.
    let candidates = Candidates::for_release(&release);
    let surface = select_after_release(&release, &candidates)?;
    let chosen = release.smoothed(surface.chosen())?;
    println!("of {} smoothers: {:?}", candidates.count(), surface.chosen());
    println!("estimated risk {:.2e}, spent mu = {:.4} in all", surface.least(), chosen.mu().unwrap_or(f64::NAN));

    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    let risks = SurfaceFigure::new(SurfacePanel::of_kernels(&surface)?)?.score_name("estimated risk");
    fs::write(folder.join("estimated-risk.svg"), risks.to_svg()?)?;
    let neighbours =
        surface.neighbours(surface.optimum()).into_iter().filter_map(|at| surface.candidates().smoother(at));
    let mut around = Vec::new();
    for smoother in neighbours {
        let range = KernelName::of(smoother.kernel()).map_or(f64::NAN, |(_, range)| range);
        around.push((format!("range {range}, penalty {:.1e}", smoother.penalty()), release.smoothed(&smoother)?));
    }
    let labelled: Vec<(&str, &MeanRelease)> = around.iter().map(|(label, release)| (label.as_str(), release)).collect();
    let figure = Figure::release(&chosen).with_neighbours(&labelled)?.title("The chosen smoother and its neighbours");
    fs::write(folder.join("chosen-smoother.svg"), figure.to_svg()?)?;
    println!("wrote {}", folder.display());

    // The curator may compare. The score comes wrapped: publishing what it chooses would tell about the curves.
    let folds = Folds::random(curves.units(), 10, &mut SeededRandomness::from_seed(1))?;
    let scores = cross_validate(&curves, &Center::Constant(0.5), &CrossValidation::new(&folds, &candidates))?;
    println!("cross-validation has its own choice, and keeps it to the curator: {scores:?}");
    Ok(())
}
