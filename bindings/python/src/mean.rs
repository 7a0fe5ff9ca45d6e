//! From private curves to a release: everything that looks at curves happens with Python's lock released.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dpfda::kernels::Grid;
use dpfda::mechanism::{FingerprintKey, PartId, Payable, Release, Source};
use dpfda::privacy::{PrivacyUnit, SystemRandomness};
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, MeanRelease, MeanViewer, Part, Plan, PrivateMean};
use dpfda::smoothing::{
    AnyCurves, CurveLayout, CurveSet, CurveSource, Decimal, GridChoice, Missing, TableError, TableFiles, similar_ids,
};
use pyo3::prelude::*;

use crate::cells::Ids;
use crate::door::{Concerns, Door, DoorArguments};
use crate::refusal::Refusal;
use crate::release::{EstimatedOrBare, Released};
use crate::settings::{Settings, threads};
use crate::table::{Rows, Table};

/// Releases the mean of curves in memory: **spends the budget**.
#[pyfunction]
#[pyo3(signature = (settings, curves, grid, subjects, door, workers))]
pub fn release_curves(
    py: Python<'_>,
    settings: &Settings,
    curves: Table<'_>,
    grid: GridArgument,
    subjects: Option<Py<Ids>>,
    door: DoorArguments,
    workers: Option<usize>,
) -> Result<Released, Refusal> {
    let (door, rows) = (Door::try_from(door)?, curves.view("curves")?);
    let grid = grid.of(rows.columns())?;
    let subjects = subjects.as_ref().map(|ids| ids.get().all());
    py.detach(|| settings.release_rows(&rows, &grid, subjects, &door, threads(workers)))
}

/// Releases the mean of the curves in files: **spends the budget**.
#[pyfunction]
#[pyo3(signature = (settings, path, layout, door, workers, sorted_by_subject))]
pub fn release_files(
    py: Python<'_>,
    settings: &Settings,
    path: PathBuf,
    layout: LayoutArguments,
    door: DoorArguments,
    workers: Option<usize>,
    sorted_by_subject: bool,
) -> Result<Released, Refusal> {
    let (door, layout) = (Door::try_from(door)?, CurveLayout::try_from(layout)?);
    py.detach(|| settings.release_found(&path, &layout, &door, threads(workers), sorted_by_subject))
}

/// Where the columns of an array lie, and whether their domain closes up.
#[derive(Clone, FromPyObject)]
pub struct GridArgument(pub Place, pub bool);

/// Where the columns of an array lie.
#[derive(Clone, FromPyObject)]
pub enum Place {
    /// Equally spaced, between two ends.
    Interval(f64, f64),
    /// One point for each column.
    Points(Vec<f64>),
}

impl GridArgument {
    /// The grid of so many columns.
    ///
    /// # Errors
    /// [`Refusal`] for points that do not increase, or that are not as many as columns.
    pub fn of(self, columns: usize) -> Result<Grid, Refusal> {
        let Self(place, is_periodic) = self;
        match place {
            Place::Interval(lower, upper) if is_periodic => Ok(Grid::circle(lower, upper, columns)?),
            Place::Interval(lower, upper) => Ok(Grid::uniform(lower, upper, columns)?),
            Place::Points(points) if points.len() != columns => {
                Err(TableError::GridPoints { points: points.len(), columns }.into())
            }
            Place::Points(points) if is_periodic => Ok(Grid::closing(points)?),
            Place::Points(points) => Ok(Grid::new(points)?),
        }
    }
}

/// How the columns of files are read.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct LayoutArguments {
    values: String,
    subject: Option<String>,
    domain_range: Option<(f64, f64)>,
    grid_points: Option<Vec<f64>>,
    periodic: bool,
    cells: CellsArguments,
}

/// How the cells of files are read.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct CellsArguments {
    delimiter: Option<String>,
    decimal_comma: bool,
    missing: Option<String>,
}

impl CellsArguments {
    /// The layout with cells that are read so.
    ///
    /// # Errors
    /// [`Refusal`] for a delimiter that is none, and for a list of codes with an empty one.
    pub fn on(&self, mut layout: CurveLayout) -> Result<CurveLayout, Refusal> {
        if let Some(delimiter) = &self.delimiter {
            layout = layout.separated_by(delimiter.parse()?);
        }
        if let Some(codes) = &self.missing {
            layout = layout.missing(Missing::new(codes)?);
        }
        Ok(if self.decimal_comma { layout.decimal(Decimal::Comma) } else { layout })
    }
}

impl TryFrom<LayoutArguments> for CurveLayout {
    type Error = Refusal;

    fn try_from(arguments: LayoutArguments) -> Result<Self, Refusal> {
        let mut layout = Self::new(&arguments.values)?;
        if let Some(column) = &arguments.subject {
            layout = layout.subject(column);
        }
        layout = arguments.cells.on(layout)?;
        if arguments.periodic {
            layout = layout.periodic();
        }
        let of_points = if arguments.periodic { Grid::closing } else { Grid::new };
        Ok(match (arguments.grid_points, arguments.domain_range) {
            (Some(points), _) => layout.grid(GridChoice::Of(of_points(points)?)),
            (None, Some((lower, upper))) => layout.grid(GridChoice::Interval(lower, upper)),
            (None, None) => layout,
        })
    }
}

