//! The core is light: without the optional features the facade compiles no C and no fonts, and still releases a mean.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::process::Command;

use dpfda::prelude::*;
use ndarray::Array2;

/// Names of all crates that building a package takes, on this machine.
fn crates_of(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Whatever compiles C or brings a font.
fn heavy(crates: &BTreeSet<String>) -> Vec<&String> {
    let is_heavy = |name: &&String| {
        ["cc", "cmake", "bindgen", "ab_glyph", "plotters"].contains(&name.as_str()) || name.ends_with("-sys")
    };
    crates.iter().filter(is_heavy).collect()
}

#[test]
fn the_core_compiles_no_c_and_no_fonts_and_far_fewer_crates_than_the_whole() {
    let core = crates_of(&["--package", "dpfda", "--no-default-features"]);
    assert!(heavy(&core).is_empty(), "{:?}", heavy(&core));
    let command = crates_of(&["--package", "dpfda-cli"]);
    assert!(!heavy(&command).is_empty(), "the check itself");
    println!("{} crates in the core, {} in the command", core.len(), command.len());
    // of these, three decompress gzip and zstd, and five are the Fourier transform of paths
    assert!(core.len() <= 93, "{} crates: {core:?}", core.len());
}

#[test]
fn privacy_and_mechanism_compile_no_c() {
    for package in ["dpfda-privacy", "dpfda-mechanism"] {
        let crates = crates_of(&["--package", package]);
        assert!(heavy(&crates).is_empty(), "{package}: {:?}", heavy(&crates));
    }
}

#[test]
fn the_core_releases_a_mean_and_reads_it_back() {
    let values = Array2::from_shape_fn((200, 20), |(i, j)| ((i * 7 + j * 3) % 11) as f64 / 11.0);
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 20).unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.5).unwrap();
    let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
    let release = mean.release(&curves, &mut SystemRandomness::new().unwrap()).unwrap();
    let read = dpfda::AnyRelease::from_json(&release.to_json().unwrap()).unwrap();
    assert!(read.is_private());
    assert_eq!(read.guarantee().budget(), release.budget());
}
