//! The files of a release.

use dpfda::analysis::Estimated;
use dpfda::plotting::Figure;
use dpfda::release::Mean;

use crate::error::CliError;
use crate::files::{self, Files};
use crate::look::Look;
use crate::output::{OutputDirectory, OutputError, table};
use crate::selection::Selection;

/// Writes the files of a release, and gives them their place.
pub fn publish(
    output: &OutputDirectory,
    release: &Estimated<Mean>,
    selection: &Selection,
    look: &Look,
) -> Result<(), CliError> {
    output.write("release.json", (release.to_json()? + "\n").as_bytes())?;
    files::all(&mut |name, bytes| output.write(name, bytes), |files| write_files(release, selection, look, files))?;
    Ok(output.finish()?)
}

/// Makes `release.csv`, `.svg`, `.pdf` and `.png`, and the files of a choice where a smoother was chosen.
pub fn write_files(
    release: &Estimated<Mean>,
    selection: &Selection,
    look: &Look,
    files: &mut Files<'_>,
) -> Result<(), OutputError> {
    files.make(["release.csv"], || Ok([table(&release.points())?.into_bytes()]))?;
    files.make(FIGURES, || {
        let names = (release.labels().argument().unwrap_or("t"), release.labels().value().unwrap_or("value"));
        Ok(look.applied(Figure::estimate(release), "Estimated mean function", names).to_files()?)
    })?;
    if let Selection::Chosen(choice) = selection {
        choice.files.iter().try_for_each(|(name, bytes)| files.make([*name], || Ok([bytes.clone()])))?;
    }
    Ok(())
}

/// The figure of a release.
pub const FIGURES: [&str; 3] = ["release.svg", "release.pdf", "release.png"];
