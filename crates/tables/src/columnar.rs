//! Curves from columnar files: Parquet and Arrow IPC, which Feather is.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use dpfda_kernels::Grid;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::arrow_cells::{numbers_of, text_of};
use crate::batch::{CurveBatch, CurveSource, MissingCells, NamedCurves};
use crate::columns::Columns;
use crate::error::TableError;
use crate::layout::CurveLayout;
use crate::subjects::{check_id, id_of_number};

#[cfg(test)]
#[path = "columnar_tests.rs"]
mod tests;

/// What a Parquet file begins with.
pub(crate) const PARQUET: &[u8] = b"PAR1";
/// What an Arrow IPC file begins with.
pub(crate) const ARROW: &[u8] = b"ARROW1";
/// What a stream of Arrow IPC messages begins with.
pub(crate) const ARROW_STREAM: &[u8] = &[0xff, 0xff, 0xff, 0xff];

/// About how many rows are decoded at a time.
const ROWS: usize = 1024;

/// Rows that columns are written into at a time.
const TURNED: usize = 16;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The curves of a file of columns: a column of numbers for each point, or one column of lists of one length.
pub(crate) struct ColumnarCurves {
    columns: Columns,
    batches: Batches,
    /// What was decoded and not given out yet, from this row on.
    decoded: Option<(Decoded, usize)>,
    /// The number of rows before it.
    row: usize,
    missing: MissingCells,
}

/// The columns of a batch that matter, as numbers and text.
struct Decoded {
    rows: usize,
    values: Values,
    subjects: Option<StringArray>,
}

enum Values {
    Wide(Vec<Float64Array>),
    List(Float64Array),
}

impl ColumnarCurves {
    /// Reads the schema of a Parquet file.
    pub(crate) fn parquet(file: File, layout: &CurveLayout) -> Result<Self, TableError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|_| damaged())?;
        let (columns, taken) = find(builder.schema(), layout)?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), taken);
        let reader = builder.with_projection(mask).with_batch_size(ROWS).build().map_err(|_| damaged())?;
        Ok(Self::new(columns, Box::new(reader)))
    }

    /// Reads the schema of a file or stream of Arrow IPC messages.
    pub(crate) fn arrow(mut file: File, layout: &CurveLayout) -> Result<Self, TableError> {
        let mut start = [0; 6];
        let read = file.read_exact(&mut start).and_then(|()| file.seek(SeekFrom::Start(0)));
        read.map_err(|_| damaged())?;
        if start == *ARROW {
            let reader = |taken| {
                let file = file.try_clone().map_err(|_| damaged())?;
                FileReader::try_new(BufReader::new(file), taken).map_err(|_| damaged())
            };
            let (columns, taken) = find(&reader(None)?.schema(), layout)?;
            let chosen = reader(Some(taken))?;
            Ok(Self::new(columns, Box::new(chosen)))
        } else {
            let all = StreamReader::try_new(BufReader::new(file), None).map_err(|_| damaged())?;
            let (columns, taken) = find(&all.schema(), layout)?;
            let chosen = all.map(move |batch| batch.and_then(|batch| batch.project(&taken)));
            Ok(Self::new(columns, Box::new(chosen)))
        }
    }

    fn new(columns: Columns, batches: Batches) -> Self {
        Self { columns, batches, decoded: None, row: 0, missing: MissingCells::default() }
    }

    fn decode(&self, batch: &RecordBatch) -> Result<Decoded, TableError> {
        // a projection keeps the order of the file
        let mut taken: Vec<usize> = self.columns.values.iter().copied().chain(self.columns.subject).collect();
        taken.sort_unstable();
        let column = |index: usize| -> Result<&ArrayRef, TableError> {
            let place = taken.binary_search(&index).map_err(|_| damaged())?;
            batch.columns().get(place).ok_or_else(damaged)
        };
        let numbers = |index: usize, array: &ArrayRef| -> Result<Float64Array, TableError> {
            let refused = || TableError::ColumnType { column: self.columns.name(index) };
            numbers_of(array).ok_or_else(refused)
        };
        let values = match self.columns.values[..] {
            [only] if self.columns.grid.len() > 1 => {
                let list = column(only)?;
                let list = list.as_fixed_size_list_opt().ok_or_else(damaged)?;
                if list.null_count() > 0 {
                    return Err(TableError::MissingList { column: self.columns.name(only) });
                }
                // the values of a slice begin where it begins
                let (from, length) = (list.value_offset_at(0), list.len() * self.columns.grid.len());
                Values::List(numbers(only, &list.values().slice(from, length))?)
            }
            _ => Values::Wide(
                self.columns.values.iter().map(|&index| numbers(index, column(index)?)).collect::<Result<_, _>>()?,
            ),
        };
        let subjects = self.columns.subject.map(|index| -> Result<StringArray, TableError> {
            let (array, name) = (column(index)?, || self.columns.name(index));
            if let Some(text) = text_of(array) {
                return Ok(text);
            }
            let numbers = numbers_of(array).ok_or_else(|| TableError::ColumnType { column: name() })?;
            let id = |(row, number): (usize, Option<f64>)| {
                id_of_number(number.unwrap_or(f64::NAN), self.row + row + 1, name).map(Some)
            };
            numbers.iter().enumerate().map(id).collect()
        });
        Ok(Decoded { rows: batch.num_rows(), values, subjects: subjects.transpose()? })
    }

    /// Gives out as many rows as fit.
    fn give(&mut self, decoded: &Decoded, from: usize, batch: &mut CurveBatch) -> Result<usize, TableError> {
        let points = self.columns.grid.len();
        let rows = batch.room().min(decoded.rows - from);
        let place = |index: usize| self.columns.values[index.min(self.columns.values.len() - 1)];
        let missing = &mut self.missing;
        let mut check = |row: usize, index: usize, value: Option<f64>| {
            if self.columns.axis_of(place(index)).is_some() {
                // a point that is missing is refused like one that is none
                return self.columns.number(value.unwrap_or(f64::NAN), self.row + row + 1, place(index));
            }
            let read = value.map(|value| self.columns.number(value, self.row + row + 1, place(index))).transpose()?;
            match (read, value) {
                // a code that was named
                (Some(read), Some(code)) if read.is_nan() && !code.is_nan() => {
                    missing.count(code.to_string().as_bytes(), read);
                }
                _ => missing.count(b"", read.unwrap_or(f64::NAN)),
            }
            Ok::<f64, TableError>(read.unwrap_or(f64::NAN))
        };
        let block = batch.extend(rows);
        match &decoded.values {
            Values::Wide(columns) => {
                let is_plain = |(index, column): &(usize, &Float64Array)| {
                    let values = column.values().slice(from, rows);
                    column.null_count() == 0 && self.columns.are_values(&values, place(*index))
                };
                let (plain, others): (Vec<_>, Vec<_>) = columns.iter().enumerate().partition(is_plain);
                for (index, column) in others {
                    let into = block[index..].iter_mut().step_by(points);
                    for (row, into) in (from..from + rows).zip(into) {
                        *into = check(row, index, column.is_valid(row).then(|| column.value(row)))?;
                    }
                }
                missing.count_values(plain.len() * rows);
                turn(&plain, from, block, points);
            }
            Values::List(values) => {
                for (offset, into) in block.iter_mut().enumerate() {
                    let at = from * points + offset;
                    *into = check(at / points, 0, values.is_valid(at).then(|| values.value(at)))?;
                }
            }
        }
        if let (Some(subjects), Some(column)) = (&decoded.subjects, self.columns.subject) {
            for row in from..from + rows {
                let id = if subjects.is_valid(row) { subjects.value(row).as_bytes() } else { b"" };
                let (row, name) = (self.row + row + 1, || self.columns.name(column));
                batch.push_subject(&check_id(id, row, name)?);
            }
        }
        Ok(rows)
    }
}

