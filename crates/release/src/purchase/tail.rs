//! How many records lie how far out, as noisy counts tell it: the public half of knowing what clipping may do.

use std::f64::consts::LN_2;

use crate::purchase::radius_rule::{CELLS, on_simplex};

#[cfg(test)]
#[path = "tail_tests.rs"]
mod tests;

/// The numbers of records by cell, non-increasing beyond the largest one. All of it is post-processing.
///
/// ```text
/// q  = the point of {q >= 0, sum q = total} nearest to the counts;   m = its largest cell, the first of several
/// cells k <= m:  the weighted least-squares fit of the raw counts under  0 <= q_(k-1) <= q_k / 2
/// ```
///
/// The fit is isotonic regression of `y_k = n_k 2^(m-k)` with weights `4^(k-m)`. Half of a cell in the next one, half an octave farther out,
/// is a tail index of 2, the heaviest tail whose mean has a variance. Raw counts do not say how far people lie: one cell has a noise of
/// many records, and empty far cells dominate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tail {
    /// The farthest first.
    pub(crate) cells: [f64; CELLS],
    total: f64,
}

impl Tail {
    /// The tail of noisy counts of so many records, more than 0.
    pub(crate) fn of(counts: &[f64], total: f64) -> Self {
        let mut cells = [0.0; CELLS];
        cells.iter_mut().zip(on_simplex(counts, total)).for_each(|(cell, nearest)| *cell = nearest);
        let first_largest = (0..CELLS).fold(0, |best, k| if cells[k] > cells[best] { k } else { best });
        let fitted = isotonic((0..=first_largest).map(|k| {
            let scale = octaves(first_largest - k);
            (counts.get(k).copied().unwrap_or(0.0) * scale, 1.0 / (scale * scale))
        }));
        for (k, fitted) in fitted.into_iter().enumerate() {
            cells[k] = fitted.max(0.0) / octaves(first_largest - k);
        }
        Self { cells, total }
    }

    /// An estimate of `E (|u| - tau)_+`, how far records lie beyond a radius in the mean; both in units of the largest radius.
    pub(crate) fn excess(&self, tau: f64) -> f64 {
        self.mean(|cell| Cell::of(cell).excess(tau))
    }

    /// An estimate of `E (|u|^2 - tau^2)_+`, the energy beyond a radius, in squares of the largest radius.
    pub(crate) fn energy(&self, tau: f64) -> f64 {
        self.mean(|cell| Cell::of(cell).energy(tau))
    }

    fn mean(&self, of_cell: impl Fn(usize) -> f64) -> f64 {
        self.cells.iter().enumerate().map(|(cell, number)| number * of_cell(cell)).sum::<f64>() / self.total
    }
}

/// The distances of a cell, in units of the largest radius: log-uniform, and uniform in the last cell, which reaches the centre.
enum Cell {
    Between(f64, f64),
    Within(f64),
}

impl Cell {
    fn of(cell: usize) -> Self {
        let edge = |k: usize| libm::exp2(-0.5 * k as f64);
        if cell + 1 < CELLS { Self::Between(edge(cell + 1), edge(cell)) } else { Self::Within(edge(cell)) }
    }

    /// `E (r - tau)_+`.
    fn excess(&self, tau: f64) -> f64 {
        match *self {
            Self::Between(_, far) | Self::Within(far) if far <= tau => 0.0,
            Self::Between(near, far) => {
                let from = near.max(tau);
                (far - from - tau * libm::log(far / from)) / (0.5 * LN_2)
            }
            Self::Within(far) => (far - tau).powi(2) / (2.0 * far),
        }
    }

    /// `E (r^2 - tau^2)_+`.
    fn energy(&self, tau: f64) -> f64 {
        match *self {
            Self::Between(_, far) | Self::Within(far) if far <= tau => 0.0,
            Self::Between(near, far) => {
                let from = near.max(tau);
                (0.5 * (far * far - from * from) - tau * tau * libm::log(far / from)) / (0.5 * LN_2)
            }
            Self::Within(far) => (far.powi(3) - tau.powi(3)) / (3.0 * far) - tau * tau * (far - tau) / far,
        }
    }
}

/// `2^k`.
fn octaves(k: usize) -> f64 {
    (1_u64 << k) as f64
}

/// The non-decreasing numbers nearest to these in the weighted mean square: pool adjacent violators.
fn isotonic(weighted: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    // a pool: its mean, its weight, and how many are in it
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (value, weight) in weighted {
        let mut pool = (value, weight, 1);
        while let Some(&(mean, before, size)) = pools.last().filter(|last| last.0 >= pool.0) {
            let together = before + pool.1;
            pool = ((mean * before + pool.0 * pool.1) / together, together, size + pool.2);
            pools.pop();
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(mean, _, size)| std::iter::repeat_n(mean, size)).collect()
}
