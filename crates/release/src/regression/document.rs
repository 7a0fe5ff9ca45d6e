//! What a released regression says, and its document.

use dpfda_mechanism::{Documented, Mechanism, ReadError, Release, close, demand};
use dpfda_privacy::{LATTICE_BITS, Law, NeighbouringRelation, PrivacyUnit, rounding_of_record};
use dpfda_smoothing::Ball;
use ndarray::{Array2, Axis, Slice};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::mean::check_bought;
use crate::mean::second_moments::{Directions, NoiseSds, SecondMoments};
use crate::purchase::in_ball::InBall;
use crate::regression::Regression;
use crate::regression::covariate::Covariate;

/// What a regression is computed from, for covariates `x = T a`: `a` are standardised, 1 for the intercept, from -1 to 1 for the others. In
/// units of the data, sums over records. The coefficients of `a` are `T'` times those of `x`.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyProducts {
    /// `A = X'X + noise`, `p x p`, the intercept first; where the number of records is public, that entry is exact. Of a public design
    /// there is no noise in it.
    pub covariates: Array2<f64>,
    /// `T`, `p x p`, see [`Regression::transform`].
    pub transform: Array2<f64>,
    /// The standard deviation of a product of two covariates, noise and rounding as for `cross`; the noise of a square has `sqrt(2)` times that
    /// of a product.
    pub covariates_sd: f64,
    /// The weights `R` of a public design, `p x p`: the coefficients are `R` times `cross`. `None` where they are `A^(-1)` times it.
    pub root: Option<Array2<f64>>,
    /// `C = X'U + noise`, or `W'U + noise` of a public design, `p x n`, with the released coordinates `U` of curves: `sqrt(w) (Y - c)` at the
    /// points of the grid, or those of a half norm.
    pub cross: Array2<f64>,
    /// The standard deviation of an entry of `cross`: that of the noise, with what the rounding of records adds.
    pub cross_sd: f64,
    /// What `C` tells along `B`, `p x K`.
    pub along: Array2<f64>,
    /// The covariance of the noise of a row of it, for a noise of 1 in each entry of `C`: `K x K`.
    pub along_noise: Array2<f64>,
    /// `B'Z'ZB + noise`, `K x K`, with `Z = sqrt(w) (Y - c)`.
    pub curves: Array2<f64>,
    /// `B`, `n x K`, orthonormal.
    pub basis: Array2<f64>,
    /// The second moments of all curves about the public centre, whatever their covariates. `None` where the energy of curves was not told:
    /// of a public design, and in documents of earlier versions.
    pub moments: Option<SecondMoments>,
    /// The number of records: public, or what the noisy square of the intercept says, at least 1.
    pub records: f64,
}

/// A variance below so many standard deviations of its noise is not told from 0.
pub const DISTINCT: f64 = 2.0;

impl Regression {
    /// The fewest people of whom an outcome is released, where their number is public: of fewer, no variance that the range of the outcome
    /// allows is [told from 0](DISTINCT).
    ///
    /// ```text
    /// v <= 1 in squared half ranges,    sd of its noise >= sqrt2 o / (N (T'T)_uu),    o the sd of the noise of a product, u the outcome
    /// ```
    pub fn least_records(mechanism: &Mechanism<Self>) -> Option<u64> {
        let statistic = mechanism.statistic();
        let before = |one: &&Covariate| Some(one.name()) != statistic.outcome();
        let own = 1 + statistic.covariates().iter().take_while(before).map(|one| one.columns().len()).sum::<usize>();
        let length = statistic.transform().t().dot(statistic.transform());
        let length = statistic
            .outcome()
            .and_then(|_| length.get((own, own)))
            .filter(|_| mechanism.terms().has_public_records())?;
        // of the products of two covariates, of which the noise of a square is the larger by the root of 2
        let of_square = mechanism.noise().variance(0).sqrt() * statistic.covariate_step().powi(2);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of people; what is too large saturates"
        )]
        let least = (DISTINCT * of_square / length).floor() as u64 + 1;
        Some(least)
    }

    /// The noisy products, in units of the data.
    pub fn products(release: &Release<Self>) -> NoisyProducts {
        let (statistic, mean) = (release.statistic(), release.statistic().mean());
        let lengths = statistic.gram_ball().lengths();
        let [squares, pairs, cross, first, above, energy] = lengths;
        let (step, data_step) = (statistic.covariate_step(), mean.lattice_step());
        let p = statistic.gram_ball().covariates();
        let numbers = |from: usize, length: usize, unit: f64| {
            release.coordinates().iter().skip(from).take(length).map(move |k| *k as f64 * unit)
        };
        // a block without entries has no noise either
        let sd = |block: usize| {
            let place = lengths[..block].iter().filter(|length| **length > 0).count();
            release.noise().variance(place).sqrt()
        };
        let public = statistic.public_design();
        let covariates = public.map_or_else(
            || symmetric(p, numbers(0, squares, step * step), numbers(squares, pairs, step * step)),
            |design| design.gram().clone(),
        );
        let transform = statistic.transform();
        // the first covariate of a record is the first entry of T, whoever it is
        let (covariates, records) = with_records(covariates, transform[[0, 0]].powi(2), release.public_records());
        let rounding = statistic.rounding(release.unit());
        let of_design = sd(0) / 2.0_f64.sqrt();
        let covariates_sd =
            public.map_or_else(|| of_design.hypot(records * rounding.covariates) * step * step, |_| 0.0);
        let start = squares + pairs;
        let n = cross / p;
        let of_cross: Vec<f64> = numbers(start, cross, step * data_step).collect();
        let start = start + cross;
        let squared_step = data_step * data_step;
        let unit = squared_step / mean.length_of_basis().powi(2);
        let cross = Array2::from_shape_fn((p, n), |(j, i)| of_cross[j * n + i]);
        let curves = symmetric(first, numbers(start, first, unit), numbers(start + first, usize::MAX, unit));
        let directions = Directions::of(mean, first);
        let moments = (energy > 0).then(|| {
            let missing = numbers(start + first + above, 1, squared_step / records).sum();
            let sds = NoiseSds {
                off_diagonal: sd(4) * unit / records,
                diagonal: sd(3) * unit / records,
                energy: sd(5) * squared_step / records,
            };
            let averages = (&curves / records, missing);
            SecondMoments::of_averages(mean, release.unit(), directions.clone(), averages, sds)
        });
        let Directions { basis, to_basis, .. } = directions;
        let (along, along_noise, curves) = match to_basis {
            None => (cross.dot(&basis), Array2::eye(first), curves),
            Some(map) => (
                cross.slice_axis(Axis(1), Slice::from(..first)).dot(&map.t()),
                map.dot(&map.t()),
                map.dot(&curves).dot(&map.t()),
            ),
        };
        NoisyProducts {
            covariates,
            transform: transform.clone(),
            covariates_sd,
            root: public.map(|design| design.root().clone()),
            cross,
            cross_sd: sd(2).hypot(records * rounding.cross) * step * data_step,
            along,
            along_noise,
            curves,
            basis,
            moments,
            records,
        }
    }
}

