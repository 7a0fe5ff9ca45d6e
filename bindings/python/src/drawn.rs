//! A release whose noise is drawn, with what was made of it: a fault in the one never takes the other with it.

use dpfda::analysis::{Band, Estimable, Estimated, View};
use dpfda::mechanism::Fact;

use crate::refusal::{Refusal, attempt};

/// A release with its estimate, or with the reason why there is none.
pub struct Drawn<S: Estimable> {
    release: S::View,
    estimated: Result<Box<Estimated<S>>, Refusal>,
}

impl<S: Estimable> Drawn<S> {
    /// A release that was just paid for, with a band or that of its kind: whatever goes wrong now is kept beside the release.
    pub fn new(release: S::View, band: Option<Band>, level: f64) -> Self {
        let estimated = attempt(|| {
            let band = band.unwrap_or_else(|| Estimated::<S>::default_band(&release));
            Ok(Box::new(Estimated::new(release.clone(), &band, level)?))
        });
        Self { release, estimated }
    }

    /// The release, whatever is estimated from it.
    pub fn release(&self) -> &S::View {
        &self.release
    }

    /// The release with its estimate.
    ///
    /// # Errors
    /// [`Refusal`] where there is none.
    pub fn estimated(&self) -> Result<&Estimated<S>, Refusal> {
        self.estimated
            .as_deref()
            .map_err(|reason| Refusal::new("release", format!("the release has no estimate: {}", reason.text())))
    }

    /// What the release says of itself, and of its estimate.
    pub fn facts(&self) -> Vec<Fact> {
        self.estimated.as_ref().map_or_else(|_| self.release.facts(), |estimated| estimated.facts())
    }

    /// The document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, Refusal> {
        Ok(match &self.estimated {
            Ok(estimated) => estimated.to_json()?,
            Err(_) => self.release.write(None::<&()>)?,
        })
    }
}

impl<S: Estimable> From<Estimated<S>> for Drawn<S> {
    fn from(estimated: Estimated<S>) -> Self {
        Self { release: estimated.release().clone(), estimated: Ok(Box::new(estimated)) }
    }
}
