//! The names of lines at their ends.

use super::Series;
use super::layout::parts;
use crate::canvas::font::{CAP_HEIGHT, width};
use crate::canvas::scene::{Anchor, Scene};
use crate::canvas::text::shortened;
use crate::parts::look::Look;
use crate::parts::panel::Panel;

const EM: f64 = 11.0;
/// From the end of a line to its name.
const GAP: f64 = 8.0;
/// From one name to the next.
const APART: f64 = 1.3 * EM;
/// The largest part of a figure that names take up.
const MOST: f64 = 0.35;

/// The room that names need right of the panels of a figure of this width.
pub(super) fn room(labels: Vec<&str>, figure_width: f64) -> f64 {
    labels.into_iter().map(|label| GAP + width(label, EM)).fold(0.0, f64::max).min(MOST * figure_width)
}

/// Writes the name of each line right of the panel, as near to the height of its last point as the other names leave room.
pub(super) fn draw(scene: &mut Scene, place: &Panel<'_>, series: &[Series], labels: &[&str], room: f64) {
    let named = series.iter().filter(|series| parts(series).0 && !series.label.is_empty());
    let mut names: Vec<(f64, &Series)> =
        named.filter_map(|series| Some((place.place(*series.x.last()?, *series.y.last()?).1, series))).collect();
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let heights = apart(&names.iter().map(|(y, _)| *y).collect::<Vec<f64>>(), place.top + place.height);
    for ((_, series), y) in names.into_iter().zip(heights) {
        let look = Look::of(labels.iter().position(|label| *label == series.label).unwrap_or(0));
        let at = (place.left + place.width + GAP, y + 0.5 * CAP_HEIGHT * EM);
        scene.text(shortened(&series.label, EM, room - GAP), at, EM, Anchor::Start, look.paint());
    }
}

/// Ascending heights moved apart: downwards, and upwards again where the last is below the bottom.
fn apart(heights: &[f64], bottom: f64) -> Vec<f64> {
    let mut found: Vec<f64> = heights.to_vec();
    for i in 1..found.len() {
        found[i] = found[i].max(found[i - 1] + APART);
    }
    let mut most = bottom;
    for height in found.iter_mut().rev() {
        *height = height.min(most);
        most = *height - APART;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_touch_and_stay_above_the_bottom() {
        for heights in [vec![1.0, 2.0, 3.0], vec![90.0, 95.0, 99.0], vec![0.0, 50.0, 100.0]] {
            let found = apart(&heights, 100.0);
            assert!(found.windows(2).all(|pair| pair[1] - pair[0] >= APART - 1e-9), "{found:?}");
            assert!(found.iter().all(|height| *height <= 100.0), "{found:?}");
        }
        assert_eq!(apart(&[0.0, 50.0, 100.0], 100.0), [0.0, 50.0, 100.0]);
    }
}
