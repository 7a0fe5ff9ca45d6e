//! One record as integers: itself, its direction and its bucket.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]

use pulp::{Scalar, Simd, WithSimd};

use super::kernel::{arch, stride};
use super::quantise::{round_into, squared_norm_of, squared_norms};
use super::radius::{Bucket, MOST_OCTAVES, Radii};
use crate::body::lattice::{LatticeError, LatticeVector, steps_to_unit};

/// Records whose norms are found together, so that the sum of one need not wait for that of another.
const TOGETHER: usize = 16;

/// A record as integers, whatever it was made from.
///
/// ```text
/// o = min(6, floor(-log2 |z|^2 / 2))
/// k = round(2^o steps z),  shrunk until |k|^2 <= 2^44                if |z| <= 1
/// b = the largest radius of octave o with |k|^2 <= m^2 2^32          if |z| <= 1, outside otherwise
/// u = round(steps z / |z|),  shrunk until |u|^2 <= 2^44              if b < 48
/// ```
///
/// `z` is in units of the stated radius, `steps` is [`steps_to_unit`]. The integers depend on this record alone. What is not a number
/// or is infinite ends outside, with a direction within the radius: errors cost accuracy, never privacy. It is private data: its
/// `Debug` shows nothing.
#[derive(Clone)]
pub struct NestedRecord {
    radii: Radii,
    /// Whether directions of records inside are encoded.
    is_directed: bool,
    bucket: Bucket,
    dimension: usize,
    steps: f64,
    /// In whole registers, as `direction` is.
    own: Vec<f64>,
    own_energy: u64,
    direction: Vec<f64>,
    direction_energy: u64,
}

