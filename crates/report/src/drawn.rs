//! Figures, where they are compiled; without them there is none, and nothing that goes wrong with one.

#[cfg(feature = "figures")]
pub use dpfda::plotting::{Drawing, FigureError};

#[cfg(not(feature = "figures"))]
pub use none::{Drawing, FigureError};

#[cfg(not(feature = "figures"))]
mod none {
    /// No figure is drawn: none can fail.
    pub type FigureError = std::convert::Infallible;

    /// A figure that there never is.
    pub struct Drawing(FigureError);

    impl Drawing {
        /// Its markup.
        pub fn to_svg(&self) -> Result<String, FigureError> {
            Err(self.0)
        }
    }
}
