//! How much a chart varies: amplitudes by their evidence, on the normal chart first.

use ndarray::{Array1, Array2};

use super::laplace::Fitted;
use super::noisy::NoisyDistribution;
use super::prior::{Amplitudes, Basis, Design, LOCATION, SCALE};

/// Scales to start from, in parts of the range.
const STARTS: [f64; 3] = [0.04, 0.1, 0.25];

/// Amplitudes of the location and of the scale, largest first, and those that a search begins with.
const OF_LOCATION: [f64; 6] = [1.0, 0.4, 0.15, 0.06, 0.025, 0.01];
const OF_SCALE: [f64; 6] = [2.4, 1.2, 0.6, 0.3, 0.1, 0.05];
const FIRST: Amplitudes = Amplitudes { location: 0.15, scale: 0.3, shape: None };

/// Amplitudes of the shapes.
const OF_SHAPE: [f64; 3] = [0.03, 0.1, 0.3];

/// A chart with shapes, and its weight by evidence.
#[derive(Debug, Clone)]
pub(super) struct Weighted {
    pub(super) weight: f64,
    /// The parameters at each point.
    pub(super) locals: Array2<f64>,
    /// Their covariance at each point.
    pub(super) covariances: Array2<f64>,
}

/// The normal chart and the charts with shapes.
#[derive(Debug, Clone)]
pub(super) struct Charts {
    /// The parameters of the normal chart at each point.
    pub(super) normal: Array2<f64>,
    pub(super) shapes: Vec<Weighted>,
    /// `B`.
    pub(super) log_evidence: f64,
}

/// What all fits have in common.
struct Fits<'a> {
    observed: &'a NoisyDistribution,
    basis: Basis,
    functions: [usize; 3],
}

/// A fit under its prior.
#[derive(Debug, Clone)]
struct Candidate {
    amplitudes: Amplitudes,
    design: Design,
    fitted: Fitted,
}

impl Charts {
    pub(super) fn fit(observed: &NoisyDistribution) -> Self {
        let functions = Design::functions(observed.points.len(), observed.is_periodic);
        let basis = Basis::at(observed.points.view(), observed.is_periodic, functions[0]);
        let fits = Fits { observed, basis, functions };
        let normal = fits.normal();
        let null = fits.under(Amplitudes { shape: Some(0.0), ..normal.amplitudes }, &normal);
        let mut bent: Vec<Candidate> = Vec::with_capacity(OF_SHAPE.len());
        for amplitude in OF_SHAPE {
            let amplitudes = Amplitudes { shape: Some(amplitude), ..normal.amplitudes };
            let next = fits.under(amplitudes, bent.last().unwrap_or(&null));
            bent.push(next);
        }
        let evidence: Vec<f64> = bent.iter().map(|one| one.fitted.log_evidence).collect();
        let most = evidence.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = evidence.iter().map(|one| libm::exp(one - most)).sum();
        let log_evidence = most + libm::log(total / bent.len() as f64) - null.fitted.log_evidence;
        let shapes = bent.into_iter().zip(evidence).map(|(one, evidence)| Weighted {
            weight: libm::exp(evidence - most) / total,
            covariances: one.fitted.local_covariances(&one.design),
            locals: one.fitted.locals,
        });
        Self { shapes: shapes.collect(), log_evidence, normal: normal.fitted.locals }
    }
}

impl Fits<'_> {
    /// The normal chart: the best of three starts, then the location's amplitude of most evidence, then the scale's.
    fn normal(&self) -> Candidate {
        let design = self.design(FIRST);
        let best = STARTS
            .map(|scale| Fitted::from(self.observed, &design, self.start(&design, scale)))
            .into_iter()
            .reduce(|best, next| if next.log_evidence > best.log_evidence { next } else { best });
        let fitted = best.unwrap_or_else(|| Fitted::from(self.observed, &design, Array1::zeros(design.len())));
        let first = Candidate { amplitudes: FIRST, design, fitted };
        let first = self.of_most_evidence(first, OF_LOCATION.map(|location| Amplitudes { location, ..FIRST }));
        let location = first.amplitudes.location;
        self.of_most_evidence(first, OF_SCALE.map(|scale| Amplitudes { location, scale, shape: None }))
    }

    /// The candidate of most evidence, each fitted from the one before.
    fn of_most_evidence(&self, first: Candidate, all: [Amplitudes; 6]) -> Candidate {
        let (mut best, mut last) = (first.clone(), first);
        for amplitudes in all {
            last = self.under(amplitudes, &last);
            if last.fitted.log_evidence > best.fitted.log_evidence {
                best = last.clone();
            }
        }
        best
    }

    fn design(&self, amplitudes: Amplitudes) -> Design {
        Design::new(&self.basis, self.functions, amplitudes, self.observed.mean_records())
    }

    /// The fit under other amplitudes, from where a fit was.
    fn under(&self, amplitudes: Amplitudes, from: &Candidate) -> Candidate {
        let design = self.design(amplitudes);
        let start = design.translated(&from.fitted.x, &from.design);
        let fitted = Fitted::from(self.observed, &design, start);
        Candidate { amplitudes, design, fitted }
    }

    /// One scale everywhere, and the mean of the noisy distribution functions.
    fn start(&self, design: &Design, scale: f64) -> Array1<f64> {
        let levels = &self.observed.levels;
        let mut widths = Array1::zeros(levels.len());
        let mut below = 0.0;
        for (j, width) in widths.iter_mut().enumerate() {
            let middle = if j + 1 < levels.len() { 0.5 * (levels[j] + levels[j + 1]) } else { 1.0 };
            *width = middle - below;
            below = middle;
        }
        let area = self.observed.values.dot(&widths).sum() / self.observed.points.len() as f64;
        let mut start = Array1::zeros(design.len());
        start[0] = ((1.0 - area).clamp(0.0, 1.0) - LOCATION.0) / LOCATION.1;
        start[self.functions[0]] = libm::log(scale / SCALE.0) / SCALE.1;
        start
    }
}
