//! The coordinates of a mean along the axes of its domain.

use dpfda_kernels::Grid;
use ndarray::{Array1, Array2};

use crate::coordinates::rotation::whole_frequencies;
use crate::coordinates::sobolev::{SobolevWhitening, waves_on};
use crate::coordinates::whitening::{Whitening, in_columns, unit_columns};
use crate::mean::domain::MeanDomain;
use crate::mean::private::COORDINATES_OF_MOMENTS;
use crate::mean::{MOST_MAPPED, Mean};
use crate::purchase::radius_rule::SMOOTH_COORDINATES;

impl<D: MeanDomain> Mean<D> {
    /// The linear maps along each axis of coordinates of a Sobolev norm, as [`Mean::map`] is that of all: [`Mean::by_axes`] has their products
    /// for coordinates. `None` where the whitened coordinates are none of such a norm.
    pub fn axis_maps(&self) -> Option<Vec<Array2<f64>>> {
        let Whitening::Sobolev(whitening) = &self.whitening else { return None };
        let map = |(axis, grid): (&SobolevWhitening, &Grid)| {
            let forms = unit_columns(axis.dimension(), mapped(axis.dimension(), grid.is_periodic()));
            in_columns(&forms, |column| axis.transpose(column))
        };
        Some(whitening.axes().iter().zip(self.grid.axes()).map(map).collect())
    }

    /// Whitened coordinates in the order of the axes, the last axis fastest: those of a Sobolev norm on a rectangle are released in the order
    /// of what they charge.
    pub fn by_axes(&self, mut whitened: Array1<f64>) -> Array1<f64> {
        if let (Whitening::Sobolev(whitening), Some(coordinates)) = (&self.whitening, whitened.as_slice_mut()) {
            whitening.put_in_product(coordinates);
        }
        whitened
    }

    /// `D`: how many times the variance of the noise of one coordinate the noise of smooth functions has, which a radius is bought by.
    ///
    /// ```text
    /// D = sum 1 / a^2    over the 20 smoothest waves of a line, 21 functions of a circle, the 60 coordinates of a rectangle that charge least;    15 in a ball
    /// ```
    pub fn smooth_noise(&self) -> f64 {
        if let Whitening::Sobolev(whitening) = &self.whitening { whitening.smooth_noise() } else { SMOOTH_COORDINATES }
    }

    /// The number of coordinates that second moments are of, where nothing else is asked for: at most 40, and none without those that belong
    /// with it.
    pub(crate) fn coordinates_of_moments(&self) -> usize {
        match (&self.whitening, self.grid.line()) {
            (Whitening::Sobolev(whitening), None) => whitening.whole(COORDINATES_OF_MOMENTS),
            (_, line) => {
                let is_periodic = line.is_some_and(Grid::is_periodic);
                whole_frequencies(self.grid.len(), is_periodic, COORDINATES_OF_MOMENTS)
            }
        }
    }

    /// Whether second moments are released where nothing is said and they are free: not of surfaces in the ball, whose coordinates are points.
    pub(crate) fn has_free_moments(&self) -> bool {
        self.grid.line().is_some() || matches!(self.whitening, Whitening::Sobolev(_))
    }
}

/// How many of the coordinates of a Sobolev norm on a line a map has: all, or those of smooth functions where there are more than 256.
pub(super) fn mapped(dimension: usize, is_periodic: bool) -> usize {
    if dimension > MOST_MAPPED { waves_on(is_periodic) } else { dimension }
}
