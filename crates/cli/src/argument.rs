//! The arguments that can be refused after they were understood.

use std::borrow::Cow;

use dpfda_study::{Blame, Door, advice, setting};

/// An argument that can be refused after it was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Settings of the study.
    Settings(&'static [&'static str]),
    /// The file of curves.
    Curves,
    /// The file of points.
    Points,
    /// `--sensitivity`
    Sensitivity,
    /// `--folds`
    Folds,
    /// `--draws` of a cross-validation
    FoldDraws,
    /// `--data` of `dpfda-reproduce`
    Data,
    /// `--at`
    At,
    /// `--out`
    Out,
    /// `--dataset`
    Dataset,
    /// `--groups`
    Groups,
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
    /// What the library blames; `data` is the file of the private data.
    pub fn of(blame: Blame, data: Self) -> Self {
        match blame {
            Blame::Settings(names) => Self::Settings(names),
            Blame::Data => data,
        }
    }

    /// The argument as it is written.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Settings(names) => {
                let names = names.iter().filter_map(|name| setting(name)).map(|setting| Door::Flags.name(setting));
                return Cow::Owned(names.collect::<Vec<_>>().join(", "));
            }
            Self::Curves => "CURVES.csv",
            Self::Points => "POINTS.csv",
            Self::Sensitivity => "--sensitivity",
            Self::Folds => "--folds",
            Self::FoldDraws => "--draws",
            Self::Data => "--data",
            Self::At => "--at",
            Self::Dataset => "--dataset",
            Self::Groups => "--groups",
            Self::ReleaseId => "--release-id",
            Self::Out => "--out",
            Self::Key => "--key",
            Self::Part => "P.part",
            Self::Second => "B.json",
        })
    }

    /// The file that the argument should name.
    pub fn wanted(self) -> &'static str {
        match self {
            Self::Points => "the CSV file of the points",
            Self::Key => "the file of the key that was written beside the plan",
            Self::Part => "a file that `dpfda part` wrote",
            _ => "the CSV file of the curves",
        }
    }

    /// What to do where one of these was refused, unless nothing can be said in general.
    pub fn advice(self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            Self::Settings(names) => return advice(names).map(|text| Door::Flags.spell(&text).into()),
            Self::Sensitivity => {
                "give the largest distance of the summaries of two neighbouring data sets, from 1e-100 to 1e100"
            }
            Self::Folds => "give a number from 2 to the number of records, or --leave-one-out",
            Self::FoldDraws => "leave --draws out for 1000",
            Self::At => "give points of the domain, separated by commas",
            Self::Dataset => "give a short name, such as tracts-2019",
            Self::Groups => "name two groups or more that have nobody in common, such as women,men",
            Self::ReleaseId => "give a short name, such as mean-2019",
            Self::Second => "give the release of other people at the same points",
            Self::Curves | Self::Points | Self::Data | Self::Out | Self::Key | Self::Part => return None,
        }))
    }
}
