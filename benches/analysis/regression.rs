//! Regressions: how far coefficient functions are from those of the population, and how often bands hold them.

use std::error::Error;
use std::fmt::Write;

use dpfda::kernels::{CovarianceKernel, Matern, eigenpairs};
use dpfda::prelude::*;
use dpfda::release::{BallShares, Regression};
use ndarray::{Array2, ArrayView1, Axis, Slice};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use crate::data::Corpus;
use crate::measured::{Measured, of_seeds};

const RELEASES: u64 = 200;
/// Along so many of its smoothest directions a function is called smooth.
const SMOOTH: usize = 12;
const NAMES: [&str; 3] = ["mean", "case", "visit"];

/// A population of curves that are linear in case and visit, each standardised to -1 to 1.
pub struct Population {
    design: Array2<f64>,
    coefficients: Array2<f64>,
    /// The same along the smoothest directions alone.
    smooth: Array2<f64>,
    /// This times standard normals is an error.
    root: Array2<f64>,
}

impl Population {
    /// Least squares of the complete curves, with Gaussian errors of the covariance of its residuals.
    pub fn of(curves: &CurveSet, columns: &[TextColumn]) -> Result<Self, Box<dyn Error>> {
        let number = |column: &TextColumn, row: usize| -> Result<f64, Box<dyn Error>> {
            Ok(column.cells().nth(row).flatten().ok_or("a covariate")?.parse()?)
        };
        let values = curves.values();
        let is_complete = |row: &usize| values.row(*row).iter().all(|x| x.is_finite());
        let rows: Vec<usize> = (0..curves.len()).filter(is_complete).collect();
        let mut design = Array2::ones((rows.len(), 3));
        for (mut into, row) in design.rows_mut().into_iter().zip(&rows) {
            into[1] = 2.0 * number(&columns[0], *row)? - 1.0;
            into[2] = (number(&columns[1], *row)? - 4.5) / 3.5;
        }
        let values = values.select(Axis(0), &rows);
        let coefficients = least_squares(&design, &values)?;
        let (kernel, points) = (Matern::new(1.5, 0.5)?, curves.unit_grid().points().to_owned());
        let shape = |(i, j): (usize, usize)| kernel.covariance(points[i], points[j]);
        let vectors = eigenpairs(&Array2::from_shape_fn((points.len(), points.len()), shape))?.vectors;
        let first = vectors.slice_axis(Axis(1), Slice::from(vectors.ncols() - SMOOTH..));
        let smooth = coefficients.dot(&first).dot(&first.t());
        let residuals = &values - &design.dot(&coefficients);
        let pairs = eigenpairs(&(residuals.t().dot(&residuals) / (rows.len() as f64 - 3.0)))?;
        let root = &pairs.vectors * &pairs.values.mapv(|value| value.max(0.0).sqrt());
        Ok(Self { design, coefficients, smooth, root })
    }

    /// People with covariates as those of the scans, drawn again, and their standardised covariates.
    fn draw(&self, coefficients: &Array2<f64>, records: usize, seed: u64) -> (Array2<f64>, Array2<f64>) {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let chosen: Vec<usize> = (0..records).map(|_| generator.random_range(0..self.design.nrows())).collect();
        let design = self.design.select(Axis(0), &chosen);
        let mut normals = Array2::zeros((records, self.root.ncols()));
        normals.iter_mut().for_each(|x| *x = StandardNormal.sample(&mut generator));
        let values = design.dot(coefficients) + normals.dot(&self.root.t());
        (design, values)
    }
}

fn least_squares(design: &Array2<f64>, values: &Array2<f64>) -> Result<Array2<f64>, Box<dyn Error>> {
    let pairs = eigenpairs(&design.t().dot(design))?;
    let inverse = (&pairs.vectors / &pairs.values).dot(&pairs.vectors.t());
    Ok(inverse.dot(&design.t().dot(values)))
}

/// One release: the errors of the three functions, those of least squares, and whether bands hold the functions.
struct Outcome {
    errors: Option<[f64; 3]>,
    least_squares: [f64; 3],
    held: [bool; 3],
}

/// What is released, and the errors that the notes of the method reach.
struct Setting {
    records: usize,
    budget: (f64, f64),
    is_public: bool,
    is_smooth: bool,
    targets: Option<[f64; 3]>,
}

