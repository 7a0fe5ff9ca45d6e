//! Averages with their standard errors, beside their targets.

use std::error::Error;

use crate::parallel;

/// What stands beside a target that was missed: the program then fails.
pub const MISSED: &str = " (missed)";

/// An average and its standard error.
#[derive(Clone, Copy)]
pub struct Measured {
    pub mean: f64,
    pub error: f64,
}

impl Measured {
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { mean, error: (variance / count).sqrt() }
    }

    pub fn shown(self) -> String {
        if self.mean.is_nan() { "-".to_owned() } else { format!("{:.4} ({:.4})", self.mean, self.error) }
    }

    /// The average beside what it should be at most.
    pub fn at_most(self, target: Option<f64>) -> String {
        self.beside(target, "<=", |mean, target| mean <= target)
    }

    /// The average beside what it should be at least.
    pub fn at_least(self, target: Option<f64>) -> String {
        self.beside(target, ">=", |mean, target| mean >= target)
    }

    fn beside(self, target: Option<f64>, sign: &str, is_met: impl Fn(f64, f64) -> bool) -> String {
        let Some(target) = target else { return self.shown() };
        let verdict = if is_met(self.mean, target) { "" } else { MISSED };
        format!("{}; {sign} {target}{verdict}", self.shown())
    }
}

/// The results of a task for every seed, on two threads.
pub fn of_seeds<T: Send>(
    count: u64,
    task: impl Fn(u64) -> Result<T, Box<dyn Error>> + Sync,
) -> Result<Vec<T>, Box<dyn Error>> {
    let task = &task;
    let tasks = (0..count).map(|seed| move || task(seed).map_err(|error| error.to_string())).collect();
    Ok(parallel::all(tasks).into_iter().collect::<Result<Vec<T>, String>>()?)
}
