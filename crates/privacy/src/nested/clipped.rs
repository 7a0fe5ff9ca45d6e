//! From the sums of buckets to the sum of records clipped at one radius: an integer combination.

use super::radius::NestedRadius;
use super::sums::NestedSums;

impl NestedSums {
    /// The totals of all records clipped at a radius, in units of this radius: the sum of vectors; with products those above the diagonal, the squares and the missing energy, each rounded to the nearest integer.
    ///
    /// ```text
    /// S_j / d_j,    SS_j / d_j^2,    (N R_j^2 - sum |enc_j|^2) / d_j^2
    /// ```
    ///
    /// With `2^40` records `|S_j| <= 2^74` and `SS_j <= 2^108` before the division. Everything must be settled.
    pub(super) fn clipped(&self, radius: NestedRadius) -> Vec<i128> {
        let unit = i128::from(radius.fine_steps());
        let mut totals: Vec<i128> = self.vector(radius).into_iter().map(|total| nearest(total, unit)).collect();
        if self.products().is_some() {
            let (squares, above) = self.products_at(radius);
            totals.extend(above);
            totals.extend(squares);
            totals.push(self.missing_energy_at(radius));
        }
        totals
    }

    /// The sides that count at a radius, and what their vectors are multiplied with.
    fn parts(&self, radius: NestedRadius) -> impl Iterator<Item = (i128, &super::side::Side)> {
        let own = self.own.sides().filter(move |(bucket, _)| bucket.is_within(radius));
        let directions = self.directions.sides().filter(move |(bucket, _)| !bucket.is_within(radius));
        own.map(|(bucket, side)| (1_i128 << bucket.fine_bits(), side))
            .chain(directions.map(move |(_, side)| (i128::from(radius.fine_steps()), side)))
    }

    fn vector(&self, radius: NestedRadius) -> Vec<i128> {
        let mut totals = vec![0_i128; self.dimension()];
        for (factor, side) in self.parts(radius) {
            totals.iter_mut().zip(side.vector()).for_each(|(total, k)| *total += factor * i128::from(*k));
        }
        totals
    }

    /// `SS_j` of the coordinates that products are kept of, as an upper triangle.
    fn plain_products(&self, kept: usize, radius: NestedRadius) -> Vec<i128> {
        let mut totals = vec![0_i128; kept * (kept + 1) / 2];
        for (factor, side) in self.parts(radius) {
            totals.iter_mut().zip(side.products()).for_each(|(total, product)| *total += factor * factor * product);
        }
        totals
    }

    /// The squares and the products above the diagonal, rounded, in units of the squared radius; none where no products are kept.
    pub(super) fn products_at(&self, radius: NestedRadius) -> (Vec<i128>, Vec<i128>) {
        let Some(products) = self.products() else { return Default::default() };
        let plain = self.plain_products(products.kept(), radius);
        // rounding down to an integer first changes nothing: half of the unit is one
        let whole = products.applied_last().map_or(plain.clone(), |basis| basis.along(&plain));
        let unit = i128::from(radius.fine_steps()).pow(2);
        diagonal_and_above(products.coordinates(), whole.into_iter().map(|total| nearest(total, unit)))
    }

    /// `(N R_j^2 - sum |enc_j|^2) / d_j^2`, rounded.
    pub(super) fn missing_energy_at(&self, radius: NestedRadius) -> i128 {
        nearest(self.missing_energy(radius), i128::from(radius.fine_steps()).pow(2))
    }

    /// `N R_j^2 - sum |enc_j|^2`, at least 0: every clipped record is within `R_j`.
    fn missing_energy(&self, radius: NestedRadius) -> i128 {
        let whole = i128::from(self.records()) * i128::from(radius.steps()).pow(2);
        // at most 2^40 records of 2^68
        let energy = |(factor, side): (i128, &super::side::Side)| factor * factor * side.energy().cast_signed();
        whole - self.parts(radius).map(energy).sum::<i128>()
    }
}

/// The diagonal of an upper triangle row by row, and what stands above it.
pub(super) fn diagonal_and_above(order: usize, mut triangle: impl Iterator<Item = i128>) -> (Vec<i128>, Vec<i128>) {
    let (mut diagonal, mut above) = (Vec::new(), Vec::new());
    for length in (1..=order).rev() {
        diagonal.extend(triangle.next());
        above.extend(triangle.by_ref().take(length - 1));
    }
    (diagonal, above)
}

/// `floor(x / unit + 1/2)` for an even unit.
pub(super) fn nearest(x: i128, unit: i128) -> i128 {
    (x + unit / 2).div_euclid(unit)
}
