//! Attacks on regressions of curves on covariates.

use dpfda_privacy::NeighbouringRelation;
use dpfda_release::{BallShares, Covariate, PrivateRegression, ReleaseError};
use dpfda_smoothing::{CurveSet, TextColumn};

use crate::added_noise::AddedNoise;
use crate::attack::Attack;
use crate::error::AuditError;
use crate::kinds::bought::Bargain;
use crate::kinds::pairs::{self, Pair, Record};
use crate::kinds::steps::Records;
use crate::sums::words;
use crate::target::Target;

/// A record with the covariate of each of its curves.
type Measured = (Record, &'static str);

/// One covariate between these ends; as `1` and as `-1` it makes the vector of covariates as long as can be.
const LOWER: &str = "-1";
const UPPER: &str = "1";
const MIDDLE: &str = "0.25";
/// What is no number within the range.
const STRANGE: [(&str, &str); 3] =
    [("a covariate far outside", "1e300"), ("a covariate that is no number", "NaN"), ("a missing covariate", "")];

/// A regression on one covariate, private or public.
pub(crate) fn regression(target: &Target, is_public: bool) -> Result<Attack, AuditError> {
    let private = private(target, BallShares::NONE);
    let private = if is_public { private.public_design() } else { private };
    let (curves, column) = data(target, &[LOWER, UPPER, LOWER, UPPER].map(|cell| (pairs::OTHERS, cell)))?;
    let noise = AddedNoise::plain(private.prepare(&curves, &[column])?.mechanism().noise());
    let pairs = measured(pairs::of_curves(target.neighbours), target.neighbours, is_public);
    target.attack_sums(noise, pairs, |records, randomness| {
        let (curves, column) = data(target, records)?;
        Ok(words(&private.release(&curves, &[column], randomness)?))
    })
}

/// A regression on one private covariate in a ball of which the centre or the radius is bought, with every answer.
pub(crate) fn bought(target: &Target, shares: BallShares) -> Result<Attack, AuditError> {
    let private = private(target, shares);
    let unit = target.some()?;
    let mechanism = private.mechanism(unit.grid(), unit.unit(), None)?;
    let (body, ball, least) =
        (mechanism.body().clone(), target.ball.clone(), mechanism.least_for_radius().map_err(ReleaseError::from)?);
    let records = |records: &[Measured]| {
        let (curves, column) = data(target, records)?;
        let covariates = column.cells().map(|cell| coded(covariate().standardised(cell)[0]));
        let covariates = covariates.map(Vec::from).collect();
        Ok(Records::Regression { curves: Box::new(curves), covariates, body: body.clone() })
    };
    let pairs = measured(pairs::of_bought(target.neighbours), target.neighbours, false);
    let bargain = Bargain { ball, shares, least, other: (pairs::OTHERS, UPPER) };
    bargain.attack(target, pairs, records, |records, randomness| {
        let (curves, column) = data(target, records)?;
        Ok(private.release(&curves, &[column], randomness)?)
    })
}

fn covariate() -> Covariate {
    Covariate::Number { name: "x".to_owned(), lower: -1.0, upper: 1.0 }
}

/// The vector of an intercept and a number: the squares of its entries are as 1 and `sqrt(3) x^2`, and it has norm 1 at both ends.
fn coded(x: f64) -> [f64; 2] {
    let part = 1.0 / (1.0 + 3.0_f64.sqrt());
    [part.sqrt(), (1.0 - part).sqrt() * x]
}

fn private(target: &Target, shares: BallShares) -> PrivateRegression {
    let private = PrivateRegression::new(target.ball.clone(), target.budget, vec![covariate()]);
    private.neighbours(target.neighbours).buying(shares)
}

fn data(target: &Target, records: &[Measured]) -> Result<(CurveSet, TextColumn), AuditError> {
    let curves = target.curves(&records.iter().map(|(record, _)| *record).collect::<Vec<_>>())?;
    let cells = records.iter().flat_map(|(record, cell)| std::iter::repeat_n(*cell, record.len()));
    Ok((curves, TextColumn::new(cells.map(|cell| (!cell.is_empty()).then(|| cell.to_owned())).collect())))
}

/// The pairs of curves with the same covariates; where these are private, also with others.
fn measured(curves: Vec<Pair<Record>>, neighbours: NeighbouringRelation, is_public: bool) -> Vec<Pair<Measured>> {
    let mut all = Vec::new();
    for Pair { name, left, right } in curves {
        let with = |records: &[Record]| -> Vec<Measured> { records.iter().map(|record| (*record, UPPER)).collect() };
        let (mut one, mut another) = (with(&left), with(&right));
        if is_public {
            // enough records for a design
            let rest = [(pairs::OTHERS, LOWER), (pairs::OTHERS, LOWER), (pairs::OTHERS, MIDDLE)];
            one.extend(rest);
            another.extend(rest);
        }
        all.push(Pair { name, left: one.clone(), right: another.clone() });
        if is_public {
            continue;
        }
        // only the covariate of the record that differs may change: the first, or the last where that is the one more
        let place = match neighbours {
            NeighbouringRelation::SubstituteOne => 0,
            NeighbouringRelation::AddRemoveOne if one.len() <= 1 => one.len(),
            NeighbouringRelation::AddRemoveOne => continue,
        };
        for (name, cell) in [("another covariate", LOWER), ("a covariate between", MIDDLE)].into_iter().chain(STRANGE) {
            let mut moved = another.clone();
            if let Some(record) = moved.get_mut(place) {
                record.1 = cell;
                all.push(Pair { name, left: one.clone(), right: moved });
            }
        }
    }
    all
}
