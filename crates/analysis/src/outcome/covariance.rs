//! What a regression tells of an outcome: its variance, its covariance with curves, and the curves given the other covariates.

use dpfda_mechanism::Release;
use dpfda_release::{DISTINCT, GroupSize, Mean, NoisyProducts, Regression, SecondMoments};
use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};

use crate::clipping::allowance;
use crate::error::AnalysisError;
use crate::estimated::of_regression::check_design;
use crate::posterior::Posterior;
use crate::posterior::observed::Observation;
use crate::psd::{inverse, outer};

/// The outcome `y` and the others `w`, the intercept among them, in products of standardised covariates and released coordinates `u` of curves.
///
/// ```text
/// gamma = S_ww^(-1) S_wy,   q = T^(-T) (e_y - sum gamma_w e_w),   f = N - |w|
/// v = q'A q / f,   sd_v = sqrt(2) s_A |q|^2 / f,      g = C'q / f  with white noise of standard deviation s_C |q| / f
/// ```
///
/// `A` and `C` are the noisy products of coded covariates `x = T a` with each other and with curves, `s` the standard deviations of their noise.
/// To first order the noise of `gamma` moves `v` by nothing, as `gamma` is best. In `g` it is noise along `w`: [`Self::noise_of_design`].
pub(super) struct OutcomeCovariance {
    mean: Mean,
    products: NoisyProducts,
    given: SecondMoments,
    /// `q / f`, and its length.
    form: Array1<f64>,
    /// `T^(-T) e_w`, a column each.
    others: Array2<f64>,
    /// `S_ww^(-1) S_wu`: of each of the others the coefficients of curves.
    coefficients: Array2<f64>,
    /// How far the pull on curves outside a bought ball may move the mean of all, in data units.
    clipping: f64,
    pub(super) beside: Vec<String>,
    /// `v`, of the outcome in half ranges.
    pub(super) variance: f64,
    pub(super) variance_sd: f64,
    /// Half of the range of the outcome.
    pub(super) half: f64,
}

impl OutcomeCovariance {
    pub(super) fn of(release: &Release<Regression>, name: &str) -> Result<Self, AnalysisError> {
        let statistic = release.statistic();
        let products = Regression::products(release);
        let given = products.moments.clone().ok_or(AnalysisError::NoOutcome)?;
        let is_outcome = |place: &usize| {
            let one = &statistic.covariates()[*place];
            one.name() == name && one.columns().len() == 1
        };
        let place = (0..statistic.covariates().len()).find(is_outcome).ok_or(AnalysisError::NoOutcome)?;
        let before: usize = statistic.covariates()[..place].iter().map(|one| one.columns().len()).sum();
        let (own, column) = (before + 1, &statistic.columns()[before]);
        let p = products.covariates.nrows();
        let others: Vec<usize> = (0..p).filter(|index| *index != own).collect();
        if others.len() > 1 {
            check_design(&products)?;
        }
        let freedom = products.records - others.len() as f64;
        // columns of the inverse of T' turn coded covariates into standardised ones
        let transform = &products.transform;
        let back = transform.dot(&inverse(&transform.t().dot(transform))?);
        let gram = back.t().dot(&products.covariates).dot(&back);
        let columns = back.select(Axis(1), &others);
        let of_others = inverse(&gram.select(Axis(0), &others).select(Axis(1), &others))?;
        let gamma = of_others.dot(&gram.column(own).select(Axis(0), &others));
        let q = &back.column(own) - &columns.dot(&gamma);
        let variance = q.dot(&products.covariates.dot(&q)) / freedom;
        let variance_sd = 2.0_f64.sqrt() * products.covariates_sd * q.dot(&q) / freedom;
        if !(freedom > 1.0 && variance > DISTINCT * variance_sd) {
            let [variance, sd] = [variance, variance_sd].map(|of_half_ranges| of_half_ranges * column.half.powi(2));
            return Err(AnalysisError::OutcomeHidden { what: "outcomes", variance, sd });
        }
        let coefficients = of_others.dot(&columns.t().dot(&products.cross));
        let (size, mean) = (GroupSize::only(products.records), statistic.mean().clone());
        let clipping = allowance(mean.bought(), mean.ball().radius(), 0, size, statistic.noise_trace());
        let names = statistic.covariates().iter().map(|one| one.name().to_owned());
        let found = Self {
            form: q / freedom,
            beside: names.filter(|one| one != name).collect(),
            half: column.half,
            mean,
            given,
            others: columns,
            coefficients,
            clipping,
            variance,
            variance_sd,
            products,
        };
        Ok(Self { given: found.given_others(&of_others), ..found })
    }

