//! Private releases of mean functions.
//!
//! [`PrivateMean`] goes from curves of people to a [`MeanRelease`]; everything a [`MeanRelease`] and its [`ReleasedFunction`]
//! can do afterwards is post-processing and costs no privacy. Each statistic of curves is one file: [`Mean`],
//! [`Functionals`], [`Path`].

mod bound_fact;
mod centiles;
mod change;
mod coordinates;
mod defaults;
mod functionals;
mod groups;
mod mean;
mod numbers;
mod parts;
mod paths;
mod purchase;
mod regression;
mod release_error;
mod rows;
mod terms;
mod total;

pub use dpfda_privacy::MAX_RECORDS;
pub use dpfda_smoothing::{PenalizedMean, PenaltyError};

pub use centiles::centiles_error::CentilesError;
pub use centiles::document::{NoisyWeights, SharesBelow};
pub use centiles::placed::{CentileRecord, PlacedRows};
pub use centiles::private::{CentileData, PreparedCentiles, PrivateCentiles};
pub use centiles::scratch::CentileScratch;
pub use centiles::{Centiles, DEFAULT_CENTILES, MOST_POINTS_OF_ROWS};
pub use change::private::{ChangeError, PreparedChange, PrivateChange};
pub use change::{Change, ChangeOf, ChangeOfError};
pub use coordinates::encode::{CurveRecord, CurveScratch};
pub use coordinates::sobolev::{LengthError, SobolevNorm, SobolevOrder};
pub use defaults::{DEFAULT_BINS, DEFAULT_COORDINATES, DEFAULT_KERNEL, default_penalty};
pub use functionals::functional::{FunctionalError, LinearFunctional};
pub use functionals::map::{Dispersion, FunctionalMapError};
pub use functionals::private::{FunctionalsError, PrivateFunctionals};
pub use functionals::statistic::Functionals;
pub use groups::by_label::ByLabel;
pub use groups::document::{ReleasedGroup, hidden_counts};
pub use groups::left_out::LeftOut;
pub use groups::private::{GroupedCurves, Grouping, GroupsError, PreparedGroups, PrivateGroups};
pub use groups::{Grouped, GroupedRecord, GroupingError, Groups, Partition};
pub use mean::document::MeanRelease;
pub use mean::domain::MeanDomain;
pub use mean::encoder::{EncodeError, MeanEncoder};
pub use mean::function::{FunctionError, ReleasedFunction};
pub use mean::mean_error::{MOST_COORDINATES, MeanError};
pub use mean::noise_law::NoiseLaw;
pub use mean::prepared::{MeanCurves, MeanData, PreparedMean};
pub use mean::private::{MomentsChoice, PrivateMean, default_coordinates};
pub use mean::rectangle::Surface;
pub use mean::second_moments::SecondMoments;
pub use mean::smoother_choice::SmootherChoice;
pub use mean::viewer::MeanViewer;
pub use mean::{Mean, MeanMechanism};
pub use numbers::{CurveNumbers, Number, NumbersDerived, PrivateNumbers};
pub use parts::encode_files::FileEncoding;
pub use parts::encode_rows::{RowBlocks, TakesBlock, by_row};
pub use parts::part::{Part, PreparedTwice, RefusedPart};
pub use parts::plan::{Beside, InParts, Plan};
pub use paths::kept::{KeptPath, KeptPathFileError, PathId};
pub use paths::private::{PathError, PreparedPath, PrivatePath};
pub use paths::released::PathRelease;
pub use paths::statistic::Path;
pub use purchase::ball_data::{BallData, Records};
pub use purchase::bought::{BallShareError, BallShares, Bought, GroupSize, stated_by_default};
pub use purchase::bucket_sum::BucketSum;
pub use purchase::in_ball::InBall;
pub use purchase::norms::Norms;
pub use purchase::radius_rule::{Outside, Weighing, most_outside};
pub use regression::covariate::{Covariate, CovariateError, DesignColumn};
pub use regression::document::{DISTINCT, NoisyProducts};
pub use regression::private::{MeasuredCurves, PreparedRegression, PrivateRegression, RegressionError};
pub use regression::public_design::{DesignError, PublicDesign};
pub use regression::{Regression, RegressionPlanError, RegressionRecord};
pub use release_error::ReleaseError;
pub use rows::Rows;
pub use rows::bin_sums::BinSums;
pub use rows::document::NoisySums;
pub use rows::long::{LongRows, PreparedRows, RowsData, SeenRows};
pub use rows::of_rows::{KeptRows, OfRows};
pub use rows::private::PrivateRows;
pub use rows::rows_error::{MOST_BINS, RowsError};
pub use total::{PrivateTotal, Total};
