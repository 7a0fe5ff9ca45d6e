#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{DEFAULT_TOLERANCE, Gaussian, Grid};
use dpfda_privacy::PrivacyBudget;
use dpfda_release::PrivateMean;
use dpfda_smoothing::{Ball, Center};

use super::*;

#[test]
fn candidates_whose_spectra_have_other_ranks_share_the_draws() {
    let ball = Ball::new(Center::Constant(0.0), 1.0).unwrap();
    let law = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.1).unwrap())
        .buying(dpfda_release::BallShares::NONE)
        .noise_law()
        .unwrap();
    let noise = FoldNoise::new(law, 5, 2, &mut ChaCha8Rng::seed_from_u64(1));
    let spectrum = |range| {
        let kernel: Kernel = Gaussian::new(range).unwrap().into();
        Spectrum::new(kernel, Grid::uniform(0.0, 1.0, 40).unwrap(), DEFAULT_TOLERANCE).unwrap()
    };
    let (long, short) = (spectrum(0.01), spectrum(0.5));
    assert!(short.rank() < long.rank());
    let (many, few) = (noise.draw(1, 10.0, &long).normals, noise.draw(1, 10.0, &short).normals);
    assert_eq!(many.slice_axis(Axis(1), Slice::from(..short.rank())), few);
    assert_ne!(noise.draw(0, 10.0, &short).normals, few);
}
