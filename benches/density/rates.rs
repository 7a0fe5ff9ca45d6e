//! Tables 1 and 2: simulated rates of convergence against the stated ones.

use std::fmt::Write;
use std::time::Instant;

use dpfda::prelude::*;

use crate::studies::{self, CHAINS, SIZES, Study};
use crate::{Fault, NOT_DESCRIBED, parallel};

pub fn report() -> Result<String, Fault> {
    let mut page = format!(
        "## Tables 1 and 2 of WZ\n\nPoints of Beta(2, 2), p(x) = 6 x (1 - x) (r = 2: two independent coordinates), which is Lipschitz with L = \
         6; alpha = {}, delta = 0, substitute one; numbers of cells, draws and terms of the orders of Theorems 6 to 8, 12, 14 \
         and 15 with constants 1, rounded. For releases from which any number of points may be drawn it is the released density \
         (k infinite). L2 is the integrated squared error; histograms have it in closed form, series over 1024 midpoints. KS is \
         the supremum, exact but for the perturbed histogram with r = 2 (a lattice of 4 points a cell). Slopes are those of log mean error on \
         log n by least squares over n = 10^2, 10^2.5, ..., 10^5 (400 data sets each; 200 for the exponential mechanism with KS, 60 for its score), \
         with the standard error that follows from those of the means. *Its slope over these n* is the same for the stated \
         rate, logarithms included.\n\n",
        studies::ALPHA
    );
    let tables =
        [("Table 1: Lipschitz densities", studies::table_1()), ("Table 2: orthogonal series", studies::table_2())];
    for (seed, (title, studies)) in (0..).zip(tables) {
        let measured = measure(&studies, seed)?;
        write!(page, "### {title}\n\n")?;
        if seed == 1 {
            page += SMOOTHNESS;
        }
        slopes(&mut page, &studies, &measured)?;
        errors(&mut page, &studies, &measured)?;
        if seed == 1 {
            agreement(&mut page, &studies, &measured)?;
        }
    }
    Ok(page)
}

/// Why gamma is 3/2.
const SMOOTHNESS: &str = "On the cosine basis the even coefficients of Beta(2, 2) are -12 sqrt(2) / (pi k)^2 and the odd ones 0: it is in \
                          the ellipsoids of every gamma < 3/2, and the bias of m terms is of order m^(-3), so gamma = 3/2 here.\n\n";

/// Both starts of the chain must give the same errors: below 4 standard errors at each of 7 sizes.
fn agreement(page: &mut String, studies: &[Study], measured: &[Vec<Mean>]) -> Result<(), Fault> {
    let of = |name| studies.iter().position(|study| study.name == name).map(|row| &measured[row]);
    let (truth, uniform) = of(CHAINS.0).zip(of(CHAINS.1)).ok_or("no chains")?;
    let apart = |(a, b): (&Mean, &Mean)| (a.error - b.error).abs() / a.standard_error.hypot(b.standard_error);
    let most = truth.iter().zip(uniform).map(apart).fold(0.0, f64::max);
    let verdict = if most < 4.0 { "" } else { NOT_DESCRIBED };
    write!(page, "The two starts of the chain differ by at most {most:.1} standard errors{verdict}.\n\n")?;
    Ok(())
}

/// The mean error of one size, with its standard error.
#[derive(Clone, Copy)]
struct Mean {
    n: f64,
    error: f64,
    standard_error: f64,
}

fn measure(studies: &[Study], table: u64) -> Result<Vec<Vec<Mean>>, Fault> {
    let mut tasks = Vec::new();
    for (row, study) in studies.iter().enumerate() {
        for (column, &n) in SIZES.iter().enumerate() {
            let seed = (table * 100 + row as u64) * 100 + column as u64;
            tasks.push((n, row, move || mean(study, n, seed)));
        }
    }
    // the long ones are begun first
    tasks.sort_by_key(|(n, row, _)| (*n, *row));
    let (places, tasks): (Vec<_>, Vec<_>) = tasks.into_iter().map(|(n, row, task)| ((row, n), task)).unzip();
    let mut means = vec![Vec::new(); studies.len()];
    for ((row, _), mean) in places.into_iter().zip(parallel::all(tasks)) {
        means[row].push(mean?);
    }
    Ok(means)
}

