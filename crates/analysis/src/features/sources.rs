//! Whatever has a curve gives its features by one function.

use dpfda_kernels::{Cell, Grid};
use ndarray::{Array1, Array2, ArrayView1};

use super::{Features, Shown, Spread};
use crate::band::Target;
use crate::band::process::{beyond_the_posterior, multiply_deviations, widened};
use crate::difference::Difference;
use crate::error::AnalysisError;
use crate::estimated::means::Banded;
use crate::population::{Population, PopulationMean};
use crate::surfaces::surface_posterior::SurfacePosterior;

/// Curves are taken to be linear between this many points at least.
const FEWEST_POINTS: usize = 128;

/// A value with the ends of its band.
type Ends = (f64, f64, f64);

impl Banded<PopulationMean> {
    /// The slopes, areas and the maximum of this mean. Slopes and areas are about the mean of the people in the release where the band is
    /// about them or about the noise alone, otherwise about the mean of the population, and always of the posterior mean. The maximum
    /// follows from the band, whichever it is.
    pub fn features(&self) -> Result<Features, AnalysisError> {
        let (population, band) = (self.population(), self.estimate());
        let grid = population.grid();
        let points = curve_points(population);
        let target = match band.target {
            Target::SampleMean | Target::EstimateWithoutNoise => Target::SampleMean,
            Target::PopulationMean | Target::SmoothedPopulationMean | Target::NewPerson | Target::MostPeople => {
                Target::PopulationMean
            }
            Target::PopulationCentile => Target::PopulationCentile,
            Target::PopulationCorrelation => Target::PopulationCorrelation,
        };
        let at = |points: &[f64]| -> Result<Vec<Ends>, AnalysisError> {
            Ok(self.at(points)?.iter().map(|point| (point.value, point.lower, point.upper)).collect())
        };
        Ok(Features {
            grid: grid.clone(),
            target,
            level: band.level,
            points: population.posterior().support(),
            mean: population.posterior().evaluate(&points)?,
            spread: Spread::Covariance(covariance(population, &points, target)?),
            knots: Array1::from(points),
            shown: shown(grid, [&band.values, &band.lower, &band.upper], band.target, at)?,
        })
    }
}

impl Difference<'_, PopulationMean> {
    /// The slopes, areas and the maximum of this difference, about the populations.
    pub fn features(&self) -> Result<Features, AnalysisError> {
        let [first, second] = self.sides;
        let (grid, target) = (self.grid(), Target::PopulationMean);
        let points = curve_points(first);
        let [one, other] = self.sides.map(|side| covariance(side, &points, target));
        let at = |points: &[f64]| -> Result<Vec<Ends>, AnalysisError> {
            Ok(self.at(points)?.iter().map(|number| (number.value, number.lower, number.upper)).collect())
        };
        Ok(Features {
            grid: grid.clone(),
            target,
            level: self.level(),
            points: first.posterior().support(),
            mean: first.posterior().evaluate(&points)? - second.posterior().evaluate(&points)?,
            spread: Spread::Covariance(one? + other?),
            knots: Array1::from(points),
            shown: shown(grid, [self.values(), &self.lower(), &self.upper()], target, at)?,
        })
    }
}

impl Banded<SurfacePosterior> {
    /// The slopes, areas and the maximum of the slice at one `s`, along `t`, from the band alone.
    pub fn features_at_s(&self, s: f64) -> Result<Features, AnalysisError> {
        self.of_slice(1, |t| (s, t))
    }

    /// The slopes, areas and the maximum of the slice at one `t`, along `s`, from the band alone.
    pub fn features_at_t(&self, t: f64) -> Result<Features, AnalysisError> {
        self.of_slice(0, |s| (s, t))
    }

