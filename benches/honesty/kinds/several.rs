//! One test of three groups of a release: how often it rejects equal means, and means that are apart.

use std::f64::consts::PI;

use dpfda::analysis::DEFAULT_LEVEL;
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use ndarray::{Array2, Axis, Slice};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::Outcome;
use crate::pools::line;

/// The sizes of the groups by the number of all records.
const SIZES: [[usize; 3]; 2] = [[100, 142, 134], [300, 300, 400]];
const LABELS: [&str; 3] = ["first", "second", "third"];

/// How far the means of the second and of the third group are from that of the first, as parts of a wave `sin(pi t)` of this height.
const APART: f64 = 0.02;
const SHIFTS: [f64; 3] = [0.0, 1.0, -0.5];
const EQUAL: &str = "equal";
/// Equal means, of which the last group has a cluster far from the others.
const CLUSTERED: &str = "one clustered";

pub fn settings() -> Vec<Setting> {
    let records = SIZES.map(|sizes| sizes.iter().sum());
    let mut all = every(&[EQUAL, "apart"], &["smooth", "cluster", "rough", "t3", "widening", "cca"], &records);
    all.extend(every(&[CLUSTERED], &["smooth", "rough"], &records));
    all
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let (pool, grid) = (line::pool(&cell.pool)?, line::grid(&cell.pool)?);
    let is_equal = cell.variant != "apart";
    let clustered = if cell.variant == CLUSTERED { Some(line::pool("cluster")?) } else { None };
    let sizes = SIZES.into_iter().find(|sizes| sizes.iter().sum::<usize>() == cell.records).ok_or("no such groups")?;
    let grouping = Grouping::Private { names: LABELS.map(str::to_owned).into(), most: 1 };
    let settings = PrivateGroups::new(pool.ball()?, budget(cell)?, grouping).wanting(Wanted::default());
    let groups: Vec<usize> = sizes.iter().enumerate().flat_map(|(group, size)| vec![group; *size]).collect();
    let labels = TextColumn::new(groups.iter().map(|group| Some(LABELS[*group].to_owned())).collect());
    let wave = grid.to_unit()?.points().mapv(|t| (PI * t).sin());
    let shift = if is_equal { 0.0 } else { APART };
    let moves = Array2::from_shape_fn((groups.len(), grid.len()), |(i, k)| shift * SHIFTS[groups[i]] * wave[k]);
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let mut people = pool.drawn(groups.len(), &mut generator) + &moves;
        if let Some(cluster) = &clustered {
            let last = cluster.drawn(sizes[2], &mut generator) + &(&pool.mean - &cluster.mean);
            people.slice_axis_mut(Axis(0), Slice::from(sizes[0] + sizes[1]..)).assign(&last);
        }
        let curves = CurveSet::new(grid.clone(), people)?;
        let release = settings.release(&curves, &labels, &mut noise(seed))?;
        let test = Estimated::<Groups>::new(release, &Band::default(), DEFAULT_LEVEL)?.equality(&[])?;
        Ok(vec![Outcome::test(test.p_value, is_equal)])
    }))
}
