//! Statistics whose records come row by row, and what they keep of one.

use dpfda_mechanism::Mechanism;

use crate::purchase::in_ball::InBall;

/// A statistic of long tables: a record is all rows of a subject.
pub trait OfRows: InBall {
    /// What is public before there are rows.
    type Plan: Clone;
    /// What is kept of the rows of a subject.
    type Kept: KeptRows;

    /// The mechanism of a plan.
    fn mechanism_of(plan: &Self::Plan) -> &Mechanism<Self>;

    /// The bin of a time, and how far a value is from the centre there, as a part of the largest distance from -1 to 1; `None` for what is no
    /// row.
    fn place(&self, time: f64, value: f64) -> Option<(usize, f64)>;

    /// How far a record is from the centre, in the norm of the ball and the units of the data; `None` for one without rows.
    fn distance(&self, kept: &Self::Kept) -> Option<f64>;

    /// Where rows count, in words.
    fn places(&self) -> String;
}

/// What is kept of a subject: the same whatever the order of its rows. It is private data.
pub trait KeptRows: Default {
    /// Adds a row: how far its value is from the centre, as a part of the largest distance.
    fn add(&mut self, bin: usize, part: f64);

    /// Takes no more memory than it needs: rows of another subject come.
    fn settle(&mut self);

    /// Adds the rows of the same subject in another part of a table.
    fn merge(&mut self, other: &Self);

    /// All of it as words.
    fn words(&self) -> Vec<u64>;

    /// The number of bins that have a row.
    fn occupied(&self) -> usize;
}
