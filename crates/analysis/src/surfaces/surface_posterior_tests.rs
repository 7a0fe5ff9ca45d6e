#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{CovarianceKernel, Exponential, Grid, Matern, eigenpairs};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean, Surface};
use dpfda_smoothing::{Ball, Center, CurveSet};

use super::*;

fn truth(s: f64, t: f64) -> f64 {
    0.5 + 0.08 * (2.0 * s + t).sin() + 0.05 * t
}

/// Surfaces of so many people, with levels of their own.
fn released(
    grid: &SurfaceGrid,
    people: usize,
    budget: (f64, f64),
    neighbours: NeighbouringRelation,
) -> Release<Surface> {
    let [s, t] = grid.axes();
    let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| truth(s, t))).collect();
    let values = Array2::from_shape_fn((people, grid.len()), |(i, j)| mean[j] + 0.05 * ((7 * i + 3) as f64).sin());
    let surfaces = CurveSet::new(grid.places().unwrap(), values).unwrap();
    let plan = stated(budget).neighbours(neighbours);
    plan.prepare_on(&surfaces, grid, None).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(5))
}

fn stated(budget: (f64, f64)) -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(budget.0, budget.1).unwrap()).buying(BallShares::NONE)
}

/// The same people in a ball of a product of half norms, whose radius is bought.
fn rough(grid: &SurfaceGrid, people: usize, budget: (f64, f64)) -> Release<Surface> {
    let [s, t] = grid.axes();
    let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| truth(s, t))).collect();
    let values = Array2::from_shape_fn((people, grid.len()), |(i, j)| mean[j] + 0.05 * ((7 * i + 3) as f64).sin());
    let surfaces = CurveSet::new(grid.places().unwrap(), values).unwrap();
    let plan = stated(budget).roughness_of_axes([0.3, 0.2]).buying(BallShares::new(None, Some(0.05)).unwrap());
    plan.prepare_on(&surfaces, grid, None).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(5))
}

fn small() -> SurfaceGrid {
    let uneven = Grid::new(vec![0.0, 0.3, 1.0, 1.4, 2.0]).unwrap();
    SurfaceGrid::new(uneven, Grid::uniform(-1.0, 1.0, 6).unwrap()).unwrap()
}

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::SubstituteOne;

/// The posterior by the dense covariance of all points, for one kernel on each axis and one amplitude.
struct Dense {
    radius: f64,
    covariance: Array2<f64>,
    /// A row for each released coordinate.
    map: Array2<f64>,
    inverse: Array2<f64>,
    whitened: Array1<f64>,
    roots: Array1<f64>,
    log_evidence: f64,
}

impl Dense {
    fn of(release: &Release<Surface>, kernels: [&Kernel; 2], amplitude: f64) -> Self {
        let (radius, grid) = (release.statistic().ball().radius(), release.statistic().grid());
        let sigma = release.statistic().whitened(release).1 / radius;
        let roots = grid.unit_weights().mapv(f64::sqrt);
        let points = unit_points(grid);
        let covariance = Array2::from_shape_fn((grid.len(), grid.len()), |(i, j)| {
            let product =
                kernels[0].covariance(points[i].0, points[j].0) * kernels[1].covariance(points[i].1, points[j].1);
            amplitude * product * roots[i] * roots[j]
        });
        let map = release.statistic().map().map_or_else(|| Array2::eye(grid.len()), Array2::reversed_axes);
        let pairs = eigenpairs(&map.dot(&covariance).dot(&map.t())).unwrap();
        let noisy = pairs.values.mapv(|value| value + sigma * sigma);
        let scaled = &pairs.vectors / &noisy.view().insert_axis(Axis(0));
        let inverse = scaled.dot(&pairs.vectors.t());
        let whitened = Array1::from_iter(release.statistic().whitened(release).0) / radius;
        let square = whitened.dot(&inverse.dot(&whitened));
        let log_evidence = -0.5 * (noisy.mapv(|v| (std::f64::consts::TAU * v).ln()).sum() + square);
        Self { radius, covariance, map, inverse, whitened, roots, log_evidence }
    }

    fn deviation(&self) -> Array1<f64> {
        self.gain().dot(&self.whitened) / &self.roots
    }

    fn gain(&self) -> Array2<f64> {
        self.covariance.dot(&self.map.t()).dot(&self.inverse)
    }

    fn variance(&self) -> Array1<f64> {
        let known = self.gain().dot(&self.map).dot(&self.covariance);
        (&self.covariance - &known).diag().to_owned() / &self.roots / &self.roots
    }

    fn noise_sd(&self, sigma: f64) -> Array1<f64> {
        self.gain().map(|x| x * x).sum_axis(Axis(1)).mapv(f64::sqrt) * sigma / &self.roots
    }
}

fn unit_points(grid: &SurfaceGrid) -> Vec<(f64, f64)> {
    let [s, t] = grid.unit_axes();
    s.points().iter().flat_map(|&s| t.points().mapv(move |t| (s, t))).collect()
}

