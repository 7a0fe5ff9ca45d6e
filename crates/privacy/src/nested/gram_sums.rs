//! The sums of all buckets of records that are covariates and curves: what one pass finds, before a radius is known.

use super::clipped::{diagonal_and_above, nearest};
use super::cross::Cross;
use super::radius::{Bucket, NestedRadius};
use super::record::NestedRecord;
use super::sums::NestedSums;
use super::triangle::Triangle;
use crate::body::lattice::{RADIUS, SQUARED_RADIUS};

/// Exact sums of products of covariates and curves, from which those of curves clipped at any of the radii follow.
///
/// The products of covariates are one sum: no radius scales them. Those of a covariate and a curve are a sum for each bucket, of the
/// curves as they are and of their directions, as the products of curves are.
#[derive(Clone)]
pub(super) struct GramSums {
    covariates: usize,
    /// None where the covariates are public.
    design: Option<Triangle>,
    has_energy: bool,
    curves: NestedSums,
    own: Vec<Option<Box<Cross>>>,
    directions: Vec<Option<Box<Cross>>>,
}

impl GramSums {
    pub(super) fn new(covariates: usize, has_design: bool, has_energy: bool, curves: NestedSums) -> Self {
        let none = || vec![None; Bucket::COUNT];
        let design = has_design.then(|| Triangle::new(covariates));
        Self { covariates, design, has_energy, curves, own: none(), directions: none() }
    }

    fn length(&self) -> usize {
        self.covariates * self.curves.dimension()
    }

    /// Adds a record with covariates of norm at most `2^22`. Of a curve of another dimension, or for other radii, nothing but its
    /// presence is added.
    pub(super) fn add(&mut self, x: &[f64], curve: &NestedRecord) {
        // a sum that is full takes no more: `ExactSum` counts and refuses before
        if self.curves.add(curve).is_err() {
            return;
        }
        if let Some(design) = &mut self.design {
            design.add(x);
        }
        if curve.dimension() != self.curves.dimension() || curve.radii() != self.curves.radii() {
            return;
        }
        let (place, length) = (curve.bucket().place(), self.length());
        let add = |sums: &mut [Option<Box<Cross>>], k: &[f64]| {
            sums[place].get_or_insert_with(|| Box::new(Cross::new(length))).add(x, k);
        };
        if let Some((k, _)) = curve.own() {
            add(&mut self.own, k);
        }
        if let Some((u, _)) = curve.direction() {
            add(&mut self.directions, u);
        }
    }

    /// The same with everything in the largest integers.
    fn settled(&self) -> Self {
        let mut settled = self.clone();
        settled.settle();
        settled
    }

    fn settle(&mut self) {
        self.design.iter_mut().for_each(Triangle::settle);
        self.curves.settle();
        self.own.iter_mut().chain(&mut self.directions).flatten().for_each(|cross| cross.settle());
    }

    /// Adds the sums of other records of the same kind.
    pub(super) fn merge(&mut self, other: &Self) {
        if self.curves.merge(&other.curves).is_err() {
            return;
        }
        self.settle();
        let other = other.settled();
        if let (Some(mine), Some(theirs)) = (&mut self.design, &other.design) {
            mine.merge(theirs);
        }
        let length = self.length();
        let mine = self.own.iter_mut().chain(&mut self.directions);
        for (mine, theirs) in mine.zip(other.own.iter().chain(&other.directions)) {
            if let Some(theirs) = theirs {
                mine.get_or_insert_with(|| Box::new(Cross::new(length))).merge(theirs);
            }
        }
    }

    /// The numbers of records in the buckets: private.
    pub(super) fn occupied(&self) -> [u64; Bucket::COUNT] {
        self.curves.occupied()
    }

