//! The words that settings may have.

use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda::release::MomentsChoice;

use crate::choice::choice;
use crate::kind::Kind;

choice! {
    /// Which data sets must look alike.
    NeighboursName {
        /// One record is replaced, and the number of records is public
        Substitute = "substitute",
        /// There is one record more or less, and the number of records is private
        AddRemove = "add-remove",
    }
}

choice! {
    /// What makes a release private.
    MechanismName {
        /// White noise on the mean, smoothed afterwards as often as wanted
        Isonormal = "isonormal" of &[Kind::Mean],
        /// Noise of the kernel on the smoothed mean (Mirshani, Reimherr and Slavkovic)
        CameronMartin = "cameron-martin" of &[Kind::Mean],
        /// Noise on the count of every cell (Wasserman and Zhou 2010, Theorem 8)
        Perturbed = "perturbed" of &[Kind::Density],
        /// Draws from the histogram mixed with the uniform density (Theorem 5); substitute and a delta of 0 only
        Smoothed = "smoothed" of &[Kind::Density],
        /// One exact draw of a distribution near that of the points in Kolmogorov-Smirnov distance (Theorems 9 to 12); one column, delta 0
        Exponential = "exponential" of &[Kind::Density],
        /// Noise on the coefficients of a cosine series, their number chosen after the release (Theorem 15)
        Series = "series" of &[Kind::Density],
        /// The same coefficients, drawn all together by the exponential mechanism (after Theorem 14); a delta of 0 only
        SeriesExponential = "series-exponential" of &[Kind::Density],
    }
}

choice! {
    /// Which second moments are released with a mean.
    MomentsName {
        /// Those that cost nothing
        Auto = "auto",
        /// With the emphasis on the mean
        Mean = "mean",
        /// With the emphasis on the second moments: at the same guarantee, more noise in the mean
        Covariance = "covariance",
        /// None
        None = "none",
    }
}

choice! {
    /// What a record is to the ledger, where no column tells subjects.
    UnitName {
        /// Each row is protected alone
        Curve = "curve",
        /// Nobody has two rows, by the word of the curator
        Subject = "subject",
    }
}

choice! {
    /// What stands for a missing value.
    GapsName {
        /// A line between the neighbours in the curve, and the nearest value at its ends: the default
        Interpolate = "interpolate" of &[Kind::Mean],
        /// What a public Gaussian process about the centre expects from the rest of the curve
        GaussianProcess = "gaussian-process" of &[Kind::Mean],
        /// Nothing: what was seen is released as a long table is
        Rows = "rows" of &[Kind::Rows, Kind::Centiles],
    }
}

choice! {
    /// How a smoother is found.
    SelectName {
        /// Stein's unbiased risk estimate, from the release itself
        Sure = "sure",
        /// A fixed rule from public numbers
        Default = "default",
    }
}

choice! {
    /// What a band is about.
    BandName {
        /// The mean of the population: privacy, smoothing and sampling
        Population = "population",
        /// The mean of these very people: privacy and smoothing
        Posterior = "posterior",
        /// The population mean as one smoother shows it: privacy and sampling
        Smoothed = "smoothed" of &[Kind::Mean],
        /// The population mean, with so little smoothing that its bias is small
        Undersmoothed = "undersmoothed" of &[Kind::Mean],
        /// The population mean at the grid's points, whatever its shape
        Unsmoothed = "unsmoothed" of &[Kind::Mean],
        /// The population mean, if its roughness is at most what is stated
        Honest = "honest" of &[Kind::Mean],
        /// The privacy noise alone
        Noise = "noise",
        /// The curve of a new person, from the second moments
        Prediction = "prediction" of &[Kind::Mean],
        /// The curves of most people, as many as the level says, with a confidence of 90%
        Tolerance = "tolerance" of &[Kind::Mean],
    }
}

choice! {
    /// The kinds of files that a figure is written as.
    FormatName {
        /// Lines stay lines, for pages on the web and for drawing programs
        Svg = "svg",
        /// Lines stay lines, for papers
        Pdf = "pdf",
        /// Pixels, for slides and mails; the largest of the three
        Png = "png",
    }
}

impl From<NeighboursName> for NeighbouringRelation {
    fn from(name: NeighboursName) -> Self {
        match name {
            NeighboursName::Substitute => Self::SubstituteOne,
            NeighboursName::AddRemove => Self::AddRemoveOne,
        }
    }
}

impl From<UnitName> for PrivacyUnit {
    fn from(name: UnitName) -> Self {
        match name {
            UnitName::Curve => Self::Curve,
            UnitName::Subject => Self::Subject,
        }
    }
}

impl From<MomentsName> for MomentsChoice {
    fn from(name: MomentsName) -> Self {
        match name {
            MomentsName::Auto => Self::Auto,
            MomentsName::Mean => Self::Mean,
            MomentsName::Covariance => Self::Covariance,
            MomentsName::None => Self::None,
        }
    }
}
