//! Groups: how often equal means are told apart, and different ones; how often the band holds the difference.

use std::error::Error;
use std::fmt::Write;

use dpfda::analysis::{Band, Difference};
use dpfda::prelude::*;
use dpfda::release::Groups;
use ndarray::Array1;

use crate::data::Corpus;
use crate::measured::{MISSED, Measured, of_seeds};

const RELEASES: u64 = 500;

/// What equal means may be told apart at, with a level of 0.05.
const SIZE: (f64, f64) = (0.03, 0.065);

/// Two groups of half of the records each.
struct Setting {
    records: usize,
    budget: (f64, f64),
    are_private: bool,
    /// Whether the radius is bought, as it is by default.
    buys: bool,
    power: Option<f64>,
}

/// What a pair of releases shows: of equal means, and of means that differ as those of cases and controls do.
struct Outcome {
    rejected: [bool; 2],
    held: [bool; 2],
    half_width: f64,
    error: f64,
}

pub fn report(corpus: &Corpus) -> Result<String, Box<dyn Error>> {
    let mut page = format!(
        "## Groups\n\nOne release of two groups of simulated curves, half of the N records each. *Size*: how often the test of equal means \
         gives p <= 0.05 where they are equal. *Power*: the same where the first mean has the difference of the 334 scans of cases and \
         the 42 of controls added (root mean square {:.3}). *Coverage*: how often the 95% band holds the whole difference, over both. \
         *Half-width*: of that band, on average. *Error*: of the estimated difference, root mean square over the domain, on average. *Radius*: \
         stated as 0.25, or bought with 5% of the budget, as the builders in Rust do by default. {RELEASES} pairs of releases for each row.\n\n\
         | N | (epsilon, delta) | labels | radius | size | power | coverage | half-width | error |\n|---|---|---|---|---|---|---|---|---|\n",
        corpus.curves.unit_grid().weights().dot(&corpus.difference.mapv(|d| d * d)).sqrt()
    );
    let few = (1.0, 1e-5);
    let rows = [
        (376, few, false, Some(0.93)),
        (376, few, true, Some(0.93)),
        (1000, few, false, None),
        (376, (1.0, 0.1), false, None),
        (1000, (1.0, 0.1), true, None),
    ];
    for ((records, budget, are_private, power), buys) in rows.into_iter().flat_map(|row| [(row, false), (row, true)]) {
        let setting = Setting { records, budget, are_private, buys, power };
        eprintln!("groups: {records} {budget:?} {are_private} {buys}");
        let found = of_seeds(RELEASES, |seed| setting.outcome(corpus, seed))?;
        let share =
            |of: &dyn Fn(&Outcome) -> bool| Measured::of(found.iter().map(|outcome| f64::from(u8::from(of(outcome)))));
        let size = share(&|outcome| outcome.rejected[0]);
        let covered = found.iter().flat_map(|outcome| outcome.held).map(|held| f64::from(u8::from(held)));
        let (least, most) = SIZE;
        let size = if buys {
            // the band allows for what the pull on people outside may do, and so rejects less
            size.at_most(Some(most))
        } else {
            let missed = if (least..=most).contains(&size.mean) { "" } else { MISSED };
            format!("{}; {least} to {most}{missed}", size.shown())
        };
        writeln!(
            page,
            "| {records} | ({}, {:?}) | {} | {} | {size} | {} | {} | {} | {} |",
            budget.0,
            budget.1,
            if are_private { "private" } else { "public" },
            if buys { "bought" } else { "stated" },
            share(&|outcome| outcome.rejected[1]).at_least(setting.power),
            Measured::of(covered).at_least(Some(0.95)),
            Measured::of(found.iter().map(|outcome| outcome.half_width)).shown(),
            Measured::of(found.iter().map(|outcome| outcome.error)).shown(),
        )?;
    }
    Ok(page + "\n")
}

impl Setting {
    fn outcome(&self, corpus: &Corpus, seed: u64) -> Result<Outcome, Box<dyn Error>> {
        let (mut rejected, mut held, mut half_width, mut error) = ([false; 2], [false; 2], 0.0, 0.0);
        for (place, factor) in [0.0, 1.0].into_iter().enumerate() {
            let truth = &corpus.difference * factor;
            let estimated = self.release(corpus, &truth, 2 * seed + place as u64)?;
            let [first, second] = estimated.means().all() else { return Err("two groups".into()) };
            let difference = Difference::new(first.population()?, second.population()?, 0.95)?;
            let (lower, upper) = (difference.lower(), difference.upper());
            held[place] = (0..truth.len()).all(|i| lower[i] <= truth[i] && truth[i] <= upper[i]);
            rejected[place] = difference.equality()?.p_value <= 0.05;
            let squares = (difference.values() - &truth).mapv(|d| d * d);
            error += 0.5 * corpus.curves.unit_grid().weights().dot(&squares).sqrt();
            half_width = (&upper - &lower).mean().unwrap_or(f64::NAN) / 2.0;
        }
        Ok(Outcome { rejected, held, half_width, error })
    }

    fn release(&self, corpus: &Corpus, shift: &Array1<f64>, seed: u64) -> Result<Estimated<Groups>, Box<dyn Error>> {
        let simulated = corpus.simulated(self.records, 3_000_000 + seed)?;
        let mut values = simulated.values().to_owned();
        for mut row in values.rows_mut().into_iter().step_by(2) {
            row += shift;
        }
        let curves = CurveSet::new(simulated.grid().clone(), values)?;
        let names = ["case", "control"].map(str::to_owned);
        let labels = TextColumn::new((0..self.records).map(|i| Some(names[i % 2].clone())).collect());
        let grouping =
            if self.are_private { Grouping::Private { names: names.into(), most: 1 } } else { Grouping::Public };
        let ball = Ball::new(Center::Constant(0.5), 0.25)?;
        let groups = PrivateGroups::new(ball, PrivacyBudget::new(self.budget.0, self.budget.1)?, grouping);
        let groups = if self.buys { groups } else { groups.buying(BallShares::NONE) };
        let release = groups.release(&curves, &labels, &mut SeededRandomness::from_seed(seed))?;
        Ok(Estimated::<Groups>::new(release, &Band::Population, 0.95)?)
    }
}
