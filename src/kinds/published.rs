//! What every release says of itself, whatever its kind.

use dpfda_analysis::{Estimated, View};
use dpfda_mechanism::{
    Digest, Drawn, Fact, Guarantee, Head, Labels, LedgerReference, Papers, RawValue, ReadError, Release, Source,
    Statistic, Stored, exact,
};
use dpfda_privacy::Spend;
use dpfda_release::{
    Bought, Centiles, Change, CurveNumbers, Functionals, Groups, InBall, LinearFunctional, Mean, MeanRelease, Number,
    PathRelease, Regression, Rows, Surface,
};
use dpfda_smoothing::Ball;

#[cfg(feature = "audit")]
use dpfda_audit::{AuditError, ReleaseAttack};
#[cfg(feature = "density")]
use dpfda_density::{CellDraws, HistogramRelease, PiecewiseDensity, SeriesRelease};

use super::kind::Kind;
use super::picture::Picture;
use super::shown::Shown;
use super::{AnyRelease, Row, UNKNOWN};

/// A release of any kind: where it comes from, what it says, and what people must vouch for.
pub trait Published {
    /// Reads a document of its kind, and the estimate in it.
    ///
    /// # Errors
    /// [`ReadError`] with the reason.
    fn read(json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError>
    where
        Self: Sized;

    /// What documents call it.
    fn kind(&self) -> &'static str;

    /// Where it comes from, and what it cost.
    fn provenance(&self) -> Provenance<'_>;

    /// What it is, in words.
    fn facts(&self) -> Vec<Fact>;

    /// The release alone as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    fn to_json(&self) -> Result<String, serde_json::Error>;

    /// What it says, with the estimate that its document states, or the default one.
    ///
    /// # Errors
    /// [`ReadError`] for an estimate that is not of this release.
    fn shown(&self, stated: Option<&RawValue>) -> Result<Shown, ReadError>;

    /// What is wrong with the estimate in a document of this release, with its place.
    fn fault(&self, _json: &str) -> Option<ReadError> {
        None
    }

    /// What somebody must vouch for, beside what all kinds ask for.
    fn statements(&self) -> Vec<String> {
        Vec::new()
    }

    /// What neighbouring data sets have in common beside all other records: what is public of a record.
    fn alike(&self) -> Option<&'static str> {
        None
    }

    /// What was chosen without looking at the data.
    fn chosen(&self) -> &'static str {
        "The columns and their order, the grid and every option were chosen without looking at these data."
    }

    /// The ball that was stated, where a part of it was bought.
    fn stated_ball(&self) -> Option<&Ball> {
        None
    }

    /// The radius that was stated, where another was found and it can be told.
    fn stated_radius(&self) -> Option<f64> {
        None
    }

    /// The attack on its guarantee.
    ///
    /// # Errors
    /// [`AuditError`] for a release of which no attack can be made.
    #[cfg(feature = "audit")]
    fn attack(&self) -> Result<ReleaseAttack, AuditError>;
}

/// Where a release comes from, and what it cost.
#[derive(Debug)]
pub struct Provenance<'a> {
    /// Name and version of the software that made it.
    pub software: &'a str,
    /// What it promises, and to whom.
    pub guarantee: &'a Guarantee,
    /// The number of records where it is public.
    pub records: Option<u64>,
    /// Whether the noise was secret.
    pub private: bool,
    /// The public names of its axes, where it has axes.
    pub labels: Option<&'a Labels>,
    /// Where it stands in a ledger, if one paid for it.
    pub ledger: Option<&'a LedgerReference>,
    /// What a row of its own is called, such as a curve or a point.
    pub record: &'static str,
    /// What the papers about it say.
    pub papers: Papers,
    /// Whether a radius can be bought for such a release.
    pub buys_radius: bool,
    /// Whether a centre can.
    pub buys_center: bool,
    /// What a ledger knows of it as well, where it holds all of its draw.
    pub drawn: Option<Recorded>,
}

fn papers(source: Option<&Source>) -> Papers {
    source.map_or_else(Papers::default, |source| source.papers().clone())
}

/// What a ledger recorded of a release.
#[derive(Debug)]
pub struct Recorded {
    /// What was spent, on all answers together.
    pub spend: Spend,
    /// What the ledger calls it.
    pub kind: &'static str,
    /// The digest of the plan that was asked for.
    pub plan: Digest,
    /// What the ledger holds of the draw.
    pub stored: Stored,
}