fn mean(study: &Study, n: usize, seed: u64) -> Result<Mean, Fault> {
    let start = Instant::now();
    let trial = (study.prepare)(n)?;
    let mut randomness = SeededRandomness::from_seed(seed);
    let errors = (0..study.repeats).map(|_| trial(&mut randomness)).collect::<Result<Vec<f64>, Fault>>()?;
    let count = errors.len() as f64;
    let error = errors.iter().sum::<f64>() / count;
    let variance = errors.iter().map(|e| (e - error).powi(2)).sum::<f64>() / (count - 1.0);
    eprintln!("{} {} n = {n}: {:.1} s", study.name, study.distance, start.elapsed().as_secs_f64());
    Ok(Mean { n: n as f64, error, standard_error: (variance / count).sqrt() })
}

/// The least-squares slope of `log error` on `log n`, with the standard error that those of the means make.
fn slope(means: &[Mean]) -> (f64, f64) {
    let centre = means.iter().map(|mean| mean.n.ln()).sum::<f64>() / means.len() as f64;
    let spread: f64 = means.iter().map(|mean| (mean.n.ln() - centre).powi(2)).sum();
    let weights = means.iter().map(|mean| ((mean.n.ln() - centre) / spread, mean));
    let (slope, variance) = weights.fold((0.0, 0.0), |(slope, variance), (weight, mean)| {
        let relative = mean.standard_error / mean.error;
        (slope + weight * mean.error.ln(), variance + (weight * relative).powi(2))
    });
    (slope, variance.sqrt())
}

fn slopes(page: &mut String, studies: &[Study], measured: &[Vec<Mean>]) -> Result<(), Fault> {
    *page += "| mechanism | distance | stated rate | its slope over these n | measured slope | of the largest three n |\n\
              |---|---|---|---|---|---|\n";
    for (study, means) in studies.iter().zip(measured) {
        let stated: Vec<Mean> =
            means.iter().map(|mean| Mean { error: (study.rate)(mean.n), standard_error: 0.0, ..*mean }).collect();
        let (measured, standard_error) = slope(means);
        let (last, last_error) = slope(&means[means.len() - 3..]);
        let verdict = if (study.described.0..=study.described.1).contains(&measured) { "" } else { NOT_DESCRIBED };
        writeln!(
            page,
            "| {} | {} | {} | {:.3} | {measured:.3} +- {standard_error:.3}{verdict} | {last:.3} +- {last_error:.3} |",
            study.name,
            study.distance,
            study.stated,
            slope(&stated).0
        )?;
    }
    for study in studies {
        if !study.remark.is_empty() {
            write!(page, "\n- *{}, {}.* {}", study.name, study.distance, study.remark)?;
        }
    }
    *page += "\n\n";
    Ok(())
}

fn errors(page: &mut String, studies: &[Study], measured: &[Vec<Mean>]) -> Result<(), Fault> {
    let relative = measured.iter().flatten().map(|mean| 100.0 * mean.standard_error / mean.error).fold(0.0, f64::max);
    write!(page, "Mean errors, each with a standard error of at most {relative:.1}%:\n\n| mechanism | distance |")?;
    for n in SIZES {
        write!(page, " n = {n} |")?;
    }
    *page += "\n|---|---|";
    *page += &"---|".repeat(SIZES.len());
    *page += "\n";
    for (study, means) in studies.iter().zip(measured) {
        write!(page, "| {} | {} |", study.name, study.distance)?;
        for mean in means {
            write!(page, " {} |", digits(mean.error))?;
        }
        *page += "\n";
    }
    *page += "\n";
    Ok(())
}

/// Three significant digits.
fn digits(x: f64) -> String {
    if x < 0.01 { format!("{x:.2e}") } else { format!("{x:.4}") }
}
