//! The files of a release.

use dpfda::plotting::Figure;
use dpfda::release::Release;

use crate::output::{OutputDirectory, OutputError, table};
use crate::selection::Selection;

/// Writes `release.json`, `.csv`, `.svg` and `.png`, and `selection.csv` and `.svg` and `neighbours.svg` where a smoother was
/// chosen; then gives them their place.
pub fn publish(output: &OutputDirectory, release: &Release, selection: &Selection) -> Result<(), OutputError> {
    // The document first: everything else can be made from it again.
    output.write("release.json", (release.to_json()? + "\n").as_bytes())?;
    let function = release.function();
    let points = function.grid().points().to_vec();
    output.write("release.csv", table(&points, function.values(), function.noise_sd())?.as_bytes())?;
    let figure = Figure::release(release);
    output.write("release.svg", figure.to_svg()?.as_bytes())?;
    output.write("release.png", &figure.to_png()?)?;
    if let Selection::Chosen(choice) = selection {
        output.write("selection.csv", choice.csv.as_bytes())?;
        output.write("selection.svg", choice.svg.as_bytes())?;
        output.write("neighbours.svg", choice.neighbours.as_bytes())?;
    }
    output.finish()
}
