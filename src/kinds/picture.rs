//! What an answer looks like: shapes, and not kinds.

use std::ops::Range;

use dpfda_analysis::{
    Band, Banded, CentileCurves, DomainPoint, Estimate, Estimated, Outcome, PopulationMean, Several, SurfacePosterior,
};
use dpfda_mechanism::exact;
use dpfda_release::{Number, Regression};

use super::shown::Table;

/// What an answer looks like. A new kind on one of these shapes is drawn, tabled and reported without a line of its own.
#[derive(Debug, Clone)]
pub enum Picture {
    /// Nothing can be shown: the noise hides it.
    Nothing,
    /// A curve in its band.
    Curve {
        /// The mean.
        mean: Box<Banded<PopulationMean>>,
        /// The parts of the domain that too few people were measured in to tell from the noise.
        unsupported: Vec<Range<f64>>,
        /// Whether it is of changes, and 0 is no change.
        is_change: bool,
    },
    /// Curves of groups, together in one panel.
    Together {
        /// The means.
        means: Several<PopulationMean>,
        /// How many records each group has, in words.
        sizes: Vec<String>,
    },
    /// The coefficient functions of a regression, each in a panel.
    Panels(Box<Estimated<Regression>>),
    /// A surface in its band.
    Surface(Box<Banded<SurfacePosterior>>),
    /// Centile curves, one within the other.
    Centiles(Box<CentileCurves>),
    /// The correlation of curves with an outcome, and the slope function where it is told from noise.
    Outcome(Box<Outcome>),
    /// A density on cells.
    #[cfg(feature = "density")]
    Density {
        /// The density.
        density: Box<dpfda_density::PiecewiseDensity>,
        /// The standard deviation of the noise in the probability of a cell, where it is one number.
        noise_sd: Option<f64>,
    },
    /// Some numbers.
    Numbers(Vec<Number>),
}

/// The columns of an estimate, after those of its points.
const COLUMNS: [&str; 5] = ["value", "posterior_sd", "noise_sd", "lower", "upper"];

impl Picture {
    /// All numbers of the answer in named columns; `None` where there are none. Means of which the release says too little have no rows.
    /// `names` are those of the axes of a density.
    #[cfg_attr(not(feature = "density"), allow(unused_variables, reason = "the axes of a density alone are named"))]
    pub fn table(&self, names: &[String]) -> Option<Table> {
        match self {
            Self::Nothing => None,
            Self::Curve { mean, .. } => Some(of_points([("", mean.estimate())], None)),
            Self::Surface(mean) => Some(of_points([("", mean.estimate())], None)),
            Self::Together { means, .. } => Some(of_several(means, "group")),
            Self::Centiles(curves) => Some(of_centiles(curves)),
            Self::Outcome(outcome) => Some(of_outcome(outcome)),
            Self::Panels(regression) => Some(of_several(regression.means(), "coefficient")),
            #[cfg(feature = "density")]
            Self::Density { density, .. } => Some(of_density(density, names)),
            Self::Numbers(numbers) => Some(Table {
                key: Some("number"),
                columns: ["value", "noise_sd"].map(str::to_owned).to_vec(),
                rows: numbers.iter().map(|one| (one.name.clone(), vec![one.value, one.noise_sd])).collect(),
            }),
        }
    }

    /// Several means under their names; `None` where the answer is none of these.
    pub fn means(&self) -> Option<&Several<PopulationMean>> {
        match self {
            Self::Together { means, .. } => Some(means),
            Self::Panels(regression) => Some(regression.means()),
            _ => None,
        }
    }

    /// The band that is shown; that of the population for several means, which have no other.
    pub fn band(&self) -> Band {
        match self {
            Self::Curve { mean, .. } => mean.estimate().band.clone(),
            Self::Surface(mean) => mean.estimate().band.clone(),
            _ => Band::Population,
        }
    }
}

/// The point, and of each centile its curve with the ends of its band.
pub(super) fn of_centiles(curves: &CentileCurves) -> Table {
    let named = curves.all().flat_map(|(p, _)| ["", "_lower", "_upper"].map(|end| format!("p{}{end}", exact(p))));
    let row = |(i, t): (usize, &f64)| {
        let numbers = curves.all().flat_map(|(_, curve)| [curve.values[i], curve.lower[i], curve.upper[i]]);
        (String::new(), [*t].into_iter().chain(numbers).collect())
    };
    Table {
        key: None,
        columns: ["t".to_owned()].into_iter().chain(named).collect(),
        rows: curves.grid().points().iter().enumerate().map(row).collect(),
    }
}

/// The point, its correlation with the band, and the slope where it is shown.
fn of_outcome(outcome: &Outcome) -> Table {
    let mut table = of_points([("", outcome.correlation())], None);
    "correlation".clone_into(&mut table.columns[1]);
    if let Ok(slope) = outcome.slope() {
        table.columns.push("slope".to_owned());
        table.rows.iter_mut().zip(&slope.values).for_each(|((_, row), value)| row.push(*value));
    }
    table
}

fn of_several(means: &Several<PopulationMean>, key: &'static str) -> Table {
    of_points(means.all().iter().filter_map(|mean| Some((mean.name(), mean.estimate().ok()?))), Some(key))
}

