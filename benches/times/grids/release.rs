//! A release, its posterior and its figure on a hundred thousand points, in a process of its own.

use std::error::Error;
use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::plotting::Figure;
use dpfda::prelude::*;
use dpfda::release::Mean;
use ndarray::Array2;

/// The word by which this program asks itself for one release in a process of its own.
pub const ALONE: &str = "release-alone";
const POINTS: usize = 100_000;
const CURVES: usize = 200;
const PROCESSES: usize = 7;

pub fn report() -> Result<String, Box<dyn Error>> {
    let mut runs = Vec::new();
    for _ in 0..PROCESSES {
        let output = Command::new(std::env::current_exe()?).args(["grids", ALONE, &POINTS.to_string()]).output()?;
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        runs.push(<[f64; 7]>::try_from(numbers).map_err(|_| "seven numbers were expected")?);
    }
    let column = |place: usize| {
        let mut values: Vec<f64> = runs.iter().map(|run| run[place]).collect();
        values.sort_by(f64::total_cmp);
        (values[0], values[PROCESSES / 2])
    };
    let mut part = format!(
        "Release, estimate and figure of {CURVES} curves on {POINTS} points with the default settings, in memory, best and median of {PROCESSES} \
         processes; at most 2 s and 300 MB. The curves themselves take {} MB of the memory.\n\n| work | best | median |\n|---|---|---|\n",
        CURVES * POINTS * 8 / 1_000_000
    );
    let names = [
        "release with its smoother",
        "posterior and band",
        "figure (SVG and PNG)",
        "document written",
        "document read back",
    ];
    for (place, name) in names.into_iter().enumerate() {
        let (best, median) = column(place);
        writeln!(part, "| {name} | {best:.2} s | {median:.2} s |")?;
    }
    let (best, median) = column(5);
    writeln!(part, "| **release, posterior and figure** | **{best:.2} s** | **{median:.2} s** |")?;
    let (least, median) = column(6);
    writeln!(part, "| largest memory | {least:.0} MB | {median:.0} MB |\n")?;
    Ok(part)
}

/// Prints the seconds of each part, of the first three together, and the largest memory of the process in MB.
pub fn alone(points: usize) -> Result<(), Box<dyn Error>> {
    let wave = |(i, k): (usize, usize)| {
        let t = k as f64 / points as f64;
        0.5 + 0.08 * (9.0 * t + 0.1 * (i % 17) as f64).sin()
    };
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, points)?, Array2::from_shape_fn((CURVES, points), wave))?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
    let mut laps = Vec::new();
    let mut start = Instant::now();
    let mut lap = || {
        laps.push(start.elapsed().as_secs_f64());
        start = Instant::now();
    };
    let release = settings.release(&curves, &mut SystemRandomness::new()?)?;
    lap();
    let estimated = Estimated::<Mean>::new(release, &Band::Population, DEFAULT_LEVEL)?;
    lap();
    let figure = Figure::estimate(&estimated);
    std::hint::black_box((figure.to_svg()?, figure.to_png()?));
    lap();
    let megabytes = memory()?;
    let json = estimated.to_json()?;
    lap();
    std::hint::black_box(Estimated::<Mean>::from_json(&json)?);
    lap();
    let whole: f64 = laps.iter().take(3).sum();
    let words: Vec<String> = laps.iter().chain(&[whole, megabytes]).map(f64::to_string).collect();
    println!("{}", words.join(" "));
    Ok(())
}

fn memory() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    Ok(kilobytes.ok_or("no VmHWM")?.trim().parse::<f64>()? / 1000.0)
}
