//! From the private data to a prepared release, kind by kind.

use std::borrow::Cow;

use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Release, Source};
use dpfda::release::{ChangeOf, Covariate, Mean, MeanViewer, Surface};
use dpfda::smoothing::{CurveLayout, CurveSet, CurveSource, TableError, TableFiles, TextColumn};

use super::account::{Account, Failure, Finish};
use super::count::Counted;
use super::covariates::{tell_of_change, tell_of_covariates};
use super::data::{Data, Work};
use super::stream::Stream;
use super::tables::{column_names, read_curves, read_rows, text_columns};
use super::watch::{FilledBy, Watch, during, tell_of_left_out};
use crate::asked::{
    AskedCentiles, AskedChange, AskedGroups, AskedMean, AskedRegression, AskedRows, AskedSurface, BandChoice,
};
use crate::checked::Checked;
use crate::refusal::Refusal;

impl AskedMean<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let layout = self.layout()?;
        let Data::Files(path) = *data else { return self.release_whole(data, work, account, watch) };
        if self.needs_curves() {
            return self.release_whole(data, work, account, watch);
        }
        let files = TableFiles::find(path)?;
        let Counted { records, kept } = Counted::of(&files, &layout, self.asks_for_number()?)?;
        let stream = Stream::after(kept, files, &layout, watch)?;
        let plan = self.plan(stream.first.grid(), stream.first.has_subjects(), records)?;
        let source = self.study.source(stream.first.column_names());
        stream.release(&plan, &layout, (work, account), watch, || {
            Ok(self.finish(during(watch, "spectrum", || plan.viewer())?, source))
        })
    }

    /// The same of curves that are all in memory before they are encoded.
    fn release_whole<A: Account>(
        &self,
        data: &Data<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let curves = read_curves(data, &self.layout()?, FilledBy::of(self.study), watch)?;
        let source = self.study.source(column_names(&curves));
        let curves = during(watch, "filling gaps", || self.filled(curves))?;
        let private_mean = self.private_mean(curves.grid())?;
        let prepare = || private_mean.prepare_on(&curves, curves.grid(), Some(work.threads()));
        let prepared = during(watch, "encoding", prepare)?;
        let viewer = during(watch, "spectrum", || private_mean.viewer(curves.grid()))?;
        account.pay(prepared, self.finish(viewer, source))
    }

    pub(crate) fn finish(&self, viewer: MeanViewer, source: Source) -> Finish<'_, Mean> {
        Finish::new(
            self.study.labels(),
            Some(source),
            move |drawn| viewer.view(drawn),
            |release| self.estimate(release),
        )
    }
}

impl AskedGroups<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let (curves, labels) = with_column::<A::Error>(data, &self.layout()?, ("by", self.by()), watch)?;
        let groups = self.private_groups(curves.grid())?;
        tell_of_left_out(watch, &groups.left_out(&curves, &labels));
        let prepare = || groups.prepare(&curves, &labels);
        let prepared = during(watch, "encoding", prepare).map_err(Refusal::from)?;
        account.pay(prepared, plain(self.study, column_names(&curves), &self.band))
    }
}

impl AskedCentiles<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let layout = self.layout()?;
        match *data {
            Data::Files(path) if self.study.is_long() => {
                let (centiles, rows) = self.rows()?;
                let (rows, names) = read_rows(&TableFiles::find(path)?, &layout, rows, None, watch)?;
                let names = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
                account.pay(centiles.prepare_rows(&rows)?, plain(self.study, names, &self.band))
            }
            _ if self.study.is_of_rows() => {
                let curves = read_curves(data, &layout, FilledBy::Nothing, watch)?;
                let (centiles, rows) = during(watch, "adding up", || self.rows_of(&curves))?;
                account.pay(centiles.prepare_rows(&rows)?, plain(self.study, column_names(&curves), &self.band))
            }
            _ => {
                let curves = read_curves(data, &layout, FilledBy::Line, watch)?;
                let centiles = self.private_centiles(curves.grid())?.threads(work.threads());
                account.pay(centiles.prepare(&curves)?, plain(self.study, column_names(&curves), &self.band))
            }
        }
    }
}

impl AskedChange<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let named = (self.setting(), self.of.column());
        let (curves, cells) = with_column::<A::Error>(data, &self.layout()?, named, watch)?;
        if let ChangeOf::Slope { .. } = self.of {
            refuse_no_numbers(&cells, self.of.column(), "per")?;
        }
        tell_of_change::<A::Error>(watch, self, &curves, &cells)?;
        let change = self.private_change(curves.grid())?;
        let prepare = || change.prepare(&curves, &cells);
        let prepared = during(watch, "encoding", prepare).map_err(Refusal::from)?;
        account.pay(prepared, plain(self.study, column_names(&curves), &self.band))
    }
}

impl AskedRegression<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let curves = read_curves(data, &self.layout()?, FilledBy::Line, watch)?;
        let columns = self.columns::<A::Error>(data, watch)?;
        let regression = self.private_regression(curves.grid())?;
        let prepare = || regression.prepare(&curves, &columns);
        let prepared = during(watch, "encoding", prepare).map_err(Refusal::from)?;
        account.pay(prepared, plain(self.study, column_names(&curves), &self.band))
    }
}

