#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dpfda-tables-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn layout() -> CurveLayout {
    CurveLayout::new("x*").unwrap()
}

/// The values of all files, file by file.
fn read(files: &TableFiles, layout: &CurveLayout) -> Result<Vec<f64>, TableError> {
    let (mut values, mut batch) = (Vec::new(), CurveBatch::new());
    for file in 0..files.paths().len() {
        let mut source = files.open(file, layout)?;
        while source.read(&mut batch).map_err(|error| files.in_file(file, error))? {
            values.extend(batch.values());
        }
    }
    Ok(values)
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

const TABLE: &[u8] = b"x1,x2\n1,2\n3,4\n";

#[test]
fn a_file_a_folder_and_a_pattern_name_tables_in_the_order_of_their_names() {
    let folder = Folder::new("find");
    let one = folder.write("b.csv", TABLE);
    folder.write("a.csv.gz", &gzip(b"x1,x2\n5,6\n"));
    folder.write("c.tsv", b"x1\tx2\n7\t8\n");
    for other in [".hidden.csv", "README.txt", "d.json"] {
        folder.write(other, b"{}");
    }
    let find = |path: PathBuf| TableFiles::find(&path);
    assert_eq!(read(&find(one).unwrap(), &layout()).unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let all = find(folder.0.clone()).unwrap();
    assert!(!all.is_stream());
    assert_eq!(read(&all, &layout()).unwrap(), [5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 7.0, 8.0]);
    let some = find(folder.0.join("[bc].*")).unwrap();
    assert_eq!(some.paths().len(), 2);
    let nothing = folder.0.join("z*.csv");
    assert_eq!(find(nothing.clone()), Err(TableError::NoFile { path: nothing }));
    let no_pattern = folder.0.join("a[");
    assert_eq!(find(no_pattern.clone()), Err(TableError::FilePattern { path: no_pattern }));
}

#[test]
fn files_with_other_columns_are_refused_by_name_of_file_and_column() {
    let folder = Folder::new("columns");
    folder.write("a.csv", b"x1,x2\n1,2\n");
    let others: [(&[u8], &str); 3] = [(b"x2,x3\n1,2\n", "x2"), (b"x1,x3\n1,2\n", "x3"), (b"x1,x2,x3\n1,2,3\n", "x3")];
    for (text, column) in others {
        let other = folder.write("b.csv", text);
        let files = TableFiles::find(&folder.0).unwrap();
        let (first, second) = (files.open(0, &layout()).unwrap(), files.open(1, &layout()).unwrap());
        let refused = files.check_same(&first, 1, &second).unwrap_err();
        assert_eq!(refused, TableError::OtherColumns { path: other, column: column.into() });
    }
}

#[test]
fn compressed_files_in_one_frame_or_many_are_read() {
    let folder = Folder::new("compressed");
    let (head, tail) = TABLE.split_at(9);
    for (name, bytes) in [
        ("a.csv.gz", gzip(TABLE)),
        ("b.csv.gz", [gzip(head), gzip(tail)].concat()),
        ("c.csv.zst", zstandard(TABLE)),
        ("d.csv.zst", [zstandard(head), zstandard(tail)].concat()),
        ("e.csv.zst", [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &zstandard(TABLE)].concat()),
        ("its first bytes say it", gzip(TABLE)),
    ] {
        // a file that begins with a frame to be skipped is known by no first bytes
        let expected = if name.starts_with('e') { Err(()) } else { Ok(vec![1.0, 2.0, 3.0, 4.0]) };
        let files = TableFiles::find(&folder.write(name, &bytes)).unwrap();
        assert_eq!(read(&files, &layout()).map_err(drop), expected, "{name}");
    }
    let skipped = [zstandard(head), vec![0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3], zstandard(tail)].concat();
    let files = TableFiles::find(&folder.write("f.csv.zst", &skipped)).unwrap();
    assert_eq!(read(&files, &layout()).unwrap(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_compressed_file_that_is_cut_short_is_refused_wherever_it_is_cut() {
    let folder = Folder::new("cut");
    let text: Vec<u8> = (0..200).fold(b"x1,x2\n".to_vec(), |mut text, row| {
        text.extend(format!("{row}.5,{}\n", row * 7919 % 1000).as_bytes());
        text
    });
    for bytes in [gzip(&text), zstandard(&text)] {
        let whole = TableFiles::find(&folder.write("whole", &bytes)).unwrap();
        assert_eq!(read(&whole, &layout()).unwrap().len(), 400);
        for length in 0..bytes.len() {
            let files = TableFiles::find(&folder.write("cut", &bytes[..length])).unwrap();
            assert!(read(&files, &layout()).is_err(), "{length} of {}", bytes.len());
        }
    }
}

#[test]
fn files_of_other_kinds_are_named_and_get_advice() {
    let folder = Folder::new("foreign");
    for (bytes, words) in [
        (&b"PK\x03\x04rest"[..], "spreadsheet"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old spreadsheet"),
        (b"BZh91AY", "bzip2"),
    ] {
        let files = TableFiles::find(&folder.write("table", bytes)).unwrap();
        let message = files.open(0, &layout()).err().unwrap().to_string();
        assert!(message.contains(words) && message.contains("; "), "{message}");
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_refused() {
    let folder = Folder::new("changed");
    let path = folder.write("a.csv", TABLE);
    let files = TableFiles::find(&path).unwrap();
    let (mut source, mut batch) = (files.open(0, &layout()).unwrap(), CurveBatch::new());
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"5,6\n").unwrap();
    drop(file);
    let outcome = loop {
        match source.read(&mut batch) {
            Ok(true) => {}
            other => break other,
        }
    };
    assert_eq!(outcome, Err(TableError::Changed { path }));
}

#[test]
fn what_is_wrong_in_one_of_several_files_is_told_with_its_name() {
    let folder = Folder::new("named");
    folder.write("a.csv", TABLE);
    let bad = folder.write("b.csv", b"x1,x2\n1,CANARY\n");
    let error = read(&TableFiles::find(&folder.0).unwrap(), &layout()).unwrap_err();
    let source = Box::new(TableError::NotNumeric { row: 1, column: "x2".into() });
    assert_eq!(error, TableError::InFile { path: bad, source });
    assert!(!error.to_string().contains("CANARY"));
}

#[test]
fn other_separators_and_decimal_commas_are_read_where_they_are_asked_for() {
    let folder = Folder::new("separators");
    let files = TableFiles::find(&folder.write("a.csv", b"id;x1;x2\na;1,5;2\nb;\"3\";-0,25\n")).unwrap();
    let european = layout().separated_by(Separator::SEMICOLON).decimal(crate::Decimal::Comma);
    assert_eq!(read(&files, &european).unwrap(), [1.5, 2.0, 3.0, -0.25]);
    let first = Box::new(TableError::NotNumeric { row: 1, column: "x1".into() });
    let refused = read(&files, &layout().separated_by(Separator::SEMICOLON));
    assert_eq!(refused, Err(TableError::AndMore { first, more: 1 }), "of the second row, one cell has a comma");
    let both = layout().decimal(crate::Decimal::Comma);
    assert_eq!(read(&files, &both), Err(TableError::DecimalSeparator));
}

#[test]
#[cfg(unix)]
fn a_file_by_two_names_is_refused_because_its_people_would_count_twice() {
    let folder = Folder::new("twice");
    let path = folder.write("a.csv", TABLE);
    std::os::unix::fs::symlink(&path, folder.0.join("b.csv")).unwrap();
    assert!(matches!(TableFiles::find(&folder.0), Err(TableError::SameFile { .. })));
    fs::remove_file(folder.0.join("b.csv")).unwrap();
    fs::hard_link(&path, folder.0.join("c.csv")).unwrap();
    assert!(matches!(TableFiles::find(&folder.0.join("*.csv")), Err(TableError::SameFile { .. })));
    fs::remove_file(folder.0.join("c.csv")).unwrap();
    folder.write("d.csv", TABLE);
    assert_eq!(TableFiles::find(&folder.0).unwrap().paths().len(), 2, "the same content is another file");
    let dotted = folder.0.join(".").join("a.csv");
    assert!(refuse_same(&[path.clone(), dotted]).is_err());
    assert!(refuse_same(&["nowhere.csv".into(), "./nowhere.csv".into()]).is_err());
}

#[test]
fn labels_have_the_decimal_comma_of_the_file() {
    let folder = Folder::new("label-comma");
    let files = TableFiles::find(&folder.write("a.csv", b"x1;x2;dose\n1;2;1,0\n3;4;2,50\n5;6;a,b\n")).unwrap();
    let european = layout().separated_by(Separator::SEMICOLON).decimal(crate::Decimal::Comma);
    let columns = files.text_columns(&european, &["dose"]).unwrap();
    assert_eq!(columns[0].cells().collect::<Vec<_>>(), [Some("1"), Some("2.5"), Some("a,b")]);
}
