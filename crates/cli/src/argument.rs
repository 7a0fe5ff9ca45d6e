//! The arguments that can be refused after they were understood.

use std::borrow::Cow;

use dpfda::kernels::KernelName;

/// The arguments that can be refused after they were understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The file of curves.
    Curves,
    /// The file of points.
    Points,
    /// `--columns`
    Columns,
    /// `--bounds`
    Bounds,
    /// `--mechanism`
    Mechanism,
    /// `--neighbours`
    Neighbours,
    /// `--cells`
    Cells,
    /// `--values`
    Values,
    /// `--subject`
    Subject,
    /// `--grid`
    Grid,
    /// `--periodic`
    Periodic,
    /// `--surface`
    Surface,
    /// `--domain`
    Domain,
    /// `--bins`
    Bins,
    /// `--bound`
    Bound,
    /// The three columns of a long table.
    LongColumns,
    /// The four columns of a long table of surfaces.
    LongSurfaceColumns,
    /// `--center`
    Center,
    /// `--radius`
    Radius,
    /// `--epsilon`
    Epsilon,
    /// `--delta`
    Delta,
    /// `--coordinates`
    Coordinates,
    /// `--classical`
    Classical,
    /// `--sensitivity`
    Sensitivity,
    /// `--dimension`
    Dimension,
    /// `--kernel`
    Kernel,
    /// `--range`
    Range,
    /// `--penalty`
    Penalty,
    /// `--eta`
    Eta,
    /// `--moments`
    Moments,
    /// `--select`
    Select,
    /// `--folds`
    Folds,
    /// `--draws`
    Draws,
    /// `--data` of `dpfda-reproduce`
    Data,
    /// `--at`
    At,
    /// `--band`
    Band,
    /// `--level`
    Level,
    /// `--slope`
    Slope,
    /// `--roughness`
    Roughness,
    /// `--radius-share`
    RadiusShare,
    /// `--center-share`
    CenterShare,
    /// `--out`
    Out,
    /// `--dataset`
    Dataset,
    /// `--groups`
    Groups,
    /// `--by`
    By,
    /// `--private-labels`
    PrivateLabels,
    /// `--groups-of-subject`
    GroupsOfSubject,
    /// `--on`
    On,
    /// `--covariate-bounds`
    CovariateBounds,
    /// `--public-design`
    PublicDesign,
    /// `--release-id`
    ReleaseId,
    /// `--key`
    Key,
    /// A file of a part.
    Part,
    /// The second release of a comparison.
    Second,
}

