//! Curves, surfaces, or rows of a long table, in several places: the public plan that parts are encoded by.

use std::path::PathBuf;

use dpfda::kernels::Grid;
use dpfda::mechanism::{Digest, FingerprintKey, Head, PartId};
use dpfda::privacy::{PrivacyBudget, PrivacyUnit, SystemRandomness};
use dpfda::release::{self, EncodeError, FileEncoding, InParts, Mean, MeanDomain, ReleaseError, Rows, Surface};
use dpfda::smoothing::{CurveLayout, CurveSource, TableFiles};
use dpfda_study::{AskedMean, AskedRows, AskedSurface, Kind, Sections, Table, check_names};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::data::{DataArgument, Wide};
use crate::door::Concerns;
use crate::keywords::{Keywords, said_of};
use crate::parts::{Exact, Part};
use crate::reading::{Form, Places, Reading};
use crate::refusal::Refusal;
use crate::release::work;
use crate::study::CheckedStudy;

/// The public plan of a mean whose curves, or whose rows, are in several places.
#[pyclass(name = "Plan", module = "dpfda._dpfda", frozen)]
pub struct Plan(pub Planned);

/// A plan, by what a row is.
#[derive(Clone)]
pub enum Planned {
    /// A row is a curve.
    Curves(release::Plan<Mean>),
    /// A row is a surface.
    Surfaces(release::Plan<Surface>),
    /// A row is one value of a subject.
    Rows(release::Plan<Rows>),
}

/// Does something with a plan, whichever kind it is of.
macro_rules! of_plan {
    ($planned:expr, $plan:ident => $do:expr) => {
        match $planned {
            Planned::Curves($plan) => $do,
            Planned::Surfaces($plan) => $do,
            Planned::Rows($plan) => $do,
        }
    };
}

impl Planned {
    /// The digest of the plan.
    pub fn digest(&self) -> Digest {
        of_plan!(self, plan => plan.digest())
    }

    /// How the tables of all parts are read.
    fn table(&self) -> Option<&Map<String, Value>> {
        of_plan!(self, plan => plan.table())
    }

    /// The digest of the study that it follows.
    pub fn study(&self) -> Option<Digest> {
        of_plan!(self, plan => plan.study())
    }

    /// The guarantee that releases of it have.
    pub fn budget(&self) -> PrivacyBudget {
        of_plan!(self, plan => plan.mechanism().guarantee().budget())
    }
}

/// Where the columns of one of the places lie.
#[derive(FromPyObject)]
pub enum Header {
    /// As the names of columns in memory say.
    Places(Py<Places>),
    /// So many columns, and where the data say that they lie.
    Columns(usize, Option<Vec<Vec<f64>>>),
    /// As a file says, of which only a header is read.
    File(PathBuf),
}

/// A part, whether there are ids that look alike, and the share of rows that count as none, where it is large.
type Encoded = (Part, bool, Option<f64>);

/// What keywords may say of the table of a part.
const TABLE: [&str; 8] = ["values", "subject", "id", "time", "value", "missing", "delimiter", "decimal_comma"];

#[pymethods]
impl Plan {
    /// The plan of a study; of curves, for columns that lie as one of the places says.
    #[staticmethod]
    #[pyo3(signature = (study, header))]
    fn of_study(study: &CheckedStudy, header: Option<Header>) -> Result<Self, Refusal> {
        let (checked, reading) = (&study.checked, study.reads());
        let (follows, table) = (Some(checked.digest()), Some(checked.table_of_parts(None)));
        let has_subjects = reading.ids().is_some();
        let planned = match checked.kind {
            Kind::Mean => {
                let asked = AskedMean::of(checked)?;
                if checked.table.is_process() {
                    let text = "plans are of curves whose gaps are filled by a line: leave gaps out";
                    return Err(Refusal::new("gaps", text));
                }
                let plan = asked.plan(&grid_of(reading, header)?, has_subjects, None)?;
                Planned::Curves(of_one_pass(plan)?.following(follows).of_table(table))
            }
            Kind::Surface if !checked.is_long() => {
                let asked = AskedSurface::of(checked)?;
                Planned::Surfaces(
                    of_one_pass(asked.plan(asked.grid.len(), has_subjects, None)?)?.following(follows).of_table(table),
                )
            }
            Kind::Rows if checked.is_long() => Planned::Rows(
                of_one_pass(AskedRows::of(checked)?.on_domain()?.plan()?)?.following(follows).of_table(table),
            ),
            kind => {
                let text = format!("{} is released from data in one place: there are no plans of it", kind.in_words());
                return Err(Refusal::new("kind", text));
            }
        };
        Ok(Self(planned))
    }

    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Refusal> {
        let kind = kind(text);
        let plan = if kind == release::Plan::<Rows>::kind() {
            serde_json::from_str(text).map(Planned::Rows)
        } else if kind == release::Plan::<Surface>::kind() {
            serde_json::from_str(text).map(Planned::Surfaces)
        } else {
            serde_json::from_str(text).map(Planned::Curves)
        };
        Ok(Self(plan.map_err(|error| Refusal::of_plan(&error))?))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        Ok(of_plan!(&self.0, plan => serde_json::to_string_pretty(plan)?))
    }

