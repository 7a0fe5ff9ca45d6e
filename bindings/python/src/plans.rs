//! Curves, or rows of a long table, in several places: the public plan that parts are encoded by.

use std::path::{Path, PathBuf};

use dpfda::kernels::{Grid, SurfaceGrid};
use dpfda::mechanism::{Digest, FingerprintKey, Head, PartId};
use dpfda::privacy::{PrivacyBudget, PrivacyUnit, SystemRandomness};
use dpfda::release::{self, EncodeError, FileEncoding, InParts, Mean, MeanDomain, ReleaseError, Rows, Surface};
use dpfda::smoothing::{CurveLayout, CurveSource, GridChoice, TableFiles};
use pyo3::prelude::*;

use crate::cells::Ids;
use crate::door::Concerns;
use crate::mean::{GridArgument, LayoutArguments, are_similar};
use crate::parts::{Exact, Part};
use crate::private_rows::RowsSettings;
use crate::refusal::Refusal;
use crate::rows::RowsArgument;
use crate::settings::{Settings, threads};
use crate::surface::{RectangleArgument, SurfaceSettings};
use crate::table::Table;

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

impl Planned {
    /// The digest of the plan.
    pub fn digest(&self) -> Digest {
        match self {
            Self::Curves(plan) => plan.digest(),
            Self::Surfaces(plan) => plan.digest(),
            Self::Rows(plan) => plan.digest(),
        }
    }

    /// The digest of the study that it follows.
    pub fn study(&self) -> Option<Digest> {
        match self {
            Self::Curves(plan) => plan.study(),
            Self::Surfaces(plan) => plan.study(),
            Self::Rows(plan) => plan.study(),
        }
    }

    /// The guarantee that releases of it have.
    pub fn budget(&self) -> PrivacyBudget {
        match self {
            Self::Curves(plan) => plan.mechanism().guarantee().budget(),
            Self::Surfaces(plan) => plan.mechanism().guarantee().budget(),
            Self::Rows(plan) => plan.mechanism().guarantee().budget(),
        }
    }
}

/// A part, whether there are ids that look alike, and the share of rows that count as none, where it is large.
type Encoded = (Part, bool, Option<f64>);

#[pymethods]
impl Plan {
    /// The plan of settings for curves on a grid, where a record is a `unit`.
    #[new]
    fn new(settings: &Settings, grid: GridArgument, columns: usize, of_subjects: bool) -> Result<Self, Refusal> {
        let unit = if of_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Self::of_curves(settings, &grid.of(columns)?, unit)
    }

    /// The plan of settings for surfaces, one in each row, where a record is a `unit`.
    #[staticmethod]
    fn of_surfaces(
        settings: &SurfaceSettings,
        rectangle: RectangleArgument,
        of_subjects: bool,
    ) -> Result<Self, Refusal> {
        let unit = if of_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        let plan = settings.private_mean.plan(&SurfaceGrid::try_from(rectangle)?, unit)?;
        Ok(Self(Planned::Surfaces(of_one_pass(plan)?)))
    }

    /// The plan of settings for a long table.
    #[staticmethod]
    fn of_rows(settings: &RowsSettings) -> Result<Self, Refusal> {
        Ok(Self(Planned::Rows(settings.private_mean.plan()?)))
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
        Ok(match &self.0 {
            Planned::Curves(plan) => serde_json::to_string_pretty(plan)?,
            Planned::Surfaces(plan) => serde_json::to_string_pretty(plan)?,
            Planned::Rows(plan) => serde_json::to_string_pretty(plan)?,
        })
    }

    #[getter]
    pub fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// Where the columns lie; of a long table, where the estimate has its points.
    #[getter]
    fn grid_points(&self) -> Vec<f64> {
        match &self.0 {
            Planned::Curves(plan) => plan.grid().points().to_vec(),
            Planned::Surfaces(plan) => plan.columns().points().to_vec(),
            Planned::Rows(plan) => plan.mechanism().statistic().grid().points().to_vec(),
        }
    }

    #[getter]
    fn unit(&self) -> String {
        self.record().to_string()
    }

    /// The numbers of points of both axes, where a row is a surface.
    #[getter]
    fn shape(&self) -> Option<(usize, usize)> {
        if let Planned::Surfaces(plan) = &self.0 { Some(plan.grid().shape()) } else { None }
    }

    /// Whether a row is one value of a subject, and no curve.
    #[getter]
    fn is_of_rows(&self) -> bool {
        matches!(self.0, Planned::Rows(_))
    }

    /// Encodes curves in memory as a part: private data.
    #[pyo3(signature = (curves, subjects, part, key, workers))]
    fn encode(
        &self,
        py: Python<'_>,
        curves: Table<'_>,
        subjects: Option<Py<Ids>>,
        part: &str,
        key: Option<[u8; 32]>,
        workers: Option<usize>,
    ) -> Result<Encoded, Refusal> {
        let (rows, part) = (curves.view("curves")?, part.parse::<PartId>()?);
        self.check_key(key.is_some())?;
        let (subjects, workers) = (subjects.as_ref().map(|ids| ids.get().all()), threads(workers));
        let key = key.map(FingerprintKey::from_bytes);
        let part = py.detach(|| match &self.0 {
            Planned::Curves(plan) => Ok(Exact::Curves(plan.encode_rows(&rows, subjects, part, key, workers)?)),
            Planned::Surfaces(plan) => Ok(Exact::Surfaces(plan.encode_rows(&rows, subjects, part, key, workers)?)),
            Planned::Rows(_) => Err(no_rows()),
        });
        Ok((Part::of(part?), are_similar(subjects), None))
    }

