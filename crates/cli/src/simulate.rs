//! `dpfda simulate`: synthetic curves from a release, at no cost in privacy.

use dpfda::analysis::{ComponentsError, Estimated, SyntheticCurves};
use dpfda::plotting::{AxisScale, FigureError, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::privacy::{SeededRandomness, SystemRandomness};
use dpfda::release::Mean;
use ndarray::Array2;
use rand::Rng;

use crate::arguments::SimulateArguments;
use crate::components::{self, ComponentsRefusal, stamp};
use crate::error::CliError;
use crate::evaluate::read_release;
use crate::new_file::{FigureFile, NewFile, NewFileError};
use crate::output::{TableError, text_of};
use crate::progress;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, exact, rounded, wrapped};

/// The most curves that a figure shows.
const SHOWN: usize = 25;

const GOOD_FOR: &str = "\
the curves have the mean and the covariance that the release tells, and a Gaussian shape. They suit power calculations, teaching, \
and programs that are written before the data may be seen";

const NOT_GOOD_FOR: &str = "\
the Gaussian shape is an assumption: skewness, outliers and groups of the real curves are not learnt. No synthetic curve belongs to a \
person. A result from synthetic curves does not show its privacy error, and more of them do not make it more certain: report the \
standard deviations of dpfda components beside it";

/// Writes the curves, and returns what they are good for.
pub fn run(arguments: &SimulateArguments) -> Result<String, CliError> {
    let clip = arguments.clip.as_ref().map(|clip| bounds(&clip.0)).transpose()?;
    let file = NewFile::check("--out", &arguments.out)?;
    let figure = arguments.figure.as_deref().map(|path| FigureFile::check(path, "curves.svg")).transpose()?;
    let estimated = read_release(&arguments.release)?;
    let synthetic = progress::waiting("components", || {
        let components = components::of(&estimated)?;
        SyntheticCurves::new(&components).map_err(ComponentsRefusal::Release)
    })?;
    let synthetic = match clip {
        Some((lower, upper)) => synthetic.clipped(lower, upper).map_err(ComponentsRefusal::Clip)?,
        None => synthetic,
    };
    let seed = arguments.seed.map_or_else(|| SystemRandomness::new().map(|mut system| system.next_u64()), Ok)?;
    let curves = synthetic.draw(arguments.curves, &mut SeededRandomness::from_seed(seed));
    let curves = curves.map_err(ComponentsRefusal::Curves)?;
    let table = table(&synthetic, &curves)?;
    let drawn = figure.as_ref().map(|_| drawn(&estimated, &synthetic, &curves)).transpose();
    let drawn = drawn.map_err(|source| NewFileError::Figure { argument: "--figure", source })?;
    file.write(table.as_bytes())?;
    if let (Some(file), Some(drawn)) = (&figure, &drawn) {
        file.write(|| drawn.to_svg(), || drawn.to_pdf(), || drawn.to_png())?;
    }
    Ok(words(arguments, &estimated, seed, clip))
}

fn bounds(numbers: &[f64]) -> Result<(f64, f64), ComponentsRefusal> {
    match *numbers {
        [lower, upper] if lower.is_finite() && upper.is_finite() && lower < upper => Ok((lower, upper)),
        [lower, upper] => Err(ComponentsRefusal::Clip(ComponentsError::Clip { lower, upper })),
        _ => Err(ComponentsRefusal::TwoBounds { found: numbers.len() }),
    }
}

/// `id`, then a column for each point; the names of the columns are no numbers, so that a reader knows the header.
fn table(synthetic: &SyntheticCurves, curves: &Array2<f64>) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let points = synthetic.grid().points();
    let names = points.iter().map(|t| format!("t{}", exact(*t)));
    csv.write_record(std::iter::once("id".to_owned()).chain(names)).map_err(|_| TableError)?;
    for (index, curve) in curves.rows().into_iter().enumerate() {
        let values = curve.iter().map(|value| exact(*value));
        csv.write_record(std::iter::once(format!("synthetic-{}", index + 1)).chain(values)).map_err(|_| TableError)?;
    }
    text_of(csv)
}

/// The mean with its band, and some of the curves.
fn drawn(
    estimated: &Estimated<Mean>,
    synthetic: &SyntheticCurves,
    curves: &Array2<f64>,
) -> Result<LineFigure, FigureError> {
    let estimate = estimated.estimate();
    let grid = synthetic.grid();
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
    let shown = curves.rows().into_iter().take(SHOWN).map(|curve| line("synthetic curves", curve.to_vec()));
    // the mean last, above the curves
    let shown = shown.chain([line("mean", estimate.values.to_vec())]).collect();
    let panel = |label: &str, series| LinePanel::new(label, AxisScale::Linear, AxisScale::Linear, series);
    let label = format!("{} of {} synthetic curves", curves.nrows().min(SHOWN), curves.nrows());
    let panels = vec![panel("estimated mean", mean)?, panel(&label, shown)?];
    let title = format!("Synthetic curves beside the mean of the release{}", stamp(estimated));
    Ok(LineFigure::new(panels)?.with_one_scale().title(&title).axes("t", "value"))
}

fn words(arguments: &SimulateArguments, estimated: &Estimated<Mean>, seed: u64, clip: Option<(f64, f64)>) -> String {
    let clipped = clip.map_or_else(String::new, |(lower, upper)| {
        format!("; values outside {} to {} were moved to that bound", exact(lower), exact(upper))
    });
    let mut text = "Synthetic curves from a private release\n\n".to_owned();
    let made = format!(
        "{} curves at {} points in {}{clipped}",
        arguments.curves,
        estimated.grid().len(),
        shown(&arguments.out)
    );
    text += &wrapped("curves", &made);
    text += &wrapped("seed", &format!("{seed}: the same seed gives the same curves, and it may be public"));
    text += &wrapped("good for", GOOD_FOR);
    text += &wrapped("not for", NOT_GOOD_FOR);
    if let Some(figure) = &arguments.figure {
        text += &wrapped("figure", &format!("{} shows some of the curves beside the mean", shown(figure)));
    }
    if !estimated.is_private() {
        text += &wrapped("NOTE", FROM_A_SEED);
    }
    let closing = "The curves are functions of the release: drawing any number of them costs no privacy.";
    text + "\n" + &wrapped("", closing)
}
