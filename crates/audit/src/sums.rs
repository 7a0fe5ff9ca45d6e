//! Exact sums read off real releases, by taking away the noise of a known seed.

use dpfda_mechanism::{Release, Statistic};
use dpfda_privacy::{Noise, SeededRandomness, Word};

use crate::added_noise::{AddedNoise, in_64_bits};
use crate::attack::DistributionPair;
use crate::distribution::Distribution;
use crate::error::AuditError;
use crate::kinds::pairs::Pair;

/// All integers of a release: those of few records fit in 64 bits.
pub(crate) fn words<S: Statistic>(release: &Release<S>) -> Vec<i64> {
    release.words().map(|word| in_64_bits(word.to_i128())).collect()
}

/// Releases of each data set that must all be its exact sums with the stated noise; fewer where every one is calibrated anew
/// at great length.
fn releases(noise: &AddedNoise) -> u64 {
    if matches!(noise.noise, Noise::RandomScale(_)) { 2 } else { 16 }
}

/// The exact sums of a data set, from real releases.
///
/// The noise of a seed is known, so what is left of a release is what the mechanism computed of the data. It must be the same
/// for every seed: then all of the mechanism's releases, not only these, are these sums with the stated noise, as far as
/// releases can show it, and may be drawn without doing the same preparation a million times.
pub(crate) fn exact_sums(
    mechanism: &'static str,
    data_set: usize,
    noise: &AddedNoise,
    release: impl Fn(&mut SeededRandomness) -> Result<Vec<i64>, AuditError>,
) -> Result<Vec<i64>, AuditError> {
    let mut found: Option<Vec<i64>> = None;
    for seed in 0..releases(noise) {
        let released = release(&mut SeededRandomness::from_seed(seed))?;
        let mut of_nothing = vec![0; released.len()];
        noise.add_to(&mut of_nothing, &mut SeededRandomness::from_seed(seed));
        let sums: Vec<i64> = released.iter().zip(&of_nothing).map(|(y, noise)| y.wrapping_sub(*noise)).collect();
        if found.as_ref().is_some_and(|found| *found != sums) {
            return Err(AuditError::OtherNoise { mechanism, data_set });
        }
        found = Some(sums);
    }
    Ok(found.unwrap_or_default())
}

/// The laws of all data sets of these pairs, each once.
pub(crate) fn distributions<T: Clone>(
    pairs: Vec<Pair<T>>,
    mut law_of: impl FnMut(usize, &[T]) -> Result<Distribution, AuditError>,
    same: impl Fn(&Distribution, &Distribution) -> bool,
) -> Result<(Vec<Distribution>, Vec<DistributionPair>), AuditError> {
    let mut distributions: Vec<Distribution> = Vec::new();
    let mut number = 0;
    let mut place = |records: &[T]| -> Result<usize, AuditError> {
        let law = law_of(number, records)?;
        number += 1;
        Ok(distributions.iter().position(|known| same(known, &law)).unwrap_or_else(|| {
            distributions.push(law);
            distributions.len() - 1
        }))
    };
    let mut found = Vec::new();
    for Pair { name, left, right } in pairs {
        found.push(DistributionPair { name, left: place(&left)?, right: place(&right)? });
    }
    Ok((distributions, found))
}

/// Whether two laws are exact sums, and the same.
pub(crate) fn same_sums(left: &Distribution, right: &Distribution) -> bool {
    matches!((left, right), (Distribution::Sums(left), Distribution::Sums(right)) if left == right)
}
