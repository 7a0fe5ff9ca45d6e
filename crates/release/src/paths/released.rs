//! What has been published of one noise path so far.

use dpfda_mechanism::{
    Envelope, Fact, Guarantee, LedgerReference, PrivacyDocument, ReadError, Release, Statistic, close, demand, exact,
    rounded,
};
use dpfda_privacy::{
    Arithmetic, Body, EuclideanBall, Law, NeighbouringRelation, Noise, PrivacyBudget, PrivacyUnit, with_rounding,
};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use crate::functionals::functional::LinearFunctional;
use crate::functionals::map::{Dispersion, FunctionalMap};
use crate::paths::kept::PathId;
use crate::paths::statistic::Path;

#[cfg(test)]
#[path = "released_tests.rs"]
mod tests;

/// Published functionals of one private path. Everything in it may be shown to anybody.
///
/// It is a view of the [`KeptPath`](crate::KeptPath): without the path's other coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct PathRelease {
    id: PathId,
    software: String,
    guarantee: Guarantee,
    records: Option<u64>,
    private: bool,
    statistic: Path,
    noise: PathNoise,
    units: f64,
    functionals: Vec<LinearFunctional>,
    values: Array1<f64>,
    noise_sd: Array1<f64>,
    ledger: Option<LedgerReference>,
}

/// The law of the noise, and the scale that it had for this path, in lattice steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathNoise {
    law: Law,
    scale: f64,
}

impl PathRelease {
    /// What documents call it.
    pub const KIND: &'static str = "path";

    pub(crate) fn new(
        id: &PathId,
        release: &Release<Path>,
        functionals: Vec<LinearFunctional>,
        map: &FunctionalMap,
        deviations: &Array1<f64>,
    ) -> Self {
        let mut path = Self {
            id: id.clone(),
            software: release.software().to_owned(),
            guarantee: *release.guarantee(),
            records: release.public_records(),
            private: release.is_private(),
            statistic: release.statistic().clone(),
            noise: PathNoise { law: release.mechanism().law().clone(), scale: release.noise().scale() },
            units: release.units(),
            functionals,
            values: &map.offsets + deviations,
            noise_sd: Array1::default(0),
            ledger: release.ledger().cloned(),
        };
        path.noise_sd = path.sds(map, deviations.view());
        path
    }

    /// ```text
    /// sd_i^2 = |b_i|^2 (h s / N)^2 + (b_i . z)^2 (sd(N) / N)^2,    h the lattice step, s the noise with what rounding adds
    /// ```
    ///
    /// of functionals that lie so far from those of the centre.
    fn sds(&self, map: &FunctionalMap, deviations: ArrayView1<'_, f64>) -> Array1<f64> {
        let (body, scale) = (self.statistic.body(self.law()), self.noise.scale);
        let step = self.statistic.lattice_step() / self.units;
        let sd = step * with_rounding(scale, self.units, body.dimension(), self.unit());
        let relative = self.relative_count_sd();
        let of_row = |(row, deviation): (ArrayView1<'_, f64>, &f64)| {
            (row.dot(&row) * sd.powi(2) + (deviation * relative).powi(2)).sqrt()
        };
        map.rows.rows().into_iter().zip(deviations).map(of_row).collect()
    }

    /// The standard deviation of the number of records, of which the noise has the same scale, as a part of it; 0 where it is public.
    fn relative_count_sd(&self) -> f64 {
        let weight = self.statistic.body(self.law()).count_weight().filter(|_| self.records.is_none());
        weight.map_or(0.0, |weight| self.noise.scale / weight as f64 / self.units)
    }

