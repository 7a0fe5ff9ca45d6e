//! Where everything goes on a figure of series.

use super::{AxisScale, LinePanel, Lines, Series, SeriesStyle};
use crate::canvas::clip::clipped;
use crate::canvas::palette::{GREY, SOFT_INK, TOLD};
use crate::canvas::scene::{Point, Scene};
use crate::figure::{Content, Labels};
use crate::lines::direct;
use crate::parts::axis::Axis;
use crate::parts::columns::ticks_of_height;
use crate::parts::header::Header;
use crate::parts::legend::{Entry, Key};
use crate::parts::look::{Look, draw_reference};
use crate::parts::panel::{Panel, RAW_WIDTH};
use crate::parts::plots::{Heading, Plots};
use crate::parts::stretches::{CUT, CUT_WIDTH, WITHOUT_ZERO, draw_cut, is_cut, reaching, shade};

/// The fraction of an axis' range that is free at both ends.
const PADDING: f64 = 0.04;

impl Content for Lines {
    fn composed(&self, labels: &Labels) -> Scene {
        let panels = &self.panels;
        let frame = labels.frame(panels.len());
        let (_, width, height) = frame;
        let mut scene = Scene { width, ..Scene::default() };
        let ticks = ticks_of_height(height);
        let is_compared = |panel: &LinePanel, other: &&LinePanel| self.has_one_scale && other.y_scale == panel.y_scale;
        let y = panels
            .iter()
            .map(|panel| {
                let others = panels.iter().filter(|other| is_compared(panel, other));
                vertical_axis(panel, others.chain([panel]), ticks)
            })
            .collect();
        let vertical = panels.iter().map(|panel| panel.y_name.as_ref().unwrap_or(&labels.axes[1]).as_str()).collect();
        // markers need room at the ends
        let padding = if panels.iter().flat_map(|panel| &panel.series).any(|one| parts(one).1) { PADDING } else { 0.0 };
        let right = if self.is_direct { direct::room(self.labels(), width) } else { 0.0 };
        let plots = Plots::new(frame, (&labels.axes[0], vertical), (y, right), |panel, ticks| {
            let panel = &panels[panel];
            let values = panel.series.iter().flat_map(|series| &series.x).copied();
            axis(panel.x_scale, values, (padding, ticks), None)
        });

        let facts = std::slice::from_ref(&self.caption);
        let header = Header { from_seed: self.from_seed, facts, legend: &legend(self), ..Header::default() };
        let column = header.draw(&mut scene, &labels.title);
        let series = self.labels();
        let end = plots.draw(
            &mut scene,
            column.y + 8.0,
            |panel| heading(self, &panels[panel]),
            |scene, place, panel| {
                draw_panel(scene, place, &panels[panel], &series);
                if self.is_direct {
                    direct::draw(scene, place, &panels[panel].series, &series, right);
                }
            },
        );
        scene.height = end.ceil();
        scene
    }
}

fn axis(
    scale: AxisScale,
    values: impl Iterator<Item = f64>,
    (padding, ticks): (f64, f64),
    limits: Option<(f64, f64)>,
) -> Axis {
    match scale {
        AxisScale::Linear => Axis::covering_within(values, padding, ticks, limits),
        AxisScale::Log10 => Axis::covering_logs(values, padding, ticks),
    }
}

fn vertical_axis<'a>(panel: &LinePanel, panels: impl Iterator<Item = &'a LinePanel> + Clone, ticks: f64) -> Axis {
    let series = panels.clone().flat_map(|panel| &panel.series);
    let lines = series.filter(|series| series.style != SeriesStyle::Area).flat_map(|series| &series.y).copied();
    let limits = reaching(panel.limits, lines);
    let values = panels.flat_map(|panel| {
        let reference = panel.reference.iter().map(|(y, _)| *y);
        panel.series.iter().flat_map(|series| &series.y).copied().chain(reference)
    });
    axis(panel.y_scale, values, (PADDING, ticks), limits)
}

/// The label of the reference lines, if all panels that have one have the same.
fn common_reference(figure: &Lines) -> Option<&str> {
    let mut labels = figure.panels.iter().filter_map(|panel| panel.reference.as_ref()).map(|(_, label)| label.as_str());
    let first = labels.next()?;
    labels.all(|label| label == first).then_some(first)
}

