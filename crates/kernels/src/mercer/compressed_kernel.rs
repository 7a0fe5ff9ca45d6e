//! The covariance of a kernel between the functions of a local basis, in time that grows with the length of the grid.

use std::f64::consts::PI;
use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

use crate::mercer::local_basis::{Cell, LocalBasis};

/// Nodes at which a kernel is interpolated between two separate runs of points.
const NODES: usize = 18;

/// So many neighbouring points meet each other one by one.
const RUN: usize = 32;

/// `P' W^{1/2} K W^{1/2} P`, `m x m`, for a kernel that is smooth on each side of `t = s`.
///
/// Two runs of points that do not overlap lie on one side. There the kernel is interpolated in both arguments at the Chebyshev
/// nodes of each run; what is left falls faster than any power of the number of nodes. The points of one cell are halved until a
/// run is short, and points of a short run meet one by one. `roots` are the square roots of the weights.
pub(crate) struct CompressedKernel<'a, C: Fn(f64, f64) -> f64> {
    pub(crate) points: ArrayView1<'a, f64>,
    pub(crate) roots: ArrayView1<'a, f64>,
    pub(crate) covariance: C,
}

impl<C: Fn(f64, f64) -> f64> CompressedKernel<'_, C> {
    pub(crate) fn matrix(&self, basis: &LocalBasis) -> Array2<f64> {
        let mut matrix = Array2::zeros((basis.dimension(), basis.dimension()));
        let whole: Vec<Interpolated> = basis.cells.iter().map(|cell| self.interpolated(cell, &cell.members)).collect();
        for (c, cell) in basis.cells.iter().enumerate() {
            Self::put(&mut matrix, cell, cell, &self.within(cell, &cell.members));
            for (earlier, other) in basis.cells[..c].iter().zip(&whole) {
                let block = self.between(&whole[c], other);
                Self::put(&mut matrix, cell, earlier, &block);
            }
        }
        matrix
    }

    fn put(matrix: &mut Array2<f64>, row: &Cell, column: &Cell, block: &Array2<f64>) {
        for (i, values) in row.columns().zip(block.rows()) {
            for (j, value) in column.columns().zip(values) {
                matrix[[i, j]] = *value;
                matrix[[j, i]] = *value;
            }
        }
    }

    /// The block of the points of a run with themselves.
    fn within(&self, cell: &Cell, run: &Range<usize>) -> Array2<f64> {
        if run.len() <= RUN {
            let functions = members(cell, run);
            let (t, roots) = (&self.points, &self.roots);
            let entry = |i: usize, j: usize| {
                let (k, l) = (run.start + i.max(j), run.start + i.min(j));
                roots[k] * (self.covariance)(t[k], t[l]) * roots[l]
            };
            let values = Array2::from_shape_fn((run.len(), run.len()), |(i, j)| entry(i, j));
            return functions.dot(&values).dot(&functions.t());
        }
        let middle = run.start + run.len() / 2;
        let (left, right) = (run.start..middle, middle..run.end);
        let across = self.between(&self.interpolated(cell, &left), &self.interpolated(cell, &right));
        self.within(cell, &left) + self.within(cell, &right) + &across + across.t()
    }

    /// The block of two runs that do not overlap.
    fn between(&self, a: &Interpolated, b: &Interpolated) -> Array2<f64> {
        let values =
            Array2::from_shape_fn((a.nodes.len(), b.nodes.len()), |(i, j)| (self.covariance)(a.nodes[i], b.nodes[j]));
        a.moments.dot(&values).dot(&b.moments.t())
    }

    /// The nodes of a run, and the polynomials of its cell against the interpolation from the nodes to the points.
    fn interpolated(&self, cell: &Cell, run: &Range<usize>) -> Interpolated {
        let functions = members(cell, run);
        let roots = self.roots.slice_axis(Axis(0), run.clone().into());
        let points = self.points.slice_axis(Axis(0), run.clone().into());
        if run.len() <= NODES {
            return Interpolated { nodes: points.to_vec(), moments: &functions * &roots };
        }
        let (low, high) = (points[0], points[points.len() - 1]);
        let angle = |i: usize| PI * (i as f64 + 0.5) / NODES as f64;
        let nodes: Vec<f64> = (0..NODES).map(|i| low + (high - low) * (0.5 + 0.5 * angle(i).cos())).collect();
        let signs: Vec<f64> = (0..NODES).map(|i| if i % 2 == 0 { angle(i).sin() } else { -angle(i).sin() }).collect();
        let mut weights = Array2::zeros((points.len(), NODES));
        for ((mut row, &t), root) in weights.rows_mut().into_iter().zip(&points).zip(&roots) {
            if let Some(node) = nodes.iter().position(|node| *node == t) {
                row[node] = *root;
                continue;
            }
            // the barycentric formula (Berrut and Trefethen, SIAM Review 46, 2004)
            row.iter_mut().zip(nodes.iter().zip(&signs)).for_each(|(x, (node, sign))| *x = sign / (t - node));
            let scale = root / row.sum();
            row *= scale;
        }
        Interpolated { nodes, moments: functions.dot(&weights) }
    }
}

/// A run of points as its kernel sees it.
struct Interpolated {
    nodes: Vec<f64>,
    /// A row for each polynomial of the cell, a column for each node.
    moments: Array2<f64>,
}

/// The functions of a cell at the points of a run.
fn members<'a>(cell: &'a Cell, run: &Range<usize>) -> ArrayView2<'a, f64> {
    let start = cell.members.start;
    cell.functions.slice_axis(Axis(1), (run.start - start..run.end - start).into())
}
