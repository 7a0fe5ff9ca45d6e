//! What a run is asked for.

use std::path::PathBuf;

use crate::Fault;
use crate::cell::{BUDGETS, Cell};
use crate::kinds::{KINDS, Kind, MOST};
use crate::pools::real;

/// Releases of a cell; of the tenth, the part of them that it makes, and the most people of its cells, whose pools are public.
const RELEASES: usize = 300;
const TENTH: usize = 10;
const MOST_OF_TENTH: usize = 1000;

pub const HELP: &str = "\
cargo run --release -p dpfda-benches --bin honesty -- [OPTIONS]

  --kinds K,..     mean circle features rows groups change difference regression surface components centiles person outcome several
                   (default: all)
  --pools P,..     names of pools or pairs (default: all)
  --records N,..   numbers of people (default: all but 50000)
  --budgets B,..   A = (1, 0.1), B = (1, 1e-5), C = (0.3, 1e-5) (default: all)
  --releases R     releases of a cell (default: 300, of the tenth 30)
  --file FILE      the file of results (default: target/honesty.jsonl)
  --tenth          a tenth of the releases, of cells of at most 1000 people of public pools: what the nightly lane runs
  --table          prints the table of the file and measures nothing";

/// The settings of a run.
pub struct Flags {
    kinds: Vec<String>,
    pools: Vec<String>,
    records: Vec<usize>,
    budgets: Vec<String>,
    releases: Option<usize>,
    pub file: PathBuf,
    is_tenth: bool,
    pub is_table: bool,
}

impl Flags {
    pub fn of(arguments: impl Iterator<Item = String>) -> Result<Self, Fault> {
        let mut flags = Self {
            kinds: Vec::new(),
            pools: Vec::new(),
            records: Vec::new(),
            budgets: Vec::new(),
            releases: None,
            file: PathBuf::from("target/honesty.jsonl"),
            is_tenth: false,
            is_table: false,
        };
        let mut arguments = arguments;
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| Fault::from(format!("{flag} needs a value")));
            match flag.as_str() {
                "--kinds" => flags.kinds = listed(&value()?),
                "--pools" => flags.pools = listed(&value()?),
                "--records" => {
                    let numbers: Result<Vec<usize>, _> =
                        listed(&value()?).iter().map(|number| number.parse()).collect();
                    flags.records = numbers?;
                }
                "--budgets" => flags.budgets = listed(&value()?),
                "--releases" => flags.releases = Some(value()?.parse()?),
                "--file" => flags.file = PathBuf::from(value()?),
                "--tenth" => flags.is_tenth = true,
                "--table" => flags.is_table = true,
                _ => return Err(format!("no option is called {flag}").into()),
            }
        }
        flags.check()?;
        Ok(flags)
    }

    /// A name that no cell has would measure nothing, and say nothing of it.
    fn check(&self) -> Result<(), Fault> {
        let all: Vec<Cell> = KINDS.iter().flat_map(Kind::cells).collect();
        let unknown = |asked: &[String], has: fn(&Cell, &str) -> bool| {
            asked.iter().find(|name| !all.iter().any(|cell| has(cell, name))).cloned()
        };
        let kind = unknown(&self.kinds, |cell, name| cell.kind == name);
        let pool = unknown(&self.pools, |cell, name| cell.pool == name);
        if self.releases == Some(0) {
            return Err("a cell has at least one release".into());
        }
        let budget = self.budgets.iter().find(|name| BUDGETS.iter().all(|budget| budget.to_string() != **name));
        let records = self.records.iter().find(|records| !all.iter().any(|cell| cell.records == **records));
        let unknown = kind.or(pool).or(budget.cloned()).or(records.map(ToString::to_string));
        unknown.map_or(Ok(()), |name| Err(format!("no cell has `{name}`").into()))
    }

    pub fn releases(&self) -> usize {
        self.releases.unwrap_or(if self.is_tenth { RELEASES / TENTH } else { RELEASES })
    }

    /// The cells that are asked for.
    pub fn cells(&self) -> Vec<Cell> {
        let all = KINDS.iter().flat_map(Kind::cells);
        let is_in_tenth = |cell: &Cell| cell.records <= MOST_OF_TENTH && !real::is_real(&cell.pool);
        all.filter(|cell| self.asks_for(cell) && (!self.is_tenth || is_in_tenth(cell))).collect()
    }

    fn asks_for(&self, cell: &Cell) -> bool {
        let is_asked = |asked: &[String], name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
        let is_size = if self.records.is_empty() { cell.records != MOST } else { self.records.contains(&cell.records) };
        is_size
            && is_asked(&self.kinds, &cell.kind)
            && is_asked(&self.pools, &cell.pool)
            && is_asked(&self.budgets, &cell.budget.to_string())
    }
}

fn listed(text: &str) -> Vec<String> {
    text.split(',').map(|name| name.trim().to_owned()).collect()
}
