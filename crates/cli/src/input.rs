//! The private file of curves, and how its columns are read; and files that are read whole.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use dpfda::kernels::Grid;
use dpfda::mechanism::{GridSource, Source, is_name};
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::{CurveLayout, CurveSet, Decimal, GridChoice, MissingCells, TableError, TableFiles, TextColumn};
use dpfda_study::{GridValue, Table};
use thiserror::Error;

use crate::argument::Argument;
use crate::document::in_directory;
use crate::error::CliError;
use crate::progress;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::summary::{CURATOR_ONLY, rounded, wrapped};

/// What the settings say about the columns.
pub fn columns(table: &Table) -> Result<CurveLayout, CliError> {
    // a checked study has them, unless the table is long
    let layout = CurveLayout::new(&table.values.clone().unwrap_or_default().join(","))?;
    let layout = match &table.subject {
        Some(column) => layout.subject(column),
        None => layout,
    };
    Ok(cells(layout, table))
}

/// The same columns with what the settings say about their cells.
pub fn cells(mut layout: CurveLayout, table: &Table) -> CurveLayout {
    if let Some(delimiter) = &table.delimiter {
        layout = layout.separated_by(delimiter.separator());
    }
    if let Some(missing) = &table.missing {
        layout = layout.missing(missing.clone());
    }
    if table.decimal_comma == Some(true) { layout.decimal(Decimal::Comma) } else { layout }
}

/// The same with the grid.
pub fn layout(table: &Table) -> Result<CurveLayout, CliError> {
    let layout = columns(table)?;
    let layout = if table.is_periodic() { layout.periodic() } else { layout };
    Ok(match &table.grid {
        None => layout,
        Some(GridValue::Names) => layout.grid(GridChoice::Names),
        Some(GridValue::Uniform(lower, upper)) => {
            Grid::new(vec![*lower, *upper])?;
            layout.grid(GridChoice::Uniform(*lower, *upper))
        }
        Some(GridValue::Points(points)) => {
            let are_ends = points.len() == 2;
            let of_points = if table.is_periodic() && !are_ends { Grid::closing } else { Grid::new };
            of_points(points.clone())?;
            layout.grid(match points[..] {
                [lower, upper] => GridChoice::Interval(lower, upper),
                _ => GridChoice::Points(points.clone()),
            })
        }
    })
}

/// How the table was read, for the release, and by which study. Names that could not be printed on a line are left out.
pub fn source(request: &Request<'_>, columns: Option<Vec<&str>>) -> Source {
    let table = &request.study.table;
    let grid = match &table.grid {
        None => GridSource::Default,
        Some(GridValue::Names) => GridSource::Names,
        Some(GridValue::Uniform(..)) => GridSource::Uniform,
        Some(GridValue::Points(points)) if points.len() == 2 => GridSource::Ends,
        Some(GridValue::Points(_)) => GridSource::Points,
    };
    source_on(request, (Some(grid), table.subject.as_deref()), columns)
}

/// The same for a grid from elsewhere, and the column of subjects.
pub fn source_on(
    request: &Request<'_>,
    (grid, subject): (Option<GridSource>, Option<&str>),
    columns: Option<Vec<&str>>,
) -> Source {
    let study = &request.study;
    let columns: Vec<String> = columns.unwrap_or_default().into_iter().map(str::to_owned).collect();
    let columns = if columns.iter().all(|name| is_name(name)) { columns } else { Vec::new() };
    let subject = subject.filter(|name| is_name(name)).map(str::to_owned);
    let missing = study.table.missing.as_ref().map_or_else(Vec::new, |missing| missing.codes().to_vec());
    let source = Source::new(columns, subject, grid, missing).and_then(|source| source.because(study.privacy.reason()));
    // what may be refused are codes that fit on no line
    source.unwrap_or_else(|_| Source::empty()).following(Some(study.digest()))
}

/// The curves of the files that an argument names, in memory.
pub fn read(argument: Argument, path: &Path, layout: &CurveLayout) -> Result<CurveSet, CliError> {
    read_with(argument, path, layout, FilledBy::Line)
}

/// The same curves, where something else than a line stands for a missing value.
pub fn read_with(
    argument: Argument,
    path: &Path,
    layout: &CurveLayout,
    filled: FilledBy,
) -> Result<CurveSet, CliError> {
    let refused = |error: TableError| in_file(argument, path, error.into());
    let files = TableFiles::find(path).map_err(refused)?;
    let progress = progress::reading(bytes_of(&files));
    let curves = CurveSet::read_files(&files, layout, |bytes| Box::new(progress.wrap_read(bytes)));
    progress.finish_and_clear();
    let curves = curves.map_err(refused)?;
    tell_of_ids(curves.similar_ids());
    tell_of_missing(curves.missing_cells(), filled);
    Ok(curves)
}

/// These columns of the same files, as text.
pub fn text_columns(path: &Path, layout: &CurveLayout, names: &[&str]) -> Result<Vec<TextColumn>, TableError> {
    let read = || TableFiles::find(path).and_then(|files| files.text_columns(layout, names));
    progress::waiting("reading labels and covariates", read)
}

