//! `dpfda components --synthetic`: curves like those of a release, which are nobody's.

use dpfda::analysis::{Components, ComponentsError, SyntheticCurves};
use dpfda::plotting::{AxisScale, FigureError, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::privacy::{SeededRandomness, SystemRandomness};
use ndarray::Array2;
use rand::Rng;
use serde::Serialize;

use super::error::ComponentsRefusal;
use super::figures::stamp;
use crate::arguments::SyntheticArguments;
use crate::curve::Curve;
use crate::error::CliError;
use crate::output::{OutputDirectory, OutputError, TableError, text_of};
use crate::summary::{exact, rounded, wrapped};

/// The most curves that a figure shows.
const SHOWN: usize = 25;

const GOOD_FOR: &str = "\
the curves have the mean and the covariance that the release tells, and a Gaussian shape. They suit power calculations, teaching, \
and programs that are written before the data may be seen";

const NOT_GOOD_FOR: &str = "\
the Gaussian shape is an assumption: skewness, outliers and groups of the real curves are not learnt. No synthetic curve belongs to a \
person. A result from synthetic curves does not show its privacy error, and more of them do not make it more certain: report the \
standard deviations of dpfda components beside it";

/// Curves that were drawn, and what was asked for.
pub struct Drawn {
    curves: Array2<f64>,
    synthetic: SyntheticCurves,
    /// What programs read of it.
    pub asked: Asked,
}

/// How the curves were drawn.
#[derive(Serialize)]
pub struct Asked {
    curves: usize,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<(f64, f64)>,
}

impl Drawn {
    /// The curves that were asked for, if any were.
    pub fn of(arguments: &SyntheticArguments, components: &Components) -> Result<Option<Self>, CliError> {
        let Some(number) = arguments.synthetic else { return Ok(None) };
        let clip = arguments.clip.as_ref().map(|clip| bounds(&clip.0)).transpose()?;
        let synthetic = SyntheticCurves::new(components).map_err(ComponentsRefusal::Release)?;
        let synthetic = match clip {
            Some((lower, upper)) => synthetic.clipped(lower, upper).map_err(ComponentsRefusal::Clip)?,
            None => synthetic,
        };
        let seed = arguments.seed.map_or_else(|| SystemRandomness::new().map(|mut system| system.next_u64()), Ok)?;
        let curves = synthetic.draw(number, &mut SeededRandomness::from_seed(seed));
        let curves = curves.map_err(ComponentsRefusal::Synthetic)?;
        Ok(Some(Self { curves, synthetic, asked: Asked { curves: number, seed, clip } }))
    }

    /// Writes the curves and their figure.
    pub fn write(&self, output: &OutputDirectory, estimated: &Curve) -> Result<(), OutputError> {
        output.write("synthetic.csv", self.table()?.as_bytes())?;
        let figure = self.figure(estimated)?;
        output.write("synthetic.svg", figure.to_svg()?.as_bytes())?;
        output.write("synthetic.png", &figure.to_png()?)
    }

    /// What they are good for.
    pub fn words(&self) -> String {
        let Asked { curves, seed, clip } = &self.asked;
        let clipped = clip.map_or_else(String::new, |(lower, upper)| {
            format!("; values outside {} to {} were moved to that bound", exact(lower), exact(upper))
        });
        let points = self.synthetic.grid().len();
        let made = format!("{curves} curves at {points} points in synthetic.csv{clipped}");
        let seed = format!("{seed}: the same seed gives the same curves, and it may be public");
        wrapped("synthetic", &made)
            + &wrapped("seed", &seed)
            + &wrapped("good for", GOOD_FOR)
            + &wrapped("not for", NOT_GOOD_FOR)
    }

    /// `id`, then a column for each point; the names of the columns are no numbers, so that a reader knows the header.
    fn table(&self) -> Result<String, TableError> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let points = self.synthetic.grid().points();
        let names = points.iter().map(|t| format!("t{}", exact(*t)));
        csv.write_record(std::iter::once("id".to_owned()).chain(names)).map_err(|_| TableError)?;
        for (index, curve) in self.curves.rows().into_iter().enumerate() {
            let values = curve.iter().map(|value| exact(*value));
            csv.write_record(std::iter::once(format!("synthetic-{}", index + 1)).chain(values))
                .map_err(|_| TableError)?;
        }
        text_of(csv)
    }

    /// The mean with its band, and some of the curves.
    fn figure(&self, estimated: &Curve) -> Result<LineFigure, FigureError> {
        let estimate = estimated.mean.estimate();
        let grid = self.synthetic.grid();
        let line = |label: &str, y: Vec<f64>| Series {
            label: label.to_owned(),
            x: grid.closed_points(),
            y: grid.closed_values(y),
            style: SeriesStyle::Line,
        };
        let band = format!("{} % band for {}", rounded(100.0 * estimate.level), estimate.target);
        let mean = vec![
            line("mean", estimate.values.to_vec()),
            line(&band, estimate.lower.to_vec()),
            line(&band, estimate.upper.to_vec()),
        ];
        let shown = self.curves.rows().into_iter().take(SHOWN).map(|curve| line("synthetic curves", curve.to_vec()));
        // the mean last, above the curves
        let shown = shown.chain([line("mean", estimate.values.to_vec())]).collect();
        let panel = |label: &str, series| LinePanel::new(label, AxisScale::Linear, AxisScale::Linear, series);
        let label = format!("{} of {} synthetic curves", self.curves.nrows().min(SHOWN), self.curves.nrows());
        let panels = vec![panel("estimated mean", mean)?, panel(&label, shown)?];
        let title = format!("Synthetic curves beside the mean of the release{}", stamp(estimated));
        Ok(LineFigure::new(panels)?.with_one_scale().title(&title).axes("t", "value"))
    }
}

fn bounds(numbers: &[f64]) -> Result<(f64, f64), ComponentsRefusal> {
    match *numbers {
        [lower, upper] if lower.is_finite() && upper.is_finite() && lower < upper => Ok((lower, upper)),
        [lower, upper] => Err(ComponentsRefusal::Clip(ComponentsError::Clip { lower, upper })),
        _ => Err(ComponentsRefusal::TwoBounds { found: numbers.len() }),
    }
}