    /// Demands standard deviations that follow from the plan, the noise and the answers, up to another machine's rounding.
    fn check_sds(&self) -> Result<(), ReadError> {
        let map = self.statistic.basis().map(&self.functionals);
        let map = map.map_err(|_| ReadError::Contradiction { field: "derived.functionals" })?;
        let relative = self.relative_count_sd();
        let derived = self.sds(&map, (&self.values - &map.offsets).view());
        // the answer was rounded with the centre's part in it
        let sizes = derived.iter().zip(&map.offsets).map(|(sd, offset)| sd + offset.abs() * relative);
        let mut pairs = self.noise_sd.iter().zip(&derived).zip(sizes);
        let agree = |((stated, derived), size): ((&f64, &f64), f64)| size.is_finite() && close(*stated, *derived, size);
        demand("derived.noise_sd", pairs.all(agree))
    }

    /// The same release with the functionals of another of the same path behind its own.
    pub(crate) fn with(&self, more: &Self) -> Self {
        let mut extended = self.clone();
        extended.functionals.extend(more.functionals.iter().cloned());
        extended.values = self.values.iter().chain(&more.values).copied().collect();
        extended.noise_sd = self.noise_sd.iter().chain(&more.noise_sd).copied().collect();
        extended
    }

    /// Whether two releases are the same up to these errors of their numbers.
    pub(crate) fn agrees(&self, other: &Self, sizes: &[f64]) -> bool {
        let close = |mine: &Array1<f64>, theirs: &Array1<f64>| {
            let mut pairs = mine.iter().zip(theirs).zip(sizes);
            mine.len() == theirs.len() && pairs.all(|((a, b), size)| (a - b).abs() <= *size)
        };
        self.id == other.id
            && self.guarantee == other.guarantee
            && self.records == other.records
            && self.private == other.private
            && self.statistic == other.statistic
            && self.noise.law == other.noise.law
            && close_relative(self.noise.scale, other.noise.scale)
            && close_relative(self.units, other.units)
            && close(&self.values, &other.values)
            && close(&self.noise_sd, &other.noise_sd)
            && self.ledger == other.ledger
    }

    /// 128 random bits that this release and its kept path share, in hexadecimal digits.
    pub fn id(&self) -> String {
        self.id.to_string()
    }

    /// What was asked so far, in the order asked.
    pub fn functionals(&self) -> &[LinearFunctional] {
        &self.functionals
    }

    /// The public ball that every curve was projected on.
    pub fn ball(&self) -> &Ball {
        self.statistic.ball()
    }

    /// The smoother that the mean was seen through.
    pub fn smoother(&self) -> &PenalizedMean {
        self.statistic.smoother()
    }

    /// The covariance of the noise.
    pub fn dispersion(&self) -> Dispersion {
        self.statistic.dispersion()
    }

    /// The law of the noise.
    pub fn law(&self) -> &Law {
        &self.noise.law
    }