/// The size of all files, where they have one.
pub fn bytes_of(files: &TableFiles) -> u64 {
    files.paths().iter().filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum()
}

/// Tells the curator of ids that look alike, where there are any.
pub fn tell_of_ids(similar: NonPrivate<usize>) {
    if let Some(note) = about_ids(similar) {
        // Without a standard error stream, nobody is there to be told.
        let _ = write!(io::stderr(), "{note}");
    }
}

/// What stands in for a missing value.
#[derive(Debug, Clone, Copy)]
pub enum FilledBy {
    /// A line between its neighbours in a curve.
    Line,
    /// What a public process expects of the rest of the curve.
    Process,
    /// Nothing.
    Nothing,
    /// The centre of its axis.
    Center,
}

impl FilledBy {
    fn in_words(self) -> &'static str {
        match self {
            Self::Line => {
                "Each is filled by a line between its neighbours: where values are missing for a reason, such as dropout, the mean is \
                 biased, and no band says so."
            }
            Self::Process => {
                "Each is filled from a public process: where values are missing for a reason, such as dropout, the mean is biased, and no \
                 band says so."
            }
            Self::Nothing => {
                "Each counts as not seen: where values are missing for a reason, such as dropout of people who do badly, the mean is \
                 biased, and no band says so."
            }
            Self::Center => {
                "Each counts as the centre of its axis, and a person's rows count as far as they are known: the density is pulled to \
                 the centre, and nothing in the release says so."
            }
        }
    }
}

/// Tells the curator which codes were read as missing, other than the most usual ones, and that many values are missing. It depends
/// on the data, so it goes to the terminal and nowhere else.
pub fn tell_of_missing(cells: NonPrivate<&MissingCells>, filled: FilledBy) {
    let taken: Vec<String> = cells.reveal().unusual().map(|(code, count)| format!("{code}\u{a0}({count})")).collect();
    let mut notes = Vec::new();
    if !taken.is_empty() {
        notes.push(format!("cells with these codes were read as missing: {}.", taken.join(", ")));
    }
    if let Some(missing) = cells.reveal().many() {
        notes.push(format!("{}% of the cells are missing. {}", rounded(100.0 * missing), filled.in_words()));
    }
    for note in notes {
        // Without a standard error stream, nobody is there to be told.
        let _ = write!(io::stderr(), "{CURATOR_ONLY}\n{}", wrapped("", &format!("NOTE, not for publication: {note}")));
    }
}

/// What the curator is told of ids that look alike. It depends on the data, so it goes to the terminal and nowhere else.
fn about_ids(similar: NonPrivate<usize>) -> Option<String> {
    let groups = match *similar.reveal() {
        0 => return None,
        1 => "1 group".to_owned(),
        more => format!("{more} groups"),
    };
    let note = format!(
        "NOTE, not for publication: there are subject ids that look alike ({groups}). They differ only by letter case, leading \
         zeros, Unicode form or invisible characters. Each id counts as a person. A person with two ids is protected less than \
         the release says: if these are such persons, correct the ids before you publish anything."
    );
    Some(format!("{CURATOR_ONLY}\n{}", wrapped("", &note)))
}

/// A file that is read whole is none of ours when it is larger.
#[derive(Debug, Error)]
#[error("it is larger than {most} bytes, the most that are read")]
struct TooLarge {
    most: u64,
}

/// What is in a file, read whole, unless that is too much.
pub fn whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge { most })) } else { Ok(bytes) }
}

/// The text of a JSON document, or of the one of a release whose directory is named, unless it is too long.
pub fn document(path: &Path, most: u64) -> Result<String, CliError> {
    let path = &in_directory(path);
    let read = || String::from_utf8(whole(path, most)?).map_err(|_| ErrorKind::InvalidData.into());
    let text = read().map_err(|source| CliError::ReadRelease { path: path.to_owned(), source })?;
    // Whoever gives private data by mistake must not see their first cell quoted in a syntax error.
    if text.trim_start().starts_with('{') { Ok(text) } else { Err(CliError::NotJson { path: path.to_owned() }) }
}

/// What is wrong with the file itself is told with its name.
pub fn in_file(argument: Argument, path: &Path, error: CliError) -> CliError {
    match error {
        CliError::Refused { refusal: Refusal::Csv(TableError::Read { kind }) } => {
            CliError::Open { argument, path: path.to_owned(), source: kind.into() }
        }
        CliError::Refused { refusal: Refusal::Csv(TableError::File { path, kind }) } => {
            CliError::Open { argument, path, source: kind.into() }
        }
        CliError::Refused { refusal: Refusal::Csv(TableError::NoFile { path }) } if is_plain(&path) => {
            CliError::Open { argument, path, source: ErrorKind::NotFound.into() }
        }
        CliError::Refused { refusal } if matches!(refusal.argument(), Argument::Curves | Argument::Points) => {
            CliError::InFile { argument, path: path.to_owned(), refusal }
        }
        other => other,
    }
}

/// Whether a path is a name and no pattern of names.
fn is_plain(path: &Path) -> bool {
    !path.to_string_lossy().contains(['*', '?', '[']) && !path.is_dir()
}
