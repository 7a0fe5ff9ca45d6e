//! Tables in memory: however rows lie there, the release is the same.

use std::fmt::{Display, Formatter, Result as Written};
use std::path::Path;

use dpfda::analysis::View;
use dpfda::kernels::Grid;
use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Payable, Release};
use dpfda::privacy::{NonPrivate, RandomnessError, SeededRandomness};
use dpfda::release::{EncodeError, ReleaseError};
use dpfda::smoothing::{Bytes, Missing, TableError, TableFiles, TextColumn, Unfit};
use dpfda_study::{
    Account, Asked, Checked, Data, Finish, Kind, LongTable, MemoryRows, Note, Reading, Refusal, RowTable, Sections,
    Study, UnfitCell, Watch, Work,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

#[derive(Debug, PartialEq)]
struct Failed(String);

impl Display for Failed {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(&self.0)
    }
}

macro_rules! failures {
    ($($error:ty),*) => {$(
        impl From<$error> for Failed {
            fn from(error: $error) -> Self {
                Self(error.to_string())
            }
        }
    )*};
}

failures!(Refusal, TableError, EncodeError, ReleaseError, RandomnessError);

/// Draws from a seed, and gives the document.
struct Seeded;

impl Account for Seeded {
    type Output = String;
    type Error = Failed;

    fn pay<S: Estimable>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<String, Failed> {
        let drawn =
            prepared.draw(None, &mut SeededRandomness::from_seed(7)).map_err(|error| Failed(error.to_string()))?;
        (finish.view)(drawn)?.write(None::<&()>).map_err(|error| Failed(error.to_string()))
    }
}

struct Silent;

impl Watch for Silent {
    fn reading(&self, _: &TableFiles) -> Box<dyn Reading> {
        Box::new(Self)
    }

    fn step(&self, _: &'static str, work: &mut dyn FnMut()) {
        work();
    }

    fn tell(&self, _: NonPrivate<Note>) {}
}

impl Reading for Silent {
    fn watched(&self, bytes: Bytes) -> Bytes {
        bytes
    }
}

fn study(kind: Kind, said: &[(&str, &str)]) -> Checked {
    let usual = [("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1")];
    let said = Sections::of_texts(usual.into_iter().chain(said.iter().copied())).unwrap();
    Study::of_flags(Some(kind), said).check(Path::new("")).unwrap()
}

fn values() -> Array2<f64> {
    Array2::from_shape_fn((300, 12), |(i, k)| 0.5 + 0.01 * (i % 7) as f64 * (k as f64 / 5.0).cos())
}

fn table<'a>(rows: MemoryRows<'a>, ids: Option<&'a [String]>) -> RowTable<'a> {
    RowTable { rows, grid: Grid::uniform(0.0, 1.0, 12).unwrap(), ids, names: None, texts: Vec::new() }
}

fn released(study: &Checked, table: &RowTable<'_>) -> String {
    Asked::of(study).unwrap().unwrap().release_rows(table, Work::default(), Seeded, &Silent).unwrap()
}

#[test]
fn rows_that_lie_together_or_apart_and_curves_that_were_copied_give_the_same_release() {
    let (study, values, none) = (study(Kind::Mean, &[("values", "*")]), values(), Missing::default());
    let ids: Vec<String> = (0..300).map(|row| format!("P{}", row / 2)).collect();
    for ids in [None, Some(&ids[..])] {
        let together = released(&study, &table(MemoryRows::of_array(values.view(), &none).unwrap(), ids));
        let by_column = values.t().as_standard_layout().into_owned();
        let apart: ArrayView2<'_, f64> = by_column.t();
        assert_eq!(released(&study, &table(MemoryRows::of_array(apart, &none).unwrap(), ids)), together);
        let columns: Vec<ArrayView1<'_, f64>> = values.axis_iter(Axis(1)).collect();
        let columns = table(MemoryRows::of_columns(columns, &none).unwrap(), ids);
        assert_eq!(released(&study, &columns), together);
        let asked = Asked::of(&study).unwrap().unwrap();
        let copied = Data::Memory(&columns.curves().unwrap(), &[]);
        assert_eq!(asked.release(&copied, Work::default(), Seeded, &Silent).unwrap(), together);
    }
}

