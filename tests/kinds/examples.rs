//! A small release of every kind, drawn from a seed and paid for by a ledger that is none.

use std::error::Error;

use dpfda::density::{
    Bounds, Cells, KsExponential, PerturbedHistogram, Points, SeriesMechanism, SeriesRelease, SeriesTerms,
};
use dpfda::kernels::{Grid, SurfaceGrid};
use dpfda::kinds::Row;
use dpfda::mechanism::{Digest, LedgerReference, Payable};
use dpfda::prelude::*;
use dpfda::release::{
    Covariate, Grouping, LinearFunctional, PrivateFunctionals, PrivateGroups, PrivatePath, PrivateRegression,
    PrivateRows,
};
use dpfda::smoothing::{PenalizedMean, TextColumn};
use ndarray::Array2;

/// How an example is released.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub neighbours: NeighbouringRelation,
    pub delta: f64,
    pub periodic: bool,
    /// The records from the last to the first.
    pub backwards: bool,
}

pub const USUAL: Case =
    Case { neighbours: NeighbouringRelation::SubstituteOne, delta: 1e-5, periodic: false, backwards: false };

const RECORDS: usize = 60;
const POINTS: usize = 9;

impl Case {
    fn budget(&self) -> Result<PrivacyBudget, Box<dyn Error>> {
        Ok(PrivacyBudget::new(8.0, self.delta)?)
    }

    fn grid(&self) -> Result<Grid, Box<dyn Error>> {
        if self.periodic {
            return Ok(Grid::periodic((0..POINTS).map(|j| j as f64).collect(), POINTS as f64)?);
        }
        Ok(Grid::uniform(0.0, 8.0, POINTS)?)
    }

    fn records(&self) -> impl Iterator<Item = usize> + use<> {
        let backwards = self.backwards;
        (0..RECORDS).map(move |i| if backwards { RECORDS - 1 - i } else { i })
    }

    fn values(&self) -> Array2<f64> {
        let order: Vec<usize> = self.records().collect();
        Array2::from_shape_fn((RECORDS, POINTS), |(i, j)| {
            0.5 + 0.1 * ((order[i] * 7 + j * 3) % 11) as f64 / 11.0 - 0.04 * (order[i] % 2) as f64
        })
    }

    fn curves(&self) -> Result<CurveSet, Box<dyn Error>> {
        Ok(CurveSet::new(self.grid()?, self.values())?)
    }

    fn column(&self, cell: impl Fn(usize) -> String) -> TextColumn {
        TextColumn::new(self.records().map(|i| Some(cell(i))).collect())
    }

    fn points(&self) -> Result<Points, Box<dyn Error>> {
        if self.periodic {
            return Err("no axis of a density is a circle".into());
        }
        let order: Vec<usize> = self.records().collect();
        let value = |(i, _): (usize, usize)| ((order[i] * 37) % 101) as f64 / 101.0;
        Ok(Points::new(Array2::from_shape_fn((RECORDS, 1), value), bounds()?)?)
    }
}

fn bounds() -> Result<Bounds, Box<dyn Error>> {
    Ok(Bounds::new(vec![(0.0, 1.0)])?)
}

fn ball() -> Result<Ball, Box<dyn Error>> {
    Ok(Ball::new(Center::Constant(0.5), 0.25)?)
}

fn smoother() -> Result<PenalizedMean, Box<dyn Error>> {
    Ok(PenalizedMean::new(dpfda::release::DEFAULT_KERNEL.with_range(0.25)?, 1e-2, 1.0)?)
}

/// The document of a release of this kind; an error where there is no such release.
pub fn example(row: &Row, case: &Case) -> Result<String, Box<dyn Error>> {
    let paid = Some(LedgerReference::new("a study", "one".parse()?, 3, Digest::of(b"an entry"))?);
    let mut bits = SeededRandomness::from_seed(11);
    let (ball, budget, neighbours) = (ball()?, case.budget()?, case.neighbours);
    let asked = [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Integral { weight: vec![1.0; POINTS] }];
    Ok(match row.kinds[0] {
        "mean" => {
            let mean =
                PrivateMean::isonormal(ball, budget).neighbours(neighbours).buying(dpfda::release::BallShares::NONE);
            let curves = case.curves()?;
            let drawn = mean.prepare(&curves)?.draw(paid, &mut bits);
            mean.viewer(curves.grid())?.view(drawn)?.to_json()?
        }
        "groups" => {
            let groups = PrivateGroups::new(ball, budget, grouping(neighbours)).neighbours(neighbours);
            let labels = case.column(|i| ["even", "odd"][i % 2].to_owned());
            groups.prepare(&case.curves()?, &labels)?.draw(paid, &mut bits).to_json()?
        }
        "rows" => {
            let rows = PrivateRows::new(ball, (0.0, 8.0), budget).neighbours(neighbours).bins(6);
            let rows = rows.buying(dpfda::release::BallShares::NONE);
            let rows = if case.periodic { rows.periodic() } else { rows };
            rows.rows_of(&case.curves()?)?.prepare()?.draw(paid, &mut bits).to_json()?
        }
        "surface" => {
            if case.periodic {
                return Err("no axis of a surface is a circle".into());
            }
            let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 3)?, Grid::uniform(0.0, 2.0, 3)?)?;
            let surfaces = CurveSet::new(grid.places()?, case.values())?;
            let mean =
                PrivateMean::isonormal(ball, budget).neighbours(neighbours).buying(dpfda::release::BallShares::NONE);
            mean.prepare_on(&surfaces, &grid, None)?.draw(paid, &mut bits).to_json()?
        }
        "regression" => {
            let age = Covariate::Number { name: "age".to_owned(), lower: 0.0, upper: 7.0 };
            let regression = PrivateRegression::new(ball, budget, vec![age]).neighbours(neighbours);
            let ages = [case.column(|i| (i % 8).to_string())];
            regression.prepare(&case.curves()?, &ages)?.draw(paid, &mut bits).to_json()?
        }
        "functionals" => {
            let functionals = PrivateFunctionals::new(ball, 8.0, smoother()?)?.neighbours(neighbours);
            functionals.prepare(&case.curves()?, &asked)?.draw(paid, &mut bits).to_json()?
        }
        "path" => {
            let path = PrivatePath::new(ball, budget, smoother()?).neighbours(neighbours);
            let kept = path.prepare(&case.curves()?)?.draw(paid, &mut bits);
            kept.publish(&asked)?.to_json()?
        }
        "histogram" => {
            let histogram = PerturbedHistogram::new(Cells::new(bounds()?, 5)?, budget).neighbours(neighbours);
            let drawn = histogram.prepare(&case.points()?)?.draw(paid, &mut bits);
            dpfda::density::HistogramRelease::from(drawn).to_json()?
        }
        "series" => {
            let series = SeriesMechanism::new(SeriesTerms::ChosenUpTo(6), budget, neighbours)?;
            SeriesRelease::from(series.prepare(&case.points()?)?.draw(paid, &mut bits)).to_json()?
        }
        "smoothed-histogram" => {
            let draws = KsExponential::new(budget, neighbours, Cells::new(bounds()?, 5)?, 4)?;
            draws.prepare(&case.points()?)?.draw(paid, &mut bits).to_json()?
        }
        other => return Err(format!("no example of {other}").into()),
    })
}

fn grouping(neighbours: NeighbouringRelation) -> Grouping {
    match neighbours {
        NeighbouringRelation::SubstituteOne => Grouping::Public,
        NeighbouringRelation::AddRemoveOne => {
            Grouping::Private { names: ["even", "odd"].map(str::to_owned).to_vec(), most: 1 }
        }
    }
}
