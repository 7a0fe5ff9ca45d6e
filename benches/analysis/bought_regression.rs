//! What a bought radius is worth to a regression: errors of coefficient functions beside those in the stated ball.

use std::error::Error;
use std::f64::consts::PI;
use std::fmt::Write;

use dpfda::prelude::*;
use dpfda::release::{BallShares, Regression};
use ndarray::{Array1, Array2};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use crate::data::Corpus;
use crate::measured::{Measured, of_seeds};

const RELEASES: u64 = 100;
const POINTS: usize = 40;
const BUDGET: (f64, f64) = (1.0, 1e-5);
/// A ball that fits holds this part of the curves as they are.
const FITS: f64 = 0.99;
/// An error of a bought ball may be this many standard errors above that of the stated one.
const MOST_WORSE: f64 = 3.0;

/// A population of people with a status and a visit from 1 to 5.
#[derive(Clone, Copy)]
struct Population {
    name: &'static str,
    /// The part of the people who are cases, and how far their mean is from that of the others.
    case: (f64, f64),
    /// Whether the size of an error is itself drawn from a law with a heavy tail.
    has_heavy_tails: bool,
}

const POPULATIONS: [Population; 3] = [
    Population { name: "even", case: (0.4, 0.06), has_heavy_tails: false },
    Population { name: "a rare level far away", case: (0.1, 0.3), has_heavy_tails: false },
    Population { name: "heavy tails", case: (0.3, 0.06), has_heavy_tails: true },
];

impl Population {
    /// The mean at the middle of both ranges, and the changes from there to their ends.
    fn truth(&self, t: f64) -> [f64; 3] {
        let case = -0.5 * self.case.1 * (2.0 * t).cos();
        [0.05 * (4.0 * t).sin() + case, case, 0.04 * t]
    }

    fn draw(&self, records: usize, seed: u64) -> Result<(CurveSet, Vec<TextColumn>), Box<dyn Error>> {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let (mut status, mut visits) = (Vec::new(), Vec::new());
        let mut values = Array2::zeros((records, POINTS));
        for mut row in values.rows_mut() {
            let (is_case, visit) = (generator.random_range(0.0..1.0) < self.case.0, generator.random_range(1..6_u8));
            let e: [f64; 4] = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
            let tail = (1.0 - generator.random_range(0.0..1.0_f64)).powf(-0.25);
            let size = if self.has_heavy_tails { 0.75 * tail } else { 1.0 };
            for (k, value) in row.iter_mut().enumerate() {
                let t = k as f64 / (POINTS - 1) as f64;
                let [middle, case, change] = self.truth(t);
                let of_case = if is_case { case } else { -case };
                let waves = 0.03 * e[2] * (2.0 * PI * t).sin() + 0.02 * e[3] * (4.0 * PI * t).cos();
                *value = middle + of_case + change * (f64::from(visit) - 3.0) / 2.0;
                *value += size * (0.04 * e[0] + 0.06 * e[1] * (t - 0.5) + waves);
            }
            status.push(Some(if is_case { "case" } else { "control" }.to_owned()));
            visits.push(Some(visit.to_string()));
        }
        let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS)?, values)?;
        Ok((curves, vec![TextColumn::new(status), TextColumn::new(visits)]))
    }

    /// The radius of a ball about 0 that fits.
    fn radius(&self) -> Result<f64, Box<dyn Error>> {
        let (curves, _) = self.draw(20_000, u64::MAX)?;
        let weights = curves.unit_grid().weights().to_owned();
        let length = |row: ndarray::ArrayView1<'_, f64>| row.mapv(|x| x * x).dot(&weights).sqrt();
        let mut lengths: Vec<f64> = curves.values().rows().into_iter().map(length).collect();
        lengths.sort_by(f64::total_cmp);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
        let place = (FITS * lengths.len() as f64) as usize;
        Ok(lengths[place])
    }
}

/// One release: the errors of the three functions and how many bands hold theirs, unless the noise hides the design; and the radius.
struct Outcome {
    known: Option<([f64; 3], f64)>,
    radius: f64,
}

/// Releases of one setting: those whose design the noise hides, the errors of the three functions, coverage, and the radius as a part of the
/// stated one.
struct Summary {
    hidden: usize,
    errors: [Measured; 3],
    coverage: Measured,
    radius: f64,
}

struct Setting {
    population: Population,
    records: usize,
    radius: f64,
    is_public: bool,
    share: Option<f64>,
}

