//! Attacks every mechanism and writes `docs/results/audit.md`: what an audit shows, and how surely it sees a false claim.
//!
//! ```sh
//! cargo run --release -p dpfda-benches --bin audit            # 10^7 draws a side, and the page
//! cargo run --release -p dpfda-benches --bin audit 1000000    # fewer
//! cargo run --release -p dpfda-benches --bin audit 1000000 -  # fewer, printed only
//! ```
//!
//! Fails if a claim does not stand, or if ten million draws would not show a twentieth less noise with probability 0.99. That power is
//! computed, and not drawn: it is the same for any number of draws of this run.

use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;

use dpfda::audit::{AuditPlan, FAMILY_LEVEL, Setting, suite};

/// Draws from each side, if nothing else is said.
const DRAWS: u64 = 10_000_000;

/// The part of the noise that a false claim is tried with.
const PART: f64 = 0.95;

/// The power that so many draws must have.
const POWER: f64 = 0.99;

/// One line of the table.
struct Line {
    text: String,
    stands: bool,
    power: f64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let draws = std::env::args().nth(1).map_or(Ok(DRAWS), |draws| draws.parse())?;
    let settings = suite()?;
    let plan = AuditPlan { draws, seed: 2024, mechanisms: u32::try_from(settings.len())? };
    let mut lines = Vec::new();
    for setting in &settings {
        let line = line(setting, &plan)?;
        print!("{}", line.text);
        lines.push(line);
    }
    if std::env::args().nth(2).is_none() {
        std::fs::write("docs/results/audit.md", page(&lines, &plan))?;
    }
    let is_good = |line: &Line| line.stands && line.power >= POWER;
    Ok(if lines.iter().all(is_good) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn line(setting: &Setting, plan: &AuditPlan) -> Result<Line, Box<dyn Error>> {
    let attack = setting.attack()?;
    let report = attack.run(plan)?;
    let weaker = setting.with_less_noise(PART)?;
    let caught = attack.run_on(&weaker, plan)?;
    let power = attack.power(&weaker, &AuditPlan { draws: DRAWS, ..*plan })?;
    let most = report.pairs.iter().filter_map(|pair| pair.exact_part).reduce(f64::max);
    let sums = most.map_or_else(|| "-".to_owned(), |most| format!("{most:.5}"));
    let seen = if caught.pairs.iter().any(|pair| pair.refuted_by_draws) { "yes" } else { "no" };
    let verdict = if report.refuted { "**refuted**" } else { "stands" };
    let text = format!(
        "| {} | {} | ({}, {:e}) | {} | {} | {:.4} | {sums} | {verdict} | {seen} | {power:.4} |\n",
        setting.mechanism,
        setting.neighbours,
        setting.budget.epsilon(),
        setting.budget.delta(),
        attack.pairs(),
        report.events,
        report.epsilon_shown,
    );
    Ok(Line { text, stands: !report.refuted, power })
}

/// The command that made this run.
fn command(draws: u64) -> String {
    let profile = if cfg!(debug_assertions) { "" } else { " --release" };
    let argument = if draws == DRAWS { String::new() } else { format!(" {draws}") };
    format!("cargo run{profile} -p dpfda-benches --bin audit{argument}")
}

fn page(lines: &[Line], plan: &AuditPlan) -> String {
    let mut page = String::from("# What an audit of every mechanism shows\n\n");
    // writing to a string cannot fail
    let _ = write!(
        page,
        "Written by `{command}`; not edited by hand.\n\n\
         {draws} draws from each side of every pair of neighbouring synthetic data sets, seed {seed}. All true claims together\n\
         are refuted by chance with probability at most {FAMILY_LEVEL:e}: each Clopper-Pearson bound has the share\n\
         `{FAMILY_LEVEL:e} / ({mechanisms} mechanisms * events * 2)` of the error (Bonferroni).\n\n\
         - *epsilon shown*: the largest epsilon, at the claim's delta, that these draws refute for the honest mechanism; how\n\
         near it comes to the claim is how sharp the audit is.\n\
         - *sums*: how much of the claimed loss the exact sums of the worst pair use; above 1 the claim is false. Mechanisms\n\
         that draw cells have no sums.\n\
         - *{PART} noise seen*: whether this run refuted the same claim by draws when the noise had {PART} of its scale (mechanisms\n\
         without noise: epsilon over {PART}).\n\
         - *power*: a lower bound on the probability of that with {DRAWS:e} draws from each side, from exact binomial probabilities for the most telling event of\n\
         the worst pair, cut at 0.9999. The probability of the event is known: from the table of all outcomes where cells are\n\
         drawn, in closed form for normal noise, as an integral over the scale or the radius for elliptical noise, as sums for\n\
         Laplace noise. No draws are spent on it. Where there are sums, they refute such a claim without any draw.\n\n\
         The claims are those at which so many draws show a fault. At epsilon 1 a loss near epsilon is too rare for that with\n\
         K-norm noise in three dimensions, t noise, a random scale and the exponential mechanisms. t noise\n\
         under add-remove is seen through one functional and the number of records; the exponential mechanism under add-remove\n\
         through 64 draws of the cells, since with `k` draws it never loses more than `(1 - 1 / (2 k)) epsilon`.\n\n\
         | mechanism | neighbours | claim | pairs | events | epsilon shown | sums | verdict | {PART} noise seen | power |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        command = command(plan.draws),
        draws = plan.draws,
        seed = plan.seed,
        mechanisms = plan.mechanisms,
    );
    for line in lines {
        page.push_str(&line.text);
    }
    page
}