    /// The totals of all records with curves clipped at a radius, in units of this radius: squares and products of covariates, products
    /// with curves, squares and products of curves, where it is told their missing energy, each rounded to the nearest integer.
    ///
    /// ```text
    /// sum x x',    X_j / d_j,    SS_j / d_j^2,    (N R_j^2 - sum |enc_j|^2) / d_j^2
    /// X_j = sum_{b >= j} 2^(12 - o_b) sum x k'  +  d_j sum_{b < j} sum x u'
    /// ```
    ///
    /// With `2^40` records `|X_j| <= 2^96` before the division.
    pub(super) fn clipped(&self, radius: NestedRadius) -> Vec<i128> {
        let settled = self.settled();
        let design = settled.design.iter().flat_map(|design| {
            let (squares, above) = diagonal_and_above(self.covariates, design.settled().iter().copied());
            squares.into_iter().chain(above)
        });
        let cross = settled.cross(radius).into_iter().map(|total| nearest(total, radius.fine_steps().into()));
        let (squares, above) = settled.curves.products_at(radius);
        let energy = self.has_energy.then(|| settled.curves.missing_energy_at(radius));
        design.chain(cross).chain(squares).chain(above).chain(energy).collect()
    }

    /// `X_j`.
    fn cross(&self, radius: NestedRadius) -> Vec<i128> {
        let mut totals = vec![0_i128; self.length()];
        let mut add = |factor: i128, cross: &Option<Box<Cross>>| {
            let sums = cross.iter().flat_map(|cross| cross.settled());
            totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += factor * sum);
        };
        for bucket in Bucket::all() {
            if bucket.is_within(radius) {
                add(1 << bucket.fine_bits(), &self.own[bucket.place()]);
            } else {
                add(radius.fine_steps().into(), &self.directions[bucket.place()]);
            }
        }
        totals
    }

    /// All sums as integers, their number a function of what is public: the products of covariates, the words of the curves, and for each
    /// bucket of those the products of covariates and curves.
    pub(super) fn words(&self) -> Vec<i128> {
        let settled = self.settled();
        let none = Cross::new(self.length());
        let design = settled.design.iter().flat_map(|design| design.settled().iter().copied());
        let mut words: Vec<i128> = design.chain(settled.curves.words()).collect();
        let radii = self.curves.radii();
        let own = radii.own().map(|bucket| &settled.own[bucket.place()]);
        for cross in own.chain(radii.directed().map(|bucket| &settled.directions[bucket.place()])) {
            words.extend(cross.as_deref().unwrap_or(&none).settled());
        }
        words
    }

    /// The sums of this kind from words; `None` for words that no sums of so many records have.
    pub(super) fn restored(self, words: &[i128], records: u64) -> Option<Self> {
        let mut sums = self;
        let most = i128::from(records) * i128::from(SQUARED_RADIUS);
        let of_design = sums.design.as_ref().map_or(0, |design| design.settled().len());
        let (design, rest) = words.split_at_checked(of_design)?;
        let (curves, cross) = rest.split_at_checked(sums.curves.number_of_words())?;
        let (squares, _) = diagonal_and_above(sums.covariates, design.iter().copied());
        if design.iter().any(|total| total.unsigned_abs() > most.unsigned_abs())
            || squares.iter().any(|square| *square < 0)
        {
            return None;
        }
        sums.design = sums.design.map(|_| Triangle::restored(sums.covariates, design.to_vec()));
        sums.curves = sums.curves.restored(curves, records)?;
        let (length, radii) = (sums.length(), sums.curves.radii());
        let mut parts = cross.chunks(length.max(1));
        let occupied = sums.occupied();
        for (is_own, bucket) in radii.own().map(|own| (true, own)).chain(radii.directed().map(|other| (false, other))) {
            let part = parts.next().filter(|part| part.len() == length)?;
            // |x| |k| is at most 2^44
            let most = u128::from(occupied[bucket.place()]) * u128::from(RADIUS.unsigned_abs()).pow(2);
            if part.iter().any(|total| total.unsigned_abs() > most) {
                return None;
            }
            let into = if is_own { &mut sums.own } else { &mut sums.directions };
            into[bucket.place()] = Some(Box::new(Cross::restored(part.to_vec())));
        }
        parts.next().is_none().then_some(sums)
    }
}