fn of_points<'a, P: DomainPoint + 'a>(
    estimates: impl IntoIterator<Item = (&'a str, &'a Estimate<P>)>,
    key: Option<&'static str>,
) -> Table {
    let row = |name: &str, estimate: &Estimate<P>, i: usize| {
        let Estimate { values, posterior_sd, noise_sd, lower, upper, .. } = estimate;
        let numbers = [values, posterior_sd, noise_sd, lower, upper].map(|column| column[i]);
        (name.to_owned(), estimate.at[i].coordinates().chain(numbers).collect())
    };
    let rows = estimates.into_iter().flat_map(|(name, estimate)| {
        let row = &row;
        (0..estimate.at.len()).map(move |i| row(name, estimate, i)).collect::<Vec<_>>()
    });
    let columns = P::NAMES.iter().chain(&COLUMNS).map(|name| (*name).to_owned()).collect();
    Table { key, columns, rows: rows.collect() }
}

#[cfg(feature = "density")]
fn of_density(density: &dpfda_density::PiecewiseDensity, names: &[String]) -> Table {
    let cells = density.cells();
    let name = |axis: usize| names.get(axis).cloned().unwrap_or_else(|| (axis + 1).to_string());
    let ends = |end: &'static str| (0..cells.bounds().dimension()).map(move |axis| format!("{end}_{}", name(axis)));
    let row = |(index, q): (usize, &f64)| {
        let corners = cells.lower_corner(index).into_iter().chain(cells.upper_corner(index));
        (String::new(), corners.chain([q / cells.cell_volume()]).collect())
    };
    Table {
        key: None,
        columns: ends("lower").chain(ends("upper")).chain(["density".to_owned()]).collect(),
        rows: density.probabilities().iter().enumerate().map(row).collect(),
    }
}

#[cfg(feature = "plotting")]
mod drawn {
    use dpfda_analysis::Estimated;
    use dpfda_mechanism::Labels;
    use dpfda_plotting::{
        About, Coefficient, DensityFigure, Drawing, Figure, FigureError, Frame, GroupMeans, LineFigure,
        MeanSurfaceFigure, captions,
    };
    use dpfda_release::Regression;

    use super::Picture;
    use crate::kinds::design::Design;

    impl Picture {
        /// The figure of the answer, in a frame; `None` for what is told in words alone.
        ///
        /// # Errors
        /// [`FigureError`] for numbers that axes cannot show.
        pub(in crate::kinds) fn figure(
            &self,
            about: &About<'_>,
            frame: &Frame<'_>,
        ) -> Result<Option<Drawing>, FigureError> {
            Ok(Some(match self {
                Self::Nothing | Self::Numbers(_) => return Ok(None),
                Self::Curve { mean, is_change: true, .. } => Figure::change(mean, about).framed(frame),
                Self::Curve { mean, unsupported, .. } => Figure::curve(mean, unsupported.clone(), about).framed(frame),
                Self::Together { means, sizes } => {
                    let column = about.labels.columns().first().map(String::as_str);
                    let groups = GroupMeans { means, sizes, column };
                    LineFigure::groups(&groups, about)?.framed(frame)
                }
                Self::Centiles(curves) => LineFigure::centiles(curves, about)?.framed(frame),
                Self::Outcome(outcome) => LineFigure::outcome(outcome, about)?.framed(frame),
                Self::Panels(regression) => of_regression(regression, about)?.framed(frame),
                Self::Surface(mean) => MeanSurfaceFigure::surface(mean, about).framed(frame),
                Self::Density { density, noise_sd } => of_density(density, *noise_sd, about)?.framed(frame),
            }))
        }
    }

    /// The mean of people in the middle of the ranges of the covariates, and the coefficients after the intercept.
    fn of_regression(regression: &Estimated<Regression>, about: &About<'_>) -> Result<LineFigure, FigureError> {
        let design = Design::of(regression);
        let middle = design.middle.as_ref();
        let middle = middle.map(|(who, mean)| Coefficient { name: who, per: None, mean, is_mean: true });
        let others = regression.means().all().iter().skip(1).zip(&design.of).filter_map(|(one, (name, per))| {
            Some(Coefficient { name, per: per.as_deref(), mean: one.mean().ok()?, is_mean: false })
        });
        let all: Vec<Coefficient<'_>> = middle.into_iter().chain(others).collect();
        LineFigure::coefficients(&all, about)
    }

    fn of_density(
        density: &dpfda_density::PiecewiseDensity,
        noise_sd: Option<f64>,
        about: &About<'_>,
    ) -> Result<DensityFigure, FigureError> {
        let captions: Vec<String> = captions(about.facts).collect();
        let captions: Vec<&str> = captions.iter().map(String::as_str).collect();
        let names: Vec<&str> = Labels::columns(about.labels).iter().map(String::as_str).collect();
        let figure = DensityFigure::new(density).caption(&captions);
        let figure = if names.is_empty() { figure } else { figure.axes(&names)? };
        let figure = match noise_sd {
            Some(sd) => figure.with_noise(sd),
            None => figure.without_noise(),
        };
        Ok(if about.is_private { figure } else { figure.noise_from_a_seed() })
    }
}
