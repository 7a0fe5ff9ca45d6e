//! Coordinates of curves that noise is white in, and how curves become integers in them.

pub(crate) mod curve_room;
pub(crate) mod encode;
pub(crate) mod rotation;
pub(crate) mod sobolev;
pub(crate) mod sobolev_axes;
pub(crate) mod turn;
pub(crate) mod whitening;
