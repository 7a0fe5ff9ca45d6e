//! What figures are made of: axes, panels, headers, legends and heat maps.

pub(crate) mod axis;
pub(crate) mod colour_bar;
pub(crate) mod column;
pub(crate) mod columns;
pub(crate) mod header;
pub(crate) mod heat_map;
pub(crate) mod legend;
pub(crate) mod look;
pub(crate) mod panel;
pub(crate) mod plots;
pub(crate) mod stretches;
