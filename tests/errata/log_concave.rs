//! Entry 12: Theorem 9 of Vinterbo, withdrawn by its author, and what noise calibrated by it would be worth.

use dpfda::privacy::{LogConcaveError, LogConcavePrivacy, NoiseFamily, PrivacyBudget};

use super::{assert_close, integral};

/// Noise of density proportional to `exp(-|x|^4 / 4)`, the Subbotin law of shape 4.
struct Subbotin {
    height: f64,
}

/// Where the density has vanished.
const END: f64 = 6.0;

impl Subbotin {
    fn new() -> Self {
        Self { height: 1.0 / integral(-END, END, 2400, |x| (-x.powi(4) / 4.0).exp()) }
    }

    fn density(&self, x: f64) -> f64 {
        self.height * (-x.powi(4) / 4.0).exp()
    }

    /// The exact delta at epsilon in one dimension.
    fn delta(&self, epsilon: f64, shift: f64) -> f64 {
        let excess = |x| (self.density(x) - epsilon.exp() * self.density(x - shift)).max(0.0);
        integral(-END, END, 2400, excess)
    }

    /// The exact delta at epsilon in two dimensions, for two summaries that differ by `shift` in both coordinates.
    fn delta_in_the_plane(&self, epsilon: f64, shift: f64) -> f64 {
        let ratio = |x, y| {
            self.density(x) * self.density(y) - epsilon.exp() * self.density(x - shift) * self.density(y - shift)
        };
        integral(-END, END, 800, |x| integral(-END, END, 800, |y| ratio(x, y).max(0.0)))
    }

    /// The largest sensitivity with which noise of scale 1 is (1, 0.1)-private in one dimension.
    fn sensitivity(&self) -> f64 {
        let (mut inside, mut outside) = (0.0, END);
        for _ in 0..40 {
            let middle = f64::midpoint(inside, outside);
            if self.delta(1.0, middle) <= 0.1 { inside = middle } else { outside = middle }
        }
        inside
    }
}

#[test]
fn noise_that_is_1_and_a_tenth_private_in_one_dimension_is_not_in_two() {
    let noise = Subbotin::new();
    let sensitivity = noise.sensitivity();
    assert_close(sensitivity, 0.606, 1e-3);
    // a difference of 4-norm `sensitivity`: along an axis, and along the diagonal
    assert_close(noise.delta(1.0, sensitivity), 0.1, 1e-4);
    assert_close(noise.delta_in_the_plane(1.0, sensitivity / 2.0_f64.powf(0.25)), 0.1415, 1e-4);
    // the calibration is that of one dimension, and refused in two
    let (family, budget) = ("subbotin:4".parse::<NoiseFamily>().unwrap(), PrivacyBudget::new(1.0, 0.1).unwrap());
    assert_close(LogConcavePrivacy::calibrated_in(family, &budget, 1).unwrap().distance(), sensitivity, 1e-4);
    let refused = LogConcavePrivacy::calibrated_in(family, &budget, 2);
    assert_eq!(refused, Err(LogConcaveError::SeveralDimensions { dimension: 2 }));
}

#[test]
fn in_many_dimensions_counting_signs_tells_the_neighbours_apart() {
    let noise = Subbotin::new();
    let dimensions = 1e5_f64;
    let shift = noise.sensitivity() / dimensions.powf(0.25);
    // each coordinate is positive with probability 1/2 for one neighbour, and a little more for the other
    let gain = integral(-shift, 0.0, 100, |x| noise.density(x));
    // Hoeffding: the count of positive ones is on the wrong side of the middle at most so often, for either
    let error = (-2.0 * dimensions * (gain / 2.0).powi(2)).exp();
    assert!(error < 1.5e-4, "{error}");
    assert!(1.0 - error > 1.0_f64.exp() * error + 0.1 + 0.89);
}
