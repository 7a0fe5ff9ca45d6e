//! The components of a release, for programs.

use dpfda::analysis::{Component, Components};
use ndarray::Array1;
use serde::Serialize;

use super::synthetic::Asked;
use crate::curve::Curve;
use crate::output::{TableError, text_of};
use crate::summary::exact;

/// The most smoothed eigenvalues that are listed.
const LISTED: usize = 10;

/// What a rank of 0 means.
pub const NO_COMPONENT: &str = "\
No component can be told from the privacy noise. This does not mean that the curves do not vary: a component whose eigenvalue is \
below the threshold cannot be seen in this release. More people, a smaller radius (--radius-share, --center-share), --moments \
covariance or a larger budget would help in a new release";

/// Everything that is written.
#[derive(Serialize)]
pub struct Answer<'a> {
    kind: &'static str,
    software: String,
    /// Whether the noise of the release was secret.
    private: bool,
    rank: usize,
    total_variance: f64,
    total_variance_sd: f64,
    total_variance_sampling_sd: f64,
    /// Of 95%, for the population.
    total_variance_interval: (f64, f64),
    /// What the largest smoothed eigenvalue of noise alone exceeds in one of 400 draws.
    threshold: f64,
    smoothed_eigenvalues: Vec<f64>,
    grid: Vec<f64>,
    mean: Vec<f64>,
    components: Vec<One>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// How synthetic.csv was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    synthetic: Option<&'a Asked>,
    /// Of a curve that the user gave: printed, and in no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<f64>>,
}

/// One component.
#[derive(Serialize)]
struct One {
    eigenvalue: f64,
    eigenvalue_sd: f64,
    eigenvalue_sampling_sd: f64,
    eigenvalue_interval: (f64, f64),
    explained: Option<f64>,
    explained_sd: Option<f64>,
    explained_sampling_sd: Option<f64>,
    explained_interval: Option<(f64, f64)>,
    separately_identified: bool,
    function: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl<'a> Answer<'a> {
    pub fn of(estimated: &Curve, components: &Components, synthetic: Option<&'a Asked>) -> Self {
        Self {
            kind: "components",
            software: estimated.software.clone(),
            private: estimated.private,
            rank: components.rank(),
            total_variance: components.total_variance(),
            total_variance_sd: components.total_variance_sd(),
            total_variance_sampling_sd: components.total_variance_sampling_sd(),
            total_variance_interval: components.total_variance_interval(),
            threshold: components.threshold(),
            smoothed_eigenvalues: components.smoothed_eigenvalues().iter().take(LISTED).copied().collect(),
            grid: components.grid().points().to_vec(),
            mean: components.mean().to_vec(),
            components: components.all().iter().map(One::of).collect(),
            note: (components.rank() == 0).then_some(NO_COMPONENT),
            synthetic,
            scores: None,
        }
    }

    /// The same with the scores of a curve, for the user alone.
    pub fn with_scores(mut self, scores: Option<Array1<f64>>) -> Self {
        self.scores = scores.map(|scores| scores.to_vec());
        self
    }

    /// The functions as CSV: `t,mean`, then function, lower and upper end of each component.
    pub fn table(&self) -> Result<String, TableError> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = (1..=self.rank).flat_map(|k| [format!("v{k}"), format!("v{k}_lower"), format!("v{k}_upper")]);
        let header: Vec<String> = ["t".to_owned(), "mean".to_owned()].into_iter().chain(names).collect();
        csv.write_record(header).map_err(|_| TableError)?;
        for (place, (t, mean)) in self.grid.iter().zip(&self.mean).enumerate() {
            let of = |one: &One| [one.function[place], one.lower[place], one.upper[place]];
            let row = [*t, *mean].into_iter().chain(self.components.iter().flat_map(of));
            csv.write_record(row.map(exact)).map_err(|_| TableError)?;
        }
        text_of(csv)
    }
}

impl One {
    fn of(component: &Component) -> Self {
        Self {
            eigenvalue: component.eigenvalue,
            eigenvalue_sd: component.eigenvalue_sd,
            eigenvalue_sampling_sd: component.eigenvalue_sampling_sd,
            eigenvalue_interval: component.eigenvalue_interval,
            explained: component.explained,
            explained_sd: component.explained_sd,
            explained_sampling_sd: component.explained_sampling_sd,
            explained_interval: component.explained_interval,
            separately_identified: component.is_separately_identified,
            function: component.function.to_vec(),
            lower: component.lower.to_vec(),
            upper: component.upper.to_vec(),
        }
    }
}
