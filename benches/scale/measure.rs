//! Times, memory and other programs, measured from outside.

use std::error::Error;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Best and median of several times, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    pub best: f64,
    pub median: f64,
}

impl Times {
    pub fn of(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        let at = |place: usize| seconds.get(place).copied().unwrap_or(f64::NAN);
        Self { best: at(0), median: at(seconds.len() / 2) }
    }
}

/// Runs a piece of work so many times.
pub fn times(runs: usize, mut work: impl FnMut()) -> Times {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    Times::of((0..runs).map(one).collect())
}

/// What a program took.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    pub seconds: f64,
    /// User and system time of all threads, to a hundredth of a second.
    pub cpu: f64,
    /// The most memory, in bytes.
    pub memory: f64,
}

/// Runs a program to its end and looks at it every few milliseconds.
pub fn watched(command: &mut Command) -> Result<Taken, Box<dyn Error>> {
    let start = Instant::now();
    let mut child: Child = command.stdout(Stdio::null()).spawn()?;
    let (mut cpu, mut memory) = (0.0_f64, 0.0_f64);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        memory = memory.max(peak_of(&child.id().to_string()).unwrap_or(0.0));
        cpu = cpu.max(cpu_of(child.id()).unwrap_or(0.0));
        sleep(Duration::from_millis(4));
    };
    if !status.success() {
        return Err(format!("{command:?} failed").into());
    }
    Ok(Taken { seconds: start.elapsed().as_secs_f64(), cpu, memory })
}

/// The peak memory of a process, in bytes.
pub fn peak_of(process: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? * 1024.0)
}

/// Forgets the peak of this process.
pub fn forget_peak() {
    // where it cannot be forgotten, the measured memory is too large and never too small
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn cpu_of(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// The numbers that a Python program prints, one on each line; one thread.
pub fn python(program: &str, arguments: &[&str]) -> Result<Vec<f64>, Box<dyn Error>> {
    let interpreter = std::env::var("DPFDA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(interpreter);
    for threads in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"] {
        command.env(threads, "1");
    }
    let output = command.args(["-c", program]).args(arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the Python program failed: NumPy, polars and pyarrow are needed".into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::parse).collect::<Result<_, _>>()?)
}
