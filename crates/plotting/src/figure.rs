//! What all figures have in common: a title, names of the axes, and the files.

use dpfda_analysis::in_halves;
use dpfda_mechanism::FIGURE_SIZES;
use dpfda_privacy::NonPrivate;

use crate::canvas::font;
use crate::canvas::palette::Paint;
use crate::canvas::pdf::pdf;
use crate::canvas::scene::{Mark, Scene};
use crate::canvas::text::cleaned;
use crate::canvas::{bitmap, plotters};
use crate::error::FigureError;
use crate::mean::releases::Releases;
use crate::parts::columns::{panel_height, side_by_side, within_width};
use crate::parts::header::draw_watermark;

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

/// The title and the names of the axes, horizontal first; and the size that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    pub(crate) title: String,
    pub(crate) axes: Vec<String>,
    size: Option<FigureSize>,
    /// What the usual height of panels is multiplied with.
    stretch: f64,
}

/// The size of a figure in CSS pixels, of which there are 96 to an inch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureSize {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl FigureSize {
    /// This width and height.
    pub fn new(width: f64, height: f64) -> Result<Self, FigureError> {
        if FIGURE_SIZES.contains(&width) && FIGURE_SIZES.contains(&height) {
            Ok(Self { width, height })
        } else {
            Err(FigureError::Size { width, height, least: *FIGURE_SIZES.start(), most: *FIGURE_SIZES.end() })
        }
    }
}

/// A kind of file that a figure can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A drawing for pages on the web.
    Svg,
    /// A drawing for papers.
    Pdf,
    /// Pixels.
    Png,
}

impl Format {
    /// All of them, in the order of the variants.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Pdf, Self::Png];

    /// How the names of its files end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }
}

/// Narrower figures have no two parts side by side.
const WIDE: f64 = 480.0;
/// Panels are not lower than this, whatever height was asked for: a band and its ticks could not be read.
const LOWEST: f64 = 100.0;

impl Labels {
    /// How many of this many panels go side by side, the width of their figure, and the height of a panel.
    pub(crate) fn frame(&self, panels: usize) -> (usize, f64, f64) {
        let (count, width) = side_by_side(panels);
        let width = self.width(width);
        let count = within_width(count, width);
        (count, width, self.height(panel_height(count)))
    }

    /// This height, stretched as the height that was asked for needs.
    pub(crate) fn height(&self, usual: f64) -> f64 {
        (usual * self.stretch).max(LOWEST.min(usual))
    }

    /// Whether a size was asked for that has room for panels beside each other rather than below.
    pub(crate) fn is_wide(&self) -> bool {
        self.size.is_some_and(|size| size.width >= WIDE && size.width >= 1.25 * size.height)
    }

    /// The width that was asked for, or this one.
    pub(crate) fn width(&self, usual: f64) -> f64 {
        self.size.map_or(usual, |size| size.width)
    }
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

impl Content for Box<dyn Content> {
    fn composed(&self, labels: &Labels) -> Scene {
        self.as_ref().composed(labels)
    }

    fn watermark(&self) -> &'static [Paint] {
        self.as_ref().watermark()
    }
}

/// A figure of whatever it shows: it can be written, and nothing more be added to it.
pub type Drawing = Figure<Box<dyn Content>>;

/// How a figure is framed, as far as that was asked for; the rest is as it is by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// The title.
    pub title: Option<&'a str>,
    /// The names of the axes, in the order of the figure.
    pub axes: [Option<&'a str>; 3],
    /// The size.
    pub size: Option<FigureSize>,
    /// Whether what is said of the release stands beside the figure, and so not in its caption.
    pub is_bare: bool,
}

/// Content with one horizontal and one vertical axis, or several that share their names.
pub trait TwoAxes: Content {}