impl Settings {
    fn release_rows(
        &self,
        rows: &Rows<'_>,
        grid: &Grid,
        subjects: Option<&[String]>,
        door: &Door,
        workers: NonZeroUsize,
    ) -> Result<Released, Refusal> {
        let mean = self.private_mean(grid)?;
        if self.needs_curves() {
            let curves = CurveSet::new(grid.clone(), rows.copied())?;
            let curves = match subjects {
                Some(subjects) => curves.with_subjects(subjects)?,
                None => curves,
            };
            return self.release_curves(&mean, curves, (door, Concerns::of_ids(are_similar(subjects))), workers);
        }
        let unit = if subjects.is_some() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        let plan = mean.plan(grid, unit)?;
        let viewer = plan.viewer()?;
        let drawn = door.agreed.kept_by(drawn_of_rows(&plan, door, rows, subjects, workers)?, None);
        Ok(Released::of(self.estimate(viewer.view(drawn)?)))
    }

    fn release_found(
        &self,
        path: &Path,
        layout: &CurveLayout,
        door: &Door,
        workers: NonZeroUsize,
        sorted: bool,
    ) -> Result<Released, Refusal> {
        let files = TableFiles::find(path)?;
        let first = files.open(0, layout)?;
        let mean = self.private_mean(first.grid())?;
        if self.needs_curves() {
            drop(first);
            let curves = CurveSet::read_files(&files, layout, |bytes| bytes)?;
            let concerns = Concerns::of_file(*curves.similar_ids().reveal() > 0, curves.missing_cells());
            return self.release_curves(&mean, curves, (door, concerns), workers);
        }
        let unit = if first.has_subjects() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        let plan = mean.plan(first.grid(), unit)?;
        let viewer = plan.viewer()?;
        let drawn = drawn_of_files(&plan, door, &files, (first, layout), (workers, sorted))?;
        let drawn = door.agreed.kept_by(drawn, None);
        Ok(Released::of(self.estimate(viewer.view(drawn)?)))
    }

    /// Releases curves that are needed as a whole.
    fn release_curves(
        &self,
        mean: &PrivateMean,
        curves: CurveSet,
        door: (&Door, Concerns),
        workers: NonZeroUsize,
    ) -> Result<Released, Refusal> {
        let curves = self.filled(curves)?;
        let prepared = mean.prepare_on(&curves, curves.grid(), Some(workers))?;
        draw(mean.viewer(curves.grid())?, prepared, self.source(), door, |release| self.estimate(release))
    }
}

/// Draws, and looks at the release through the smoother, whose spectrum is solved before the noise.
///
/// # Errors
/// [`Refusal`] before the noise is drawn; what goes wrong with the estimate is kept beside the release.
pub fn draw(
    viewer: MeanViewer,
    prepared: impl Payable<Drawn = Release<Mean>>,
    source: Option<Source>,
    (door, concerns): (&Door, Concerns),
    estimate: impl FnOnce(MeanRelease) -> EstimatedOrBare,
) -> Result<Released, Refusal> {
    let drawn = door.agreed.kept_by(door.draw(prepared, concerns)?, source);
    Ok(Released::of(estimate(viewer.view(drawn)?)))
}

/// Pays and draws: the records of a plan were encoded as a part, and where a centre is bought they are encoded again about it.
///
/// # Errors
/// [`Refusal`] before anything is paid for, of the ledger, and for records that are not the same the second time.
pub fn drawn<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    (door, concerns): (&Door, Concerns),
    part: Part<Mean<D>>,
    mut again: impl FnMut(&Plan<Mean<D>>) -> Result<Part<Mean<D>>, EncodeError> + Send,
) -> Result<Release<Mean<D>>, Refusal> {
    if plan.is_twice() {
        let again = |plan: &Plan<Mean<D>>| Ok(again(plan)?);
        return door.draw(part.prepare_twice(plan, again).map_err(|again| again.reason)?, concerns);
    }
    door.draw(part.prepare(plan).map_err(|again| again.reason)?, concerns)
}

/// The same of rows in memory, which are not copied.
///
/// # Errors
/// As [`drawn`], and [`Refusal`] for rows that cannot be encoded.
pub fn drawn_of_rows<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    door: &Door,
    rows: &Rows<'_>,
    subjects: Option<&[String]>,
    workers: NonZeroUsize,
) -> Result<Release<Mean<D>>, Refusal> {
    let encode = |plan: &Plan<Mean<D>>| plan.encode_rows(rows, subjects, PartId::whole(), None, workers);
    drawn(plan, (door, Concerns::of_ids(are_similar(subjects))), encode(plan)?, encode)
}

/// The same of files, which are encoded as they are read; `first` is the first of them.
///
/// # Errors
/// As [`drawn`], and [`Refusal`] for files that cannot be read.
pub fn drawn_of_files<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    door: &Door,
    files: &TableFiles,
    (first, layout): (AnyCurves, &CurveLayout),
    (workers, sorted): (NonZeroUsize, bool),
) -> Result<Release<Mean<D>>, Refusal> {
    let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
    let encoding = FileEncoding { part: PartId::whole(), key, threads: workers, sorted };
    let encode =
        |plan: &Plan<Mean<D>>, first| plan.encode_files(files, first, layout, encoding.clone(), &|bytes| bytes);
    let encoder = encode(plan, first)?;
    let concerns = Concerns::of_file(*encoder.similar_ids().reveal() > 0, encoder.missing_cells());
    let again = |plan: &Plan<Mean<D>>| Ok(encode(plan, files.open(0, layout)?)?.finish()?);
    drawn(plan, (door, concerns), encoder.finish().map_err(EncodeError::from)?, again)
}

/// Whether there are different ids that a person may take for one, such as `S01` and `s1`: for the curator alone.
pub fn are_similar(subjects: Option<&[String]>) -> bool {
    let mut ids: Vec<&[u8]> = subjects.unwrap_or_default().iter().map(String::as_bytes).collect();
    ids.sort_unstable();
    ids.dedup();
    similar_ids(ids.into_iter()) > 0
}
