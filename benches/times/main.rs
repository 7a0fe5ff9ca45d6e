//! What running times say: of what costs how much, and of people.
//!
//! ```text
//! cargo run --release -p dpfda-benches --bin times -- posterior      what a posterior costs, and what averaging a large grid changes
//! cargo run --release -p dpfda-benches --bin times -- calibration    what it costs to verify a calibrated scale
//! cargo run --release -p dpfda-benches --bin times -- grids          long grids and paths beside NumPy: writes docs/results/grids.md
//! cargo run --release -p dpfda-benches --bin times -- people         what times tell about people: writes docs/results/timing.md
//! ```

mod calibration;
mod grids;
mod people;
mod posterior;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["posterior"] => posterior::print(),
        ["calibration"] => calibration::print(),
        ["grids", ref rest @ ..] => grids::measure(rest),
        ["people", ref rest @ ..] => people::measure(rest),
        _ => Err("say which: posterior, calibration, grids or people".into()),
    }
}

/// The seconds of so many runs, in increasing order.
fn seconds<T>(runs: usize, mut work: impl FnMut() -> T) -> Vec<f64> {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}
