//! The parameters of the figures.

use dpfda::kernels::KernelName;

use crate::published::{TABLE_1, TABLE_2, TableEntry};
use crate::simulation::MeanFunction;

#[cfg(test)]
#[path = "scenarios_tests.rs"]
mod tests;

/// The parameters of one panel with simulated curves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scenario {
    /// What is special about this panel.
    pub(crate) label: String,
    pub(crate) mean: MeanFunction,
    /// The decay `p` of the scores.
    pub(crate) decay: f64,
    /// The range `rho` of the kernel whose eigenfunctions the curves are made of. The scenarios do not vary it: that of the
    /// estimate and the noise is in `estimate`.
    pub(crate) model_range: f64,
    pub(crate) records: usize,
    /// Kernel, penalty and range of the estimate and of the noise.
    pub(crate) estimate: TableEntry,
    pub(crate) epsilon: f64,
    pub(crate) delta: f64,
}

impl Default for Scenario {
    /// The defaults of the paper's section 5.
    ///
    /// It does not state the penalty that holds where others vary; 0.01 is taken, which section 6 calls a good trade-off.
    fn default() -> Self {
        Self {
            label: String::new(),
            mean: MeanFunction::HalfWave,
            decay: 4.0,
            model_range: 0.001,
            records: 25,
            estimate: TableEntry { kernel: KernelName::Gaussian, penalty: 0.01, range: 0.001 },
            epsilon: 1.0,
            delta: 0.1,
        }
    }
}

/// Title and panels of a figure with simulated curves; `None` for any other number.
///
/// What the paper leaves open, and how it is filled here, is told at
/// [`simulated_figure`](crate::simulated_figure).
pub(crate) fn simulated_scenarios(number: u8) -> Option<(&'static str, Vec<Scenario>)> {
    let figure = match number {
        1 => ("Different penalties φ", varied([1e-6, 1e-4, 1e-3, 0.01, 0.1, 1.0], penalty)),
        4 => ("Different kernel ranges ρ", varied([0.002, 0.01, 0.05, 0.2, 0.6, 2.0], range)),
        5 => ("Different kernels", varied(KERNELS, kernel)),
        6 => ("Different smoothness p of the curves", varied([1.1, 1.5, 2.0, 2.5, 3.0, 4.0], decay)),
        7 => ("Different ε, with δ = 0.1", varied([5.0, 2.0, 1.0, 0.5, 0.2, 0.1], epsilon)),
        8 => ("Different δ, with ε = 1", varied([0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6], delta)),
        9 => ("Different numbers of curves N", varied([5, 10, 25, 50, 75, 100], records)),
        10 => ("Different mean functions μ", varied(MEANS, mean)),
        _ => return None,
    };
    Some(figure)
}

/// Title and parameters of a figure with the real curves; `None` for any other number.
///
/// Figures 2, 11 and 12 have the optima of Table 1 of one kernel each, Figure 3 those of Table 2; (epsilon, delta) is
/// (1, 0.1).
pub(crate) fn data_entries(number: u8) -> Option<(&'static str, Vec<TableEntry>)> {
    let of_table_1 = |kernel| TABLE_1.into_iter().filter(|entry| entry.kernel == kernel).collect();
    let figure = match number {
        2 => ("Gaussian kernel (C1), cross-validation", of_table_1(KernelName::Gaussian)),
        3 => ("Private cross-validation", TABLE_2.into_iter().rev().collect()),
        11 => ("Matérn 3/2 kernel (C3), cross-validation", of_table_1(KernelName::Matern(1.5))),
        12 => ("Exponential kernel (C4), cross-validation", of_table_1(KernelName::Exponential)),
        _ => return None,
    };
    Some(figure)
}

/// What a panel with the real curves is called.
pub(crate) fn entry_label(entry: &TableEntry) -> String {
    format!("{}, φ = {}, ρ = {}", kernel_label(entry.kernel), shown(entry.penalty), shown(entry.range))
}

/// `C1`, `C2`, `C3`, `C4` of eq. (6).
const KERNELS: [KernelName; 4] =
    [KernelName::Gaussian, KernelName::Matern(2.5), KernelName::Matern(1.5), KernelName::Exponential];

const MEANS: [MeanFunction; 3] = [MeanFunction::Rise, MeanFunction::Peak, MeanFunction::Waves];

/// One panel for each value: `set` changes the defaults and returns the label.
fn varied<T, const PANELS: usize>(values: [T; PANELS], set: fn(&mut Scenario, T) -> String) -> Vec<Scenario> {
    let panel = |value| {
        let mut scenario = Scenario::default();
        scenario.label = set(&mut scenario, value);
        scenario
    };
    values.into_iter().map(panel).collect()
}

fn penalty(scenario: &mut Scenario, value: f64) -> String {
    scenario.estimate.penalty = value;
    format!("φ = {}", shown(value))
}

fn range(scenario: &mut Scenario, value: f64) -> String {
    scenario.estimate.range = value;
    format!("ρ = {}", shown(value))
}

fn kernel(scenario: &mut Scenario, value: KernelName) -> String {
    scenario.estimate.kernel = value;
    kernel_label(value)
}

fn decay(scenario: &mut Scenario, value: f64) -> String {
    scenario.decay = value;
    format!("p = {value}")
}

fn epsilon(scenario: &mut Scenario, value: f64) -> String {
    scenario.epsilon = value;
    format!("ε = {value}")
}

fn delta(scenario: &mut Scenario, value: f64) -> String {
    scenario.delta = value;
    format!("δ = {}", shown(value))
}

fn records(scenario: &mut Scenario, value: usize) -> String {
    scenario.records = value;
    format!("N = {value}")
}

fn mean(scenario: &mut Scenario, value: MeanFunction) -> String {
    scenario.mean = value;
    let label = match value {
        MeanFunction::HalfWave => "half a wave",
        MeanFunction::Rise => "a rise",
        MeanFunction::Peak => "a peak",
        MeanFunction::Waves => "four waves",
    };
    label.into()
}

fn kernel_label(name: KernelName) -> String {
    match name {
        KernelName::Gaussian => "Gaussian (C1)".into(),
        KernelName::Matern(2.5) => "Matérn 5/2 (C2)".into(),
        KernelName::Matern(1.5) => "Matérn 3/2 (C3)".into(),
        KernelName::Exponential => "exponential (C4)".into(),
        other => other.to_string(),
    }
}

/// A number without a row of zeros.
fn shown(value: f64) -> String {
    if value < 1e-3 { format!("{value:e}") } else { value.to_string() }
}
