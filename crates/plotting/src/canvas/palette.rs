//! The colours of all figures.

/// A colour and its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paint {
    pub(crate) rgb: (u8, u8, u8),
    pub(crate) alpha: f64,
}

impl Paint {
    pub(crate) const fn solid(r: u8, g: u8, b: u8) -> Self {
        Self { rgb: (r, g, b), alpha: 1.0 }
    }

    /// The same colour with this opacity.
    pub(crate) const fn faded(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }
}

/// Text and axes.
pub(crate) const INK: Paint = Paint::solid(34, 34, 34);
/// Captions and ticks.
pub(crate) const SOFT_INK: Paint = Paint::solid(85, 85, 85);
/// Headings of sheets.
pub(crate) const ACCENT: Paint = Paint::solid(0, 90, 145);
/// Grid lines.
pub(crate) const GRID: Paint = Paint::solid(229, 229, 229);
/// Letters on a coloured band; the background.
pub(crate) const PAPER: Paint = Paint::solid(255, 255, 255);
/// Raw curves.
pub(crate) const GREY: Paint = Paint::solid(190, 190, 190);
/// Okabe and Ito's black: the raw mean.
pub(crate) const BLACK: Paint = Paint::solid(0, 0, 0);
/// Okabe and Ito's bluish green: a mean without noise.
pub(crate) const GREEN: Paint = Paint::solid(0, 158, 115);
/// Okabe and Ito's blue: a released function.
pub(crate) const BLUE: Paint = Paint::solid(0, 114, 178);
/// Okabe and Ito's sky blue: its noise.
pub(crate) const SKY_BLUE: Paint = Paint::solid(86, 180, 233);
/// Okabe and Ito's vermilion: warnings, and a sanitised estimate beside other means.
pub(crate) const VERMILION: Paint = Paint::solid(213, 94, 0);
/// The neighbours of a released function: other colours of Okabe and Ito's palette, dark grey, and wine from Tol's.
pub(crate) const NEIGHBOURS: [Paint; 6] =
    [Paint::solid(230, 159, 0), GREEN, Paint::solid(204, 121, 167), SOFT_INK, Paint::solid(136, 34, 85), VERMILION];

/// The ribbon of the privacy noise, or a band.
pub(crate) const RIBBON: Paint = SKY_BLUE.faded(0.4);
/// Parts of the domain that a release says next to nothing about.
pub(crate) const UNSUPPORTED: Paint = GREY.faded(0.45);
/// The area under a density.
pub(crate) const MASS: Paint = BLUE.faded(0.13);
/// Cells that could be empty: none of the colours of [`VIRIDIS`].
pub(crate) const EMPTY: Paint = Paint::solid(226, 226, 226);
/// Where a band leaves out 0.
pub(crate) const TOLD: Paint = NEIGHBOURS[0].faded(0.17);
/// Scores far above the least: none of the colours of [`VIRIDIS`].
pub(crate) const BEYOND: Paint = Paint::solid(214, 214, 214);
pub(crate) const WATERMARK: Paint = VERMILION.faded(0.17);
/// Series: Okabe and Ito's palette without the sky blue and the yellow, which are too light for thin lines.
pub(crate) const SERIES: [Paint; 6] = [BLUE, VERMILION, GREEN, NEIGHBOURS[2], NEIGHBOURS[0], BLACK];

/// Colours for numbers: anchors at equal distances, two or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ramp(&'static [(u8, u8, u8)]);

impl Ramp {
    /// The colour at a position between 0 and 1.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positions and colours are checked to fit"
    )]
    pub(crate) fn at(self, position: f64) -> Paint {
        let last = self.0.len() - 1;
        let place = position.clamp(0.0, 1.0) * last as f64;
        let below = (place as usize).min(last - 1);
        let (from, to) = (self.0[below], self.0[below + 1]);
        let mixed =
            |a: u8, b: u8| (f64::from(a) + (place - below as f64) * (f64::from(b) - f64::from(a))).round() as u8;
        Paint::solid(mixed(from.0, to.0), mixed(from.1, to.1), mixed(from.2, to.2))
    }
}

/// Viridis (Smith and van der Walt, 2015): lightness grows evenly, and the colour blind see it too.
pub(crate) const VIRIDIS: Ramp = Ramp(&[
    (68, 1, 84),
    (72, 40, 120),
    (62, 73, 137),
    (49, 104, 142),
    (38, 130, 142),
    (31, 158, 137),
    (53, 183, 121),
    (110, 206, 88),
    (181, 222, 43),
    (253, 231, 37),
]);

/// Blue for negative values, white for 0, red for positive ones: anchors of a ramp of Brewer's, which the colour blind can read.
pub(crate) const DIVERGING: Ramp = Ramp(&[
    (33, 102, 172),
    (67, 147, 195),
    (146, 197, 222),
    (209, 229, 240),
    (247, 247, 247),
    (253, 219, 199),
    (244, 165, 130),
    (214, 96, 77),
    (178, 24, 43),
]);

/// Certainty: from none to enough.
pub(crate) const GREYS: Ramp = Ramp(&[(247, 247, 247), (37, 37, 37)]);
