//! Tables that are read whole.

use std::borrow::Cow;

use dpfda::release::{LongRows, OfRows};
use dpfda::smoothing::{AnyCurves, CurveLayout, CurveSet, CurveSource, Spool, TableError, TableFiles, TextColumn};

use super::data::Data;
use super::watch::{FilledBy, Watch, during, tell_of_ids, tell_of_missing, tell_of_unused};

/// The names of the columns of values, where they are surely names.
pub fn column_names(curves: &CurveSet) -> Option<Vec<&str>> {
    curves.column_names().map(|names| names.iter().map(String::as_str).collect())
}

/// All curves in memory; the curator is told of ids that look alike and of what is missing.
///
/// # Errors
/// [`TableError`]
pub fn read_curves<'a>(
    data: &Data<'a>,
    layout: &CurveLayout,
    filled: FilledBy,
    watch: &dyn Watch,
) -> Result<Cow<'a, CurveSet>, TableError> {
    let curves = match *data {
        Data::Memory(curves, _) => Cow::Borrowed(curves),
        Data::Files(path) => {
            let files = TableFiles::find(path)?;
            let reading = watch.reading(&files);
            Cow::Owned(CurveSet::read_files(&files, layout, |bytes| reading.watched(bytes))?)
        }
    };
    tell_of_ids(watch, &curves.similar_ids());
    tell_of_missing(watch, &curves.missing_cells(), filled);
    Ok(curves)
}

/// These columns beside the curves, as text.
///
/// # Errors
/// [`TableError`]
pub fn text_columns<'a>(
    data: &Data<'a>,
    layout: &CurveLayout,
    names: &[&str],
    watch: &dyn Watch,
) -> Result<Cow<'a, [TextColumn]>, TableError> {
    match *data {
        Data::Memory(_, columns) => Ok(Cow::Borrowed(columns)),
        Data::Files(path) => {
            let read = || TableFiles::find(path).and_then(|files| files.text_columns(layout, names));
            Ok(Cow::Owned(during(watch, "reading labels and covariates", read)?))
        }
    }
}

/// All rows of the files of a long table, or those that were kept of the standard input, and the names of the columns of times and values,
/// where they are surely names.
///
/// # Errors
/// [`TableError`]
pub fn read_rows<S: OfRows>(
    files: &TableFiles,
    layout: &CurveLayout,
    mut rows: LongRows<S>,
    kept: Option<Spool>,
    watch: &dyn Watch,
) -> Result<(LongRows<S>, Option<Vec<String>>), TableError> {
    let reading = watch.reading(files);
    let mut first = None;
    for file in 0..files.paths().len() {
        let mut source = match &kept {
            Some(spool) => AnyCurves::of_spool(spool)?,
            None => files.open_with(file, layout, |bytes| reading.watched(bytes))?,
        };
        rows.read(&mut source).map_err(|error| files.in_file(file, error))?;
        match &first {
            None => first = Some(source),
            Some(first) => files.check_same(first, file, &source)?,
        }
    }
    drop(reading);
    let names = first.and_then(|source| Some(source.column_names()?.into_iter().map(str::to_owned).collect()));
    tell_of_ids(watch, &rows.similar_ids());
    tell_of_unused(watch, &rows.seen());
    Ok((rows, names))
}
