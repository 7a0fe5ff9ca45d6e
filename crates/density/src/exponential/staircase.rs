//! The distribution function of the data in integers, and the corridor around it.

/// Cumulative counts of the data at the edges between cells, and the number of draws.
///
/// ```text
/// D(z) = max_j |k A_j - n B_j| = n k xi(x, z)
/// ```
///
/// with `A_j` records and `B_j` draws below edge `j`. All are integers below `2^60`.
pub(super) struct Staircase {
    /// `A_j` for the edges `j = 0..=M`.
    below: Vec<u64>,
    /// Edges `1..M` that can decide `D`: inside a run of empty cells `A` is constant, so that `|k A - n B_j|`, convex in `B_j`
    /// which increases, is largest at an end of the run.
    deciding: Vec<usize>,
    draws: usize,
}

/// Some cells in a row, and how many draws may lie below their right edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) first_cell: usize,
    pub(super) cells: usize,
    pub(super) low: usize,
    pub(super) high: usize,
}

impl Staircase {
    pub(super) fn new(counts: &[u64], draws: usize) -> Self {
        let mut below = vec![0];
        for (j, count) in counts.iter().enumerate() {
            below.push(below[j] + count);
        }
        let cells = counts.len();
        let deciding = (1..cells).filter(|&j| counts[j - 1] > 0 || counts[j] > 0).collect();
        Self { below, deciding, draws }
    }

    pub(super) fn absorb(&self, mut digest: impl FnMut(&[u8])) {
        self.below.iter().for_each(|below| digest(&below.to_le_bytes()));
    }

    pub(super) fn cells(&self) -> usize {
        self.below.len() - 1
    }

    pub(super) fn draws(&self) -> usize {
        self.draws
    }

    fn records(&self) -> u64 {
        self.below[self.cells()]
    }

    /// How many draws below edge `j` keep the distance within `threshold`; nothing if none.
    fn corridor(&self, edge: usize, threshold: u64) -> Option<(usize, usize)> {
        let (n, k) = (self.records(), self.draws as u64);
        if n == 0 {
            return Some((0, self.draws));
        }
        let centre = k * self.below[edge];
        let low = centre.saturating_sub(threshold).div_ceil(n);
        let high = ((centre + threshold) / n).min(k);
        // both are at most k, which is a usize
        (low <= high).then_some((usize::try_from(low).ok()?, usize::try_from(high).ok()?))
    }

    /// The steps of the corridor of a threshold, without edges that hold for every path; nothing if it is blocked.
    pub(super) fn steps(&self, threshold: u64) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut first_cell = 0;
        for &edge in &self.deciding {
            let (low, high) = self.corridor(edge, threshold)?;
            if (low, high) != (0, self.draws) {
                steps.push(Step { first_cell, cells: edge - first_cell, low, high });
                first_cell = edge;
            }
        }
        let (cells, k) = (self.cells() - first_cell, self.draws);
        steps.push(Step { first_cell, cells, low: k, high: k });
        Some(steps)
    }

    /// Whether some path stays within the threshold. Centres increase, so the corridor is open unless an edge blocks it.
    fn is_open(&self, threshold: u64) -> bool {
        self.deciding.iter().all(|&edge| self.corridor(edge, threshold).is_some())
    }

    /// The smallest `D(z)`.
    pub(super) fn smallest(&self) -> u64 {
        let (mut low, mut high) = (0, self.largest());
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.is_open(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The largest `D(z)`: all draws at one end.
    pub(super) fn largest(&self) -> u64 {
        let (n, k) = (self.records(), self.draws as u64);
        self.deciding.iter().map(|&edge| k * self.below[edge].max(n - self.below[edge])).max().unwrap_or(0)
    }

    /// `D` of draws in increasing order.
    pub(super) fn distance(&self, draws: &[usize]) -> u64 {
        let (n, k) = (self.records(), self.draws as u64);
        let mut drawn = 0;
        let at = |&edge: &usize| {
            while draws.get(drawn).is_some_and(|cell| *cell < edge) {
                drawn += 1;
            }
            (k * self.below[edge]).abs_diff(n * drawn as u64)
        };
        self.deciding.iter().map(at).max().unwrap_or(0)
    }
}
