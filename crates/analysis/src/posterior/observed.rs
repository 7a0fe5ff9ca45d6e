//! What was observed: a noisy linear image of the whitened mean, with white noise of known size.

use dpfda_kernels::Grid;
use dpfda_mechanism::Release;
use dpfda_release::{GroupSize, Mean, ReleasedGroup, hidden_counts};
use ndarray::{Array1, Array2, Axis};

use crate::clipping::{Unseen, allowance, energy_allowance};
use crate::error::AnalysisError;

/// A noisy mean in coordinates with white noise of known size, and the public numbers that belong to it.
///
/// ```text
/// y = B' z + sigma W,    z_i = sqrt(w_i) (mean - c)(t_i),    w the weights of the grid mapped to [0, 1]
/// ```
///
/// `B` is `n x m`, a column for each coordinate of `y`. Without a map `y = z + sigma W` (the isonormal mechanism).
#[derive(Debug, Clone)]
pub struct Observation {
    pub(crate) grid: Grid,
    pub(crate) unit_grid: Grid,
    pub(crate) center: Array1<f64>,
    pub(crate) radius: f64,
    pub(crate) coordinates: Array1<f64>,
    pub(crate) sigma: f64,
    pub(crate) map: Option<Array2<f64>>,
    pub(crate) records: f64,
    pub(crate) relative_count_sd: f64,
    /// The squared length and the number of released coordinates that are not among `coordinates`.
    pub(crate) unmapped: (f64, usize),
    /// How far the pull on curves outside a bought ball may move the mean, in data units.
    pub(crate) clipping: f64,
    /// The same of the energy of curves, in squared data units.
    pub(crate) energy_outside: f64,
    /// Who may be outside a bought ball unseen.
    pub(crate) unseen: Option<Unseen>,
}