/// How far rounding moves the products of a record at most, in squared lattice steps: a bound on the Frobenius norm.
pub(crate) struct Rounding {
    pub(crate) covariates: f64,
    pub(crate) cross: f64,
}

impl Regression {
    /// ```text
    /// |e e' - x x'| <= 2 R rho_x,    |e f' - x z'| <= R (rho_x + coarseness rho_z)
    /// ```
    ///
    /// for `e`, `f` the integers of `x`, `z` ([`rounding_of_record`]; the coarseness is that of a bought radius). The proof is on the page
    /// `docs/proofs/regression.md`.
    pub(crate) fn rounding(&self, unit: PrivacyUnit) -> Rounding {
        let radius = f64::from(1_u32 << LATTICE_BITS);
        let of_covariates = rounding_of_record(self.gram_ball().covariates(), unit);
        let cross = radius * (of_covariates + self.mean().rounding(unit));
        Rounding { covariates: 2.0 * radius * of_covariates, cross }
    }
}

impl Documented for Regression {
    type Derived = RegressionDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> RegressionDerived {
        RegressionDerived::of(release)
    }

    fn consistent(release: &Release<Self>, derived: &RegressionDerived) -> Result<(), ReadError> {
        demand("noise.law", matches!(release.mechanism().law(), Law::Gaussian { .. }))?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        demand("statistic.mean.ball.bounds", release.mechanism().statistic().mean().is_of_its_bounds())?;
        if let Some(design) = release.statistic().public_design() {
            demand("statistic.design", release.neighbours() == NeighbouringRelation::SubstituteOne)?;
            demand("statistic.design.records", release.public_records() == Some(design.records()))?;
            // the first column of a regression's design is 1
            let counted = design.gram()[[0, 0]];
            demand("statistic.design.gram", close(counted, design.records() as f64, counted))?;
        }
        derived.check(release)
    }
}

/// With the public number of records in place of its noisy square, in which each record has `part`, and that number: public, or what the
/// square says, at least 1.
fn with_records(mut covariates: Array2<f64>, part: f64, public: Option<u64>) -> (Array2<f64>, f64) {
    let records = public.map_or(covariates[[0, 0]] / part, |records| records as f64).max(1.0);
    if public.is_some() {
        covariates[[0, 0]] = part * records;
    }
    (covariates, records)
}

/// A symmetric matrix from its diagonal and what stands above the diagonal, row by row.
fn symmetric(order: usize, diagonal: impl Iterator<Item = f64>, mut above: impl Iterator<Item = f64>) -> Array2<f64> {
    let mut matrix = Array2::zeros((order, order));
    for (i, entry) in diagonal.enumerate() {
        matrix[[i, i]] = entry;
    }
    for i in 0..order {
        for j in i + 1..order {
            let entry = above.next().unwrap_or(0.0);
            matrix[[i, j]] = entry;
            matrix[[j, i]] = entry;
        }
    }
    matrix
}

/// The design and the noise, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionDerived {
    /// Where the radius was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    records: f64,
    /// The columns of the design, the intercept first.
    columns: Vec<String>,
    covariates_sd: f64,
    cross_sd: f64,
}

impl RegressionDerived {
    fn of(release: &Release<Regression>) -> Self {
        let NoisyProducts { records, covariates_sd, cross_sd, .. } = Regression::products(release);
        let named = release.statistic().columns().iter().map(|column| column.name.clone());
        let columns = std::iter::once("intercept".to_owned()).chain(named).collect();
        let ball = release.statistic().bought().map(|_| release.statistic().ball().clone());
        Self { ball, records, columns, covariates_sd, cross_sd }
    }

    fn check(&self, release: &Release<Regression>) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        demand("derived.columns", self.columns == derived.columns)?;
        demand("derived.records", same(self.records, derived.records))?;
        let sds = same(self.covariates_sd, derived.covariates_sd) && same(self.cross_sd, derived.cross_sd);
        demand("derived.covariates_sd", sds)
    }
}
