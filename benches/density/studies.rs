//! What is simulated for Tables 1 and 2: each mechanism with its rate-optimal size, at `alpha = 1`.

use dpfda::density::{
    Bounds, CellCounts, Cells, KsExponential, PerturbedHistogram, Points, SeriesMechanism, SeriesTerms,
    SmoothedHistogram, cells_by_rate,
};
use dpfda::prelude::*;
use dpfda_reproduction::SymmetricBeta;

use crate::Fault;
use crate::chain::Chain;
use crate::distances::{
    ks_at_edges, ks_of_histogram, ks_of_histogram_in_the_plane, ks_of_points, ks_of_points_in_the_plane,
    squared_error_of_series,
};

pub const ALPHA: f64 = 1.0;

/// What Beta(2, 2) has on the cosine basis: its squared coefficients fall like the 4th power of the frequency, so the bias
/// of `m` terms is of order `m^(-2 gamma)` with this `gamma`.
pub const GAMMA: f64 = 1.5;

/// The error of one data set and one release.
pub type Trial = Box<dyn Fn(&mut SeededRandomness) -> Result<f64, Fault>>;

/// Makes ready for `n` records: what is public is computed once.
type Prepare = fn(usize) -> Result<Trial, Fault>;

/// A row of a table.
pub struct Study {
    pub name: &'static str,
    pub distance: &'static str,
    pub stated: &'static str,
    /// The stated rate as a function of `n`.
    pub rate: fn(f64) -> f64,
    pub repeats: u64,
    pub prepare: Prepare,
    /// Slopes that the remark is about, and the remark.
    pub described: (f64, f64),
    pub remark: &'static str,
}

pub const SIZES: &[usize] = &[100, 316, 1000, 3162, 10_000, 31_623, 100_000];