    /// The answers.
    pub fn values(&self) -> ArrayView1<'_, f64> {
        self.values.view()
    }

    /// The standard deviations of the privacy noise in the answers, given the `V` that was drawn.
    ///
    /// Under add/remove-one they include, to first order, the noise of the count.
    pub fn noise_sd(&self) -> ArrayView1<'_, f64> {
        self.noise_sd.view()
    }

    /// The guarantee, with its unit and neighbours.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.records
    }

    /// What the release is, in words.
    pub fn facts(&self) -> Vec<Fact> {
        let mut privacy = Fact::privacy(&self.guarantee, None, "curve");
        privacy.text += "; it holds for everything that is ever published of this path";
        let grid = self.statistic.grid();
        let place = if grid.is_periodic() {
            format!(" on one period [{},\u{a0}{}) that closes up", exact(grid.lower()), exact(grid.upper()))
        } else {
            String::new()
        };
        let number = format!("{} functionals of one noise path of a mean function{place}", self.functionals.len());
        let mut facts = vec![
            privacy,
            Fact::new("unit", format!("{}; N\u{a0}=\u{a0}{}", self.unit(), rounded(self.units))).briefly(format!(
                "{} {}s",
                rounded(self.units),
                self.unit()
            )),
            Fact::new("mechanism", number.clone()).briefly(number),
        ];
        facts.extend((!self.private).then(Fact::from_a_seed));
        facts
    }

    /// The guarantee for everything that is ever published of this path.
    pub fn budget(&self) -> PrivacyBudget {
        self.guarantee.budget()
    }

    /// Which data sets the path does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.guarantee.neighbours()
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.guarantee.unit()
    }

    /// The number of records: exact where it is public, a noisy estimate under add/remove-one.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Where the path stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.ledger.as_ref()
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Envelope {
            schema: dpfda_mechanism::SCHEMA,
            kind: Self::KIND.to_owned(),
            software: self.software.clone(),
            privacy: PrivacyDocument::new(&self.guarantee, self.records, Arithmetic::Exact, self.private),
            statistic: &self.statistic,
            noise: Some(&self.noise),
            lattice: PathLattice {},
            labels: dpfda_mechanism::Labels::default(),
            source: None,
            ledger: self.ledger.clone(),
            derived: Some(PathDerived {
                id: self.id.clone(),
                units: self.units,
                functionals: self.functionals.clone(),
                values: self.values.to_vec(),
                noise_sd: self.noise_sd.to_vec(),
            }),
            estimate: None::<()>,
        }
        .to_json()
    }

    /// Reads a release back. Its answers are taken at their word: only the kept path can tell whether they are its own.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let document: Envelope<Path, PathNoise, PathLattice, PathDerived> = Envelope::read(json, Self::KIND)?;
        let guarantee = document.privacy.guarantee()?;
        let derived = document.derived.ok_or(ReadError::Contradiction { field: "derived" })?;
        let noise = document.noise.ok_or(ReadError::Contradiction { field: "noise" })?;
        let PathDerived { id, units, functionals, values, noise_sd } = derived;
        let asked = functionals.len();
        let records = document.privacy.records();
        demand("privacy.arithmetic", document.privacy.arithmetic() == Arithmetic::Exact)?;
        demand("privacy.records", records.is_none_or(|records| records >= 2 && records as f64 == units))?;
        demand("noise.law", matches!(noise.law, Law::Gaussian { .. } | Law::RandomScale { .. }))?;
        demand("noise.scale", noise.scale.is_finite() && noise.scale >= 1.0)?;
        demand("privacy.epsilon", noise.is_of(&guarantee))?;
        demand("statistic.ball.bounds", document.statistic.ball().is_of_its_bounds())?;
        demand("derived.units", units.is_finite() && units >= 1.0)?;
        demand("derived.values", values.len() == asked && values.iter().all(|value| value.is_finite()))?;
        demand("derived.noise_sd", noise_sd.len() == asked)?;
        let path = Self {
            id,
            software: document.software,
            guarantee,
            records,
            private: document.privacy.is_private(),
            statistic: document.statistic,
            noise,
            units,
            functionals,
            values: values.into(),
            noise_sd: noise_sd.into(),
            ledger: document.ledger,
        };
        path.check_sds()?;
        Ok(path)
    }
}

impl PathNoise {
    /// Whether normal noise has the scale that its guarantee asks for, which no dimension changes. A random scale is one draw: the kept path
    /// alone knows whether it is this one.
    fn is_of(&self, guarantee: &Guarantee) -> bool {
        let Law::Gaussian { .. } = &self.law else { return true };
        let (budget, relation) = (guarantee.budget(), guarantee.neighbours());
        let noise =
            EuclideanBall::new(1).ok().and_then(|body| Noise::calibrated(&self.law, &budget, &body, relation).ok());
        noise.is_some_and(|noise| close_relative(noise.scale(), self.scale))
    }
}

fn close_relative(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs()
}

/// The public document holds none of the path's integers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathLattice {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathDerived {
    id: PathId,
    units: f64,
    functionals: Vec<LinearFunctional>,
    values: Vec<f64>,
    /// Given the `V` of this path.
    noise_sd: Vec<f64>,
}
