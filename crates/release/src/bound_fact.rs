//! The public bound on a curve, in words.

use dpfda_kernels::{Domain, Grid};
use dpfda_mechanism::{Fact, exact, rounded};
use dpfda_smoothing::{Ball, Center};

use crate::coordinates::sobolev::{SobolevNorm, SobolevOrder};
use crate::coordinates::whitening::MeanMechanism;
use crate::mean::domain::MeanDomain;
use crate::purchase::bought::Bought;

/// What every record is kept within, for a mechanism, and what of it was found with a part of the budget.
pub(crate) fn bound_fact<D: MeanDomain>(
    ball: &Ball,
    grid: &D,
    mechanism: &MeanMechanism,
    bought: Option<&Bought>,
) -> Fact {
    let record = D::RECORD;
    let has_bought_center = bought.is_some_and(|bought| bought.shares().center().is_some());
    let center = if has_bought_center { "that was found".to_owned() } else { format!("that is a public {record}") };
    let words = BallInWords::of(ball, bought, grid, &center);
    match mechanism {
        MeanMechanism::Isonormal | MeanMechanism::CameronMartin(_) | MeanMechanism::Coordinates(_) => {
            distance_fact(&words, record)
        }
        MeanMechanism::Sobolev(norm) => sobolev_fact(&words, norm, grid),
    }
}

/// A stated ball of the root-mean-square distance.
pub(crate) fn ball_fact(ball: &Ball, grid: &Grid) -> Fact {
    distance_fact(&BallInWords::of(ball, None, grid, STATED_CURVE), "curve")
}

/// What a centre is called that was stated as a curve.
const STATED_CURVE: &str = "that is a public curve";

/// A ball of the root-mean-square distance.
fn distance_fact(words: &BallInWords, record: &str) -> Fact {
    let BallInWords { clamped, center, radius, in_brief, domain } = words;
    let text = format!(
        "{clamped}every {record} is scaled towards the centre {center} until its root-mean-square distance from the centre over {domain} is at \
         most {radius} in the units of the data"
    );
    let brief = format!("{clamped}every {record} stays within {in_brief} of the centre {center} (root mean square)");
    Fact::new("bound", text).briefly(brief).captioned(format!("centre {center}, largest distance {in_brief}"))
}

/// A ball on a domain, in words.
struct BallInWords {
    clamped: String,
    center: String,
    radius: String,
    in_brief: String,
    domain: String,
}

impl BallInWords {
    /// `record` is what a centre that is one is called.
    fn of(ball: &Ball, bought: Option<&Bought>, domain: &impl Domain, record: &str) -> Self {
        let axes: Vec<String> = domain.axes().iter().map(domain_in_words).collect();
        let domain = format!("{} ({} points)", axes.join(" x "), domain.len());
        Self {
            clamped: clamped_in_words(ball),
            center: named_center(ball, record),
            radius: short(ball.radius()),
            in_brief: radius_in_brief(ball, bought),
            domain,
        }
    }
}

/// The domain of a grid: an interval, or one period of a domain that closes up.
pub(crate) fn domain_in_words(grid: &Grid) -> String {
    let (lower, upper) = (exact(grid.lower()), exact(grid.upper()));
    if grid.is_periodic() {
        format!("one period [{lower},\u{a0}{upper}) that closes up")
    } else {
        format!("[{lower},\u{a0}{upper}]")
    }
}

/// That values are clamped, where there are bounds.
pub(crate) fn clamped_in_words(ball: &Ball) -> String {
    ball.bounds().map_or_else(String::new, |(lower, upper)| {
        format!("values are clamped to [{},\u{a0}{}], and ", exact(lower), exact(upper))
    })
}

/// The centre of a stated ball in words.
pub(crate) fn center_in_words(ball: &Ball) -> String {
    named_center(ball, STATED_CURVE)
}

fn named_center(ball: &Ball, curve: &str) -> String {
    match ball.center() {
        Center::Constant(value) => exact(*value),
        Center::Curve(_) => curve.to_owned(),
    }
}

/// A number as it is written, or rounded where it has as many digits as a double.
pub(crate) fn short(value: f64) -> String {
    let exactly = exact(value);
    if exactly.len() > 8 { rounded(value) } else { exactly }
}

/// A radius in brief: rounded where it was found, as it is told there, and as it was stated otherwise.
pub(crate) fn radius_in_brief(ball: &Ball, bought: Option<&Bought>) -> String {
    let is_found = bought.is_some_and(|bought| bought.shares().radius().is_some());
    if is_found { rounded(ball.radius()) } else { short(ball.radius()) }
}

fn sobolev_fact<D: MeanDomain>(words: &BallInWords, norm: &SobolevNorm, grid: &D) -> Fact {
    let BallInWords { clamped, center, radius, in_brief, domain } = words;
    let lengths: Vec<String> =
        norm.lengths().zip(grid.axes()).map(|(part, axis)| short(part * axis.length())).collect();
    let (record, length) = (D::RECORD, lengths.join(" and "));
    let (distance, counted, brief) = match norm.order() {
        SobolevOrder::One => (
            format!(
                "the root of D^2 + ({length} S)^2, with D the root-mean-square distance from the centre and S the \
                 root-mean-square slope of the difference over {domain},"
            ),
            String::new(),
            format!("{length} times the slope counts too"),
        ),
        SobolevOrder::Half => (
            format!("its distance from the centre over {domain}"),
            format!(
                ". In this distance, waves{along} shorter than {length} count more than in the root-mean-square distance",
                along = if lengths.len() > 1 { " along the axes" } else { "" }
            ),
            format!("waves shorter than {length} count more"),
        ),
    };
    let text = format!(
        "{clamped}every {record} is scaled towards the centre {center} until {distance} is at most {radius}{counted}"
    );
    let caption = format!("centre {center}, largest distance {in_brief} ({brief})");
    let brief = format!("{clamped}every {record} stays within {in_brief} of the centre {center} ({brief})");
    Fact::new("bound", text).briefly(brief).captioned(caption)
}
