//! The sums of all buckets of records: what one pass finds, before a radius is known.

use super::basis::ProductsOf;
use super::half::Half;
use super::radius::{Bucket, Radii};
use super::record::NestedRecord;
use super::side::Side;
use crate::body::lattice::{LatticeError, MAX_RECORDS};

/// Exact sums of records, from which the sum of the records clipped at any of the radii follows.
///
/// They do not depend on the order of records, nor on how they are divided among sums that are merged. They are private data, without
/// any noise.
#[derive(Clone)]
pub struct NestedSums {
    dimension: usize,
    radii: Radii,
    products: Option<ProductsOf>,
    pub(super) records: u64,
    pub(super) own: Half,
    pub(super) directions: Half,
}

impl NestedSums {
    /// The sums of no records, with products of coordinates or without.
    ///
    /// The caller says what is public: [`ClippedBall`](super::ClippedBall) checks dimension and products.
    pub(super) fn new(dimension: usize, radii: Radii, products: Option<ProductsOf>) -> Self {
        let half = || Half::new(dimension, products.clone());
        Self { dimension, radii, records: 0, own: half(), directions: half(), products }
    }

    /// Adds a record. Of a record of another dimension, or for other radii, nothing but its presence is added.
    pub fn add(&mut self, record: &NestedRecord) -> Result<(), LatticeError> {
        if self.records >= MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        self.records += 1;
        if record.dimension() != self.dimension || record.radii() != self.radii {
            self.own.add(Bucket::INNERMOST, &vec![0.0; self.dimension], 0);
            return Ok(());
        }
        if let Some((k, energy)) = record.own() {
            self.own.add(record.bucket(), k, energy);
        }
        if let Some((u, energy)) = record.direction() {
            self.directions.add(record.bucket(), u, energy);
        }
        Ok(())
    }

    /// Adds the sums of other records of the same kind.
    ///
    /// # Errors
    /// [`LatticeError::Bodies`] for sums of another kind, [`LatticeError::TooManyRecords`] beyond [`MAX_RECORDS`]; nothing has been
    /// added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        let of = |sums: &Self| (sums.dimension, sums.radii, sums.products.clone());
        if of(self) != of(other) {
            return Err(LatticeError::Bodies);
        }
        let records = self.records + other.records;
        if records > MAX_RECORDS {
            return Err(LatticeError::TooManyRecords);
        }
        // a thread that no curve of a small table came to
        if other.records == 0 {
            return Ok(());
        }
        if self.records == 0 {
            self.clone_from(other);
            return Ok(());
        }
        self.settle();
        let other = other.settled();
        self.records = records;
        self.own.merge(&other.own);
        self.directions.merge(&other.directions);
        Ok(())
    }

    /// Adds the directions of records that are in these sums without.
    pub(super) fn add_directions(&mut self, of: &Self) {
        self.settle();
        self.directions.merge(&of.settled().directions);
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        self.own.settle();
        self.directions.settle();
    }

    /// The same with everything in the largest integers.
    pub(super) fn settled(&self) -> Self {
        let mut settled = self.clone();
        settled.settle();
        settled
    }

    /// The number of records: private under add/remove-one.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The numbers of records in the buckets, from the outside to the centre: private.
    pub fn occupied(&self) -> [u64; Bucket::COUNT] {
        let mut numbers = [0; Bucket::COUNT];
        numbers[Bucket::OUTSIDE.place()] = self.directions.side(Bucket::OUTSIDE).map_or(0, Side::records);
        for (bucket, side) in self.own.sides() {
            numbers[bucket.place()] = side.records();
        }
        numbers
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Which radii sums are kept for.
    pub fn radii(&self) -> Radii {
        self.radii
    }

    pub(super) fn products(&self) -> Option<&ProductsOf> {
        self.products.as_ref()
    }
}

crate::opaque!(NestedSums);
