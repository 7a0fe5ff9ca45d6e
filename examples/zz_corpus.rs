use dpfda::density::*;
use dpfda::prelude::*;
use dpfda::privacy::MixingLaw;
use ndarray::Array2;
use std::fs;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let c = |n: usize, p: usize| {
        CurveSet::new(
            Grid::uniform(0.0, 2.0, p).unwrap(),
            Array2::from_shape_fn((n, p), |(i, j)| ((i * 7 + j * 3) % 11) as f64 / 11.0),
        )
        .unwrap()
    };
    let ball = Ball::new(Center::Constant(0.5), 0.5)?;
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let seed = || SeededRandomness::from_seed(1);
    let w = |path: &str, text: String| fs::write(format!("fuzz/corpus/{path}"), text);
    let iso = PrivateMean::isonormal(ball.clone(), budget);
    w("release_json/isonormal", iso.release(&c(6, 5), &mut seed())?.to_json()?)?;
    w(
        "release_json/add_remove",
        iso.clone().neighbours(NeighbouringRelation::AddRemoveOne).release(&c(6, 5), &mut seed())?.to_json()?,
    )?;
    w(
        "release_json/cameron_martin",
        PrivateMean::cameron_martin(ball.clone(), budget).release(&c(6, 5), &mut seed())?.to_json()?,
    )?;
    w(
        "release_json/interval",
        iso.clone().kernel(KernelName::Gaussian.with_range(0.3)?).release(&c(6, 3), &mut seed())?.to_json()?,
    )?;
    w(
        "release_json/sobolev",
        iso.clone().kernel(KernelName::Sobolev.with_range(2.0)?).release(&c(6, 4), &mut seed())?.to_json()?,
    )?;
    let smoother = PenalizedMean::new(KernelName::Matern(1.5).with_range(0.25)?, 0.01, 1.0)?;
    let q = [LinearFunctional::Evaluation { t: 0.5 }, LinearFunctional::Derivative { t: 1.0 }];
    for (i, p) in [
        PrivatePath::new(ball.clone(), budget, smoother.clone()),
        PrivatePath::new(ball.clone(), budget, smoother.clone())
            .mixing(MixingLaw::student_t(5.0)?)
            .neighbours(NeighbouringRelation::AddRemoveOne),
    ]
    .into_iter()
    .enumerate()
    {
        let (release, kept) = p.release(&c(6, 5), &q, &mut seed())?;
        w(&format!("path_json/path{i}"), release.to_json()?)?;
        let f = format!("fuzz/corpus/path_json/kept{i}");
        let _ = fs::remove_file(&f);
        kept.write(std::path::Path::new(&f))?;
    }
    let pts = |d: usize| {
        let b = Bounds::new(vec![(0.0, 1.0); d]).unwrap();
        Points::new(Array2::from_shape_fn((20, d), |(i, a)| ((i * 5 + a * 3) % 7) as f64 / 7.0), b).unwrap()
    };
    let pure = PrivacyBudget::new(1.0, 0.0)?;
    let sub = NeighbouringRelation::SubstituteOne;
    let add = NeighbouringRelation::AddRemoveOne;
    let cells = |d: usize, n: usize| Cells::new(pts(d).bounds().clone(), n).unwrap();
    w("density_json/histogram", PerturbedHistogram::new(cells(1, 4), pure).release(&pts(1), &mut seed())?.to_json()?)?;
    w(
        "density_json/histogram_add_remove",
        PerturbedHistogram::new(cells(1, 4), budget).neighbours(add).release(&pts(1), &mut seed())?.to_json()?,
    )?;
    w(
        "density_json/histogram_two_axes",
        PerturbedHistogram::new(cells(2, 4), pure).release(&pts(2), &mut seed())?.merged(2)?.to_json()?,
    )?;
    w(
        "density_json/series",
        SeriesMechanism::new(SeriesTerms::Given(3), pure, sub)?.release(&pts(1), &mut seed())?.to_json()?,
    )?;
    w(
        "density_json/series_add_remove",
        SeriesMechanism::new(SeriesTerms::ChosenUpTo(3), pure, add)?.release(&pts(1), &mut seed())?.to_json()?,
    )?;
    w(
        "density_json/series_gaussian",
        SeriesMechanism::new(SeriesTerms::Smoothness(1.0), budget, sub)?.release(&pts(1), &mut seed())?.to_json()?,
    )?;
    w(
        "density_json/smoothed",
        SmoothedHistogram::with_smallest_mixture(pure, sub, 20, cells(2, 3), 3)?
            .release(&pts(2), &mut seed())?
            .to_json()?,
    )?;
    w(
        "density_json/exponential",
        KsExponential::new(pure, add, cells(1, 4), 3)?.release(&pts(1), &mut seed())?.to_json()?,
    )?;
    w(
        "density_json/series_exponential",
        SeriesExponential::new(2, 3, 2, PrivacyBudget::new(0.5, 0.0)?)?.release(&pts(1), &mut seed())?.to_json()?,
    )?;
    Ok(())
}
