//! Which noise one number needs: the family of least variance, and the ratios of variances over (epsilon, delta).

use std::error::Error;

use dpfda::prelude::*;
use dpfda::privacy::{DiscreteLaplace, LogConcavePrivacy, NoiseFamily, best_family};

fn main() -> Result<(), Box<dyn Error>> {
    // A count changes by at most 1: which noise hides it best?
    for (epsilon, delta) in [(1.0, 0.0), (1.0, 1e-6), (0.1, 1e-2), (0.1, 0.1)] {
        let budget = PrivacyBudget::new(epsilon, delta)?;
        let best = best_family(&budget)?;
        let (family, sd) = (best.family(), best.variance().sqrt());
        // on integers, drawn exactly
        let noise = DiscreteLaplace::calibrated(1, 1, &budget)?;
        let count = 1000 + noise.sample(&mut SystemRandomness::new()?);
        println!(
            "({epsilon}, {delta:e}): {family} noise has the standard deviation {sd:.3}, discrete Laplace noise {:.3}; with it a count of \
             1000 becomes {count}",
            noise.variance().sqrt()
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
