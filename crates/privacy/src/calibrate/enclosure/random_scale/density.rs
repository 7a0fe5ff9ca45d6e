//! The laws of a random scale `V = s e^(beta X)`, with the density of `X` up to its mass.

use dashu_int::IBig;

use crate::calibrate::enclosure::Enclosure;
use crate::calibrate::enclosure::continuous::Continuous;

/// Stirling's series is used from here on.
const STIRLING_FROM: f64 = 16.0;

/// The law of `X`, and `s` and `beta`:
///
/// ```text
/// t              p(x) = exp(-a (e^-x - 1 + x))    s = 1          beta = 1/2      a = nu/2
/// root of gamma  p(x) = exp(-a (e^x - 1 - x))     s = sqrt(a)    beta = 1/2
/// log-normal     p(x) = exp(-x^2/2)               s = 1          beta = sigma
/// ```
///
/// Each `p` is log-concave, and largest at 0, where it is 1.
pub(super) struct Density {
    law: Continuous,
    /// `a`, or `sigma`.
    parameter: Enclosure,
}

impl Density {
    pub(super) fn new(law: Continuous, bits: usize) -> Self {
        let parameter = match law {
            Continuous::StudentT { nu } => Enclosure::double(nu, bits).halved(1),
            Continuous::GammaRoot { shape } => Enclosure::double(shape, bits),
            Continuous::LogNormal { sigma } => Enclosure::double(sigma, bits),
        };
        Self { law, parameter }
    }

    /// `beta x`.
    pub(super) fn scaled(&self, x: &Enclosure) -> Enclosure {
        match self.law {
            Continuous::LogNormal { .. } => &self.parameter * x,
            _ => x.halved(1),
        }
    }

    /// `x` for a given `log V`.
    pub(super) fn at_log_scale(&self, log_scale: &Enclosure) -> Option<Enclosure> {
        match self.law {
            Continuous::StudentT { .. } => Some(log_scale.doubled(1)),
            Continuous::GammaRoot { .. } => Some(&log_scale.doubled(1) - &self.parameter.ln()?),
            Continuous::LogNormal { .. } => log_scale.over(&self.parameter),
        }
    }

    /// `-log p(x)`, and the size of its derivative.
    fn potential(&self, x: &Enclosure) -> Option<(Enclosure, Enclosure)> {
        let x = match self.law {
            Continuous::LogNormal { .. } => {
                let size = if x.is_negative() { x.negative() } else { x.clone() };
                return Some((x.square().halved(1), size));
            }
            Continuous::StudentT { .. } => x.negative(),
            Continuous::GammaRoot { .. } => x.clone(),
        };
        let risen = &fast_exp(&x)? - &Enclosure::one(x.bits);
        let size = if x.is_negative() { risen.negative() } else { risen.clone() };
        Some((&self.parameter * &(&risen - &x), &self.parameter * &size))
    }

    /// `p(x)`.
    pub(super) fn at(&self, x: &Enclosure) -> Option<Enclosure> {
        fast_exp(&self.potential(x)?.0.negative())
    }

    /// A number that the integral of `p` beyond `x`, away from 0, does not exceed, and what `p(x)` was divided by for it: the size
    /// of the derivative of `-log p`.
    pub(super) fn tail(&self, x: &Enclosure) -> Option<(Enclosure, Enclosure)> {
        let (potential, slope) = self.potential(x)?;
        Some((fast_exp(&potential.negative())?.over(&slope)?, slope))
    }

    /// `log K`: by so much `p` grows at most, on the mean, at a distance of `theta` from the real axis.
    pub(super) fn log_growth(&self, theta: &Enclosure) -> Option<Enclosure> {
        let half = theta.square().halved(1);
        match self.law {
            Continuous::LogNormal { .. } => Some(half),
            _ => Some((&self.parameter * &(&Enclosure::one(theta.bits) - &half).ln()?).negative()),
        }
    }

    /// `N`, the integral of `p`: `sqrt(2 pi)`, or by Stirling's series, with `A = a + n`,
    ///
    /// ```text
    /// Gamma(a) e^a / a^a = sqrt(2 pi / A) e^(r(A) - n) (A/a)^a prod_(i<n) A / (a + i)
    /// 1/(12 A) - 1/(360 A^3) + 1/(1260 A^5) - 1/(1680 A^7) < r(A) < 1/(12 A) - 1/(360 A^3) + 1/(1260 A^5)
    /// ```
    pub(super) fn mass(&self) -> Option<Enclosure> {
        let (a, bits) = (&self.parameter, self.parameter.bits);
        let root = Enclosure::pi(bits).doubled(1).root();
        if matches!(self.law, Continuous::LogNormal { .. }) {
            return Some(root);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 16")]
        let steps = (STIRLING_FROM - a.near()).ceil().max(0.0) as u64;
        let lifted = a + &Enclosure::integer(steps, bits);
        let inverse = Enclosure::one(bits).over(&lifted)?;
        let square = inverse.square();
        let third = &inverse * &square;
        let fifth = &third * &square;
        let seventh = (&fifth * &square).over_integer(1680);
        let series = &(&inverse.over_integer(12) - &third.over_integer(360)) + &fifth.over_integer(1260);
        let series = &series - &Enclosure::integer(0, bits).up_to(&seventh);
        let power = a * &lifted.over(a)?.ln()?;
        let start = (&(&power + &series) - &Enclosure::integer(steps, bits)).exp()?;
        let start = (&root * &start).over(&lifted.root())?;
        (0..steps).try_fold(start, |mass, i| (&mass * &lifted).over(&(a + &Enclosure::integer(i, bits))))
    }
}

/// `exp(x)`: less than a unit where `x` is below minus the number of bits.
fn fast_exp(x: &Enclosure) -> Option<Enclosure> {
    let least = IBig::from(x.bits) << x.bits;
    if x.high < -least {
        Some(Enclosure::integer(0, x.bits).up_to(&Enclosure::exactly(IBig::ONE, x.bits)))
    } else {
        x.exp()
    }
}

/// What doubles say of the same law: where to look, and nothing that a bound rests on.
impl Continuous {
    pub(super) fn log_slope(self) -> f64 {
        if let Self::LogNormal { sigma } = self { sigma } else { 0.5 }
    }

    pub(super) fn near_log_scale(self) -> f64 {
        if let Self::GammaRoot { shape } = self { 0.5 * shape.ln() } else { 0.0 }
    }

    pub(super) fn near_potential(self, x: f64) -> f64 {
        match self {
            Self::StudentT { nu } => 0.5 * nu * ((-x).exp_m1() + x),
            Self::GammaRoot { shape } => shape * (x.exp_m1() - x),
            Self::LogNormal { .. } => 0.5 * x * x,
        }
    }

    pub(super) fn log_growth(self, theta: f64) -> f64 {
        let half = 0.5 * theta * theta;
        match self {
            Self::StudentT { nu } => -0.5 * nu * (-half).ln_1p(),
            Self::GammaRoot { shape } => -shape * (-half).ln_1p(),
            Self::LogNormal { .. } => half,
        }
    }
}
