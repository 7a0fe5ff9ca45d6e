//! The mean surface of a population.

use dpfda_kernels::SurfaceGrid;
use dpfda_mechanism::rounded;
use ndarray::{Array1, Array2, ArrayView2, Ix2};

use crate::band::Band;
use crate::band::critical::sidak;
use crate::band::process::SMOOTHING;
use crate::error::{AnalysisError, check_level};
use crate::estimate::{Estimate, PointEstimate, kernel_in_words};
use crate::population::{Population, Spread};
use crate::surfaces::surface_axis::bilinear;
use crate::surfaces::surface_posterior::SurfacePosterior;
use crate::uncertain::Uncertain;

impl SurfacePosterior {
    /// The standard deviation of the mean of other people, where the posterior and the sampling of people have these. The pull of a bought ball
    /// is in it as in the band of curves.
    fn population_sd(&self, posterior_sd: f64, sampling_sd: f64) -> f64 {
        posterior_sd.hypot(sampling_sd).hypot(self.clipping())
    }

    /// The same at the points of the grid.
    fn population_sds(&self) -> Array2<f64> {
        let mut sds = self.sd().to_owned();
        sds.zip_mut_with(&self.sampling().sd, |sd, sampling| *sd = self.population_sd(*sd, *sampling));
        sds
    }

    /// The standard deviation of everything that a band for the population covers, where the posterior has this one; that of sampling is linear
    /// along each axis between the points of the grid.
    fn population_sd_at(&self, posterior_sd: f64, at: (f64, f64)) -> f64 {
        let sampling = bilinear(self.grid().axes(), self.sampling().sd.view(), at);
        self.population_sd(posterior_sd, sampling)
    }
}

impl Population for SurfacePosterior {
    type Point = (f64, f64);
    type Grid = SurfaceGrid;
    type Dimension = Ix2;
    type Posterior = Self;
    const NOISE: &'static str = "the privacy noise alone, at most";

    fn grid(&self) -> &SurfaceGrid {
        self.grid()
    }

    fn posterior(&self) -> &Self {
        self
    }

    fn radius(&self) -> f64 {
        self.radius()
    }

    fn records(&self) -> f64 {
        self.records()
    }

    /// ```text
    /// half-width = c sd(s, t),    sd^2 = posterior variance + Sigma / N + E^2 for the population,    n the number of points
    /// c = 1.06 Sidak_n for the population, Sidak_n otherwise
    /// Sigma from the private second moments of the release, or tau^2 everywhere
    /// E as in the band of curves where a radius was bought, 0 in a stated ball
    /// ```
    ///
    /// Sidak's value holds whatever the correlations are (`docs/proofs/surfaces.md`).
    fn estimate(&self, band: &Band, level: f64) -> Result<Estimate<(f64, f64)>, AnalysisError> {
        check_level(level)?;
        match band {
            Band::Population if self.records() < 2.0 => {
                return Err(AnalysisError::TooFewRecords { band: band.name(), records: self.records() });
            }
            Band::Population | Band::Posterior | Band::Noise => {}
            other => return Err(AnalysisError::BandOfSurface { band: other.name() }),
        }
        let smoothing = if *band == Band::Population { SMOOTHING } else { 1.0 };
        let critical = smoothing * sidak(self.grid().len(), 1.0 - level);
        let [s, t] = self.grid().axes();
        let row = t.points();
        let list = |of: ArrayView2<'_, f64>| of.iter().copied().collect::<Array1<f64>>();
        let (values, posterior_sd, noise_sd) = (list(self.values()), list(self.sd()), list(self.noise_sd()));
        let half = critical
            * match band {
                Band::Noise => noise_sd.clone(),
                Band::Posterior => posterior_sd.clone(),
                _ => list(self.population_sds().view()),
            };
        Ok(Estimate {
            at: s.points().iter().flat_map(|s| row.iter().map(move |t| (*s, *t))).collect(),
            lower: &values - &half,
            upper: &values + &half,
            values,
            posterior_sd,
            noise_sd,
            band: band.clone(),
            level,
            target: band.target(),
            critical,
        })
    }

