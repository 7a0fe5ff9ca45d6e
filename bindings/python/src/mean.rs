//! From private curves to a release: everything that looks at curves happens with Python's lock released.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use dpfda::kernels::Grid;
use dpfda::mechanism::{FingerprintKey, PartId, Payable, Release, Source};
use dpfda::privacy::{PrivacyUnit, SystemRandomness};
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, MeanEncoder, MeanRelease, MeanViewer, Part, Plan};
use dpfda::smoothing::{
    CurveLayout, CurveSet, CurveSource, Decimal, GridChoice, Missing, TableError, TableFiles, similar_ids,
};
use pyo3::prelude::*;

use crate::cells::Ids;
use crate::door::{Concerns, Door, DoorArguments};
use crate::refusal::Refusal;
use crate::release::{EstimatedOrBare, Released};
use crate::settings::{Settings, threads};
use crate::table::{Rows, Table};

/// From this number of values on, curves are worth a second thread.
const LARGE: usize = 1 << 18;

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
        let concerns = Concerns::of_ids(are_similar(subjects));
        if self.needs_curves() {
            let curves = CurveSet::new(grid.clone(), rows.copied())?;
            let curves = match subjects {
                Some(subjects) => curves.with_subjects(subjects)?,
                None => curves,
            };
            let workers = if rows.len().saturating_mul(rows.columns()) > LARGE { workers } else { NonZeroUsize::MIN };
            let curves = self.filled(curves)?;
            let prepared = mean.prepare_on(&curves, grid, Some(workers))?;
            return draw(mean.viewer(grid)?, prepared, self.source(), (door, concerns), |release| {
                self.estimate(release)
            });
        }
        let unit = if subjects.is_some() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        let plan = mean.plan(grid, unit)?;
        let part = encode(&plan, rows, subjects, &PartId::whole(), None, workers)?;
        let prepared = part.prepare(&plan).map_err(|again| again.reason)?;
        draw(plan.viewer()?, prepared, None, (door, concerns), |release| self.estimate(release))
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
            let curves = self.filled(curves)?;
            let prepared = mean.prepare_on(&curves, curves.grid(), Some(workers))?;
            return draw(mean.viewer(curves.grid())?, prepared, self.source(), (door, concerns), |release| {
                self.estimate(release)
            });
        }
        let unit = if first.has_subjects() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        let plan = mean.plan(first.grid(), unit)?;
        let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
        let encoding = FileEncoding { part: PartId::whole(), key, threads: workers, sorted };
        let encoder = plan.encode_files(&files, first, layout, encoding, &|bytes| bytes)?;
        let concerns = Concerns::of_file(*encoder.similar_ids().reveal() > 0, encoder.missing_cells());
        let part = encoder.finish().map_err(EncodeError::from)?;
        let prepared = part.prepare(&plan).map_err(|again| again.reason)?;
        draw(plan.viewer()?, prepared, None, (door, concerns), |release| self.estimate(release))
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
    let drawn = door.draw(prepared, concerns)?;
    Ok(Released::of(estimate(viewer.view(drawn.read_from(source))?)))
}

/// The exact sums of all rows as one part, by some threads; the sums are the same for every number of threads.
///
/// # Errors
/// [`Refusal`], that of the first row which has one.
pub fn encode<D: MeanDomain>(
    plan: &Plan<Mean<D>>,
    rows: &Rows<'_>,
    subjects: Option<&[String]>,
    part: &PartId,
    key: Option<[u8; 32]>,
    workers: NonZeroUsize,
) -> Result<Part<Mean<D>>, Refusal> {
    if let Some(subjects) = subjects.filter(|subjects| subjects.len() != rows.len()) {
        return Err(EncodeError::Subjects { curves: rows.len(), ids: subjects.len() }.into());
    }
    let points = plan.columns().len();
    if rows.columns() != points {
        return Err(EncodeError::Points { points, found: rows.columns() }.into());
    }
    let is_large = rows.len().saturating_mul(rows.columns()) > LARGE;
    let each = if is_large { rows.len().div_ceil(workers.get()) } else { rows.len() }.max(1);
    let share = |start: usize| -> Result<MeanEncoder<D>, EncodeError> {
        let mut encoder = plan.encoder(part.clone(), key.map(FingerprintKey::from_bytes));
        let end = rows.len().min(start + each);
        let outcome = rows.blocks(start..end, |from, block| match subjects {
            Some(subjects) => encoder.push_rows_of(&subjects[from..from + block.nrows()], block),
            None => encoder.push_rows(block),
        });
        match outcome {
            // counted from the first row of the share
            Err(EncodeError::Infinite { row }) => Err(EncodeError::Infinite { row: row + start as u64 }),
            Err(error) => Err(error),
            Ok(()) => Ok(encoder),
        }
    };
    let share = &share;
    let encoders = thread::scope(|scope| {
        let starts: Vec<usize> = (each..rows.len()).step_by(each).collect();
        let others: Vec<_> = starts.into_iter().map(|start| scope.spawn(move || share(start))).collect();
        let first = share(0);
        let joined =
            others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(first).chain(joined).collect::<Vec<_>>()
    });
    let mut encoders = encoders.into_iter();
    let mut whole = encoders.next().unwrap_or_else(|| share(0))?;
    for encoder in encoders {
        whole.absorb(encoder?)?;
    }
    Ok(whole.finish().map_err(EncodeError::from)?)
}

/// Whether there are different ids that a person may take for one, such as `S01` and `s1`: for the curator alone.
pub fn are_similar(subjects: Option<&[String]>) -> bool {
    let mut ids: Vec<&[u8]> = subjects.unwrap_or_default().iter().map(String::as_bytes).collect();
    ids.sort_unstable();
    ids.dedup();
    similar_ids(ids.into_iter()) > 0
}
