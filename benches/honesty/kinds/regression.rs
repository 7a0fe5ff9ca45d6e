//! Coefficient functions of curves on private covariates: three levels, or a number and two levels.

use std::f64::consts::PI;

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::kernels::eigenpairs;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda_study::Kind;
use ndarray::{Array1, Array2};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::curve::outcomes_of;
use crate::foretold;
use crate::pools::{Pool, line};
use crate::truth::Truth;

const LEVELS: &str = "levels";
const NUMBER: &str = "number";
/// The shares of the second and the third of three levels, and of the second of two.
const SHARES: [f64; 3] = [0.35, 0.15, 0.4];

/// A quantity: its name, and the values of `(1, z_1, z_2)` that it is the mean at, or the sum of coefficients.
type Form = (&'static str, [f64; 3]);

/// The coefficients in the order of the release, then predicted means.
const FORMS: [Form; 3] = [("intercept", [1.0, 0.0, 0.0]), ("first", [0.0, 1.0, 0.0]), ("second", [0.0, 0.0, 1.0])];

pub fn settings() -> Vec<Setting> {
    every(&[LEVELS, NUMBER], &["smooth", "cluster", "step", "peak", "rough", "t3", "far"], &[376, 1000, 10_000])
}

/// A design: its covariates, and the cells at which means are predicted with the forms that they are.
struct Design {
    covariates: Vec<Covariate>,
    predicted: Vec<(Form, Vec<&'static str>)>,
    is_number: bool,
}

impl Design {
    fn of(variant: &str) -> Self {
        let category = |name: &str, levels: &[&str]| Covariate::Category {
            name: name.to_owned(),
            levels: levels.iter().map(|level| (*level).to_owned()).collect(),
        };
        if variant == LEVELS {
            let predicted = vec![(("at the third level", [1.0, 0.0, 1.0]), vec!["c"])];
            return Self { covariates: vec![category("level", &["a", "b", "c"])], predicted, is_number: false };
        }
        let number = Covariate::Number { name: "number".to_owned(), lower: 0.0, upper: 1.0 };
        let predicted = vec![
            (("in the middle", [1.0, 0.5, 0.0]), vec!["0.5", "a"]),
            (("at the end", [1.0, 1.0, 1.0]), vec!["1", "b"]),
        ];
        Self { covariates: vec![number, category("group", &["a", "b"])], predicted, is_number: true }
    }

    /// `(z_1, z_2)` of a person.
    fn drawn(&self, generator: &mut ChaCha20Rng) -> [f64; 2] {
        let mut uniform = || generator.random_range(0.0..1.0);
        let one = |is: bool| f64::from(u8::from(is));
        if self.is_number {
            return [uniform(), one(uniform() < SHARES[2])];
        }
        let place = uniform();
        [one(place < SHARES[0]), one((SHARES[0]..SHARES[0] + SHARES[1]).contains(&place))]
    }

    /// The cells of a person in the columns of the table.
    fn cells(&self, z: [f64; 2]) -> Vec<String> {
        let level = |is_second: bool| if is_second { "b" } else { "a" }.to_owned();
        if self.is_number {
            return vec![z[0].to_string(), level(z[1] > 0.0)];
        }
        vec![if z[1] > 0.0 { "c".to_owned() } else { level(z[0] > 0.0) }]
    }

    /// `E (1, z)(1, z)'`.
    fn moments(&self) -> Array2<f64> {
        let ([b, c, g], mut all) = (SHARES, Array2::zeros((3, 3)));
        let rows = if self.is_number {
            [[1.0, 0.5, g], [0.5, 1.0 / 3.0, g / 2.0], [g, g / 2.0, g]]
        } else {
            [[1.0, b, c], [b, b, 0.0], [c, 0.0, c]]
        };
        for (mut row, from) in all.rows_mut().into_iter().zip(rows) {
            row.assign(&Array1::from(from.to_vec()));
        }
        all
    }
}

/// Coefficient functions, and what people deviate from their mean by.
struct Population {
    people: Pool,
    functions: [Array1<f64>; 3],
}

impl Population {
    fn of(name: &str, t: &Array1<f64>) -> Result<Self, Fault> {
        let people = line::pool(if name == "far" { "smooth" } else { name })?;
        let first = t.mapv(|t| 0.05 * (PI * t).sin());
        let second = match name {
            "far" => t.mapv(|t| -0.25 + 0.02 * t),
            "step" => t.mapv(|t| if t < 0.5 { 0.0 } else { -0.1 }),
            _ => t.mapv(|t| 0.04 - 0.06 * t),
        };
        Ok(Self { functions: [people.mean.clone(), first, second], people })
    }

    fn at(&self, form: [f64; 3]) -> Array1<f64> {
        &self.functions[0] * form[0] + &self.functions[1] * form[1] + &self.functions[2] * form[2]
    }
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (design, grid, records) = (Design::of(&cell.variant), line::grid("smooth")?, cell.records);
    let population = Population::of(&cell.pool, &grid.points().to_owned())?;
    let settings = PrivateRegression::new(population.people.ball()?, budget(cell)?, design.covariates.clone())
        .wanting(Wanted::default());
    let (on, ranges) =
        if design.is_number { ("number,group", "number=0:1,group=a|b") } else { ("level", "level=a|b|c") };
    let said = [("on", on), ("covariate_bounds", ranges)];
    let foretold = foretold::means(Kind::Regression, cell, &population.people, grid.len(), &said)?;
    let inverse = inverse(&design.moments())?;
    let truth = |form: [f64; 3]| {
        let a = Array1::from(form.to_vec());
        let covariance = &population.people.covariance * (a.dot(&inverse.dot(&a)) / records as f64);
        Truth { grid: grid.clone(), values: population.at(form), covariance }
    };
    let coefficients: Vec<(Form, Truth)> = FORMS.iter().map(|form| (*form, truth(form.1))).collect();
    let predicted: Vec<Truth> = design.predicted.iter().map(|(form, _)| truth(form.1)).collect();
    let grid = grid.clone();
    Ok(Box::new(move |seed| {
        let (curves, columns, rows) = drawn(&population, &design, &grid, (records, seed))?;
        let release = settings.release(&curves, &columns, &mut noise(seed))?;
        let estimated = Estimated::<Regression>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let is_hidden = estimated.hidden().is_some();
        let mut found = Vec::new();
        let fitted = self::inverse(&rows.t().dot(&rows))?.dot(&rows.t()).dot(&curves.values());
        let first = estimated.means().all().get(1).and_then(|first| first.estimate().ok());
        found.push(foretold::outcome(foretold.get(1), first, &fitted.row(1).to_owned()));
        for (named, ((name, _), truth)) in estimated.means().all().iter().zip(&coefficients) {
            found.extend(outcomes_of(name, named.mean().ok(), truth)?);
        }
        for (((name, _), cells), truth) in design.predicted.iter().zip(&predicted) {
            let mean = if is_hidden { None } else { Some(estimated.predict(cells)?) };
            found.extend(outcomes_of(name, mean.as_ref(), truth)?);
        }
        Ok(found)
    }))
}

fn drawn(
    population: &Population,
    design: &Design,
    grid: &Grid,
    (records, seed): (usize, u64),
) -> Result<(CurveSet, Vec<TextColumn>, Array2<f64>), Fault> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut values = population.people.drawn(records, &mut generator);
    let mut columns = vec![Vec::new(); design.covariates.len()];
    let mut rows = Array2::ones((records, 3));
    for (person, mut row) in values.rows_mut().into_iter().enumerate() {
        let z = design.drawn(&mut generator);
        (rows[(person, 1)], rows[(person, 2)]) = (z[0], z[1]);
        row += &population.at([0.0, z[0], z[1]]);
        for (column, cell) in columns.iter_mut().zip(design.cells(z)) {
            column.push(Some(cell));
        }
    }
    Ok((CurveSet::new(grid.clone(), values)?, columns.into_iter().map(TextColumn::new).collect(), rows))
}

fn inverse(matrix: &Array2<f64>) -> Result<Array2<f64>, Fault> {
    let pairs = eigenpairs(matrix)?;
    Ok((&pairs.vectors / &pairs.values).dot(&pairs.vectors.t()))
}
