//! Adaptive integration with an error estimate.

/// Nodes and weights of the Gauss-Kronrod rule with 15 nodes, and the weights of the Gauss rule with 7 at every second
/// node (Kronrod 1965; QUADPACK's `qk15`).
const KRONROD: [(f64, f64, f64); 8] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_55, 0.129_484_966_168_869_7),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_19, 0.0),
    (0.741_531_185_599_394_5, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4, 0.381_830_050_505_118_9),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0),
    (0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4),
];

/// The relative error to be reached.
const TOLERANCE: f64 = 1e-12;

/// The largest number of pieces, more than any density here needs. If it is reached, the remaining error is charged.
const MOST_PIECES: usize = 500;

struct Piece {
    from: f64,
    to: f64,
    integral: f64,
    error: f64,
}

/// Integrates a function from the first to the last of some increasing points and returns `(integral, error)`.
///
/// At the other points the function may be not smooth. The error is estimated by the difference of two rules, which for
/// a smooth function is far larger than the true error.
pub(super) fn integrate(f: impl Fn(f64) -> f64, points: &[f64]) -> (f64, f64) {
    let mut pieces: Vec<Piece> = points.windows(2).map(|ends| piece(&f, ends[0], ends[1])).collect();
    loop {
        let integral: f64 = pieces.iter().map(|piece| piece.integral).sum();
        let error: f64 = pieces.iter().map(|piece| piece.error).sum();
        let worst = (0..pieces.len()).max_by(|&i, &j| pieces[i].error.total_cmp(&pieces[j].error));
        let Some(worst) = worst.filter(|_| error > TOLERANCE * integral.abs() && pieces.len() < MOST_PIECES) else {
            return (integral, error);
        };
        let Piece { from, to, .. } = pieces.swap_remove(worst);
        let middle = from + (to - from) / 2.0;
        pieces.push(piece(&f, from, middle));
        pieces.push(piece(&f, middle, to));
    }
}

fn piece(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> Piece {
    let half = (to - from) / 2.0;
    let middle = from + half;
    let (mut kronrod, mut gauss) = (0.0, 0.0);
    for (node, weight, gauss_weight) in KRONROD {
        let values = if node == 0.0 { f(middle) } else { f(middle - half * node) + f(middle + half * node) };
        kronrod += weight * values;
        gauss += gauss_weight * values;
    }
    Piece { from, to, integral: half * kronrod, error: (half * (kronrod - gauss)).abs() }
}
