//! What all figures have in common: a title, names of the axes, and the files.

use dpfda_privacy::NonPrivate;

use crate::error::FigureError;
use crate::font;
use crate::header::draw_watermark;
use crate::releases::Releases;
use crate::render;
use crate::scene::{Paint, Scene};
use crate::text::cleaned;

/// A figure, by default of one or several released functions.
///
/// The type parameter is what the figure shows. [`SurfaceFigure`](crate::SurfaceFigure),
/// [`LineFigure`](crate::LineFigure), [`DensityFigure`](crate::DensityFigure) and [`PanelGrid`](crate::PanelGrid) are this
/// type with other contents. The same content gives the same file, byte for byte.
///
/// [`Figure::estimate`] shows an estimate with its band. [`Figure::release`] shows a release through one smoother: it has a line for the function, and on both sides a ribbon of two standard deviations of the
/// privacy noise. The ribbon is not a confidence band: it shows the noise, and nothing about how far the sample is from
/// the population. The caption states what is public about the release: the privacy parameters, the unit and the number
/// of units, the ball, the mechanism and the smoother. A release with noise from a seed has the stamp
/// `NOISE FROM A SEED: NOT PRIVATE`.
///
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_plotting::Figure;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::PrivateMean;
/// use dpfda_smoothing::{Ball, Center, CurveSet};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let values = Array2::from_shape_fn((100, 20), |(person, point)| 0.5 + 0.01 * ((person * point) as f64).sin());
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 20)?, values)?;
/// let ball = Ball::new(Center::Constant(0.5), 0.25)?;
/// let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?).buying(dpfda_release::BallShares::NONE);
/// let release = mean.release(&curves, &mut SystemRandomness::new()?)?;
///
/// let svg = Figure::release(&release).title("Mean growth").axes("age", "height").to_svg()?;
/// assert!(svg.contains("Mean growth"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Figure<C = Releases> {
    pub(crate) content: C,
    pub(crate) labels: Labels,
}

/// The title and the names of the axes, horizontal first.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    pub(crate) title: String,
    pub(crate) axes: Vec<String>,
}

/// What a figure shows. Nobody outside this crate can name this trait, so nobody else can implement it.
pub trait Content {
    /// Draws everything but the watermark.
    fn composed(&self, labels: &Labels) -> Scene;

    /// The paints of the watermark, one above the other; none if anyone may see the content.
    fn watermark(&self) -> &'static [Paint] {
        &[]
    }
}

/// Content with one horizontal and one vertical axis, or several that share their names.
pub trait TwoAxes: Content {}

impl<C> Figure<C> {
    pub(crate) fn of(content: C, title: &str, axes: &[&str]) -> Self {
        let axes = axes.iter().map(|name| (*name).to_owned()).collect();
        Self { content, labels: Labels { title: title.to_owned(), axes } }
    }
}

impl<C: Content> Figure<C> {
    /// Sets the title; an empty title leaves it out.
    ///
    /// In a PNG, characters outside Latin-1 and Greek appear as boxes; an SVG leaves them to the viewer's fonts.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.labels.title = cleaned(title);
        self
    }

    /// The figure as an SVG document, with texts as texts and a size in CSS pixels.
    ///
    /// # Errors
    /// [`FigureError::Font`], [`FigureError::Drawing`] or [`FigureError::Encoding`] if the drawing library fails.
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

    pub(crate) fn scene(&self) -> Result<Scene, FigureError> {
        // Texts are measured while the content is laid out.
        font::register()?;
        let mut scene = self.content.composed(&self.labels);
        for paint in self.content.watermark() {
            draw_watermark(&mut scene, *paint);
        }
        Ok(scene)
    }
}

impl<C: TwoAxes> Figure<C> {
    /// Sets the names of the horizontal and the vertical axes.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        self.labels.axes = vec![cleaned(x), cleaned(y)];
        self
    }
}

/// Content that is public, or that only the curator may see. `Debug` shows nothing private.
#[derive(Debug)]
pub(crate) enum Source<T> {
    Public(T),
    Private(NonPrivate<T>),
}

impl<T> Source<T> {
    /// For drawing only.
    pub(crate) fn shown(&self) -> &T {
        match self {
            Self::Public(content) => content,
            Self::Private(content) => content.reveal(),
        }
    }

    pub(crate) fn is_private(&self) -> bool {
        matches!(self, Self::Private(_))
    }
}

/// Refuses a figure of no panels, or of more than can be read.
pub(crate) fn check_panels(found: usize, most: usize) -> Result<(), FigureError> {
    match found {
        0 => Err(FigureError::NoPanels),
        _ if found > most => Err(FigureError::TooMany { what: "panels", found, most }),
        _ => Ok(()),
    }
}
