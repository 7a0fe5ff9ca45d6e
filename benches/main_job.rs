//! The main job in pieces: spectra, releases, noise and smoothing.
//!
//! Ratios against NumPy are measured by `cargo run --release -p dpfda-benches --bin results`; this bench is for watching changes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dpfda::prelude::*;
use dpfda::privacy::RoundedNormal;
use ndarray::Array2;
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};

/// Curves around 1/2 that the ball of radius 1/4 clips about half of.
fn curves(rows: usize, columns: usize) -> CurveSet {
    let mut generator = ChaCha20Rng::seed_from_u64(1);
    let values = Array2::from_shape_simple_fn((rows, columns), || generator.random_range(0.067..0.933));
    let grid = Grid::uniform(0.0, 1.0, columns).expect("a uniform grid");
    CurveSet::new(grid, values).expect("finite values")
}

fn isonormal() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 0.25).expect("a ball");
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).expect("a budget"))
        .buying(dpfda::release::BallShares::NONE)
}

fn spectrum(c: &mut Criterion) {
    let mut group = c.benchmark_group("spectrum");
    group.sample_size(10);
    for n in [93, 500, 2000] {
        let grid = Grid::uniform(0.0, 1.0, n).expect("a uniform grid");
        let kernel = Matern::new(1.5, 0.2).expect("a kernel");
        group.bench_with_input(BenchmarkId::new("matern32", n), &grid, |b, grid| {
            b.iter(|| Spectrum::new(kernel, grid.clone(), DEFAULT_TOLERANCE).expect("a spectrum"));
        });
    }
    group.finish();
}

fn release(c: &mut Criterion) {
    let mut group = c.benchmark_group("isonormal release, 93 points");
    group.sample_size(10);
    for rows in [376, 1_000_000] {
        let curves = curves(rows, 93);
        let mut randomness = SystemRandomness::new().expect("randomness");
        group.throughput(Throughput::Elements(rows as u64));
        group.bench_with_input(BenchmarkId::from_parameter(rows), &curves, |b, curves| {
            b.iter(|| isonormal().release(curves, &mut randomness).expect("a release"));
        });
    }
    group.finish();
}

fn sampler(c: &mut Criterion) {
    let mut group = c.benchmark_group("rounded normal");
    let mut randomness = SystemRandomness::new().expect("randomness");
    for scale in [5, 31_294_000] {
        let noise = RoundedNormal::new(scale).expect("a scale");
        group.throughput(Throughput::Elements(1));
        group.bench_with_input(BenchmarkId::from_parameter(scale), &noise, |b, noise| {
            b.iter(|| black_box(noise.sample(&mut randomness)));
        });
    }
    group.finish();
}

fn smoothing(c: &mut Criterion) {
    let release = isonormal().release(&curves(376, 93), &mut SystemRandomness::new().expect("randomness"));
    let release = release.expect("a release");
    let kernel: Kernel = Gaussian::new(0.02).expect("a kernel").into();
    let smoother = PenalizedMean::new(kernel, 1e-2, 1.0).expect("a smoother");
    c.bench_function("smooth a release, 93 points", |b| b.iter(|| release.smoothed(&smoother).expect("a release")));
    let points: Vec<f64> = (0..1000).map(|i| f64::from(i) / 999.0).collect();
    c.bench_function("evaluate at 1000 points", |b| {
        b.iter(|| release.function().evaluate(&points).expect("points of the domain"));
    });
}

criterion_group!(benches, spectrum, release, sampler, smoothing);
criterion_main!(benches);