/// Writes columns into rows, from a row on: some rows at a time, which stay in the cache.
fn turn(columns: &[(usize, &Float64Array)], from: usize, block: &mut [f64], points: usize) {
    for (chunk, rows) in block.chunks_mut(TURNED * points).enumerate() {
        for (index, column) in columns {
            let values = &column.values()[from + chunk * TURNED..];
            rows[*index..].iter_mut().step_by(points).zip(values).for_each(|(into, value)| *into = *value);
        }
    }
}

impl CurveSource for ColumnarCurves {
    fn grid(&self) -> &Grid {
        &self.columns.grid
    }

    fn has_subjects(&self) -> bool {
        self.columns.subject.is_some()
    }

    fn column_names(&self) -> Option<Vec<&str>> {
        self.columns.public_names()
    }

    fn missing_cells(&self) -> &MissingCells {
        &self.missing
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        batch.clear(self.columns.grid.len());
        while batch.room() > 0 {
            let (decoded, from) = match self.decoded.take() {
                Some(decoded) => decoded,
                None => match self.batches.next() {
                    None => break,
                    Some(next) => (self.decode(&next.map_err(|_| damaged())?)?, 0),
                },
            };
            let given = self.give(&decoded, from, batch)?;
            if from + given < decoded.rows {
                self.decoded = Some((decoded, from + given));
            } else {
                self.row += decoded.rows;
            }
        }
        Ok(!batch.is_empty())
    }
}

impl NamedCurves for ColumnarCurves {
    fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// The columns that the layout asks for, and their places in the order of the file.
fn find(schema: &Arc<Schema>, layout: &CurveLayout) -> Result<(Columns, Vec<usize>), TableError> {
    let names = schema.fields().iter().map(|field| field.name().clone()).collect();
    let list_length = |column: usize| match schema.field(column).data_type() {
        DataType::FixedSizeList(_, length) => usize::try_from(*length).ok(),
        _ => None,
    };
    let columns = Columns::of_schema(names, layout, list_length)?;
    let mut taken: Vec<usize> = columns.values.iter().copied().chain(columns.subject).collect();
    taken.sort_unstable();
    Ok((columns, taken))
}

fn damaged() -> TableError {
    TableError::Damaged
}
