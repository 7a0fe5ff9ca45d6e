//! Private data as Python says where they are: a path, or numbers in memory with the cells beside them.

use std::path::{Path, PathBuf};

use dpfda::density::{Bounds, Points};
use dpfda::release::LongRows;
use dpfda::smoothing::{CurveSet, TableFiles, TextColumn};
use dpfda_study::{Asked, Data, FilledBy, LongTable, RowTable, read_curves, read_rows};
use pyo3::prelude::*;

use crate::cells::{Ids, Labels};
use crate::door::{Concerns, Gathered};
use crate::reading::{Form, Places, Reading};
use crate::refusal::Refusal;
use crate::table::Numbers;

/// Private data.
#[derive(FromPyObject)]
pub enum DataArgument<'py> {
    /// Files that a path names.
    Files(PathBuf),
    /// Numbers in memory.
    Memory(MemoryArgument<'py>),
}

/// Numbers in memory.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct MemoryArgument<'py> {
    numbers: Numbers<'py>,
    /// The names of their columns, where they have any.
    names: Option<Vec<String>>,
    /// Where the columns lie, where their names say so.
    places: Option<Py<Places>>,
    /// Where the data say that their points lie, along each axis.
    known: Option<Vec<Vec<f64>>>,
    ids: Option<Py<Ids>>,
    texts: Vec<Py<Labels>>,
    /// What the data call the first axis of a surface, the horizontal and the vertical axis.
    axes: Option<Axes>,
}

/// Names of the first axis of a surface, of the horizontal and of the vertical axis, as far as there are any.
pub type Axes = (Option<String>, Option<String>, Option<String>);

/// Records in rows, before they are read; Python's lock is not needed for them.
pub enum Wide<'a> {
    /// In files.
    Files(PathBuf),
    /// In memory, and whether cells of labels or covariates are of a kind that is not read.
    Memory(Box<RowTable<'a>>, bool),
}

/// Private curves with the columns beside them.
pub struct Whole {
    /// The curves.
    pub curves: CurveSet,
    /// The columns of text, in the order of their names.
    pub columns: Vec<TextColumn>,
    /// For the curator alone.
    pub concerns: Concerns,
}

impl DataArgument<'_> {
    /// What the data call their axes.
    pub fn axes(&self) -> Axes {
        if let Self::Memory(MemoryArgument { axes: Some(axes), .. }) = self { axes.clone() } else { (None, None, None) }
    }

    /// Records in rows, checked as far as they can be without their values.
    ///
    /// # Errors
    /// [`Refusal`] for a grid or ids that cannot be.
    pub fn wide(&self, reading: &Reading) -> Result<Wide<'_>, Refusal> {
        let memory = match self {
            Self::Files(path) => return Ok(Wide::Files(path.clone())),
            Self::Memory(memory) => memory,
        };
        let rows = memory.numbers.view(&reading.codes())?;
        let grid = match &memory.places {
            Some(places) => places.get().0.clone(),
            None => reading.grid(rows.columns(), memory.known.as_deref())?,
        };
        let (ids, names, texts) = (memory.ids(), memory.names(), memory.texts());
        let strange = texts.iter().any(|column| column.are_strange);
        let texts = texts.into_iter().map(|labels| labels.column.clone()).collect();
        Ok(Wide::Memory(Box::new(RowTable { rows, grid, ids, names, texts }), strange))
    }

    /// All rows of a long table, with the names of the columns of times and values and what the curator should know of them.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read.
    pub fn long(
        &self,
        py: Python<'_>,
        reading: &Reading,
        mut rows: LongRows,
    ) -> Result<(LongRows, Option<Vec<String>>, Concerns), Refusal> {
        let names = match self {
            Self::Files(path) => {
                let gathered = Gathered::new(Concerns::default(), true);
                let read = py.detach(|| {
                    read_rows(&TableFiles::find(path)?, reading.layout()?, rows, None, &gathered).map_err(Refusal::from)
                });
                let (rows, names) = read?;
                return Ok((rows, names, gathered.concerns()));
            }
            Self::Memory(memory) => {
                let table = memory.long(reading, ["time", "value"])?;
                py.detach(|| table.push_to(&mut rows))?;
                memory.names.clone()
            }
        };
        let similar_ids = py.detach(|| *rows.similar_ids().reveal() > 0);
        let concerns = Concerns { unused: rows.seen().reveal().many_unused(), ..Concerns::of_ids(similar_ids) };
        Ok((rows, names, concerns))
    }

    /// Points on public bounds: with ids, the mean of those of each subject.
    ///
    /// # Errors
    /// [`Refusal`] for points that cannot be read.
    pub fn points(&self, py: Python<'_>, reading: &Reading, bounds: &Bounds) -> Result<(Points, Concerns), Refusal> {
        let points = match self {
            Self::Files(path) => {
                let Form::Points(layout) = &reading.form else { return Err(Refusal::new("data", "a row is no point")) };
                if reading.has_default_columns() {
                    return Err(Refusal::new("columns", "columns= must name the columns of a file"));
                }
                let file = std::fs::File::open(path);
                let file =
                    file.map_err(|error| Refusal::new("data", format!("the file cannot be read: {}", error.kind())))?;
                py.detach(|| Points::from_csv_reader(file, &layout.clone().of_file(path), bounds.clone()))?
            }
            Self::Memory(memory) => {
                let rows = memory.numbers.view(&reading.codes())?;
                let ids = memory.ids();
                py.detach(|| match ids {
                    None => Points::new(rows.copied(), bounds.clone()),
                    Some(ids) => Points::of_subjects(&rows.copied(), ids, bounds),
                })?
            }
        };
        let concerns = Concerns::of_file(*points.similar_ids().reveal() > 0, points.missing_cells());
        // missing cells of a table in memory are in the hands of whoever made it
        let concerns = if matches!(self, Self::Files(_)) { concerns } else { Concerns::of_ids(concerns.similar_ids) };
        Ok((points, concerns))
    }
}

