//! Bands of people and the rest of a curve: how much of a population they hold, and how far a completed half is from the true one.

use dpfda::analysis::{DEFAULT_LEVEL, PopulationMean};
use dpfda::kernels::eigenpairs;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use ndarray::{Array1, Array2, Axis};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{OneRelease, RECORDS, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Outcome, Seen};
use crate::line::Measure;
use crate::pools::{Pool, line};

/// New people whose curves are completed, of each release.
const COMPLETED: usize = 40;

/// The part of the total variance that is the noise of a known value where the covariance is known.
const NOISE: f64 = 1e-3;

pub fn settings() -> Vec<Setting> {
    every(&[""], &["smooth", "cluster", "rough", "t3", "skewed", "level", "widening", "cca"], &RECORDS[1..4])
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?, cell.records);
    let settings = PrivateMean::isonormal(pool.ball()?, budget(cell)?).wanting(Wanted::default());
    let known = Halves::of(&pool)?;
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let people = pool.drawn(records, &mut generator);
        let release = settings.release(&CurveSet::new(grid.clone(), people)?, &mut noise(seed))?;
        let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let population = estimated.population();
        let mut found = vec![
            held("prediction", population, &Band::Prediction, &pool, |content| content),
            held("tolerance", population, &Band::Tolerance, &pool, |content| {
                f64::from(u8::from(content >= DEFAULT_LEVEL))
            }),
        ];
        found.extend(known.completed(population, &pool.drawn(COMPLETED, &mut generator))?);
        Ok(found)
    }))
}

/// What a band of people says of the share of the pool that it holds.
fn held(name: &str, mean: &PopulationMean, band: &Band, pool: &Pool, says: fn(f64) -> f64) -> Outcome {
    let Ok(estimate) = mean.estimate(band, DEFAULT_LEVEL) else { return Outcome::unknown(name) };
    let content = pool.share_within(&estimate.lower, &estimate.upper);
    let half_width = estimate.half_width();
    let spread = pool.covariance.diag().mapv(f64::sqrt).mean().unwrap_or(f64::NAN);
    let seen = Seen { share: Some(says(content)), width: half_width / spread, squared_error: f64::NAN };
    Outcome { quantity: name.to_owned(), measure: Measure::Coverage, seen: Some(seen) }
}

/// The second half of a curve given the first, where mean and covariance are known.
struct Halves {
    mean: Array1<f64>,
    slopes: Array2<f64>,
}

impl Halves {
    fn of(pool: &Pool) -> Result<Self, Fault> {
        let half = pool.mean.len() / 2;
        let (first, last) = pool.covariance.view().split_at(Axis(0), half);
        let observed = first.split_at(Axis(1), half).0;
        let noise = NOISE * pool.covariance.diag().mean().unwrap_or(f64::NAN);
        let pairs = eigenpairs(&(&observed + &Array2::<f64>::from_diag_elem(half, noise)))?;
        let inverse = (&pairs.vectors / &pairs.values).dot(&pairs.vectors.t());
        Ok(Self { mean: pool.mean.clone(), slopes: last.split_at(Axis(1), half).0.dot(&inverse) })
    }

    /// What is said of the second halves of these people: the band, and errors over those of the known covariance, of the completion and of the mean alone.
    fn completed(&self, population: &PopulationMean, people: &Array2<f64>) -> Result<[Outcome; 2], Fault> {
        let (points, half) = (population.grid().points(), self.mean.len() / 2);
        let points = points.as_slice().ok_or("a grid in order")?;
        let own = population.estimate(&Band::Population, DEFAULT_LEVEL)?.values;
        let [mut held, mut completed, mut of_mean, mut known, mut width] = [0.0; 5];
        for person in people.rows() {
            let values = person.to_vec();
            let Ok(found) = population.complete(&points[..half], &values[..half], DEFAULT_LEVEL) else {
                return Ok([Outcome::unknown("completion"), Outcome::unknown("mean alone")]);
            };
            let rest = Array1::from(values[half..].to_vec());
            let is_held =
                rest.iter().zip(found.lower.iter().zip(&found.upper)).all(|(x, (low, high))| low <= x && x <= high);
            held += f64::from(u8::from(is_held));
            let square = |guess: Array1<f64>| (guess - &rest).mapv(|d| d * d).sum();
            let deviation = &person - &self.mean;
            let (first, _) = deviation.view().split_at(Axis(0), half);
            known += square(self.mean.view().split_at(Axis(0), half).1.to_owned() + self.slopes.dot(&first));
            of_mean += square(own.view().split_at(Axis(0), half).1.to_owned());
            completed += square(found.values);
            width += (&found.upper - &found.lower).mean().unwrap_or(f64::NAN) / 2.0;
        }
        let count = people.nrows() as f64;
        let unit = (known / (count * (self.mean.len() - half) as f64)).sqrt();
        let outcome = |name: &str, share, width, error: f64| Outcome {
            quantity: name.to_owned(),
            measure: Measure::Coverage,
            seen: Some(Seen { share, width, squared_error: error / known }),
        };
        Ok([
            outcome("completion", Some(held / count), width / (count * unit), completed),
            outcome("mean alone", None, f64::NAN, of_mean),
        ])
    }
}
