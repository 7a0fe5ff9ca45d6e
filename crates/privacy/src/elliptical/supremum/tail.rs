//! Whether a declared tail is visibly wrong.

use super::{EllipticalError, Probe, ROUNDING};

/// What was declared of `g` beyond a radius, and the bound on `g(r + D) - g(r)` that follows from it.
pub(super) struct DeclaredTail {
    pub(super) from: f64,
    /// That of a convex tail.
    pub(super) slope: Option<f64>,
    pub(super) bound: f64,
    /// How wrong the bound may be by the rounding of `g`.
    pub(super) error: f64,
}

/// Radii are `from + unit 2^x`, for `x` from here.
const FIRST_OCTAVE: i32 = -20;
/// Up to here, `x` is looked at closely,
const LAST_CLOSE_OCTAVE: i32 = 20;
/// and up to here less so: far beyond all lengths in the problem.
const LAST_OCTAVE: i32 = 40;
/// Radii in each octave that is looked at closely, and in each other one.
const CLOSE: u32 = 64;
const SPARSE: u32 = 8;

/// How often the steeper part between two radii is divided once more.
const DIVISIONS: usize = 3;

/// Numbers in (0, 1) that no pattern in the radii keeps step with: the multiples of the golden ratio, without their
/// integer parts.
struct Irregular {
    place: f64,
}

impl Irregular {
    fn next(&mut self) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        self.place = (self.place + GOLDEN).fract();
        self.place
    }
}

impl DeclaredTail {
    /// Refuses a tail that is visibly not as declared, or too heavy for a density in so many dimensions.
    ///
    /// Fewer than 20 000 evaluations, at irregular radii and, between any two of them, where `g` is steepest.
    pub(super) fn look<G: Fn(f64) -> f64>(
        &self,
        probe: &mut Probe<G>,
        dimension: usize,
    ) -> Result<(), EllipticalError> {
        let unit = self.from.max(probe.distance).max(1.0);
        let mut irregular = Irregular { place: 0.0 };
        let mut before = self.look_at(probe, self.from)?;
        for octave in FIRST_OCTAVE..LAST_OCTAVE {
            let radii = if octave < LAST_CLOSE_OCTAVE { CLOSE } else { SPARSE };
            for i in 0..radii {
                let place = (f64::from(i) + irregular.next()) / f64::from(radii);
                let next = self.look_at(probe, self.from + unit * (f64::from(octave) + place).exp2())?;
                self.look_between(probe, before, next, &mut irregular)?;
                before = next;
            }
        }
        self.check_chords(probe)?;
        let (far, farther) = (self.from + unit * f64::from(LAST_OCTAVE - 1).exp2(), before.0);
        let value = probe.at(far)?;
        let error = 2.0 * ROUNDING * (1.0 + value.abs().max(before.1.abs()));
        if before.1 - value <= dimension as f64 * (farther / far).ln() + error {
            return Err(EllipticalError::NotIntegrable { radius: farther });
        }
        Ok(())
    }

    /// The radius and `g` there, after a look at `g(radius + D) - g(radius)` itself.
    fn look_at<G: Fn(f64) -> f64>(&self, probe: &mut Probe<G>, radius: f64) -> Result<(f64, f64), EllipticalError> {
        let (value, shifted) = (probe.at(radius)?, probe.shifted(radius)?);
        // by rounding the radius has moved by more than D; the bound grows at most in proportion
        let moved = ((radius + probe.distance).next_up() - radius) / probe.distance;
        let bound = self.bound * moved.max(1.0) * (1.0 + 4.0 * f64::EPSILON);
        let error = self.error + 2.0 * ROUNDING * (1.0 + value.abs().max(shifted.abs()));
        if shifted - value > bound + error {
            return Err(EllipticalError::TailContradicted { radius });
        }
        Ok((radius, value))
    }

    /// Divides the steeper part of an interval a few times: a jump, wherever it is, becomes a steep chord.
    fn look_between<G: Fn(f64) -> f64>(
        &self,
        probe: &mut Probe<G>,
        mut start: (f64, f64),
        mut end: (f64, f64),
        irregular: &mut Irregular,
    ) -> Result<(), EllipticalError> {
        for _ in 0..DIVISIONS {
            let radius = start.0 + (end.0 - start.0) * (0.25 + 0.5 * irregular.next());
            let middle = (radius, probe.at(radius)?);
            let slope = |(a, low): (f64, f64), (b, high): (f64, f64)| (high - low) / (b - a);
            if slope(start, middle) > slope(middle, end) {
                end = middle;
            } else {
                start = middle;
            }
        }
        self.look_at(probe, start.0).map(|_| ())
    }

    /// Whether the slopes between neighbours of all that was seen in the tail are in the order that was declared.
    fn check_chords<G: Fn(f64) -> f64>(&self, probe: &mut Probe<G>) -> Result<(), EllipticalError> {
        probe.check_order()?;
        let mut seen = probe.values.iter().filter(|(radius, _)| *radius >= self.from);
        let Some(&(mut radius, mut value)) = seen.next() else {
            return Ok(());
        };
        // what no chord of a concave tail may exceed from here on, and none of a convex one may fall below
        let (mut most, mut least) = (self.slope.unwrap_or(f64::INFINITY), f64::NEG_INFINITY);
        for &(next, next_value) in seen {
            let length = next - radius;
            if length <= 0.0 {
                continue;
            }
            let chord = (next_value - value) / length;
            let error = 2.0 * ROUNDING * (1.0 + value.abs().max(next_value.abs())) / length;
            if chord - error > most || chord + error < least {
                return Err(EllipticalError::TailContradicted { radius });
            }
            match self.slope {
                None => most = most.min(chord + error),
                Some(_) => least = least.max(chord - error),
            }
            (radius, value) = (next, next_value);
        }
        Ok(())
    }
}
