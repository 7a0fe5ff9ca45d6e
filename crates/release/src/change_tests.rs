#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::PrivacyUnit;
use ndarray::{Array2, array};

use super::*;

fn visits() -> ChangeOf {
    ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() }
}

fn slope(apart: f64) -> ChangeOf {
    ChangeOf::Slope { per: "year".to_owned(), apart }
}

fn curves(values: Array2<f64>, owners: &[u32]) -> CurveSet {
    CurveSet::new(Grid::uniform(0.0, 1.0, values.ncols()).unwrap(), values).unwrap().with_subjects(owners).unwrap()
}

fn cells(said: &[&str]) -> TextColumn {
    TextColumn::new(said.iter().map(|cell| (!cell.is_empty()).then(|| (*cell).to_owned())).collect())
}

#[test]
fn a_change_is_the_mean_of_the_later_rows_less_that_of_the_earlier_ones() {
    let nan = f64::NAN;
    let values = array![[1.0, 1.0, 1.0], [2.0, nan, 4.0], [4.0, 4.0, 4.0], [9.0, 9.0, 9.0], [5.0, 5.0, 5.0]];
    // `01` and `1.0` say the first visit as well, and a third visit is of no change
    let (changes, known) =
        visits().of_records(&curves(values, &[7, 7, 7, 7, 7]), &cells(&["01", "2", "2", "3", "1.0"]));
    assert_eq!(known, [true]);
    assert_eq!(changes.values(), array![[0.0, 0.5, 1.0]]);
    assert_eq!((changes.units(), changes.unit()), (1, PrivacyUnit::Subject));
}

#[test]
fn who_has_one_visit_alone_has_no_change_and_a_row_without_any_value_is_no_visit() {
    let nan = f64::NAN;
    let values = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [nan, nan], [1.0, 1.0], [2.0, 2.0]];
    let of = |said: &[&str]| visits().of_records(&curves(values.clone(), &[1, 2, 3, 3, 4, 4]), &cells(said));
    let (changes, known) = of(&["1", "2", "1", "2", "", "other"]);
    assert_eq!(known, [false; 4]);
    assert_eq!(changes.values(), Array2::<f64>::zeros((4, 2)));
    assert_eq!(visits().seen(&curves(values.clone(), &[1, 2, 3, 3, 4, 4]), &cells(&[])).reveal().1, 0);
    assert_eq!(of(&["1", "2", "1", "2", "2", "1"]).1, [false, false, false, true]);
}

#[test]
fn a_slope_is_that_of_least_squares_and_unknown_over_a_short_time() {
    let values = array![[0.0, 3.0], [1.0, 3.0], [5.0, 3.0], [1.0, 1.0], [2.0, 2.0], [1.0, 1.0]];
    let owners = [1, 1, 1, 2, 2, 3];
    let of = |apart: f64, said: &[&str]| slope(apart).of_records(&curves(values.clone(), &owners), &cells(said));
    let (changes, known) = of(0.0, &["0", "1", "2", "4", "4.5", "1"]);
    assert_eq!(known, [true, true, false]);
    // times -1, 0, 1 about their mean; and half a year
    let expected = array![[2.5, 0.0], [2.0, 2.0], [0.0, 0.0]];
    assert!(changes.values().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", changes.values());
    assert_eq!(of(1.0, &["0", "1", "2", "4", "4.5", "1"]).1, [true, false, false]);
    assert_eq!(of(0.0, &["3", "3", "3", "4", "", "1"]).1, [false; 3], "one time is no change");
}

#[test]
fn no_cell_and_no_value_makes_a_change_that_is_no_number() {
    let (max, tiny) = (f64::MAX, 5e-324);
    let values = array![[max, -max], [-max, max], [max, max], [tiny, -max], [-max, tiny], [max, 0.0]];
    for said in [
        ["1", "2", "1", "2", "2", "1"],
        ["0", "5e-324", "1e-320", "1", "2", "3"],
        ["-1e308", "1e308", "0", "1e-200", "0", "2e-200"],
        ["nan", "inf", "-inf", "1e999", "", "x"],
    ] {
        for of in [visits(), slope(0.0)] {
            let (changes, known) = of.of_records(&curves(values.clone(), &[1, 1, 1, 2, 2, 2]), &cells(&said));
            assert!(changes.values().iter().all(|change| change.is_finite()), "{of:?} {said:?}");
            assert_eq!((changes.units(), known.len()), (2, 2));
        }
    }
}

#[test]
fn the_order_of_the_rows_of_a_person_changes_no_bit() {
    let values = Array2::from_shape_fn((6, 3), |(i, j)| ((i * 7 + j * 3) % 5) as f64 / 3.0 + 1e-7 * i as f64);
    for (of, said) in [(visits(), ["1", "2", "2", "1", "2", "1"]), (slope(0.0), ["0.1", "0.7", "0.7", "2", "3.3", "1"])]
    {
        let forwards = of.of_records(&curves(values.clone(), &[1; 6]), &cells(&said)).0;
        let order = [4, 2, 0, 5, 3, 1];
        let turned = Array2::from_shape_fn((6, 3), |(i, j)| values[[order[i], j]]);
        let backwards = of.of_records(&curves(turned, &[1; 6]), &cells(&order.map(|i| said[i]))).0;
        assert_eq!(forwards.values(), backwards.values());
    }
}

#[test]
fn a_change_between_visits_that_there_cannot_be_is_refused() {
    let between = |column: &str, from: &str, to: &str| {
        ChangeOf::Visits { column: column.to_owned(), from: from.to_owned(), to: to.to_owned() }.check()
    };
    assert_eq!(between("visit", "before", "after"), Ok(()));
    for (from, to) in
        [("1", "1"), ("1", "01"), ("1.0", "1"), ("NA", "1"), ("1", ""), ("1", "\u{1b}[2J"), ("1", "1e300")]
    {
        assert_eq!(between("visit", from, to), Err(ChangeOfError::Visits.into()), "{from} {to}");
    }
    assert_eq!(between("", "1", "2"), Err(ChangeOfError::Column.into()));
    for apart in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(slope(apart).check(), Err(ChangeOfError::Apart.into()));
    }
    assert_eq!(slope(0.5).check(), Ok(()));
}
