//! One axis of a surface: its eigenproblem is solved once for every kernel of the ladder.

use dpfda_kernels::{Cell, Grid, Kernel};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

use crate::error::AnalysisError;
use crate::halves::in_halves;
use crate::posterior::ladder::Ladder;
use crate::posterior::rung::{Rung, Section};
use crate::posterior::seen::{Reduced, Rows, rows_of, scaled};
use crate::posterior::support::{MOST_POINTS, Support};
use crate::sampling::public_shape;

/// An axis with the eigenpairs of every kernel on it.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceAxis {
    support: Support,
    rows: Rows,
    /// In the order of the ladder; they hold no observation.
    pub(crate) rungs: Vec<Rung>,
}

/// What the leading eigenpairs of a kernel say about some functionals along an axis.
pub(crate) struct Side<'a> {
    /// A row for each functional, a column for each eigenpair that is kept.
    pub(crate) cross: ArrayView2<'a, f64>,
    /// The prior variance of each functional that is along these eigenpairs, in one column.
    pub(crate) known: Array2<f64>,
    /// The rest of its prior variance.
    pub(crate) open: Array2<f64>,
}

impl SurfaceAxis {
    /// An axis whose coordinates were released through a map, `n x m`; without one they are isonormal.
    pub(crate) fn of(unit_grid: &Grid, map: Option<&Array2<f64>>, ladder: &Ladder) -> Result<Self, AnalysisError> {
        let support = Support::of(unit_grid, MOST_POINTS);
        let rows = map.map_or_else(|| Rows::isonormal(&support), |map| Rows::Map(rows_of(map, &support)));
        let coordinates = Array1::zeros(map.map_or(support.len(), Array2::ncols));
        let nothing = Reduced { coordinates, rows: rows.clone(), sigma: 1.0 };
        let kernels: Vec<&Kernel> = ladder.rungs().collect();
        let rungs = in_halves(&kernels, |kernel| Rung::solve(kernel, &support, &nothing));
        Ok(Self { rungs: rungs.into_iter().collect::<Result<_, _>>()?, support, rows })
    }

    /// Each row of released coordinates along this axis as those that the posterior is solved for: those on its support, or of a map.
    pub(crate) fn observed(&self, coordinates: &Array2<f64>) -> Array2<f64> {
        if let Rows::Map(map) = &self.rows {
            return coordinates.slice_axis(Axis(1), Slice::from(..map.nrows())).to_owned();
        }
        self.in_rows(coordinates, self.support.len(), |row| self.support.binned(row))
    }

    /// Isonormal coordinates, a row for each `s`, as those on the supports of both axes.
    pub(crate) fn both_binned([s, t]: &[Self; 2], isonormal: &Array2<f64>) -> Array2<f64> {
        let binned =
            |axis: &Self, rows: &Array2<f64>| axis.in_rows(rows, axis.support.len(), |row| axis.support.binned(row));
        transposed(binned(s, &transposed(binned(t, isonormal))))
    }

    /// Values at the supports of both axes as values at the points of a grid of this shape.
    pub(crate) fn both_on_grid(
        [s, t]: &[Self; 2],
        values: &Array2<f64>,
        (rows, columns): (usize, usize),
    ) -> Array2<f64> {
        transposed(s.on_grid(&transposed(t.on_grid(values, columns)), rows))
    }

    /// The weights of the support.
    pub(crate) fn weights(&self) -> Array1<f64> {
        self.support.weights.clone()
    }

    /// `W^1/2 K_pub W^1/2` at the support.
    pub(crate) fn public_shape(&self) -> Result<Array2<f64>, AnalysisError> {
        let shape = public_shape(self.support.unit_grid(), &self.support.points)?;
        Ok(scaled(shape, &self.support.weights.mapv(f64::sqrt)))
    }

    /// Each row of values at the support as values at the grid's points.
    fn on_grid(&self, values: &Array2<f64>, points: usize) -> Array2<f64> {
        self.in_rows(values, points, |row| self.support.smoothly_on_grid(row))
    }

    fn in_rows(
        &self,
        values: &Array2<f64>,
        length: usize,
        change: impl Fn(ArrayView1<'_, f64>) -> Array1<f64>,
    ) -> Array2<f64> {
        if self.support.is_grid() {
            return values.clone();
        }
        let mut changed = Array2::zeros((values.nrows(), length));
        changed.rows_mut().into_iter().zip(values.rows()).for_each(|(mut to, from)| to.assign(&change(from)));
        changed
    }

    /// The values at the support, for the kernels that are used.
    pub(crate) fn at_support(&self, is_used: impl Fn(usize) -> bool) -> Vec<Option<Section>> {
        self.sections(is_used, |rung| rung.at_support(&self.support, &self.rows))
    }

    /// The values at points of the unit interval, for the kernels that are used.
    pub(crate) fn at(&self, points: ArrayView1<'_, f64>, is_used: impl Fn(usize) -> bool) -> Vec<Option<Section>> {
        self.sections(is_used, |rung| rung.at(points, &self.support, &self.rows))
    }

    fn sections(&self, is_used: impl Fn(usize) -> bool, section: impl Fn(&Rung) -> Section) -> Vec<Option<Section>> {
        self.rungs.iter().enumerate().map(|(k, rung)| is_used(k).then(|| section(rung))).collect()
    }
}

impl Section {
    /// The same without the first eigenpairs, which are the smallest: what they say about the functionals is left open.
    pub(crate) fn side(&self, theta: ArrayView1<'_, f64>, dropped: usize) -> Side<'_> {
        let squares = |range: Slice| {
            let (cross, theta) = (self.cross.slice_axis(Axis(1), range), theta.slice_axis(Axis(0), range));
            let row = |row: ArrayView1<'_, f64>| row.iter().zip(theta).map(|(c, theta)| c * c / theta).sum::<f64>();
            cross.rows().into_iter().map(row).collect::<Array1<f64>>()
        };
        let open = &self.open + &squares(Slice::from(..dropped));
        Side {
            cross: self.cross.slice_axis(Axis(1), Slice::from(dropped..)),
            known: squares(Slice::from(dropped..)).insert_axis(Axis(1)),
            open: open.insert_axis(Axis(1)),
        }
    }
}

fn transposed(matrix: Array2<f64>) -> Array2<f64> {
    matrix.reversed_axes().as_standard_layout().into_owned()
}

/// The surface through these numbers, which is linear along each axis between the points, at a point.
pub(crate) fn bilinear(axes: &[Grid; 2], numbers: ArrayView2<'_, f64>, (s, t): (f64, f64)) -> f64 {
    let [rows, columns] = [(&axes[0], s), (&axes[1], t)].map(|(axis, point)| {
        let Cell { left, right, share, .. } = axis.cell(point);
        [(left, 1.0 - share), (right, share)]
    });
    let along = |i: usize| columns.iter().map(|(j, weight)| weight * numbers[[i, *j]]).sum::<f64>();
    rows.iter().map(|(i, weight)| weight * along(*i)).sum()
}