impl<C> Figure<C> {
    pub(crate) fn of(content: C, title: &str, axes: &[&str]) -> Self {
        let axes = axes.iter().map(|name| (*name).to_owned()).collect();
        Self { content, labels: Labels { title: title.to_owned(), axes, size: None, stretch: 1.0 } }
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

    /// Sets the size. A figure is higher than asked for where its panels and texts need it.
    #[must_use]
    pub fn size(mut self, size: FigureSize) -> Self {
        self.labels.size = Some(size);
        self
    }

    /// The figure in a frame, as one of any content.
    #[must_use]
    pub fn framed(self, frame: &Frame<'_>) -> Drawing
    where
        C: 'static,
    {
        let Self { content, mut labels } = match frame.title {
            Some(title) => self.title(title),
            None => self,
        };
        for (label, asked) in labels.axes.iter_mut().zip(frame.axes) {
            if let Some(name) = asked {
                *label = cleaned(name);
            }
        }
        labels.size = frame.size.or(labels.size);
        Figure { content: Box::new(content), labels }
    }

    /// The figure as an SVG document, with texts as texts and a size in CSS pixels.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        plotters::svg(&self.scene()?)
    }

    /// The figure as a PNG file, with two pixels for every CSS pixel of the SVG.
    pub fn to_png(&self) -> Result<Vec<u8>, FigureError> {
        bitmap::png(&self.scene()?)
    }

    /// The figure as a PDF document of one page, with its font inside and three points for every four CSS pixels.
    pub fn to_pdf(&self) -> Result<Vec<u8>, FigureError> {
        pdf(&self.scene()?)
    }

    /// The figure as files of these kinds, laid out once. They are made in two threads: a bitmap takes longer than the others together.
    pub fn to_files(&self, formats: &[Format]) -> Result<Vec<Vec<u8>>, FigureError> {
        let scene = self.scene()?;
        let file = |format: &Format| match format {
            Format::Svg => plotters::svg(&scene).map(String::into_bytes),
            Format::Pdf => pdf(&scene),
            Format::Png => bitmap::png(&scene),
        };
        in_halves(formats, file).into_iter().collect()
    }

    /// The figure as a file of this kind.
    pub fn to_file(&self, format: Format) -> Result<Vec<u8>, FigureError> {
        self.to_files(&[format]).map(|files| files.concat())
    }

    pub(crate) fn scene(&self) -> Result<Scene, FigureError> {
        self.scene_of(self.labels.size)
    }

    /// The scene of this size in place of the one that was asked for; without a size, as the figure is by itself.
    pub(crate) fn scene_of(&self, size: Option<FigureSize>) -> Result<Scene, FigureError> {
        // Texts are measured while the content is laid out.
        font::check()?;
        let labels = Labels { size, ..self.labels.clone() };
        let mut scene = match size {
            Some(size) => self.fitted(&labels, size.height),
            None => self.content.composed(&labels),
        };
        let paints = self.content.watermark();
        if !paints.is_empty() {
            // above lines and areas, below all texts
            let is_text = |mark: &Mark| matches!(mark, Mark::Text(_));
            let (texts, shapes) = std::mem::take(&mut scene.marks).into_iter().partition(is_text);
            scene.marks = shapes;
            for paint in paints {
                draw_watermark(&mut scene, *paint);
            }
            scene.marks.extend::<Vec<Mark>>(texts);
        }
        Ok(scene)
    }

    /// The content with panels so high that the figure has this height. The height of a figure grows evenly with that of its panels.
    fn fitted(&self, labels: &Labels, height: f64) -> Scene {
        let composed = |stretch: f64| self.content.composed(&Labels { stretch, ..labels.clone() });
        let [once, twice] = [1.0, 2.0].map(|stretch| composed(stretch).height);
        let stretch = if twice > once { 1.0 + (height - once) / (twice - once) } else { 1.0 };
        composed(stretch)
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
pub(crate) enum Exposure<T> {
    Public(T),
    Private(NonPrivate<T>),
}

impl<T> Exposure<T> {
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
