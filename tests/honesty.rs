//! The file of results of `cargo run -p dpfda-benches --bin honesty`, and its table.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

#[path = "../benches/honesty/cell.rs"]
mod cell;
#[path = "../benches/honesty/line.rs"]
mod line;
#[path = "../benches/honesty/number.rs"]
mod number;
#[path = "../benches/honesty/store.rs"]
mod store;
#[path = "../benches/honesty/table.rs"]
mod table;

use cell::{Budget, Cell};
use line::{Found, Line, Measure};
use number::Number;
use store::Store;
use table::{BELOW, table};

fn cells() -> Vec<Cell> {
    ["mean/cluster/376/B", "rows/m=3/smooth/1000/C", "mean/few/142/A"].map(|name| Cell::of(name).unwrap()).into()
}

/// What 100 releases found of which so many bands held.
fn found(held: u32) -> Found {
    let values: Vec<f64> = (0..100).map(|release| f64::from(u8::from(release < held))).collect();
    let width = Some(Number { mean: 1.5, error: 0.01 });
    let (quantity, measure) = ("band".to_owned(), Measure::Coverage);
    Found { quantity, measure, known: 100, share: Number::of(&values), width, error: None }
}

fn line(cell: &Cell, held: u32) -> Line {
    Line { cell: cell.clone(), releases: 100, found: vec![found(held)] }
}

/// Measures what is missing in a file, and says which cells were measured.
fn filled(path: &Path, cells: &[Cell]) -> Vec<String> {
    let measured = RefCell::new(Vec::new());
    let measure = |cell: &Cell| -> Result<Line, String> {
        measured.borrow_mut().push(cell.to_string());
        Ok(line(cell, 95))
    };
    let failed = Store::open(path).unwrap().fill(cells, measure).unwrap().len();
    assert_eq!(failed, 0);
    measured.into_inner()
}

#[test]
fn a_cell_is_its_name_and_its_seeds_are_of_it_alone() {
    let cell = Cell::of("groups/public 500+500/same/1000/A").unwrap();
    assert_eq!((cell.kind.as_str(), cell.variant.as_str(), cell.records), ("groups", "public 500+500", 1000));
    for cell in cells() {
        assert_eq!(Cell::of(&cell.to_string()), Some(cell));
    }
    for name in ["mean/cluster/376", "mean/cluster/many/B", "mean/cluster/376/D", "a/b/c/d/376/A", ""] {
        assert_eq!(Cell::of(name), None, "{name}");
    }
    let other = Cell { budget: Budget::A, ..cells()[0].clone() };
    let seeds = [cells()[0].seed(0), cells()[0].seed(1), other.seed(0), other.seed(1)];
    assert!((1..4).all(|place| seeds[..place].iter().all(|seed| *seed != seeds[place])));
    assert_eq!(cell::hash("a"), 0xAF63_DC4C_8601_EC8C, "the hash FNV-1a of one letter, as its authors give it");
}

#[test]
fn a_line_that_was_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    filled(&path, &cells());
    let expected: Vec<Line> = cells().iter().map(|cell| line(cell, 95)).collect();
    assert_eq!(Store::open(&path).unwrap().lines(), expected);
}

#[test]
fn a_cell_in_the_file_is_not_measured_again_and_one_cut_off_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let (all, names) = (cells(), cells().iter().map(ToString::to_string).collect::<Vec<String>>());
    assert_eq!(filled(&path, &all[..2]), names[..2]);
    assert_eq!(filled(&path, &all), names[2..]);
    let whole = fs::read_to_string(&path).unwrap();
    // killed while the last line was written
    fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    assert_eq!(filled(&path, &all), names[2..]);
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    assert!(filled(&path, &all).is_empty());
}

#[test]
fn a_cell_that_fails_is_told_and_the_others_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let cells = cells();
    let measure = |cell: &Cell| if cell.pool == "cluster" { Err("refused") } else { Ok(line(cell, 95)) };
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.fill(&cells, measure).unwrap(), [&cells[0]]);
    assert_eq!(store.lines().len(), 2);
    assert_eq!(filled(&path, &cells), ["mean/cluster/376/B"]);
}

#[test]
fn a_line_that_says_nothing_of_a_cell_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let good = serde_json::to_string(&line(&cells()[0], 95)).unwrap();
    for bad in ["{}", "", &good.replace("376/B", "376/E"), &good.replace("\"known\"", "\"unknown\"")] {
        fs::write(&path, format!("{good}\n{bad}\n{good}\n")).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}

#[test]
fn a_band_is_below_where_it_holds_less_than_90_by_two_standard_errors_and_its_pool_is_not_hard() {
    // with 100 releases two standard errors at .83 and .84 are .075 and .073
    for (held, is_below) in [(100, false), (90, false), (84, false), (82, true), (0, true)] {
        let line = line(&cells()[0], held);
        assert_eq!(line.below().count(), usize::from(is_below), "{held}");
        assert_eq!(table(&[line]).contains(BELOW), is_below);
    }
    assert_eq!(line(&cells()[2], 0).below().count(), 0, "few people far away are hard");
    let mut power = line(&cells()[0], 0);
    power.found[0].measure = Measure::Power;
    assert_eq!(power.below().count(), 0, "a test that rejects seldom is no band");
}

#[test]
fn the_table_has_a_row_for_each_quantity_in_the_order_of_cells_whatever_that_of_the_file() {
    let mut lines: Vec<Line> = cells().iter().map(|cell| line(cell, 92)).collect();
    let size = Found { quantity: "equality".to_owned(), measure: Measure::Size, width: None, known: 90, ..found(4) };
    lines[1].found.push(size);
    let expected = "\
Budgets (epsilon, delta): A = (1, 0.1), B = (1, 1e-5), C = (0.3, 1e-5).

| kind | pool | N | budget | quantity | releases | coverage | width | error |
|---|---|---|---|---|---|---|---|---|
| mean | cluster | 376 | B | band | 100 | 0.920 (0.027) | 1.50 (0.01) | - |
| mean | few | 142 | A | band | 100 | 0.920 (0.027) | 1.50 (0.01) | - |
| rows m=3 | smooth | 1000 | C | band | 100 | 0.920 (0.027) | 1.50 (0.01) | - |
| rows m=3 | smooth | 1000 | C | equality | 100, 90 known | size 0.040 (0.020) | - | - |

Without the hard pools: 2 bands, 2 below .93, 0 below .90, 0 of these by more than two standard errors; the least coverage is 0.920.
";
    assert_eq!(table(&lines), expected);
    lines.reverse();
    assert_eq!(table(&lines), expected);
}

#[test]
fn an_average_has_the_standard_error_of_its_values() {
    let number = Number::of(&[1.0, 3.0, 1.0, 3.0]).unwrap();
    assert_eq!((number.mean, number.error), (2.0, 0.5));
    assert_eq!(number.inverse().unwrap(), Number { mean: 0.5, error: 0.125 });
    assert_eq!(Number { mean: 4.0, error: 0.4 }.root(), Number { mean: 2.0, error: 0.1 });
    assert_eq!((Number::of(&[]), Number::of(&[1.0, f64::NAN])), (None, None));
}
