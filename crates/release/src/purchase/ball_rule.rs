//! From noisy answers to the ball that they call for: post-processing, and so public to the last step.

use dpfda_kernels::Domain;
use dpfda_privacy::{GaussianPrivacy, NestedRadius, Share};
use dpfda_smoothing::{Ball, Center};

use crate::purchase::bought::Bought;
use crate::purchase::coarse_center::coarse;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::{Distances, Weighing};

impl Bought {
    /// The stated ball about the centre that a noisy mean calls for: `noisy` in isonormal coordinates `sqrt(w_i) (Y - c)(t_i)`, with
    /// independent noise of standard deviation `sd`. The centre lies in the stated ball, because the mean of the bounded curves does.
    ///
    /// `None` for a domain that the stated centre does not fit.
    pub fn centered_ball(stated: &Ball, grid: &impl Domain, noisy: &[f64], sd: f64) -> Option<Ball> {
        let deviation = coarse(&grid.unit_axes().ok()?, noisy, sd, stated.radius());
        let length = deviation.iter().map(|z| z * z).sum::<f64>().sqrt();
        let factor = if length > stated.radius() { stated.radius() / length } else { 1.0 };
        let center = stated.center_at(grid).ok()?;
        let weights = grid.unit_weights().ok()?;
        let points = center.iter().zip(&deviation).zip(&weights);
        let values = points.map(|((c, z), w)| stated.clamp(c + factor * z / w.sqrt())).collect();
        stated.moved(Center::Curve(values), stated.radius()).ok()
    }

    /// The radius that the noisy counts of [`Norms`] call for, at the privacy of the whole budget, of which the counts have a share; `sizes` are
    /// the numbers of records of the groups that are counted apart, where they are public.
    pub fn narrowed(
        counts: &[i64],
        sizes: &[Option<u64>],
        weighing: &Weighing,
        whole: GaussianPrivacy,
        share: Share,
    ) -> NestedRadius {
        distances(counts, sizes, whole, share).radius(weighing)
    }

    /// The ball of the same centre and of this radius; `None` for one so small that it is lost in rounding.
    pub fn narrowed_ball(centered: &Ball, radius: NestedRadius) -> Option<Ball> {
        centered.moved(centered.center().clone(), radius.of(centered.radius())).ok()
    }
}

/// Noisy counts with the numbers that they are read by.
pub(crate) fn distances(counts: &[i64], sizes: &[Option<u64>], whole: GaussianPrivacy, share: Share) -> Distances {
    let sizes = sizes.iter().map(|size| size.map(|size| size as f64)).collect();
    Distances::new(&Norms::counts(counts), sizes, whole.mu(), whole.share(share).mu())
}
