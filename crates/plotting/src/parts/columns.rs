//! Panels side by side, below their headings and beside the labels of their axes.

use crate::canvas::font::CAP_HEIGHT;
use crate::canvas::palette::INK;
use crate::canvas::scene::{Anchor, Scene};
use crate::canvas::text::lines_of_words;
use crate::parts::axis::Axis;
use crate::parts::column::{Column, MARGIN};
use crate::parts::panel::{Panel, TICK_EM, TICK_GAP, widest_tick};

/// Em of the labels of the axes.
pub(crate) const LABEL_EM: f64 = 12.0;
/// The smallest letters of a label that is long.
const LEAST_EM: f64 = 9.0;
/// From the left edge of the figure to whatever stands right of the vertical axis' label.
pub(crate) const BESIDE_LABEL: f64 = MARGIN + AFTER_LABEL;
/// From a panel's bottom to the end of its tick labels, and of the label of its axis.
pub(crate) const BELOW_TICKS: f64 = TICK_GAP + TICK_EM + 8.0;
pub(crate) const BELOW_LABEL: f64 = BELOW_TICKS + LABEL_EM + 5.0;
/// From the left end of a vertical axis' label to what stands right of it.
const AFTER_LABEL: f64 = LABEL_EM + 10.0;
/// Panels are not narrower than this, where fewer can stand side by side.
const LEAST_WIDTH: f64 = 190.0;

/// How many of this many panels go side by side, and the width of their figure.
pub(crate) fn side_by_side(panels: usize) -> (usize, f64) {
    let count = match panels {
        0..=3 => panels.max(1),
        4 => 2,
        _ => 3,
    };
    (count, if count == 3 { 1000.0 } else { 800.0 })
}

/// At most this many panels side by side, and as many as a figure of this width has room for.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width is positive and below 1e4")]
pub(crate) fn within_width(count: usize, width: f64) -> usize {
    count.min(((width - MARGIN) / LEAST_WIDTH) as usize).max(1)
}

/// The height of the panels of a figure with this many side by side.
pub(crate) fn panel_height(count: usize) -> f64 {
    match count {
        1 => 350.0,
        2 => 270.0,
        _ => 240.0,
    }
}

/// Between the labels of two ticks.
const BETWEEN_TICKS: f64 = 14.0;

/// About how many ticks a vertical axis of this height has.
pub(crate) fn ticks_of_height(height: f64) -> f64 {
    (height / 46.0).clamp(3.0, 7.0)
}

/// The axis with the largest number of ticks whose labels stay apart from each other on this width.
pub(crate) fn with_ticks_apart(room: f64, axis: impl Fn(f64) -> Axis) -> Axis {
    [7.0, 5.0, 4.0, 3.0, 2.0]
        .map(&axis)
        .into_iter()
        .find(|axis| widest_tick(axis) + BETWEEN_TICKS <= least_distance(axis) * room)
        .unwrap_or_else(|| axis(1.0))
}

/// The least distance of two ticks, as a part of the axis; infinite where there are no two.
fn least_distance(axis: &Axis) -> f64 {
    axis.ticks.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs()).fold(f64::INFINITY, f64::min)
}

/// The columns of panels: the left edge of the first, the width of each and the distance between two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Columns {
    pub(crate) count: usize,
    pub(crate) left: f64,
    pub(crate) width: f64,
    pub(crate) gap: f64,
    /// The width of the widest tick label of the vertical axes, where every panel has tick labels of its own.
    own_ticks: Option<f64>,
}

