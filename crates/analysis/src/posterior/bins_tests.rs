#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Exponential, Gaussian, Kernel, Matern};

use super::*;

fn grid() -> Grid {
    Grid::new((0..900).map(|i| (f64::from(i) / 899.0).powf(1.7)).collect()).unwrap()
}

#[test]
fn the_bins_share_out_the_grid_in_order() {
    let bins = Bins::of(&grid(), 98);
    assert!(bins.len() <= 100 && bins.list[0].members == (0..1));
    let mut next = 0;
    for bin in bins.iter() {
        assert!(bin.members.start == next && !bin.members.is_empty());
        next = bin.members.end;
    }
    assert_eq!((next, bins.list[bins.len() - 1].members.clone()), (900, 899..900));
}

#[test]
fn runs_of_a_long_bin_average_as_all_its_points_do() {
    let grid = Grid::uniform(0.0, 1.0, 6000).unwrap();
    let bins = Bins::of(&grid, 98);
    for (kernel, slack) in
        [(Kernel::from(Matern::new(2.5, 0.1).unwrap()), 1e-10), (Kernel::from(Exponential::new(0.4).unwrap()), 1e-5)]
    {
        let fast = bins.covariance(&kernel);
        for (b, c) in [(40, 40), (41, 40)] {
            let of = |bin: usize| bins.list[bin].members.clone();
            let (w, t) = (grid.weights(), grid.points());
            let sum: f64 = of(b).map(|i| of(c).map(|j| w[i] * w[j] * kernel.covariance(t[i], t[j])).sum::<f64>()).sum();
            let exact = sum / bins.list[b].weight / bins.list[c].weight;
            assert!(bins.list[b].samples.len() == 2 * RUNS);
            assert_abs_diff_eq!(fast[[b, c]], exact, epsilon = slack);
        }
    }
}

#[test]
fn averages_over_bins_agree_with_averages_over_all_their_points() {
    let (bins, grid) = (Bins::of(&grid(), 98), grid());
    let smooth: [Kernel; 3] = [
        Gaussian::new(0.02).unwrap().into(),
        Matern::new(1.5, 0.2).unwrap().into(),
        Exponential::new(0.3).unwrap().into(),
    ];
    for kernel in smooth {
        let fast = bins.covariance(&kernel);
        for (b, c) in [(0, 0), (3, 3), (50, 50), (50, 49), (50, 40), (99.min(bins.len() - 1), 2)] {
            let of = |bin: usize| bins.list[bin].members.clone();
            let (w, t) = (grid.weights(), grid.points());
            let sum: f64 = of(b).map(|i| of(c).map(|j| w[i] * w[j] * kernel.covariance(t[i], t[j])).sum::<f64>()).sum();
            let exact = sum / bins.list[b].weight / bins.list[c].weight;
            assert_abs_diff_eq!(fast[[b, c]], exact, epsilon = 1e-7);
        }
    }
}
