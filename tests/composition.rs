//! One release answers many questions, and its ledger is charged once.

use dpfda::AnyRelease;
use dpfda::analysis::{Components, Difference, SyntheticCurves};
use dpfda::ledger::{Ledger, LedgerTerms};
use dpfda::prelude::*;
use dpfda::release::{Groups, Mean};
use ndarray::Array2;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

const DELTA: f64 = 1e-3;

fn curves(records: usize) -> CurveSet {
    let wave = |i: usize, k: usize| 0.5 + 0.02 * ((i * 7 % 11) as f64 - 5.0) * (k as f64 / 6.0).sin();
    CurveSet::new(Grid::uniform(0.0, 1.0, 25).unwrap(), Array2::from_shape_fn((records, 25), |(i, k)| wave(i, k)))
        .unwrap()
}

#[test]
fn one_release_answers_mean_band_components_and_synthetic_curves_and_is_paid_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let total = PrivacyBudget::new(1.0, DELTA).unwrap();
    let terms = LedgerTerms::new("curves", PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne, total).unwrap();
    let mut ledger = Ledger::create(&folder.path().join("curves.ledger"), &terms).unwrap();
    let curves = curves(5000);
    let plan = PrivateMean::isonormal(Ball::new(Center::Constant(0.5), 0.25).unwrap(), total).buying(BallShares::NONE);
    let (prepared, viewer) = (plan.prepare(&curves).unwrap(), plan.viewer(curves.grid()).unwrap());
    let paid = ledger.release("all".parse().unwrap(), prepared, &mut SystemRandomness::new().unwrap()).unwrap();
    let spent = |ledger: &Ledger| ledger.history().unwrap().accounts().epsilon(DELTA);
    let after_release = spent(&ledger);
    assert!(after_release > 0.99 && after_release <= 1.0, "{after_release}");

    // the file is all that is left: everything below reads it, and nothing else
    let json = {
        let release = viewer.view(paid.release).unwrap();
        Estimated::<Mean>::new(release, &Band::default(), 0.95).unwrap().to_json().unwrap()
    };
    drop(curves);
    let estimated = Estimated::<Mean>::from_json(&json).unwrap();
    assert!(estimated.at(&[0.123]).unwrap()[0].posterior_sd > 0.0);
    for band in [Band::Population, Band::Posterior, Band::Unsmoothed, Band::Noise] {
        let estimated = estimated.with_band(&band, 0.9).unwrap();
        assert!(estimated.points().iter().all(|point| point.lower < point.upper));
    }
    let components = Components::new(estimated.population()).unwrap();
    assert!(components.rank() >= 1, "one wave makes all the difference between curves");
    let synthetic = SyntheticCurves::new(&components).unwrap().draw(50, &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
    assert_eq!(synthetic.dim(), (50, 25));

    let history = ledger.history().unwrap();
    assert_eq!(history.verify(&AnyRelease::from_json(&json).unwrap().claim().unwrap()), []);
    assert_eq!(spent(&ledger), after_release);
    // nothing is left for a second release
    let same = self::curves(5000);
    let again = plan.prepare(&same).unwrap();
    assert!(ledger.release("another".parse().unwrap(), again, &mut SystemRandomness::new().unwrap()).is_err());
}

#[test]
fn the_means_of_all_groups_and_every_difference_are_paid_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let total = PrivacyBudget::new(1.0, DELTA).unwrap();
    let terms = LedgerTerms::new("groups", PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne, total).unwrap();
    let mut ledger = Ledger::create(&folder.path().join("groups.ledger"), &terms).unwrap();
    let curves = curves(3000);
    let names = ["a", "b", "c"];
    let labels = TextColumn::new((0..3000).map(|i| Some(names[i % 3].to_owned())).collect());
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let plan = PrivateGroups::new(ball, total, Grouping::Public);
    let prepared = plan.prepare(&curves, &labels).unwrap();
    let paid = ledger.release("groups".parse().unwrap(), prepared, &mut SystemRandomness::new().unwrap()).unwrap();
    let estimated = Estimated::<Groups>::new(paid.release, &Band::Population, 0.95).unwrap();
    for (one, other) in [("a", "b"), ("a", "c"), ("b", "c")] {
        let [one, other] = [one, other].map(|name| estimated.means().get(name).unwrap().population().unwrap());
        assert!(Difference::new(one, other, 0.95).unwrap().equality().unwrap().p_value > 0.0);
    }
    let spent = ledger.history().unwrap().accounts().epsilon(DELTA);
    assert!(spent > 0.99 && spent <= 1.0, "three groups that have nobody in common cost what one costs: {spent}");
    let json = estimated.to_json().unwrap();
    let claim = AnyRelease::from_json(&json).unwrap().claim().unwrap();
    assert_eq!(ledger.history().unwrap().verify(&claim), []);
}
