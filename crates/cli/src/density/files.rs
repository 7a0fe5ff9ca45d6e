//! The files of a density.

use dpfda::density::PiecewiseDensity;
use dpfda::plotting::{DensityFigure, Drawing, FigureError};
use dpfda_study::MechanismName;
use ndarray::Array2;

use super::plan::Plan;
use super::released::Released;
use crate::files::{FIGURES, Files};
use crate::output::{OutputError, TableError, text_of};

/// Makes `release.csv` and the figure, and `synthetic.csv` where points were drawn.
pub fn write_files(plan: &Plan, released: &Released, files: &mut Files<'_>) -> Result<(), OutputError> {
    files.make(["release.csv"], || {
        let mut table = Vec::new();
        released.density.write_csv(&plan.columns, &mut table).map_err(|_| TableError)?;
        Ok([table])
    })?;
    files.draw(FIGURES, &plan.look, || Ok(Some(figure(plan, released)?)))?;
    match &released.synthetic {
        Some(synthetic) => files.make(["synthetic.csv"], || Ok([points(&plan.columns, synthetic)?.into_bytes()])),
        None => Ok(()),
    }
}

/// Points under the names of their columns, numbers in their shortest exact form.
fn points(columns: &[String], points: &Array2<f64>) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(columns).map_err(|_| TableError)?;
    for point in points.rows() {
        csv.write_record(point.iter().map(f64::to_string)).map_err(|_| TableError)?;
    }
    text_of(csv)
}

fn figure(plan: &Plan, released: &Released) -> Result<Drawing, FigureError> {
    let facts = facts(plan, released);
    let names: Vec<&str> = plan.columns.iter().map(String::as_str).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let mut figure = DensityFigure::new(&released.density).axes(&names)?.caption(&facts);
    if let (Some(unmerged), 1) = (&released.unmerged, names.len()) {
        figure = figure.with_density("before cells were merged", unmerged)?;
    }
    let figure = match released.probability_sd {
        Some(sd) => figure.with_noise(sd),
        None => figure.without_noise(),
    };
    let figure = if released.is_private { figure } else { figure.noise_from_a_seed() };
    Ok(figure.framed(&plan.look.frame(false)))
}

fn facts(plan: &Plan, released: &Released) -> Vec<String> {
    let side =
        |density: &PiecewiseDensity| vec![density.cells().per_axis().to_string(); plan.columns.len()].join(" × ");
    let merged = released.unmerged.as_ref().map_or_else(String::new, |from| format!(", merged from {}", side(from)));
    let mut facts = vec![released.name.to_owned()];
    facts.extend(released.captions.iter().cloned());
    // the cells of a series are those of its picture, and nothing of the release
    let is_series = matches!(plan.mechanism, MechanismName::Series | MechanismName::SeriesExponential);
    facts.extend((!is_series).then(|| format!("{} equal cells{merged}", side(&released.density))));
    facts
}