    /// Between the points of the grid, `noise_sd` is linear along each axis.
    fn at(
        &self,
        estimate: &Estimate<(f64, f64)>,
        points: &[(f64, f64)],
    ) -> Result<Vec<PointEstimate<(f64, f64)>>, AnalysisError> {
        let each = points.iter().zip(self.at(points)?).map(|(&at, Uncertain { value, sd: posterior_sd })| {
            let noise_sd = bilinear(self.grid().axes(), self.noise_sd(), at);
            let sd = match estimate.band {
                Band::Noise => noise_sd,
                Band::Posterior => posterior_sd,
                _ => self.population_sd_at(posterior_sd, at),
            };
            let half = estimate.critical * sd;
            PointEstimate { at, value, posterior_sd, noise_sd, lower: value - half, upper: value + half }
        });
        Ok(each.collect())
    }

    fn method(&self, _: &Band) -> String {
        let ([s, t], weight) = self.leading_kernels();
        let percent = rounded((100.0 * weight).round());
        let [s, t] = [s, t].map(|kernel| kernel_in_words(kernel, " of range"));
        format!(
            "posterior mean of a Gaussian process with a kernel for each axis; most weight ({percent}%): {s} along s, {t} along t"
        )
    }

    fn promise(&self, band: &Band) -> String {
        let promise = match band {
            Band::Noise => {
                "The band shows how far the privacy noise may have moved the estimate, at all points at once. It does not say how far the \
                 mean may be from the estimate: smoothing and sampling are not in it."
            }
            Band::Posterior => {
                "The band holds the mean of these very people at all points of the grid at once, if the prior describes it: privacy noise \
                 and smoothing are in it. It says nothing about other people."
            }
            _ => {
                "The band holds the mean of the population at all points of the grid at once, if the prior describes it: privacy noise, \
                 smoothing and sampling are in it."
            }
        };
        let sampling = match band {
            Band::Noise | Band::Posterior => "",
            _ if self.sampling().is_told => " The sampling part comes from the private second moments in this release.",
            _ => {
                " The sampling part assumes the largest variance that the radius allows, spread evenly over the rectangle."
            }
        };
        format!("{promise}{sampling}")
    }

    fn error_relative_to_the_centre(&self) -> f64 {
        self.error_relative_to_the_centre()
    }

    fn tells_mean_and_centre_apart(&self) -> bool {
        self.tells_mean_and_centre_apart()
    }

    fn allowance(&self) -> f64 {
        self.clipping()
    }

    fn quantity(&self) -> &'static str {
        "of surfaces"
    }

    fn shares_noise_with(&self, other: &Self) -> bool {
        self.has_coordinates_of(other)
    }

    fn minus(&self, other: &Self, level: f64) -> Result<Spread<Ix2>, AnalysisError> {
        let mut sd = self.population_sds();
        sd.zip_mut_with(&other.population_sds(), |sd, other| *sd = sd.hypot(*other));
        let critical = SMOOTHING * sidak(self.grid().len(), 1.0 - level);
        Ok(Spread { values: &self.values() - &other.values(), sd, critical })
    }

    fn minus_at(&self, other: &Self, _: &Spread<Ix2>, points: &[(f64, f64)]) -> Result<Vec<Uncertain>, AnalysisError> {
        let pairs = self.at(points)?.into_iter().zip(other.at(points)?).zip(points);
        let minus = |((one, two), at): ((Uncertain, Uncertain), &(f64, f64))| Uncertain {
            value: one.value - two.value,
            sd: self.population_sd_at(one.sd, *at).hypot(other.population_sd_at(two.sd, *at)),
        };
        Ok(pairs.map(minus).collect())
    }
}