fn kernels() -> [Kernel; 2] {
    [Kernel::from(Matern::new(2.5, 0.4).unwrap()), Kernel::from(Exponential::new(0.7).unwrap())]
}

fn one(kernel: &Kernel) -> Ladder {
    Ladder::new(vec![vec![kernel.clone()]], vec![0.2], -1.0, 0.7).unwrap()
}

#[test]
fn the_posterior_by_axes_is_that_of_the_dense_covariance() {
    for release in bodies() {
        for kernel in kernels() {
            let posterior = SurfacePosterior::of(&release, &one(&kernel)).unwrap();
            let dense = Dense::of(&release, [&kernel, &kernel], 0.2);
            let flat = |of: ArrayView2<'_, f64>| Array1::from_iter(of.iter().copied());
            assert_abs_diff_eq!(flat(posterior.values()), dense.deviation() * dense.radius + 0.5, epsilon = 1e-10);
            assert_abs_diff_eq!(flat(posterior.sd()), dense.variance().mapv(f64::sqrt) * dense.radius, epsilon = 1e-10);
            let noise_sd = dense.noise_sd(release.statistic().whitened(&release).1);
            assert_abs_diff_eq!(flat(posterior.noise_sd()), noise_sd, epsilon = 1e-10);
        }
    }
}

/// The same people in the stated ball, and in a bought one of a product of half norms.
fn bodies() -> [Release<Surface>; 2] {
    let rough = rough(&small(), 200, (1.0, 1e-3));
    assert!(rough.statistic().axis_maps().is_some() && rough.statistic().bought().is_some());
    [released(&small(), 200, (1.0, 1e-3), SUBSTITUTE), rough]
}

#[test]
fn the_weights_of_all_pairs_are_those_of_the_dense_evidence() {
    let [first, second] = kernels();
    let ladder = Ladder::new(vec![vec![first], vec![second]], vec![0.01, 0.1], -1.0, 0.7).unwrap();
    let rungs: Vec<&Kernel> = ladder.rungs().collect();
    for release in bodies() {
        let posterior = SurfacePosterior::of(&release, &ladder).unwrap();
        for place in 0..4 {
            for (i, amplitude) in [0.01, 0.1].into_iter().enumerate() {
                let dense = Dense::of(&release, [rungs[place / 2], rungs[place % 2]], amplitude);
                assert_abs_diff_eq!(posterior.weights.log_evidence[[place, i]], dense.log_evidence, epsilon = 1e-9);
            }
        }
        let (whitened, sd) = release.statistic().whitened(&release);
        let nothing = -0.5 * {
            let sigma = sd / release.statistic().ball().radius();
            let squares = whitened.iter().map(|y| (y / sd).powi(2)).sum::<f64>();
            30.0 * (std::f64::consts::TAU * sigma * sigma).ln() + squares
        };
        let against = posterior.log_evidence_against_the_centre();
        assert_abs_diff_eq!(against, posterior.weights.total - nothing, epsilon = 1e-9);
    }
}

#[test]
fn between_the_points_the_posterior_is_that_of_the_dense_covariance() {
    let kernel = &kernels()[0];
    let [s, t] = small().axes().clone();
    for release in bodies() {
        let posterior = SurfacePosterior::of(&release, &one(kernel)).unwrap();
        let dense = Dense::of(&release, [kernel, kernel], 0.2);
        for point in [(0.0, -1.0), (0.17, 0.33), (2.0, 0.95), (1.4, 0.2)] {
            let unit = (s.to_unit_point(point.0), t.to_unit_point(point.1));
            let cross: Array1<f64> = unit_points(&small())
                .iter()
                .map(|(s, t)| 0.2 * kernel.covariance(unit.0, *s) * kernel.covariance(unit.1, *t))
                .collect::<Array1<f64>>()
                * &dense.roots;
            let cross = dense.map.dot(&cross);
            let solved = dense.inverse.dot(&cross);
            let found = posterior.at(&[point]).unwrap()[0];
            assert_abs_diff_eq!(found.value, 0.5 + dense.radius * solved.dot(&dense.whitened), epsilon = 1e-10);
            assert_abs_diff_eq!(found.sd, dense.radius * (0.2 - cross.dot(&solved)).sqrt(), epsilon = 1e-9);
        }
    }
}

#[test]
fn at_the_points_of_the_grid_evaluation_gives_the_values_of_the_grid() {
    let release = released(&small(), 500, (1.0, 0.1), SUBSTITUTE);
    let [s, t] = small().axes().clone();
    for release in [release, rough(&small(), 500, (1.0, 0.1))] {
        let posterior = SurfacePosterior::of(&release, &Ladder::default()).unwrap();
        for (i, &s) in s.points().iter().enumerate() {
            for (j, &t) in t.points().iter().enumerate() {
                let found = posterior.at(&[(s, t)]).unwrap()[0];
                assert_abs_diff_eq!(found.value, posterior.values()[[i, j]], epsilon = 1e-9);
                assert_abs_diff_eq!(found.sd, posterior.sd()[[i, j]], epsilon = 1e-7);
            }
        }
    }
}