impl Columns {
    /// The columns of panels that share a horizontal axis over these points, on a figure of this width, and that axis;
    /// `beside` is the width of the vertical axes' tick labels.
    pub(crate) fn sharing_axis(count: usize, figure_width: f64, beside: f64, points: &[f64]) -> (Axis, Self) {
        let panels = count as f64;
        let left = BESIDE_LABEL + beside + TICK_GAP;
        let rough = (figure_width - left - MARGIN) / panels - MARGIN;
        let x = with_ticks_apart(rough, |ticks| Axis::covering(points.iter().copied(), 0.0, ticks));
        // Half of a tick label may stand out on both sides of a panel.
        let gap = (widest_tick(&x) + 10.0).max(MARGIN);
        let right = (0.5 * widest_tick(&x) + 6.0).max(MARGIN);
        let width = (figure_width - left - right - gap * (panels - 1.0)) / panels;
        (x, Self { count, left, width, gap, own_ticks: None })
    }

    /// The columns of panels with axes of their own; `beside` and `below` are the widths of the widest tick labels of the
    /// vertical and of the horizontal axes. With `own_labels` there is room for a label beside each panel, else only beside the first.
    ///
    /// All edges are whole pixels, so that no seams show between the cells of a heat map.
    pub(crate) fn with_own_axes(
        count: usize,
        figure_width: f64,
        (beside, below): (f64, f64),
        own_labels: bool,
    ) -> Self {
        // Half of a label below may stand out on both sides.
        let half = 0.5 * below;
        let left = (BESIDE_LABEL + beside + TICK_GAP).ceil();
        let label = if own_labels { AFTER_LABEL } else { 0.0 };
        let gap = (label + beside + TICK_GAP + MARGIN).max(2.0 * half + 10.0).ceil();
        let room = figure_width - left - (half + 6.0).max(MARGIN) - gap * (count as f64 - 1.0);
        Self { count, left, width: (room / count as f64).floor(), gap, own_ticks: Some(beside) }
    }

    /// Where the label of a panel's vertical axis begins.
    pub(crate) fn label_of(&self, place: usize) -> f64 {
        self.left_of(place) - TICK_GAP - self.own_ticks.unwrap_or_default() - AFTER_LABEL
    }

    /// The left edge of a panel.
    pub(crate) fn left_of(&self, place: usize) -> f64 {
        self.left + place as f64 * (self.width + self.gap)
    }

    /// Draws the headings of a row's panels and returns the top of the panels.
    pub(crate) fn draw_headings(
        &self,
        scene: &mut Scene,
        panels: usize,
        top: f64,
        heading: impl Fn(&mut Scene, &mut Column, usize),
    ) -> f64 {
        let end = |scene: &mut Scene, place: usize, y: f64| {
            let mut column = Column { left: self.left_of(place), room: self.width, y };
            heading(scene, &mut column, place);
            column.y
        };
        // Headings differ in height, and each ends where its panel begins: they are measured first, then drawn.
        let ends: Vec<f64> = (0..panels).map(|place| end(&mut Scene::default(), place, top)).collect();
        let lowest = ends.iter().copied().fold(top, f64::max);
        for (place, its) in ends.iter().enumerate() {
            end(scene, place, top + lowest - its);
        }
        if lowest > top { lowest + 6.0 } else { top }
    }
}

/// One row of panels.
pub(crate) struct Row<'a> {
    pub(crate) columns: &'a Columns,
    pub(crate) height: f64,
    /// The horizontal and the vertical axis of each panel.
    pub(crate) axes: Vec<(&'a Axis, &'a Axis)>,
    /// The name below the panels, and the label beside the row, or one for each panel.
    pub(crate) names: (&'a str, Vec<String>),
    /// How many panels the next row has. Where panels share a horizontal axis, its name stands below the lowest only.
    pub(crate) below: usize,
}