impl AskedRows<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let layout = self.layout()?;
        match *data {
            Data::Files(path) if self.study.is_long() => {
                let (files, private_mean) = (TableFiles::find(path)?, self.on_domain()?);
                let counted = Counted::of(&files, &layout, private_mean.asks_for_number()?)?;
                let rows = private_mean.rows_of_records(counted.records.map(|records| records as u64))?;
                let (rows, names) = read_rows(&files, &layout, rows, counted.kept.map(|(spool, _)| spool), watch)?;
                let names = names.as_ref().map(|names| names.iter().map(String::as_str).collect());
                let prepared = rows.prepare()?;
                account.pay(prepared, plain(self.study, names, &self.band))
            }
            _ => {
                let curves = read_curves(data, &layout, FilledBy::Nothing, watch)?;
                let private_mean = self.between((curves.grid().lower(), curves.grid().upper()))?;
                let rows = during(watch, "adding up", || private_mean.rows_of(&curves))?;
                let prepared = rows.prepare()?;
                account.pay(prepared, plain(self.study, column_names(&curves), &self.band))
            }
        }
    }
}

impl AskedSurface<'_> {
    pub(in crate::release) fn release<A: Account>(
        &self,
        data: &Data<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        let layout = self.layout()?;
        match *data {
            Data::Files(path) if !self.study.is_long() => {
                let files = TableFiles::find(path)?;
                let Counted { records, kept } = Counted::of(&files, &layout, self.private_mean.asks_for_number()?)?;
                let stream = Stream::after(kept, files, &layout, watch)?;
                let plan = self.plan(stream.first.grid().len(), stream.first.has_subjects(), records)?;
                let finish = plain::<Surface>(self.study, stream.first.column_names(), &self.band);
                stream.release(&plan, &layout, (work, account), watch, || Ok(finish))
            }
            _ => {
                let surfaces = read_curves(data, &layout, FilledBy::Line, watch)?;
                let prepare = || self.private_mean.prepare_on(&surfaces, &self.grid, Some(work.threads()));
                let prepared = during(watch, "encoding", prepare)?;
                account.pay(prepared, plain(self.study, column_names(&surfaces), &self.band))
            }
        }
    }
}

/// All curves, and the one column of text beside them; without cells, where a table in memory has none.
fn with_column<'d, E: Failure>(
    data: &Data<'d>,
    layout: &CurveLayout,
    (setting, name): (&'static str, &str),
    watch: &dyn Watch,
) -> Result<(Cow<'d, CurveSet>, Cow<'d, TextColumn>), E> {
    let curves = read_curves(data, layout, FilledBy::Line, watch)?;
    let column = match named_column::<E>(data, layout, (setting, name), watch)? {
        Cow::Borrowed(columns) => columns.first().map(Cow::Borrowed),
        Cow::Owned(columns) => columns.into_iter().next().map(Cow::Owned),
    };
    Ok((curves, column.unwrap_or_else(|| Cow::Owned(TextColumn::new(Vec::new())))))
}

/// The one column of text that a setting names.
pub(super) fn named_column<'d, E: Failure>(
    data: &Data<'d>,
    layout: &CurveLayout,
    (setting, name): (&'static str, &str),
    watch: &dyn Watch,
) -> Result<Cow<'d, [TextColumn]>, E> {
    let columns = text_columns(data, layout, &[name], watch);
    columns.map_err(|error| unknown::<E>(error, |_| setting, "name a column as the header has it"))
}

/// A column that is not there is told with the setting that names it.
fn unknown<E: Failure>(error: TableError, setting: impl Fn(&str) -> &'static str, instead: &str) -> E {
    match error {
        TableError::UnknownColumn { column, columns } => {
            let why = format!("no column is named `{}`; the file has {columns} columns", column.escape_debug());
            Refusal::of(setting(&column), why).instead(instead).into()
        }
        error => error.into(),
    }
}

/// What is made of a release that has no smoother.
pub(crate) fn plain<'a, S: Estimable<View = Release<S>> + 'a>(
    study: &'a Checked,
    names: Option<Vec<&str>>,
    band: &'a BandChoice,
) -> Finish<'a, S> {
    Finish::plain(study.labels(), Some(study.source(names)), band)
}

impl AskedRegression<'_> {
    /// A column for each covariate.
    pub(super) fn columns<'d, E: Failure>(
        &self,
        data: &Data<'d>,
        watch: &dyn Watch,
    ) -> Result<Cow<'d, [TextColumn]>, E> {
        let names: Vec<&str> = self.covariates.iter().map(Covariate::name).collect();
        let columns = text_columns(data, &self.layout()?, &names, watch).map_err(|error| -> E {
            let setting = |column: &str| self.study.regression.setting_of(column);
            unknown(error, setting, "name the columns of the covariates as the header has them")
        })?;
        for (covariate, column) in self.covariates.iter().zip(&*columns) {
            if let Covariate::Number { name, .. } = covariate {
                refuse_no_numbers(column, name, self.study.regression.setting_of(name))?;
            }
        }
        tell_of_covariates(watch, &self.covariates, &columns);
        Ok(columns)
    }
}

/// Refuses a column that is to hold numbers where every cell that is not missing says something else: it is another column than was meant.
/// It depends on the data, as every refusal of a malformed table does: like those it is for the curator, and is not published. A cell
/// that is no number among others that are counts as missing.
fn refuse_no_numbers(column: &TextColumn, name: &str, setting: &'static str) -> Result<(), Refusal> {
    let mut said = column.cells().flatten().peekable();
    if said.peek().is_none() || said.any(|cell| cell.parse::<f64>().is_ok()) {
        return Ok(());
    }
    let name = name.escape_debug();
    let why = format!("{{{setting}}} names a column of numbers, and no cell of `{name}` is one");
    let instead =
        "write dates as numbers, such as years, and state the levels of a category, as in status=control|case";
    Err(Refusal::of(setting, why).instead(instead))
}
