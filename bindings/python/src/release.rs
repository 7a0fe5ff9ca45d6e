//! From a checked study and private data to a release: everything that looks at data happens with Python's lock released.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::thread;

use dpfda::analysis::{Estimable, Estimated};
use dpfda::kernels::Grid;
use dpfda::mechanism::{FingerprintKey, Labels, PartId, Release, Source, Statistic};
use dpfda::privacy::SystemRandomness;
use dpfda::release::{EncodeError, FileEncoding, Mean, MeanDomain, Part, Plan, PreparedRows, Rows, Surface};
use dpfda::smoothing::{CurveSource, TableFiles};
use dpfda_study::{
    AskedDensity, AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface, BandChoice, Checked, Figure, Kind,
    Label, Size,
};
use pyo3::prelude::*;

use crate::data::{Axes, DataArgument, Memory, Whole, Wide, are_similar};
use crate::density;
use crate::door::{Concerns, Door, DoorArguments};
use crate::drawn::{Answer, Drawn};
use crate::reading::Reading;
use crate::refusal::Refusal;
use crate::released::{Look, Released};
use crate::study::CheckedStudy;

/// How a table is worked on.
#[derive(Debug, Clone, Copy)]
struct Work {
    threads: NonZeroUsize,
    /// Whether all rows of a subject follow one another.
    sorted: bool,
}

/// The number of threads: as asked for, or all cores.
pub fn threads(asked: Option<usize>) -> NonZeroUsize {
    asked.and_then(NonZeroUsize::new).or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// Releases what a study asks for: **spends the budget**.
#[pyfunction]
#[pyo3(signature = (study, data, door, workers, sorted_by_subject))]
pub fn release(
    py: Python<'_>,
    study: &CheckedStudy,
    data: DataArgument<'_>,
    door: DoorArguments,
    workers: Option<usize>,
    sorted_by_subject: bool,
) -> Result<Released, Refusal> {
    let (door, work) = (Door::try_from(door)?, Work { threads: threads(workers), sorted: sorted_by_subject });
    let labels = labels(&study.checked.figure, data.axes());
    let asked = Asked { study: &study.checked, reading: study.reads(), door: &door, work, labels };
    let answer = match study.checked.kind {
        Kind::Mean => Answer::Mean(asked.mean(py, &data)?),
        Kind::Groups => Answer::Groups(asked.groups(py, &data)?),
        Kind::Rows => Answer::Rows(asked.rows(py, &data)?),
        Kind::Surface => Answer::Surface(asked.surfaces(py, &data)?),
        Kind::Regression => Answer::Regression(asked.regression(py, &data)?),
        Kind::Density => Answer::Density(Box::new(asked.density(py, &data)?)),
    };
    Ok(Released::new(answer, look(&study.checked.figure)))
}

/// The title and the size of figures.
fn look(figure: &Figure) -> Look {
    Look { title: figure.title.as_ref().map(|title| title.0.clone()), size: figure.size.as_ref().map(Size::figure) }
}

/// The public names of the axes, as a release keeps them: those of the study, or those that the data have themselves.
fn labels(figure: &Figure, (s, x, y): Axes) -> Labels {
    let named = |label: &Option<Label>, own: Option<String>| label.clone().or(own.map(Label));
    let (s_label, x_label) = (named(&figure.s_label, s), named(&figure.x_label, x));
    Figure { s_label, x_label, y_label: named(&figure.y_label, y), ..figure.clone() }.labels()
}

/// What is asked for, and by whom.
struct Asked<'a> {
    study: &'a Checked,
    reading: &'a Reading,
    door: &'a Door,
    work: Work,
    /// The public names of the axes.
    labels: Labels,
}

