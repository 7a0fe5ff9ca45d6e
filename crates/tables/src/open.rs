//! The bytes of a table: as they are, or decompressed.

use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

use crate::error::TableError;
use crate::zstandard::Zstandard;

/// The name that stands for the standard input.
pub const STANDARD_INPUT: &str = "-";

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What files of other kinds begin with, what they are, and what can be done.
const FOREIGN: [(&[u8], &str, &str); 7] = [
    (
        b"PAR1",
        "a Parquet file",
        "build dpfda with the feature `columnar`, give the file itself and no stream, or save it as CSV",
    ),
    (
        b"ARRO",
        "an Arrow file",
        "build dpfda with the feature `columnar`, give the file itself and no stream, or save it as CSV",
    ),
    (
        b"\x93NUM",
        "a NumPy array",
        "build dpfda with the feature `columnar`, give the file itself and no stream, or save it as CSV",
    ),
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet", "save the sheet as CSV"),
    (b"\x89HDF", "an HDF5 file", "write its table as CSV, Parquet or npy"),
    (b"BZh", "compressed by bzip2", "compress it by gzip or zstd"),
];

/// What gives the bytes of a table, decompressed.
pub type Bytes = Box<dyn Read + Send>;

/// The bytes of a source, decompressed where they begin as gzip or zstd files do.
pub(crate) fn decompressed(mut source: impl Read + Send + 'static) -> Result<Bytes, TableError> {
    let read = |error: io::Error| TableError::Read { kind: error.kind() };
    let mut start = Vec::new();
    source.by_ref().take(4).read_to_end(&mut start).map_err(read)?;
    for (magic, found, remedy) in FOREIGN {
        if start.starts_with(magic) {
            return Err(TableError::Format { found, remedy });
        }
    }
    let (is_gzip, is_zstandard) = (start.starts_with(GZIP), start.starts_with(ZSTANDARD));
    let whole = Cursor::new(start).chain(source);
    Ok(if is_gzip {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, whole)))
    } else if is_zstandard {
        Box::new(Zstandard::new(BufReader::with_capacity(1 << 16, whole)).map_err(read)?)
    } else {
        Box::new(whole)
    })
}