    /// Encodes the curves in files as a part: private data.
    #[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
    #[pyo3(signature = (path, layout, part, key, workers, sorted_by_subject))]
    fn encode_files(
        &self,
        py: Python<'_>,
        path: PathBuf,
        layout: LayoutArguments,
        part: &str,
        key: Option<[u8; 32]>,
        workers: Option<usize>,
        sorted_by_subject: bool,
    ) -> Result<Encoded, Refusal> {
        self.check_key(key.is_some())?;
        let layout = CurveLayout::try_from(layout)?;
        let (key, part) = (key.map(FingerprintKey::from_bytes), part.parse::<PartId>()?);
        let encoding = FileEncoding { part, key, threads: threads(workers), sorted: sorted_by_subject };
        let (part, are_similar) = py.detach(|| match &self.0 {
            Planned::Curves(plan) => {
                encoded_files(plan, &path, layout, encoding).map(|(part, similar)| (Exact::Curves(part), similar))
            }
            Planned::Surfaces(plan) => {
                encoded_files(plan, &path, layout, encoding).map(|(part, similar)| (Exact::Surfaces(part), similar))
            }
            Planned::Rows(_) => Err(no_rows()),
        })?;
        Ok((Part::of(part), are_similar, None))
    }

    /// Encodes the rows of a long table as a part: private data.
    #[pyo3(signature = (rows, part, key))]
    fn encode_rows(
        &self,
        py: Python<'_>,
        rows: RowsArgument<'_>,
        part: &str,
        key: Option<[u8; 32]>,
    ) -> Result<Encoded, Refusal> {
        let Planned::Rows(plan) = &self.0 else {
            return Err(Refusal::new("id", "by the plan a row is a curve: leave id, time and value out"));
        };
        self.check_key(key.is_some())?;
        let (part, key) = (part.parse::<PartId>()?, key.map(FingerprintKey::from_bytes));
        let taken = rows.taken(py, plan.rows()).map_err(|refusal| refusal.renamed("rows", "curves"));
        let (rows, Concerns { similar_ids, unused, .. }) = taken?;
        let part = py.detach(|| rows.part(part, key.as_ref()))?;
        Ok((Part::of(Exact::Rows(part)), similar_ids, unused))
    }
}

impl Plan {
    fn of_curves(settings: &Settings, grid: &Grid, unit: PrivacyUnit) -> Result<Self, Refusal> {
        settings.check_gaps()?;
        Ok(Self(Planned::Curves(of_one_pass(settings.private_mean(grid)?.plan(grid, unit)?)?)))
    }

    /// What a record is.
    fn record(&self) -> PrivacyUnit {
        match &self.0 {
            Planned::Curves(plan) => plan.unit(),
            Planned::Surfaces(plan) => plan.unit(),
            Planned::Rows(plan) => plan.unit(),
        }
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

/// The records in files as a part, and whether there are ids that look alike.
fn encoded_files<D: MeanDomain>(
    plan: &release::Plan<Mean<D>>,
    path: &Path,
    layout: CurveLayout,
    encoding: FileEncoding,
) -> Result<(release::Part<Mean<D>>, bool), Refusal> {
    let layout = layout.grid(GridChoice::Of(plan.columns()));
    let files = TableFiles::find(path)?;
    let first = files.open(0, &layout)?;
    let encoder = plan.encode_files(&files, first, &layout, encoding, &|bytes| bytes)?;
    let are_similar = *encoder.similar_ids().reveal() > 0;
    Ok((encoder.finish().map_err(EncodeError::from)?, are_similar))
}

/// A plan by which records are encoded once.
fn of_one_pass<S: InParts>(plan: release::Plan<S>) -> Result<release::Plan<S>, Refusal> {
    if plan.is_twice() { Err(ReleaseError::CenterNeedsSteps.into()) } else { Ok(plan) }
}

fn no_rows() -> Refusal {
    let reason = "by the plan a row is one value of a subject: give id, time and value, the columns of a long table";
    Refusal::new("id", reason)
}

/// What a plan calls itself; nothing, for what is none.
pub fn kind(plan: &str) -> String {
    Head::read(plan).map(|head| head.kind).unwrap_or_default()
}

/// The plan of settings for the files that a path names, of which only a header is read.
#[pyfunction]
pub fn plan_of_files(settings: &Settings, path: PathBuf, layout: LayoutArguments) -> Result<Plan, Refusal> {
    settings.check_gaps()?;
    let layout = CurveLayout::try_from(layout)?;
    let first = TableFiles::find(&path)?.open(0, &layout)?;
    let unit = if first.has_subjects() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
    Plan::of_curves(settings, first.grid(), unit)
}

/// A new secret key for the subjects of all parts of a data set.
#[pyfunction]
pub fn new_key() -> Result<[u8; 32], Refusal> {
    Ok(*FingerprintKey::new(&mut SystemRandomness::new()?).reveal())
}
