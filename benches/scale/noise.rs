//! Draws of exact noise, in nanoseconds of one thread.

use std::hint::black_box;
use std::time::Instant;

use dpfda::privacy::{RoundedNormal, SeededRandomness};
use rand::Rng;

use crate::measure::{Ratio, Times};
use crate::{Fault, Line, RUNS};

const DRAWS: usize = 1_000_000;

/// The scale of noise that a sum usually has, in steps.
const SCALE: u64 = 1 << 35;

/// An exactly rounded normal, beside what its generator takes for one word of random bits.
pub fn exact() -> Result<Vec<Line>, Fault> {
    let normal = RoundedNormal::new(SCALE)?;
    let mut randomness = SeededRandomness::from_seed(1);
    let drawn = nanoseconds(|| {
        black_box(normal.sample(&mut randomness));
    });
    let word = nanoseconds(|| {
        black_box(randomness.next_u64());
    });
    Ok(vec![Line {
        work: "an exactly rounded normal, one thread, ns".to_owned(),
        measured: Ratio::exactly(drawn),
        most: 125.0,
        detail: format!("{:.1} million a second; 64 random bits take {word:.1} ns", 1e3 / drawn),
    }])
}

/// The least time of one of many in a row.
fn nanoseconds(mut work: impl FnMut()) -> f64 {
    let times: Times = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            (0..DRAWS).for_each(|_| work());
            start.elapsed().as_secs_f64()
        })
        .collect();
    1e9 * times.least() / DRAWS as f64
}
