//! What is protected and what is known beforehand: the public numbers.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dpfda::kernels::Grid;
use dpfda::privacy::PrivacyBudget;
use dpfda::smoothing::{Ball, Center, PublicCurve};
use ndarray::Array1;
use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::refusal::Refusal;

/// The privacy that a release may spend.
#[pyclass(name = "PrivacyBudget", module = "dpfda._dpfda", frozen, eq, from_py_object)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget(pub PrivacyBudget);

#[pymethods]
impl Budget {
    #[new]
    fn new(epsilon: f64, delta: f64) -> Result<Self, Refusal> {
        Ok(Self(PrivacyBudget::new(epsilon, delta)?))
    }

    /// How much the probability of a result may change: by a factor of e to this power.
    #[getter]
    fn epsilon(&self) -> f64 {
        self.0.epsilon()
    }

    /// What is added to the changed probability.
    #[getter]
    fn delta(&self) -> f64 {
        self.0.delta()
    }

    fn __repr__(&self) -> String {
        format!("PrivacyBudget(epsilon={}, delta={})", self.0.epsilon(), python_number(self.0.delta()))
    }

    fn __getnewargs__(&self) -> (f64, f64) {
        (self.0.epsilon(), self.0.delta())
    }
}

/// A number as Python writes it.
fn python_number(value: f64) -> String {
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) { format!("{value:?}") } else { format!("{value:e}") }
}

/// The public bound on a curve, before the grid is known.
#[pyclass(name = "Ball", module = "dpfda._dpfda", frozen, from_py_object)]
#[derive(Debug, Clone)]
pub struct StatedBall(Stated);

#[derive(Debug, Clone)]
enum Stated {
    /// Bounds, a number, or one value for each point.
    Ball(Ball),
    /// A curve that is put on the grid when there is one, as it was read.
    Curve { curve: PublicCurve, text: Vec<u8>, radius: f64 },
}

/// What a centre is given as.
#[derive(FromPyObject)]
enum CenterArgument<'py> {
    Number(f64),
    Values(PyReadonlyArray1<'py, f64>),
    Text(Vec<u8>),
    File(PathBuf),
}

/// The largest file of a curve that is read, in bytes.
const LARGEST_CURVE: u64 = 1 << 23;

#[pymethods]
impl StatedBall {
    #[new]
    #[pyo3(signature = (center=None, radius=None, bounds=None))]
    fn new(
        center: Option<CenterArgument<'_>>,
        radius: Option<f64>,
        bounds: Option<(f64, f64)>,
    ) -> Result<Self, Refusal> {
        let (center, radius) = match (center, radius, bounds) {
            (None, None, Some((lower, upper))) => return Self::within(lower, upper),
            (Some(center), Some(radius), None) => (center, radius),
            _ => return Err(Refusal::new("bounds", "a ball has bounds, or a center and a radius")),
        };
        let text = match center {
            CenterArgument::Number(value) => return Self::about(Center::Constant(value), radius),
            CenterArgument::Values(values) => return Self::about(Center::Curve(values.as_array().to_owned()), radius),
            CenterArgument::Text(text) => text,
            CenterArgument::File(path) => read(&path)?,
        };
        // a radius that no ball has is refused before there is a grid
        Ball::new(Center::Constant(0.0), radius)?;
        let curve = PublicCurve::from_csv_reader(text.as_slice())?;
        Ok(Self(Stated::Curve { curve, text, radius }))
    }

    /// The ball of all curves whose values lie between two public numbers.
    #[staticmethod]
    fn within(lower: f64, upper: f64) -> Result<Self, Refusal> {
        Ok(Self(Stated::Ball(Ball::within(lower, upper)?)))
    }

    /// The largest root-mean-square distance from the centre, in the units of the data.
    #[getter]
    fn radius(&self) -> f64 {
        match &self.0 {
            Stated::Ball(ball) => ball.radius(),
            Stated::Curve { radius, .. } => *radius,
        }
    }

    /// The bounds that the ball follows from, where it was stated by bounds.
    #[getter]
    fn bounds(&self) -> Option<(f64, f64)> {
        match &self.0 {
            Stated::Ball(ball) => ball.bounds(),
            Stated::Curve { .. } => None,
        }
    }

    fn __repr__(&self) -> String {
        match self.bounds() {
            Some((lower, upper)) => format!("Ball(bounds=({lower:?}, {upper:?}))"),
            None => format!("Ball(..., radius={:?})", self.radius()),
        }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let center = match &self.0 {
            Stated::Ball(ball) if ball.bounds().is_some() => {
                return (py.None(), py.None(), ball.bounds()).into_pyobject(py);
            }
            Stated::Ball(ball) => match ball.center() {
                Center::Constant(value) => value.into_bound_py_any(py)?,
                Center::Curve(values) => values.to_pyarray(py).into_any(),
            },
            Stated::Curve { text, .. } => PyBytes::new(py, text).into_any(),
        };
        (center, self.radius()).into_pyobject(py)
    }
}

/// A file that is read whole, unless it is too large for a curve.
fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    let refused = |error: io::Error| Refusal::new("center", format!("the file cannot be read: {}", error.kind()));
    let mut text = Vec::new();
    File::open(path).map_err(refused)?.take(LARGEST_CURVE + 1).read_to_end(&mut text).map_err(refused)?;
    if text.len() as u64 > LARGEST_CURVE {
        return Err(Refusal::new("center", "the file is larger than a public curve can be"));
    }
    Ok(text)
}

impl StatedBall {
    fn about(center: Center, radius: f64) -> Result<Self, Refusal> {
        Ok(Self(Stated::Ball(Ball::new(center, radius)?)))
    }

    /// The ball where no grid is known yet: 0 stands for a centre that is a curve.
    ///
    /// # Errors
    /// None in practice: the radius was checked.
    pub fn anywhere(&self) -> Result<Ball, Refusal> {
        match &self.0 {
            Stated::Ball(ball) => Ok(ball.clone()),
            Stated::Curve { radius, .. } => Ok(Ball::new(Center::Constant(0.0), *radius)?),
        }
    }

    /// The ball of surfaces, which have no curve for a centre.
    ///
    /// # Errors
    /// [`Refusal`] for a centre that is a curve.
    pub fn of_surfaces(&self) -> Result<Ball, Refusal> {
        match &self.0 {
            Stated::Ball(ball) => Ok(ball.clone()),
            Stated::Curve { .. } => Err(Refusal::new(
                "center",
                "the centre of surfaces is a number, or one value for each point of the surface",
            )),
        }
    }

    /// The ball on a grid.
    ///
    /// # Errors
    /// [`Refusal`] for a curve that does not reach the ends of the grid.
    pub fn on(&self, grid: &Grid) -> Result<Ball, Refusal> {
        match &self.0 {
            Stated::Ball(ball) => Ok(ball.clone()),
            Stated::Curve { curve, radius, .. } => {
                let center: Array1<f64> = curve.on(grid)?;
                Ok(Ball::new(Center::Curve(center), *radius)?)
            }
        }
    }
}