fn heading(figure: &Lines, panel: &LinePanel) -> Heading {
    let own = panel.reference.as_ref().filter(|(_, label)| !label.is_empty() && common_reference(figure).is_none());
    let phrases = own.map(|(_, label)| format!("dashes: {label}")).into_iter().collect();
    Heading { label: panel.label.clone(), phrases }
}

/// Whether a series has a line, and whether it has markers.
pub(super) fn parts(series: &Series) -> (bool, bool) {
    if matches!(series.style, SeriesStyle::Area | SeriesStyle::Thin) {
        return (false, false);
    }
    let line = series.style != SeriesStyle::Points && series.x.len() > 1;
    (line, series.style != SeriesStyle::Line || !line)
}

fn legend(figure: &Lines) -> Vec<Entry> {
    let series = || figure.panels.iter().flat_map(|panel| &panel.series);
    let entry = |(index, label): (usize, &&str)| {
        let its = || series().filter(|series| series.label == **label);
        let has = |style: SeriesStyle| its().any(|series| series.style == style);
        let (line, marker) = (its().any(|series| parts(series).0), its().any(|series| parts(series).1));
        let key = if has(SeriesStyle::Thin) {
            Key::Stroke(RAW_WIDTH, GREY)
        } else {
            Key::Series { look: Look::of(index), line, marker, area: has(SeriesStyle::Area) }
        };
        (key, (*label).to_owned())
    };
    let is_told = |(_, label): &(usize, &&str)| {
        let has_line = || series().any(|series| series.label == **label && parts(series).0);
        !(label.is_empty() || figure.is_direct && has_line())
    };
    let labels = figure.labels();
    let mut entries: Vec<Entry> = labels.iter().enumerate().filter(is_told).map(entry).collect();
    let reference = common_reference(figure).filter(|label| !label.is_empty());
    entries.extend(reference.map(|label| (Key::Dashes, label.to_owned())));
    if figure.panels.iter().any(|panel| !panel.without_zero.is_empty()) {
        entries.push((Key::Patch(TOLD), WITHOUT_ZERO.to_owned()));
    }
    let cut = |panel: &LinePanel| is_cut(panel.series.iter().flat_map(|series| &series.y), panel.limits);
    if figure.panels.iter().any(cut) {
        entries.push((Key::Stroke(CUT_WIDTH, SOFT_INK), CUT.to_owned()));
    }
    entries
}

/// Shades, the reference line, all areas, all lines and, above them, all markers.
fn draw_panel(scene: &mut Scene, place: &Panel<'_>, panel: &LinePanel, labels: &[&str]) {
    shade(scene, place, &panel.without_zero);
    if let Some((y, _)) = &panel.reference {
        let up = place.top + (1.0 - place.y.position(*y)) * place.height;
        draw_reference(scene, (place.left, up), place.left + place.width);
    }
    let (least, most) = panel.limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let placed: Vec<(Look, &Series, Vec<Point>)> = panel
        .series
        .iter()
        .map(|series| {
            let look = Look::of(labels.iter().position(|label| *label == series.label).unwrap_or(0));
            let is_area = series.style == SeriesStyle::Area;
            let shown = |y: f64| if is_area { y.max(least).min(most) } else { y };
            let points = series.x.iter().zip(&series.y).map(|(x, y)| place.place(*x, shown(*y))).collect();
            (look, series, points)
        })
        .collect();
    for (_, series, _) in placed.iter().filter(|(_, series, _)| series.style == SeriesStyle::Thin) {
        place.draw_curve(scene, &series.x, &series.y, RAW_WIDTH, GREY);
    }
    for (look, series, points) in placed.iter().filter(|(_, series, _)| series.style == SeriesStyle::Area) {
        look.draw_area(scene, points);
        draw_cut(scene, place, (&series.x, &series.y), panel.limits, SOFT_INK);
    }
    let (low, high) = ((place.left, place.top), (place.left + place.width, place.top + place.height));
    for (look, _, points) in placed.iter().filter(|(_, series, _)| parts(series).0) {
        let inside = if panel.limits.is_some() { clipped(points, low, high) } else { vec![points.clone()] };
        for part in &inside {
            look.draw_line(scene, part);
        }
    }
    for (look, _, points) in placed.iter().filter(|(_, series, _)| parts(series).1) {
        for point in points {
            look.draw_marker(scene, *point);
        }
    }
}
