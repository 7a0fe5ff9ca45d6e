//! The files of a release.

use dpfda::analysis::Estimated;
use dpfda::plotting::Figure;
use dpfda::release::Mean;

use crate::look::Look;
use crate::output::{OutputDirectory, OutputError, table};
use crate::publication::Sink;
use crate::selection::Selection;

/// Writes the files of a release, and gives them their place.
pub fn publish(
    output: &OutputDirectory,
    release: &Estimated<Mean>,
    selection: &Selection,
    look: &Look,
) -> Result<(), OutputError> {
    write_files(release, selection, look, &mut |name, bytes| output.write(name, bytes))?;
    output.finish()
}

/// Makes `release.json`, `.csv`, `.svg`, `.pdf` and `.png`, and the files of a choice where a smoother was chosen.
pub fn write_files(
    release: &Estimated<Mean>,
    selection: &Selection,
    look: &Look,
    write: Sink<'_>,
) -> Result<(), OutputError> {
    // The document first: everything else can be made from it again.
    write("release.json", (release.to_json()? + "\n").as_bytes())?;
    write("release.csv", table(&release.points())?.as_bytes())?;
    let names = (release.labels().argument().unwrap_or("t"), release.labels().value().unwrap_or("value"));
    let figure = look.applied(Figure::estimate(release), "Estimated mean function", names);
    write("release.svg", figure.to_svg()?.as_bytes())?;
    write("release.pdf", &figure.to_pdf()?)?;
    write("release.png", &figure.to_png()?)?;
    if let Selection::Chosen(choice) = selection {
        choice.files.iter().try_for_each(|(name, bytes)| write(name, bytes))?;
    }
    Ok(())
}
