//! What is used where nobody asks for anything else.

/// The level of a band.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// Ranges of the default ladder, on the domain mapped to `[0, 1]`, shortest first.
///
/// A ladder with more Gaussian rungs was a little more accurate, and its bands were too narrow for large N: an analytic prior is
/// too sure of what it cannot see.
pub(crate) const EXPONENTIAL: [f64; 1] = [0.4];
/// See [`EXPONENTIAL`].
pub(crate) const GAUSSIAN: [f64; 3] = [0.02, 0.08, 0.32];
/// See [`EXPONENTIAL`].
pub(crate) const MATERN_3_2: [f64; 1] = [0.2];
/// See [`EXPONENTIAL`].
pub(crate) const MATERN_5_2: [f64; 9] = [0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56, 0.8, 1.6];

/// The default amplitudes `a / tau^2`: `1e-4` to 1 in half powers of ten.
pub(crate) const AMPLITUDE_STEPS: u8 = 9;
/// The mean of the default prior of `log10(a / tau^2)`.
pub(crate) const AMPLITUDE_MEAN: f64 = -1.0;
/// Its standard deviation.
pub(crate) const AMPLITUDE_SD: f64 = 0.7;
/// The mean for a ball that was bought from rows: measured.
pub(crate) const BOUGHT_AMPLITUDE_MEAN: f64 = -0.3;
