//! Loops over curves in the widest registers that the processor has: the same bits in all of them.
#![allow(clippy::inline_always, reason = "compiled once for each width of registers, inside a dispatch")]
#![allow(clippy::needless_range_loop, reason = "iterators' adapters are compiled once, for the narrowest registers")]

use std::sync::OnceLock;

use pulp::{Arch, Simd, WithSimd};

#[cfg(test)]
#[path = "wide_tests.rs"]
mod tests;

/// The number of independent partial sums. With several of them, memory and not the latency of additions limits the
/// loop over a curve.
const LANES: usize = 8;

/// Whether a value is infinite.
pub fn has_infinite(values: &[f64]) -> bool {
    arch().dispatch(HasInfinite(values))
}

/// `out_i = scales_i (clamp(x_i) - center_i)`; returns the sum of squares, which is not finite if it overflowed or a value is missing.
pub(crate) fn scaled_difference(
    curve: &[f64],
    center: &[f64],
    scales: &[f64],
    limits: (f64, f64),
    out: &mut [f64],
) -> f64 {
    arch().dispatch(ScaledDifference { curve, center, scales, limits, out })
}

/// Found once: every curve asks.
fn arch() -> Arch {
    static FOUND: OnceLock<Arch> = OnceLock::new();
    *FOUND.get_or_init(Arch::new)
}

struct HasInfinite<'a>(&'a [f64]);

impl WithSimd for HasInfinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let (registers, rest) = S::as_simd_f64s(self.0);
        let (infinity, minus_infinity) = (simd.splat_f64s(f64::INFINITY), simd.splat_f64s(f64::NEG_INFINITY));
        let mut found = simd.equal_f64s(simd.splat_f64s(0.0), infinity);
        // without an early end
        for values in registers {
            // `abs` is a call in builds without link-time optimisation
            let either = simd.or_m64s(simd.equal_f64s(*values, infinity), simd.equal_f64s(*values, minus_infinity));
            found = simd.or_m64s(found, either);
        }
        let mut is_infinite = simd.first_true_m64s(found) < S::F64_LANES;
        for value in rest {
            is_infinite |= value.is_infinite();
        }
        is_infinite
    }
}

struct ScaledDifference<'a> {
    curve: &'a [f64],
    center: &'a [f64],
    scales: &'a [f64],
    limits: (f64, f64),
    out: &'a mut [f64],
}

impl WithSimd for ScaledDifference<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { curve, center, scales, limits: (lower, upper), out } = self;
        let (xs, x_rest) = curve.as_chunks::<LANES>();
        let (cs, c_rest) = center.as_chunks::<LANES>();
        let (qs, q_rest) = scales.as_chunks::<LANES>();
        let (zs, z_rest) = out.as_chunks_mut::<LANES>();
        let (least, most) = (simd.splat_f64s(lower), simd.splat_f64s(upper));
        let mut sums = [simd.splat_f64s(0.0); LANES];
        for chunk in 0..zs.len().min(xs.len()).min(cs.len()).min(qs.len()) {
            let (z, _) = S::as_mut_simd_f64s(&mut zs[chunk]);
            let ((x, _), (c, _), (q, _)) =
                (S::as_simd_f64s(&xs[chunk]), S::as_simd_f64s(&cs[chunk]), S::as_simd_f64s(&qs[chunk]));
            for i in 0..LANES / S::F64_LANES {
                // two choices: what is not a number stays so
                let below = simd.select_f64s(simd.greater_than_f64s(x[i], most), most, x[i]);
                let within = simd.select_f64s(simd.less_than_f64s(below, least), least, below);
                z[i] = simd.mul_f64s(q[i], simd.sub_f64s(within, c[i]));
                sums[i] = simd.add_f64s(sums[i], simd.mul_f64s(z[i], z[i]));
            }
        }
        let mut lanes = [0.0; LANES];
        for (lanes, sum) in lanes.chunks_exact_mut(S::F64_LANES).zip(sums) {
            simd.partial_store_f64s(lanes, sum);
        }
        for (((z, x), c), q) in z_rest.iter_mut().zip(x_rest).zip(c_rest).zip(q_rest) {
            *z = q * (crate::ball::clamped(*x, lower, upper) - c);
            lanes[0] += *z * *z;
        }
        lanes.iter().sum()
    }
}
