//! How a figure looks, as far as that was asked for.

use dpfda::kinds::Picture;
use dpfda::plotting::{Figure, FigureSize, Frame};

use dpfda_study::{Figure as Settings, Label};

/// Title, names of the axes and size.
#[derive(Debug, Clone, Default)]
pub struct Look {
    title: Option<String>,
    /// The first axis of a surface.
    s: Option<String>,
    x: Option<String>,
    y: Option<String>,
    size: Option<FigureSize>,
}

impl Look {
    /// What the settings ask for. Units stand behind the name of the vertical axis.
    pub fn of(settings: &Settings) -> Self {
        let text = |label: &Option<Label>| label.as_ref().map(|label| label.0.clone());
        let y = settings.vertical();
        let size = settings.size.as_ref().and_then(|size| FigureSize::new(size.pixels.0, size.pixels.1).ok());
        Self { title: text(&settings.title), s: text(&settings.s_label), x: text(&settings.x_label), y, size }
    }

    /// The title, or the usual one.
    pub fn title<'a>(&'a self, usual: &'a str) -> &'a str {
        self.title.as_deref().unwrap_or(usual)
    }

    /// The title that was asked for.
    pub fn own_title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The names of the axes, or the usual ones.
    pub fn axes<'a>(&'a self, (x, y): (&'a str, &'a str)) -> (&'a str, &'a str) {
        (self.x.as_deref().unwrap_or(x), self.y.as_deref().unwrap_or(y))
    }

    /// The frame of the figure of an answer.
    pub fn frame(&self, picture: &Picture) -> Frame<'_> {
        let [x, s, y] = [&self.x, &self.s, &self.y].map(Option::as_deref);
        let axes = if matches!(picture, Picture::Surface(_)) { [x, s, y] } else { [x, y, None] };
        Frame { title: self.title.as_deref(), axes, size: self.size }
    }

    /// The size.
    pub fn size(&self) -> Option<FigureSize> {
        self.size
    }

    /// A figure of released functions with this look; `title` and `axes` are the usual ones.
    pub fn applied(&self, figure: Figure, title: &str, axes: (&str, &str)) -> Figure {
        let (x, y) = self.axes(axes);
        let figure = figure.title(self.title(title)).axes(x, y);
        match self.size {
            Some(size) => figure.size(size),
            None => figure,
        }
    }
}
