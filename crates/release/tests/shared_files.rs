//! One file that several threads read.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use crate::common::{ball, budget};
use dpfda_kernels::Grid;
use dpfda_mechanism::{PartId, Payable, Release};
use dpfda_privacy::{PrivacyUnit, SeededRandomness};
use dpfda_release::{BallShares, EncodeError, FileEncoding, Mean, Plan, PrivateMean};
use dpfda_smoothing::{CurveLayout, TableError, TableFiles};

const POINTS: usize = 12;
/// As many as need several parts of a file.
const CURVES: usize = 8_000;

/// A table that one file is made of, with these ends of lines.
fn table(end: &str, line: impl Fn(usize, String) -> String) -> String {
    let names: Vec<String> = (0..POINTS).map(|point| format!("v{point}")).collect();
    let mut text = format!("id,{}{end}", names.join(","));
    for row in 0..CURVES {
        let value = |point: usize| (row * 7_919 + point * 104_729) % 1_000_003;
        let mut cells = format!("p{}", row % 3_001);
        (0..POINTS).for_each(|point| write!(cells, ",0.{:06}", value(point)).unwrap());
        text += &line(row, cells);
        text += end;
    }
    text
}

/// The release of a file, and what is said of its missing cells.
fn released(text: &str, unit: PrivacyUnit, threads: usize) -> Result<(Release<Mean>, String), EncodeError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("curves.csv");
    std::fs::write(&path, text).unwrap();
    let layout = CurveLayout::new("v*").unwrap();
    let layout = if unit == PrivacyUnit::Subject { layout.subject("id") } else { layout };
    let files = TableFiles::find(&path).unwrap();
    let settings = PrivateMean::isonormal(ball(), budget()).buying(BallShares::new(Some(0.1), Some(0.05)).unwrap());
    let plan = settings.plan(&Grid::uniform(0.0, 1.0, POINTS).unwrap(), unit).unwrap();
    let threads = NonZeroUsize::new(threads).unwrap();
    let encoding = FileEncoding { part: PartId::whole(), key: None, threads, sorted: false };
    let encode = |plan: &Plan<Mean>| {
        plan.encode_files(&files, files.open(0, &layout)?, &layout, encoding.clone(), &|bytes| bytes)
    };
    let encoder = encode(&plan)?;
    let cells = encoder.missing_cells();
    let cells = cells.reveal();
    let missing = format!("{} {:?}", cells.share(), cells.iter().collect::<Vec<_>>());
    let prepared = encoder.finish()?.prepare_twice(&plan, |plan| Ok(encode(plan)?.finish().unwrap())).unwrap();
    Ok((prepared.draw(None, &mut SeededRandomness::from_seed(5)).unwrap(), missing))
}

#[test]
fn the_bits_of_a_release_do_not_depend_on_the_threads_that_share_a_file() {
    // a line in quotation marks, missing cells, and the ends of lines of every system
    let line = |row: usize, cells: String| match row % 1_999 {
        5 => format!("\"{}\"", cells.replace(',', "\",\"")),
        6 => cells.replace(",0.", ",NA,0.").split(',').take(POINTS + 1).collect::<Vec<_>>().join(","),
        7 => cells[..cells.len() - 8].to_owned() + "-",
        _ => cells,
    };
    for (end, unit) in [("\n", PrivacyUnit::Curve), ("\r\n", PrivacyUnit::Subject), ("\r", PrivacyUnit::Curve)] {
        let text = table(end, line);
        assert!(text.len() > 3 << 18);
        let one = released(&text, unit, 1).unwrap();
        for threads in [2, 5] {
            assert_eq!(released(&text, unit, threads).unwrap(), one, "{end:?} {unit:?} {threads}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_shared_file_is_told_as_by_one_thread() {
    let flawed = |flaw: usize, then: &str| {
        let line = move |row: usize, cells: String| if row == flaw { cells.replace("0.", then) } else { cells };
        table("\n", line)
    };
    let blank = |after: usize| table("\n", move |row, cells| if row == after { cells + "\n" } else { cells });
    let files = [
        flawed(6_000, "x0."),
        flawed(7_999, "0.5,0."),
        blank(4_000),
        blank(0),
        flawed(100, "x") + "\n\n",
        blank(7_999),
    ];
    for (file, text) in files.iter().enumerate() {
        for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
            let refused = |threads: usize| released(text, unit, threads).err();
            let one = refused(1);
            assert_eq!(one.is_none(), file == 5, "{file}");
            assert!(
                one.as_ref().is_none_or(|one| matches!(
                    one,
                    EncodeError::Table(
                        TableError::AndMore { .. } | TableError::Ragged { .. } | TableError::BlankLine { .. }
                    )
                )),
                "{file} {one:?}"
            );
            assert_eq!(refused(3), one, "{file} {unit:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_one_at_the_start_of_a_file_alone_for_any_number_of_threads() {
    let mark = "\u{feff}";
    for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
        let plain = table("\n", |_, cells| cells);
        let one = released(&plain, unit, 1).unwrap();
        for threads in [1, 4] {
            assert_eq!(released(&format!("{mark}{plain}"), unit, threads).unwrap(), one, "{unit:?} {threads}");
        }
        // every line, and so also the first one of each part: there the mark belongs to the id
        let marked = table("\n", |_, cells| format!("{mark}{cells}"));
        let alike = released(&marked, unit, 1);
        assert!(alike.is_ok());
        assert_eq!(released(&marked, unit, 4), alike, "{unit:?}");
    }
    // before a value it is no number, and the first row with it is told
    let values =
        |text: String| text.lines().map(|line| line.split_once(',').unwrap().1.to_owned() + "\n").collect::<String>();
    let marked = table("\n", |row, cells| cells.replace(",0.", if row == 6_000 { ",\u{feff}0." } else { ",0." }));
    let marked = values(marked);
    let refused = |threads: usize| released(&marked, PrivacyUnit::Curve, threads).err();
    assert!(refused(1).is_some());
    assert_eq!(refused(4), refused(1));
}
