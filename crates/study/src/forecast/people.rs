//! People who are made up, and what their release is about.

use dpfda::kernels::Grid;
use dpfda::release::ChangeOf;
use dpfda::smoothing::{CurveSet, TextColumn};
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis};

use super::design::Design;
use super::draws::Draws;
use super::waves::Waves;
use super::{ENOUGH_POINTS, Forecast};
use crate::checked::Checked;
use crate::refusal::Refusal;
use crate::release::Asked;
use crate::values::GridValue;

#[cfg(test)]
#[path = "people_tests.rs"]
mod tests;

/// How far the mean lies from the centre, and how far groups and covariates move it, in spreads.
const DISTANCE: f64 = 1.5;
const EFFECT: f64 = 0.5;

/// The part of the stated radius that the mean lies away at most.
const FARTHEST: f64 = 0.6;

/// The most points of centile curves: a chart of more takes longer, and is worth the same.
const ENOUGH_OF_CENTILES: usize = 20;

/// The least number of times that rows are seen at.
const TIMES: usize = 100;

/// People in pairs that differ from their mean by opposite curves: so their own mean, or their own regression, is known.
#[derive(Debug)]
pub struct People {
    /// Their curves.
    pub curves: CurveSet,
    /// The same, where some of them is hidden.
    whole: Option<Array2<f64>>,
    /// Their labels or covariates.
    pub columns: Vec<TextColumn>,
    /// What each is multiplied with in the regression: 1, then the covariates.
    design: Array2<f64>,
    waves: Waves,
    /// The means, or the coefficients, by their waves: a column each.
    functions: Array2<f64>,
}

impl People {
    /// So many people of a study, made of this seed.
    ///
    /// # Errors
    /// [`Refusal`] for a grid that there is not.
    pub fn of(forecast: &Forecast, asked: &Asked<'_>, number: usize, seed: u64) -> Result<Self, Refusal> {
        let (mut draws, axes) = (Draws::of(seed), axes(forecast, asked)?);
        let waves = Waves::on(&axes.iter().collect::<Vec<_>>());
        let (basis, ball) = (waves.at(&points(&axes)), forecast.study.ball()?);
        let mut mean = draws.function(&waves, DISTANCE * forecast.spread);
        let farthest = basis.dot(&mean).iter().fold(0.0_f64, |most, d| most.max(d.abs()));
        mean *= (FARTHEST * ball.radius() / farthest).min(1.0);
        mean[0] += ball.level();
        let design = Design::of(asked, number, &mut draws);
        let functions = design.functions(mean, || draws.function(&waves, EFFECT * forecast.spread));
        let bounds = ball.bounds();
        let mut values = design.rows.dot(&functions.t()).dot(&basis.t());
        let deviations = (draws.normals((number / 2, waves.sd.len())) * &waves.sd * forecast.spread).dot(&basis.t());
        for (pair, deviation) in deviations.rows().into_iter().enumerate() {
            let size = within(bounds, values.row(2 * pair), deviation);
            values.row_mut(2 * pair).scaled_add(size, &deviation);
            values.row_mut(2 * pair + 1).scaled_add(-size, &deviation);
        }
        let whole = forecast.study.is_of_rows().then(|| values.clone());
        if whole.is_some() {
            draws.hide(&mut values, forecast.points);
        }
        let grid = match asked {
            Asked::Surface(asked) => asked.grid.places()?,
            _ => axes[0].clone(),
        };
        let curves_of = |values| CurveSet::new(grid, values).map_err(|error| Refusal::of("", error.to_string()));
        let Design { rows: design, columns, .. } = design;
        let (curves, columns) = match asked {
            Asked::Change(asked) => visits(&asked.of, &values, curves_of)?,
            _ => (curves_of(values)?, columns),
        };
        Ok(Self { curves, whole, columns, design, waves, functions })
    }

    /// The values of all people at a point, hidden or not.
    pub fn values_at(&self, t: f64) -> Vec<f64> {
        let cell = self.curves.grid().cell(t);
        let values = self.whole.as_ref().map_or_else(|| self.curves.values(), |whole| whole.view());
        values.rows().into_iter().map(|person| cell.between(person)).collect()
    }

