//! Synthetic curves: any number of them, from one release.

use dpfda_kernels::Grid;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::components::{Components, ComponentsError, MOST_VALUES, ModelCovariance};
use crate::psd::square_root;
use crate::sampling::trace;

/// Gaussian curves with the mean and the covariance of a release. Drawing them costs no privacy.
///
/// ```text
/// X = mean + Phi xi,    xi ~ N(0, C + F),    F = (T - tr C)+ (I - VV') Lambda (I - VV') / tr
/// ```
///
/// `Phi` holds the public functions, `C` the capped covariance of [`Components`], `V` its eigenvectors within the rank, `Lambda` the
/// eigenvalues of the public kernel. `F` gives the curves the rest of the total variance in a public shape.
///
/// The curves have the first two moments of the release. Their Gaussian shape is an assumption: skewness, outliers, groups and
/// bounds of the real curves are not learnt. They suit power calculations, teaching, and programs that are written before the
/// data may be seen. Statistics computed from them do not show the privacy error: more synthetic curves do not make a result more
/// certain.
///
/// # Examples
/// ```
/// # use dpfda_analysis::{Band, Components, DEFAULT_LEVEL, Estimated};
/// use dpfda_analysis::SyntheticCurves;
/// use rand::{SeedableRng, rngs::ChaCha20Rng};
/// # use dpfda_kernels::Grid;
/// # use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// # use dpfda_release::{Mean, PrivateMean};
/// # use dpfda_smoothing::{Ball, Center, CurveSet};
/// # use ndarray::Array2;
/// # let wave = |i: usize, k: usize| 0.5 + 0.02 * (i % 11) as f64 * (k as f64 / 9.0).sin() - 0.1 * (k as f64 / 9.0).sin();
/// # let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 40)?, Array2::from_shape_fn((5000, 40), |(i, k)| wave(i, k)))?;
/// # let private_mean = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.2)?, PrivacyBudget::new(2.0, 1e-5)?);
/// # let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
/// # let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
/// // `estimated` is the estimate of a release with second moments
/// let synthetic = SyntheticCurves::new(&Components::new(estimated.population())?)?.clipped(0.0, 1.0)?;
/// let curves = synthetic.draw(1000, &mut ChaCha20Rng::seed_from_u64(1))?;
/// assert_eq!(curves.dim(), (1000, 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SyntheticCurves {
    grid: Grid,
    mean: Array1<f64>,
    /// `n x D`: a draw is the mean plus this times standard normals.
    root: Array2<f64>,
    clip: Option<(f64, f64)>,
}

impl SyntheticCurves {
    /// The Gaussian process of components.
    pub fn new(components: &Components) -> Result<Self, ComponentsError> {
        if !components.is_total_variance_distinct() {
            let (total, sd) = (components.total_variance(), components.total_variance_sd());
            return Err(ComponentsError::Indistinct { total, sd });
        }
        let model = &components.covariance;
        let covariance = &model.capped + &remainder(model, components.total_variance());
        Ok(Self {
            grid: components.grid().clone(),
            mean: components.mean().to_owned(),
            root: model.functions.dot(&square_root(&covariance)?),
            clip: None,
        })
    }

    /// The same with every value moved into public bounds.
    pub fn clipped(mut self, lower: f64, upper: f64) -> Result<Self, ComponentsError> {
        if !(lower.is_finite() && upper.is_finite() && lower < upper) {
            return Err(ComponentsError::Clip { lower, upper });
        }
        self.clip = Some((lower, upper));
        Ok(self)
    }

    /// The points that the curves are drawn at.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The mean of the process, before values are clipped.
    pub fn mean(&self) -> ArrayView1<'_, f64> {
        self.mean.view()
    }

    /// The covariance of the process between the grid's points, `n x n`, before values are clipped.
    pub fn covariance(&self) -> Array2<f64> {
        self.root.dot(&self.root.t())
    }

    /// Curves at the grid's points, a row each. The generator need not be secret: curves are functions of the release.
    pub fn draw<R: Rng + ?Sized>(&self, count: usize, randomness: &mut R) -> Result<Array2<f64>, ComponentsError> {
        let most = MOST_VALUES / self.grid.len().max(self.root.ncols());
        if !(1..=most).contains(&count) {
            return Err(ComponentsError::Curves { found: count, most });
        }
        let mut normals = Array2::zeros((count, self.root.ncols()));
        normals.iter_mut().for_each(|x| *x = StandardNormal.sample(randomness));
        let mut curves = normals.dot(&self.root.t()) + &self.mean;
        if let Some((lower, upper)) = self.clip {
            curves.mapv_inplace(|value| value.clamp(lower, upper));
        }
        Ok(curves)
    }
}

/// The rest of the total variance in the shape of the public kernel, outside the eigenfunctions within the rank.
fn remainder(model: &ModelCovariance, total: f64) -> Array2<f64> {
    let size = model.kernel.len();
    let left = total - trace(&model.capped);
    let outside = Array2::eye(size) - model.retained.dot(&model.retained.t());
    let shape = (&outside * &model.kernel.view().insert_axis(Axis(0))).dot(&outside);
    let whole = trace(&shape);
    if left > 0.0 && whole > 1e-12 * model.kernel.sum() { shape * (left / whole) } else { Array2::zeros((size, size)) }
}
