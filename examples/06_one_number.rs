//! Which noise one number needs: the family of least variance, and the ratios of variances over (epsilon, delta).

use std::error::Error;

use dpfda::prelude::*;
use dpfda::privacy::{LogConcavePrivacy, NoiseFamily, RoundedNoise, best_family};

fn main() -> Result<(), Box<dyn Error>> {
    // A count changes by at most 1: which noise hides it best?
    for (epsilon, delta) in [(1.0, 0.0), (1.0, 1e-6), (0.1, 1e-2), (0.1, 0.1)] {
        let budget = PrivacyBudget::new(epsilon, delta)?;
        let best = best_family(&budget)?;
        let noise = RoundedNoise::calibrated(best.family(), 1 << 20, &budget)?;
        // in steps of 2^-20, drawn exactly
        let draw = noise.sample(&mut SystemRandomness::new()?) as f64 / f64::from(1 << 20);
        let (family, sd) = (best.family(), best.variance().sqrt());
        println!(
            "({epsilon}, {delta:e}): {family} noise, standard deviation {sd:.3}; a count of 1000 becomes {:.3}",
            1000.0 + draw
        );
    }

    // Which family has less variance at the same guarantee depends on both numbers.
    println!("variance relative to normal noise:");
    for (epsilon, delta) in [(0.1, 1e-6), (0.1, 0.01), (1.0, 1e-6), (1.0, 0.1), (4.0, 1e-6), (4.0, 0.01)] {
        let budget = PrivacyBudget::new(epsilon, delta)?;
        let variance = |family| LogConcavePrivacy::calibrated(family, &budget)?.variance(1.0);
        let normal = variance(NoiseFamily::Gaussian)?;
        let (laplace, logistic) = (variance(NoiseFamily::Laplace)? / normal, variance(NoiseFamily::Logistic)? / normal);
        println!("({epsilon}, {delta:e}): Laplace {laplace:.2}, logistic {logistic:.2}");
    }
    Ok(())
}
