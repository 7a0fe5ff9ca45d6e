//! A test whether several groups of one release have one mean.

use dpfda_release::Groups;
use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::equality::{DRAWS, Directions, SEED, Whitened};
use crate::error::AnalysisError;
use crate::estimated::Estimated;
use crate::population::{Population, PopulationMean};
use crate::psd::square_root;

/// A group of fewer records is left out.
const FEWEST: f64 = 10.0;

/// The answer of one test whether all groups of a release have one mean.
///
/// ```text
/// T = sum_j s_j^2 sum_g W_gj (y_gj - ybar_j)^2,    y_g = P'Y_g ~ N(P'm, V_g),    W_gj = 1 / V_g,jj,    ybar_j = sum_g W_gj y_gj / sum_g W_gj
/// ```
///
/// `Y_g` are the noisy means of groups as they were released; `P`, `s_j` and `V_g` are those of an [`EqualityTest`](crate::EqualityTest) of
/// two groups. A curve that all groups share cancels in `T`: for equal means its law is that of draws about 0. The noise of groups is
/// independent, and every group has a covariance of its own. One radius pulls all groups, and what it pulls them by is taken for the same in
/// all: it cancels where the groups differ in their means alone. Of groups that differ in who is far from the rest the test is about the means of
/// curves within the radius.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupsTest {
    /// `T`.
    pub statistic: f64,
    /// `(1 + #{draws for equal means at least T}) / (1 + draws)`.
    pub p_value: f64,
    /// The number of draws.
    pub draws: u32,
    /// The groups that were compared.
    pub compared: Vec<String>,
    /// The groups that were left out: their noisy number of records is below 10, or below 4 standard deviations of its noise.
    pub left_out: Vec<String>,
}

impl Estimated<Groups> {
    /// Tests whether the populations of these groups have one mean; all groups where none is named.
    ///
    /// # Errors
    /// [`AnalysisError::NoGroup`], [`AnalysisError::SharedMembers`] where one record may count in several groups,
    /// [`AnalysisError::FewGroups`] where fewer than 2 are left.
    pub fn equality(&self, names: &[&str]) -> Result<GroupsTest, AnalysisError> {
        let most = self.statistic().most();
        if most > 1 {
            return Err(AnalysisError::SharedMembers { most });
        }
        let all: Vec<&str> = self.statistic().names().iter().map(String::as_str).collect();
        let names = if names.is_empty() { &all } else { names };
        let (mut compared, mut left_out, mut sides) = (Vec::new(), Vec::new(), Vec::new());
        for (place, name) in names.iter().enumerate() {
            let group = self.means().get(name).filter(|_| !names[..place].contains(name));
            let group = group.ok_or(AnalysisError::NoGroup { place: place + 1 })?;
            match group.population() {
                Ok(side) if side.records() >= FEWEST => {
                    compared.push((*name).to_owned());
                    sides.push(side);
                }
                Ok(_) | Err(AnalysisError::GroupTooSmall { .. }) => left_out.push((*name).to_owned()),
                Err(reason) => return Err(reason),
            }
        }
        let [first, _, ..] = sides[..] else { return Err(AnalysisError::FewGroups { left: sides.len() }) };
        let Directions { directions, weights } = Directions::of(first.posterior())?;
        let of = |side: &&PopulationMean| -> Result<Along, AnalysisError> {
            let Whitened { observed, covariance } = Whitened::of(side, &directions, 0.0)?;
            Ok(Along { mean: directions.t().dot(&observed), covariance })
        };
        let along: Result<Vec<Along>, AnalysisError> = sides.iter().map(of).collect();
        let (statistic, p_value) = tested(&along?, &weights)?;
        Ok(GroupsTest { statistic, p_value, draws: DRAWS, compared, left_out })
    }
}

/// A noisy mean along the directions of a test, `y_g` and `V_g`.
pub(super) struct Along {
    pub(super) mean: Array1<f64>,
    pub(super) covariance: Array2<f64>,
}

/// `T` and its p-value.
pub(super) fn tested(groups: &[Along], s: &[f64]) -> Result<(f64, f64), AnalysisError> {
    let weights: Vec<Array1<f64>> = groups.iter().map(|group| group.covariance.diag().mapv(|v| 1.0 / v)).collect();
    let roots: Result<Vec<_>, _> = groups.iter().map(|group| square_root(&group.covariance)).collect();
    let roots = roots?;
    let seen: Vec<Array1<f64>> = groups.iter().map(|group| group.mean.clone()).collect();
    let seen = statistic(&seen, &weights, s);
    let mut generator = ChaCha20Rng::seed_from_u64(SEED);
    let mut at_least = 0_u32;
    for _ in 0..DRAWS {
        let mut drawn = |root: &Array2<f64>| {
            root.dot(&Array1::from_shape_simple_fn(s.len(), || StandardNormal.sample(&mut generator)))
        };
        let draw: Vec<Array1<f64>> = roots.iter().map(&mut drawn).collect();
        at_least += u32::from(statistic(&draw, &weights, s) >= seen);
    }
    Ok((seen, (1.0 + f64::from(at_least)) / (1.0 + f64::from(DRAWS))))
}

fn statistic(means: &[Array1<f64>], weights: &[Array1<f64>], s: &[f64]) -> f64 {
    let along = |(j, s): (usize, &f64)| {
        let pairs = || means.iter().zip(weights).map(|(mean, weight)| (mean[j], weight[j]));
        let common = pairs().map(|(mean, weight)| weight * mean).sum::<f64>() / pairs().map(|(_, w)| w).sum::<f64>();
        s * s * pairs().map(|(mean, weight)| weight * (mean - common).powi(2)).sum::<f64>()
    };
    s.iter().enumerate().map(along).sum()
}
