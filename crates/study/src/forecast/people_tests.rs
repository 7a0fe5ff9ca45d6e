#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda::kernels::eigenpairs;
use ndarray::{Array2, Axis};

use super::*;
use crate::kind::Kind;
use crate::release::Asked;
use crate::sections::Sections;
use crate::study::Study;

const PEOPLE: usize = 60;

fn forecast(kind: Kind, points: usize, more: &[(&str, &str)]) -> Forecast {
    let said = [("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1")].iter().chain(more).copied();
    Forecast::of(Study::of_flags(Some(kind), Sections::of_texts(said).unwrap()), points, Some(0.1)).unwrap()
}

fn people(forecast: &Forecast, number: usize) -> People {
    let asked = Asked::of(&forecast.study).unwrap().unwrap();
    People::of(forecast, &asked, number, 7).unwrap()
}

fn at_grid(people: &People) -> Vec<Vec<f64>> {
    people.curves.grid().points().iter().map(|point| vec![*point]).collect()
}

fn largest(values: &Array2<f64>) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

#[test]
fn the_mean_of_people_who_are_made_up_is_the_one_that_errors_are_measured_from() {
    for (periodic, number) in [("false", PEOPLE), ("true", PEOPLE + 1)] {
        let people = people(&forecast(Kind::Mean, 30, &[("periodic", periodic)]), number);
        let mean = people.curves.values().sum_axis(Axis(0)) / number as f64;
        assert!((mean - people.truth(0, &at_grid(&people))).iter().all(|d| d.abs() < 1e-12));
    }
}

#[test]
fn people_differ_by_the_spread_and_their_mean_lies_one_and_a_half_from_the_centre() {
    let people = people(&forecast(Kind::Mean, 200, &[]), 4000);
    let mean = people.truth(0, &at_grid(&people));
    let square = |values: &Array2<f64>| values.mapv(|x| x * x).mean().unwrap().sqrt();
    assert!((square(&(&people.curves.values() - &mean)) / 0.1 - 1.0).abs() < 0.05);
    let distance = (mean - 0.5).mapv(|x| x * x).mean().unwrap().sqrt();
    assert!((0.07..0.22).contains(&distance), "{distance}");
}

#[test]
fn groups_have_the_means_that_their_errors_are_measured_from() {
    let groups = forecast(Kind::Groups, 20, &[("by", "arm"), ("private_labels", "c,a,b")]);
    let people = people(&groups, PEOPLE);
    for (place, label) in ["c", "a", "b"].into_iter().enumerate() {
        let is_in = |person: &usize| people.columns[0].cells().nth(*person).flatten() == Some(label);
        let rows: Vec<usize> = (0..PEOPLE).filter(is_in).collect();
        assert_eq!(rows.len(), PEOPLE / 3);
        let mean = people.curves.values().select(Axis(0), &rows).mean_axis(Axis(0)).unwrap();
        assert!((mean - people.truth(place, &at_grid(&people))).iter().all(|d| d.abs() < 1e-12));
    }
}

#[test]
fn the_regression_of_people_who_are_made_up_is_the_one_that_errors_are_measured_from() {
    let settings = [("on", "age,sex"), ("covariate_bounds", "age=20:80,sex=m|f")];
    let people = people(&forecast(Kind::Regression, 20, &settings), PEOPLE);
    let cell = |column: usize, person: usize| people.columns[column].cells().nth(person).flatten().unwrap().to_owned();
    let design = Array2::from_shape_fn((PEOPLE, 3), |(person, place)| match place {
        0 => 1.0,
        1 => cell(0, person).parse().unwrap(),
        _ => f64::from(u8::from(cell(1, person) == "f")),
    });
    let gram = eigenpairs(&design.t().dot(&design)).unwrap();
    let inverse = (&gram.vectors / &gram.values).dot(&gram.vectors.t());
    let fitted = inverse.dot(&design.t()).dot(&people.curves.values());
    for place in 0..3 {
        let truth = people.truth(place, &at_grid(&people)).insert_axis(Axis(0));
        let found = fitted.row(place).to_owned().insert_axis(Axis(0));
        assert!(largest(&(&found - &truth)) < 1e-9 * largest(&truth).max(1.0), "{place}");
    }
}

#[test]
fn subjects_of_rows_have_as_many_values_as_was_said() {
    let people = people(&forecast(Kind::Rows, 3, &[]), PEOPLE);
    let seen = |row: ndarray::ArrayView1<'_, f64>| row.iter().filter(|value| !value.is_nan()).count();
    assert!(people.curves.values().rows().into_iter().all(|row| seen(row) == 3));
}
