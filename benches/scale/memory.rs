//! Releases of curves in memory.

use std::hint::black_box;
use std::num::NonZeroUsize;

use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda::release::{BallShares, MomentsChoice};
use ndarray::Array2;

use crate::measure::{Ratio, Times, Worker, forget_peak, peak_of, spent};
use crate::{Fault, Line, POINTS, RUNS, value};

/// Clips and sums a thousand rows at a time, into the same small array: the least that NumPy can do.
const BLOCKED: &str = "x = np.random.default_rng(1).random((int(sys.argv[1]), 93)); out = np.empty((1000, 93))\n\
     def work():\n s = np.zeros(93)\n for i in range(0, len(x), 1000):\n  part = x[i:i + 1000]; np.clip(part, 0, 1, out=out[:len(part)]); s += out[:len(part)].sum(0)\n return s / len(x)";

/// What is released: the default, or the mean alone in a stated ball.
#[derive(Clone, Copy)]
enum Asked {
    Default,
    Mean,
}

/// A release, the sum of the memory, and a blocked clipped mean of NumPy, in turns.
pub fn in_memory(rows: usize) -> Result<Vec<Line>, Fault> {
    let values = Array2::from_shape_fn((rows, POINTS), |(row, point)| value(row, point));
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS)?, values)?;
    let mut numpy = Worker::new(BLOCKED, &[&rows.to_string()])?;
    let cases = [
        ("default, one thread, CPU", Asked::Default, 1, 5.0),
        ("default, two threads, on the clock", Asked::Default, 2, 3.0),
        ("the mean alone, one thread, CPU", Asked::Mean, 1, 2.0),
    ];
    let settings: Vec<PrivateMean> = cases.iter().map(|case| settings(case.1)).collect::<Result<_, _>>()?;
    let (mut times, mut clipped, mut sum) =
        (vec![Times::default(); cases.len()], [(); 2].map(|()| Times::default()), Times::default());
    for _ in 0..RUNS {
        for ((times, settings), case) in times.iter_mut().zip(&settings).zip(&cases) {
            let spent = spent(|| release(settings, &curves, case.2))?;
            times.push(if case.2 == 1 { spent.cpu } else { spent.clock });
        }
        let numpy = numpy.spent()?;
        clipped[0].push(numpy.cpu);
        clipped[1].push(numpy.clock);
        let spent = spent(|| {
            black_box(curves.values().iter().sum::<f64>());
            Ok(())
        })?;
        sum.push(spent.cpu);
    }
    let speed = (rows * POINTS * size_of::<f64>()) as f64 / sum.least() / 1e9;
    let line = |(case, time): (&(&str, Asked, usize, f64), &Times)| {
        let clipped = &clipped[case.2 - 1];
        Line {
            work: format!("{rows} x {POINTS} in memory, {}; of a blocked clipped mean of NumPy", case.0),
            measured: time.over(clipped),
            most: case.3,
            detail: format!("{time}; NumPy {clipped}; sum of the memory {sum}, {speed:.1} GB/s"),
        }
    };
    let mut lines: Vec<Line> = cases.iter().zip(&times).map(line).collect();
    lines.push(extra_memory(&settings[0], &curves)?);
    Ok(lines)
}

fn extra_memory(settings: &PrivateMean, curves: &CurveSet) -> Result<Line, Fault> {
    forget_peak();
    let before = peak_of("self").unwrap_or(f64::NAN);
    release(settings, curves, 2)?;
    let extra = peak_of("self").unwrap_or(f64::NAN) - before;
    let work = "its memory beside the array, two threads, MB".to_owned();
    Ok(Line { work, measured: Ratio::exactly(extra / 1e6), most: 16.0, detail: String::new() })
}

fn settings(asked: Asked) -> Result<PrivateMean, Fault> {
    let mean = PrivateMean::isonormal(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?);
    Ok(match asked {
        Asked::Default => mean.wanting(Wanted::default()),
        Asked::Mean => mean.buying(BallShares::NONE).moments(MomentsChoice::None),
    })
}

fn release(settings: &PrivateMean, curves: &CurveSet, threads: usize) -> Result<(), Fault> {
    let prepared = settings.prepare_on(curves, curves.grid(), NonZeroUsize::new(threads))?;
    black_box(prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1)));
    Ok(())
}
