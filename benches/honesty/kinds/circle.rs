//! The mean of curves on a circle.

use super::{OneRelease, RECORDS, Setting, every, mean};
use crate::Fault;
use crate::cell::Cell;
use crate::pools::circle;

pub fn settings() -> Vec<Setting> {
    every(&[""], &circle::NAMES, &RECORDS)
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    mean::of_pool(cell, circle::pool(&cell.pool)?, circle::grid()?, None)
}
