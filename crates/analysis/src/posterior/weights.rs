//! Which kernels and amplitudes the release speaks for.

use ndarray::Array2;

use crate::posterior::ladder::Ladder;
use crate::posterior::rung::Rung;

/// Pairs of less weight than this are left out.
const NEGLIGIBLE: f64 = 1e-14;

/// The evidence for every pair of kernel and amplitude, and the weights that follow.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    /// Rungs x amplitudes, in units of the radius.
    pub(crate) log_evidence: Array2<f64>,
    /// Rungs x amplitudes; the weights sum to 1.
    pub(crate) normalised: Array2<f64>,
    /// The log of the evidence for the ladder as a whole.
    pub(crate) total: f64,
}

impl Weights {
    pub(crate) fn of(rungs: &[Rung], ladder: &Ladder) -> Self {
        let amplitudes = ladder.amplitudes();
        let shape = (rungs.len(), amplitudes.len());
        Self::of_evidence(Array2::from_shape_fn(shape, |(k, i)| rungs[k].log_evidence(amplitudes[i])), ladder)
    }

    /// The weights that follow from the log evidence of kernels, or pairs of kernels, that are equally likely beforehand (rows) and the
    /// amplitudes of a ladder (columns).
    pub(crate) fn of_evidence(log_evidence: Array2<f64>, ladder: &Ladder) -> Self {
        let prior = ladder.log_prior();
        let joint = &log_evidence + &prior;
        let most = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let unscaled = joint.mapv(|log| (log - most).exp());
        let sum = unscaled.sum();
        let prior_mass = log_evidence.nrows() as f64 * prior.mapv(f64::exp).sum();
        Self { log_evidence, normalised: unscaled / sum, total: most + sum.ln() - prior_mass.ln() }
    }

    /// The rungs that have weight, each with the amplitudes that have.
    pub(crate) fn share_out(&self, rungs: Vec<Rung>, ladder: &Ladder) -> Vec<Rung> {
        let with_pairs = rungs.into_iter().zip(self.normalised.rows()).map(|(mut rung, weights)| {
            let pairs = ladder.amplitudes().iter().copied().zip(weights.iter().copied());
            rung.pairs = pairs.filter(|(_, weight)| *weight >= NEGLIGIBLE).collect();
            rung
        });
        with_pairs.filter(|rung| !rung.pairs.is_empty()).collect()
    }
}
