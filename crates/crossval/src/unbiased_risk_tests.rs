#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, KernelName};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::PrivateMean;
use dpfda_smoothing::{Ball, Center, CurveSet};

use super::*;
use crate::candidates::{KernelFamily, Position};

const POINTS: usize = 30;

fn curves() -> CurveSet {
    let points: Vec<f64> = (0..POINTS).map(|i| 2.0 * (i as f64 / (POINTS - 1) as f64).powf(1.2)).collect();
    let values = Array2::from_shape_fn((40, POINTS), |(i, j)| 0.3 + (0.1 + 0.01 * i as f64) * (3.0 * points[j]).sin());
    CurveSet::new(Grid::new(points).unwrap(), values).unwrap()
}

fn settings() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.2), 0.6).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.1).unwrap()).buying(dpfda_release::BallShares::NONE)
}

fn candidates() -> Candidates {
    let family = |name, range| KernelFamily::new(name, vec![range]).unwrap();
    let families = vec![family(KernelName::Matern(2.5), 0.3), family(KernelName::Exponential, 0.5)];
    Candidates::new(families, vec![1e-4, 1e-2, 0.5], vec![1.0, 2.0]).unwrap()
}

fn positions() -> impl Iterator<Item = Position> {
    let all =
        (0..2).flat_map(|family| (0..3).flat_map(move |penalty| (0..2).map(move |power| (family, penalty, power))));
    all.map(|(family, penalty, power)| Position { family, range: 0, penalty, power })
}

/// The smoother as a matrix that acts on values at the grid's points: `V diag(s) V' W`.
fn matrix(release: &MeanRelease, at: Position) -> Array2<f64> {
    let smoother = candidates().smoother(at).unwrap();
    let unit_grid = release.grid().to_unit().unwrap();
    let spectrum = Spectrum::new(smoother.kernel().clone(), unit_grid.clone(), DEFAULT_TOLERANCE).unwrap();
    let v = spectrum.eigenfunctions();
    let shrunken = v.to_owned() * smoother.shrinkages(spectrum.eigenvalues());
    shrunken.dot(&v.t()) * unit_grid.weights()
}

#[test]
fn the_risk_estimate_is_unbiased() {
    const RELEASES: usize = 3000;
    let (curves, candidates) = (curves(), candidates());
    let ball = Ball::new(Center::Constant(0.2), 0.6).unwrap();
    let truth = ball.bound(&curves).unwrap().mean().into_revealed();
    let mut randomness = SeededRandomness::from_seed(3);
    let mut differences = vec![Vec::new(); 12];
    for _ in 0..RELEASES {
        let release = settings().release(&curves, &mut randomness).unwrap();
        let surface = select_after_release(&release, &candidates).unwrap();
        for (at, differences) in positions().zip(&mut differences) {
            let function = release.smoothed(&candidates.smoother(at).unwrap()).unwrap();
            let error = (&function.function().values() - &truth).mapv(|d| d * d);
            differences.push(surface.score(at).unwrap() - curves.unit_grid().integrate(error.view()));
        }
    }
    for (at, differences) in positions().zip(differences) {
        let differences = Array1::from(differences);
        let standard_error = differences.std(1.0) / (RELEASES as f64).sqrt();
        // 5.5 standard errors: fewer than one failure in 1e6 over the twelve candidates
        assert!(differences.mean().unwrap().abs() < 5.5 * standard_error, "{at:?}: {:?}", differences.mean());
    }
}

#[test]
fn a_kernel_smoother_has_the_same_risk_and_values_as_its_matrix() {
    let release = settings().release(&curves(), &mut SeededRandomness::from_seed(4)).unwrap();
    let surface = select_after_release(&release, &candidates()).unwrap();
    let roots = release.grid().to_unit().unwrap().weights().mapv(f64::sqrt);
    let center = release.ball().center_at(release.grid()).unwrap();
    let deviation = release.whitened() / &roots;
    let variance = release.noise_scale().powi(2);
    for at in positions() {
        let smoother = matrix(&release, at);
        let fit = smoother.dot(&deviation);
        let residual = ((&deviation - &fit) * &roots).mapv(|r| r * r).sum();
        let risk = residual + variance * (2.0 * smoother.diag().sum() - POINTS as f64);
        assert_relative_eq!(surface.score(at).unwrap(), risk, epsilon = 1e-12, max_relative = 1e-9);
        let smoothed = release.smoothed(&candidates().smoother(at).unwrap()).unwrap();
        assert!((fit + &center - smoothed.function().values()).iter().all(|d| d.abs() < 1e-12));
    }
    let least = positions().min_by(|a, b| surface.score(*a).unwrap().total_cmp(&surface.score(*b).unwrap()));
    assert_eq!(least, Some(surface.optimum()));
}

#[test]
fn nothing_but_the_release_decides() {
    let release = settings().release(&curves(), &mut SeededRandomness::from_seed(5)).unwrap();
    let read = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
    assert_eq!(select_after_release(&release, &candidates()), select_after_release(&read, &candidates()));
    // nor does the smoother that the release happens to come with
    let smoothed = release.smoothed(&candidates().smoother(positions().next().unwrap()).unwrap()).unwrap();
    assert_eq!(select_after_release(&release, &candidates()), select_after_release(&smoothed, &candidates()));
}

#[test]
fn under_add_remove_the_choice_works_too() {
    let settings = settings().neighbours(NeighbouringRelation::AddRemoveOne);
    let release = settings.release(&curves(), &mut SeededRandomness::from_seed(6)).unwrap();
    let surface = select_after_release(&release, &candidates()).unwrap();
    assert!(release.smoothed(surface.chosen()).is_ok());
}

#[test]
fn a_release_whose_noise_was_sized_for_its_smoother_is_refused_with_the_reason() {
    let ball = Ball::new(Center::Constant(0.2), 0.6).unwrap();
    let settings = PrivateMean::cameron_martin(ball, PrivacyBudget::new(1.0, 0.1).unwrap());
    let release = settings.release(&curves(), &mut SeededRandomness::from_seed(7)).unwrap();
    let refused = select_after_release(&release, &candidates()).unwrap_err();
    assert_eq!(refused, SelectionError::NotIsonormal);
    assert!(refused.to_string().contains("isonormal"), "{refused}");
}
