//! What should make a reader of a chart careful, from what is released: how many people there are, and how many were cut off or pulled in.

use dpfda_mechanism::{Release, rounded};
use dpfda_release::{Centiles, CentilesError, InBall, Outside, SharesBelow};

/// More values than this part near a bound are told.
const CUT: f64 = 0.25;

/// A larger estimated part of the people outside a radius that was found is told, and so is that it may be half of them.
const PULLED: f64 = 0.2;

/// A mean distance above this part of the stated one, to a step of levels, tells that most people may be pulled in.
const AT_RADIUS: f64 = 0.9;

/// How many people a chart is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct People {
    /// The number of records, which may be noisy.
    pub(super) number: f64,
    pub(super) is_public: bool,
    /// The fewest that the noise leaves a chart of; `None` without a `mu`.
    pub(super) least: Option<u64>,
}

impl People {
    pub(super) fn of(release: &Release<Centiles>) -> Self {
        let mu = release.mechanism().privacy().map(|privacy| privacy.mu());
        Self {
            number: release.units(),
            is_public: release.public_records().is_some(),
            least: mu.map(|mu| Centiles::least_records(mu, release.statistic().is_of_rows())),
        }
    }

    pub(super) fn check_beyond(self, shown: &[f64]) -> Result<(), CentilesError> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative; what is too large saturates"
        )]
        let number = self.number.max(0.0) as u64;
        Centiles::check_beyond(shown, number)
    }
}

/// `mu N`, where `N` is the number of people whom a point of rows is as good as, on average: how well a release tells a distribution.
pub(super) fn told(release: &Release<Centiles>, shares: &SharesBelow) -> Option<f64> {
    let part = shares.weights.as_ref().and_then(|weights| weights.parts().mean()).unwrap_or(1.0);
    Some(release.mechanism().privacy()?.mu() * release.units() * part).filter(|told| *told > 0.0)
}

/// Whether a bound cuts off many values, as the public shares at the outer levels say: a quarter, and four standard deviations of their mean.
pub(super) fn cut_off(shares: &SharesBelow) -> Option<String> {
    let (points, levels) = shares.values.dim();
    let noise = shares.noise_sds().sum() / points as f64 / (points as f64).sqrt();
    let mean = |level: usize| shares.values.column(level).sum() / points as f64;
    let ends = [("lower", mean(0)), ("upper", 1.0 - mean(levels - 1))];
    let one = ends.into_iter().find(|(_, share)| *share > CUT + 4.0 * noise);
    let both = ends.iter().map(|(_, share)| share).sum::<f64>();
    let (place, share) = match one {
        Some((bound, share)) => (format!("at the {bound} bound or within a level of it"), share),
        None if both > CUT + 4.0 * 2.0_f64.sqrt() * noise => {
            ("at the bounds or within a level of them".to_owned(), both)
        }
        None => return None,
    };
    Some(format!(
        "About {}% of values lie {place}: if the bounds cut people off, the chart cannot show where they are.",
        rounded(100.0 * share.min(1.0))
    ))
}

/// How many people a radius that was found pulls in, where they are many.
///
/// A record that is pulled changes the share of records below a level by at most `1 / N`. So where a part `q` of them is pulled, shares move by
/// at most `q`, and a curve that is shown as the centile `p` lies between those of `p - q` and `p + q`. The median leaves its band where people
/// in the middle are pulled as well, as they are where all are far from the centre: distances of few people are counted in noise, and the rule
/// spares `10 / mu` of them.
pub(super) fn pulled(Outside { estimated, most, noise_sd }: Outside) -> Option<String> {
    let percent = |share: f64| rounded((100.0 * share.min(1.0)).round());
    (estimated > PULLED || most > 0.5).then(|| {
        format!(
            "By noisy counts about {}% of the people lie farther from the centre than the radius that was found, and up to {}% may. Their values \
             are pulled towards the centre. No band allows for it: a curve may be that of another centile, as many percent away. A centre \
             nearer to the people would help, or a {{radius}} that you know and state, with {{radius_share}} none, so that none is found.",
            percent(estimated),
            percent(most + 2.0 * noise_sd)
        )
    })
}

/// The mean distance of people from the centre, where it is nearly the one that was stated, to which those farther away were pulled in: most of
/// them may have been.
///
/// ```text
/// D = mean over points of  step sum_j |F(t, y_j) - 1{c(t) <= y_j}|,     E D = the mean of min(distance, a), to a step of levels
/// ```
pub(super) fn at_radius(release: &Release<Centiles>, shares: &SharesBelow) -> Option<f64> {
    let statistic = release.statistic();
    let (lower, upper) = statistic.bounds();
    let (points, levels) = shares.values.dim();
    let step = (upper - lower) / (levels + 1) as f64;
    let radius = statistic.ball().radius();
    // noise has a sign of its own: distances are summed with that of the centre
    let signed = shares.values.iter().zip(&shares.of_center).map(|(f, c)| (f - c) * (1.0 - 2.0 * c));
    let distance = step * signed.sum::<f64>() / points as f64;
    let sd = step * (levels as f64).sqrt() * shares.noise_sds().sum() / (points as f64).powf(1.5);
    let is_stated = statistic.bought().is_none();
    (is_stated && distance + step - 2.0 * sd > AT_RADIUS * radius).then_some(distance)
}
