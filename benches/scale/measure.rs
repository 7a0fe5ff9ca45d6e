//! Times, memory and other programs, measured from outside.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Fault;

const NEEDED: &str = "the Python program failed: NumPy, polars and pyarrow are needed";

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

    /// The ratio of the medians: both were measured in turns.
    pub fn over(self, other: Self) -> f64 {
        self.median / other.median
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} ms (least {:.0})", self.median * 1e3, self.best * 1e3)
    }
}

/// How long a piece of work takes.
pub fn seconds(work: impl FnOnce() -> Result<(), Fault>) -> Result<f64, Fault> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// A Python program that does its work each time it is asked to: it defines `work()`.
pub struct Worker {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    pub fn new(program: &str, arguments: &[&str]) -> Result<Self, Fault> {
        let program = format!(
            "import sys, time, numpy as np\n{program}\nfor _ in sys.stdin:\n t = time.perf_counter(); work(); print(time.perf_counter() - t, flush=True)"
        );
        let mut command = interpreter();
        command.args(["-c", &program]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let questions = child.stdin.take().ok_or("no standard input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, questions, answers })
    }

    /// The time of one more piece of work.
    pub fn seconds(&mut self) -> Result<f64, Fault> {
        writeln!(self.questions, "go")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(answer.trim().parse().map_err(|_| NEEDED)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // a worker that does not end is of no consequence here
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
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
pub fn watched(command: &mut Command) -> Result<Taken, Fault> {
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

/// The numbers that a Python program prints, one on each line.
pub fn python(program: &str, arguments: &[&str]) -> Result<Vec<f64>, Fault> {
    let output = interpreter().args(["-c", program]).args(arguments).output()?;
    if !output.status.success() {
        return Err(NEEDED.into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::parse).collect::<Result<_, _>>()?)
}

/// Python with one thread for linear algebra.
fn interpreter() -> Command {
    let mut command = Command::new(std::env::var("DPFDA_PYTHON").unwrap_or_else(|_| "python3".to_owned()));
    for threads in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"] {
        command.env(threads, "1");
    }
    command.stderr(Stdio::inherit());
    command
}
