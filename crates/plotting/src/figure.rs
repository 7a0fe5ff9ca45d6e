//! The figure: a builder over released functions.

use dpfda_privacy::NonPrivate;

use crate::error::FigureError;
use crate::layer::{FACTS_OF_A_RELEASE, Layer, PrivateLayer};
use crate::layout::{Contents, composed};
use crate::render;
use crate::scene::{NEIGHBOURS, Scene};
use crate::text::cleaned;

#[cfg(test)]
mod tests;

/// More panels than this are no longer one figure.
pub(crate) const MOST_RELEASES: usize = 12;

/// A figure of one released function or of several side by side.
///
/// A line for the function, and a ribbon of two standard deviations of the privacy noise on both sides. The ribbon is
/// not a confidence band: it says what the noise added, nothing about how far the sample is from the population. The
/// caption states what is public about the release: the privacy parameters, the unit and the number of units, the ball,
/// the mechanism and the smoother. A release whose noise came from a seed is stamped `NOISE FROM A SEED: NOT PRIVATE`.
///
/// The same release gives the same file, byte for byte.
#[derive(Debug)]
pub struct Figure {
    layers: Vec<Layer>,
    title: Option<String>,
    x_label: String,
    y_label: String,
    raw: Option<NonPrivate<PrivateLayer>>,
}

impl Figure {
    pub(crate) fn of_layers(layers: Vec<Layer>) -> Result<Self, FigureError> {
        match layers.len() {
            0 => Err(FigureError::NoReleases),
            found if found > MOST_RELEASES => Err(FigureError::TooManyReleases { found, most: MOST_RELEASES }),
            _ => Ok(Self::of_few_layers(layers)),
        }
    }

    pub(crate) fn of_few_layers(layers: Vec<Layer>) -> Self {
        Self { layers, title: None, x_label: "t".to_owned(), y_label: "value".to_owned(), raw: None }
    }

    /// The number of panels, at least 1.
    pub(crate) fn panels(&self) -> usize {
        self.layers.len().max(1)
    }

    pub(crate) fn with_neighbouring_layers(mut self, neighbours: Vec<Layer>) -> Result<Self, FigureError> {
        let found = self.layers.len();
        let [layer] = &mut self.layers[..] else { return Err(FigureError::SeveralReleases { found }) };
        if neighbours.len() > NEIGHBOURS.len() {
            return Err(FigureError::TooManyNeighbours { found: neighbours.len(), most: NEIGHBOURS.len() });
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
        self.raw = Some(raw);
        self
    }

    /// Another title; an empty one leaves the title out.
    ///
    /// In a PNG, characters outside Latin-1 and Greek appear as boxes; an SVG leaves them to the viewer's fonts.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(cleaned(title));
        self
    }

    /// The labels of the horizontal and the vertical axis, in place of `t` and `value`.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        self.x_label = cleaned(x);
        self.y_label = cleaned(y);
        self
    }

    /// The figure as an SVG document, with texts as texts and a size in CSS pixels.
    ///
    /// # Errors
    /// [`FigureError::Font`], [`FigureError::Drawing`] or [`FigureError::Encoding`] when the drawing library fails.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        render::svg(&self.scene()?)
    }

    /// The figure as a PNG file, with two pixels for every CSS pixel of the SVG.
    ///
    /// # Errors
    /// As [`Figure::to_svg`].
    pub fn to_png(&self) -> Result<Vec<u8>, FigureError> {
        render::png(&self.scene()?)
    }

    fn scene(&self) -> Result<Scene, FigureError> {
        // Texts are measured while the figure is laid out.
        crate::font::register()?;
        let released = if self.layers.len() == 1 { "Released mean function" } else { "Released mean functions" };
        Ok(composed(&Contents {
            title: self.title.as_deref().unwrap_or(released),
            x_label: &self.x_label,
            y_label: &self.y_label,
            layers: &self.layers,
            raw: self.raw.as_ref().map(NonPrivate::reveal),
        }))
    }
}
