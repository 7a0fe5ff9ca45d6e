//! The number of records of files before they are encoded, as far as the usual shares depend on it.

use dpfda::smoothing::{
    AnyCurves, CurveBatch, CurveLayout, CurveSource, Ids, MissingCells, Spool, TableError, TableFiles,
};

/// How many records there are, and the rows of a stream, which was read once.
#[derive(Default)]
pub struct Counted {
    /// Their number, or that from which on it changes nothing; `None` where nothing asks for it.
    pub records: Option<usize>,
    /// The rows of the standard input, with what was read as missing.
    pub kept: Option<(Spool, MissingCells)>,
}

impl Counted {
    /// The records of files: rows, or subjects where they are named. Files are read until there are `enough`, the standard input to its
    /// end.
    ///
    /// # Errors
    /// [`TableError`]
    pub fn of(files: &TableFiles, layout: &CurveLayout, enough: Option<u64>) -> Result<Self, TableError> {
        let Some(enough) = enough else { return Ok(Self::default()) };
        let enough = usize::try_from(enough).unwrap_or(usize::MAX);
        let (mut rows, mut subjects) = (0, Ids::default());
        if files.is_stream() {
            let (mut curves, spool) = files.open(0, layout)?.spooled()?;
            let records = count(&mut curves, usize::MAX, &mut rows, &mut subjects)?;
            let missing = curves.missing_cells().clone();
            return Ok(Self { records: Some(records.min(enough)), kept: Some((spool, missing)) });
        }
        let mut records = 0;
        for file in 0..files.paths().len() {
            let mut curves = files.open(file, layout)?;
            let counted = count(&mut curves, enough, &mut rows, &mut subjects);
            records = counted.map_err(|error| files.in_file(file, error))?;
            if records >= enough {
                break;
            }
        }
        Ok(Self { records: Some(records.min(enough)), kept: None })
    }
}

/// Counts on, until there are enough.
fn count(curves: &mut AnyCurves, enough: usize, rows: &mut usize, subjects: &mut Ids) -> Result<usize, TableError> {
    let (mut batch, has_subjects) = (CurveBatch::new(), curves.has_subjects());
    let number = |rows: usize, subjects: &Ids| if has_subjects { subjects.len() } else { rows };
    while number(*rows, subjects) < enough && curves.read(&mut batch)? {
        *rows += batch.len();
        for id in (0..batch.len()).filter_map(|row| batch.subject(row)) {
            subjects.place_of(id);
        }
    }
    Ok(number(*rows, subjects))
}
