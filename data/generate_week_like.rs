//! Writes `data/week_like.csv`: invented weeks of people who wear a glucose sensor, one row for each value.
//!
//! ```text
//! cargo run --example generate_week_like -- data/week_like.csv
//! ```
//!
//! Without a path the table goes to standard output. No number here was computed from anyone's data. One value, in mmol/L, is
//!
//! ```text
//! x(day, hour) = level + size * meals(day, hour) + noise,   day = 1 (Monday), ..., 7,   hour = 0, 3, ..., 21
//! ```
//!
//! where `level` and `size` are random numbers of the person. The seed is fixed: the same program writes the same bytes.

use std::fmt::Write as _;
use std::process::ExitCode;

use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;

const PEOPLE: usize = 400;
/// The share of rows that are missing.
const MISSING: f64 = 0.05;
/// Every value lies in this interval.
const LIMITS: (f64, f64) = (3.2, 11.8);
/// Chosen once and kept.
const SEED: u64 = 20_261_127;

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    rng.sample(StandardNormal)
}

/// A rise about an hour of the day, which closes up at midnight.
fn rise(hour: f64, at: f64, width: f64) -> f64 {
    let apart = (hour - at).abs();
    (-(apart.min(24.0 - apart) / width).powi(2)).exp()
}

/// What meals add: breakfast is later at weekends, and dinner larger.
fn meals(day: usize, hour: f64) -> f64 {
    let late = if day > 5 { 1.0 } else { 0.0 };
    0.8 * rise(hour, 8.5 + 2.0 * late, 3.0) + rise(hour, 13.5, 2.5) + (1.3 + 0.5 * late) * rise(hour, 20.0, 3.0)
}

/// The whole table as CSV: a header, and the rows of one person after those of another.
pub fn table() -> String {
    let mut rng = ChaCha20Rng::seed_from_u64(SEED);
    let mut csv = String::from("id,day,hour,glucose\n");
    for person in 1..=PEOPLE {
        let (level, size) = (5.5 + 0.4 * normal(&mut rng), 1.0 + 0.2 * normal(&mut rng));
        for day in 1..=7 {
            for hour in (0..24).step_by(3) {
                let value = level + size * meals(day, f64::from(hour)) + 0.3 * normal(&mut rng);
                if !rng.random_bool(MISSING) {
                    let _ = writeln!(csv, "P{person:03},{day},{hour},{:.2}", value.clamp(LIMITS.0, LIMITS.1));
                }
            }
        }
    }
    csv
}

fn main() -> ExitCode {
    let csv = table();
    let Some(path) = std::env::args().nth(1) else {
        print!("{csv}");
        return ExitCode::SUCCESS;
    };
    match std::fs::write(&path, csv) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {path}: {error}");
            ExitCode::FAILURE
        }
    }
}
