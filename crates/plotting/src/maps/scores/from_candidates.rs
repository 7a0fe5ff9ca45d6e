//! From the scores of candidates to the panels of a heat map.

use dpfda_crossval::ScoreSurface;
use ndarray::{ArrayView3, Axis};

use crate::canvas::numbers::exact;
use crate::error::FigureError;
use crate::maps::scores::SurfacePanel;
use crate::mean::from_release::kernel_caption;

#[cfg(test)]
#[path = "from_candidates_tests.rs"]
mod tests;

impl SurfacePanel {
    /// A panel for each kernel: ranges to the right, penalties upwards, at the power that is best for the kernel.
    pub fn of_kernels(surface: &ScoreSurface) -> Result<Vec<Self>, FigureError> {
        let scored = (0..surface.candidates().families().len()).filter_map(|i| Some((i, surface.scores(i)?)));
        scored.map(|(family, scores)| Self::of_kernel(surface, family, scores)).collect()
    }

    fn of_kernel(surface: &ScoreSurface, family: usize, scores: ArrayView3<'_, f64>) -> Result<Self, FigureError> {
        let candidates = surface.candidates();
        let (kernel, powers) = (&candidates.families()[family], candidates.powers());
        let power = surface.optimum_of(family).map_or(0, |best| best.power);
        let mut label = kernel_caption(kernel.name());
        if powers.len() > 1 {
            label = format!("{label}, power {}", exact(powers[power]));
        }
        let plane = scores.index_axis(Axis(2), power).reversed_axes().to_owned();
        Self::new(&label, kernel.ranges().to_vec(), candidates.penalties().to_vec(), plane)
    }
}
