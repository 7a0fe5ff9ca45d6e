//! `dpfda components --synthetic`: curves like those of a release, which are nobody's.

use dpfda::analysis::{Components, ComponentsError, SyntheticCurves};
use dpfda::plotting::{Frame, LineFigure};
use dpfda::privacy::{SeededRandomness, SystemRandomness};
use ndarray::Array2;
use rand::Rng;
use serde::Serialize;

use super::error::ComponentsRefusal;
use crate::arguments::SyntheticArguments;
use crate::curve::Curve;
use crate::error::CliError;
use crate::output::{OutputDirectory, OutputError, TableError, text_of};
use crate::summary::{exact, wrapped};
use crate::told::is_verbose;

const GOOD_FOR: &str = "\
the curves have the mean and the covariance that the release tells, and a Gaussian shape. They suit power calculations, teaching, \
and programs that are written before the data may be seen";

const BRIEF: &str = "They suit power calculations and teaching. Their Gaussian shape is an assumption, and a result from them does not show its \
privacy error";

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
        let shown = (self.synthetic.grid(), &self.curves);
        let figure = LineFigure::synthetic(&estimated.mean, shown, &estimated.about())?;
        output.draw(["synthetic.svg", "synthetic.pdf", "synthetic.png"], &figure.framed(&Frame::default()))
    }

    /// What they are good for.
    pub fn words(&self) -> String {
        let Asked { curves, seed, clip } = &self.asked;
        let clipped = clip.map_or_else(String::new, |(lower, upper)| {
            format!("; values outside {} to {} were moved to that bound", exact(lower), exact(upper))
        });
        let points = self.synthetic.grid().len();
        let made = format!("{curves} curves at {points} points in synthetic.csv{clipped}");
        if !is_verbose() {
            return wrapped("synthetic", &format!("{made}, by the seed {seed}. {BRIEF}"));
        }
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
}

fn bounds(numbers: &[f64]) -> Result<(f64, f64), ComponentsRefusal> {
    match *numbers {
        [lower, upper] if lower.is_finite() && upper.is_finite() && lower < upper => Ok((lower, upper)),
        [lower, upper] => Err(ComponentsRefusal::Clip(ComponentsError::Clip { lower, upper })),
        _ => Err(ComponentsRefusal::TwoBounds { found: numbers.len() }),
    }
}
