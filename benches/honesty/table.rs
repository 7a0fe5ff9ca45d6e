//! The table of a file of results.

use super::cell::BUDGETS;
use super::line::{Found, Line, Measure};
use super::number::Number;

/// What stands beside a coverage that is too low.
pub const BELOW: &str = " (below)";

const COLUMNS: &str = "| kind | pool | N | budget | quantity | releases | coverage | width | error |\n\
                       |---|---|---|---|---|---|---|---|---|\n";

/// One row for each quantity of each cell, and below them how many bands hold.
pub fn table(lines: &[Line]) -> String {
    let mut lines: Vec<&Line> = lines.iter().collect();
    lines.sort_by(|a, b| a.cell.cmp(&b.cell));
    let mut page = heading();
    for line in &lines {
        for found in &line.found {
            page += &row(line, found);
        }
    }
    page + "\n" + &counts(&lines)
}

fn heading() -> String {
    let budgets = BUDGETS.map(|budget| format!("{budget} = ({}, {:?})", budget.numbers().0, budget.numbers().1));
    format!("Budgets (epsilon, delta): {}.\n\n{COLUMNS}", budgets.join(", "))
}

fn row(line: &Line, found: &Found) -> String {
    let cell = &line.cell;
    let variant = if cell.variant.is_empty() { String::new() } else { format!(" {}", cell.variant) };
    let known = if found.known == line.releases { String::new() } else { format!(", {} known", found.known) };
    let number = |number: Option<Number>, digits| number.map_or_else(|| "-".to_owned(), |number| number.text(digits));
    let word = match found.measure {
        Measure::Coverage | Measure::Forecast | Measure::Floor => "",
        Measure::Size => "size ",
        Measure::Power => "power ",
    };
    let mark = if found.is_below() { BELOW } else { "" };
    format!(
        "| {}{variant} | {} | {} | {} | {} | {}{known} | {word}{}{mark} | {} | {} |\n",
        cell.kind,
        cell.pool,
        cell.records,
        cell.budget,
        found.quantity,
        line.releases,
        number(found.share, 3),
        number(found.width, 2),
        number(found.error, 2),
    )
}

/// How many bands hold less often than .93 and .90, without the hard pools.
fn counts(lines: &[&Line]) -> String {
    let ordinary = lines.iter().filter(|line| !line.cell.is_hard()).flat_map(|line| &line.found);
    let bands = ordinary.filter(|found| found.measure == Measure::Coverage);
    let shares: Vec<f64> = bands.filter_map(|found| Some(found.share?.mean)).collect();
    let below = |least: f64| shares.iter().filter(|share| **share < least).count();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let least = if shares.is_empty() { "-".to_owned() } else { format!("{least:.3}") };
    let certain: usize = lines.iter().map(|line| line.below().count()).sum();
    format!(
        "Without the hard pools: {} bands, {} below .93, {} below .90, {certain} of these by more than two standard errors; the least \
         coverage is {least}.\n",
        shares.len(),
        below(0.93),
        below(0.90),
    )
}