    fn of_slice(&self, axis: usize, place: impl Fn(f64) -> (f64, f64)) -> Result<Features, AnalysisError> {
        let (grid, band) = (&self.population().grid().axes()[axis], self.estimate());
        let points = refined(&closed(grid, grid.points()));
        let places: Vec<(f64, f64)> = points.iter().map(|&point| place(point)).collect();
        let found = self.at(&places)?;
        let found = found.iter().map(|point| (point.value, point.lower, point.upper)).collect();
        let [middle, lower, upper] = columns(found);
        let shown = Shown { points: points.clone().into(), middle, lower, upper, target: band.target };
        let sd = (&shown.upper - &shown.lower) / (2.0 * band.critical);
        Ok(Features {
            grid: grid.clone(),
            target: band.target,
            level: band.level,
            points: grid.points().to_owned(),
            knots: points.into(),
            mean: shown.middle.clone(),
            spread: Spread::Deviations(sd, band.critical),
            shown,
        })
    }
}

/// The points of the posterior's support, with the end of a circle, and more between them where they are few.
fn curve_points(population: &PopulationMean) -> Vec<f64> {
    refined(&closed(population.grid(), population.posterior().support().view()))
}

/// The covariance of what a band with this target covers, between points of the domain.
fn covariance(population: &PopulationMean, points: &[f64], target: Target) -> Result<Array2<f64>, AnalysisError> {
    let posterior = population.posterior();
    let own = posterior.covariance_at(points)?;
    if target == Target::SampleMean {
        return Ok(own);
    }
    let mut between = Array2::zeros((points.len(), posterior.support.len()));
    for (mut row, &t) in between.rows_mut().into_iter().zip(points) {
        let Cell { left, right, share, .. } = posterior.support.cell(posterior.grid().to_unit_point(t));
        row[left] += 1.0 - share;
        row[right] += share;
    }
    let beyond = beyond_the_posterior(posterior, population.sampling())?;
    let mut covariance = own + between.dot(&beyond).dot(&between.t());
    if let Some(factors) = widened(posterior, (posterior.covariance() + beyond).diag()) {
        multiply_deviations(&mut covariance, &between.dot(&factors));
    }
    Ok(covariance)
}

/// A band at the points of its grid, or at more points where these are few.
fn shown(
    grid: &Grid,
    on_grid: [&Array1<f64>; 3],
    target: Target,
    at: impl Fn(&[f64]) -> Result<Vec<Ends>, AnalysisError>,
) -> Result<Shown, AnalysisError> {
    let whole = closed(grid, grid.points());
    let points = refined(&whole);
    let [middle, lower, upper] = if points.len() == whole.len() {
        let end = grid.is_periodic();
        on_grid.map(|numbers| numbers.iter().chain(numbers.first().filter(|_| end)).copied().collect())
    } else {
        columns(at(&points)?)
    };
    Ok(Shown { points: points.into(), middle, lower, upper, target })
}

/// Values, lower and upper ends.
fn columns(ends: Vec<Ends>) -> [Array1<f64>; 3] {
    let (values, (lower, upper)): (Vec<f64>, (Vec<f64>, Vec<f64>)) =
        ends.into_iter().map(|(value, lower, upper)| (value, (lower, upper))).unzip();
    [values, lower, upper].map(Array1::from)
}

/// Points of a grid, with the end of a circle.
fn closed(grid: &Grid, points: ArrayView1<'_, f64>) -> Vec<f64> {
    points.iter().copied().chain(grid.is_periodic().then(|| grid.upper())).collect()
}

/// The points with so many between each two that there are enough.
fn refined(points: &[f64]) -> Vec<f64> {
    if points.len() >= FEWEST_POINTS {
        return points.to_vec();
    }
    let between = (FEWEST_POINTS - 1).div_ceil(points.len() - 1);
    let cells = points.windows(2).flat_map(|ends| {
        let (from, to) = (ends[0], ends[1]);
        (0..between).map(move |step| from + (to - from) * step as f64 / between as f64)
    });
    cells.chain(points.last().copied()).collect()
}
