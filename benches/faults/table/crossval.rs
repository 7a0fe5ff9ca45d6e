//! Choosing after the release.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "sure-without-noise-term",
        says: "SURE takes what it is fed for the raw mean: its noise-variance term is missing",
        file: "crates/crossval/src/unbiased_risk.rs",
        old: "squared_residual + self.sigma.powi(2) * (2.0 * trace - self.z.len() as f64)",
        new: "squared_residual + self.sigma * 0.0 * trace",
        tests: &["the_risk_estimate_is_unbiased"],
    },
    Fault {
        id: "sure-half-the-trace",
        says: "SURE counts the degrees of freedom of a smoother once instead of twice",
        file: "crates/crossval/src/unbiased_risk.rs",
        old: "(2.0 * trace - self.z.len() as f64)",
        new: "(trace - self.z.len() as f64)",
        tests: &["the_risk_estimate_is_unbiased"],
    },
    Fault {
        id: "sure-fed-smoothed-mean",
        says: "SURE is fed the mean that was smoothed already instead of the noisy one",
        file: "crates/crossval/src/unbiased_risk.rs",
        old: "let z = release.whitened();",
        new: r"let z = (&release.function().values() - &release.ball().center_at(release.grid())?) * &roots;",
        tests: &["the_risk_estimate_is_unbiased", "a_kernel_smoother_has_the_same_risk_and_values_as_its_matrix"],
    },
    Fault {
        id: "cameron-martin-rechosen",
        says: "a smoother is chosen after a Cameron-Martin release, whose noise was sized for its own",
        file: "crates/crossval/src/unbiased_risk.rs",
        old: "if release.statistic().mechanism() != MeanMechanism::Isonormal {",
        new: "if release.statistic().mechanism() == MeanMechanism::Isonormal && release.units() < 0.0 {",
        tests: &["a_release_whose_noise_was_sized_for_its_smoother_is_refused_with_the_reason"],
    },
];
