//! A release of any kind, as it is read from a file: where generics stop for commands, figures and other languages.

use dpfda_mechanism::{
    Digest, Drawn, Fact, Guarantee, Head, Labels, LedgerReference, RawValue, ReadError, Release, Statistic, Stored,
};
use dpfda_privacy::Spend;
use dpfda_release::{Functionals, Groups, Mean, MeanRelease, Occupancy, PathRelease, Regression, Surface};

#[cfg(feature = "density")]
use dpfda_density::{CellDraws, DrawsMechanism, HistogramRelease, SeriesRelease};

/// A release of one of the kinds that there are; a new kind is one line here.
///
/// ```
/// use dpfda::AnyRelease;
/// # use dpfda::prelude::*;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 5)?, ndarray::Array2::zeros((9, 5)))?;
/// # let ball = Ball::new(Center::Constant(0.0), 1.0)?;
/// # let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).buying(dpfda::release::BallShares::NONE);
/// # let json = mean.release(&curves, &mut SeededRandomness::from_seed(1))?.to_json()?;
/// let release = AnyRelease::from_json(&json)?;
/// for fact in release.facts() {
///     println!("{}: {}", fact.name, fact.text);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub enum AnyRelease {
    /// A mean function.
    Mean(Box<MeanRelease>),
    /// The means of groups.
    Groups(Box<Release<Groups>>),
    /// Sums of irregular curves over bins.
    Occupancy(Box<Release<Occupancy>>),
    /// A mean surface.
    Surface(Box<Release<Surface>>),
    /// The products of covariates and curves.
    Regression(Box<Release<Regression>>),
    /// Some numbers of a mean function.
    Functionals(Box<Release<Functionals>>),
    /// Some numbers of one noise path.
    Path(Box<PathRelease>),
    /// Noisy counts of cells.
    #[cfg(feature = "density")]
    Histogram(Box<HistogramRelease>),
    /// Noisy coefficients of a series.
    #[cfg(feature = "density")]
    Series(Box<SeriesRelease>),
    /// Cells that were drawn.
    #[cfg(feature = "density")]
    Draws(Box<CellDraws>),
}

/// What every release knows of itself.
struct Common<'a> {
    software: &'a str,
    guarantee: &'a Guarantee,
    records: Option<u64>,
    is_private: bool,
    labels: Option<&'a Labels>,
    ledger: Option<&'a LedgerReference>,
    facts: Vec<Fact>,
    /// What a ledger knows of it as well, where it holds all of its draw.
    drawn: Option<Recorded>,
}

/// What a ledger recorded of a release.
struct Recorded {
    spend: Spend,
    #[cfg_attr(not(feature = "ledger"), allow(dead_code, reason = "compared by ledgers"))]
    kind: &'static str,
    #[cfg_attr(not(feature = "ledger"), allow(dead_code, reason = "compared by ledgers"))]
    plan: Digest,
    #[cfg_attr(not(feature = "ledger"), allow(dead_code, reason = "compared by ledgers"))]
    stored: Stored,
}

fn common<S: Statistic>(release: &Release<S>, facts: Vec<Fact>) -> Common<'_> {
    Common {
        software: release.software(),
        guarantee: release.guarantee(),
        records: release.public_records(),
        is_private: release.is_private(),
        labels: Some(release.labels()),
        ledger: release.ledger(),
        facts,
        drawn: Some(Recorded { kind: S::KIND, plan: release.plan(), spend: release.spend(), stored: release.stored() }),
    }
}

fn with_estimate<T>(
    of: impl FnOnce(Box<T>) -> AnyRelease,
    (release, estimate): (T, Option<Box<RawValue>>),
) -> (AnyRelease, Option<Box<RawValue>>) {
    (of(Box::new(release)), estimate)
}

