//! Curves from a NumPy array that `numpy.save` wrote: one row for each curve.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use dpfda_kernels::Grid;

use crate::batch::{CurveBatch, CurveSource, NamedCurves};
use crate::columns::Columns;
use crate::error::TableError;
use crate::layout::CurveLayout;

#[cfg(test)]
#[path = "npy_tests.rs"]
mod tests;

/// What such a file begins with.
pub(crate) const NPY: &[u8] = b"\x93NUMPY";
/// The name of the array, for patterns of value columns.
const NAME: &str = "values";
/// NumPy reads no longer header either.
const MOST_HEADER_BYTES: u32 = 10_000;

/// The curves of an array of two axes, of any type of real numbers, in C or Fortran order.
///
/// The header is a Python literal. Only the literals are understood that say such an array: a general parser of Python would be
/// six crates, and recurse as deep as a file says.
pub(crate) struct NpyCurves {
    columns: Columns,
    file: File,
    array: Array,
    row: usize,
    bytes: Vec<u8>,
}

/// What the header says, and where the numbers begin.
struct Array {
    number: Number,
    is_fortran: bool,
    rows: usize,
    points: usize,
    start: u64,
}

/// A type of numbers: how many bytes each has, and how they are read.
#[derive(Clone, Copy)]
struct Number {
    size: usize,
    read: fn(&[u8]) -> f64,
}

impl NpyCurves {
    /// Reads the header.
    pub(crate) fn new(mut file: File, layout: &CurveLayout) -> Result<Self, TableError> {
        let array = Array::of_header(&mut file)?;
        let columns = Columns::of_schema(vec![NAME.to_owned()], layout, |_| Some(array.points))?;
        let values = (array.rows as u64).checked_mul(array.points as u64);
        let whole = values.and_then(|values| values.checked_mul(array.number.size as u64)?.checked_add(array.start));
        let found = file.metadata().map_err(|_| TableError::Damaged)?.len();
        // a longer file may hold another array, whose people would be left out without a word
        if whole == Some(found) {
            Ok(Self { columns, file, array, row: 0, bytes: Vec::new() })
        } else {
            Err(TableError::Damaged)
        }
    }

    /// The numbers of a stretch of the file, from a number of the array on.
    fn stretch(&mut self, from: u64, count: usize) -> Result<impl Iterator<Item = f64>, TableError> {
        let Number { size, read } = self.array.number;
        self.bytes.resize(count * size, 0);
        let sought = self.file.seek(SeekFrom::Start(self.array.start + from * size as u64));
        sought.and_then(|_| self.file.read_exact(&mut self.bytes)).map_err(|_| TableError::Damaged)?;
        Ok(self.bytes.chunks_exact(size).map(read))
    }
}

impl CurveSource for NpyCurves {
    fn grid(&self) -> &Grid {
        &self.columns.grid
    }

    fn has_subjects(&self) -> bool {
        false
    }

    fn column_names(&self) -> Option<Vec<&str>> {
        self.columns.public_names()
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        let Array { is_fortran, rows, points, .. } = self.array;
        batch.clear(points);
        let count = batch.room().min(rows - self.row);
        if count == 0 {
            return Ok(false);
        }
        let into = batch.extend(count);
        if is_fortran {
            for point in 0..points {
                let column = self.stretch((point * rows + self.row) as u64, count)?;
                into[point..].iter_mut().step_by(points).zip(column).for_each(|(into, value)| *into = value);
            }
        } else {
            let block = self.stretch((self.row * points) as u64, count * points)?;
            into.iter_mut().zip(block).for_each(|(into, value)| *into = value);
        }
        for (place, value) in into.iter_mut().enumerate().filter(|(_, value)| !value.is_nan()) {
            *value = self.columns.number(*value, self.row + place / points + 1, 0)?;
        }
        self.row += count;
        Ok(true)
    }
}

impl NamedCurves for NpyCurves {
    fn columns(&self) -> &Columns {
        &self.columns
    }
}

impl Array {
    fn of_header(file: &mut File) -> Result<Self, TableError> {
        let mut fixed = [0; 8];
        let mut length = [0; 4];
        file.read_exact(&mut fixed).map_err(|_| TableError::Damaged)?;
        let before_length: usize = if fixed[6] == 1 { 2 } else { 4 };
        file.read_exact(&mut length[..before_length]).map_err(|_| TableError::Damaged)?;
        let length = u32::from_le_bytes(length);
        if !fixed.starts_with(NPY) || length > MOST_HEADER_BYTES {
            return Err(TableError::Damaged);
        }
        let mut header = String::new();
        file.take(u64::from(length)).read_to_string(&mut header).map_err(|_| TableError::Damaged)?;
        let start = (fixed.len() + before_length + header.len()) as u64;
        let compact: String = header.split_whitespace().collect();
        let entry =
            |key: &str| compact.split_once(&format!("'{key}':")).map(|(_, rest)| rest).ok_or(TableError::Damaged);
        let number = entry("descr")?.strip_prefix('\'').and_then(|rest| Number::named(rest.split('\'').next()?));
        let order = entry("fortran_order")?;
        let shape =
            entry("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or(TableError::Damaged)?.0;
        let shape: Result<Vec<usize>, _> = shape.split_terminator(',').map(str::parse).collect();
        let shape = shape.map_err(|_| TableError::Damaged)?;
        let (Some(number), &[rows, points]) = (number, &shape[..]) else {
            return Err(TableError::Format {
                found: "a NumPy array of other than two axes, or of other than real numbers",
                remedy: "save an array of numbers with a row for each curve and a column for each point",
            });
        };
        Ok(Self { number, is_fortran: order.starts_with("True"), rows, points, start })
    }
}

impl Number {
    /// The type that NumPy calls so.
    fn named(name: &str) -> Option<Self> {
        macro_rules! number {
            ($number:ty, $bytes:ident, $wide:expr) => {
                Self {
                    size: size_of::<$number>(),
                    read: |bytes| bytes.try_into().map_or(f64::NAN, |bytes| $wide(<$number>::$bytes(bytes))),
                }
            };
        }
        Some(match name {
            "<f8" => number!(f64, from_le_bytes, f64::from),
            ">f8" => number!(f64, from_be_bytes, f64::from),
            "<f4" => number!(f32, from_le_bytes, f64::from),
            ">f4" => number!(f32, from_be_bytes, f64::from),
            "|i1" => number!(i8, from_le_bytes, f64::from),
            "|u1" => number!(u8, from_le_bytes, f64::from),
            "<i2" => number!(i16, from_le_bytes, f64::from),
            "<u2" => number!(u16, from_le_bytes, f64::from),
            "<i4" => number!(i32, from_le_bytes, f64::from),
            "<u4" => number!(u32, from_le_bytes, f64::from),
            "<i8" => number!(i64, from_le_bytes, |x| x as f64),
            "<u8" => number!(u64, from_le_bytes, |x| x as f64),
            _ => return None,
        })
    }
}
