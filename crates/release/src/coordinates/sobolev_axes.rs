//! A Sobolev norm on a product of axes.

use dpfda_kernels::Grid;

use crate::coordinates::sobolev::{SobolevNorm, SobolevWhitening};

#[cfg(test)]
#[path = "sobolev_axes_tests.rs"]
mod tests;

/// How many of the smoothest coordinates the noise of a release is measured by, on a line and on a rectangle.
const SMOOTH: [usize; 2] = [20, 60];

/// Coordinates in which a Sobolev norm on a domain is the Euclidean norm, those that charge least first.
///
/// ```text
/// a line:       u = A z
/// a rectangle:  u = P (A_s (x) A_t) z,    |u|^2 = sum_ij a_i^2 a_j^2 (q_i (x) q_j)'z^2,    P orders by a_i^2 a_j^2
/// ```
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SobolevAxes {
    pub(crate) norm: SobolevNorm,
    axes: Vec<SobolevWhitening>,
    /// The place of each coordinate in the product, the last axis fastest; empty for a line, whose coordinates are in order.
    order: Vec<usize>,
    /// Whether it is a circle.
    is_periodic: bool,
}

impl SobolevAxes {
    /// The coordinates on a product of grids of the unit interval: as many as the norm has lengths.
    pub(crate) fn new(norm: SobolevNorm, unit_axes: &[Grid]) -> Self {
        let axes = norm.along_axes().zip(unit_axes).map(|(norm, axis)| SobolevWhitening::new(norm, axis)).collect();
        let is_periodic = unit_axes.iter().any(Grid::is_periodic);
        let mut product = Self { norm, axes, order: Vec::new(), is_periodic };
        if product.axes.len() > 1 {
            let charges = product.charges();
            product.order = (0..charges.len()).collect();
            // stable: of equal charges the first place comes first, on every machine
            product.order.sort_by(|i, j| charges[*i].total_cmp(&charges[*j]));
        }
        product
    }

    /// The charges of the product, the last axis fastest.
    fn charges(&self) -> Vec<f64> {
        self.axes.iter().fold(vec![1.0], |charges, axis| {
            let along = axis.charges();
            charges.iter().flat_map(|charge| along.iter().map(move |a| charge * a)).collect()
        })
    }

    /// The coordinates along each axis.
    pub(crate) fn axes(&self) -> &[SobolevWhitening] {
        &self.axes
    }

    /// The number of coordinates: one for each point.
    pub(crate) fn dimension(&self) -> usize {
        self.axes.iter().map(SobolevWhitening::dimension).product()
    }

    /// `D = sum 1 / a^2` over the coordinates that charge least: 60 of a rectangle, 20 waves of a line, 21 functions of a circle. The noise of smooth functions is
    /// `D` times that of a coordinate.
    pub(crate) fn smooth_noise(&self) -> f64 {
        if self.axes.len() < 2 {
            // a cosine of a circle and its sine have one frequency
            let half_turns = |j: usize| if self.is_periodic { 2 * j.div_ceil(2) } else { j };
            let frequency = |j: usize| (std::f64::consts::PI * half_turns(j) as f64).powi(2);
            let waves = SMOOTH[0] + usize::from(self.is_periodic);
            return (0..waves).map(|j| 1.0 / self.norm.charge(frequency(j))).sum();
        }
        let charges = self.charges();
        self.order.iter().take(SMOOTH[1]).map(|place| 1.0 / charges[*place]).sum()
    }

    /// How many of the first coordinates there are, at most so many, so that no two of equal charge are parted.
    pub(crate) fn whole(&self, most: usize) -> usize {
        let charges = self.charges();
        let at = |k: usize| charges[self.order.get(k).copied().unwrap_or(k)];
        let is_between = |k: &usize| *k == charges.len() || at(*k) > at(k - 1) * (1.0 + 1e-12);
        (1..=most.min(charges.len())).rev().find(is_between).unwrap_or(1)
    }

    /// `z -> A z` of records that lie one behind the other.
    pub(crate) fn apply_to_records(&self, records: &mut [f64]) {
        self.along_axes(records, SobolevWhitening::apply_to_records);
        if !self.order.is_empty() {
            records.chunks_exact_mut(self.order.len()).for_each(|z| self.put_in_order(z));
        }
    }

    /// `u -> A^(-1) u`.
    pub(crate) fn undo(&self, u: &mut [f64]) {
        self.put_in_product(u);
        self.along_axes(u, |axis, lines| each_line(axis, lines, SobolevWhitening::undo));
    }

    /// `u -> A' u`.
    pub(crate) fn transpose(&self, u: &mut [f64]) {
        self.put_in_product(u);
        self.along_axes(u, |axis, lines| each_line(axis, lines, SobolevWhitening::transpose));
    }

    /// `z -> A'^(-1) z`: what a functional of `z` is as one of `u`.
    pub(crate) fn dual(&self, z: &mut [f64]) {
        self.along_axes(z, |axis, lines| each_line(axis, lines, SobolevWhitening::dual));
        self.put_in_order(z);
    }

    /// Coordinates in the order of the product as they are released.
    fn put_in_order(&self, u: &mut [f64]) {
        let product = if self.order.is_empty() { return } else { u.to_vec() };
        u.iter_mut().zip(&self.order).for_each(|(u, place)| *u = product[*place]);
    }

    /// Coordinates as they are released in the order of the product, the last axis fastest.
    pub(crate) fn put_in_product(&self, u: &mut [f64]) {
        let ordered = if self.order.is_empty() { return } else { u.to_vec() };
        ordered.iter().zip(&self.order).for_each(|(value, place)| u[*place] = *value);
    }

    /// Changes all lines along each axis, which lie one behind the other.
    fn along_axes(&self, z: &mut [f64], change: impl Fn(&SobolevWhitening, &mut [f64])) {
        let mut stride = 1;
        for axis in self.axes.iter().rev() {
            let n = axis.dimension();
            if stride == 1 {
                change(axis, z);
            } else {
                let mut lines = vec![0.0; n * stride];
                for block in z.chunks_exact_mut(n * stride) {
                    let places = || (0..stride).flat_map(|start| (start..n * stride).step_by(stride));
                    lines.iter_mut().zip(places()).for_each(|(to, place)| *to = block[place]);
                    change(axis, &mut lines);
                    lines.iter().zip(places()).for_each(|(from, place)| block[place] = *from);
                }
            }
            stride *= n;
        }
    }
}

fn each_line(axis: &SobolevWhitening, lines: &mut [f64], change: impl Fn(&SobolevWhitening, &mut [f64])) {
    lines.chunks_exact_mut(axis.dimension()).for_each(|line| change(axis, line));
}