    #[getter]
    pub fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// Where the columns lie; of a long table, where the estimate has its points.
    #[getter]
    fn grid_points(&self) -> Vec<f64> {
        match &self.0 {
            Planned::Rows(plan) => plan.mechanism().statistic().grid().points().to_vec(),
            Planned::Curves(plan) => plan.grid().points().to_vec(),
            Planned::Surfaces(plan) => plan.columns().points().to_vec(),
        }
    }

    #[getter]
    fn unit(&self) -> String {
        self.record().to_string()
    }

    /// Whether a row is one value of a subject, and no curve.
    #[getter]
    fn is_of_rows(&self) -> bool {
        matches!(self.0, Planned::Rows(_))
    }

    /// How the table of a part is read, by what keywords say of it.
    fn reading(&self, settings: Keywords<'_>) -> Result<Reading, Refusal> {
        let mut said = said_of(&settings, &TABLE)?;
        said.table = said.table.or_of_plan(self.0.table())?;
        let (form, takes_all) = match &self.0 {
            Planned::Rows(_) => (Form::Rows(long_layout(&said.table)?), false),
            Planned::Curves(plan) => self.wide(&mut said, plan.columns(), Form::Curves)?,
            Planned::Surfaces(plan) => {
                let grid = plan.grid().clone();
                self.wide(&mut said, plan.columns(), |layout| Form::Surfaces(layout, grid))?
            }
        };
        Ok(Reading::of_plan(form, said.table, takes_all))
    }

    /// Encodes the data of one place as a part: private data.
    #[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
    #[pyo3(signature = (reading, data, part, key, workers, sorted_by_subject))]
    fn encode(
        &self,
        py: Python<'_>,
        reading: &Reading,
        data: DataArgument<'_>,
        part: &str,
        key: Option<[u8; 32]>,
        workers: Option<usize>,
        sorted_by_subject: bool,
    ) -> Result<Encoded, Refusal> {
        self.check_key(key.is_some())?;
        let (key, part) = (key.map(FingerprintKey::from_bytes), part.parse::<PartId>()?);
        if let Planned::Rows(plan) = &self.0 {
            let (rows, _, Concerns { similar_ids, unused, .. }) = data.long(py, reading, plan.rows())?;
            let part = py.detach(|| rows.part(part, key.as_ref()))?;
            return Ok((Part::of(Exact::Rows(part)), similar_ids, unused));
        }
        let encoding = FileEncoding { part, key, threads: work(workers, false).threads(), sorted: sorted_by_subject };
        let wide = data.wide(reading)?;
        let (part, similar_ids) = py.detach(|| match &self.0 {
            Planned::Curves(plan) => {
                encoded(plan, wide, reading, encoding).map(|(part, similar)| (Exact::Curves(part), similar))
            }
            Planned::Surfaces(plan) => {
                encoded(plan, wide, reading, encoding).map(|(part, similar)| (Exact::Surfaces(part), similar))
            }
            Planned::Rows(_) => Err(Refusal::new("id", "by the plan a row is one value of a subject")),
        })?;
        Ok((Part::of(part), similar_ids, None))
    }
}

