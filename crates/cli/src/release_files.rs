//! The files of a release.

use dpfda::plotting::Figure;
use dpfda::release::MeanRelease;

use crate::output::{OutputDirectory, OutputError, table};
use crate::publication::Sink;
use crate::selection::Selection;

/// Writes the files of a release, and gives them their place.
pub fn publish(output: &OutputDirectory, release: &MeanRelease, selection: &Selection) -> Result<(), OutputError> {
    write_files(release, selection, &mut |name, bytes| output.write(name, bytes))?;
    output.finish()
}

/// Makes `release.json`, `.csv`, `.svg` and `.png`, and `selection.csv` and `.svg` and `neighbours.svg` where a smoother was
/// chosen.
pub fn write_files(release: &MeanRelease, selection: &Selection, write: Sink<'_>) -> Result<(), OutputError> {
    // The document first: everything else can be made from it again.
    write("release.json", (release.to_json()? + "\n").as_bytes())?;
    let function = release.function();
    let points = function.grid().points().to_vec();
    write("release.csv", table(&points, function.values(), function.noise_sd())?.as_bytes())?;
    let figure = Figure::release(release);
    write("release.svg", figure.to_svg()?.as_bytes())?;
    write("release.png", &figure.to_png()?)?;
    if let Selection::Chosen(choice) = selection {
        write("selection.csv", choice.csv.as_bytes())?;
        write("selection.svg", choice.svg.as_bytes())?;
        write("neighbours.svg", choice.neighbours.as_bytes())?;
    }
    Ok(())
}
