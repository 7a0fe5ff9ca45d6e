//! The radii of nested balls, and the buckets of records between them.

/// `m_s`: what the radii of an octave are in 64ths of its largest, within a part in 80 of `2^(-s/8)`.
const MULTIPLES: [i64; 8] = [64, 59, 54, 49, 45, 41, 38, 35];

/// Fine steps of a record that keeps all its digits: `2^12` to a lattice step.
const FINE_BITS: u32 = 12;

/// The number of the smallest radius.
const LAST: u8 = 48;

/// The octaves below the stated radius that records are told apart in.
pub(super) const MOST_OCTAVES: u32 = 6;

/// One of 49 radii, from the stated one down to a 64th of it.
///
/// ```text
/// tau_j = tau_0 m_s 2^(-o) / 64,    j = 8 o + s from 0 to 48,    m = (64, 59, 54, 49, 45, 41, 38, 35)
/// R_j   = m_s 2^(28 - o)            the same in fine steps of tau_0 2^(-34)
/// d_j   = m_s 2^(6 - o)             fine steps to one of 2^22 steps of this radius: R_j = 2^22 d_j
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NestedRadius(u8);

impl NestedRadius {
    /// The number of radii.
    pub const COUNT: usize = LAST as usize + 1;

    /// The largest radius: the one that is stated.
    pub const STATED: Self = Self(0);

    /// The radius of this number; `None` beyond 48.
    pub fn new(number: u32) -> Option<Self> {
        u8::try_from(number).ok().filter(|number| *number <= LAST).map(Self)
    }

    /// All radii, the largest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=LAST).map(Self)
    }

    /// `j`.
    pub fn number(self) -> u32 {
        self.0.into()
    }

    /// The radius where the largest is `stated`: `stated m_s 2^(-o) / 64`.
    pub fn of(self, stated: f64) -> f64 {
        // one rounding: the factor has 12 binary digits
        stated * (self.multiple() as f64 / f64::from(64_u32 << self.octave()))
    }

    /// `R_j`, in fine steps.
    pub fn steps(self) -> i64 {
        self.multiple() << (28 - self.octave())
    }

    /// `d_j`: the fine steps to one of `2^22` steps of this radius. It is even.
    pub fn fine_steps(self) -> i64 {
        self.multiple() << (6 - self.octave())
    }

    /// `64 / m_s`: how many times as much the rounding of a record moves it in steps of this radius as in those of its octave, at most.
    pub fn coarseness(self) -> f64 {
        64.0 / self.multiple() as f64
    }

    /// `m_s 2^16`: how long an integer vector can be that was rounded for the octave of this radius and is within it.
    pub(super) fn own_steps(self) -> u64 {
        self.multiple().unsigned_abs() << 16
    }

    fn octave(self) -> u32 {
        u32::from(self.0) / 8
    }

    fn multiple(self) -> i64 {
        MULTIPLES[usize::from(self.0 % 8)]
    }
}

/// Between which radii a record is: `b`, the number of the smallest radius that holds it, or outside all of them.
///
/// It is private: it depends on a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bucket(u8);

impl Bucket {
    /// The number of buckets.
    pub const COUNT: usize = NestedRadius::COUNT + 1;

    /// The bucket of records outside the stated radius.
    pub const OUTSIDE: Self = Self(0);

    /// The bucket of records at the centre.
    pub(super) const INNERMOST: Self = Self(LAST + 1);

    /// All buckets, from the outside to the centre.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=LAST + 1).map(Self)
    }

    /// The place of the bucket from the outside: 0 for records outside the stated radius, 49 for those at the centre.
    pub fn place(self) -> usize {
        self.0.into()
    }

    /// The smallest radius that holds the records; `None` outside.
    pub fn radius(self) -> Option<NestedRadius> {
        self.0.checked_sub(1).map(NestedRadius)
    }

    /// Whether the records are inside the stated radius, and outside of this one.
    pub fn is_between(self, radius: NestedRadius) -> bool {
        self != Self::OUTSIDE && !self.is_within(radius)
    }

    /// Whether the records are within a radius.
    pub fn is_within(self, radius: NestedRadius) -> bool {
        self.0 > radius.0
    }

    /// The bucket of a record whose `k` was rounded with `2^octave` times as many steps and has this squared norm, at most `2^44`:
    /// decided in integers.
    pub(super) fn inside(octave: u32, squared: u64, radii: Radii) -> Self {
        let fits = |multiple: &i64| squared <= multiple.unsigned_abs().pow(2) << 32;
        let smaller = match radii {
            Radii::Any if octave < MOST_OCTAVES => {
                MULTIPLES[1..].iter().map(|multiple| u8::from(fits(multiple))).sum::<u8>()
            }
            _ => 0,
        };
        // at most 5 * 8 + 7, and 48 in the last octave
        let octave = u8::try_from(octave.min(MOST_OCTAVES)).unwrap_or(0);
        Self(1 + 8 * octave + smaller)
    }

    /// `2^(12 - o)`: what `k` is multiplied with to be in fine steps.
    pub(super) fn fine_bits(self) -> u32 {
        FINE_BITS - self.radius().map_or(0, NestedRadius::octave)
    }
}

/// Which radii sums are kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Radii {
    /// The stated radius alone: the sums have the same bits, and take less time.
    Stated,
    /// All 49 radii.
    Any,
}

impl Radii {
    /// The buckets whose records count as they are for some radius.
    pub(super) fn own(self) -> impl Iterator<Item = Bucket> {
        Bucket::all().skip(1).step_by(if self == Self::Any { 1 } else { 8 })
    }

    /// The buckets whose records count by their direction for some radius.
    pub(super) fn directed(self) -> impl Iterator<Item = Bucket> {
        Bucket::all().take(if self == Self::Any { NestedRadius::COUNT } else { 1 })
    }

    /// Whether records of this bucket count by their direction for some radius.
    pub(super) fn needs_direction(self, bucket: Bucket) -> bool {
        bucket < Bucket::INNERMOST && (self == Self::Any || bucket == Bucket::OUTSIDE)
    }

    /// Whether sums for this radius are kept.
    pub fn include(self, radius: NestedRadius) -> bool {
        self == Self::Any || radius == NestedRadius::STATED
    }
}
