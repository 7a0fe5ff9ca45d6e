//! The experiments of the papers, run again.
//!
//! **Nothing here protects anybody.** [`PaperConvention`] estimates and perturbs as the R package of Mirshani, Reimherr and
//! Slavkovic (PFDA, 2016) does, faults included: the radius is read off the curves, the sensitivity is a sum where a maximum
//! belongs, and the noise is too small by `sqrt(n)`. It is kept in this one crate, to show what was published and what that
//! was worth; its results are [`NonPrivate`](dpfda::privacy::NonPrivate). The arguments are in `docs/papers/errata.md`.
//!
//! [`HistogramSimulation`] is the simulation of Wasserman and Zhou. The command `dpfda-reproduce` runs all of it.

mod convention;
mod error;
mod figures;
mod histograms;
mod independent_components;
mod published;
mod published_privacy;
mod scenarios;
mod simulation;
mod tables;

pub use convention::{PaperConvention, PaperRelease};
pub use error::ReproductionError;
pub use figures::{DATA_FIGURES, FigurePanel, PaperFigure, SIMULATED_FIGURES, data_figure, simulated_figure};
pub use histograms::{HistogramSimulation, SimulatedRisk, SimulatedRisks, SymmetricBeta};
pub use independent_components::IndependentComponents;
pub use published::{TABLE_1, TABLE_2, TableEntry};
pub use published_privacy::PublishedPrivacy;
pub use simulation::{MeanFunction, RandomCurve};
pub use tables::{best_pairs, best_ranges, table_1, table_2, table_2_with_correct_noise, ten_folds, ten_random_folds};
