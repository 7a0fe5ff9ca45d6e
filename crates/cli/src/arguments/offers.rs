//! Which settings of a study each command has as options.

use dpfda_study::{Kind, Setting, Word};

use crate::settings::Offer;

/// What no release has as an option: what is free afterwards, by `dpfda smooth`, and what compares with papers.
const OF_FILES: &[&str] =
    &["select", "kernel", "range", "penalty", "eta", "band", "level", "band_roughness", "classical"];

/// `dpfda release` and `dpfda check`: everything, of every kind.
#[derive(Debug)]
pub struct OfReleases;

impl Offer for OfReleases {
    const KINDS: &'static [Kind] = &Kind::ALL;
    const OF_FILES: &'static [&'static str] = OF_FILES;
    const IS_BRIEF: bool = true;

    /// The mechanisms of a mean are compared in study files alone.
    fn words(setting: &Setting) -> Vec<Word> {
        setting.words(if setting.name == "mechanism" { &[Kind::Density] } else { Self::KINDS })
    }
}

/// `dpfda part`: the table; the rest stands in the plan.
#[derive(Debug)]
pub struct OfParts;

impl Offer for OfParts {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Rows, Kind::Surface];
    const NAMES: &'static [&'static str] =
        &["values", "subject", "missing", "delimiter", "decimal_comma", "id", "time", "value"];
}

/// `dpfda merge`: what is free once the plan is made.
#[derive(Debug)]
pub struct OfMerges;

impl Offer for OfMerges {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Rows, Kind::Surface];
    const NAMES: &'static [&'static str] = &[
        "because",
        "band",
        "level",
        "band_roughness",
        "dataset",
        "study_name",
        "approval",
        "date",
        "title",
        "size",
        "x_label",
        "y_label",
        "units",
        "formats",
    ];
}

/// `dpfda smooth`: the estimate and the figure.
#[derive(Debug)]
pub struct OfSmoothers;

impl Offer for OfSmoothers {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Rows, Kind::Surface];
    const NAMES: &'static [&'static str] = &[
        "select",
        "kernel",
        "range",
        "penalty",
        "eta",
        "band",
        "level",
        "band_roughness",
        "title",
        "size",
        "x_label",
        "y_label",
        "s_label",
        "units",
        "formats",
    ];
    const HAS_DEFAULTS: bool = false;
}

/// `dpfda evaluate`: the band.
#[derive(Debug)]
pub struct OfBands;

impl Offer for OfBands {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Rows, Kind::Surface];
    const NAMES: &'static [&'static str] = &["band", "level", "band_roughness"];
    const HAS_DEFAULTS: bool = false;
}

/// `dpfda compare`: the level, and the figure.
#[derive(Debug)]
pub struct OfComparisons;

impl Offer for OfComparisons {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Surface];
    const NAMES: &'static [&'static str] = &["level", "title", "size", "x_label", "y_label", "units"];
}

/// `dpfda show`: the figure.
#[derive(Debug)]
pub struct OfFigures;

impl Offer for OfFigures {
    const KINDS: &'static [Kind] = &Kind::ALL;
    const NAMES: &'static [&'static str] = &["title", "size", "x_label", "y_label", "s_label", "units"];
    const HAS_DEFAULTS: bool = false;
}

/// `dpfda complete`: the level.
#[derive(Debug)]
pub struct OfCompletions;

impl Offer for OfCompletions {
    const KINDS: &'static [Kind] = &[Kind::Mean];
    const NAMES: &'static [&'static str] = &["level"];
}

/// `dpfda forecast`: what is released, bound and budget.
#[derive(Debug)]
pub struct OfPlans;

impl Offer for OfPlans {
    const KINDS: &'static [Kind] =
        &[Kind::Mean, Kind::Groups, Kind::Change, Kind::Rows, Kind::Surface, Kind::Regression, Kind::Centiles];
    const NAMES: &'static [&'static str] = &[
        "by",
        "private_labels",
        "change",
        "per",
        "apart",
        "surface",
        "on",
        "covariate_bounds",
        "outcome",
        "public_design",
        "centiles",
        "center",
        "radius",
        "bounds",
        "slope",
        "roughness",
        "radius_share",
        "center_share",
        "epsilon",
        "delta",
        "coordinates",
        "neighbours",
        "bins",
        "bound",
        "periodic",
        "level",
        "expected",
    ];
}

/// `dpfda crossval`: the table, the centre, and the release that is planned.
#[derive(Debug)]
pub struct OfFolds;

impl Offer for OfFolds {
    const KINDS: &'static [Kind] = &[Kind::Mean];
    const NAMES: &'static [&'static str] = &[
        "values",
        "subject",
        "missing",
        "delimiter",
        "decimal_comma",
        "grid",
        "periodic",
        "center",
        "radius",
        "epsilon",
        "delta",
        "because",
    ];
}

/// `dpfda new`: everything.
#[derive(Debug)]
pub struct OfNew;

impl Offer for OfNew {
    const KINDS: &'static [Kind] = &Kind::ALL;
    const HAS_DEFAULTS: bool = false;
}
