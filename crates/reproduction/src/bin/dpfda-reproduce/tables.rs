//! Tables 1 and 2, searched again, beside what was published.

use dpfda::crossval::{Edge, Folds, Position, Progress, ScoreSurface};
use dpfda::kernels::Quadrature;
use dpfda::plotting::{FigureError, SurfaceFigure, SurfacePanel};
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::CurveSet;
use dpfda_cli::shared::{edge_key, steps};
use dpfda_reproduction::{
    ReproductionError, TableEntry, best_pairs, best_ranges, table_1 as search_table_1, table_2 as search_table_2,
    table_2_with_correct_noise, ten_folds, ten_random_folds,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use serde::Serialize;

use crate::arguments::Convention;

/// The weights of the authors' package.
pub const PACKAGE_WEIGHTS: Quadrature = Quadrature::Equal;

/// The scores of one table, and the entries they give.
pub struct Search {
    scores: NonPrivate<ScoreSurface>,
    score_name: &'static str,
    /// Whether the penalty was searched for as well, as in Table 2.
    searches_penalty: bool,
    /// In the order of the published entries.
    pub entries: Vec<TableEntry>,
}

/// Called back after each spectrum.
pub type Report<'a> = Option<&'a dyn Fn(Progress)>;

/// How curves are dealt into ten folds; the paper does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealing {
    /// In the order of the file, in which the scans of a person are neighbours. Gives Table 2 as published.
    InOrder,
    /// At random. Gives Table 1 as published.
    Shuffled,
}

impl Dealing {
    /// The folds, and the generator for what is drawn afterwards.
    fn folds(self, curves: &CurveSet, seed: u64) -> Result<(Folds, ChaCha8Rng), ReproductionError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let folds = match self {
            Self::InOrder => ten_folds(curves)?,
            Self::Shuffled => ten_random_folds(curves, &mut rng)?,
        };
        Ok((folds, rng))
    }
}

/// Table 1 in the convention of the package.
pub fn table_1(
    curves: &CurveSet,
    dealing: Dealing,
    seed: u64,
    report: Report<'_>,
) -> Result<Search, ReproductionError> {
    let (folds, _) = dealing.folds(curves, seed)?;
    let scores = search_table_1(curves, &folds, report)?;
    let entries = best_ranges(scores.reveal());
    Ok(Search { scores, score_name: "mean distance", searches_penalty: false, entries })
}

/// Table 2 in the convention of the package.
pub fn table_2(
    curves: &CurveSet,
    dealing: Dealing,
    seed: u64,
    report: Report<'_>,
) -> Result<Search, ReproductionError> {
    let (folds, mut rng) = dealing.folds(curves, seed)?;
    let scores = search_table_2(curves, &folds, &mut rng, report)?;
    let entries = best_pairs(scores.reveal());
    Ok(Search { scores, score_name: "mean distance", searches_penalty: true, entries })
}

/// Table 2 with correctly scaled noise, folds in the order of the file.
pub fn table_2_correct(
    curves: &CurveSet,
    quadrature: Quadrature,
    report: Report<'_>,
) -> Result<Search, ReproductionError> {
    let folds = ten_folds(curves)?;
    let scores = table_2_with_correct_noise(curves, &folds, quadrature, report)?;
    let entries = best_pairs(scores.reveal());
    Ok(Search { scores, score_name: "expected squared distance", searches_penalty: true, entries })
}

/// For each published entry, how many of the first seeds give it.
pub fn seeds_that_give(
    name: &'static str,
    published: &[TableEntry],
    seeds: u64,
    search: impl Fn(u64) -> Result<Search, ReproductionError>,
) -> Result<Vec<u64>, ReproductionError> {
    let mut counts = vec![0; published.len()];
    let bar = steps(name, seeds);
    for seed in 0..seeds {
        for ((count, found), published) in counts.iter_mut().zip(&search(seed)?.entries).zip(published) {
            *count += u64::from(is_published(found, published));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(counts)
}

impl Search {
    /// The edges of the grid that an entry lies on, as `edge: largest-range`; none inside.
    pub fn edges(&self, entry: &TableEntry) -> Option<String> {
        let surface = self.scores.reveal();
        let candidates = surface.candidates();
        let family = candidates.families().iter().position(|family| family.name() == entry.kernel)?;
        let range = candidates.families()[family].ranges().iter().position(|&range| range == entry.range)?;
        let penalty = candidates.penalties().iter().position(|&penalty| penalty == entry.penalty)?;
        let edges = surface.edges(Position { family, range, penalty, power: 0 });
        let of_range = |edge: &Edge| matches!(edge, Edge::LeastRange | Edge::LargestRange);
        let edges = edges.into_iter().filter(|edge| self.searches_penalty || of_range(edge));
        let edges: Vec<_> = edges.map(edge_key).collect();
        if edges.is_empty() { None } else { Some(format!("edge: {}", edges.join(", "))) }
    }

    /// The scores as a heat map.
    pub fn svg(&self, title: &str) -> Result<String, FigureError> {
        let panels = NonPrivate::new(SurfacePanel::of_kernels(self.scores.reveal())?);
        SurfaceFigure::not_private(panels)?.title(title).score_name(self.score_name).to_svg()
    }
}

/// Whether an entry is the published one, which is printed to three digits.
pub fn is_published(found: &TableEntry, published: &TableEntry) -> bool {
    found.kernel == published.kernel
        && found.penalty == published.penalty
        && (found.range - published.range).abs() < 1e-3
}

/// A range as it is printed: grids of tenths of an interval have no short decimals.
pub fn shown_range(range: f64) -> f64 {
    (range * 1e6).round() / 1e6
}

/// The answer for programs.
#[derive(Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    table1: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table2: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Vec<&'static str>>,
}

#[derive(Serialize)]
struct Row {
    kernel: String,
    phi: f64,
    rho: f64,
}

impl Answer {
    /// The tables that were searched.
    pub fn of_tables(table_1: Option<&Search>, table_2: Option<&Search>, convention: Convention) -> Self {
        let convention = table_2.map(|_| match convention {
            Convention::Paper => "paper",
            Convention::Correct => "correct",
        });
        Self { table1: table_1.map(rows), table2: table_2.map(rows), convention, figures: None }
    }

    /// The files of the figures.
    pub fn of_figures(names: Vec<&'static str>) -> Self {
        Self { table1: None, table2: None, convention: None, figures: Some(names) }
    }
}

fn rows(search: &Search) -> Vec<Row> {
    let row = |entry: &TableEntry| Row {
        kernel: entry.kernel.to_string(),
        phi: entry.penalty,
        rho: shown_range(entry.range),
    };
    search.entries.iter().map(row).collect()
}
