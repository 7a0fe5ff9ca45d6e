//! Means of several groups in one release.

use dpfda::analysis::{
    AnalysisError, Band, DEFAULT_LEVEL, Difference, EqualityTest, Estimate, Estimated, PopulationMean,
};
use dpfda::release::{Grouping, Groups, GroupsError};
use dpfda::smoothing::TextColumn;
use ndarray::Array1;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::curves::{CurvesArgument, WholeCurves};
use crate::door::{Door, DoorArguments};
use crate::drawn::Drawn;
use crate::refusal::{Refusal, blamed};
use crate::settings::Settings;

/// Which groups there are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct GroupingArguments {
    /// The labels, where who is in which group is private.
    private_labels: Option<Vec<String>>,
    groups_of_subject: usize,
}

impl GroupingArguments {
    fn grouping(&self) -> Grouping {
        match &self.private_labels {
            None => Grouping::Public,
            Some(names) => Grouping::Private { names: names.clone(), most: self.groups_of_subject },
        }
    }
}

/// Released means of groups with their estimates, or with the reason why there are none: once the noise is drawn, nothing may be lost.
#[pyclass(name = "GroupsRelease", module = "dpfda._dpfda", frozen)]
pub struct ReleasedGroups(Drawn<Groups>);

/// Releases the means of groups of curves, by the column of their labels: **spends the budget**.
#[pyfunction]
pub fn release_groups(
    py: Python<'_>,
    settings: &Settings,
    curves: CurvesArgument<'_>,
    column: &str,
    grouping: GroupingArguments,
    door: DoorArguments,
) -> Result<ReleasedGroups, Refusal> {
    let (door, stated) = (Door::try_from(door)?, curves.stated()?);
    py.detach(|| {
        let WholeCurves { curves, columns, concerns } = stated.read(&[column], "by")?;
        let labels = columns.into_iter().next().unwrap_or_else(|| TextColumn::new(Vec::new()));
        let level = settings.level().unwrap_or(DEFAULT_LEVEL);
        let groups = settings.private_groups(curves.grid(), grouping.grouping())?;
        let drawn = door.agreed.kept_by(door.draw(groups.prepare(&curves, &labels)?, concerns)?, None);
        Ok(ReleasedGroups(Drawn::new(drawn, Some(Band::Population), level)))
    })
}

impl From<GroupsError> for Refusal {
    fn from(error: GroupsError) -> Self {
        match error {
            GroupsError::Release(error) => error.into(),
            other => Self::new(blamed(&other, "curves"), other),
        }
    }
}

#[pymethods]
impl ReleasedGroups {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Refusal> {
        let estimated = py.detach(|| Estimated::<Groups>::from_json(text));
        Ok(Self(estimated.map_err(|error| Refusal::of_document(&error))?.into()))
    }

    fn to_json(&self) -> Result<String, Refusal> {
        self.0.to_json()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        self.0.facts().into_iter().map(|fact| (fact.name, fact.text)).collect()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.release().statistic().names().to_vec()
    }

    #[getter]
    fn is_private(&self) -> bool {
        self.0.release().is_private()
    }

    /// The number of records of a group, the noise in it, and its estimate where the group is large enough.
    fn group<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let group = self.0.estimated()?.means().get(name).ok_or_else(|| self.unknown("name"))?;
        let answer = function(py, group.estimate().map_err(|reason| Refusal::from(reason).at("name"))?)?;
        for released in Groups::groups(self.0.release()).iter().filter(|released| released.name == name) {
            answer.set_item("records", released.records)?;
            answer.set_item("records_sd", released.records_sd)?;
        }
        Ok(answer)
    }

    /// The difference of two groups.
    fn compare<'py>(&self, py: Python<'py>, first: &str, second: &str, level: f64) -> PyResult<Bound<'py, PyDict>> {
        let population = |name: &str, parameter| -> Result<&PopulationMean, Refusal> {
            let group = self.0.estimated()?.means().get(name).ok_or_else(|| self.unknown(parameter))?;
            group.population().map_err(|reason| Refusal::from(reason).at(parameter))
        };
        difference(py, population(first, "first")?, population(second, "second")?, level)
    }
}

impl ReleasedGroups {
    fn unknown(&self, parameter: &'static str) -> Refusal {
        Refusal::new(parameter, format!("the release has the groups {}", self.names().join(", ")))
    }
}

/// An estimate with its band, as columns.
pub fn function<'py>(py: Python<'py>, estimate: &Estimate<f64>) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("grid_points", estimate.at.clone().into_pyarray(py))?;
    let columns = [
        ("values", &estimate.values),
        ("posterior_sd", &estimate.posterior_sd),
        ("noise_sd", &estimate.noise_sd),
        ("lower", &estimate.lower),
        ("upper", &estimate.upper),
    ];
    for (column, values) in columns {
        answer.set_item(column, values.clone().into_pyarray(py))?;
    }
    Ok(answer)
}

/// The first mean minus the second with its band, and the test of equality where there is one.
///
/// # Errors
/// As [`Difference::new`].
pub fn difference<'py>(
    py: Python<'py>,
    first: &PopulationMean,
    second: &PopulationMean,
    level: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let compared = py.detach(|| -> Result<(Difference<'_, PopulationMean>, Option<EqualityTest>), Refusal> {
        let difference = Difference::new(first, second, level)?;
        let test = match difference.equality() {
            Err(AnalysisError::TestNeedsIsonormal) => None,
            test => Some(test?),
        };
        Ok((difference, test))
    });
    let (difference, test) = compared?;
    let answer = PyDict::new(py);
    let columns: [(&str, Array1<f64>); 5] = [
        ("grid_points", difference.grid().points().to_owned()),
        ("values", difference.values().clone()),
        ("sd", difference.sd().clone()),
        ("lower", difference.lower()),
        ("upper", difference.upper()),
    ];
    for (name, values) in columns {
        answer.set_item(name, values.into_pyarray(py))?;
    }
    answer.set_item("level", level)?;
    answer.set_item("not_zero", difference.where_it_is_not_zero())?;
    answer.set_item("statistic", test.map(|test| test.statistic))?;
    answer.set_item("p_value", test.map(|test| test.p_value))?;
    Ok(answer)
}
