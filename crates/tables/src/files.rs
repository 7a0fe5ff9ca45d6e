//! The files of a data set: one file, a folder, or a pattern of names.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::{CurveBatch, CurveSource, MissingCells, NamedCurves, decoded};
use crate::csv::CsvCurves;
use crate::error::TableError;
use crate::layout::CurveLayout;
use crate::open::{Bytes, STANDARD_INPUT, decompressed};
use crate::records::Records;
use crate::separator::Separator;
use crate::spool::{MOST_SPOOLED, Spool};
use crate::text_column::TextColumn;
use dpfda_kernels::Grid;

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;

/// The endings of the names of files that are taken from a folder, before an ending of compression.
const ENDINGS: [&str; 8] = ["csv", "tsv", "tab", "parquet", "arrow", "feather", "ipc", "npy"];
const COMPRESSED: [&str; 3] = ["gz", "zst", "zstd"];

/// The files of one data set, in the order of their names.
///
/// Together they are one table: every file has the same value columns in the same order, and a subject may be in several.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFiles {
    paths: Vec<PathBuf>,
    /// Whether the file itself was named, and not a folder or a pattern.
    is_named: bool,
}

impl TableFiles {
    /// The file of this name; all tables in a folder; or all files whose names match a pattern such as `site?/*.csv`.
    ///
    /// From a folder the files are taken whose names end with `.csv`, `.tsv` or `.tab`, also compressed (`.gz`, `.zst`), or with
    /// `.parquet`, `.arrow`, `.feather`, `.ipc` or `.npy`, which need the feature `columnar`. An array in an `.npy` file is one
    /// column of lists, named `values`. A name of
    /// [`STANDARD_INPUT`] is the standard input.
    ///
    /// # Errors
    /// [`TableError::NoFile`] where there is none, [`TableError::SameFile`] where one has two names, [`TableError::FilePattern`] for a pattern that is none, [`TableError::File`]
    /// for a folder that cannot be read.
    pub fn find(path: &Path) -> Result<Self, TableError> {
        let none = || TableError::NoFile { path: path.to_owned() };
        if path.as_os_str() == STANDARD_INPUT || path.is_file() {
            return Ok(Self { paths: vec![path.to_owned()], is_named: true });
        }
        let mut paths = if path.is_dir() { tables_in(path)? } else { matching(path)? };
        paths.sort_unstable();
        refuse_same(&paths)?;
        if paths.is_empty() { Err(none()) } else { Ok(Self { paths, is_named: false }) }
    }

    /// Whether it is the standard input, which can be read once.
    pub fn is_stream(&self) -> bool {
        self.paths[0].as_os_str() == STANDARD_INPUT
    }

    /// The files.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Opens one of the files, counted from 0, and reads its header.
    ///
    /// # Errors
    /// [`TableError`]; where there are several files, with the name of the file.
    ///
    /// # Panics
    /// If there is no such file.
    pub fn open(&self, file: usize, layout: &CurveLayout) -> Result<AnyCurves, TableError> {
        self.open_with(file, layout, |bytes| bytes)
    }

    /// The same, with something that watches the bytes of the file as they are read.
    ///
    /// # Panics
    /// If there is no such file.
    pub fn open_with(
        &self,
        file: usize,
        layout: &CurveLayout,
        watch: impl FnOnce(Bytes) -> Bytes,
    ) -> Result<AnyCurves, TableError> {
        let path = &self.paths[file];
        AnyCurves::open(path, layout, watch).map_err(|error| self.in_file(file, error))
    }

    /// Columns of text beside the curves, of all files: labels of groups and covariates.
    ///
    /// # Errors
    /// As [`TextColumn::read`]; [`TableError::Format`] for files that are no text, and for the standard input, which can be read once.
    pub fn text_columns(&self, layout: &CurveLayout, names: &[&str]) -> Result<Vec<TextColumn>, TableError> {
        if self.is_stream() {
            let remedy = "give the file itself where a column of labels or covariates is needed beside the curves";
            return Err(TableError::Format { found: "the standard input, which can be read once", remedy });
        }
        let mut all: Option<Vec<TextColumn>> = None;
        for (file, path) in self.paths.iter().enumerate() {
            let in_file = |error: io::Error| TableError::File { path: path.clone(), kind: error.kind() };
            let bytes = File::open(path).map_err(in_file).and_then(decompressed);
            let cells = (&layout.missing, layout.decimal);
            let columns = bytes.and_then(|bytes| TextColumn::read(bytes, separator_of(path, layout), cells, names));
            let columns = columns.map_err(|error| self.in_file(file, error))?;
            match &mut all {
                Some(all) => all.iter_mut().zip(columns).for_each(|(all, more)| all.extend(more)),
                None => all = Some(columns),
            }
        }
        Ok(all.unwrap_or_default())
    }

