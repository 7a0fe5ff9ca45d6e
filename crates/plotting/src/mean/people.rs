//! Curves of people as they were read, for the curator alone.

use dpfda_privacy::NonPrivate;
use dpfda_smoothing::CurveSet;

use crate::canvas::palette::{GREEN, GREY, Paint, WATERMARK};
use crate::canvas::scene::Scene;
use crate::figure::{Content, Figure, Labels, TwoAxes};
use crate::mean::from_release::{MOST_CURVES, private_layer};
use crate::mean::layer::PrivateLayer;
use crate::parts::axis::Axis;
use crate::parts::column::MARGIN;
use crate::parts::columns::{Columns, Row, ticks_of_height};
use crate::parts::header::{CURATOR_CAPTION, Header};
use crate::parts::legend::Key;
use crate::parts::panel::{MEAN_WIDTH, Panel, RAW_WIDTH, widest_tick};

#[cfg(test)]
#[path = "people_tests.rs"]
mod tests;

/// Curves as they were read, and their mean without noise: private data. Every part of the figure is watermarked
/// `NOT PRIVATE - CURATOR ONLY`. Of more than 400 curves, rows at equal distances are shown.
///
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_plotting::CurvesFigure;
/// use dpfda_privacy::NonPrivate;
/// use dpfda_smoothing::CurveSet;
/// use ndarray::array;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 3)?, array![[0.4, f64::NAN, 0.6], [0.3, 0.4, 0.5]])?;
/// let svg = CurvesFigure::of_people(NonPrivate::new(&curves)).to_svg()?;
/// assert!(svg.contains("NOT PRIVATE"));
/// # Ok(())
/// # }
/// ```
pub type CurvesFigure = Figure<People>;

/// Curves of people. `Debug` shows nothing of them.
#[derive(Debug)]
pub struct People(NonPrivate<PrivateLayer>);

impl TwoAxes for People {}

impl CurvesFigure {
    /// The figure of these curves. The axes are `t` and `value` until they are named.
    pub fn of_people(curves: NonPrivate<&CurveSet>) -> Self {
        Self::of(
            People(curves.map(|curves| private_layer(curves, MOST_CURVES))),
            "Curves as they were read",
            &["t", "value"],
        )
    }
}

impl Content for People {
    fn composed(&self, labels: &Labels) -> Scene {
        let layer = self.0.reveal();
        let (_, width, height) = labels.frame(1);
        let y = Axis::covering(layer.curves.iter().flatten().copied(), 0.05, ticks_of_height(height));
        let (x, columns) = Columns::sharing_axis(1, width, widest_tick(&y), &layer.t);
        let mut scene = Scene { width, ..Scene::default() };
        let shown = if layer.curves.len() < layer.total {
            format!("{} of {} curves, at equal distances", layer.curves.len(), layer.total)
        } else {
            "curves".to_owned()
        };
        let legend =
            [(Key::Stroke(RAW_WIDTH, GREY), shown), (Key::Stroke(MEAN_WIDTH, GREEN), "mean, not private".to_owned())];
        let header = Header { warning: Some(CURATOR_CAPTION), legend: &legend, ..Header::default() };
        let column = header.draw(&mut scene, &labels.title);
        let names = (labels.axes[0].as_str(), vec![y.labelled(&labels.axes[1])]);
        let place = Row { columns: &columns, height, axes: vec![(&x, &y)], names, below: 0 };
        let content = |scene: &mut Scene, panel: &Panel<'_>, _: usize| {
            for curve in &layer.curves {
                panel.draw_curve(scene, &layer.t, curve, RAW_WIDTH, GREY);
            }
            panel.draw_curve(scene, &layer.t, &layer.mean, MEAN_WIDTH, GREEN);
        };
        let bottom = place.draw(&mut scene, column.y + 8.0, |_, _, _| {}, content);
        scene.height = (bottom + 0.7 * MARGIN).ceil();
        scene
    }

    fn watermark(&self) -> &'static [Paint] {
        &[WATERMARK]
    }
}
