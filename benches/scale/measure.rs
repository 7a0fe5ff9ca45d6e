//! Times, memory and other programs, measured from outside.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Fault;

const NEEDED: &str = "the Python program failed: NumPy, polars and pyarrow are needed";

/// Several times of one piece of work, in seconds.
#[derive(Debug, Clone, Default)]
pub struct Times(Vec<f64>);

/// A ratio of times, and its standard error.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    pub value: f64,
    pub error: f64,
}

impl Ratio {
    /// A number that is measured once.
    pub fn exactly(value: f64) -> Self {
        Self { value, error: 0.0 }
    }
}

impl Times {
    pub fn push(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    /// The least: what other work on the machine disturbed least.
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The ratio of the least times, with the standard error of the ratios of the rounds.
    pub fn over(&self, other: &Self) -> Ratio {
        let ratios: Vec<f64> = self.0.iter().zip(&other.0).map(|(mine, theirs)| mine / theirs).collect();
        let rounds = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / rounds;
        let squares = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>();
        Ratio { value: self.least() / other.least(), error: (squares / (rounds - 1.0) / rounds).sqrt() }
    }
}

impl FromIterator<f64> for Times {
    fn from_iter<I: IntoIterator<Item = f64>>(seconds: I) -> Self {
        Self(seconds.into_iter().collect())
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} ms", self.least() * 1e3)
    }
}

/// Time on the clock, and CPU time of this thread, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    pub clock: f64,
    pub cpu: f64,
}

/// What a piece of work takes.
pub fn spent(work: impl FnOnce() -> Result<(), Fault>) -> Result<Spent, Fault> {
    let (start, before) = (Instant::now(), cpu_of_thread()?);
    work()?;
    Ok(Spent { clock: start.elapsed().as_secs_f64(), cpu: cpu_of_thread()? - before })
}

/// The CPU time of this thread, in seconds.
fn cpu_of_thread() -> Result<f64, Fault> {
    let nanoseconds = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(nanoseconds.split(' ').next().ok_or("no CPU time")?.parse::<f64>()? * 1e-9)
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
            "import sys, time, numpy as np\n{program}\nfor _ in sys.stdin:\n t, c = time.perf_counter(), time.process_time(); work(); print(time.perf_counter() - t, time.process_time() - c, flush=True)"
        );
        let mut command = interpreter();
        command.args(["-c", &program]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let questions = child.stdin.take().ok_or("no standard input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, questions, answers })
    }

    /// What one more piece of work takes.
    pub fn spent(&mut self) -> Result<Spent, Fault> {
        writeln!(self.questions, "go")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let (clock, cpu) = answer.trim().split_once(' ').ok_or(NEEDED)?;
        Ok(Spent { clock: clock.parse()?, cpu: cpu.parse()? })
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
