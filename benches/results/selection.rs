//! Choosing a smoother: cross-validation and selection after the release, against NumPy and against their own spectra.

use std::error::Error;
use std::fmt::Write;

use dpfda::crossval::{Candidates, CrossValidation, Folds, KernelFamily, geometric, private_cross_validate};
use dpfda::prelude::*;
use ndarray::Array2;
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};

use crate::timing::{MISSED, numpy, ratio_row, time};

const RECORDS: usize = 376;
const POINTS: usize = 93;

/// Rows of the table of speeds.
pub fn rows(page: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("speed: cross-validation");
    let problem = Problem::new(RECORDS)?;
    let task = "private cross-validation, 10 folds, 30 penalties x 30 ranges, N = 376, n = 93, closed form";
    let ours = || time(15, || problem.cross_validate());
    ratio_row(page, task, ours, || numpy("crossval.py", &["closed-form"]), 0.7)?;
    let ours = || time(15, || problem.cross_validate());
    let task = "the same against 1000 draws for each candidate and fold in NumPy (one candidate timed, times 900)";
    ratio_row(page, task, ours, || numpy("crossval.py", &["monte-carlo"]), 1.0 / 1500.0)?;
    let ours = || time(15, || problem.cross_validate());
    let task = "the same against its own 30 spectra (in place of NumPy)";
    ratio_row(page, task, ours, || time(15, || problem.spectra()).ok(), 1.3)
}

/// What has nothing to be compared with.
pub fn own_numbers(page: &mut String) -> Result<(), Box<dyn Error>> {
    let seconds = |records| {
        let problem = Problem::new(records)?;
        time(9, || problem.cross_validate())
    };
    let (few, many) = (seconds(RECORDS)?, seconds(10 * RECORDS)?);
    writeln!(
        page,
        "- That cross-validation with 376 records: {:.1} ms; with 3760: {:.1} ms. What grows is the one pass over the curves; \
         everything after the fold sums is the same work.",
        few * 1e3,
        many * 1e3
    )?;
    let problem = Problem::new(RECORDS)?;
    let release = settings()?.release(&problem.curves, &mut SystemRandomness::new()?)?;
    let candidates = Candidates::for_release(&release);
    let seconds = time(25, || Ok(select_after_release(&release, &candidates)?.least()))?;
    let verdict = if seconds <= 0.05 { "" } else { MISSED };
    writeln!(
        page,
        "- Choosing a smoother after the release, {} candidates, n = 93: {:.1} ms (target: under 50 ms){verdict}.",
        candidates.count(),
        seconds * 1e3
    )?;
    Ok(())
}

fn settings() -> Result<PrivateMean, Box<dyn Error>> {
    Ok(PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.5)?, PrivacyBudget::new(1.0, 0.1)?)
        .buying(dpfda::release::BallShares::NONE))
}

struct Problem {
    curves: CurveSet,
    folds: Folds,
    candidates: Candidates,
}

impl Problem {
    fn new(records: usize) -> Result<Self, Box<dyn Error>> {
        let mut generator = ChaCha20Rng::seed_from_u64(1);
        let mut values = Array2::zeros((records, POINTS));
        for mut row in values.rows_mut() {
            let height = generator.random_range(-0.2..0.2);
            for (i, value) in row.iter_mut().enumerate() {
                *value = 0.5 + height * (6.0 * i as f64 / 92.0).sin() + generator.random_range(-0.08..0.08);
            }
        }
        let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS)?, values)?;
        let folds = Folds::random(records, 10, &mut generator)?;
        let family = KernelFamily::new(KernelName::Matern(1.5), geometric(0.05, 1.0, 30))?;
        let candidates = Candidates::new(vec![family], geometric(1e-5, 0.3, 30), vec![1.0])?;
        Ok(Self { curves, folds, candidates })
    }

    fn cross_validate(&self) -> Result<f64, Box<dyn Error>> {
        let plan = CrossValidation::new(&self.folds, &self.candidates);
        let unused = &mut ChaCha20Rng::seed_from_u64(2);
        Ok(private_cross_validate(&self.curves, &settings()?, &plan, unused)?.reveal().least())
    }

    fn spectra(&self) -> Result<f64, Box<dyn Error>> {
        let mut largest = 0.0;
        for family in self.candidates.families() {
            for &range in family.ranges() {
                let kernel = family.name().with_range(range)?;
                largest += Spectrum::new(kernel, self.curves.unit_grid().clone(), DEFAULT_TOLERANCE)?.eigenvalues()[0];
            }
        }
        Ok(largest)
    }
}
