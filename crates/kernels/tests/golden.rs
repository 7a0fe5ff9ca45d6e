//! Eigenvalues against reference values: computed by another program on the same grids, and exact ones.
#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Grid, Kernel, KernelName, Quadrature, Spectrum};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(untagged)]
enum Points {
    Uniform(String),
    Listed(Vec<f64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    grid: Points,
    n: usize,
    weights: Quadrature,
    kernel: String,
    range: f64,
    leading_eigenvalues: Vec<f64>,
    trace: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    kernel: String,
    range: f64,
    domain: [f64; 2],
    #[serde(rename = "exact_eigenvalues")]
    eigenvalues: Vec<f64>,
}

fn kernel(name: &str, range: f64) -> Kernel {
    name.parse::<KernelName>().unwrap().with_range(range).unwrap()
}

/// Keeps all that double precision resolves, so that the eigenvalues sum to the trace.
fn spectrum(kernel: Kernel, grid: Grid) -> Spectrum<Kernel> {
    Spectrum::new(kernel, grid, 1e-14).unwrap()
}

#[test]
fn eigenvalues_and_traces_agree_with_the_reference_to_1e_9() {
    let references: Vec<Reference> = serde_json::from_str(include_str!("golden/spectra.json")).unwrap();
    assert!(references.len() >= 9);
    for name in KernelName::all().map(|name| name.to_string()) {
        assert!(references.iter().any(|reference| reference.kernel == name), "{name} has no reference");
    }
    let (mut worst_value, mut worst_trace) = (0.0_f64, 0.0_f64);
    for reference in references {
        let points = match reference.grid {
            Points::Uniform(word) => {
                assert_eq!(word, "uniform");
                Grid::uniform(0.0, 1.0, reference.n).unwrap().points().to_vec()
            }
            Points::Listed(points) => points,
        };
        let grid = Grid::with_quadrature(points, reference.weights).unwrap();
        assert_eq!(grid.len(), reference.n);
        let spectrum = spectrum(kernel(&reference.kernel, reference.range), grid);
        let name = format!("{} {} on {} points", reference.kernel, reference.range, reference.n);
        for (value, expected) in spectrum.eigenvalues().iter().zip(&reference.leading_eigenvalues) {
            let error = (value / expected - 1.0).abs();
            assert!(error <= 1e-9, "{name}: {value} for {expected}");
            worst_value = worst_value.max(error);
        }
        let error = (spectrum.eigenvalues().sum() / reference.trace - 1.0).abs();
        assert!(error <= 1e-9, "{name}: the trace differs by {error:e}");
        worst_trace = worst_trace.max(error);
    }
    println!("largest relative error: eigenvalues {worst_value:.1e}, traces {worst_trace:.1e}");
}

#[test]
fn eigenvalues_of_the_exponential_kernel_converge_to_the_exact_ones_with_order_two() {
    const SIZES: [usize; 4] = [101, 201, 401, 801];
    let references: Vec<Exact> = serde_json::from_str(include_str!("golden/spectra_exact_exponential.json")).unwrap();
    assert_eq!(references.len(), 3);
    for reference in references {
        let [lower, upper] = reference.domain;
        let errors = SIZES.map(|n| {
            let grid = Grid::uniform(lower, upper, n).unwrap();
            let spectrum = spectrum(kernel(&reference.kernel, reference.range), grid);
            let values = spectrum.eigenvalues();
            let pairs = reference.eigenvalues.iter().zip(values);
            pairs.map(|(exact, value)| (value - exact).abs()).collect::<Vec<_>>()
        });
        for step in 1..SIZES.len() {
            let orders = || errors[step - 1].iter().zip(&errors[step]).map(|(rough, fine)| (rough / fine).log2());
            let (lowest, highest) = (orders().fold(f64::MAX, f64::min), orders().fold(f64::MIN, f64::max));
            println!(
                "{} {}: order {lowest:.4} to {highest:.4} from n = {} to {}, largest error {:.1e}",
                reference.kernel,
                reference.range,
                SIZES[step - 1],
                SIZES[step],
                errors[step].iter().fold(0.0_f64, |m, &e| m.max(e)),
            );
            assert!(1.8 <= lowest && highest <= 2.2);
        }
    }
}