/// A row, and its remark with the slopes that the remark is true of.
fn study(
    (name, distance): (&'static str, &'static str),
    (stated, rate): (&'static str, fn(f64) -> f64),
    prepare: Prepare,
    (described, remark): ((f64, f64), &'static str),
) -> Study {
    Study { name, distance, stated, rate, repeats: 400, prepare, described, remark }
}

pub fn table_1() -> Vec<Study> {
    let mut rows = smoothed_rows();
    rows.extend(perturbed_rows());
    rows.extend(exponential_rows());
    rows
}

fn smoothed_rows() -> Vec<Study> {
    let name = "smoothed histogram";
    vec![
        study(
            (name, "L2, r = 1"),
            ("n^(-2/5)", |n| n.powf(-0.4)),
            smoothed_l2::<1>,
            (
                (-0.40, -0.33),
                "The rate is reached at the largest n. At the smallest the error is below its order: n^(1/5) = 2.5 cells are rounded \
                 to 3, whose variance is about (m - 1.1) / k and not m / k; and by the condition (4) of Theorem 5 the mixture is \
                 about d / (1 - d) = m k / (n alpha), so d is 0.32 at n = 100 and 0.09 at n = 10^5.",
            ),
        ),
        study(
            (name, "L2, r = 2"),
            ("n^(-2/7)", |n| n.powf(-2.0 / 7.0)),
            smoothed_l2::<2>,
            (
                (-0.27, -0.20),
                "Slower, as these n are small for this rate: n^(1/7) cells an axis are 2 at n = 100, where the histogram of a \
                 symmetric density is uniform and its bias, 0.44, as large as it can be, and 5 at n = 10^5; rounding them to \
                 2, 2, 3, 3, 4, 4, 5 moves the slope of three sizes by more than the difference. And d falls from 0.35 to 0.15 \
                 only, as for r = 1.",
            ),
        ),
        study(
            (name, "KS, r = 1"),
            ("sqrt(log n) n^(-2/7)", |n| n.ln().sqrt() * n.powf(-2.0 / 7.0)),
            smoothed_ks::<1>,
            (
                (-0.30, -0.25),
                "Faster than the stated rate with its logarithm, and about n^(-2/7), of slope -0.286: the k = n^(4/7) draws are \
                 of order k^(-1/2) = n^(-2/7) from the distribution they are drawn from, without a logarithm (Dvoretzky, Kiefer and \
                 Wolfowitz), and the mixture is of that order too. The logarithm is the proof's.",
            ),
        ),
        study(
            (name, "KS, r = 2"),
            ("sqrt(log n) n^(-1/4)", |n| n.ln().sqrt() * n.powf(-0.25)),
            smoothed_ks::<2>,
            (
                (-0.25, -0.20),
                "Between n^(-1/4), of slope -0.25, and the stated rate with its logarithm: k = n^(1/2) draws are of order \
                 k^(-1/2) = n^(-1/4) from their distribution in the plane as well, and the mixture, of that order, is again slow \
                 to get small (d / (1 - d) = m k / (n alpha)).",
            ),
        ),
    ]
}

fn perturbed_rows() -> Vec<Study> {
    let name = "perturbed histogram";
    vec![
        study(
            (name, "L2, r = 1"),
            ("n^(-2/3)", |n| n.powf(-2.0 / 3.0)),
            perturbed_l2::<1>,
            (
                (-0.69, -0.645),
                "As stated. The noise adds about 8 m^2 / (n alpha)^2, of order n^(-4/3): nearly a fifth of the error at n = 100 and \
                 0.2% at n = 10^5.",
            ),
        ),
        study(
            (name, "L2, r = 2"),
            ("n^(-1/2)", |n| n.powf(-0.5)),
            perturbed_l2::<2>,
            (
                (-0.53, -0.50),
                "As stated, and a little steeper: what the noise adds is of order (m / (n alpha))^2 = 1 / n, a seventh of the error at \
                 n = 100, and vanishes faster than the rest.",
            ),
        ),
        study(
            (name, "KS, r = 1"),
            ("min(sqrt(log n / n), log n n^(-2/3))", |n| (n.ln() / n).sqrt().min(n.ln() * n.powf(-2.0 / 3.0))),
            perturbed_ks::<1>,
            (
                (-0.51, -0.46),
                "Slower than stated, and the stated rate cannot hold: from n = 10^2 on the minimum is log n n^(-2/3), which is below \
                 n^(-1/2), the minimax rate in the same table, as soon as n^(1/6) > log n (n about 2.4 x 10^7). The distribution \
                 function at an edge of a cell is a share of the records, with a standard deviation of order n^(-1/2) before any \
                 noise. Measured, sqrt(n) times the error does not fall but rises, from 0.72 to 0.78 (0.87 is the limit for the \
                 empirical distribution function; wide cells are smoother). What can be true is sqrt(log n / n), or n^(-1/2): \
                 the noise adds about sqrt(m) / (n alpha), of order n^(-5/6), and the bias is of order n^(-2/3).",
            ),
        ),
        study(
            (name, "KS, r = 2"),
            ("min(sqrt(log n / n), log n n^(-1/2))", |n| (n.ln() / n).sqrt().min(n.ln() * n.powf(-0.5))),
            perturbed_ks::<2>,
            (
                (-0.50, -0.44),
                "Between n^(-1/2) and the stated rate with its logarithm. The statistical error and the bias within cells, of order \
                 1 / m, are both of order n^(-1/2), so rounding to 3, 4, 6, 7, 10, 13, 18 cells an axis shows; the noise, of order \
                 n^(-3/4), vanishes.",
            ),
        ),
    ]
}

fn exponential_rows() -> Vec<Study> {
    let name = "exponential mechanism";
    let row = |distance, repeats, prepare, remark| {
        let row = study((name, distance), ("n^(-1/3)", |n: f64| n.powf(-1.0 / 3.0)), prepare, remark);
        Study { repeats, ..row }
    };
    vec![
        row(
            "KS, r = 1",
            200,
            exponential_ks as Prepare,
            (
                (-0.50, -0.44),
                "Faster than stated, which is an upper bound. With k = n^(2/3) draws on M = 2 n^(1/3) cells the mechanism comes much \
                 closer to the data than n^(-1/3) (next row). What is left is the error of the data themselves and that of points \
                 that are uniform in their cells, about (k M)^(-1/2), both of order n^(-1/2) up to logarithms. Theorem 12 asks \
                 for a small-ball probability that does not vanish, which takes an error of k^(-1/2) = n^(-1/3), and pays \
                 (sup p)^k for the uniform base measure.",
            ),
        ),
        row(
            "KS to the data, at the edges of cells",
            60,
            exponential_score as Prepare,
            (
                (-0.667, -0.52),
                "The score that the mechanism keeps small. It falls faster than the n^(-1/2) of the data, at most as fast as the \
                 lattice of the draws, 1 / k = n^(-2/3); at n = 10^5 it is a quarter of the error in the row above.",
            ),
        ),
    ]
}

pub fn table_2() -> Vec<Study> {
    let row = |name, prepare: Prepare, remark| {
        study((name, "L2, r = 1"), ("n^(-3/8)", |n: f64| n.powf(-0.375)), prepare, remark)
    };
    vec![
        row(
            CHAINS.0,
            |n| chain(n, false),
            (
                (-0.45, -0.33),
                "The library draws this mechanism exactly or not at all, and at alpha = 1 that ends at n = 28. So its law is \
                 simulated here by a Metropolis chain, whose distance from it is not known: no release could be made like this. \
                 The slope over all n is near the rate. From n = 1000 on the error is mostly the bias of the m_k = k^(1/4) = n^(1/8) terms, which are 2, 2, 2, 3, 3, 4, 4: as the odd \
                 terms of Beta(2, 2) are 0, it falls in steps, between 2 and 3 terms not at all, from 0.0152 to 0.0037 between 3 and \
                 4. Slopes of three sizes are slopes of such a step.",
            ),
        ),
        row(CHAINS.1, |n| chain(n, true), ((-0.45, -0.33), "")),
        study(
            ("perturbed orthogonal series", "L2, r = 1"),
            ("n^(-3/4)", |n| n.powf(-0.75)),
            perturbed_series,
            (
                (-0.80, -0.74),
                "As stated at the largest n, up to the rounding of m. Below a little steeper, as what the noise adds is of order m^3 / (n alpha)^2 = n^(-5/4): \
                 up to 0.02 of 0.05 at n = 100, 1.5% of the error at n = 10^5.",
            ),
        ),
        study(
            ("exponential mechanism on the coefficients", "L2, r = 1"),
            ("n^(-3/4)", |n| n.powf(-0.75)),
            exponential_series,
            (
                (-0.80, -0.72),
                "The score of Theorem 14 over coefficient vectors in place of k points: nothing is lost to the k = sqrt(n) draws, and \
                 the rate is that of the perturbed series, twice the stated one in the exponent. What the noise adds is that of the Laplace noise above divided by 1.16 to 1.48, from 2 terms on.",
            ),
        ),
    ]
}

/// The two starts of the chain, which must agree.
pub const CHAINS: (&str, &str) =
    ("exponential mechanism, by a chain begun at the truth", "the same, begun at uniform points");

pub fn truth() -> SymmetricBeta {
    SymmetricBeta::new(2).unwrap_or_else(|| unreachable!("2 is a shape"))
}

fn budget() -> Result<PrivacyBudget, Fault> {
    Ok(PrivacyBudget::new(ALPHA, 0.0)?)
}

fn bounds<const R: usize>() -> Result<Bounds, Fault> {
    Ok(Bounds::new(vec![(0.0, 1.0); R])?)
}

fn points<const R: usize>(n: usize, bounds: &Bounds, randomness: &mut SeededRandomness) -> Result<Points, Fault> {
    Ok(Points::new(truth().draw(n, R, randomness), bounds.clone())?)
}

fn smoothed<const R: usize>(n: usize, per_axis: usize, draws: usize) -> Result<SmoothedHistogram, Fault> {
    let cells = Cells::new(bounds::<R>()?, per_axis)?;
    let relation = NeighbouringRelation::SubstituteOne;
    Ok(SmoothedHistogram::with_smallest_mixture(budget()?, relation, n as u64, cells, draws)?)
}

fn smoothed_l2<const R: usize>(n: usize) -> Result<Trial, Fault> {
    let size = SmoothedHistogram::size_for_squared_l2_distance(n as u64, ALPHA, R);
    let histogram = smoothed::<R>(n, size.per_axis, size.draws)?;
    Ok(Box::new(move |randomness| {
        let points = points::<R>(n, histogram.cells().bounds(), randomness)?;
        Ok(truth().squared_error(&histogram.release(&points, randomness)?.empirical()))
    }))
}

fn smoothed_ks<const R: usize>(n: usize) -> Result<Trial, Fault> {
    let size = SmoothedHistogram::size_for_ks_distance(n as u64, ALPHA, R);
    let histogram = smoothed::<R>(n, size.per_axis, size.draws)?;
    Ok(Box::new(move |randomness| {
        let points = points::<R>(n, histogram.cells().bounds(), randomness)?;
        let drawn = histogram.release(&points, randomness)?.points(randomness);
        let distance = if R == 1 { ks_of_points } else { ks_of_points_in_the_plane };
        Ok(distance(truth(), drawn.view()))
    }))
}

fn perturbed<const R: usize>(n: usize) -> Result<PerturbedHistogram, Fault> {
    let cells = cells_by_rate(bounds::<R>()?, n as u64, NeighbouringRelation::SubstituteOne)?;
    Ok(PerturbedHistogram::new(cells, budget()?))
}

fn perturbed_l2<const R: usize>(n: usize) -> Result<Trial, Fault> {
    let (histogram, bounds) = (perturbed::<R>(n)?, bounds::<R>()?);
    Ok(Box::new(move |randomness| {
        let points = points::<R>(n, &bounds, randomness)?;
        Ok(truth().squared_error(histogram.release(&points, randomness)?.density()))
    }))
}

fn perturbed_ks<const R: usize>(n: usize) -> Result<Trial, Fault> {
    let (histogram, bounds) = (perturbed::<R>(n)?, bounds::<R>()?);
    Ok(Box::new(move |randomness| {
        let points = points::<R>(n, &bounds, randomness)?;
        let distance = if R == 1 { ks_of_histogram } else { ks_of_histogram_in_the_plane };
        Ok(distance(truth(), histogram.release(&points, randomness)?.density()))
    }))
}

/// `k = n^(2/3)`, the order of Theorem 12 with the constant 1, on `2 n^(1/3)` cells: both as small as the rate allows, since
/// time grows with their powers.
fn exponential(n: usize) -> Result<KsExponential, Fault> {
    let root = (n as f64).cbrt();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
    let (draws, cells) = ((root * root).round() as usize, (2.0 * root).ceil() as usize);
    let cells = Cells::new(bounds::<1>()?, cells)?;
    Ok(KsExponential::new(budget()?, NeighbouringRelation::SubstituteOne, cells, draws)?)
}

/// Of points that are uniform in the cells drawn.
fn exponential_ks(n: usize) -> Result<Trial, Fault> {
    let mechanism = exponential(n)?;
    Ok(Box::new(move |randomness| {
        let points = points::<1>(n, mechanism.cells().bounds(), randomness)?;
        let drawn = mechanism.release(&points, randomness)?.points(randomness);
        Ok(ks_of_points(truth(), drawn.view()))
    }))
}

/// The distance that is the score of the mechanism.
fn exponential_score(n: usize) -> Result<Trial, Fault> {
    let mechanism = exponential(n)?;
    Ok(Box::new(move |randomness| {
        let points = points::<1>(n, mechanism.cells().bounds(), randomness)?;
        let drawn = mechanism.release(&points, randomness)?.empirical();
        Ok(ks_at_edges(CellCounts::of(&points, mechanism.cells()).reveal(), drawn.probabilities()))
    }))
}

fn perturbed_series(n: usize) -> Result<Trial, Fault> {
    series(n, |mechanism| mechanism)
}

fn exponential_series(n: usize) -> Result<Trial, Fault> {
    series(n, SeriesMechanism::exponential)
}

fn series(n: usize, of: impl Fn(SeriesMechanism) -> SeriesMechanism) -> Result<Trial, Fault> {
    let bounds = bounds::<1>()?;
    let relation = NeighbouringRelation::SubstituteOne;
    let mechanism = of(SeriesMechanism::new(SeriesTerms::Smoothness(GAMMA), budget()?, relation)?);
    Ok(Box::new(move |randomness| {
        let points = points::<1>(n, &bounds, randomness)?;
        Ok(squared_error_of_series(truth(), &mechanism.release(&points, randomness)?.density()))
    }))
}

fn chain(n: usize, from_uniform: bool) -> Result<Trial, Fault> {
    let chain = Chain::new(n, GAMMA)?;
    Ok(Box::new(move |randomness| Ok(chain.squared_error(truth(), from_uniform, randomness))))
}
