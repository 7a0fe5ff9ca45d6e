//! Regressions of curves on covariates.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::kernels::Grid;
use dpfda::plotting::LineFigure;
use dpfda::privacy::{Calibration, NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda::release::{BallShares, Covariate, PrivateRegression, Regression, RegressionError};
use dpfda::smoothing::{Ball, Center};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::band::checked_level;
use crate::budget::{Budget, StatedBall};
use crate::curves::CurvesArgument;
use crate::door::{Door, DoorArguments};
use crate::drawn::Drawn;
use crate::groups::function;
use crate::refusal::{Refusal, one_of};
use crate::settings::{CALIBRATIONS, RELATIONS, ShareArgument};

/// What Python says of a private regression; the covariates as a document.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RegressionArguments {
    ball: StatedBall,
    budget: Budget,
    covariates: String,
    public_design: bool,
    /// `None` keeps the stated radius, and `"default"` buys by default.
    radius_share: ShareArgument,
    center_share: Option<f64>,
    neighbours: String,
    calibration: String,
    level: Option<f64>,
}

/// Settings that were checked without the data.
#[pyclass(name = "RegressionSettings", module = "dpfda._dpfda", frozen)]
pub struct RegressionSettings {
    ball: StatedBall,
    budget: PrivacyBudget,
    covariates: Vec<Covariate>,
    public_design: bool,
    shares: BallShares,
    neighbours: NeighbouringRelation,
    calibration: Calibration,
    level: f64,
}

impl From<RegressionError> for Refusal {
    fn from(error: RegressionError) -> Self {
        match error {
            RegressionError::Release(error) => error.into(),
            RegressionError::PublicUnderAddRemove => Self::new("public_design", error),
            other => Self::new("covariates", other),
        }
    }
}

#[pymethods]
impl RegressionSettings {
    #[new]
    fn new(arguments: RegressionArguments) -> Result<Self, Refusal> {
        let reason = "a covariate has a name and a range: two bounds of a number, or the levels of a category";
        let settings = Self {
            ball: arguments.ball,
            budget: arguments.budget.0,
            covariates: serde_json::from_str(&arguments.covariates).map_err(|_| Refusal::new("covariates", reason))?,
            public_design: arguments.public_design,
            shares: arguments.radius_share.with(arguments.center_share)?.unwrap_or_default(),
            neighbours: one_of("neighbours", &arguments.neighbours, &RELATIONS)?,
            calibration: one_of("calibration", &arguments.calibration, &CALIBRATIONS)?,
            level: checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL),
        };
        if settings.public_design && settings.neighbours == NeighbouringRelation::AddRemoveOne {
            return Err(RegressionError::PublicUnderAddRemove.into());
        }
        // what is refused on every grid and in every ball is refused now
        let anywhere = settings.regression(Ball::new(Center::Constant(0.0), 1.0)?);
        anywhere.mechanism(&Grid::uniform(0.0, 1.0, 2)?, PrivacyUnit::Curve)?;
        Ok(settings)
    }
}

impl RegressionSettings {
    fn regression(&self, ball: Ball) -> PrivateRegression {
        let regression = PrivateRegression::new(ball, self.budget, self.covariates.clone())
            .neighbours(self.neighbours)
            .calibration(self.calibration)
            .buying(self.shares);
        if self.public_design { regression.public_design() } else { regression }
    }
}

/// A released regression with its coefficients, unless the noise hides them: that depends on the release alone. Once the noise is drawn,
/// nothing may be lost: a release of which no estimate can be made is kept with the reason.
#[pyclass(name = "RegressionRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedRegression(Drawn<Regression>);