impl Plan {
    /// How a table with a record in each row is read, and whether nobody named its columns.
    fn wide(
        &self,
        said: &mut Sections,
        columns: Grid,
        form: impl FnOnce(CurveLayout) -> Form,
    ) -> Result<(Form, bool), Refusal> {
        let long = [("id", &said.table.id), ("time", &said.table.time), ("value", &said.table.value)];
        if let Some((setting, _)) = long.into_iter().find(|(_, said)| said.is_some()) {
            return Err(Refusal::new(setting, format!("by the plan a row is a curve; leave {setting} out")));
        }
        let unit = self.record();
        if said.table.subject.is_some() != (unit == PrivacyUnit::Subject) {
            let advice =
                if unit == PrivacyUnit::Subject { "name the column of ids by subject" } else { "leave subject out" };
            return Err(Refusal::new("subject", format!("by the plan a record is one {unit}: {advice}")));
        }
        let takes_all = said.table.values.is_none();
        if takes_all {
            said.say("values", "*")?;
        }
        Ok((form(Reading::on(said.table.curves()?, columns)), takes_all))
    }

    /// What a record is.
    fn record(&self) -> PrivacyUnit {
        of_plan!(&self.0, plan => plan.unit())
    }

    /// Parts of subjects need a key, or a subject in two parts could not be seen.
    fn check_key(&self, has_key: bool) -> Result<(), Refusal> {
        match (self.record(), has_key) {
            (PrivacyUnit::Subject, false) => Err(Refusal::new(
                "key",
                "by the plan a record is a subject: give the curator's key, the same for all parts",
            )),
            (PrivacyUnit::Curve, true) => {
                Err(Refusal::new("key", "by the plan each curve is a record: leave the key out"))
            }
            _ => Ok(()),
        }
    }
}

/// The columns of a long table, which must all be named.
fn long_layout(table: &Table) -> Result<CurveLayout, Refusal> {
    let wide = [("values", table.values.is_some()), ("subject", table.subject.is_some())];
    if let Some((setting, _)) = wide.into_iter().find(|(_, said)| *said) {
        let text =
            format!("by the plan a row is one value of a subject: give id, time and value, and leave {setting} out");
        return Err(Refusal::new(setting, text));
    }
    let name = |column: &'_ Option<String>, setting: &'static str| {
        let text = "by the plan a row is one value of a subject: give id, time and value, the columns of a long table";
        column.clone().ok_or_else(|| Refusal::new(setting, text))
    };
    let [id, time, value] = [name(&table.id, "id")?, name(&table.time, "time")?, name(&table.value, "value")?];
    Ok(table.cells(CurveLayout::long(&id, &time, &value)?))
}

/// The grid of one of the places.
fn grid_of(reading: &Reading, header: Option<Header>) -> Result<Grid, Refusal> {
    match header {
        Some(Header::Places(places)) => Ok(places.get().0.clone()),
        Some(Header::Columns(columns, known)) => reading.grid(columns, known.as_deref()),
        Some(Header::File(path)) => Ok(TableFiles::find(&path)?.open(0, reading.layout_of_files()?)?.grid().clone()),
        None => Err(Refusal::new("data", "give the data of one place: of them only the columns are used")),
    }
}

/// The records of one place as a part, and whether there are ids that look alike.
fn encoded<D: MeanDomain>(
    plan: &release::Plan<Mean<D>>,
    wide: Wide<'_>,
    reading: &Reading,
    encoding: FileEncoding,
) -> Result<(release::Part<Mean<D>>, bool), Refusal> {
    match wide {
        Wide::Memory(memory, _) => {
            let FileEncoding { part, key, threads, .. } = encoding;
            Ok((plan.encode_rows(&memory.rows, memory.ids, part, key, threads)?, memory.similar_ids() > 0))
        }
        Wide::Files(path) => {
            let (files, layout) = (TableFiles::find(&path)?, reading.layout_of_files()?);
            let first = files.open(0, layout)?;
            check_names(plan.table(), first.column_names().as_deref())?;
            let encoder = plan.encode_files(&files, first, layout, encoding, &|bytes| bytes)?;
            let are_similar = *encoder.similar_ids().reveal() > 0;
            Ok((encoder.finish().map_err(EncodeError::from)?, are_similar))
        }
    }
}

/// A plan by which records are encoded once.
fn of_one_pass<S: InParts>(plan: release::Plan<S>) -> Result<release::Plan<S>, Refusal> {
    if plan.is_twice() { Err(ReleaseError::CenterNeedsSteps.into()) } else { Ok(plan) }
}

/// What a plan calls itself; nothing, for what is none.
pub fn kind(plan: &str) -> String {
    Head::read(plan).map(|head| head.kind).unwrap_or_default()
}

/// A new secret key for the subjects of all parts of a data set.
#[pyfunction]
pub fn new_key() -> Result<[u8; 32], Refusal> {
    Ok(*FingerprintKey::new(&mut SystemRandomness::new()?).reveal())
}
