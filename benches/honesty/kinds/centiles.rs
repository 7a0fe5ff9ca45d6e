//! Centile curves: their bands, one for all, and what speaks against normal values.

use dpfda::analysis::{CentileCurves, DEFAULT_LEVEL, Estimate, sidak};
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda::release::{Centiles, DEFAULT_CENTILES, PrivateCentiles};
use ndarray::{Array1, Array2, concatenate};
use ndarray::{ArrayView1, Axis};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::{Claim, Outcome, Seen, Unit};
use crate::line::Measure;
use crate::pools::{Pool, line};

/// Pools whose values at a point are normal, and others.
const NORMAL: [&str; 5] = ["smooth", "step", "wave", "level", "cca-normal"];
const OTHERS: [&str; 8] = ["skewed", "t3", "cluster", "halves", "cca", "cca-skew", "cca-two", "cca-smoothed"];

/// Few people, of whom a chart is released nonetheless, and more. At B fewer than 132 are refused, and of rows fewer than 148.
const RECORDS: [usize; 5] = [142, 200, 376, 1000, 10_000];

/// The variant of rows: so many of each person, at any times, and so many points that they count at.
const OF_ROWS: &str = "rows m=8";
const VISITS: usize = 8;
const BINS: usize = 20;

/// How far apart two centiles are whose distance tells the density between them.
const STEP: f64 = 0.02;

pub fn settings() -> Vec<Setting> {
    let mut settings = every(&[""], &[&NORMAL[..], &OTHERS[..]].concat(), &RECORDS);
    settings.extend(every(&[OF_ROWS], &["smooth", "level", "skewed", "t3", "cluster", "low"], &RECORDS));
    settings
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid, records) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?, cell.records);
    let ball = Centiles::ball_within(pool.bounds, None, None, &grid)?;
    let settings = PrivateCentiles::new(ball, budget(cell)?).wanting(Wanted::default()).showing(shown_of(records));
    if cell.variant == OF_ROWS {
        return of_rows(cell, &pool, grid, settings.of_rows());
    }
    let truths: Vec<(Array1<f64>, Unit)> =
        shown_of(records).iter().map(|p| truth_of(&pool, p / 100.0, records)).collect();
    let is_normal = NORMAL.contains(&cell.pool.as_str());
    Ok(Box::new(move |seed| {
        let people = pool.drawn(records, &mut ChaCha20Rng::seed_from_u64(seed));
        let curves = CurveSet::new(grid.clone(), people)?;
        let release = settings.release(&curves, &mut noise(seed))?;
        let estimated = Estimated::<Centiles>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        Ok(said(estimated.means(), &truths, is_normal))
    }))
}

/// The usual centiles, as far as so many people have them.
fn shown_of(records: usize) -> Vec<f64> {
    let has = |centile: &f64| Centiles::least_beyond(*centile) <= records as u64;
    DEFAULT_CENTILES.into_iter().filter(has).collect()
}

/// Rows of people at times that are even over the domain. A point stands for the times that are nearest to it, and so does the truth.
fn of_rows(cell: &Cell, pool: &Pool, grid: Grid, settings: PrivateCentiles) -> Result<OneRelease, Fault> {
    let (pool, records, is_normal) = (pool.clone(), cell.records, NORMAL.contains(&cell.pool.as_str()));
    let points = Grid::uniform(grid.lower(), grid.upper(), BINS)?;
    let at_points = Pool::of(pool.bounds, interpolated(&pool, &grid, &points));
    let truths: Vec<(Array1<f64>, Unit)> =
        shown_of(records).iter().map(|p| truth_of(&at_points, p / 100.0, records)).collect();
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let people = pool.drawn(records, &mut generator);
        let mut rows = settings.rows(&points)?;
        for (id, curve) in people.rows().into_iter().enumerate() {
            for _ in 0..VISITS {
                let time = generator.random_range(grid.lower()..grid.upper());
                rows.push(&id.to_le_bytes(), time, grid.cell(time).between(curve));
            }
        }
        let release = settings.prepare_rows(&rows)?.draw_unrecorded(&mut noise(seed));
        let estimated = Estimated::<Centiles>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        Ok(said(estimated.means(), &truths, is_normal))
    }))
}