impl NestedRecord {
    /// A record at the centre.
    pub fn new(dimension: usize, radii: Radii) -> Result<Self, LatticeError> {
        LatticeVector::zero(dimension)?;
        let zero = || vec![0.0; stride(dimension)];
        Ok(Self {
            radii,
            is_directed: true,
            bucket: Bucket::INNERMOST,
            dimension,
            steps: steps_to_unit(dimension),
            own: zero(),
            own_energy: 0,
            direction: zero(),
            direction_energy: 0,
        })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Between which radii the record is: private.
    pub fn bucket(&self) -> Bucket {
        self.bucket
    }

    /// Leaves out the directions of records inside the stated radius: sums lack them until
    /// [`ExactSum::add_directions`](crate::ExactSum::add_directions).
    pub fn leave_directions(&mut self) {
        self.is_directed = false;
    }

    /// Makes it a record at the centre again.
    pub fn clear(&mut self) {
        self.own.fill(0.0);
        (self.bucket, self.own_energy) = (Bucket::INNERMOST, 0);
    }

    /// Replaces the record by whitened coordinates in units of the stated radius.
    pub fn encode(&mut self, z: &[f64]) -> Result<(), LatticeError> {
        self.encode_up_to(z, f64::INFINITY)
    }

    /// Replaces the record by each of those that lie one behind the other, of so many coordinates each, and gives it away: the same
    /// integers as one by one, in less time. One of another dimension is a record at the centre.
    ///
    /// # Errors
    /// Those of `give`.
    pub fn encode_each<E>(
        &mut self,
        all: &[f64],
        each: usize,
        mut give: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut norms = [0.0; TOGETHER];
        for some in all.chunks(TOGETHER * each.max(1)) {
            squared_norms(some, each, &mut norms);
            for (z, squared) in some.chunks_exact(each).zip(norms) {
                if each == self.dimension {
                    self.encode_with(z, squared, f64::INFINITY);
                } else {
                    self.clear();
                }
                give(self)?;
            }
        }
        Ok(())
    }

    /// The same for coordinates that are inside by construction, such as a mean of records inside: rounding takes none outside.
    pub(super) fn encode_inside(&mut self, z: &[f64]) -> Result<(), LatticeError> {
        self.encode_up_to(z, 1.0)
    }

    fn encode_up_to(&mut self, z: &[f64], most: f64) -> Result<(), LatticeError> {
        if z.len() != self.dimension {
            return Err(LatticeError::Mismatch { expected: self.dimension, found: z.len() });
        }
        self.encode_with(z, squared_norm_of(z), most);
        Ok(())
    }

    /// Encodes as many coordinates as there are, of this squared norm.
    fn encode_with(&mut self, z: &[f64], squared: f64, most: f64) {
        // NaN fails too
        if squared < f64::INFINITY {
            arch().dispatch(EncodePlain { record: self, z, squared, most });
        } else {
            self.encode_rare(z);
        }
    }

    /// Encodes the direction of a record whose square overflows, or that holds something that is no number.
    #[cold]
    fn encode_rare(&mut self, z: &[f64]) {
        self.bucket = Bucket::OUTSIDE;
        let (numbers, factor) = if z.iter().all(|z| z.is_finite()) {
            let largest = z.iter().fold(0.0_f64, |largest, z| largest.max(z.abs()));
            let scaled: Vec<f64> = z.iter().map(|z| z / largest).collect();
            let norm = squared_norm_of(&scaled).sqrt();
            (scaled, self.steps / norm)
        } else {
            // any point will do
            (z.iter().map(|z| if z.is_nan() { f64::INFINITY } else { *z }).collect(), self.steps)
        };
        [self.direction_energy] = round_into(Scalar::new(), &numbers, [(&mut self.direction, factor)]);
    }

    /// `k` and `|k|^2`; `None` where the record is outside.
    pub(super) fn own(&self) -> Option<(&[f64], u64)> {
        (self.bucket != Bucket::OUTSIDE).then_some((&self.own[..self.dimension], self.own_energy))
    }

    /// `u` and `|u|^2`; `None` where no radius needs them.
    pub(super) fn direction(&self) -> Option<(&[f64], u64)> {
        let is_encoded = self.is_directed || self.bucket == Bucket::OUTSIDE;
        (is_encoded && self.radii.needs_direction(self.bucket))
            .then_some((&self.direction[..self.dimension], self.direction_energy))
    }

    /// Which radii it was encoded for.
    pub(super) fn radii(&self) -> Radii {
        self.radii
    }
}

/// Encodes a record whose squared norm is finite.
pub(super) struct EncodePlain<'a> {
    pub(super) record: &'a mut NestedRecord,
    pub(super) z: &'a [f64],
    pub(super) squared: f64,
    /// The most that the squared norm can be.
    pub(super) most: f64,
}

impl WithSimd for EncodePlain<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { record, z, squared, most } = self;
        let within = squared.min(most);
        let octave = octave(within);
        let own = f64::from(1_u32 << octave) * record.steps;
        // where it is needed the norm is at least 2^-6
        let direction = record.steps / squared.sqrt();
        let is_inside = within <= 1.0;
        if !is_inside {
            record.bucket = Bucket::OUTSIDE;
            [record.direction_energy] = round_into(simd, z, [(&mut record.direction, direction)]);
        } else if record.is_directed && record.radii == Radii::Any && octave < MOST_OCTAVES {
            let both = [(&mut record.own[..], own), (&mut record.direction[..], direction)];
            [record.own_energy, record.direction_energy] = round_into(simd, z, both);
            record.bucket = Bucket::inside(octave, record.own_energy, record.radii);
        } else {
            [record.own_energy] = round_into(simd, z, [(&mut record.own, own)]);
            record.bucket = Bucket::inside(octave, record.own_energy, record.radii);
        }
    }
}

/// `min(6, floor(-log2(squared) / 2))` for `0 <= squared <= 1`, from the exponent: any function of the record will do.
#[inline(always)]
fn octave(squared: f64) -> u32 {
    // ceil(log2(squared)): the exponent, and one more unless the fraction is 0
    let exponent = (squared.to_bits() + ((1 << 52) - 1)) >> 52;
    // at most 1023 for numbers up to 1; one octave for every two below
    (0..MOST_OCTAVES).map(|octave| u32::from(exponent + u64::from(2 * octave) < 1022)).sum()
}

crate::opaque!(NestedRecord);
