//! What was found in one cell: a line of the file of results.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::number::Number;

/// The least coverage of a band of 95%, and how many standard errors a cell may be below it.
const LEAST: f64 = 0.90;
const ERRORS: f64 = 2.0;

/// What the share of a quantity is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How often the band holds the truth.
    Coverage,
    /// How often a test rejects what is true.
    Size,
    /// How often a test rejects what is false.
    Power,
    /// No share: what was foretold over what was measured.
    Forecast,
    /// No share: the error over what the best radius, centre and smoother would give.
    Floor,
}

/// One quantity of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    pub quantity: String,
    pub measure: Measure,
    /// Releases that say something of the quantity.
    pub known: usize,
    /// How often what is measured was so, among these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Number>,
    /// The half-width over that without privacy; of a forecast, what was foretold over what was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<Number>,
    /// The root-mean-square error over the sampling error; of a forecast as the width; of a floor the error over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Number>,
}

impl Found {
    /// Whether the coverage is below what a band must have by more than chance.
    pub fn is_below(&self) -> bool {
        let is_low = |share: Number| share.mean + ERRORS * share.error < LEAST;
        self.measure == Measure::Coverage && self.share.is_some_and(is_low)
    }
}

/// What was found in one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LineDocument", into = "LineDocument")]
pub struct Line {
    pub cell: Cell,
    pub releases: usize,
    pub found: Vec<Found>,
}

impl Line {
    /// The quantities whose bands do not hold, of a pool where they should.
    pub fn below(&self) -> impl Iterator<Item = &Found> {
        // where most releases say that they say nothing, the few others are no sample
        let is_known = |found: &&Found| 2 * found.known >= self.releases;
        self.found.iter().filter(is_known).filter(|found| !self.cell.is_hard() && found.is_below())
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineDocument {
    cell: String,
    releases: usize,
    found: Vec<Found>,
}

impl From<Line> for LineDocument {
    fn from(line: Line) -> Self {
        Self { cell: line.cell.to_string(), releases: line.releases, found: line.found }
    }
}

impl TryFrom<LineDocument> for Line {
    type Error = String;

    fn try_from(document: LineDocument) -> Result<Self, String> {
        let LineDocument { cell, releases, found } = document;
        let cell = Cell::of(&cell).ok_or_else(|| format!("`{cell}` is no name of a cell"))?;
        Ok(Self { cell, releases, found })
    }
}
