//! Discrete Fourier transforms of real values.
//!
//! Nothing here is generic or inlined: spectra are generic in the kernel, and each crate that makes one would compile all
//! transforms once more.

use realfft::num_complex::Complex;
use realfft::{FftError, RealFftPlanner};

/// `sum_j x_j exp(-2 pi i j k / n)` for `k <= n/2`. The values are overwritten.
#[inline(never)]
pub(crate) fn transform(values: &mut [f64]) -> Result<Vec<Complex<f64>>, FftError> {
    let forward = RealFftPlanner::<f64>::new().plan_fft_forward(values.len());
    let mut spectrum = forward.make_output_vec();
    forward.process(values, &mut spectrum)?;
    Ok(spectrum)
}