#[test]
fn a_number_that_is_no_value_is_told_by_its_place_and_a_named_code_is_missing() {
    let (mut values, none) = (values(), Missing::default());
    values[[17, 3]] = f64::INFINITY;
    let place = |unfit| Some(UnfitCell { row: 17, column: 3, unfit });
    assert_eq!(MemoryRows::of_array(values.view(), &none).err(), place(Unfit::Infinite));
    values[[17, 3]] = -999.0;
    assert_eq!(MemoryRows::of_array(values.view(), &none).err(), place(Unfit::Code));
    assert_eq!(MemoryRows::of_array(values.t().reversed_axes(), &none).err(), place(Unfit::Code));
    let coded = MemoryRows::of_array(values.view(), &Missing::new("-999").unwrap()).unwrap().copied();
    assert!(coded[[17, 3]].is_nan() && coded[[17, 4]] == values[[17, 4]]);
}

#[test]
fn a_long_table_of_surfaces_is_the_table_with_a_surface_in_each_row() {
    let places = [("surface", "3,4"), ("surface_domain", "0,2,0,3")];
    let wide = study(Kind::Surface, &[&places[..], &[("values", "*"), ("subject", "id")]].concat());
    let long = study(Kind::Surface, &[&places[..], &[("id", "id"), ("s", "s"), ("t", "t"), ("value", "y")]].concat());
    let values = values();
    let people: Vec<String> = (0..300).map(|row| row.to_string()).collect();
    let ids: Vec<String> = (0..3600).map(|row| (row / 12).to_string()).collect();
    let s: Array1<f64> = (0..3600).map(|row| f64::from(row % 12 / 4)).collect();
    let t: Array1<f64> = (0..3600).map(|row| f64::from(row % 4)).collect();
    let y: Array1<f64> = values.iter().copied().collect();
    let none = Missing::default();
    let of = |s: &Array1<f64>| {
        let table = LongTable::new(&ids, vec![s.view(), t.view(), y.view()], None, &none, 1).unwrap();
        Asked::of(&long).unwrap().unwrap().release_long(&table, Work::default(), Seeded, &Silent)
    };
    let bits = |text: &str| {
        let mut document: serde_json::Value = serde_json::from_str(text).unwrap();
        // how its table was read
        assert!(document.as_object_mut().unwrap().remove("source").is_some());
        document
    };
    let by_rows = released(&wide, &table(MemoryRows::of_array(values.view(), &none).unwrap(), Some(&people)));
    assert_eq!(bits(&of(&s).unwrap()), bits(&by_rows));
    let mut off = s.clone();
    off[6] = 0.4;
    assert!(of(&off).unwrap_err().0.contains("row 7 (counted from 1)"));
    let twice = of(&s.mapv(|s| if s == 1.0 { 0.0 } else { s })).unwrap_err();
    assert!(twice.0.contains("an earlier row"));
}

#[test]
fn a_column_that_is_to_hold_numbers_and_holds_none_is_refused_and_one_number_is_enough() {
    let (values, ids) = (values(), (0..300).map(|row| (row / 2).to_string()).collect::<Vec<_>>());
    let slopes = study(Kind::Change, &[("per", "year"), ("subject", "id"), ("values", "v*")]);
    let on_age = study(Kind::Regression, &[("on", "age"), ("covariate_bounds", "age=0:9"), ("values", "v*")]);
    for (checked, setting) in [(slopes, "per"), (on_age, "on")] {
        let asked = Asked::of(&checked).unwrap().unwrap();
        let released = |cells: Vec<Option<String>>| {
            let rows = MemoryRows::of_array(values.view(), &Missing::default()).unwrap();
            let grid = Grid::uniform(0.0, 1.0, 12).unwrap();
            let ids = (setting == "per").then_some(&ids[..]);
            let table = RowTable { rows, grid, ids, names: None, texts: vec![TextColumn::new(cells)] };
            asked.release_rows(&table, Work::default(), Seeded, &Silent)
        };
        let is_refused = |cells| {
            let why = "names a column of numbers, and no cell of `";
            released(cells).is_err_and(|error| error.0.contains(why) && error.0.contains(setting))
        };
        let mut cells = vec![Some("first".to_owned()); 300];
        cells[7] = None;
        assert!(is_refused(cells.clone()), "{setting}");
        cells[0] = Some("1.5".to_owned());
        assert!(!is_refused(cells), "{setting}");
        assert!(!is_refused(vec![None; 300]), "{setting}");
    }
}
