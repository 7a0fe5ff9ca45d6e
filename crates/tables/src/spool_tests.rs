#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::SeekFrom;

use super::*;
use crate::csv::CsvCurves;
use crate::layout::CurveLayout;

fn text() -> String {
    let rows =
        (0..5000).map(|row| format!("person {}, {},{},\n", row % 700, f64::from(row) / 7.0, f64::from(-row) / 16.0));
    "id,v1,v2,v3\n".to_owned() + &rows.collect::<String>()
}

fn source(text: &str, has_subjects: bool) -> Box<dyn NamedCurves> {
    let layout = CurveLayout::new("v*").unwrap();
    let layout = if has_subjects { layout.subject("id") } else { layout };
    Box::new(CsvCurves::new(io::Cursor::new(text.to_owned()), &layout).unwrap())
}

fn all(mut source: Box<dyn NamedCurves>) -> Vec<(Option<Vec<u8>>, Vec<u64>)> {
    let (mut batch, mut rows) = (CurveBatch::new(), Vec::new());
    while source.read(&mut batch).unwrap() {
        for (row, curve) in batch.curves().enumerate() {
            rows.push((batch.subject(row).map(<[u8]>::to_vec), curve.iter().map(|x| x.to_bits()).collect()));
        }
    }
    rows
}

#[test]
fn rows_come_back_bit_for_bit_as_often_as_asked() {
    for has_subjects in [true, false] {
        let text = text();
        let expected = all(source(&text, has_subjects));
        assert_eq!(expected.len(), 5000);
        let spool = Spool::new(&*source(&text, has_subjects)).unwrap();
        assert_eq!(all(spool.filled_by(source(&text, has_subjects), MOST_SPOOLED).unwrap()), expected);
        assert_eq!(all(spool.again().unwrap()), expected);
        assert_eq!(all(spool.again().unwrap()), expected);
        assert_eq!(spool.again().unwrap().columns().first_difference(source(&text, has_subjects).columns()), None);
    }
}

#[test]
fn what_lies_on_the_disk_has_no_name_and_shows_no_row() {
    let text = text();
    let spool = Spool::new(&*source(&text, true)).unwrap();
    all(spool.filled_by(source(&text, true), MOST_SPOOLED).unwrap());
    let mut file = spool.file.try_clone().unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    assert!(bytes.len() > 5000 * 24);
    assert!(!bytes.windows(6).any(|window| window == b"person"));
    // a key stream has as many ones as zeros
    let ones: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
    let expected = 4.0 * bytes.len() as f64;
    assert!((f64::from(ones) - expected).abs() < 6.0 * (expected / 2.0).sqrt(), "{ones} of {expected}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let metadata = file.metadata().unwrap();
        assert_eq!((metadata.mode() & 0o777, metadata.nlink()), (0o600, 0));
    }
}

#[test]
fn more_than_the_stated_size_is_refused() {
    let text = text();
    let spool = Spool::new(&*source(&text, false)).unwrap();
    let mut spooling = spool.filled_by(source(&text, false), 1000).unwrap();
    let refused = spooling.read(&mut CurveBatch::new());
    assert_eq!(refused, Err(TableError::SpoolFull { most: 1000 }));
}

#[test]
fn a_spool_that_was_cut_short_is_refused() {
    let text = text();
    let spool = Spool::new(&*source(&text, false)).unwrap();
    all(spool.filled_by(source(&text, false), MOST_SPOOLED).unwrap());
    spool.file.set_len(1001).unwrap();
    let refused = spool.again().unwrap().read(&mut CurveBatch::new());
    assert_eq!(refused, Err(TableError::Spool { kind: ErrorKind::UnexpectedEof }));
}