/// Times at which people are looked at around each point.
const TIMES: usize = 9;

/// All people of a pool at times around other points, which are even: at each of them, one after the other.
fn interpolated(pool: &Pool, grid: &Grid, points: &Grid) -> Array2<f64> {
    let people = pool.deviations() + &pool.mean;
    let half = 0.5 * (points.upper() - points.lower()) / (points.len() - 1) as f64;
    let around = |point: f64| {
        let (from, to) = ((point - half).max(points.lower()), (point + half).min(points.upper()));
        (0..TIMES).map(move |time| from + (to - from) * (time as f64 + 0.5) / TIMES as f64)
    };
    let of_people = |t: f64| people.rows().into_iter().map(move |person| grid.cell(t).between(person));
    let columns: Vec<Array1<f64>> =
        points.points().iter().map(|point| around(*point).flat_map(of_people).collect()).collect();
    Array2::from_shape_fn((TIMES * people.nrows(), points.len()), |(person, point)| columns[point][person])
}

fn said(curves: &CentileCurves, truths: &[(Array1<f64>, Unit)], is_normal: bool) -> Vec<Outcome> {
    let claims: Vec<(f64, Claim)> = curves
        .all()
        .zip(truths)
        .map(|((p, Estimate { values, lower, upper, .. }), (truth, unit))| {
            let [values, lower, upper, truth] = [values, lower, upper, truth].map(Array1::clone);
            (p, Claim { values, lower, upper, truth, unit: *unit })
        })
        .collect();
    let together = |of: fn(&Claim) -> ArrayView1<'_, f64>| {
        let parts: Vec<_> = claims.iter().map(|(_, claim)| of(claim)).collect();
        concatenate(Axis(0), &parts).unwrap_or_default()
    };
    let count = claims.len() as f64;
    let mean = |of: fn(&Unit) -> f64| claims.iter().map(|(_, claim)| of(&claim.unit)).sum::<f64>() / count;
    let all = Claim {
        values: together(|claim| claim.values.view()),
        lower: together(|claim| claim.lower.view()),
        upper: together(|claim| claim.upper.view()),
        truth: together(|claim| claim.truth.view()),
        unit: Unit { half_width: mean(|unit| unit.half_width), error: mean(|unit| unit.error) },
    };
    let each = claims.iter().map(|(p, claim)| claim.outcome(format!("{p}%")));
    let is_so = f64::from(u8::from(curves.are_not_normal()));
    let seen = Seen { share: Some(is_so), width: f64::NAN, squared_error: f64::NAN };
    let measure = if is_normal { Measure::Size } else { Measure::Power };
    let not_normal = Outcome { quantity: "not normal".to_owned(), measure, seen: Some(seen) };
    [all.outcome("all centiles")].into_iter().chain(each).chain([not_normal]).collect()
}

/// A centile of a pool at each point, and what so many people would say of it without privacy: the usual standard deviation, and Sidak's band.
fn truth_of(pool: &Pool, p: f64, records: usize) -> (Array1<f64>, Unit) {
    let people: Array2<f64> = pool.deviations() + &pool.mean;
    let sorted: Vec<Vec<f64>> = people
        .columns()
        .into_iter()
        .map(|column| {
            let mut values = column.to_vec();
            values.sort_by(f64::total_cmp);
            values
        })
        .collect();
    let at = |p: f64| -> Array1<f64> { sorted.iter().map(|values| quantile(values, p)).collect() };
    let slope = (at(p + STEP) - at(p - STEP)) / (2.0 * STEP);
    let variances = slope.mapv(|slope| slope * slope * p * (1.0 - p) / records as f64);
    (at(p), Unit::of_variances(&variances, sidak(5 * sorted.len(), 1.0 - DEFAULT_LEVEL)))
}

/// The least value with a share of at least `p` at or below it.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
    let place = (p * sorted.len() as f64).ceil() as usize;
    sorted[place.clamp(1, sorted.len()) - 1]
}
