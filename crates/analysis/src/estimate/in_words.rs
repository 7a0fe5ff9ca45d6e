//! Estimates in words: how they were made, what their bands promise, and what should make a reader careful.

use dpfda_mechanism::{Fact, rounded};

use super::{Estimate, HARDLY_BETTER};
use crate::band::Band;
use crate::population::Population;
use crate::posterior::ladder::LadderEnd;

/// How an estimate was made, what its band promises, how wide it is, and what should make a reader careful.
pub(crate) fn facts<M: Population>(population: &M, estimate: &Estimate<M::Point>) -> Vec<Fact> {
    let (band, percent) = (&estimate.band, rounded(estimate.level * 100.0));
    let method = population.method(band);
    let promise = format!("{percent}% simultaneous band `{}`. {}", band.name(), population.promise(band));
    let whose =
        if band.is_around_the_posterior_mean() { "" } else { " (of the posterior mean, which is another curve)" };
    let average = |numbers: &ndarray::Array1<f64>| rounded(numbers.sum() / numbers.len() as f64);
    let size = format!(
        "the band reaches {} to each side on average; posterior_sd\u{a0}=\u{a0}{}{whose} and noise_sd ({}) =\u{a0}{} on average",
        rounded(estimate.half_width()),
        average(&estimate.posterior_sd),
        M::NOISE,
        average(&estimate.noise_sd),
    );
    let reach =
        format!("{percent}% band for {}, {} to each side on average", estimate.target, rounded(estimate.half_width()));
    let facts = [
        Fact::new("estimate", method.clone()).briefly(method.split(';').next().unwrap_or_default()).captioned(method),
        Fact::new("band", promise).briefly(reach).captioned(format!("{percent}% band for {}", estimate.target)),
        Fact::new("precision", size),
    ];
    facts.into_iter().chain(notes(population, estimate)).collect()
}

/// The part of a standard deviation of the band that the pull of a ball has where a reader should do something.
const PULLED: f64 = 0.8;

/// What should make a reader careful.
fn notes<M: Population>(population: &M, estimate: &Estimate<M::Point>) -> impl Iterator<Item = Fact> {
    let mut notes = Vec::new();
    if population.records() < 2.0 {
        notes.push(
            "The noisy number of records is not above 1: the release says nothing about a population.".to_owned(),
        );
    }
    let relative = population.error_relative_to_the_centre();
    if relative > HARDLY_BETTER {
        let percent = rounded((relative * 100.0).round());
        notes.push(format!(
            "The estimate is hardly better than the centre: its expected error is {percent}% of the centre's own."
        ));
    }
    if !population.tells_mean_and_centre_apart() {
        notes.push("The mean and the centre cannot be told apart from this release.".to_owned());
    }
    let is_pulled = population.allowance() > PULLED * estimate.half_width() / estimate.critical;
    if is_pulled && matches!(estimate.band, Band::Population) {
        notes.push(
            "Most of the width of the band allows for people far from the others, whom the radius pulls in. State a {radius} \
             that you know, with {radius_share=none}, so that none is found. Or spend a larger budget."
                .to_owned(),
        );
    }
    // ordinary releases end at the others, and the band was measured to hold: a smoother mean, or one closer to the centre
    // than the prior expects, makes it wider than it need be
    if population.ends_of_ladder(&estimate.band).contains(&LadderEnd::Largest) {
        notes.push(
            "The mean lies further from the centre than the estimate expects, and is drawn towards it a little; the band allows for \
             this. A nearer centre would help."
                .to_owned(),
        );
    }
    notes.into_iter().map(|text| Fact::new("NOTE", text))
}