#[test]
fn points_on_a_line_are_evaluated_as_each_of_them_is() {
    let release = released(&small(), 500, (1.0, 0.1), SUBSTITUTE);
    let posterior = SurfacePosterior::of(&release, &Ladder::default()).unwrap();
    let along_t: Vec<(f64, f64)> = [-1.0, 0.13, 0.9].map(|t| (0.7, t)).to_vec();
    let along_s: Vec<(f64, f64)> = [0.0, 1.3, 2.0, 0.1].map(|s| (s, -0.4)).to_vec();
    let one_point_twice = vec![(0.3, 0.3), (0.3, 0.3)];
    for points in [along_t, along_s, one_point_twice] {
        let together = posterior.at(&points).unwrap();
        assert_eq!(together.len(), points.len());
        for (together, point) in together.iter().zip(&points) {
            let alone = posterior.at(&[*point]).unwrap()[0];
            assert_abs_diff_eq!(together.value, alone.value, epsilon = 1e-11);
            assert_abs_diff_eq!(together.sd, alone.sd, epsilon = 1e-8);
        }
    }
}

#[test]
fn points_outside_are_refused() {
    let release = released(&small(), 200, (1.0, 0.1), SUBSTITUTE);
    let posterior = SurfacePosterior::of(&release, &one(&kernels()[1])).unwrap();
    for point in [(-0.1, 0.0), (0.5, 1.1), (f64::NAN, 0.0)] {
        assert!(matches!(posterior.at(&[point]), Err(AnalysisError::OutsideDomain { .. })));
    }
}

#[test]
fn long_axes_are_averaged_in_bins_and_the_truth_is_found() {
    let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 300).unwrap(), Grid::uniform(0.0, 1.0, 5).unwrap()).unwrap();
    let [s, t] = grid.axes();
    for release in [released(&grid, 2000, (5.0, 0.1), SUBSTITUTE), rough(&grid, 2000, (5.0, 0.1))] {
        let posterior = SurfacePosterior::of(&release, &one(&kernels()[0])).unwrap();
        assert_eq!(posterior.values().dim(), (300, 5));
        for (i, &s) in s.points().iter().enumerate().step_by(23) {
            for (j, &t) in t.points().iter().enumerate() {
                let found = posterior.values()[[i, j]];
                assert!((found - truth(s, t)).abs() < 0.01, "{s} {t}: {found}");
                assert_abs_diff_eq!(posterior.at(&[(s, t)]).unwrap()[0].value, found, epsilon = 1e-5);
            }
        }
    }
}

#[test]
fn a_noisy_number_of_records_widens_the_posterior() {
    let sd = |neighbours| {
        let release = released(&small(), 200, (1.0, 1e-3), neighbours);
        SurfacePosterior::of(&release, &one(&kernels()[0])).unwrap()
    };
    let posterior = sd(NeighbouringRelation::AddRemoveOne);
    assert!(posterior.relative_count_sd > 0.0);
    let expected = |sd: f64, deviation: f64| sd.hypot(deviation * posterior.relative_count_sd);
    let alone =
        Dense::of(&released(&small(), 200, (1.0, 1e-3), NeighbouringRelation::AddRemoveOne), [&kernels()[0]; 2], 0.2);
    let sds = alone.variance().mapv(f64::sqrt) * 0.3;
    let with_count: Array1<f64> =
        sds.iter().zip(alone.deviation() * 0.3).map(|(sd, deviation)| expected(*sd, deviation)).collect();
    assert_abs_diff_eq!(Array1::from_iter(posterior.sd().iter().copied()), with_count, epsilon = 1e-10);
}

/// The error of the issue: the best of a Monte Carlo study is in `docs/results/any.md`.
#[test]
#[ignore = "a minute long: ten releases of surfaces on 64 x 64 points"]
fn the_error_on_64_by_64_points_meets_its_target() {
    let axis = || Grid::uniform(0.0, 1.0, 64).unwrap();
    let grid = SurfaceGrid::new(axis(), axis()).unwrap();
    let weights = grid.unit_weights();
    let mut square = 0.0;
    for seed in 0..10 {
        let [s, t] = grid.axes();
        let mean: Vec<f64> = s.points().iter().flat_map(|&s| t.points().mapv(|t| truth(s, t))).collect();
        let surfaces =
            CurveSet::new(grid.places().unwrap(), Array2::from_shape_fn((200, 4096), |(_, j)| mean[j])).unwrap();
        let plan = PrivateMean::isonormal(
            Ball::new(Center::Constant(0.5), 0.3).unwrap(),
            PrivacyBudget::new(1.0, 0.1).unwrap(),
        );
        let prepared = plan.buying(BallShares::NONE).prepare_on(&surfaces, &grid, None).unwrap();
        let release = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(seed));
        let posterior = SurfacePosterior::of(&release, &Ladder::default()).unwrap();
        let errors =
            posterior.values().iter().zip(&mean).zip(&weights).map(|((f, m), w)| w * (f - m) * (f - m)).sum::<f64>();
        square += errors / 10.0;
    }
    assert!(square.sqrt() <= 0.0165, "{}", square.sqrt());
}
