//! What a command writes.

use std::fmt;

/// What a directory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// A release, with the choice of its smoother if there was one.
    Release,
    /// A release of a regression.
    Regression,
    /// A released density, with synthetic points if there were any drawn.
    Density,
    /// The components of a release.
    Components,
    /// Scores of cross-validation.
    CrossValidation,
    /// The tables and figures of the papers.
    Reproduction,
}

impl Contents {
    /// The files there may be.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Release => &[
                "release.json",
                "release.json.minisig",
                "release.csv",
                "release.svg",
                "release.pdf",
                "release.png",
                "selection.csv",
                "selection.svg",
                "selection.pdf",
                "selection.png",
                "neighbours.svg",
                "neighbours.pdf",
                "neighbours.png",
            ],
            Self::Regression => {
                &["release.json", "release.json.minisig", "release.csv", "release.svg", "release.pdf", "release.png"]
            }
            Self::Density => &[
                "release.json",
                "release.json.minisig",
                "release.csv",
                "release.svg",
                "release.pdf",
                "release.png",
                "synthetic.csv",
            ],
            Self::Components => &[
                "components.json",
                "components.csv",
                "scree.svg",
                "scree.pdf",
                "scree.png",
                "modes.svg",
                "modes.pdf",
                "modes.png",
                "covariance.svg",
                "covariance.pdf",
                "covariance.png",
                "synthetic.csv",
                "synthetic.svg",
                "synthetic.pdf",
                "synthetic.png",
            ],
            Self::CrossValidation => &["scores.csv", "scores.svg", "scores.pdf", "scores.png"],
            Self::Reproduction => &[
                "reproduction.md",
                "table1.svg",
                "table2.svg",
                "figure-01.svg",
                "figure-02.svg",
                "figure-03.svg",
                "figure-04.svg",
                "figure-05.svg",
                "figure-06.svg",
                "figure-07.svg",
                "figure-08.svg",
                "figure-09.svg",
                "figure-10.svg",
                "figure-11.svg",
                "figure-12.svg",
                "mise.csv",
                "mise.svg",
                "mise.png",
            ],
        }
    }

    pub(super) fn files_in_words(self) -> &'static str {
        match self {
            Self::Release => "release.json and its signature, .csv, .svg, .pdf and .png, selection.csv and figures",
            Self::Regression => "release.json and its signature, .csv, .svg, .pdf and .png",
            Self::Density => "release.json and its signature, .csv, .svg, .pdf and .png, and synthetic.csv",
            Self::Components => {
                "components.json and .csv, synthetic.csv, and scree, modes, covariance and synthetic as .svg, .pdf and .png"
            }
            Self::CrossValidation => "scores.csv, .svg, .pdf and .png",
            Self::Reproduction => {
                "reproduction.md, table1.svg, table2.svg, figure-01.svg to figure-12.svg, mise.csv, .svg and .png"
            }
        }
    }

    /// Why files of these names are no result of ours.
    pub(super) fn doubt(self) -> &'static str {
        match self {
            Self::Release | Self::Regression | Self::Density => "no release.json among them says that dpfda wrote it",
            Self::Components => "no components.json among them says that dpfda wrote it",
            Self::CrossValidation => "no scores.csv among them is as dpfda writes it",
            Self::Reproduction => "table1.svg, table2.svg or mise.csv is not among them, or not as dpfda writes it",
        }
    }

    /// Whether anybody may read them.
    pub(super) fn is_public(self) -> bool {
        matches!(self, Self::Release | Self::Regression | Self::Density | Self::Components)
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Release => "release",
            Self::Regression => "released regression",
            Self::Density => "released density",
            Self::Components => "set of components",
            Self::CrossValidation => "cross-validation",
            Self::Reproduction => "reproduction",
        })
    }
}
