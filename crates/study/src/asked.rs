//! From a checked study to what it asks of the library: each kind in a file of its own, for every door.

mod ball;
mod band;
mod budget;
mod centiles;
mod change;
mod density;
mod groups;
mod labels;
mod layout;
mod mean;
mod parts;
mod regression;
mod rows;
mod source;
mod surface;

pub use ball::PublicBall;
pub use band::{BandChoice, Selected, Selection};
pub use centiles::AskedCentiles;
pub use change::AskedChange;
pub use density::{AskedDensity, MOST_CELLS, MOST_DRAWS, RECORDS};
pub use groups::AskedGroups;
pub use mean::AskedMean;
pub use parts::check_names;
pub use regression::AskedRegression;
pub use rows::AskedRows;
pub use surface::AskedSurface;