impl Setting {
    fn outcome(&self, seed: u64) -> Result<Outcome, Box<dyn Error>> {
        let (curves, columns) = self.population.draw(self.records, 7_000_000 + seed)?;
        let levels = ["control", "case"].map(str::to_owned).into();
        let status = Covariate::Category { name: "status".to_owned(), levels };
        let visit = Covariate::Number { name: "visit".to_owned(), lower: 1.0, upper: 5.0 };
        let ball = Ball::new(Center::Constant(0.0), self.radius)?;
        let regression = PrivateRegression::new(ball, PrivacyBudget::new(BUDGET.0, BUDGET.1)?, vec![status, visit]);
        let regression = regression.buying(BallShares::new(None, self.share)?);
        let regression = if self.is_public { regression.public_design() } else { regression };
        let release = regression.release(&curves, &columns, &mut SeededRandomness::from_seed(seed))?;
        let radius = release.statistic().ball().radius();
        let estimated = Estimated::<Regression>::new(release, &Band::Population, 0.95)?;
        if estimated.hidden().is_some() {
            return Ok(Outcome { known: None, radius });
        }
        let [intercept, case, visit] = estimated.means().all() else { return Err("three coefficients".into()) };
        let [intercept, case, visit] = [intercept.estimate()?, case.estimate()?, visit.estimate()?];
        let truth: Vec<[f64; 3]> = intercept.at.iter().map(|t| self.population.truth(*t)).collect();
        let middle = &intercept.values + &case.values * 0.5 + &visit.values * 3.0;
        let found: [Array1<f64>; 3] = [middle, &case.values * 0.5, &visit.values * 2.0];
        let mut errors = [0.0; 3];
        for (place, error) in errors.iter_mut().enumerate() {
            let squares = truth.iter().zip(&found[place]).map(|(truth, found)| (truth[place] - found).powi(2));
            *error = (squares.sum::<f64>() / truth.len() as f64).sqrt();
        }
        let of_coefficients = |truth: &[f64; 3]| {
            let [middle, case, change] = *truth;
            [middle - case - 1.5 * change, 2.0 * case, change / 2.0]
        };
        let held = [intercept, case, visit].into_iter().enumerate().filter(|(place, function)| {
            let mut ends = truth.iter().map(of_coefficients).zip(function.lower.iter().zip(&function.upper));
            ends.all(|(truth, (lower, upper))| (lower..=upper).contains(&&truth[*place]))
        });
        Ok(Outcome { known: Some((errors, held.count() as f64 / 3.0)), radius })
    }

    fn measured(&self) -> Result<Summary, Box<dyn Error>> {
        let found = of_seeds(RELEASES, |seed| self.outcome(seed))?;
        let known: Vec<([f64; 3], f64)> = found.iter().filter_map(|outcome| outcome.known).collect();
        let errors = [0, 1, 2].map(|place| Measured::of(known.iter().map(|(errors, _)| errors[place])));
        let coverage = Measured::of(known.iter().map(|(_, held)| *held));
        let radius = Measured::of(found.iter().map(|outcome| outcome.radius / self.radius)).mean;
        Ok(Summary { hidden: found.len() - known.len(), errors, coverage, radius })
    }
}

pub fn report(_: &Corpus) -> Result<String, Box<dyn Error>> {
    let mut page = format!(
        "## Bought radius of a regression\n\nSimulated curves of people on a status and a visit, with known coefficient functions, at (1, 1e-5): errors as in the section \
         above, in the stated ball and in one whose radius 5% of the budget bought. *Ball*: 1 is one that {FITS} of the curves are in as they are, 4 is four times \
         as wide. *Radius*: what was bought, as a part of the stated one, on average. *Refused*: releases whose noise hides the design, stated and bought. \
         *Even*: four of ten people are cases. *A rare level far away*: one of ten, and their mean is several standard deviations away. *Heavy tails*: \
         the size of an error has a tail of power 4. {RELEASES} releases for each row, the same people for both. The default buys: no error is \
         more than {MOST_WORSE} standard errors above that in the stated ball.\n\n| people | covariates | N | ball | radius | refused | stated: mean | case | \
         visit | bought: mean | case | visit | coverage: stated | bought |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for population in POPULATIONS {
        let fits = population.radius()?;
        for is_public in [false, true] {
            for records in [200, 1000, 5000] {
                for wide in [1.0, 4.0] {
                    eprintln!("bought regression: {} {records} {wide} {is_public}", population.name);
                    let of = |share| Setting { population, records, radius: fits * wide, is_public, share }.measured();
                    let (stated, bought) = (of(None)?, of(Some(0.05))?);
                    let covariates = if is_public { "public" } else { "private" };
                    let (name, radius) = (population.name, bought.radius);
                    let refused = format!("{}, {}", stated.hidden, bought.hidden);
                    write!(page, "| {name} | {covariates} | {records} | {wide} | {radius:.2} | {refused} |")?;
                    stated.errors.iter().try_for_each(|error| write!(page, " {} |", error.shown()))?;
                    for (stated, bought) in stated.errors.iter().zip(bought.errors) {
                        let most = stated.mean + MOST_WORSE * stated.error.hypot(bought.error);
                        let target = (most.is_finite() && bought.mean > most).then_some(most);
                        write!(page, " {} |", bought.at_most(target))?;
                    }
                    writeln!(page, " {} | {} |", stated.coverage.shown(), bought.coverage.shown())?;
                }
            }
        }
    }
    Ok(page + "\n")
}
