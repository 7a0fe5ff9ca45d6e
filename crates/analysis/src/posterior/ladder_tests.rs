#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn the_default_ladder_keeps_the_rules_of_a_ladder() {
    let ladder = Ladder::default();
    let again = Ladder::new(ladder.families.clone(), ladder.amplitudes.clone(), ladder.mean, ladder.sd);
    assert_eq!(again.unwrap(), ladder);
    assert_eq!((ladder.rungs().count(), ladder.amplitudes().len()), (14, 9));
}

#[test]
fn the_ends_of_every_family_are_known() {
    use LadderEnd::{Longest, Shortest};
    let ladder = Ladder::default();
    let ends: Vec<_> = (0..14).map(|index| ladder.end_of_family(index)).collect();
    let (s, l, n) = (Some(Shortest), Some(Longest), None);
    assert_eq!(ends, [n, s, n, l, n, s, n, n, n, n, n, n, n, l]);
}

#[test]
fn ladders_without_a_density_are_refused() {
    let rung = || vec![vec![Kernel::from(Gaussian::new(0.1).unwrap())]];
    let scaled = vec![vec![rung()[0][0].clone().scaled(2.0).unwrap()]];
    let refused = [
        Ladder::new(vec![], vec![1.0], 0.0, 1.0),
        Ladder::new(vec![vec![]], vec![1.0], 0.0, 1.0),
        Ladder::new(rung(), vec![], 0.0, 1.0),
        Ladder::new(rung(), vec![0.1, 0.1], 0.0, 1.0),
        Ladder::new(rung(), vec![0.0], 0.0, 1.0),
        Ladder::new(rung(), vec![f64::NAN], 0.0, 1.0),
        Ladder::new(rung(), vec![1.0], f64::NAN, 1.0),
        Ladder::new(rung(), vec![1.0], 0.0, 0.0),
        Ladder::new(scaled, vec![1.0], 0.0, 1.0),
    ];
    assert!(refused.iter().all(Result::is_err));
}
