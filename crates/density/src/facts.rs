//! Words that facts about densities share.

use dpfda_mechanism::Fact;
use dpfda_privacy::Noise;

use crate::bounds::Bounds;

/// What a record is called that is a row of its own.
pub(crate) const RECORD: &str = "point";

/// What every point is clamped to.
pub(crate) fn bound(bounds: &Bounds) -> Fact {
    let text = format!(
        "{bounds}; points outside are clamped, a missing value counts as the centre, and how many there are is not told"
    );
    Fact::new("bound", text).briefly(format!("points are clamped to {bounds}"))
}

/// The law of noise on integers.
pub(crate) fn law_in_words(noise: &Noise) -> &'static str {
    match noise {
        Noise::DiscreteLaplace(_) => "exact discrete Laplace noise",
        Noise::Spherical(_) => "exactly rounded K-norm noise: the exponential mechanism on all coefficients together",
        _ => "exactly rounded normal noise",
    }
}

pub(crate) fn add_to(facts: &mut [Fact], name: &str, text: &str) {
    if let Some(fact) = facts.iter_mut().find(|fact| fact.name == name) {
        fact.text += text;
    }
}

/// Says a fact in a clause.
pub(crate) fn brief(facts: &mut [Fact], name: &str, brief: String) {
    if let Some(fact) = facts.iter_mut().find(|fact| fact.name == name) {
        fact.brief = brief;
    }
}
