//! Means of two groups in one release: their bands, that of their difference, and the test whether they are equal.

use dpfda::analysis::{DEFAULT_LEVEL, Difference};
use dpfda::mechanism::Wanted;
use dpfda::prelude::*;
use dpfda_study::Kind;
use ndarray::{Axis, concatenate};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::difference::claim;
use super::mean::truth_of;
use super::pairs::{NAMES, Pair};
use super::{OneRelease, Setting, budget, every, noise};
use crate::Fault;
use crate::cell::Cell;
use crate::claim::Outcome;
use crate::curve::outcomes_of;
use crate::foretold;
use crate::pools::line;

/// The sizes of both groups, and how a cell calls them; labels are public or private.
const SIZES: [(&str, &str, [usize; 2]); 3] = [
    ("public 500+500", "private 500+500", [500, 500]),
    ("public 188+188", "private 188+188", [188, 188]),
    ("public 900+100", "private 900+100", [900, 100]),
];
const LABELS: [&str; 2] = ["first", "second"];

pub fn settings() -> Vec<Setting> {
    let of = |(public, private, sizes): (_, _, [usize; 2])| every(&[public, private], &NAMES, &[sizes.iter().sum()]);
    SIZES.into_iter().flat_map(of).collect()
}

pub fn release(cell: &Cell) -> Result<OneRelease, Fault> {
    let named = |(public, private, _): &&(&str, &str, _)| [*public, *private].contains(&cell.variant.as_str());
    let (public, _, sizes) = SIZES.iter().find(named).ok_or("no groups have these sizes")?;
    let (Pair { sides, is_equal }, sizes) = (Pair::of(&cell.pool)?, *sizes);
    let grouping = if cell.variant == *public {
        Grouping::Public
    } else {
        Grouping::Private { names: LABELS.map(str::to_owned).into(), most: 1 }
    };
    let settings = PrivateGroups::new(sides[0].ball()?, budget(cell)?, grouping).wanting(Wanted::default());
    let grid = line::grid("smooth")?;
    let labels = LABELS.iter().zip(sizes).flat_map(|(label, size)| vec![Some((*label).to_owned()); size]);
    let labels = TextColumn::new(labels.collect());
    // sizes that differ are not foretold
    let labels_of = [("by", "label"), ("private_labels", "first,second")];
    let said = if cell.variant == *public { &labels_of[..1] } else { &labels_of[..] };
    let foretold = if sizes[0] == sizes[1] {
        foretold::means(Kind::Groups, cell, &sides[0], grid.len(), said)?
    } else {
        Vec::new()
    };
    let truths = [0, 1].map(|side| truth_of(&sides[side], &grid, sizes[side]));
    let difference_truth = truths[0].minus(&truths[1]);
    Ok(Box::new(move |seed| {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let people = [0, 1].map(|side| sides[side].drawn(sizes[side], &mut generator));
        let curves = CurveSet::new(grid.clone(), concatenate(Axis(0), &[people[0].view(), people[1].view()])?)?;
        let release = settings.release(&curves, &labels, &mut noise(seed))?;
        let estimated = Estimated::<Groups>::new(release, &Band::default(), DEFAULT_LEVEL)?;
        let mut found = Vec::new();
        let raw = people[0].sum_axis(Axis(0)) / sizes[0] as f64;
        for (label, truth) in LABELS.into_iter().zip(&truths) {
            let group = estimated.means().get(label).and_then(|group| group.mean().ok());
            found.extend(outcomes_of(label, group, truth)?);
        }
        let first = estimated.means().get(LABELS[0]).and_then(|group| group.estimate().ok());
        found.push(foretold::outcome(foretold.first(), first, &raw));
        let population = |label| estimated.means().get(label).ok_or("a group")?.population().map_err(Fault::from);
        if let (Ok(first), Ok(second)) = (population(LABELS[0]), population(LABELS[1])) {
            let difference = Difference::new(first, second, DEFAULT_LEVEL)?;
            found.push(claim(&difference, &difference_truth).outcome("difference"));
            found.push(Outcome::test(difference.equality()?.p_value, is_equal));
        } else {
            found.push(Outcome::unknown("difference"));
            found.push(Outcome { seen: None, ..Outcome::test(1.0, is_equal) });
        }
        Ok(found)
    }))
}