impl AnyRelease {
    /// Reads a document by its kind, through the checks of that kind.
    ///
    /// # Errors
    /// [`ReadError`]: another schema, a kind that is not known here, and whatever the kind refuses.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate(json)?.0)
    }

    /// The same with the estimate in the document, where there is one, for a reader that knows how estimates are made.
    ///
    /// # Errors
    /// As [`AnyRelease::from_json`].
    pub fn from_json_with_estimate(json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError> {
        Ok(match Head::read(json)?.kind.as_str() {
            Mean::KIND => with_estimate(Self::Mean, MeanRelease::from_json_with_estimate(json)?),
            Groups::KIND => with_estimate(Self::Groups, Release::from_json_with_estimate(json)?),
            Occupancy::KIND => with_estimate(Self::Occupancy, Release::from_json_with_estimate(json)?),
            Surface::KIND => with_estimate(Self::Surface, Release::from_json_with_estimate(json)?),
            Regression::KIND => with_estimate(Self::Regression, Release::from_json_with_estimate(json)?),
            Functionals::KIND => (Self::Functionals(Box::new(Release::from_json(json)?)), None),
            PathRelease::KIND => (Self::Path(Box::new(PathRelease::from_json(json)?)), None),
            #[cfg(feature = "density")]
            dpfda_density::Histogram::KIND => (Self::Histogram(Box::new(HistogramRelease::from_json(json)?)), None),
            #[cfg(feature = "density")]
            dpfda_density::Series::KIND => (Self::Series(Box::new(SeriesRelease::from_json(json)?)), None),
            #[cfg(feature = "density")]
            kind if DrawsMechanism::KINDS.contains(&kind) => (Self::Draws(Box::new(CellDraws::from_json(json)?)), None),
            _ => return Err(ReadError::Kind { expected: "of a release that this build knows" }),
        })
    }

    fn common(&self) -> Common<'_> {
        match self {
            Self::Mean(release) => common(release, release.facts()),
            Self::Groups(release) => common(release, release.facts()),
            Self::Occupancy(release) => common(release, release.facts()),
            Self::Surface(release) => common(release, release.facts()),
            Self::Regression(release) => common(release, release.facts()),
            Self::Functionals(release) => common(release, release.facts()),
            Self::Path(release) => Common {
                software: release.software(),
                guarantee: release.guarantee(),
                records: release.public_records(),
                is_private: release.is_private(),
                labels: None,
                ledger: release.ledger(),
                facts: release.facts(),
                drawn: None,
            },
            #[cfg(feature = "density")]
            Self::Histogram(release) => common(release, release.facts()),
            #[cfg(feature = "density")]
            Self::Series(release) => common(release, release.facts()),
            #[cfg(feature = "density")]
            Self::Draws(release) => Common {
                software: release.software(),
                guarantee: release.guarantee(),
                records: release.public_records(),
                is_private: release.is_private(),
                labels: Some(release.labels()),
                ledger: release.ledger(),
                facts: release.facts(),
                drawn: Some(Recorded {
                    kind: release.mechanism().kind(),
                    plan: release.plan(),
                    spend: release.spend(),
                    stored: release.stored(),
                }),
            },
        }
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        self.common().software
    }

    /// The number of records where it is public: under substitute-one.
    pub fn public_records(&self) -> Option<u64> {
        self.common().records
    }

    /// The public names of its axes, where it has axes.
    pub fn labels(&self) -> Option<&Labels> {
        self.common().labels
    }

    /// What the release promises, and to whom.
    pub fn guarantee(&self) -> &Guarantee {
        self.common().guarantee
    }

    /// Whether the noise was secret.
    pub fn is_private(&self) -> bool {
        self.common().is_private
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.common().ledger
    }

    /// What was spent. The public document of a path holds its guarantee alone, and costs what its guarantee says.
    pub fn spend(&self) -> Spend {
        let Common { guarantee, drawn, .. } = self.common();
        drawn.map_or_else(|| Spend::of_budget(&guarantee.budget()), |drawn| drawn.spend)
    }

    /// What the release is, in words.
    pub fn facts(&self) -> Vec<Fact> {
        self.common().facts
    }

    /// What the release claims of the ledger that paid for it, for [`LedgerHistory::verify`](dpfda_ledger::LedgerHistory::verify);
    /// `None` for a release without a ledger. The public document of a path does not hold the whole draw, so less of it can
    /// be compared.
    #[cfg(feature = "ledger")]
    pub fn claim(&self) -> Option<dpfda_ledger::Claim> {
        let Common { guarantee, is_private, ledger, drawn, .. } = self.common();
        Some(dpfda_ledger::Claim {
            reference: ledger?.clone(),
            kind: drawn.as_ref().map(|drawn| drawn.kind.to_owned()),
            budget: Some(guarantee.budget()),
            neighbours: Some(guarantee.neighbours()),
            unit: Some(guarantee.unit()),
            spend: drawn.as_ref().map(|drawn| drawn.spend.clone()),
            plan: drawn.as_ref().map(|drawn| drawn.plan),
            private: Some(is_private),
            integers: drawn.map(|drawn| Digest::of(&drawn.stored.bytes)),
        })
    }
}