    /// The correlation of the first covariate of these very people with their curves at each point, the other covariates taken out of both.
    pub fn correlation(&self) -> Array1<f64> {
        let places: Vec<usize> = (0..self.design.ncols()).filter(|place| *place != 1).chain([1]).collect();
        let mut design = self.design.select(Axis(1), &places);
        let mut curves = self.curves.values().to_owned();
        let last = places.len() - 1;
        for place in 0..last {
            let taken = design.column(place).to_owned();
            let square = taken.dot(&taken);
            let mut take = |mut rest: ArrayViewMut1<'_, f64>| {
                let part = taken.dot(&rest) / square;
                rest.scaled_add(-part, &taken);
            };
            (place + 1..=last).for_each(|other| take(design.column_mut(other)));
            curves.columns_mut().into_iter().for_each(&mut take);
        }
        let outcome = design.column(last);
        let correlation =
            |values: ArrayView1<'_, f64>| outcome.dot(&values) / (outcome.dot(&outcome) * values.dot(&values)).sqrt();
        curves.columns().into_iter().map(correlation).collect()
    }

    /// What the release is about at these points, which have a coordinate for each axis.
    pub fn truth(&self, function: usize, points: &[Vec<f64>]) -> Array1<f64> {
        self.waves.at(points).dot(&self.functions.index_axis(Axis(1), function))
    }
}

/// Two visits of each person, whose curves differ by these changes: the first is 0.
fn visits(
    of: &ChangeOf,
    changes: &Array2<f64>,
    curves_of: impl FnOnce(Array2<f64>) -> Result<CurveSet, Refusal>,
) -> Result<(CurveSet, Vec<TextColumn>), Refusal> {
    let ([first, second], time) = match of {
        ChangeOf::Visits { from, to, .. } => ([from.clone(), to.clone()], 1.0),
        ChangeOf::Slope { apart, .. } => (["0".to_owned(), apart.max(1.0).to_string()], apart.max(1.0)),
    };
    let people = changes.nrows();
    let values = Array2::from_shape_fn((2 * people, changes.ncols()), |(row, point)| {
        if row < people { 0.0 } else { time * changes[[row - people, point]] }
    });
    let owners: Vec<usize> = (0..2 * people).map(|row| row % people).collect();
    let cells = (0..2 * people).map(|row| Some(if row < people { first.clone() } else { second.clone() }));
    let curves = curves_of(values)?.with_subjects(&owners).map_err(|error| Refusal::of("", error.to_string()))?;
    Ok((curves, vec![TextColumn::new(cells.collect())]))
}

/// The part of a deviation, at most all of it, that keeps both people of a pair within the bounds: what is clamped would move their mean.
fn within(bounds: Option<(f64, f64)>, mean: ArrayView1<'_, f64>, deviation: ArrayView1<'_, f64>) -> f64 {
    let Some((lower, upper)) = bounds else { return 1.0 };
    let room = mean.iter().zip(deviation).map(|(mean, d)| (mean - lower).min(upper - mean).max(0.0) / d.abs());
    room.fold(1.0, f64::min)
}

/// The axes of the domain, with the points that curves are seen at.
fn axes(forecast: &Forecast, asked: &Asked<'_>) -> Result<Vec<Grid>, Refusal> {
    let study = &forecast.study;
    let (ends, points) = match asked {
        Asked::Surface(asked) => return Ok(asked.grid.axes().to_vec()),
        _ if study.is_of_rows() => {
            let ends = study.table.domain.clone().or_else(|| ends_of(study));
            (ends, TIMES.max(4 * study.table.bins.unwrap_or_default()))
        }
        _ => {
            let ends = ends_of(study);
            let enough = if matches!(asked, Asked::Centiles(_)) { ENOUGH_OF_CENTILES } else { ENOUGH_POINTS };
            (ends, forecast.points.min(enough))
        }
    };
    let ends = ends.unwrap_or_default();
    let (lower, upper) = (ends.first().copied().unwrap_or(0.0), ends.last().copied().unwrap_or(1.0));
    let between = if study.table.is_periodic() { Grid::circle } else { Grid::uniform };
    Ok(vec![between(lower, upper, points)?])
}

/// The ends of the grid of curves, where the study says them.
fn ends_of(study: &Checked) -> Option<Vec<f64>> {
    match &study.table.grid {
        Some(GridValue::Points(points)) => Some(points.clone()),
        Some(GridValue::Uniform(lower, upper)) => Some(vec![*lower, *upper]),
        _ => None,
    }
}

/// The points of the domain; the last axis is the fastest.
fn points(axes: &[Grid]) -> Vec<Vec<f64>> {
    let longer = |points: Vec<Vec<f64>>, axis: &Grid| {
        let of = |point: &Vec<f64>| axis.points().iter().map(|one| [&point[..], &[*one]].concat()).collect::<Vec<_>>();
        points.iter().flat_map(of).collect()
    };
    axes.iter().fold(vec![Vec::new()], longer)
}
