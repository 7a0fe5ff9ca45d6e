//! Curves of people, public bounds on them, and penalised means.
//!
//! This crate holds everything between a file of curves and the privacy boundary: a [`CurveSet`] is private data, a
//! [`Ball`] is the public bound every curve is projected on, [`BoundedCurves`] hands out whitened coordinates of norm at
//! most one, and a [`PenalizedMean`] smooths with a known [`Sensitivity`]. No noise is drawn here: whatever shows the
//! data itself comes out as a [`NonPrivate`](dpfda_privacy::NonPrivate).
//!
//! Centres and radii are in the units of the data. Integrals are taken over the grid mapped to the unit interval, so the
//! distance of a curve from the centre is a root-mean-square distance.

mod ball;
mod bounded;
mod curves;
mod gap_process;
mod gaussian_fill;
mod missing;
mod penalized_mean;
mod projection;
mod public_curve;
mod reader;
mod wide;

pub use dpfda_tables::{
    AnyCurves, Bytes, CsvCurves, CurveBatch, CurveLayout, CurveSource, Decimal, GridChoice, Ids, Missing, MissingCells,
    NoId, RecordError, Said, Separator, SeparatorError, Spool, TableError, TableFiles, TextColumn, Unfit, columns_of,
    id_of, id_said, refuse_same, similar_ids, stated_name,
};

pub use ball::{Ball, BallError, Center};
pub use bounded::BoundedCurves;
pub use curves::{CurveSet, CurveSetError, RecordRows};
pub use gap_process::GapProcess;
pub use gaussian_fill::{FillError, GaussianFill};
pub use penalized_mean::{PenalizedMean, PenaltyError, Sensitivity};
pub use projection::Projection;
pub use public_curve::{PublicCurve, PublicCurveError};
pub use wide::has_infinite;