impl<'a> Provenance<'a> {
    /// That of a release of a statistic.
    pub fn of<S: Statistic>(release: &'a Release<S>) -> Self {
        Self {
            software: release.software(),
            guarantee: release.guarantee(),
            records: release.public_records(),
            private: release.is_private(),
            labels: Some(release.labels()),
            ledger: release.ledger(),
            record: S::RECORD,
            papers: papers(release.source()),
            buys_radius: release.mechanism().statistic().radius_body().is_some(),
            buys_center: release.mechanism().statistic().center_body().is_some(),
            drawn: Some(Recorded {
                kind: S::KIND,
                plan: release.plan(),
                spend: release.spend(),
                stored: release.stored(),
            }),
        }
    }
}

/// What is done with a release and its estimate, whatever its kind: [`AnyRelease::estimated`] finds the kind.
pub trait WithEstimate {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<S: Kind>(self, estimated: Estimated<S>) -> Self::Output;
}

/// Kinds with estimates.
macro_rules! estimated {
    ($($view:ty => $statistic:ty,)*) => {
        $(impl Published for $view {
            fn read(json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError> {
                View::read(json)
            }

            fn kind(&self) -> &'static str {
                <$statistic>::KIND
            }

            fn provenance(&self) -> Provenance<'_> {
                Provenance::of(View::drawn(self))
            }

            fn facts(&self) -> Vec<Fact> {
                View::facts(self)
            }

            fn to_json(&self) -> Result<String, serde_json::Error> {
                View::write(self, None::<&()>)
            }

            fn shown(&self, stated: Option<&RawValue>) -> Result<Shown, ReadError> {
                Estimated::<$statistic>::of_document(self.clone(), stated).map(Shown::of)
            }

            fn fault(&self, json: &str) -> Option<ReadError> {
                Estimated::<$statistic>::from_json(json).err()
            }

            fn statements(&self) -> Vec<String> {
                <$statistic as Kind>::statements(self)
            }

            fn alike(&self) -> Option<&'static str> {
                <$statistic as Kind>::alike(self)
            }

            fn stated_ball(&self) -> Option<&Ball> {
                InBall::bought(View::drawn(self).statistic()).map(Bought::stated_ball)
            }

            fn stated_radius(&self) -> Option<f64> {
                InBall::stated_radius(View::drawn(self).statistic())
            }

            #[cfg(feature = "audit")]
            fn attack(&self) -> Result<ReleaseAttack, AuditError> {
                <$statistic as Kind>::attack(self)
            }
        })*

        impl AnyRelease {
            /// Reads a document with its estimate, or with the default one, and does this with it; `None` for a kind without estimates.
            ///
            /// # Errors
            /// As [`AnyRelease::read_shown`].
            pub fn estimated<V: WithEstimate>(json: &str, what: V) -> Result<Option<V::Output>, ReadError> {
                let kind = Head::read(json)?.kind;
                $(if kind == <$statistic>::KIND {
                    return Ok(Some(what.with(Estimated::<$statistic>::from_json(json)?)));
                })*
                if Row::of(&kind).is_some() { Ok(None) } else { Err(UNKNOWN) }
            }
        }
    };
}

estimated! {
    MeanRelease => Mean,
    Release<Groups> => Groups,
    Release<Change> => Change,
    Release<Rows> => Rows,
    Release<Surface> => Surface,
    Release<Regression> => Regression,
    Release<Centiles> => Centiles,
}

/// Kinds whose release is the answer: what each of them has of its own.
macro_rules! answers {
    ($($release:ty { $kind:expr; $provenance:expr; $picture:expr; $($rest:item)* })*) => {
        $(impl Published for $release {
            fn read(json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError> {
                Ok((Self::from_json(json)?, None))
            }

            fn kind(&self) -> &'static str {
                $kind(self)
            }

            fn provenance(&self) -> Provenance<'_> {
                $provenance(self)
            }

            fn facts(&self) -> Vec<Fact> {
                self.facts()
            }

            fn to_json(&self) -> Result<String, serde_json::Error> {
                self.to_json()
            }

            fn shown(&self, _: Option<&RawValue>) -> Result<Shown, ReadError> {
                Ok(Shown::of_answer(self, $picture(self)))
            }

            $($rest)*
        })*
    };
}

answers! {
    Release<Functionals> {
        |_: &Self| Functionals::KIND;
        Provenance::of;
        |release: &Self| numbers(
            release.statistic().functionals(),
            &Functionals::values(release).to_vec(),
            &Functionals::noise_sd(release).to_vec(),
        );
        #[cfg(feature = "audit")]
        fn attack(&self) -> Result<ReleaseAttack, AuditError> { ReleaseAttack::of_functionals(self) }
    }
    PathRelease {
        |_: &Self| Self::KIND;
        of_path;
        |release: &Self| numbers(release.functionals(), &release.values().to_vec(), &release.noise_sd().to_vec());
        #[cfg(feature = "audit")]
        fn attack(&self) -> Result<ReleaseAttack, AuditError> { ReleaseAttack::of_path(self) }
    }
}

