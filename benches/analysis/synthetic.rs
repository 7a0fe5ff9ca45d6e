//! Synthetic curves: how far they are from real ones.

use std::error::Error;
use std::fmt::Write;

use dpfda::analysis::SyntheticCurves;
use dpfda::prelude::*;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use crate::components::{BOUGHT, STATED, Setting};
use crate::data::Corpus;
use crate::measured::{Measured, of_seeds};

const RELEASES: u64 = 200;

pub fn report(corpus: &Corpus) -> Result<String, Box<dyn Error>> {
    let mut page = format!(
        "## Synthetic curves\n\nEnergy coefficient `H = E / (2 E|X - Y|)` (Szekely and Rizzo) between synthetic and real curves, with \
         averages over all pairs: for two samples of n curves from one law it is about 1/n. *Halves*: the release is of a random \
         half of the scans, and as many synthetic curves are compared with the other half; scans of one person may be in both. \
         *Process*: the release is of draws of the Gaussian process, and 376 synthetic curves are compared with the 376 real ones. \
         *Not private*: draws from the sample mean and the sample covariance in the same place. {RELEASES} releases for each row.\n\n\
         | comparison | N | (epsilon, delta) | ball | private | not private |\n|---|---|---|---|---|---|\n"
    );
    let simulated = Some(10_000);
    for (setting, target) in [(BOUGHT, Some(0.03)), (STATED, None), (Setting { simulated, ..BOUGHT }, Some(0.0035))] {
        eprintln!("synthetic: {}", setting.in_words());
        let pairs = of_seeds(RELEASES, |seed| match setting.simulated {
            None => halves(corpus, &setting, seed),
            Some(records) => process(corpus, &setting, records, seed),
        })?;
        let drawn = pairs.iter().filter(|(private, _)| !private.is_nan()).count();
        let private = Measured::of(pairs.iter().map(|pair| pair.0).filter(|energy| !energy.is_nan()));
        let plain = Measured::of(pairs.iter().map(|pair| pair.1));
        let (comparison, records) = setting.simulated.map_or(("halves", 188), |records| ("process", records));
        let refused = if drawn < pairs.len() { format!(", {} refused", pairs.len() - drawn) } else { String::new() };
        let ball = if setting.bought.1.is_some() { "bought" } else { "stated" };
        writeln!(
            page,
            "| {comparison} | {records} | ({}, {:?}) | {ball} | {}{refused} | {} |",
            setting.budget.0,
            setting.budget.1,
            private.at_most(target),
            plain.shown()
        )?;
    }
    Ok(page)
}

/// Energies of synthetic curves from a half of the scans, against the other half: private and not. NaN where refused.
fn halves(corpus: &Corpus, setting: &Setting, seed: u64) -> Result<(f64, f64), Box<dyn Error>> {
    let values = corpus.curves.values();
    let mut order: Vec<usize> = (0..values.nrows()).collect();
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    for last in (1..order.len()).rev() {
        order.swap(last, generator.random_range(0..=last));
    }
    let (train, rest) = order.split_at(order.len() / 2);
    let train = CurveSet::new(corpus.curves.grid().clone(), values.select(Axis(0), train))?;
    compared(corpus, setting, &train, values.select(Axis(0), rest).view(), seed)
}

/// The same from draws of the process, against all scans.
fn process(corpus: &Corpus, setting: &Setting, records: usize, seed: u64) -> Result<(f64, f64), Box<dyn Error>> {
    let train = corpus.simulated(records, 2_000_000 + seed)?;
    compared(corpus, setting, &train, corpus.curves.values().view(), seed)
}

fn compared(
    corpus: &Corpus,
    setting: &Setting,
    train: &CurveSet,
    real: ArrayView2<'_, f64>,
    seed: u64,
) -> Result<(f64, f64), Box<dyn Error>> {
    let roots = corpus.curves.grid().to_unit()?.weights().mapv(f64::sqrt);
    let real = &real * &roots;
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let synthetic = SyntheticCurves::new(&setting.components(train, seed)?).ok();
    let private = match synthetic {
        Some(synthetic) => energy(&(synthetic.draw(real.nrows(), &mut generator)? * &roots), &real),
        None => f64::NAN,
    };
    let plain = gaussian(train, real.nrows(), &mut generator)?;
    Ok((private, energy(&(plain * &roots), &real)))
}

/// Draws with the sample mean and the sample covariance: sums of centred curves with normal weights.
fn gaussian(train: &CurveSet, count: usize, generator: &mut ChaCha20Rng) -> Result<Array2<f64>, Box<dyn Error>> {
    let mean = train.values().mean_axis(Axis(0)).ok_or("curves")?;
    let centred = &train.values() - &mean;
    let scale = 1.0 / (train.len() as f64 - 1.0).sqrt();
    let mut weights = Array2::zeros((count, train.len()));
    weights.iter_mut().for_each(|x| *x = scale * Distribution::<f64>::sample(&StandardNormal, generator));
    Ok(weights.dot(&centred) + &mean)
}

/// `E / (2 E|X - Y|)`, `E = 2 E|X - Y| - E|X - X'| - E|Y - Y'|`.
fn energy(x: &Array2<f64>, y: &Array2<f64>) -> f64 {
    let between = average_distance(x, y);
    (2.0 * between - average_distance(x, x) - average_distance(y, y)) / (2.0 * between)
}

fn average_distance(x: &Array2<f64>, y: &Array2<f64>) -> f64 {
    let squares = |of: &Array2<f64>| -> Array1<f64> {
        of.rows().into_iter().map(|row: ArrayView1<'_, f64>| row.dot(&row)).collect()
    };
    let (left, right, products) = (squares(x), squares(y), x.dot(&y.t()));
    let distances =
        products.indexed_iter().map(|((i, j), product)| (left[i] + right[j] - 2.0 * product).max(0.0).sqrt());
    distances.sum::<f64>() / products.len() as f64
}
