//! Prints what it costs to verify a calibrated scale: the least time of several runs, in microseconds.
//!
//! ```text
//! cargo run --release -p dpfda-benches --bin calibration
//! ```

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use dpfda::privacy::{Account, Calibration, GaussianPrivacy, LogConcavePrivacy, NoiseFamily, PrivacyBudget, Spend};

const RUNS: usize = 20;

/// The least time of a run, in microseconds.
fn least<T>(run: impl Fn() -> T) -> f64 {
    let time = || {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..RUNS).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn row(name: &str, budget: PrivacyBudget, whole: f64, verification: f64) {
    let (epsilon, delta) = (budget.epsilon(), budget.delta());
    println!("{name:<16} {epsilon:>8e} {delta:>8e} {whole:>12.0} {verification:>12.0} {:>8.2}", verification / whole);
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<16} {:>8} {:>8} {:>12} {:>12} {:>8}", "law", "epsilon", "delta", "calibration", "enclosure", "share");
    let budgets = [(1.0, 1e-5), (0.1, 1e-6), (8.0, 1e-9), (1e-6, 1e-15), (1e-6, 0.5), (50.0, 1e-15), (50.0, 0.5)];
    for (epsilon, delta) in budgets {
        let budget = PrivacyBudget::new(epsilon, delta)?;
        let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &budget)?;
        let whole = least(|| GaussianPrivacy::calibrated(Calibration::Tight, &budget));
        row("gaussian", budget, whole, least(|| privacy.delta(epsilon)));
        for name in ["laplace", "logistic", "subbotin:1.5", "subbotin:4"] {
            let family: NoiseFamily = name.parse()?;
            let privacy = LogConcavePrivacy::calibrated(family, &budget)?;
            row(
                name,
                budget,
                least(|| LogConcavePrivacy::calibrated(family, &budget)),
                least(|| privacy.delta(epsilon)),
            );
        }
        let account = Account::default().with(&Spend::of_gaussian(privacy));
        row("account", budget, least(|| account.is_within(&budget)), least(|| privacy.delta(epsilon)));
    }
    Ok(())
}
