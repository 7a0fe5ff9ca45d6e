//! Files of curves of any kind: text, compressed, Parquet, Arrow.

use std::io::Write;

use dpfda::smoothing::{CurveBatch, CurveLayout, CurveSource, TableError, TableFiles};

/// More are not read: a few bytes of a compressed file can be millions of rows.
const MOST_BATCHES: usize = 8;

/// The data are a file.
pub fn run(data: &[u8]) {
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    if file.write_all(data).and_then(|()| file.flush()).is_err() {
        return;
    }
    for pattern in ["*", "v*", "curve"] {
        let Ok(layout) = CurveLayout::new(pattern) else { unreachable!("the patterns are globs") };
        match read(file.path(), &layout) {
            Err(error) => assert!(!error.to_string().is_empty(), "it says what is wrong"),
            Ok(values) => assert!(values.iter().all(|value| !value.is_infinite())),
        }
    }
}

fn read(path: &std::path::Path, layout: &CurveLayout) -> Result<Vec<f64>, TableError> {
    let mut source = TableFiles::find(path)?.open(0, layout)?;
    let (mut values, mut batch) = (Vec::new(), CurveBatch::new());
    for _ in 0..MOST_BATCHES {
        if !source.read(&mut batch)? {
            break;
        }
        assert_eq!(batch.values().dim(), (batch.len(), source.grid().len()));
        values.extend(batch.values());
    }
    Ok(values)
}