/// Releases the regression of curves on covariates: **spends the budget**.
#[pyfunction]
pub fn release_regression(
    py: Python<'_>,
    settings: &RegressionSettings,
    curves: CurvesArgument<'_>,
    door: DoorArguments,
) -> Result<ReleasedRegression, Refusal> {
    let (door, stated) = (Door::try_from(door)?, curves.stated()?);
    py.detach(|| {
        let names: Vec<&str> = settings.covariates.iter().map(Covariate::name).collect();
        let whole = stated.read(&names, "covariates")?;
        let regression = settings.regression(settings.ball.on(whole.curves.grid())?);
        let drawn = door.draw(regression.prepare(&whole.curves, &whole.columns)?, whole.concerns)?;
        let drawn = door.agreed.kept_by(drawn, None);
        Ok(ReleasedRegression(Drawn::new(drawn, Some(Band::Population), settings.level)))
    })
}

impl ReleasedRegression {
    fn estimated(&self) -> Result<&Estimated<Regression>, Refusal> {
        let estimated = self.0.estimated()?;
        let hidden = estimated.hidden().map(|hidden| Refusal::new("release", format!("no coefficients: {hidden}")));
        hidden.map_or(Ok(estimated), Err)
    }
}

#[pymethods]
impl ReleasedRegression {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let estimated = py.detach(|| Estimated::<Regression>::from_json(text));
        Ok(Self(estimated.map_err(|error| Refusal::of_document(&error))?.into()))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        self.0.to_json()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.0.facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.0.release().is_private()
    }

    /// The covariates with their ranges, as a document.
    fn covariates(&self) -> Result<String, Refusal> {
        Ok(serde_json::to_string(self.0.release().statistic().covariates())?)
    }

    /// The level of the bands.
    fn level(&self) -> Result<f64, Refusal> {
        Ok(self.estimated()?.means().level())
    }

    /// The coefficient functions with their names, the intercept first.
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyDict>)>> {
        let known = self.estimated()?.means().all().iter();
        let known = known.filter_map(|one| Some((one.name().to_owned(), one.estimate().ok()?)));
        known.map(|(name, found)| Ok((name, function(py, found)?))).collect()
    }

    /// The figure as SVG.
    fn to_svg(&self, py: Python<'_>) -> Result<String, Refusal> {
        let estimated = self.estimated()?;
        py.detach(|| Ok(LineFigure::regression(estimated)?.to_svg()?))
    }

    /// The figure as the bytes of a PNG.
    fn to_png(&self, py: Python<'_>) -> Result<Vec<u8>, Refusal> {
        let estimated = self.estimated()?;
        py.detach(|| Ok(LineFigure::regression(estimated)?.to_png()?))
    }

    /// The mean curve for one value of each covariate.
    fn predict<'py>(&self, py: Python<'py>, at: Vec<(String, String)>) -> PyResult<Bound<'py, PyDict>> {
        let (estimated, covariates) = (self.estimated()?, self.0.release().statistic().covariates());
        let names = || covariates.iter().map(Covariate::name).collect::<Vec<_>>().join(", ");
        let one_of_each = || Refusal::new("at", format!("give one value for each covariate: {}", names()));
        if at.len() != covariates.len() {
            return Err(one_of_each().into());
        }
        let cells = covariates.iter().map(|covariate| -> Result<&str, Refusal> {
            let given = at.iter().find(|(name, _)| name == covariate.name()).map(|(_, cell)| cell.as_str());
            let cell = given.ok_or_else(one_of_each)?;
            if covariate.holds(cell) { Ok(cell) } else { Err(outside(covariate)) }
        });
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let predicted = py.detach(|| estimated.predict(&cells)).map_err(|error| Refusal::from(error).at("at"))?;
        function(py, predicted.estimate())
    }
}

fn outside(covariate: &Covariate) -> Refusal {
    let allowed = match covariate {
        Covariate::Number { lower, upper, .. } => format!("a number from {lower} to {upper}"),
        Covariate::Category { levels, .. } => levels.join(" or "),
    };
    let name = covariate.name();
    let text = format!(
        "the value of {name:?} is outside the range of the release; a regression is not extrapolated. Give {allowed}"
    );
    Refusal::new("at", text)
}