/// A kind of numbers of curves: its row says so.
pub trait OfCurves: CurveNumbers {}

impl<S: OfCurves> Published for Release<S> {
    fn read(json: &str) -> Result<(Self, Option<Box<RawValue>>), ReadError> {
        Ok((Self::from_json(json)?, None))
    }

    fn kind(&self) -> &'static str {
        S::KIND
    }

    fn provenance(&self) -> Provenance<'_> {
        Provenance::of(self)
    }

    fn facts(&self) -> Vec<Fact> {
        self.facts()
    }

    fn to_json(&self) -> Result<String, serde_json::Error> {
        self.to_json()
    }

    fn shown(&self, _: Option<&RawValue>) -> Result<Shown, ReadError> {
        Ok(Shown::of_answer(self, Picture::Numbers(S::numbers(self))))
    }

    #[cfg(feature = "audit")]
    fn attack(&self) -> Result<ReleaseAttack, AuditError> {
        ReleaseAttack::of_numbers(self)
    }
}

#[cfg(feature = "density")]
answers! {
    HistogramRelease {
        |_: &Self| dpfda_density::Histogram::KIND;
        Provenance::of::<dpfda_density::Histogram>;
        |release: &Self| density(release.density().clone(), Some(release.probability_sd()));
        fn chosen(&self) -> &'static str { CHOSEN }
        #[cfg(feature = "audit")]
        fn attack(&self) -> Result<ReleaseAttack, AuditError> { ReleaseAttack::of_histogram(self) }
    }
    SeriesRelease {
        |_: &Self| dpfda_density::Series::KIND;
        Provenance::of::<dpfda_density::Series>;
        |release: &Self| {
            // a resolution that was chosen for the bounds
            let shown = release.density().piecewise(resolution(release.bounds().dimension()));
            shown.map_or(Picture::Nothing, |shown| density(shown, None))
        };
        fn chosen(&self) -> &'static str { CHOSEN }
        #[cfg(feature = "audit")]
        fn attack(&self) -> Result<ReleaseAttack, AuditError> { ReleaseAttack::of_series(self) }
    }
    CellDraws {
        |release: &Self| release.mechanism().kind();
        of_draws;
        |release: &Self| density(release.empirical(), None);
        fn chosen(&self) -> &'static str { CHOSEN }
        #[cfg(feature = "audit")]
        fn attack(&self) -> Result<ReleaseAttack, AuditError> { ReleaseAttack::of_draws(self) }
    }
}

/// What was chosen of a density without looking.
#[cfg(feature = "density")]
const CHOSEN: &str = "The columns, the number of cells or terms if it was given, and every option were chosen without looking at these data.";

/// The number of cells along each axis in which a series on so many axes is shown by default.
#[cfg(feature = "density")]
pub fn resolution(axes: usize) -> usize {
    [200, 60, 24][axes.clamp(1, 3) - 1]
}

#[cfg(feature = "density")]
fn density(density: PiecewiseDensity, noise_sd: Option<f64>) -> Picture {
    Picture::Density { density: Box::new(density), noise_sd }
}

#[cfg(feature = "density")]
fn of_draws(release: &CellDraws) -> Provenance<'_> {
    Provenance {
        software: release.software(),
        guarantee: release.guarantee(),
        records: release.public_records(),
        private: release.is_private(),
        labels: Some(release.labels()),
        ledger: release.ledger(),
        record: "point",
        papers: papers(release.source()),
        buys_radius: false,
        buys_center: false,
        drawn: Some(Recorded {
            kind: release.mechanism().kind(),
            plan: release.plan(),
            spend: release.spend(),
            stored: release.stored(),
        }),
    }
}

/// The public document of a path holds its guarantee alone, and not the whole draw.
fn of_path(release: &PathRelease) -> Provenance<'_> {
    Provenance {
        software: release.software(),
        guarantee: release.guarantee(),
        records: release.public_records(),
        private: release.is_private(),
        labels: None,
        ledger: release.ledger(),
        record: "curve",
        papers: Papers::default(),
        buys_radius: false,
        buys_center: false,
        drawn: None,
    }
}

fn numbers(asked: &[LinearFunctional], values: &[f64], noise_sd: &[f64]) -> Picture {
    let name = |functional: &LinearFunctional| match functional {
        LinearFunctional::Evaluation { t } => format!("value at {}", exact(*t)),
        LinearFunctional::Derivative { t } => format!("slope at {}", exact(*t)),
        LinearFunctional::Integral { .. } => "weighted integral".to_owned(),
        LinearFunctional::Coefficient { index } => format!("coefficient {index}"),
    };
    let each = asked.iter().zip(values).zip(noise_sd);
    Picture::Numbers(
        each.map(|((asked, value), sd)| Number { name: name(asked), value: *value, noise_sd: *sd }).collect(),
    )
}