    /// The cells of the first line of the first file: names of columns, where it has a header. None where it can be read once only, or
    /// not at all.
    pub fn first_line(&self, layout: &CurveLayout) -> Vec<String> {
        let Some(path) = self.paths.first().filter(|path| path.is_file()) else { return Vec::new() };
        let line = || {
            let mut records =
                Records::separated_by(decompressed(File::open(path).ok()?).ok()?, separator_of(path, layout));
            let text = |cell: &[u8]| String::from_utf8_lossy(cell).trim().to_owned();
            records.read().ok()?.map(|record| record.iter().map(text).collect())
        };
        line().unwrap_or_default()
    }

    /// Refuses a file whose columns are not those of the first.
    pub fn check_same(&self, first: &AnyCurves, file: usize, other: &AnyCurves) -> Result<(), TableError> {
        match first.curves.columns().first_difference(other.curves.columns()) {
            None => Ok(()),
            Some(column) => Err(TableError::OtherColumns { path: self.paths[file].clone(), column }),
        }
    }

    /// What is wrong in a file of a folder or a pattern is told with the name of the file.
    pub fn in_file(&self, file: usize, error: TableError) -> TableError {
        let path = self.paths[file].clone();
        match error {
            TableError::Read { kind } => TableError::File { path, kind },
            error @ (TableError::File { .. } | TableError::Changed { .. }) => error,
            error if self.is_named => error,
            error => TableError::InFile { path, source: Box::new(error) },
        }
    }
}

/// What a file is, whatever it is called.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// Its device and its place on it.
    #[cfg(unix)]
    Place(u64, u64),
    /// Its name without links and dots, as far as it is there.
    Name(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(file) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Self::Place(file.dev(), file.ino());
        }
        let name = fs::canonicalize(path).or_else(|_| std::path::absolute(path));
        Self::Name(name.unwrap_or_else(|_| path.to_owned()))
    }
}

/// Refuses a file that has two of these names, as `a.csv`, `./a.csv` and a link to it: its people would count twice.
pub fn refuse_same(paths: &[PathBuf]) -> Result<(), TableError> {
    let mut known: HashMap<Identity, &PathBuf> = HashMap::new();
    for path in paths {
        if let Some(other) = known.insert(Identity::of(path), path) {
            return Err(TableError::SameFile { path: path.clone(), other: other.clone() });
        }
    }
    Ok(())
}

fn tables_in(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let in_folder = |error: io::Error| TableError::File { path: folder.to_owned(), kind: error.kind() };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(in_folder)? {
        let path = entry.map_err(in_folder)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !is_hidden && path.is_file() && ENDINGS.iter().any(|ending| ends_with(&path, ending)) {
            paths.push(path);
        }
    }
    Ok(paths)
}

fn matching(pattern: &Path) -> Result<Vec<PathBuf>, TableError> {
    let refused = || TableError::FilePattern { path: pattern.to_owned() };
    let paths = glob::glob(pattern.to_str().ok_or_else(refused)?).map_err(|_| refused())?;
    Ok(paths.filter_map(Result::ok).filter(|path| path.is_file()).collect())
}

/// Whether a name has this ending, an ending of compression left aside.
pub(crate) fn ends_with(path: &Path, ending: &str) -> bool {
    let is_compressed = COMPRESSED.iter().any(|ending| has_ending(path, ending));
    has_ending(&if is_compressed { path.with_extension("") } else { path.to_owned() }, ending)
}

