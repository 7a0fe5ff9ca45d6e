//! Released functions: what a [`Figure`] without a parameter shows.

use dpfda_privacy::NonPrivate;

use crate::canvas::palette::NEIGHBOURS;
use crate::error::FigureError;
use crate::figure::{Figure, TwoAxes};
use crate::mean::layer::{FACTS_OF_A_RELEASE, Layer, PrivateLayer};

mod layout;
#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
const MOST_RELEASES: usize = 12;

/// One released function, or several side by side.
#[derive(Debug)]
pub struct Releases {
    layers: Vec<Layer>,
    raw: Option<NonPrivate<PrivateLayer>>,
}

impl TwoAxes for Releases {}

impl Figure {
    pub(crate) fn of_layers(layers: Vec<Layer>) -> Result<Self, FigureError> {
        match layers.len() {
            0 => Err(FigureError::NoReleases),
            found if found > MOST_RELEASES => {
                Err(FigureError::TooMany { what: "releases", found, most: MOST_RELEASES })
            }
            _ => Ok(Self::of_few_layers(layers)),
        }
    }

    pub(crate) fn of_few_layers(layers: Vec<Layer>) -> Self {
        let title = if layers.len() == 1 { "Released mean function" } else { "Released mean functions" };
        Self::of(Releases { layers, raw: None }, title, &["t", "value"])
    }

    /// The number of panels, at least 1.
    pub(crate) fn panels(&self) -> usize {
        self.content.layers.len().max(1)
    }

    pub(crate) fn with_neighbouring_layers(mut self, neighbours: Vec<Layer>) -> Result<Self, FigureError> {
        let found = self.content.layers.len();
        let [layer] = &mut self.content.layers[..] else { return Err(FigureError::SeveralReleases { found }) };
        if neighbours.len() > NEIGHBOURS.len() {
            let (what, found) = ("neighbours of a release", neighbours.len());
            return Err(FigureError::TooMany { what, found, most: NEIGHBOURS.len() });
        }
        for (neighbour, other) in neighbours.iter().enumerate() {
            if other.t != layer.t {
                return Err(FigureError::OtherGrid { neighbour });
            }
            if !other.facts.iter().zip(&layer.facts).take(FACTS_OF_A_RELEASE).all(|(a, b)| a == b) {
                return Err(FigureError::OtherRelease { neighbour });
            }
        }
        layer.is_private &= neighbours.iter().all(|other| other.is_private);
        layer.neighbours = neighbours.into_iter().map(|other| (other.label, other.value)).collect();
        Ok(self)
    }

    pub(crate) fn with_private_layer(mut self, raw: NonPrivate<PrivateLayer>) -> Self {
        self.content.raw = Some(raw);
        self
    }
}
