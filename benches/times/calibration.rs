//! What it costs to verify a calibrated scale: the least time of several runs, in microseconds.

use std::error::Error;

use dpfda::privacy::{
    Account, Calibration, GaussianPrivacy, LogConcavePrivacy, MixedGaussianPrivacy, MixingLaw, NoiseFamily,
    PrivacyBudget, Spend,
};

use crate::seconds;

const RUNS: usize = 20;

/// The least time of a run, in microseconds.
fn least<T>(run: impl Fn() -> T) -> f64 {
    1e6 * seconds(RUNS, run)[0]
}

fn row(name: &str, budget: PrivacyBudget, whole: f64, verification: f64) {
    let (epsilon, delta) = (budget.epsilon(), budget.delta());
    println!("{name:<20} {epsilon:>8e} {delta:>8e} {whole:>12.0} {verification:>12.0} {:>8.2}", verification / whole);
}

/// One law of each kind, the last of some 7000 values.
fn random_scales() -> Result<[MixingLaw; 4], Box<dyn Error>> {
    let t = MixingLaw::student_t(3.0)?;
    let tabulated = MixingLaw::from_quantile(|p| t.quantile(p))?;
    Ok([t, MixingLaw::gamma_root(5.0)?, MixingLaw::log_normal(0.3)?, tabulated])
}

pub fn print() -> Result<(), Box<dyn Error>> {
    println!("{:<20} {:>8} {:>8} {:>12} {:>12} {:>8}", "law", "epsilon", "delta", "calibration", "enclosure", "share");
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
        for law in random_scales()? {
            let privacy = MixedGaussianPrivacy::calibrated(law.clone(), &budget)?;
            let whole = least(|| MixedGaussianPrivacy::calibrated(law.clone(), &budget));
            // what verifies is what delta does beyond its bounds in doubles
            let verification = least(|| privacy.delta(epsilon)) - least(|| privacy.delta_bounds(epsilon));
            row(&law.to_string().chars().take(20).collect::<String>(), budget, whole, verification);
        }
        let account = Account::default().with(&Spend::of_gaussian(privacy));
        row("account", budget, least(|| account.is_within(&budget)), least(|| privacy.delta(epsilon)));
    }
    Ok(())
}
