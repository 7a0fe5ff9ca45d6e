//! Which settings of a study each command has as options.

use dpfda_study::Kind;

use crate::settings::Offer;

/// What no release has as an option: what is free afterwards, by `dpfda smooth`, and what compares with papers.
const OF_FILES: &[&str] =
    &["select", "kernel", "range", "penalty", "eta", "band", "level", "band_roughness", "classical", "mechanism"];

/// `dpfda release` and `dpfda check`: everything of curves, of groups, of rows and of surfaces.
#[derive(Debug)]
pub struct OfReleases;

impl Offer for OfReleases {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Groups, Kind::Rows, Kind::Surface];
    const OF_FILES: &'static [&'static str] = OF_FILES;
    const IS_BRIEF: bool = true;
}

/// `dpfda regress`
#[derive(Debug)]
pub struct OfRegressions;

impl Offer for OfRegressions {
    const KINDS: &'static [Kind] = &[Kind::Regression];
}

/// `dpfda density`
#[derive(Debug)]
pub struct OfDensities;

impl Offer for OfDensities {
    const KINDS: &'static [Kind] = &[Kind::Density];
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
    const NAMES: &'static [&'static str] =
        &["because", "band", "level", "band_roughness", "title", "size", "x_label", "y_label", "units"];
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

/// `dpfda forecast`: bound and budget.
#[derive(Debug)]
pub struct OfPlans;

impl Offer for OfPlans {
    const KINDS: &'static [Kind] = &[Kind::Mean, Kind::Rows];
    const NAMES: &'static [&'static str] = &[
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
