//! Coordinates of records along a public basis, many records at a time: exact, so that no record depends on its neighbours.

use std::sync::Arc;

use super::basis::PublicBasis;
use super::kernel::{ROWS, multiply, stride};
use super::quantise::rounded;
use super::radius::Bucket;
use crate::body::lattice::RADIUS;

/// `w = round(B'k / 2^24)` for rows `k` of norm at most `2^22`.
///
/// Every partial sum of `B'k` is at most `2^24 2^22` in size, by Cauchy and Schwarz on the coordinates in it: exact in doubles, in any
/// order and division.
#[derive(Clone)]
pub(super) struct Projector {
    basis: Arc<PublicBasis>,
    waiting: Vec<f64>,
    buckets: Vec<Bucket>,
    products: Vec<i64>,
    room: Vec<f64>,
}

impl Projector {
    pub(super) fn new(basis: Arc<PublicBasis>) -> Self {
        Self {
            waiting: vec![0.0; ROWS * basis.length()],
            buckets: Vec::with_capacity(ROWS),
            products: vec![0; ROWS * stride(basis.order())],
            room: vec![0.0; basis.order()],
            basis,
        }
    }

    /// Takes a row; whether there is room for no more.
    pub(super) fn add(&mut self, bucket: Bucket, k: &[f64]) -> bool {
        self.waiting[self.buckets.len() * k.len()..][..k.len()].copy_from_slice(k);
        self.buckets.push(bucket);
        self.buckets.len() == ROWS
    }

    /// Gives the coordinates of all rows that wait, each with its bucket.
    pub(super) fn empty(&mut self, mut give: impl FnMut(Bucket, &[f64])) {
        let Self { basis, waiting, buckets, products, room } = self;
        if buckets.is_empty() {
            return;
        }
        let width = stride(basis.order());
        multiply(waiting, basis.length(), basis.matrix(), width, products);
        for (bucket, products) in buckets.drain(..).zip(products.chunks(width)) {
            for (w, product) in room.iter_mut().zip(products) {
                *w = rounded(*product as f64 * PublicBasis::unit(), RADIUS as f64);
            }
            give(bucket, room);
        }
    }
}
