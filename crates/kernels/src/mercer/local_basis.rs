//! An orthonormal compression of functions on a long grid: polynomials on neighbouring points.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::grid::Grid;

/// Polynomials of a cell: degrees 0 to 15.
const DEGREES: usize = 16;

/// A polynomial that keeps less than this fraction of its length beside the lower degrees says nothing new about a cell.
const DEPENDENT: f64 = 1e-8;

/// Orthonormal polynomials of degree up to 15 on each of several cells of a grid, in isonormal coordinates.
///
/// ```text
/// P'P = I,   the column of cell c and degree i is sqrt(w_k) p_ci(t_k) at the points k of the cell, and 0 elsewhere
/// ```
///
/// Cells have equal widths, and each takes the points that lie in it. A cell of at most 16 points keeps all its points. On a
/// grid that is symmetric about its midpoint the columns are mirrored too, so that compressed kernels are centrosymmetric.
#[derive(Debug, Clone)]
pub(crate) struct LocalBasis {
    pub(crate) cells: Vec<Cell>,
    points: usize,
    dimension: usize,
}

/// Neighbouring points and their polynomials.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// The places of the points in the grid.
    pub(crate) members: Range<usize>,
    /// The place of the first polynomial among the columns of the basis.
    pub(crate) first: usize,
    /// A row for each polynomial, a column for each point.
    pub(crate) functions: Array2<f64>,
}

impl LocalBasis {
    /// The basis of so many cells; `roots` are the square roots of the weights.
    pub(crate) fn new(grid: &Grid, roots: ArrayView1<'_, f64>, cells: usize) -> Self {
        let (n, points, is_symmetric) = (grid.len(), grid.points(), grid.is_symmetric());
        let begins = begins(grid, cells, is_symmetric);
        let mut first = 0;
        let cells = begins.iter().enumerate().map(|(c, &begin)| {
            let members = begin..begins.get(c + 1).copied().unwrap_or(n);
            let is_mirrored = is_symmetric && 2 * c >= begins.len();
            let functions = functions(&members, points, roots, is_mirrored);
            let cell = Cell { members, first, functions };
            first += cell.functions.nrows();
            cell
        });
        let cells = cells.collect();
        Self { cells, points: n, dimension: first }
    }

    /// The number of columns, `m`.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// `P'z` of isonormal coordinates `z`.
    pub(crate) fn compressed(&self, isonormal: ArrayView1<'_, f64>) -> Array1<f64> {
        let mut compressed = Array1::zeros(self.dimension);
        for cell in &self.cells {
            let part = cell.functions.dot(&isonormal.slice_axis(Axis(0), cell.members.clone().into()));
            compressed.slice_axis_mut(Axis(0), cell.columns().into()).assign(&part);
        }
        compressed
    }

    /// `P c`, isonormal coordinates.
    pub(crate) fn expanded(&self, compressed: ArrayView1<'_, f64>) -> Array1<f64> {
        let mut isonormal = Array1::zeros(self.points);
        for cell in &self.cells {
            let part = compressed.slice_axis(Axis(0), cell.columns().into()).dot(&cell.functions);
            isonormal.slice_axis_mut(Axis(0), cell.members.clone().into()).assign(&part);
        }
        isonormal
    }

    /// `p' B S B' p` at every point, for the polynomials `p` of its cell and their rows `B` of `vectors`; `quadratic` makes
    /// `B S B'` of `B`.
    pub(crate) fn quadratic_forms(
        &self,
        vectors: ArrayView2<'_, f64>,
        quadratic: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
    ) -> Array1<f64> {
        let mut forms = Array1::zeros(self.points);
        for cell in &self.cells {
            let gram = quadratic(vectors.slice_axis(Axis(0), cell.columns().into()));
            let own = (&gram.dot(&cell.functions) * &cell.functions).sum_axis(Axis(0));
            forms.slice_axis_mut(Axis(0), cell.members.clone().into()).assign(&own);
        }
        forms
    }

    /// `P c` at the first point of each cell.
    pub(crate) fn at_first_points(&self, compressed: ArrayView1<'_, f64>) -> Array1<f64> {
        let first = |cell: &Cell| compressed.slice_axis(Axis(0), cell.columns().into()).dot(&cell.functions.column(0));
        self.cells.iter().map(first).collect()
    }
}

impl Cell {
    /// The places of its polynomials among the columns of the basis.
    pub(crate) fn columns(&self) -> Range<usize> {
        self.first..self.first + self.functions.nrows()
    }
}

/// The first point of each cell. On a symmetric grid the right half mirrors the left one, and a point in the middle stays alone.
fn begins(grid: &Grid, cells: usize, is_symmetric: bool) -> Vec<usize> {
    let (n, points, count) = (grid.len(), grid.points(), cells as f64);
    let cell_of = |i: usize| (grid.to_unit_point(points[i]) * count).floor().min(count - 1.0);
    let until = if is_symmetric { n / 2 } else { n };
    let mut begins: Vec<usize> = (1..until).filter(|&i| cell_of(i) > cell_of(i - 1)).collect();
    begins.insert(0, 0);
    if is_symmetric {
        let mirrored: Vec<usize> = begins.iter().rev().map(|begin| n - begin).filter(|begin| *begin < n).collect();
        begins.extend((n % 2 == 1).then_some(n / 2));
        begins.push(n - n / 2);
        begins.extend(mirrored);
    }
    begins
}

fn functions(
    members: &Range<usize>,
    points: ArrayView1<'_, f64>,
    roots: ArrayView1<'_, f64>,
    is_mirrored: bool,
) -> Array2<f64> {
    let count = members.len();
    if count <= DEGREES {
        return Array2::eye(count);
    }
    let (low, high) = (points[members.start], points[members.end - 1]);
    // from -1 to 1, in the direction of the mirror image
    let place = |k: usize| {
        let x = ((points[k] - low) - (high - points[k])) / (high - low);
        if is_mirrored { -x } else { x }
    };
    let mut rows: Vec<Array1<f64>> = Vec::with_capacity(DEGREES);
    let x: Array1<f64> = members.clone().map(place).collect();
    let mut previous: [Array1<f64>; 2] =
        [Array1::zeros(count), members.clone().map(|k| roots[k]).collect::<Array1<f64>>()];
    for degree in 0..DEGREES {
        let [before, current] = &previous;
        let mut row = current.clone();
        let length = row.dot(&row).sqrt();
        // twice is enough (Kahan and Parlett)
        for _ in 0..2 {
            for earlier in &rows {
                let along = earlier.dot(&row);
                row.scaled_add(-along, earlier);
            }
        }
        let kept = row.dot(&row).sqrt();
        if kept > DEPENDENT * length {
            row /= kept;
            rows.push(row);
        }
        // Legendre's recurrence
        let i = degree as f64;
        let next = (current * &x * (2.0 * i + 1.0) - before * i) / (i + 1.0);
        let [_, current] = previous;
        previous = [current, next];
    }
    if is_mirrored {
        rows.reverse();
    }
    stacked(&rows, count)
}

fn stacked(rows: &[Array1<f64>], columns: usize) -> Array2<f64> {
    let mut matrix = Array2::zeros((rows.len(), columns));
    for (mut target, row) in matrix.rows_mut().into_iter().zip(rows) {
        target.assign(row);
    }
    matrix
}
