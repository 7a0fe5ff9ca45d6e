//! Where everything goes on a figure of series.

use super::{AxisScale, LinePanel, Lines, Series, SeriesStyle};
use crate::canvas::scene::{Point, Scene};
use crate::figure::{Content, Labels};
use crate::parts::axis::Axis;
use crate::parts::header::Header;
use crate::parts::legend::{Entry, Key};
use crate::parts::look::{Look, draw_reference};
use crate::parts::panel::Panel;
use crate::parts::plots::{Heading, Plots};

/// The fraction of an axis' range that is free at both ends, for markers.
const PADDING: f64 = 0.04;

impl Content for Lines {
    fn composed(&self, labels: &Labels) -> Scene {
        let panels = &self.panels;
        let frame = labels.frame(panels.len());
        let (count, width, _) = frame;
        let mut scene = Scene { width, ..Scene::default() };
        let ticks = if count == 1 { 7.0 } else { 5.0 };
        let is_compared = |panel: &LinePanel, other: &&LinePanel| self.has_one_scale && other.y_scale == panel.y_scale;
        let y = panels
            .iter()
            .map(|panel| {
                let others = panels.iter().filter(|other| is_compared(panel, other));
                vertical_axis(panel.y_scale, others.chain([panel]), ticks)
            })
            .collect();
        let names = (labels.axes[0].as_str(), labels.axes[1].as_str());
        let plots = Plots::new(frame, names, y, |panel, ticks| {
            let panel = &panels[panel];
            axis(panel.x_scale, panel.series.iter().flat_map(|series| &series.x).copied(), ticks)
        });

        let column = Header { legend: &legend(self), ..Header::default() }.draw(&mut scene, &labels.title);
        let series = self.labels();
        let end = plots.draw(
            &mut scene,
            column.y + 8.0,
            |panel| heading(self, &panels[panel]),
            |scene, place, panel| draw_panel(scene, place, &panels[panel], &series),
        );
        scene.height = end.ceil();
        scene
    }
}

fn axis(scale: AxisScale, values: impl Iterator<Item = f64>, ticks: f64) -> Axis {
    match scale {
        AxisScale::Linear => Axis::covering(values, PADDING, ticks),
        AxisScale::Log10 => Axis::covering_logs(values, PADDING, ticks),
    }
}

fn vertical_axis<'a>(scale: AxisScale, panels: impl Iterator<Item = &'a LinePanel>, ticks: f64) -> Axis {
    let values = panels.flat_map(|panel| {
        let reference = panel.reference.iter().map(|(y, _)| *y);
        panel.series.iter().flat_map(|series| &series.y).copied().chain(reference)
    });
    axis(scale, values, ticks)
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
fn parts(series: &Series) -> (bool, bool) {
    if series.style == SeriesStyle::Area {
        return (false, false);
    }
    let line = series.style != SeriesStyle::Points && series.x.len() > 1;
    (line, series.style != SeriesStyle::Line || !line)
}

fn legend(figure: &Lines) -> Vec<Entry> {
    let series = || figure.panels.iter().flat_map(|panel| &panel.series);
    let entry = |(index, label): (usize, &&str)| {
        let its = || series().filter(|series| series.label == **label).map(parts);
        let (line, marker) = (its().any(|(line, _)| line), its().any(|(_, marker)| marker));
        (Key::Series { look: Look::of(index), line, marker }, (*label).to_owned())
    };
    let labels = figure.labels();
    let mut entries: Vec<Entry> = labels.iter().enumerate().filter(|(_, label)| !label.is_empty()).map(entry).collect();
    let reference = common_reference(figure).filter(|label| !label.is_empty());
    entries.extend(reference.map(|label| (Key::Dashes, label.to_owned())));
    entries
}

/// The reference line, all areas, all lines and, above them, all markers.
fn draw_panel(scene: &mut Scene, place: &Panel<'_>, panel: &LinePanel, labels: &[&str]) {
    if let Some((y, _)) = &panel.reference {
        let up = place.top + (1.0 - place.y.position(*y)) * place.height;
        draw_reference(scene, (place.left, up), place.left + place.width);
    }
    let placed: Vec<(Look, &Series, Vec<Point>)> = panel
        .series
        .iter()
        .map(|series| {
            let look = Look::of(labels.iter().position(|label| *label == series.label).unwrap_or(0));
            let points = series.x.iter().zip(&series.y).map(|(x, y)| place.place(*x, *y)).collect();
            (look, series, points)
        })
        .collect();
    for (look, _, points) in placed.iter().filter(|(_, series, _)| series.style == SeriesStyle::Area) {
        look.draw_area(scene, points);
    }
    for (look, _, points) in placed.iter().filter(|(_, series, _)| parts(series).0) {
        look.draw_line(scene, points);
    }
    for (look, _, points) in placed.iter().filter(|(_, series, _)| parts(series).1) {
        for point in points {
            look.draw_marker(scene, *point);
        }
    }
}
