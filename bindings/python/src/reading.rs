//! How a private table is read: what a study says of it, or what keywords say of the table of a part.

use dpfda::density::PointLayout;
use dpfda::kernels::{Grid, SurfaceGrid};
use dpfda::smoothing::{CurveLayout, GridChoice, Missing, TableError};
use dpfda_study::{AskedDensity, AskedSurface, Checked, GridValue, Kind, Table, TextAsked};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Where the columns of a table in memory lie.
#[pyclass(name = "Places", module = "dpfda._dpfda", frozen)]
pub struct Places(pub Grid);

/// How a private table is read.
#[pyclass(name = "Reading", module = "dpfda._dpfda", frozen)]
pub struct Reading {
    /// What a row is.
    pub form: Form,
    table: Table,
    texts: Vec<TextAsked>,
    /// The ends of both axes of surfaces, where nothing was said of them.
    ends: Option<[(f64, f64); 2]>,
    /// Whether nobody named the columns of values.
    takes_all: bool,
}

/// What a row is.
pub enum Form {
    /// A curve.
    Curves(CurveLayout),
    /// A surface.
    Surfaces(CurveLayout, SurfaceGrid),
    /// One value of a subject.
    Rows(CurveLayout),
    /// One value of a surface.
    SurfaceRows(CurveLayout, SurfaceGrid),
    /// A point.
    Points(PointLayout),
}

impl Form {
    fn name(&self) -> &'static str {
        match self {
            Self::Curves(_) => "curves",
            Self::Surfaces(..) => "surfaces",
            Self::Rows(_) => "rows",
            Self::SurfaceRows(..) => "surface-rows",
            Self::Points(_) => "points",
        }
    }
}

#[pymethods]
impl Reading {
    #[getter(form)]
    fn form_name(&self) -> &'static str {
        self.form.name()
    }

    /// The column of the ids of subjects.
    #[getter]
    pub fn ids(&self) -> Option<&str> {
        let is_long = matches!(self.form, Form::Rows(_) | Form::SurfaceRows(..));
        if is_long { self.table.id.as_deref() } else { self.table.subject.as_deref() }
    }

    /// The columns of labels and covariates: the name of each, whether it holds numbers, and the setting that names it.
    #[getter]
    fn texts(&self) -> Vec<(String, bool, &'static str)> {
        self.texts.iter().map(|text| (text.name.clone(), text.is_number, text.setting)).collect()
    }

    /// The columns of numbers that have names of their own, and the settings that name them: those of a long table, or of points.
    #[getter]
    fn numbers(&self) -> Vec<(String, &'static str)> {
        let Table { time, s, t, value, columns, .. } = &self.table;
        let named = |columns: &[(&Option<String>, &'static str)]| {
            columns.iter().filter_map(|(name, setting)| Some(((*name).clone()?, *setting))).collect()
        };
        match self.form {
            Form::Rows(_) => named(&[(time, "time"), (value, "value")]),
            Form::SurfaceRows(..) => named(&[(s, "s"), (t, "t"), (value, "value")]),
            Form::Points(_) => {
                columns.iter().flat_map(|columns| columns.0.iter().map(|name| (name.clone(), "columns"))).collect()
            }
            Form::Curves(_) | Form::Surfaces(..) => Vec::new(),
        }
    }

    /// Codes for missing values, with commas between them.
    #[getter]
    fn missing(&self) -> Option<String> {
        self.table.missing.as_ref().map(|missing| missing.codes().join(","))
    }

    /// Whether nobody named the columns of values: an array has no others.
    #[getter]
    fn takes_all(&self) -> bool {
        self.takes_all
    }

    /// The shape of a surface.
    #[getter]
    fn shape(&self) -> Option<(usize, usize)> {
        if let Form::Surfaces(_, grid) | Form::SurfaceRows(_, grid) = &self.form { Some(grid.shape()) } else { None }
    }

    /// The places of the value columns and of the subjects among columns of these names, and where they lie. The rules are those of files.
    fn columns(&self, names: Vec<String>) -> Result<(Vec<usize>, Option<usize>, Places), Refusal> {
        if self.takes_all && !self.texts.is_empty() {
            return Err(Refusal::new(
                "values",
                "values= must name the value columns of a frame, such as values=\"h*\"",
            ));
        }
        let (values, ids, grid) = self.layout()?.find_columns(names)?;
        Ok((values, ids, Places(grid)))
    }
}

