//! The cosine basis, and its tensor products.

use std::f64::consts::{PI, SQRT_2};

use thiserror::Error;

#[cfg(test)]
#[path = "basis_tests.rs"]
mod tests;

/// Axes that points may have.
const MOST_AXES: usize = 3;

/// The most terms in one, two and three dimensions: bounding the sensitivity takes a second or so for these.
const MOST_TERMS: [usize; MOST_AXES] = [1024, 1024, 512];

/// Frequencies of a term, one for each axis; 0 beyond the dimension.
pub type Frequencies = [u16; MOST_AXES];

/// The first terms of the orthonormal cosine basis on `[0, 1]^r`, the constant left out.
///
/// ```text
/// psi_k(x) = prod_i c(k_i) cos(k_i pi x_i),    c(0) = 1, c(j) = sqrt(2) for j >= 1,    k in N^r, k != 0
/// ```
///
/// They are ordered by total frequency `k_1 + ... + k_r`; among equals, the larger `k_1` comes first, then the larger
/// `k_2`. In two dimensions: (1,0), (0,1), (2,0), (1,1), (0,2), ... The order is public and does not depend on the data.
/// Source: Wasserman and Zhou, before (13), for `r = 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CosineBasis {
    dimension: usize,
    frequencies: Vec<Frequencies>,
}

/// Why there is no such basis.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BasisError {
    #[error("a cosine basis has from 1 to {MOST_AXES} dimensions, got {value}")]
    Dimension { value: usize },
    #[error("a series needs at least one term: without any it is the uniform density, whatever the data are")]
    NoTerms,
    #[error(
        "a series in {dimension} dimension(s) has at most {most} terms here, got {terms}: the noise in each grows with their number; use fewer"
    )]
    TooManyTerms { terms: usize, most: usize, dimension: usize },
}

impl CosineBasis {
    /// The first `terms` terms on `[0, 1]^dimension`.
    pub fn new(dimension: usize, terms: usize) -> Result<Self, BasisError> {
        if !(1..=MOST_AXES).contains(&dimension) {
            return Err(BasisError::Dimension { value: dimension });
        }
        let most = MOST_TERMS[dimension - 1];
        match terms {
            0 => return Err(BasisError::NoTerms),
            _ if terms > most => return Err(BasisError::TooManyTerms { terms, most, dimension }),
            _ => {}
        }
        let frequencies = (1..).flat_map(|total| of_total(dimension, total)).take(terms).collect();
        Ok(Self { dimension, frequencies })
    }

    /// The most terms in this many dimensions; 0 where there is no basis.
    pub fn most_terms(dimension: usize) -> usize {
        dimension.checked_sub(1).and_then(|index| MOST_TERMS.get(index)).copied().unwrap_or(0)
    }

    /// `r`.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of terms.
    pub fn terms(&self) -> usize {
        self.frequencies.len()
    }

    /// The frequencies `k_1, ..., k_r` of a term, if there is such a term.
    pub fn frequencies(&self, term: usize) -> Option<&[u16]> {
        self.frequencies.get(term).map(|k| &k[..self.dimension])
    }

    /// The same basis with its first terms only, at least one and at most all.
    #[must_use]
    pub fn first(&self, terms: usize) -> Self {
        let frequencies = self.frequencies[..terms.clamp(1, self.terms())].to_vec();
        Self { dimension: self.dimension, frequencies }
    }

    /// The values of all terms at a point of the unit cube, into `values`. Coordinates that are missing count as 0.
    pub fn values_into(&self, point: &[f64], values: &mut Vec<f64>) {
        let tables = self.cosines(point);
        values.clear();
        values.extend(self.all_frequencies().map(|k| amplitude(k) * product(&tables, k)));
    }

    /// `cos(k pi x_i)` for every axis and every frequency that occurs on it.
    fn cosines(&self, point: &[f64]) -> [Vec<f64>; MOST_AXES] {
        let degrees = self.degrees();
        std::array::from_fn(|axis| {
            let x = point.get(axis).copied().unwrap_or(0.0);
            (0..=degrees[axis]).map(|k| (f64::from(k) * PI * x).cos()).collect()
        })
    }

    /// `prod_i c(k_i)`, the largest value of the term of these frequencies; it is attained at the corner 0.
    pub fn amplitude(k: Frequencies) -> f64 {
        amplitude(k)
    }

    /// The product over the axes of the entries of these tables at the frequencies `k`.
    ///
    /// # Panics
    /// For a frequency that is beyond its table, as an index does.
    pub fn product<T: AsRef<[f64]>>(tables: &[T; MOST_AXES], k: Frequencies) -> f64 {
        product(tables, k)
    }

    /// The largest frequency on each axis.
    pub fn degrees(&self) -> Frequencies {
        let largest = |axis: usize| self.frequencies.iter().map(|k| k[axis]).max().unwrap_or(0);
        std::array::from_fn(largest)
    }

    /// The frequencies of all terms, in their order; 0 beyond the dimension.
    pub fn all_frequencies(&self) -> impl Iterator<Item = Frequencies> {
        self.frequencies.iter().copied()
    }
}

/// `prod_i c(k_i)`, the largest value of a term; it is attained at the corner 0.
pub(super) fn amplitude(k: Frequencies) -> f64 {
    match oscillating(k) {
        0 => 1.0,
        1 => SQRT_2,
        2 => 2.0,
        _ => 2.0 * SQRT_2,
    }
}

/// On how many axes a term is not constant.
pub(super) fn oscillating(k: Frequencies) -> usize {
    k.iter().filter(|k| **k > 0).count()
}

/// The product over the axes of the table entries at `k`.
pub(super) fn product<T: AsRef<[f64]>>(tables: &[T; MOST_AXES], k: Frequencies) -> f64 {
    tables.iter().zip(k).map(|(table, k)| table.as_ref()[usize::from(k)]).product()
}

/// All frequencies of this sum, the larger first coordinate first.
fn of_total(dimension: usize, total: u16) -> Vec<Frequencies> {
    let rest = |first: u16| total - first;
    match dimension {
        1 => vec![[total, 0, 0]],
        2 => (0..=total).rev().map(|first| [first, rest(first), 0]).collect(),
        _ => (0..=total)
            .rev()
            .flat_map(|first| (0..=rest(first)).rev().map(move |second| [first, second, total - first - second]))
            .collect(),
    }
}
