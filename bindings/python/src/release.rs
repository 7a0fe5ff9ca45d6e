//! From a checked study and private data to a release: everything that looks at data happens with Python's lock released.

use std::num::NonZeroUsize;

use dpfda::kinds::Kind;
use dpfda::mechanism::{Labels, Payable, Release};
use dpfda::plotting::FigureSize;
use dpfda_study::{
    Account, Asked, AskedDensity, BandChoice, Checked, Data, Figure, Finish, Label, Sections, Work, tell_of_repeats,
};
use pyo3::prelude::*;

use crate::data::{Axes, DataArgument, Wide};
use crate::density;
use crate::door::{Concerns, Door, DoorArguments, Gathered};
use crate::drawn::{Answer, Drawn};
use crate::reading::Reading;
use crate::refusal::Refusal;
use crate::released::{Look, Released};
use crate::study::CheckedStudy;

/// How a table is worked on: by so many threads, or by all cores.
pub fn work(threads: Option<usize>, is_sorted: bool) -> Work {
    Work { threads: threads.and_then(NonZeroUsize::new), is_sorted }
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
    let (door, work) = (Door::try_from(door)?, work(workers, sorted_by_subject));
    let labels = labels(&study.checked, data.axes());
    let request = Request { study: &study.checked, reading: study.reads(), door: &door, work, labels };
    Ok(Released::new(request.answer(py, &data)?, look(&study.checked.figure)))
}

/// The title and the size of figures.
fn look(figure: &Figure) -> Look {
    let size = figure.size.as_ref().and_then(|size| FigureSize::new(size.pixels.0, size.pixels.1).ok());
    Look { title: figure.title.as_ref().map(|title| title.0.clone()), size }
}

/// The public names of the axes, as a release keeps them: those of the study, or those that the data have themselves.
fn labels(study: &Sections, (s, x, y): Axes) -> Labels {
    let figure = &study.figure;
    let named = |label: &Option<Label>, own: Option<String>| label.clone().or(own.map(Label));
    let (s_label, x_label) = (named(&figure.s_label, s), named(&figure.x_label, x));
    let figure = Figure { s_label, x_label, y_label: named(&figure.y_label, y), ..figure.clone() };
    Sections { figure, ..study.clone() }.labels()
}

/// What is asked for, and by whom.
struct Request<'a> {
    study: &'a Checked,
    reading: &'a Reading,
    door: &'a Door,
    work: Work,
    /// The public names of the axes.
    labels: Labels,
}

/// Pays by the door, with what the curator should know gathered on the way.
struct Payment<'a> {
    door: &'a Door,
    gathered: &'a Gathered,
    labels: Labels,
}

impl Account for Payment<'_> {
    type Output = Answer;
    type Error = Refusal;

    fn pay<S: Kind>(
        self,
        prepared: impl Payable<Drawn = Release<S>>,
        finish: Finish<'_, S>,
    ) -> Result<Answer, Refusal> {
        let Finish { view, estimate } = finish;
        let drawn = self.door.draw(prepared, self.gathered.concerns())?.labelled(self.labels);
        let drawn = Drawn::<S>::new(view(drawn)?, |release| Ok(estimate(release)?.0));
        Answer::of(drawn).ok_or_else(Refusal::of_other_kind)
    }
}

impl Request<'_> {
    /// The release of data where they are: numbers in memory are encoded where they lie, if each row is.
    fn answer(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Answer, Refusal> {
        self.door.check_dataset(self.study.papers.told().dataset())?;
        let Some(asked) = Asked::of(self.study)? else { return self.density(py, data) };
        let needs_curves = if let Asked::Mean(asked) = &asked { asked.needs_curves() } else { false };
        if needs_curves && self.work.is_sorted {
            return Err(Refusal::new(
                "sorted_by_subject",
                "these settings need whole curves: leave sorted_by_subject out",
            ));
        }
        let wide = match (&asked, data) {
            (_, DataArgument::Files(path)) => {
                self.reading.layout_of_files()?;
                return py.detach(|| self.paid(&asked, &Data::Files(path), Concerns::default()));
            }
            (_, DataArgument::Memory(memory)) if self.study.is_long() => {
                let table = memory.long_of(self.reading, &asked)?;
                let gathered = Gathered::new(Concerns::default(), false);
                return py.detach(|| asked.release_long(&table, self.work, self.payment(&gathered), &gathered));
            }
            _ => data.wide(self.reading)?,
        };
        let Wide::Memory(table, strange) = wide else { return Err(Refusal::new("data", "files are read as files")) };
        let gathered = Gathered::new(Concerns { strange, ..Concerns::default() }, false);
        py.detach(|| asked.release_rows(&table, self.work, self.payment(&gathered), &gathered))
    }

    /// Everything from the data to the release, by the one way of every door.
    fn paid(&self, asked: &Asked<'_>, data: &Data<'_>, concerns: Concerns) -> Result<Answer, Refusal> {
        let gathered = Gathered::new(concerns, matches!(data, Data::Files(_)));
        asked.release(data, self.work, self.payment(&gathered), &gathered)
    }

    fn payment<'b>(&'b self, gathered: &'b Gathered) -> Payment<'b> {
        Payment { door: self.door, gathered, labels: self.labels.clone() }
    }

    fn density(&self, py: Python<'_>, data: &DataArgument<'_>) -> Result<Answer, Refusal> {
        let asked = AskedDensity::of(self.study)?;
        let (points, concerns) = data.points(py, self.reading, &asked.bounds)?;
        let gathered = Gathered::new(concerns, matches!(data, DataArgument::Files(_)));
        if let DataArgument::Files(path) = data {
            py.detach(|| tell_of_repeats(self.study, &Data::Files(path), &gathered));
        }
        let concerns = gathered.concerns();
        let source = self.study.source(Some(asked.columns.iter().map(String::as_str).collect()));
        let drawn = py.detach(|| density::release(&asked, &points, source, self.door, concerns))?;
        Ok(Answer::Density(Box::new(drawn)))
    }
}

/// A new release without a smoother, with the band that was asked for.
pub fn plain<S: Kind<View = Release<S>>>(band: &BandChoice, release: S::View) -> Drawn<S> {
    Drawn::new(release, |release| Ok(band.plain::<S>(release)?))
}