/// What was asked for, or what the name says.
fn separator_of(path: &Path, layout: &CurveLayout) -> Separator {
    layout.separator.unwrap_or_else(|| Separator::of_name(path))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The curves of a file of any kind that is read: its first bytes say which.
pub struct AnyCurves {
    curves: Box<dyn NamedCurves>,
    unchanged: Option<Unchanged>,
}

impl AnyCurves {
    fn open(path: &Path, layout: &CurveLayout, watch: impl FnOnce(Bytes) -> Bytes) -> Result<Self, TableError> {
        let layout = layout.clone().separated_by(separator_of(path, layout));
        if path.as_os_str() == STANDARD_INPUT {
            let bytes = decompressed(watch(Box::new(io::stdin())))?;
            return Ok(Self { curves: Box::new(CsvCurves::new(bytes, &layout)?), unchanged: None });
        }
        let in_file = |error: io::Error| TableError::File { path: path.to_owned(), kind: error.kind() };
        let mut file = File::open(path).map_err(in_file)?;
        let unchanged = Unchanged::note(path, &file).map_err(in_file)?;
        let is_file = unchanged.was.is_some();
        let curves = match if is_file { columnar(&mut file, &layout).map_err(in_file)? } else { None } {
            Some(curves) => curves?,
            None => Box::new(CsvCurves::new(decompressed(watch(Box::new(file)))?, &layout)?),
        };
        Ok(Self { curves, unchanged: Some(unchanged) })
    }
}

/// The curves of a columnar file or a NumPy array; `None` for another one. What cannot be sought in is none.
#[cfg(feature = "columnar")]
#[allow(clippy::type_complexity, reason = "nothing, a refusal, or curves")]
fn columnar(file: &mut File, layout: &CurveLayout) -> io::Result<Option<Result<Box<dyn NamedCurves>, TableError>>> {
    use std::io::{Read, Seek};

    use crate::columnar::{ARROW, ARROW_STREAM, ColumnarCurves, PARQUET};
    use crate::npy::{NPY, NpyCurves};

    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start)?;
    file.rewind()?;
    let named = |curves: Result<ColumnarCurves, TableError>| {
        Some(curves.map(|curves| Box::new(curves) as Box<dyn NamedCurves>))
    };
    Ok(if start.starts_with(PARQUET) {
        named(ColumnarCurves::parquet(file.try_clone()?, layout))
    } else if start.starts_with(ARROW) || start.starts_with(ARROW_STREAM) {
        named(ColumnarCurves::arrow(file.try_clone()?, layout))
    } else if start.starts_with(NPY) {
        Some(NpyCurves::new(file.try_clone()?, layout).map(|curves| Box::new(curves) as Box<dyn NamedCurves>))
    } else {
        None
    })
}

/// Without the feature the first bytes of such a file are refused where it is read as text.
#[cfg(not(feature = "columnar"))]
#[allow(clippy::type_complexity, clippy::unnecessary_wraps, reason = "as with the feature")]
fn columnar(_: &mut File, _: &CurveLayout) -> io::Result<Option<Result<Box<dyn NamedCurves>, TableError>>> {
    Ok(None)
}

impl AnyCurves {
    /// Has the curves that are left written into a spool as they are read: what can be read once is gone through twice.
    ///
    /// # Errors
    /// [`TableError::Spool`] where no private file can be made; more than [`MOST_SPOOLED`](crate::MOST_SPOOLED) bytes are refused where
    /// they are read.
    pub fn spooled(self) -> Result<(Self, Spool), TableError> {
        let Self { curves, unchanged } = self;
        let spool = Spool::new(&*curves)?;
        let curves = spool.filled_by(curves, MOST_SPOOLED)?;
        Ok((Self { curves, unchanged }, spool))
    }

    /// Whether it is a file, which may be read again.
    pub fn is_file(&self) -> bool {
        self.unchanged.as_ref().is_some_and(|unchanged| unchanged.was.is_some())
    }

    /// The curves of a spool, once all are in it.
    pub fn of_spool(spool: &Spool) -> Result<Self, TableError> {
        Ok(Self { curves: spool.again()?, unchanged: None })
    }
}

impl CurveSource for AnyCurves {
    fn grid(&self) -> &Grid {
        self.curves.grid()
    }

    fn has_subjects(&self) -> bool {
        self.curves.has_subjects()
    }

    fn column_names(&self) -> Option<Vec<&str>> {
        self.curves.column_names()
    }

    fn missing_cells(&self) -> &MissingCells {
        self.curves.missing_cells()
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        let has_more = self.curves.read(batch)?;
        match &self.unchanged {
            Some(unchanged) if !has_more => unchanged.check().map(|()| false),
            _ => Ok(has_more),
        }
    }

    fn cut(&mut self) -> Result<Option<Box<dyn CurveSource>>, TableError> {
        // what is read once is decoded in its order, so that what is wrong with it is told by its row
        let part = if self.is_file() { self.curves.cut()? } else { decoded(&mut *self.curves)? };
        match &self.unchanged {
            Some(unchanged) if part.is_none() => unchanged.check().map(|()| None),
            _ => Ok(part),
        }
    }
}

/// What a file was when it was opened.
struct Unchanged {
    path: PathBuf,
    file: File,
    was: Option<Metadata>,
}

impl Unchanged {
    fn note(path: &Path, file: &File) -> io::Result<Self> {
        let was = file.metadata()?;
        // a pipe grows while it is read
        let was = was.is_file().then_some(was);
        Ok(Self { path: path.to_owned(), file: file.try_clone()?, was })
    }

    /// Refuses a file that somebody wrote to: what was read may be half of the old and half of the new.
    fn check(&self) -> Result<(), TableError> {
        let changed = || TableError::Changed { path: self.path.clone() };
        let Some(was) = &self.was else { return Ok(()) };
        let is = self.file.metadata().map_err(|_| changed())?;
        if is.len() == was.len() && is.modified().ok() == was.modified().ok() { Ok(()) } else { Err(changed()) }
    }
}