impl Reading {
    /// What a study says of its table.
    ///
    /// # Errors
    /// [`Refusal`] for columns and grids that are none.
    pub fn of_study(study: &Checked, takes_all: bool) -> Result<Self, Refusal> {
        let form = match study.kind {
            Kind::Rows | Kind::Centiles if study.is_long() => Form::Rows(study.table.long()?),
            Kind::Mean | Kind::Groups | Kind::Change | Kind::Rows | Kind::Regression | Kind::Centiles => {
                Form::Curves(study.table.curves()?)
            }
            Kind::Surface => {
                let asked = AskedSurface::of(study)?;
                let layout = asked.layout()?;
                if study.is_long() { Form::SurfaceRows(layout, asked.grid) } else { Form::Surfaces(layout, asked.grid) }
            }
            Kind::Density => Form::Points(AskedDensity::of(study)?.layout),
        };
        Ok(Self {
            form,
            texts: study.texts()?,
            ends: study.surface.surface_domain.is_none().then_some([(0.0, 1.0); 2]),
            takes_all,
            table: study.table.clone(),
        })
    }

    /// What is said of a table whose rows are read by a plan.
    pub fn of_plan(form: Form, table: Table, takes_all: bool) -> Self {
        Self { form, texts: Vec::new(), ends: None, takes_all, table }
    }

    /// How the columns of curves, surfaces or rows are read.
    ///
    /// # Errors
    /// [`Refusal`] for points.
    pub fn layout(&self) -> Result<&CurveLayout, Refusal> {
        match &self.form {
            Form::Curves(layout) | Form::Surfaces(layout, _) | Form::Rows(layout) | Form::SurfaceRows(layout, _) => {
                Ok(layout)
            }
            Form::Points(_) => Err(Refusal::new("data", "a row is a point, and no curve")),
        }
    }

    /// The same of a file, whose columns of values must be named.
    ///
    /// # Errors
    /// [`Refusal`] where they are not.
    pub fn layout_of_files(&self) -> Result<&CurveLayout, Refusal> {
        if self.takes_all {
            return Err(Refusal::new(
                "values",
                "values= must name the value columns of a file, such as values=\"cca_*\"",
            ));
        }
        self.layout()
    }

    /// Whether nobody named the columns: there are names for those of an array alone.
    pub fn has_default_columns(&self) -> bool {
        self.takes_all
    }

    /// Codes for missing values.
    pub fn codes(&self) -> Missing {
        self.table.missing.clone().unwrap_or_default()
    }

    /// Where so many columns without names lie; `known` is where the data say that they lie.
    ///
    /// # Errors
    /// [`Refusal`] for another number of points, and for data that lie elsewhere than a study says that says nothing of it.
    pub fn grid(&self, columns: usize, known: Option<&[Vec<f64>]>) -> Result<Grid, Refusal> {
        match (&self.form, known, &self.table.grid) {
            (Form::Surfaces(_, grid), known, _) => {
                let axes = known.unwrap_or_default().iter().zip(self.ends.iter().flatten());
                for (points, ends) in axes {
                    refuse_elsewhere(points, *ends, "surface_domain")?;
                }
                Ok(grid.places()?)
            }
            (_, Some([points]), Some(GridValue::Names)) => {
                let of_points = if self.table.is_periodic() { Grid::closing } else { Grid::new };
                Ok(of_points(points.clone())?)
            }
            (Form::Curves(layout), Some([points]), None) => {
                let grid = layout.grid_of(columns)?;
                refuse_elsewhere(points, (grid.lower(), grid.points().last().copied().unwrap_or(1.0)), "grid")?;
                Ok(grid)
            }
            _ => self.layout()?.grid_of(columns).map_err(|error| match error {
                TableError::NoPositions => {
                    let text = "grid= says that the names of columns say where they lie, and these data have neither names nor points";
                    Refusal::new("grid", text)
                }
                error => error.into(),
            }),
        }
    }

    /// The layout of a plan whose columns lie on this grid.
    pub fn on(layout: CurveLayout, grid: Grid) -> CurveLayout {
        layout.grid(GridChoice::Of(grid))
    }
}

/// Refuses data that lie elsewhere than where columns lie by default.
fn refuse_elsewhere(points: &[f64], (lower, upper): (f64, f64), setting: &'static str) -> Result<(), Refusal> {
    let steps = points.len().saturating_sub(1).max(1) as f64;
    let width = (upper - lower).abs().max(1.0);
    let is_there =
        |(at, point): (usize, &f64)| (point - (lower + (upper - lower) * at as f64 / steps)).abs() <= 1e-6 * width;
    if points.iter().enumerate().all(is_there) {
        return Ok(());
    }
    let advice = if setting == "grid" {
        "grid=\"names\" takes their points, and two numbers are ends"
    } else {
        "give the ends of s and of t"
    };
    let text = format!(
        "the data do not lie between {lower} and {upper}, where they would lie if {setting}= were left out: {advice}"
    );
    Err(Refusal::new(setting, text))
}
