//! The decoded rows of a stream, in a private file: what can be read once is gone through twice.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use dpfda_kernels::Grid;
use rand::rngs::{ChaCha20Rng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

use crate::batch::{CurveBatch, CurveSource, MissingCells, NamedCurves};
use crate::columns::Columns;
use crate::error::TableError;

#[cfg(test)]
#[path = "spool_tests.rs"]
mod tests;

/// The most bytes of decoded rows that are kept for a second time, 64 GiB: eight for each value, and the ids with four more.
pub const MOST_SPOOLED: u64 = 1 << 36;

/// Decoded rows in a file that nobody else can read: made for its owner alone, without a name from the start, and encrypted under a key
/// that is in memory alone (`ChaCha20`, from 256 bits of the operating system, for this file and no other). What is left on the disk says
/// nothing when the process has ended.
///
/// A batch of rows is `number (u32), then for each row: length of the id (u32) and id, where there are subjects; its values (f64)`, little
/// endian.
pub struct Spool {
    file: File,
    key: [u8; 32],
    columns: Columns,
    names: Option<Vec<String>>,
}

impl Spool {
    /// An empty spool for the rows of a source.
    pub(crate) fn new(source: &dyn NamedCurves) -> Result<Self, TableError> {
        let (mut name, mut key) = ([0; 8], [0; 32]);
        let random = SysRng.try_fill_bytes(&mut name).and_then(|()| SysRng.try_fill_bytes(&mut key));
        random.map_err(|_| TableError::Spool { kind: ErrorKind::Other })?;
        let file = unnamed(u64::from_le_bytes(name)).map_err(refused)?;
        let names = source.column_names().map(|names| names.into_iter().map(str::to_owned).collect());
        Ok(Self { file, key, columns: source.columns().clone(), names })
    }

    /// What is written into it: the rows of the source, as they are read.
    pub(crate) fn filled_by(
        &self,
        source: Box<dyn NamedCurves>,
        most: u64,
    ) -> Result<Box<dyn NamedCurves>, TableError> {
        let file =
            BufWriter::with_capacity(1 << 16, Enciphered::new(self.file.try_clone().map_err(refused)?, &self.key));
        Ok(Box::new(Spooling { source, file, most, bytes: 0 }))
    }

    /// The rows from the first on.
    pub(crate) fn again(&self) -> Result<Box<dyn NamedCurves>, TableError> {
        let mut file = self.file.try_clone().map_err(refused)?;
        file.rewind().map_err(refused)?;
        let file = BufReader::with_capacity(1 << 16, Enciphered::new(file, &self.key));
        Ok(Box::new(Spooled { file, columns: self.columns.clone(), names: self.names.clone() }))
    }
}

fn refused(error: io::Error) -> TableError {
    TableError::Spool { kind: error.kind() }
}

/// A new file in the folder for temporary files, for its owner alone, whose name is gone as soon as it is open.
fn unnamed(number: u64) -> io::Result<File> {
    let path = env::temp_dir().join(format!(".dpfda-{number:016x}"));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // FILE_FLAG_DELETE_ON_CLOSE, and no other process may open it
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000),
        0,
    );
    let file = options.open(&path)?;
    if cfg!(unix) {
        fs::remove_file(&path)?;
    }
    Ok(file)
}

/// A file whose bytes are those given with a key stream added, from the first on.
struct Enciphered {
    file: File,
    stream: ChaCha20Rng,
    /// Bytes of the key stream, which is the same however it is cut.
    room: [u8; 1 << 12],
    used: usize,
}

impl Enciphered {
    fn new(file: File, key: &[u8; 32]) -> Self {
        let room = [0; 1 << 12];
        Self { file, stream: ChaCha20Rng::from_seed(*key), used: room.len(), room }
    }

    /// Adds the next bytes of the key stream.
    fn add(&mut self, bytes: &mut [u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.used == self.room.len() {
                self.stream.fill_bytes(&mut self.room);
                self.used = 0;
            }
            let (now, later) = rest.split_at_mut(rest.len().min(self.room.len() - self.used));
            now.iter_mut().zip(&self.room[self.used..]).for_each(|(byte, key)| *byte ^= key);
            self.used += now.len();
            rest = later;
        }
    }
}

impl Write for Enciphered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut hidden = bytes.to_vec();
        self.add(&mut hidden);
        // all or nothing: the key stream never goes back
        self.file.write_all(&hidden)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for Enciphered {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let found = self.file.read(bytes)?;
        self.add(&mut bytes[..found]);
        Ok(found)
    }
}

/// Rows that are written down as they are read.
struct Spooling {
    source: Box<dyn NamedCurves>,
    file: BufWriter<Enciphered>,
    most: u64,
    bytes: u64,
}

impl Spooling {
    fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.most {
            return Err(TableError::SpoolFull { most: self.most });
        }
        self.file.write_all(bytes).map_err(refused)
    }
}

impl CurveSource for Spooling {
    fn grid(&self) -> &Grid {
        self.source.grid()
    }

    fn has_subjects(&self) -> bool {
        self.source.has_subjects()
    }

    fn column_names(&self) -> Option<Vec<&str>> {
        self.source.column_names()
    }

    fn missing_cells(&self) -> &MissingCells {
        self.source.missing_cells()
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        if !self.source.read(batch)? {
            self.file.flush().map_err(refused)?;
            return Ok(false);
        }
        self.write(&length(batch.len())?)?;
        for (row, curve) in batch.curves().enumerate() {
            if let Some(id) = batch.subject(row) {
                self.write(&length(id.len())?)?;
                self.write(id)?;
            }
            for value in curve {
                self.write(&value.to_le_bytes())?;
            }
        }
        Ok(true)
    }
}

impl NamedCurves for Spooling {
    fn columns(&self) -> &Columns {
        self.source.columns()
    }
}

/// A length in four bytes; lines are shorter than that.
fn length(length: usize) -> Result<[u8; 4], TableError> {
    u32::try_from(length).map(u32::to_le_bytes).map_err(|_| TableError::Spool { kind: ErrorKind::InvalidInput })
}

/// Rows that were written down.
struct Spooled {
    file: BufReader<Enciphered>,
    columns: Columns,
    names: Option<Vec<String>>,
}

impl Spooled {
    fn length(&mut self) -> io::Result<usize> {
        let mut length = [0; 4];
        self.file.read_exact(&mut length)?;
        Ok(u32::from_le_bytes(length) as usize)
    }

    fn fill(&mut self, batch: &mut CurveBatch, rows: usize) -> io::Result<()> {
        let mut curve = vec![0; 8 * self.columns.grid.len()];
        let mut id = Vec::new();
        for _ in 0..rows {
            if self.columns.subject.is_some() {
                id.resize(self.length()?, 0);
                self.file.read_exact(&mut id)?;
            }
            self.file.read_exact(&mut curve)?;
            let values = curve.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
            batch.push(self.columns.subject.map(|_| id.as_slice()), values);
        }
        Ok(())
    }
}

impl CurveSource for Spooled {
    fn grid(&self) -> &Grid {
        &self.columns.grid
    }

    fn has_subjects(&self) -> bool {
        self.columns.subject.is_some()
    }

    fn column_names(&self) -> Option<Vec<&str>> {
        self.names.as_ref().map(|names| names.iter().map(String::as_str).collect())
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        batch.clear(self.columns.grid.len());
        let rows = match self.length() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            rows => rows.map_err(refused)?,
        };
        self.fill(batch, rows).map_err(refused)?;
        Ok(true)
    }
}

impl NamedCurves for Spooled {
    fn columns(&self) -> &Columns {
        &self.columns
    }
}