impl Asked<'_> {
    fn mean(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Drawn<Mean>, Refusal> {
        let (asked, wide) = (AskedMean::of(self.study)?, data.wide(self.reading)?);
        if asked.needs_curves() && self.work.sorted {
            return Err(Refusal::new(
                "sorted_by_subject",
                "these settings need whole curves: leave sorted_by_subject out",
            ));
        }
        py.detach(|| {
            if asked.needs_curves() {
                let whole = wide.whole(self.reading)?;
                let source = self.study.source(whole.names());
                let curves = asked.filled(Cow::Owned(whole.curves))?;
                let private_mean = asked.private_mean(curves.grid())?;
                let prepared = private_mean.prepare_on(&curves, curves.grid(), Some(self.work.threads))?;
                let viewer = private_mean.viewer(curves.grid())?;
                let drawn = self.kept(self.door.draw(prepared, whole.concerns)?, source);
                return Ok(Drawn::new(viewer.view(drawn)?, |release| Ok(asked.estimate(release)?.0)));
            }
            let mut viewer = None;
            let drawn = self.planned(wide, |grid, _, has_subjects| {
                let plan = asked.plan(grid, has_subjects)?;
                // the spectrum is solved before the noise is drawn
                viewer = Some(plan.viewer()?);
                Ok(plan)
            })?;
            let viewer = viewer.ok_or_else(|| Refusal::new("data", "there is no plan"))?;
            Ok(Drawn::new(viewer.view(drawn)?, |release| Ok(asked.estimate(release)?.0)))
        })
    }

    fn surfaces(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Drawn<Surface>, Refusal> {
        let asked = AskedSurface::of(self.study)?;
        let drawn = if self.study.is_long() {
            let whole = data.long_surfaces(py, self.reading, &asked.grid)?;
            let source = self.study.source(whole.names());
            let drawn = py.detach(|| {
                let prepared = asked.private_mean.prepare_on(&whole.curves, &asked.grid, Some(self.work.threads))?;
                self.door.draw(prepared, whole.concerns)
            });
            self.kept(drawn?, source)
        } else {
            let wide = data.wide(self.reading)?;
            py.detach(|| self.planned(wide, |_, columns, has_subjects| Ok(asked.plan(columns, has_subjects)?)))?
        };
        Ok(py.detach(|| plain(asked.band, drawn)))
    }

    /// The release of a plan for so many columns, on their grid, whose records are encoded where they lie or as they are read.
    fn planned<D: MeanDomain>(
        &self,
        wide: Wide<'_>,
        plan: impl FnOnce(&Grid, usize, bool) -> Result<Plan<Mean<D>>, Refusal>,
    ) -> Result<Release<Mean<D>>, Refusal> {
        match wide {
            Wide::Memory(memory) => {
                let plan = plan(&memory.grid, memory.rows.columns(), memory.ids.is_some())?;
                let source = self.study.source(memory.names.clone());
                let drawn = self.of_rows(&plan, &memory)?;
                Ok(self.kept(drawn, source))
            }
            Wide::Files(path) => {
                let files = TableFiles::find(&path)?;
                let first = files.open(0, self.reading.layout_of_files()?)?;
                let plan = plan(first.grid(), first.grid().len(), first.has_subjects())?;
                let source = self.study.source(first.column_names());
                let drawn = self.of_files(&plan, &files, first)?;
                Ok(self.kept(drawn, source))
            }
        }
    }

    /// Encodes rows in memory, which are not copied; pays and draws.
    fn of_rows<D: MeanDomain>(&self, plan: &Plan<Mean<D>>, memory: &Memory<'_>) -> Result<Release<Mean<D>>, Refusal> {
        let threads = self.work.threads;
        let encode = |plan: &Plan<Mean<D>>| plan.encode_rows(&memory.rows, memory.ids, PartId::whole(), None, threads);
        self.drawn(plan, Concerns::of_ids(are_similar(memory.ids)), encode(plan)?, encode)
    }

    /// Encodes files as they are read; pays and draws. `first` is the first of them.
    fn of_files<D: MeanDomain>(
        &self,
        plan: &Plan<Mean<D>>,
        files: &TableFiles,
        first: dpfda::smoothing::AnyCurves,
    ) -> Result<Release<Mean<D>>, Refusal> {
        let (layout, Work { threads, sorted }) = (self.reading.layout()?, self.work);
        let key = sorted.then(|| SystemRandomness::new().map(|mut bits| FingerprintKey::new(&mut bits))).transpose()?;
        let encoding = FileEncoding { part: PartId::whole(), key, threads, sorted };
        let encode =
            |plan: &Plan<Mean<D>>, first| plan.encode_files(files, first, layout, encoding.clone(), &|bytes| bytes);
        let encoder = encode(plan, first)?;
        let concerns = Concerns::of_file(*encoder.similar_ids().reveal() > 0, encoder.missing_cells());
        let again = |plan: &Plan<Mean<D>>| Ok(encode(plan, files.open(0, layout)?)?.finish()?);
        self.drawn(plan, concerns, encoder.finish().map_err(EncodeError::from)?, again)
    }

    /// Pays and draws: where a centre is bought, records are encoded again about it.
    fn drawn<D: MeanDomain>(
        &self,
        plan: &Plan<Mean<D>>,
        concerns: Concerns,
        part: Part<Mean<D>>,
        mut again: impl FnMut(&Plan<Mean<D>>) -> Result<Part<Mean<D>>, EncodeError> + Send,
    ) -> Result<Release<Mean<D>>, Refusal> {
        if plan.is_twice() {
            let again = |plan: &Plan<Mean<D>>| Ok(again(plan)?);
            return self.door.draw(part.prepare_twice(plan, again).map_err(|again| again.reason)?, concerns);
        }
        self.door.draw(part.prepare(plan).map_err(|again| again.reason)?, concerns)
    }

    fn rows(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Drawn<Rows>, Refusal> {
        let asked = AskedRows::of(self.study)?;
        if self.study.is_long() {
            let (rows, names, concerns) = data.long(py, self.reading, asked.on_domain()?.rows()?)?;
            let source = self.study.source(names.as_ref().map(|names| names.iter().map(String::as_str).collect()));
            return py.detach(|| self.of_seen(rows.prepare()?, source, concerns, asked.band));
        }
        let wide = data.wide(self.reading)?;
        py.detach(|| {
            let whole = wide.whole(self.reading)?;
            let source = self.study.source(whole.names());
            let grid = whole.curves.grid();
            let rows = asked.between((grid.lower(), grid.upper()))?.rows_of(&whole.curves)?;
            self.of_seen(rows.prepare()?, source, whole.concerns, asked.band)
        })
    }

    fn of_seen(
        &self,
        prepared: PreparedRows<'_>,
        source: Source,
        concerns: Concerns,
        band: BandChoice,
    ) -> Result<Drawn<Rows>, Refusal> {
        Ok(plain(band, self.kept(self.door.draw(prepared, concerns)?, source)))
    }

    fn groups(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Drawn<dpfda::release::Groups>, Refusal> {
        let (asked, wide) = (AskedGroups::of(self.study)?, data.wide(self.reading)?);
        py.detach(|| {
            let Whole { curves, columns, concerns, names } = wide.whole(self.reading)?;
            let labels =
                columns.into_iter().next().ok_or_else(|| Refusal::new("by", "there is no column of labels"))?;
            let groups = asked.private_groups(curves.grid())?;
            let source = self.study.source(names.as_ref().map(|names| names.iter().map(String::as_str).collect()));
            Ok(plain(asked.band, self.kept(self.door.draw(groups.prepare(&curves, &labels)?, concerns)?, source)))
        })
    }

    fn regression(
        &self,
        py: Python<'_>,
        data: &DataArgument<'_>,
    ) -> Result<Drawn<dpfda::release::Regression>, Refusal> {
        let (asked, wide) = (AskedRegression::of(self.study)?, data.wide(self.reading)?);
        py.detach(|| {
            let whole = wide.whole(self.reading)?;
            let source = self.study.source(whole.names());
            let regression = asked.private_regression(whole.curves.grid())?;
            let prepared = regression.prepare(&whole.curves, &whole.columns)?;
            Ok(plain(asked.band, self.kept(self.door.draw(prepared, whole.concerns)?, source)))
        })
    }

    fn density(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<density::DrawnDensity, Refusal> {
        let asked = AskedDensity::of(self.study)?;
        let (points, concerns) = data.points(py, self.reading, &asked.bounds)?;
        let source = self.study.source(Some(asked.columns.iter().map(String::as_str).collect()));
        py.detach(|| density::release(&asked, &points, source, self.door, concerns))
    }

    /// The release with the names of its axes, and with how its table was read.
    fn kept<S: Statistic>(&self, drawn: Release<S>, source: Source) -> Release<S> {
        drawn.labelled(self.labels.clone()).read_from(Some(source))
    }
}

/// A new release without a smoother, with the band that was asked for.
pub fn plain<S: Estimable>(band: BandChoice, release: S::View) -> Drawn<S> {
    Drawn::new(release, |release| -> Result<Estimated<S>, Refusal> { Ok(band.plain::<S>(release)?) })
}
