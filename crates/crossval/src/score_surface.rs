//! A score for every candidate, and the candidate with the smallest score.

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, GridError, Kernel, KernelError, Spectrum, SpectrumError};
use dpfda_smoothing::{PenalizedMean, PenaltyError};
use ndarray::{Array2, Array3, ArrayView1, ArrayView3, Axis};
use thiserror::Error;

use crate::candidates::{Candidates, Position};
use crate::progress::Progress;

#[cfg(test)]
#[path = "score_surface_tests.rs"]
mod tests;

/// Why candidates could not be scored.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SurfaceError {
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    #[error("the scores of one spectrum must be penalties x powers = {} x {}, got {} x {}", wanted.0, wanted.1, found.0, found.1)]
    Shape { wanted: (usize, usize), found: (usize, usize) },
    #[error("no candidate has a finite score: the values are too large for double precision")]
    NotFinite,
}

/// A parameter whose best value is at an end of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The smallest range of its kernel.
    LeastRange,
    /// The largest range of its kernel.
    LargestRange,
    /// The smallest penalty.
    LeastPenalty,
    /// The largest penalty.
    LargestPenalty,
    /// The largest power.
    LargestPower,
}

/// The scores of all candidates. A smaller score is better. The function that makes a surface says what its score
/// means.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreSurface {
    candidates: Candidates,
    /// One for each kernel: `ranges x penalties x powers`.
    scores: Vec<Array3<f64>>,
    optimum: Position,
    chosen: PenalizedMean,
}

impl ScoreSurface {
    /// Scores all candidates, one spectrum at a time; `score` turns the shrinkage factors of all penalties and powers,
    /// `penalties x powers x rank`, into their scores, `penalties x powers`.
    pub fn over(
        candidates: &Candidates,
        unit_grid: &Grid,
        progress: Option<&dyn Fn(Progress)>,
        mut score: impl FnMut(&Spectrum<Kernel>, ArrayView3<'_, f64>) -> Array2<f64>,
    ) -> Result<Self, SurfaceError> {
        let mut done = 0;
        let mut scores = Vec::with_capacity(candidates.families().len());
        for family in candidates.families() {
            let shape = (family.ranges().len(), candidates.penalties().len(), candidates.powers().len());
            let mut block = Array3::zeros(shape);
            for (&range, mut plane) in family.ranges().iter().zip(block.axis_iter_mut(Axis(0))) {
                let kernel = family.name().with_range(range)?;
                let spectrum = Spectrum::for_smoothing(kernel, unit_grid.clone(), DEFAULT_TOLERANCE)?;
                let shrinkages = shrinkages(candidates, &spectrum)?;
                let (wanted, scores) = (plane.dim(), score(&spectrum, shrinkages.view()));
                if scores.dim() != wanted {
                    return Err(SurfaceError::Shape { wanted, found: scores.dim() });
                }
                plane.assign(&scores);
                done += 1;
                if let Some(report) = progress {
                    report(Progress { done, total: candidates.spectra() });
                }
            }
            scores.push(block);
        }
        let optimum = optimum(&scores).ok_or(SurfaceError::NotFinite)?;
        let chosen = candidates.smoother(optimum).ok_or(SurfaceError::NotFinite)?;
        Ok(Self { candidates: candidates.clone(), scores, optimum, chosen })
    }

    /// The candidates.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The scores of one kernel, `ranges x penalties x powers`; `None` if there is no such kernel.
    pub fn scores(&self, family: usize) -> Option<ArrayView3<'_, f64>> {
        self.scores.get(family).map(|block| block.view())
    }

    /// The score of one candidate; `None` if there is no such position.
    pub fn score(&self, at: Position) -> Option<f64> {
        self.scores.get(at.family)?.get((at.range, at.penalty, at.power)).copied()
    }

    /// The position of the smallest score; the first position if there are several.
    pub fn optimum(&self) -> Position {
        self.optimum
    }

    /// The position of the smallest score of one kernel; `None` if there is no such kernel, or no finite score.
    pub fn optimum_of(&self, family: usize) -> Option<Position> {
        least(self.scores.get(family)?).map(|(range, penalty, power, _)| Position { family, range, penalty, power })
    }

    /// The smallest score.
    pub fn least(&self) -> f64 {
        self.score(self.optimum).unwrap_or(f64::NAN)
    }

    /// The candidate with the smallest score.
    pub fn chosen(&self) -> &PenalizedMean {
        &self.chosen
    }

    /// The parameters of a candidate that lie at the end of their lists. A wider search might find a better value.
    ///
    /// A list of one value does not count, because nothing was searched. A power of 1 does not count, because it is the
    /// smallest possible power.
    pub fn edges(&self, at: Position) -> Vec<Edge> {
        let ranges = self.candidates.families().get(at.family).map_or(0, |family| family.ranges().len());
        let ends = |place: usize, count: usize| (count > 1 && place == 0, count > 1 && place + 1 == count);
        let (least_range, largest_range) = ends(at.range, ranges);
        let (least_penalty, largest_penalty) = ends(at.penalty, self.candidates.penalties().len());
        let (_, largest_power) = ends(at.power, self.candidates.powers().len());
        let all = [
            (least_range, Edge::LeastRange),
            (largest_range, Edge::LargestRange),
            (least_penalty, Edge::LeastPenalty),
            (largest_penalty, Edge::LargestPenalty),
            (largest_power, Edge::LargestPower),
        ];
        all.into_iter().filter(|(on, _)| *on).map(|(_, edge)| edge).collect()
    }

    /// The candidates that differ from this one by one step in range or penalty, with the same kernel and power. There
    /// are at most four.
    pub fn neighbours(&self, at: Position) -> Vec<Position> {
        let step = |place: usize, by: isize| place.checked_add_signed(by);
        let moved = [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(|(by_range, by_penalty)| {
            Some(Position { range: step(at.range, by_range)?, penalty: step(at.penalty, by_penalty)?, ..at })
        });
        moved.filter(|&place| self.score(place).is_some()).collect()
    }
}

fn shrinkages(candidates: &Candidates, spectrum: &Spectrum<Kernel>) -> Result<Array3<f64>, PenaltyError> {
    let (penalties, powers) = (candidates.penalties(), candidates.powers());
    let mut shrinkages = Array3::zeros((penalties.len(), powers.len(), spectrum.rank()));
    for (&penalty, mut plane) in penalties.iter().zip(shrinkages.outer_iter_mut()) {
        for (&power, mut row) in powers.iter().zip(plane.rows_mut()) {
            let smoother = PenalizedMean::new(spectrum.kernel().clone(), penalty, power)?;
            row.assign(&smoother.shrinkages(spectrum.eigenvalues()));
        }
    }
    Ok(shrinkages)
}

/// Applies a score to the shrinkage factors of each candidate.
pub(crate) fn each(shrinkages: ArrayView3<'_, f64>, score: impl FnMut(ArrayView1<'_, f64>) -> f64) -> Array2<f64> {
    shrinkages.map_axis(Axis(2), score)
}

fn optimum(scores: &[Array3<f64>]) -> Option<Position> {
    let found = scores.iter().enumerate().filter_map(|(family, block)| {
        least(block).map(|(range, penalty, power, score)| (Position { family, range, penalty, power }, score))
    });
    // the first of equal ones, as `min_by` keeps it
    found.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(position, _)| position)
}

/// The position and value of the smallest finite score.
fn least(block: &Array3<f64>) -> Option<(usize, usize, usize, f64)> {
    let finite = block.indexed_iter().filter(|(_, score)| score.is_finite());
    finite.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|((i, j, k), &score)| (i, j, k, score))
}