impl Row<'_> {
    /// Draws the row and returns where the next may begin.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        top: f64,
        heading: impl Fn(&mut Scene, &mut Column, usize),
        content: impl Fn(&mut Scene, &Panel<'_>, usize),
    ) -> f64 {
        let has_own_axes = self.columns.own_ticks.is_some();
        let heading = |scene: &mut Scene, column: &mut Column, place: usize| {
            heading(scene, column, place);
            self.names.1.get(place).into_iter().for_each(|name| name_above(scene, column, name, self.height));
        };
        let top = self.columns.draw_headings(scene, self.axes.len(), top, heading);
        let top = if has_own_axes { top.ceil() } else { top };
        let (width, height, bottom) = (self.columns.width, self.height, top + self.height);
        let mut end = bottom + TICK_GAP;
        for (place, (x, y)) in self.axes.iter().enumerate() {
            let panel = Panel { left: self.columns.left_of(place), top, width, height, x, y };
            // panels that share a horizontal axis one below the other have its labels below the lowest
            let is_lowest = place >= self.below;
            panel.draw_ticks(scene, (is_lowest, has_own_axes || place == 0));
            content(scene, &panel, place);
            if has_own_axes {
                panel.draw_marks(scene);
            }
            panel.draw_frame(scene);
            if is_lowest {
                end = end.max(draw_label_below(scene, &x.labelled(self.names.0), panel.left, width, bottom));
            }
        }
        match &self.names.1[..] {
            [one] => draw_label_beside(scene, one, top, height),
            own => {
                for (place, name) in own.iter().enumerate() {
                    draw_label_at(scene, name, self.columns.label_of(place), (top, height));
                }
            }
        }
        end
    }
}

/// From a line of a label to the next, in units of the em.
const BETWEEN_LINES: f64 = 1.25;

/// Draws the label of a horizontal axis below a panel, and returns where it ends. A long label has smaller letters and more lines.
pub(crate) fn draw_label_below(scene: &mut Scene, label: &str, left: f64, room: f64, bottom: f64) -> f64 {
    let small = || (LEAST_EM, lines_of_words(label, LEAST_EM, room, usize::MAX));
    let (em, lines) = fitted(label, room).unwrap_or_else(small);
    let end = bottom + BELOW_LABEL + BETWEEN_LINES * em * (lines.len() as f64 - 1.0).max(0.0);
    for (place, line) in lines.into_iter().enumerate() {
        let y = bottom + BELOW_LABEL - 5.0 + BETWEEN_LINES * em * place as f64;
        scene.text(line, (left + 0.5 * room, y), em, Anchor::Middle, INK);
    }
    end
}

/// Sets the label of a vertical axis above its panel, if it has no room beside one of this height.
pub(crate) fn name_above(scene: &mut Scene, column: &mut Column, label: &str, height: f64) {
    if fitted(label, height).is_none() {
        column.lines(scene, &lines_of_words(label, 10.0, column.room, usize::MAX), 10.0, INK);
    }
}

/// Draws the label of a vertical axis at the edge of the figure. A long label has up to three lines of smaller letters, and a longer one
/// stands above the panel.
pub(crate) fn draw_label_beside(scene: &mut Scene, label: &str, top: f64, height: f64) {
    draw_label_at(scene, label, MARGIN, (top, height));
}

/// The same with the left end of a line of full size at `left`.
pub(crate) fn draw_label_at(scene: &mut Scene, label: &str, left: f64, (top, height): (f64, f64)) {
    let Some((em, lines)) = fitted(label, height) else { return };
    let block = CAP_HEIGHT * em + BETWEEN_LINES * em * (lines.len() as f64 - 1.0);
    // the lines stand about the middle of what one line of full size takes
    let first = left + 0.5 * (CAP_HEIGHT * LABEL_EM - block) + CAP_HEIGHT * em;
    for (place, line) in lines.into_iter().enumerate() {
        scene.upward_text(line, (first + BETWEEN_LINES * em * place as f64, top + 0.5 * height), em, INK);
    }
}

/// The size and the lines of a label on this length, as large as it can be; `None` if it is too long.
fn fitted(label: &str, room: f64) -> Option<(f64, Vec<String>)> {
    let fits = |(em, most): (f64, usize)| {
        let lines = lines_of_words(label, em, room, usize::MAX);
        (lines.len() <= most).then_some((em, lines))
    };
    [(LABEL_EM, 1), (11.0, 1), (10.0, 2), (LEAST_EM, 3)].into_iter().find_map(fits)
}
