//! The file of results: one line of JSON for each cell, in the order in which the cells were measured.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::cell::Cell;
use super::line::Line;

/// Results on disk. A cell that is there is not measured again.
pub struct Store {
    file: File,
    lines: Vec<Line>,
}

impl Store {
    /// Opens a file, or begins one. A last line without an end is what an interrupted run left: it is cut off.
    ///
    /// # Errors
    /// For a file that cannot be read or written, and for a line that says nothing of a cell.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = Vec::new();
        for (place, line) in text[..whole].lines().enumerate() {
            let line = serde_json::from_str(line);
            lines.push(line.map_err(|error| format!("{}, line {}: {error}", path.display(), place + 1))?);
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok(Self { file, lines })
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn holds(&self, cell: &Cell) -> bool {
        self.lines.iter().any(|line| line.cell == *cell)
    }

    /// Measures those of the cells that are not in the file, and writes each down at once. What fails is told, the other cells are
    /// measured all the same: the cells that failed are given back.
    ///
    /// # Errors
    /// For a file that cannot be written.
    pub fn fill<'c, E: std::fmt::Display>(
        &mut self,
        cells: &'c [Cell],
        mut measure: impl FnMut(&Cell) -> Result<Line, E>,
    ) -> Result<Vec<&'c Cell>, Box<dyn Error>> {
        let mut failed = Vec::new();
        for cell in cells {
            if self.holds(cell) {
                continue;
            }
            match measure(cell) {
                Ok(line) => {
                    writeln!(self.file, "{}", serde_json::to_string(&line)?)?;
                    self.lines.push(line);
                }
                Err(error) => {
                    eprintln!("{cell}: {error}");
                    failed.push(cell);
                }
            }
        }
        Ok(failed)
    }
}