impl Argument {
    /// The argument as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curves => "CURVES.csv",
            Self::Points => "POINTS.csv",
            Self::Columns => "--columns",
            Self::Bounds => "--bounds",
            Self::Mechanism => "--mechanism",
            Self::Neighbours => "--neighbours",
            Self::Cells => "--cells",
            Self::Values => "--values",
            Self::Subject => "--subject",
            Self::Grid => "--grid",
            Self::Periodic => "--periodic",
            Self::Surface => "--surface",
            Self::Domain => "--domain",
            Self::Bins => "--bins",
            Self::Bound => "--bound",
            Self::LongColumns => "--id, --time, --value",
            Self::LongSurfaceColumns => "--id, --s, --t, --value",
            Self::Center => "--center",
            Self::Radius => "--radius",
            Self::Epsilon => "--epsilon",
            Self::Delta => "--delta",
            Self::Coordinates => "--coordinates",
            Self::Classical => "--classical",
            Self::Sensitivity => "--sensitivity",
            Self::Dimension => "--dimension",
            Self::Kernel => "--kernel",
            Self::Range => "--range",
            Self::Penalty => "--penalty",
            Self::Eta => "--eta",
            Self::Moments => "--moments",
            Self::Select => "--select",
            Self::Folds => "--folds",
            Self::Draws => "--draws",
            Self::Data => "--data",
            Self::At => "--at",
            Self::Band => "--band",
            Self::Level => "--level",
            Self::Slope => "--slope",
            Self::Roughness => "--roughness",
            Self::RadiusShare => "--radius-share",
            Self::CenterShare => "--center-share",
            Self::Dataset => "--dataset",
            Self::Groups => "--groups",
            Self::By => "--by",
            Self::PrivateLabels => "--private-labels",
            Self::GroupsOfSubject => "--groups-of-subject",
            Self::On => "--on",
            Self::CovariateBounds => "--covariate-bounds",
            Self::PublicDesign => "--public-design",
            Self::ReleaseId => "--release-id",
            Self::Out => "--out",
            Self::Key => "--key",
            Self::Part => "P.part",
            Self::Second => "B.json",
        }
    }

    /// The file that the argument should name.
    pub fn wanted(self) -> &'static str {
        match self {
            Self::Points => "the CSV file of the points",
            Self::Key => "the file of the key that was written beside the plan",
            Self::Part => "a file that `dpfda partial` wrote",
            _ => "the CSV file of the curves",
        }
    }

    /// What to do where one of these was refused, unless nothing can be said in general.
    pub fn advice(self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            Self::Values => "give the names of the value columns, or patterns such as 'cca_*', separated by commas",
            Self::Subject => "give the column that tells whose curve a row is",
            Self::Grid => {
                "give the two ends of the domain as A,B, one increasing point for each value column, or names to take the points from \
                 the names of the columns"
            }
            Self::Surface => "give the numbers of points of the two axes, whose product is the number of value columns",
            Self::Domain => "give the two ends of the times in increasing order, such as --domain 0,24",
            Self::Bins => "leave --bins out for 20",
            Self::Bound => "leave --bound out for twice the radius",
            Self::LongColumns => "give the names of three columns as the header has them",
            Self::LongSurfaceColumns => "give the names of four columns as the header has them",
            Self::Center => "give a number in the units of the data, or a CSV file with the columns t,value",
            Self::Radius => "give a positive number in the units of the data, such as 0.25",
            Self::Epsilon => "give 0, or a number from 1e-6 to 50, such as 1; smaller is more private",
            Self::Delta => {
                "give a number from 1e-15 to 0.5, such as 1e-5; the mean of curves with isonormal noise may have 0"
            }
            Self::Coordinates => "leave --coordinates out for 12, or fewer where there are fewer points",
            Self::Classical => {
                "leave --classical out (epsilon may then be 0, or 1e-6 to 50), or give an epsilon from 1e-6 to 1"
            }
            Self::Sensitivity => {
                "give the largest distance of the summaries of two neighbouring data sets, from 1e-100 to 1e100"
            }
            Self::Dimension => "leave --dimension out for one number, or calibrate gaussian",
            Self::Kernel => return Some(format!("give one of {}", KernelName::known()).into()),
            Self::Range => "give a positive number such as 0.25, a fraction of the domain, or leave --range out",
            Self::Penalty => "give a positive number such as 0.001",
            Self::Eta => "leave --eta out for 1, the usual power",
            Self::Moments => "leave --moments out",
            Self::Slope => "leave --slope out if you know no such bound",
            Self::Roughness => "leave --roughness out for the ball",
            Self::Select => "leave --select out",
            Self::Folds => "give a number from 2 to the number of records, or --leave-one-out",
            Self::Draws => "leave --draws out for 1000",
            Self::At => "give points of the domain, separated by commas",
            Self::Band => "leave --band out for population",
            Self::Level => "leave --level out for 0.95",
            Self::RadiusShare => {
                "give --radius-share none with a --radius or --bounds that you know; or collect more records, or spend a larger budget"
            }
            Self::CenterShare => "leave --center-share out, or give a share such as 0.1",
            Self::Columns => "give the names of one to three columns of the file, separated by commas",
            Self::Bounds => {
                "give the lower and the upper bound, such as --bounds 0,1; density needs both for each column, such as --bounds 0,120,-5,5"
            }
            Self::Cells => "give a smaller number, or leave --cells out for the default",
            Self::Dataset => "give a short name, such as tracts-2019",
            Self::Groups => "name two groups or more that have nobody in common, such as women,men",
            Self::By => "give the column that says which group a row is in, with a few labels such as case and control",
            Self::PrivateLabels => "give the labels of the groups, such as --private-labels case,control",
            Self::GroupsOfSubject => {
                "give a number from 1 to the number of groups, or leave --groups-of-subject out for 1"
            }
            Self::On => "name the columns of the covariates, separated by commas, such as status,visit",
            Self::CovariateBounds => "give a range for each covariate, such as status=control|case,visit=1:8",
            Self::PublicDesign => "leave --public-design out: the covariates are then as private as the curves",
            Self::ReleaseId => "give a short name, such as mean-2019",
            Self::Second => "give the release of other people at the same points",
            Self::Periodic
            | Self::Mechanism
            | Self::Neighbours
            | Self::Curves
            | Self::Points
            | Self::Data
            | Self::Out
            | Self::Key
            | Self::Part => return None,
        }))
    }
}
