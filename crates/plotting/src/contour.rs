//! The line where a function on a grid is zero, by marching squares (Lorensen and Cline, 1987, in the plane).

use std::collections::BTreeMap;

use ndarray::Array2;

use crate::scene::Point;

#[cfg(test)]
#[path = "contour_tests.rs"]
mod tests;

/// An edge of the grid from a node, given by row and column, to the next one in its row (`true`) or in its column.
type Edge = (usize, usize, bool);

/// The polylines on which `values[[row, column]]` at (`x[column]`, `y[row]`) is zero, with linear interpolation along
/// the edges of the grid; closed ones end where they begin.
///
/// The polylines separate the nodes that are at least zero from those below, so an area of zeros has no line in it. A cell
/// whose diagonals have opposite signs is cut as the bilinear function on the cell is: by the sign of that function at its
/// saddle point (Nielson and Hamann, 1991).
pub(crate) fn zero_contour(x: &[f64], y: &[f64], values: &Array2<f64>) -> Vec<Vec<Point>> {
    let (rows, columns) = values.dim();
    let cells = (1..rows).flat_map(|row| (1..columns).map(move |column| (row - 1, column - 1)));
    let mut neighbours: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
    for (a, b) in cells.flat_map(|(row, column)| segments(values, row, column)) {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    // Lines begin at an edge of the grid, which has one neighbour; only rings are left then.
    let ends: Vec<Edge> = neighbours.iter().filter(|(_, its)| its.len() == 1).map(|(edge, _)| *edge).collect();
    let all: Vec<Edge> = neighbours.keys().copied().collect();
    let starts = ends.into_iter().chain(all);
    let chains = starts.filter_map(|start| chain(&mut neighbours, start));
    chains.map(|edges| edges.into_iter().map(|edge| crossing(x, y, values, edge)).collect()).collect()
}

/// The edges of a cell that the contour joins, by the cell's lower left node.
fn segments(values: &Array2<f64>, row: usize, column: usize) -> Vec<(Edge, Edge)> {
    let corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)].map(|at| values[at]);
    // Each edge between the corner of the same place in the list and the next.
    let edges = [(row, column, true), (row, column + 1, false), (row + 1, column, true), (row, column, false)];
    let above = corners.map(|value| value >= 0.0);
    let crossed: Vec<Edge> = (0..4).filter(|&i| above[i] != above[(i + 1) % 4]).map(|i| edges[i]).collect();
    match crossed[..] {
        [a, b] => vec![(a, b)],
        [bottom, right, top, left] => {
            // The saddle point is on the side of the diagonal with the larger product. This diagonal stays in one piece,
            // and the contour cuts off the other's two corners.
            let first_wins = corners[0] * corners[2] >= corners[1] * corners[3];
            if first_wins { vec![(bottom, right), (top, left)] } else { vec![(bottom, left), (right, top)] }
        }
        _ => Vec::new(),
    }
}

/// Takes the chain that begins at an edge out of the neighbours, if the chain is still there.
fn chain(neighbours: &mut BTreeMap<Edge, Vec<Edge>>, start: Edge) -> Option<Vec<Edge>> {
    let mut edges = vec![start];
    let mut here = start;
    while let Some(next) = neighbours.get_mut(&here).and_then(Vec::pop) {
        if let Some(back) = neighbours.get_mut(&next)
            && let Some(place) = back.iter().position(|edge| *edge == here)
        {
            back.remove(place);
        }
        edges.push(next);
        here = next;
    }
    (edges.len() > 1).then_some(edges)
}

/// Where the linear function along an edge is zero.
fn crossing(x: &[f64], y: &[f64], values: &Array2<f64>, (row, column, along_row): Edge) -> Point {
    let (next_row, next_column) = if along_row { (row, column + 1) } else { (row + 1, column) };
    let (here, there) = (values[[row, column]], values[[next_row, next_column]]);
    let fraction = here / (here - there);
    let between = |from: f64, to: f64| from + fraction * (to - from);
    (between(x[column], x[next_column]), between(y[row], y[next_row]))
}
