//! Writes `data/dti_like.csv`: invented scans in the shape of corpus-callosum fractional anisotropy profiles.
//!
//! ```text
//! cargo run --example generate_dti_like -- data/dti_like.csv
//! ```
//!
//! Without a path the table goes to standard output. No number here was computed from anyone's data: the constants
//! below were made up so that the table is shaped like the data set `DTI` of the R package refund. One scan is
//!
//! ```text
//! x(t) = profile(t) - case * loss(t) + subject(t) + visit(t) + roughness(t),   t = 0, 1/92, ..., 1
//! ```
//!
//! where `subject` and `visit` are random smooth curves, the one shared by all scans of a subject, the other drawn for
//! each scan. The seed is fixed: the same program writes the same bytes.

use std::f64::consts::{PI, SQRT_2};
use std::fmt::Write as _;
use std::process::ExitCode;

use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;

/// Points of one profile.
const POINTS: usize = 93;
/// How many subjects have 1, 2, ..., 8 scans: 142 subjects, 382 scans.
const SUBJECTS_BY_SCANS: [usize; 8] = [39, 38, 30, 17, 8, 4, 3, 3];
/// The share of subjects with `case` 1.
const CASE_SHARE: f64 = 0.65;
/// The first subject's `ID`.
const FIRST_ID: usize = 1001;
/// The lengths of the missing stretches, one in each of six scans: 36 cells.
const MISSING_STRETCHES: [usize; 6] = [2, 3, 5, 6, 8, 12];
/// Every value lies in this interval; the curves seldom come near its ends.
const LIMITS: (f64, f64) = (0.21, 0.84);
/// Chosen once and kept.
const SEED: u64 = 20_160_811;

/// A smooth random curve: a random level, and waves whose size falls off as they get shorter.
struct Smooth {
    level_sd: f64,
    wave_sd: f64,
    waves: usize,
}

const SUBJECT: Smooth = Smooth { level_sd: 0.030, wave_sd: 0.028, waves: 14 };
const VISIT: Smooth = Smooth { level_sd: 0.008, wave_sd: 0.010, waves: 20 };
const ROUGHNESS_SD: f64 = 0.012;

/// One scan; `NaN` is a missing value.
struct Scan {
    id: usize,
    visit: usize,
    case: bool,
    values: Vec<f64>,
}

impl Smooth {
    /// `level + sum_k a_k sqrt(2) cos(k pi t)`, `a_k` normal with standard deviation `wave_sd / k`.
    fn draw(&self, rng: &mut ChaCha20Rng) -> Vec<f64> {
        let level = self.level_sd * normal(rng);
        let waves: Vec<f64> = (1..=self.waves).map(|k| self.wave_sd / k as f64 * SQRT_2 * normal(rng)).collect();
        let wave = |k: usize, t: f64| waves[k] * ((k + 1) as f64 * PI * t).cos();
        (0..POINTS).map(|i| level + (0..waves.len()).map(|k| wave(k, point(i))).sum::<f64>()).collect()
    }
}

fn normal(rng: &mut ChaCha20Rng) -> f64 {
    rng.sample(StandardNormal)
}

/// Where point `i` lies in the unit interval.
fn point(i: usize) -> f64 {
    i as f64 / (POINTS - 1) as f64
}

fn bump(t: f64, centre: f64, width: f64) -> f64 {
    (-((t - centre) / width).powi(2)).exp()
}

/// The typical profile: high at both ends (genu and splenium), a broad dip between, a small shoulder in the middle.
fn profile(t: f64) -> f64 {
    0.44 + 0.17 * bump(t, 0.07, 0.19) + 0.20 * bump(t, 0.93, 0.15) + 0.03 * bump(t, 0.52, 0.12)
}

/// What `case` 1 takes off the profile: a little everywhere, most in the middle.
fn loss(t: f64) -> f64 {
    0.020 + 0.025 * bump(t, 0.60, 0.25)
}

/// Measurement error of one scan: independent normals, averaged lightly over neighbouring points.
fn roughness(rng: &mut ChaCha20Rng) -> Vec<f64> {
    let raw: Vec<f64> = (0..POINTS + 2).map(|_| ROUGHNESS_SD * normal(rng)).collect();
    raw.windows(3).map(|e| 0.25 * e[0] + 0.5 * e[1] + 0.25 * e[2]).collect()
}

/// The number of scans of every subject, in random order.
fn scans_per_subject(rng: &mut ChaCha20Rng) -> Vec<usize> {
    let by_scans = SUBJECTS_BY_SCANS.iter().enumerate();
    let mut scans: Vec<usize> = by_scans.flat_map(|(i, &subjects)| std::iter::repeat_n(i + 1, subjects)).collect();
    scans.shuffle(rng);
    scans
}

fn scan(id: usize, visit: usize, case: bool, subject: &[f64], rng: &mut ChaCha20Rng) -> Scan {
    let (smooth, rough) = (VISIT.draw(rng), roughness(rng));
    let value = |i: usize| {
        let t = point(i);
        let expected = profile(t) - if case { loss(t) } else { 0.0 };
        (expected + subject[i] + smooth[i] + rough[i]).clamp(LIMITS.0, LIMITS.1)
    };
    Scan { id, visit, case, values: (0..POINTS).map(value).collect() }
}

/// Blanks one stretch in each of six different scans: the first at the start, the second at the end, the others inside.
fn remove_values(scans: &mut [Scan], rng: &mut ChaCha20Rng) {
    let mut order: Vec<usize> = (0..scans.len()).collect();
    order.shuffle(rng);
    for (stretch, (&length, &scan)) in MISSING_STRETCHES.iter().zip(&order).enumerate() {
        let from = match stretch {
            0 => 0,
            1 => POINTS - length,
            _ => rng.random_range(1..POINTS - length),
        };
        scans[scan].values[from..from + length].fill(f64::NAN);
    }
}

fn scans() -> Vec<Scan> {
    let mut rng = ChaCha20Rng::seed_from_u64(SEED);
    let mut all = Vec::new();
    for (subject, visits) in scans_per_subject(&mut rng).into_iter().enumerate() {
        let case = rng.random_bool(CASE_SHARE);
        let curve = SUBJECT.draw(&mut rng);
        all.extend((1..=visits).map(|visit| scan(FIRST_ID + subject, visit, case, &curve, &mut rng)));
    }
    remove_values(&mut all, &mut rng);
    all
}

/// The whole table as CSV: a header, one line per scan, six decimals, `NA` for a missing value as R writes it.
pub fn table() -> String {
    let mut csv = String::from("ID,visit,case");
    for i in 1..=POINTS {
        append(&mut csv, format_args!(",cca_{i}"));
    }
    for scan in scans() {
        append(&mut csv, format_args!("\n{},{},{}", scan.id, scan.visit, u8::from(scan.case)));
        for value in scan.values {
            if value.is_nan() {
                csv.push_str(",NA");
            } else {
                append(&mut csv, format_args!(",{value:.6}"));
            }
        }
    }
    csv.push('\n');
    csv
}

fn append(csv: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = csv.write_fmt(text);
}

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        print!("{}", table());
        return ExitCode::SUCCESS;
    };
    match std::fs::write(&path, table()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
