//! `dpfda components`: how the curves of a release vary around their mean.

use std::path::Path;

use dpfda::analysis::Components;
use dpfda::plotting::{CovarianceFigure, Frame, LineFigure};
use dpfda::smoothing::PublicCurve;
use ndarray::Array1;

use crate::arguments::ComponentsArguments;
use crate::curve::Curve;
use crate::error::CliError;
use crate::input::whole;
use crate::output::{Contents, OutputDirectory, OutputError};
use crate::progress;

mod answer;
mod error;
mod synthetic;
mod words;

pub use error::ComponentsRefusal;

use answer::Answer;
use synthetic::Drawn;

/// The largest file of a curve that is read, in bytes.
const LARGEST_CURVE: u64 = 1 << 23;

/// Writes the files of the components and returns them in words, or as JSON.
pub fn run(arguments: &ComponentsArguments) -> Result<String, CliError> {
    let curve = arguments.curve.as_deref().map(read_curve).transpose()?;
    let estimated = Curve::read_one(&arguments.release)?;
    let (components, drawn) = progress::waiting("components", || -> Result<_, CliError> {
        let components = Components::new(estimated.mean.population()).map_err(ComponentsRefusal::Release)?;
        let drawn = Drawn::of(&arguments.synthetic, &components)?;
        Ok((components, drawn))
    })?;
    let scores = match (&curve, arguments.curve.as_deref()) {
        (Some(curve), Some(path)) => Some(scores(&components, curve, path)?),
        _ => None,
    };
    let inputs: Vec<&Path> =
        [Some(arguments.release.as_path()), arguments.curve.as_deref()].into_iter().flatten().collect();
    let output = &arguments.output;
    let output = OutputDirectory::prepare(&output.out, Contents::Components, output.force, &inputs)?;
    let answer = Answer::of(&estimated, &components, drawn.as_ref().map(|drawn| &drawn.asked));
    write_files(&output, &estimated, &components, &answer)?;
    drawn.as_ref().map_or(Ok(()), |drawn| drawn.write(&output, &estimated))?;
    output.finish()?;
    Ok(if arguments.answer.json {
        serde_json::to_string_pretty(&answer.with_scores(scores))? + "\n"
    } else {
        let drawn = drawn.as_ref().map(Drawn::words);
        words::of(&estimated, &components, (scores.as_ref(), drawn), output.target())
    })
}

fn read_curve(path: &Path) -> Result<PublicCurve, ComponentsRefusal> {
    let read = |source| ComponentsRefusal::ReadCurve { path: path.to_owned(), source };
    let bytes = whole(path, LARGEST_CURVE).map_err(read)?;
    PublicCurve::from_csv_reader(bytes.as_slice())
        .map_err(|reason| ComponentsRefusal::Curve { path: path.to_owned(), reason })
}

fn scores(components: &Components, curve: &PublicCurve, path: &Path) -> Result<Array1<f64>, ComponentsRefusal> {
    let curve = curve.on(components.grid());
    let curve = curve.map_err(|reason| ComponentsRefusal::Curve { path: path.to_owned(), reason })?;
    components.scores(curve.view()).map_err(ComponentsRefusal::Release)
}

fn write_files(
    output: &OutputDirectory,
    estimated: &Curve,
    components: &Components,
    answer: &Answer<'_>,
) -> Result<(), OutputError> {
    output.write("components.json", (serde_json::to_string_pretty(answer)? + "\n").as_bytes())?;
    output.write("components.csv", answer.table()?.as_bytes())?;
    let about = estimated.about();
    let scree = LineFigure::scree(components, &about)?;
    output.draw(["scree.svg", "scree.pdf", "scree.png"], &scree.framed(&Frame::default()))?;
    if let Some(modes) = LineFigure::modes(components, &about)? {
        output.draw(["modes.svg", "modes.pdf", "modes.png"], &modes.framed(&Frame::default()))?;
    }
    let covariance = CovarianceFigure::of_components(components, &about)?;
    output.draw(["covariance.svg", "covariance.pdf", "covariance.png"], &covariance.framed(&Frame::default()))
}
