//! Which group people are in who are made up, and what their covariates are.

use dpfda::release::{Covariate, DesignColumn};
use dpfda::smoothing::TextColumn;
use ndarray::{Array1, Array2, ArrayView1, Axis, stack};

use super::draws::Draws;
use crate::release::Asked;

/// The groups of public labels: nobody has said how many there will be.
const GROUPS: [&str; 2] = ["A", "B"];

/// What people's curves are sums of, on average.
pub struct Design {
    /// The labels or covariates of a table; a pair of people has the same.
    pub columns: Vec<TextColumn>,
    /// How much of each function: a row for each person.
    pub rows: Array2<f64>,
    kind: Functions,
}

enum Functions {
    Mean,
    /// Each has an effect beside the mean.
    Groups,
    /// Coefficients after the intercept, which is the mean where everything else is 0.
    Coefficients(Vec<DesignColumn>),
}

impl Design {
    /// Of so many people: groups are equally large, covariates are spread evenly.
    pub fn of(asked: &Asked<'_>, number: usize, draws: &mut Draws) -> Self {
        match asked {
            Asked::Groups(groups) => {
                let private = groups.study.groups.private_labels.clone();
                Self::groups(private.unwrap_or_else(|| GROUPS.map(str::to_owned).to_vec()), number)
            }
            Asked::Regression(regression) => Self::coefficients(&regression.covariates, number, draws),
            _ => Self { columns: Vec::new(), rows: Array2::ones((number, 1)), kind: Functions::Mean },
        }
    }

    fn groups(names: Vec<String>, number: usize) -> Self {
        let group = |person: usize| person / 2 % names.len();
        let is_in = |(person, one): (usize, usize)| f64::from(u8::from(group(person) == one));
        let rows = Array2::from_shape_fn((number, names.len()), is_in);
        let labels = (0..number).map(|person| Some(names[group(person)].clone())).collect();
        Self { columns: vec![TextColumn::new(labels)], rows, kind: Functions::Groups }
    }

    fn coefficients(covariates: &[Covariate], number: usize, draws: &mut Draws) -> Self {
        let mut cell = |covariate: &Covariate| match covariate {
            Covariate::Number { lower, upper, .. } => (lower + (upper - lower) * draws.uniform()).to_string(),
            Covariate::Category { levels, .. } => levels[draws.one_of(levels.len())].clone(),
        };
        let pairs: Vec<Vec<String>> =
            (0..number.div_ceil(2)).map(|_| covariates.iter().map(&mut cell).collect()).collect();
        let columns: Vec<DesignColumn> = covariates.iter().flat_map(Covariate::columns).collect();
        let mut rows = Array2::ones((number, 1 + columns.len()));
        for (person, mut row) in rows.rows_mut().into_iter().enumerate() {
            let cells = covariates.iter().zip(&pairs[person / 2]);
            let standardised = cells.flat_map(|(covariate, cell)| covariate.standardised(Some(cell)));
            for (place, (column, standardised)) in columns.iter().zip(standardised).enumerate() {
                row[place + 1] = column.middle + column.half * standardised;
            }
        }
        let table = (0..covariates.len())
            .map(|place| TextColumn::new((0..number).map(|person| Some(pairs[person / 2][place].clone())).collect()));
        Self { columns: table.collect(), rows, kind: Functions::Coefficients(columns) }
    }

    /// The functions that the release is about, a column each.
    pub fn functions(&self, mean: Array1<f64>, mut effect: impl FnMut() -> Array1<f64>) -> Array2<f64> {
        let all: Vec<Array1<f64>> = match &self.kind {
            Functions::Mean => vec![mean],
            Functions::Groups => (0..self.rows.ncols()).map(|_| &mean + &effect()).collect(),
            Functions::Coefficients(columns) => {
                let each: Vec<_> = columns.iter().map(|column| effect() / column.half).collect();
                let moved = columns.iter().zip(&each).map(|(column, one)| one * column.middle);
                let intercept = moved.fold(mean, |mean, moved| mean - moved);
                [vec![intercept], each].concat()
            }
        };
        let views: Vec<ArrayView1<'_, f64>> = all.iter().map(|one| one.view()).collect();
        stack(Axis(1), &views).unwrap_or_else(|_| unreachable!("functions of the same waves"))
    }
}
