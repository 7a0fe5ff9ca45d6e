//! The bar that shows which colour is which number.

use crate::canvas::font::{CAP_HEIGHT, width};
use crate::canvas::palette::{INK, Ramp};
use crate::canvas::scene::{Anchor, Scene};
use crate::canvas::text::lines_of_words;
use crate::parts::column::Column;
use crate::parts::panel::{TICK_EM, TICK_GAP, draw_tick_below};

/// The width of the widest bar, and the free room beside a bar.
const BAR_WIDTH: f64 = 440.0;
const BESIDE_BAR: f64 = 60.0;
const BAR_HEIGHT: f64 = 12.0;

/// Draws a bar with the colours of a ramp at the positions from 0 to 1, and texts below some of them.
pub(crate) fn draw_bar(scene: &mut Scene, column: &mut Column, name: &str, ticks: Vec<(f64, String)>, ramp: Ramp) {
    const EM: f64 = 11.0;
    const STRIPS: i32 = 220;
    // Beside a bar of its full width, or on a quarter of a narrow column; a longer name stands above the bar.
    let fits = width(name, EM) <= (column.room - BAR_WIDTH - BESIDE_BAR).max(0.25 * column.room);
    if !fits {
        column.lines(scene, &lines_of_words(name, 11.0, column.room, 5), 11.0, INK);
    }
    let name = if fits { name } else { "" };
    let bar_width = BAR_WIDTH.min(column.room - BESIDE_BAR - width(name, EM));
    let ticks = apart(ticks, TICK_EM, bar_width);
    let half_label = ticks.first().map_or(0.0, |(_, label)| 0.5 * width(label, TICK_EM));
    let beside = if name.is_empty() { 0.0 } else { width(name, EM) + 14.0 };
    let left = (column.left + half_label.max(beside)).ceil();
    let top = column.y.ceil() + 9.0;
    let bottom = top + BAR_HEIGHT;
    scene.text(name, (column.left, bottom - 0.5 * (BAR_HEIGHT - CAP_HEIGHT * EM)), EM, Anchor::Start, INK);
    for strip in 0..STRIPS {
        // Each strip reaches under the next one: no seams. One that reached under all would make the edges darker from strip to strip.
        let length = bar_width / f64::from(STRIPS);
        let from = f64::from(strip) * length;
        let paint = ramp.at((f64::from(strip) + 0.5) / f64::from(STRIPS));
        scene.rectangle((left + from, top), (2.0 * length).min(bar_width - from), BAR_HEIGHT, paint);
    }
    for (at, label) in ticks {
        draw_tick_below(scene, (left + at * bar_width, bottom), &label);
    }
    column.y = bottom + TICK_GAP + TICK_EM;
}

/// The first and the last tick, and the ticks between them whose labels do not touch.
fn apart(ticks: Vec<(f64, String)>, em: f64, bar_width: f64) -> Vec<(f64, String)> {
    let ends = |(at, label): &(f64, String)| {
        let half = 0.5 * width(label, em) + 4.0;
        (at * bar_width - half, at * bar_width + half)
    };
    let last = ticks.len().saturating_sub(1);
    let before_last = ticks.last().map_or(0.0, |tick| ends(tick).0);
    let mut free = f64::NEG_INFINITY;
    let mut kept = Vec::new();
    for (i, tick) in ticks.into_iter().enumerate() {
        let (from, to) = ends(&tick);
        if i == last || (from >= free && to <= before_last) {
            free = to;
            kept.push(tick);
        }
    }
    kept
}