impl Observation {
    /// White noise of standard deviation `sigma` on the whitened mean of `records` records about the centre.
    ///
    /// `coordinates`, `sigma`, `center` and `radius` are in the units of the data.
    pub fn isonormal(
        grid: Grid,
        center: Array1<f64>,
        radius: f64,
        coordinates: Array1<f64>,
        sigma: f64,
        records: f64,
    ) -> Result<Self, AnalysisError> {
        let length = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(AnalysisError::Length { what, expected, found }) }
        };
        length("the centre", grid.len(), center.len())?;
        length("the observation", grid.len(), coordinates.len())?;
        let observation = Self {
            unit_grid: grid.to_unit()?,
            grid,
            center,
            radius,
            coordinates,
            sigma,
            map: None,
            records,
            relative_count_sd: 0.0,
            unmapped: (0.0, 0),
            clipping: 0.0,
            energy_outside: 0.0,
            unseen: None,
        };
        observation.checked()
    }

    /// The same coordinates seen through a map `B`, `n x m` for `n` grid points and `m` coordinates.
    pub fn through(
        grid: Grid,
        center: Array1<f64>,
        radius: f64,
        (coordinates, map): (Array1<f64>, Array2<f64>),
        sigma: f64,
        records: f64,
    ) -> Result<Self, AnalysisError> {
        let (rows, columns) = map.dim();
        let length = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(AnalysisError::Length { what, expected, found }) }
        };
        length("the observation", columns, coordinates.len())?;
        length("a column of the map", grid.len(), rows)?;
        let nothing = Array1::zeros(grid.len());
        let mut observation = Self::isonormal(grid, center, radius, nothing, sigma, records)?;
        (observation.coordinates, observation.map) = (coordinates, Some(map));
        observation.checked()
    }

    /// The observation in a release of a mean.
    pub fn of(release: &Release<Mean>) -> Result<Self, AnalysisError> {
        let (statistic, records) = (release.statistic(), release.units());
        let (coordinates, sigma) = statistic.whitened(release);
        let observation = Self::in_coordinates(statistic, coordinates, sigma, records)?;
        let observation = observation.clipped(statistic, 0, GroupSize::only(records));
        observation.with_relative_count_sd(release.units_sd() / release.units())
    }

    /// The observation of the group of this number, of a release of so many records in all.
    pub(crate) fn of_group(
        mean: &Mean,
        (number, group): (usize, &ReleasedGroup),
        all: f64,
    ) -> Result<Self, AnalysisError> {
        let observation = Self::in_coordinates(mean, group.whitened.clone(), group.sd, group.records)?;
        let observation = observation.clipped(mean, number, GroupSize { records: group.records, all });
        observation.with_relative_count_sd(group.records_sd / group.records)
    }

    /// With what clipping at a bought radius may do to a group.
    fn clipped(self, mean: &Mean, group: usize, size: GroupSize) -> Self {
        let (bought, radius) = (mean.bought(), mean.ball().radius());
        Self {
            clipping: allowance(bought, radius, group, size, 1.0),
            energy_outside: energy_allowance(bought, radius, group, size),
            unseen: Unseen::of(bought, radius, size.records),
            ..self
        }
    }

    /// Noisy coordinates of a mean, as the noise is white in them.
    pub(crate) fn in_coordinates(
        mean: &Mean,
        coordinates: Array1<f64>,
        sigma: f64,
        records: f64,
    ) -> Result<Self, AnalysisError> {
        let (grid, radius) = (mean.grid().clone(), mean.ball().radius());
        let center = mean.ball().center_at(&grid);
        let center = center.unwrap_or_else(|_| unreachable!("the constructor of the statistic checked the centre"));
        let Some(map) = mean.map() else {
            return Self::isonormal(grid, center, radius, coordinates, sigma, records);
        };
        let (mapped, rest) = coordinates.view().split_at(Axis(0), map.ncols());
        let unmapped = (rest.dot(&rest), rest.len());
        let observation = Self::through(grid, center, radius, (mapped.to_owned(), map), sigma, records)?;
        Ok(Self { unmapped, ..observation })
    }

    /// Whether the coordinates tell every mean from every other, but for what is rougher than all of the first 128 waves.
    pub(crate) fn tells_all(&self) -> bool {
        self.map.as_ref().is_none_or(|map| map.ncols() + self.unmapped.1 >= map.nrows())
    }

    /// Whether the number of records is public, or so large against its noise that sums can be divided by it.
    pub(crate) fn count_is_trusted(&self) -> bool {
        self.relative_count_sd == 0.0 || self.records > hidden_counts(self.relative_count_sd * self.records)
    }

    /// The same with a noisy number of records: the standard deviation of that number as a fraction of the number.
    pub fn with_relative_count_sd(mut self, relative_count_sd: f64) -> Result<Self, AnalysisError> {
        if !(relative_count_sd.is_finite() && relative_count_sd >= 0.0) {
            let (what, allowed) = ("the relative sd of the number of records", "finite and at least 0");
            return Err(AnalysisError::Number { what, allowed, value: relative_count_sd });
        }
        self.relative_count_sd = relative_count_sd;
        Ok(self)
    }

    fn checked(self) -> Result<Self, AnalysisError> {
        let number = |what, allowed, value: f64, is_good: bool| {
            if is_good { Ok(()) } else { Err(AnalysisError::Number { what, allowed, value }) }
        };
        let positive = |value: f64| value.is_normal() && value > 0.0;
        number("the radius", "positive and finite", self.radius, positive(self.radius))?;
        number("the noise", "positive and finite", self.sigma, positive(self.sigma))?;
        let ratio = self.sigma / self.radius;
        number("the noise as a fraction of the radius", "from 1e-30 to 1e30", ratio, (1e-30..=1e30).contains(&ratio))?;
        number("the number of records", "at least 1", self.records, self.records.is_finite() && self.records >= 1.0)?;
        for &value in &self.center {
            number("the centre", "finite and at most 1e100 in size", value, value.abs() <= 1e100)?;
        }
        for value in self.coordinates.iter().map(|x| x / self.radius).chain(self.map.iter().flatten().copied()) {
            number(
                "a coordinate over the radius, or an entry of the map,",
                "at most 1e30 in size",
                value,
                value.abs() <= 1e30,
            )?;
        }
        Ok(self)
    }
}