    /// The second moments of curves of which the other covariates explain nothing any more: what they explain beyond the mean is taken out.
    fn given_others(&self, of_others: &Array2<f64>) -> SecondMoments {
        let NoisyProducts { cross, cross_sd, records, .. } = &self.products;
        let (order, first) = (self.given.matrix.nrows(), self.others.column(0));
        let told = self.others.t().dot(cross);
        let mean = told.row(0).to_owned() / *records;
        // squares of noisy numbers are too large by their noise
        let of_told = of_others.dot(&self.others.t().dot(&self.others)).diag().sum() / records;
        let excess = cross_sd.powi(2) * (of_told - first.dot(&first) / records.powi(2));
        let start = |rows: &Array2<f64>| rows.slice_axis(Axis(1), Slice::from(..order)).to_owned();
        let explained = start(&told).t().dot(&start(&self.coefficients)) / *records;
        let of_mean = outer(&mean.slice_axis(Axis(0), Slice::from(..order)).to_owned());
        let beyond = explained - of_mean - Array2::<f64>::eye(order) * excess;
        let energy = (&told * &self.coefficients).sum() / records - mean.dot(&mean) - cross.ncols() as f64 * excess;
        SecondMoments { matrix: &self.given.matrix - beyond, total: self.given.total - energy, ..self.given.clone() }
    }

    /// The second moments of curves about the public centre, what the other covariates explain taken out.
    pub(super) fn moments(&self) -> SecondMoments {
        self.given.clone()
    }

    /// The noisy mean of all curves.
    pub(super) fn mean_of_curves(&self) -> Result<Observation, AnalysisError> {
        let NoisyProducts { cross, cross_sd, records, .. } = &self.products;
        let form = &self.others.column(0) / *records;
        let sd = cross_sd * form.dot(&form).sqrt();
        let observation = Observation::in_coordinates(&self.mean, cross.t().dot(&form), sd, *records)?;
        Ok(Observation { clipping: self.clipping, ..observation })
    }

    /// The noisy covariance of curves and outcome: within `sqrt(v)` times the radius of 0.
    pub(super) fn observation(&self) -> Result<Observation, AnalysisError> {
        let NoisyProducts { cross, cross_sd, records, .. } = &self.products;
        let sd = cross_sd * self.form.dot(&self.form).sqrt();
        let observation = Observation::in_coordinates(&self.mean, cross.t().dot(&self.form), sd, *records)?;
        let (center, sd) = (Array1::zeros(observation.center.len()), self.variance.sqrt());
        Ok(Observation { center, radius: observation.radius * sd, clipping: self.clipping * sd, ..observation })
    }

    /// The variance that the noise of the products of covariates adds to the covariance at each point of the grid.
    ///
    /// ```text
    /// s_A^2 (|q|^2 |r(t)|^2 + (q.r(t))^2) / f^2,    r(t) = sum_w T^(-T) e_w B_w(t)
    /// ```
    ///
    /// `B` is noisy: the variance is averaged over an eighth of the points about each.
    pub(super) fn noise_of_design(&self, posterior: &Posterior) -> Array1<f64> {
        let observation = posterior.observation();
        let roots = observation.unit_grid.weights().mapv(f64::sqrt);
        let along = self.others.dot(&self.coefficients);
        let variance = |r: ArrayView1<'_, f64>| {
            let square = self.form.dot(&self.form) * r.dot(&r) + self.form.dot(&r).powi(2);
            square * self.products.covariates_sd.powi(2)
        };
        let to_grid = |row: ArrayView1<'_, f64>| match &observation.map {
            None => &row / &roots,
            Some(map) => map.dot(&row.slice_axis(Axis(0), Slice::from(..map.ncols()))) / &roots,
        };
        let mut on_grid = Array2::zeros((along.nrows(), roots.len()));
        for (mut row, coordinates) in on_grid.rows_mut().into_iter().zip(along.rows()) {
            row.assign(&to_grid(coordinates));
        }
        smoothed(&on_grid.columns().into_iter().map(variance).collect())
    }
}

/// The average over the points near each.
fn smoothed(values: &Array1<f64>) -> Array1<f64> {
    let (points, reach) = (values.len(), values.len() / 16);
    let near = |i: usize| values.slice_axis(Axis(0), Slice::from(i.saturating_sub(reach)..(i + reach + 1).min(points)));
    (0..points).map(|i| near(i).sum() / near(i).len() as f64).collect()
}
