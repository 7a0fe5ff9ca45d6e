//! Chooses the smoother of a private mean.
//!
//! There are two ways, and they have different types:
//!
//! - [`select_after_release`] uses only a release. It is post-processing: it costs no privacy, it can be repeated, and
//!   its [`ScoreSurface`] is public.
//! - [`cross_validate`] and [`private_cross_validate`] use the curves. Their surfaces are
//!   [`NonPrivate`](dpfda_privacy::NonPrivate): **publishing a choice made this way, or anything released with it,
//!   spends privacy that nobody paid for**, even if the scores include noise. They are for data that are public
//!   already, for teaching, and for reproducing published work.

mod candidates;
mod cross_validation;
mod defaults;
mod fold_means;
mod folds;
mod norm_score;
mod progress;
mod score_surface;
mod unbiased_risk;

pub use candidates::{CandidateError, Candidates, KernelFamily, Position, geometric};
pub use cross_validation::{CrossValidation, CrossValidationError, Loss, cross_validate, private_cross_validate};
pub use defaults::DEFAULT_DRAWS;
pub use fold_means::Target;
pub use folds::{FoldError, Folds};
pub use progress::Progress;
pub use score_surface::{Edge, ScoreSurface, SurfaceError};
pub use unbiased_risk::{SelectionError, select_after_release};