pub fn report(corpus: &Corpus) -> Result<String, Box<dyn Error>> {
    let mut page = format!(
        "## Regression\n\nCurves on case and visit: covariates of the 376 scans drawn again, coefficient functions those of least squares \
         on the scans, Gaussian errors with the covariance of its residuals. *Error*: the root mean square over the domain, for the mean \
         at the middle of both ranges and for a change from the middle to the end of a range (case from 1/2 to 1, visit from 4.5 to 8), \
         averaged over releases; beside it that of least squares without privacy. *Coverage*: how often the 95% band holds the whole \
         function, over the three. *Refused*: releases whose noise hides the design; errors and coverage are over the others. \
         Least squares of 376 scans are rough themselves, as no prior of a mean function is; in the last rows the functions are those \
         of least squares along their {SMOOTH} smoothest directions. {RELEASES} releases for each row.\n\n| N | (epsilon, delta) | covariates | refused | error: mean | case | visit | least squares: mean | case | visit | \
         coverage |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    // errors that an earlier study of the same design reached, and a tenth more
    for (records, budget, is_public, is_smooth, targets) in [
        (376, (1.0, 0.1), false, false, None),
        (376, (1.0, 0.1), true, false, None),
        (1000, (1.0, 0.1), false, false, Some([0.0283, 0.0113, 0.0155])),
        (1000, (1.0, 0.1), true, false, Some([0.0184, 0.0085, 0.0138])),
        (1000, (1.0, 1e-5), true, false, Some([0.0472, 0.0180, 0.0274])),
        (10_000, (1.0, 1e-5), false, false, Some([0.0113, 0.0051, 0.0089])),
        (10_000, (1.0, 1e-5), true, false, Some([0.0072, 0.0035, 0.0070])),
        (10_000, (1.0, 0.1), false, false, Some([0.0040, 0.0021, 0.0037])),
        (10_000, (1.0, 0.1), true, false, Some([0.0028, 0.0015, 0.0030])),
        (10_000, (1.0, 1e-5), true, true, None),
        (10_000, (1.0, 0.1), true, true, None),
    ] {
        let setting = Setting { records, budget, is_public, is_smooth, targets };
        eprintln!("regression: {records} {budget:?} {is_public}");
        writeln!(page, "{}", setting.row(corpus)?)?;
    }
    Ok(page + "\n")
}

impl Setting {
    fn row(&self, corpus: &Corpus) -> Result<String, Box<dyn Error>> {
        let found = of_seeds(RELEASES, |seed| self.outcome(corpus, seed))?;
        let kept: Vec<(&Outcome, [f64; 3])> =
            found.iter().filter_map(|outcome| Some((outcome, outcome.errors?))).collect();
        let held = kept.iter().flat_map(|(outcome, _)| outcome.held).map(|held| f64::from(u8::from(held)));
        let (epsilon, delta) = self.budget;
        let covariates = if self.is_public { "public" } else { "private" };
        let functions = if self.is_smooth { ", smooth functions" } else { "" };
        let mut row = format!(
            "| {} | ({epsilon}, {delta:?}) | {covariates}{functions} | {} |",
            self.records,
            found.len() - kept.len()
        );
        for place in 0..NAMES.len() {
            let errors = Measured::of(kept.iter().map(|(_, errors)| errors[place]));
            write!(row, " {} |", errors.at_most(self.targets.map(|targets| (1.1e5 * targets[place]).round() / 1e5)))?;
        }
        for place in 0..NAMES.len() {
            write!(row, " {} |", Measured::of(found.iter().map(|outcome| outcome.least_squares[place])).shown())?;
        }
        write!(row, " {} |", Measured::of(held).at_least(Some(0.95)))?;
        Ok(row)
    }

    fn outcome(&self, corpus: &Corpus, seed: u64) -> Result<Outcome, Box<dyn Error>> {
        let population = &corpus.population;
        let truth = if self.is_smooth { &population.smooth } else { &population.coefficients };
        let (design, values) = population.draw(truth, self.records, 5_000_000 + seed);
        let weights = corpus.curves.unit_grid().weights().to_owned();
        let error = |found: ArrayView1<'_, f64>, place: usize, factor: f64| {
            let distance = &found * factor - truth.row(place);
            weights.dot(&distance.mapv(|d| d * d)).sqrt()
        };
        let fitted = least_squares(&design, &values)?;
        let least_squares = [0, 1, 2].map(|place| error(fitted.row(place), place, 1.0));
        let estimated = self.release(corpus, &design, values, seed)?;
        if estimated.hidden().is_some() {
            return Ok(Outcome { errors: None, least_squares, held: [false; 3] });
        }
        let middle = estimated.predict(&["0.5", "4.5"])?;
        let [_, case, visit] = estimated.means().all() else { return Err("three coefficients".into()) };
        // the change for half of a range
        let functions = [(middle.estimate(), 1.0), (case.estimate()?, 0.5), (visit.estimate()?, 3.5)];
        let (mut errors, mut held) = ([0.0; 3], [false; 3]);
        for (place, (function, factor)) in functions.into_iter().enumerate() {
            errors[place] = error(function.values.view(), place, factor);
            let truth = truth.row(place);
            held[place] = (0..truth.len())
                .all(|i| function.lower[i] * factor <= truth[i] && truth[i] <= function.upper[i] * factor);
        }
        Ok(Outcome { errors: Some(errors), least_squares, held })
    }

    fn release(
        &self,
        corpus: &Corpus,
        design: &Array2<f64>,
        values: Array2<f64>,
        seed: u64,
    ) -> Result<Estimated<Regression>, Box<dyn Error>> {
        let curves = CurveSet::new(corpus.curves.grid().clone(), values)?;
        let text = |cell: &dyn Fn(ArrayView1<'_, f64>) -> f64| {
            TextColumn::new(design.rows().into_iter().map(|row| Some(cell(row).to_string())).collect())
        };
        let columns = [text(&|row| f64::midpoint(row[1], 1.0)), text(&|row| (3.5 * row[2] + 4.5).round())];
        let number = |name: &str, lower, upper| Covariate::Number { name: name.to_owned(), lower, upper };
        let covariates = vec![number("case", 0.0, 1.0), number("visit", 1.0, 8.0)];
        let ball = Ball::new(Center::Constant(0.5), 0.25)?;
        let regression = PrivateRegression::new(ball, PrivacyBudget::new(self.budget.0, self.budget.1)?, covariates);
        let regression = regression.buying(BallShares::NONE);
        let regression = if self.is_public { regression.public_design() } else { regression };
        let release = regression.release(&curves, &columns, &mut SeededRandomness::from_seed(seed))?;
        Ok(Estimated::new(release, &Band::Population, 0.95)?)
    }
}
