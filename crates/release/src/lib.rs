//! Private releases of mean functions.
//!
//! [`PrivateMean`] goes from curves of people to a [`MeanRelease`]; everything a [`MeanRelease`] and its [`ReleasedFunction`]
//! can do afterwards is post-processing and costs no privacy. Each statistic of curves is one file: [`Mean`],
//! [`Functionals`], [`Path`].

mod ball_rule;
mod bought;
mod bound_fact;
mod center;
mod coarse_center;
mod defaults;
mod encode;
mod encode_files;
mod function;
mod functional;
mod functional_map;
mod functionals;
mod functionals_release;
mod functionals_statistic;
mod groups;
mod groups_release;
mod kept_path;
mod mean;
mod mean_encoder;
mod mean_part;
mod mean_release;
mod mean_sums;
mod nested_sums;
mod noise_law;
mod norms;
mod observation;
mod path;
mod path_release;
mod path_statistic;
mod planned_mean;
mod prepared_mean;
mod private_groups;
mod private_mean;
mod radius_rule;
mod release_error;
mod rotation;
mod roughness;
mod second_moments;
mod sobolev;
mod span;
mod whitening;

pub use dpfda_privacy::MAX_RECORDS;
pub use dpfda_smoothing::{PenalizedMean, PenaltyError};

pub use bought::{BallShareError, BallShares, Bought};
pub use defaults::{DEFAULT_KERNEL, default_penalty};
pub use encode::{CurveRecord, CurveScratch};
pub use encode_files::FileEncoding;
pub use function::{FunctionError, ReleasedFunction};
pub use functional::{FunctionalError, LinearFunctional};
pub use functional_map::{Dispersion, FunctionalMapError};
pub use functionals::{FunctionalsError, PrivateFunctionals};
pub use functionals_release::FunctionalsRelease;
pub use functionals_statistic::Functionals;
pub use groups::{GroupedRecord, GroupingError, Groups};
pub use groups_release::{GroupsRelease, ReleasedGroup};
pub use kept_path::{KeptPath, KeptPathFileError, PathId};
pub use mean::{Mean, MeanError, MeanMechanism};
pub use mean_encoder::{EncodeError, MeanEncoder};
pub use mean_part::{MeanPart, RefusedPart};
pub use mean_release::MeanRelease;
pub use noise_law::NoiseLaw;
pub use norms::{NormScratch, Norms};
pub use path::{PathError, PreparedPath, PrivatePath};
pub use path_release::PathRelease;
pub use path_statistic::Path;
pub use planned_mean::PlannedMean;
pub use prepared_mean::{DrawnMean, PreparedMean};
pub use private_groups::{Grouping, GroupsError, PrivateGroups};
pub use private_mean::{MeanViewer, MomentsChoice, PrivateMean};
pub use release_error::ReleaseError;
pub use second_moments::SecondMoments;
pub use sobolev::{LengthError, SobolevNorm, SobolevOrder};
