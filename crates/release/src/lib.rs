//! Private releases of mean functions.
//!
//! [`PrivateMean`] goes from curves of people to a [`Release`]; everything a [`Release`] and its [`ReleasedFunction`] can
//! do afterwards is post-processing and costs no privacy.

mod center;
mod defaults;
mod document;
mod encode;
mod function;
mod functional;
mod functional_map;
mod functionals;
mod functionals_release;
mod kept_path;
mod mechanism;
mod noise_law;
mod observation;
mod path;
mod path_release;
mod prepared;
mod release;
mod span;
mod whitening;

pub use defaults::{DEFAULT_KERNEL, default_penalty};
pub use document::ReleaseReadError;
pub use encode::EncodedCurves;
pub use function::{FunctionError, ReleasedFunction};
pub use functional::{FunctionalError, LinearFunctional};
pub use functional_map::{Dispersion, FunctionalMapError};
pub use functionals::{FunctionalNoise, FunctionalsError, PrivateFunctionals};
pub use functionals_release::FunctionalsRelease;
pub use kept_path::{KeptPath, KeptPathFileError, KeptPathReadError};
pub use mechanism::{Mechanism, PrivateMean, ReleaseError};
pub use noise_law::NoiseLaw;
pub use path::{PathError, PrivatePath};
pub use path_release::{PathReadError, PathRelease};
pub use prepared::PreparedMean;
pub use release::Release;
