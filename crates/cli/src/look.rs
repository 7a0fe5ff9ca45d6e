//! How a figure looks, as far as that was asked for.

use dpfda::plotting::{FigureSize, Format, Frame};

use dpfda_study::{FormatName, Label, Sections};

/// Title, names of the axes, size and kinds of files.
#[derive(Debug, Clone, Default)]
pub struct Look {
    title: Option<String>,
    /// The first axis of a surface.
    s: Option<String>,
    x: Option<String>,
    y: Option<String>,
    size: Option<FigureSize>,
    /// All kinds of files where there are none.
    formats: Vec<Format>,
}

impl Look {
    /// What the settings ask for. Units stand behind the name of the vertical axis.
    pub fn of(said: &Sections) -> Self {
        let (settings, y) = (&said.figure, said.vertical());
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        let size = settings.size.as_ref().and_then(|size| FigureSize::new(size.pixels.0, size.pixels.1).ok());
        let formats = settings.formats.iter().flat_map(|formats| &formats.0).map(|name| match name {
            FormatName::Svg => Format::Svg,
            FormatName::Pdf => Format::Pdf,
            FormatName::Png => Format::Png,
        });
        let (s, x) = (text(&settings.s_label), text(&settings.x_label));
        Self { title: text(&settings.title), s, x, y, size, formats: formats.collect() }
    }

    /// The same for the difference of two means: units without a name are those of the values.
    pub fn of_difference(said: &Sections) -> Self {
        let look = Self::of(said);
        let named = look.y.as_ref().filter(|_| said.figure.y_label.is_none()).map(|y| format!("difference in {y}"));
        Self { y: named.or(look.y), ..look }
    }

    /// The frame of a figure of curves, or of one of surfaces.
    pub fn frame(&self, is_surface: bool) -> Frame<'_> {
        let [x, s, y] = [&self.x, &self.s, &self.y].map(Option::as_deref);
        let axes = if is_surface { [x, s, y] } else { [x, y, None] };
        Frame { title: self.title.as_deref(), axes, size: self.size, is_bare: false }
    }

    /// The kinds of files that figures are written as.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        Format::ALL.into_iter().filter(|format| self.formats.is_empty() || self.formats.contains(format))
    }
}