impl MemoryArgument<'_> {
    /// A long table whose columns are called so in refusals.
    ///
    /// # Errors
    /// [`Refusal`] for a number that cannot be a time or a value.
    pub fn long_of(&self, reading: &Reading, asked: &Asked<'_>) -> Result<LongTable<'_>, Refusal> {
        match asked {
            Asked::Surface(_) => self.long(reading, ["s", "t", "value"]),
            _ => self.long(reading, ["time", "value"]),
        }
    }

    fn long<const N: usize>(&self, reading: &Reading, called: [&'static str; N]) -> Result<LongTable<'_>, Refusal> {
        let table = LongTable::new(self.whose()?, self.numbers.columns(N)?, self.names(), &reading.codes(), 0);
        table.map_err(|cell| {
            let what = called[cell.column];
            Refusal::unfit(cell.unfit, &format!("the {what} in row {} (counted from 0)", cell.row), what)
        })
    }

    fn ids(&self) -> Option<&[String]> {
        self.ids.as_ref().map(|ids| ids.get().all())
    }

    /// Whose each row of a long table is.
    fn whose(&self) -> Result<&[String], Refusal> {
        self.ids().ok_or_else(|| Refusal::new("id", "a long table has the id of a subject in each row"))
    }

    fn names(&self) -> Option<Vec<&str>> {
        self.names.as_ref().map(|names| names.iter().map(String::as_str).collect())
    }

    fn texts(&self) -> Vec<&Labels> {
        self.texts.iter().map(Py::get).collect()
    }
}

impl Wide<'_> {
    /// All curves, with the columns of text beside them.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read, and for a column that a file does not have.
    pub fn whole(self, reading: &Reading) -> Result<Whole, Refusal> {
        let (table, strange) = match self {
            Self::Files(path) => return Whole::of_files(&path, reading),
            Self::Memory(table, strange) => (*table, strange),
        };
        let concerns = Concerns { strange, ..Concerns::of_ids(table.similar_ids() > 0) };
        Ok(Whole { curves: table.curves()?, columns: table.texts, concerns })
    }
}

impl Whole {
    fn of_files(path: &Path, reading: &Reading) -> Result<Self, Refusal> {
        let gathered = Gathered::new(Concerns::default(), true);
        let curves = read_curves(&Data::Files(path), reading.layout_of_files()?, FilledBy::Line, &gathered)?;
        Ok(Self { curves: curves.into_owned(), columns: Vec::new(), concerns: gathered.concerns() })
    }
}
