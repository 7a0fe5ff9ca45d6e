#![allow(clippy::unwrap_used, reason = "tests")]

use rand::Rng;

use super::{Noise, NoiseError, NormalBlock, plain_l2_bound};
use crate::body::cosine::CosineBasis;
use crate::body::{Block, Body, Cosine, EuclideanBall, OneHot, sealed};
use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::calibrate::elliptical::{KNorm, StudentT};
use crate::calibrate::gaussian::{Calibration, GaussianPrivacy};
use crate::calibrate::mixing::{MixedGaussianPrivacy, MixingLaw};
use crate::draw::discrete_laplace::DiscreteLaplace;
use crate::draw::law::Law;
use crate::draw::randomness::SeededRandomness;
use crate::draw::rounded_normal::{NoiseScaleError, RoundedNormal};
use crate::draw::spherical_noise::{SphericalLaw, SphericalNoise};
use crate::sum::exact_sum::ExactSum;

const RELATIONS: [NeighbouringRelation; 2] = [SubstituteOne, AddRemoveOne];

pub(super) fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

pub(super) fn ball(dimension: usize) -> EuclideanBall {
    EuclideanBall::new(dimension).unwrap()
}

pub(super) fn cosine(dimension: usize, terms: usize) -> Cosine {
    Cosine::new(CosineBasis::new(dimension, terms).unwrap())
}

pub(super) fn seed(number: u64) -> SeededRandomness {
    SeededRandomness::from_seed(number)
}

fn mixing() -> MixingLaw {
    MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap()
}

/// Every law, with a budget that it can meet.
fn laws() -> Vec<(Law, PrivacyBudget)> {
    let (pure, with_delta) = (budget(1.0, 0.0), budget(1.0, 1e-5));
    vec![
        (Law::GAUSSIAN, with_delta),
        (Law::gaussian(Calibration::Classical), with_delta),
        (Law::DiscreteLaplace {}, pure),
        (Law::KNorm {}, pure),
        (Law::StudentT { degrees_of_freedom: 5.0 }, pure),
        (Law::RandomScale { mixing: mixing() }, with_delta),
    ]
}

/// Records of two kinds: `(x, y)` with `|x|_2 <= 100` in two coordinates and `|y|_2 <= 100 * 1000.5` in three.
///
/// Their joint norm is at most `100 sqrt(2)`, and twice that between two of them; one counts 100 steps of the second block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TwoBlocks;

impl TwoBlocks {
    const UNIT: f64 = 1000.5;
}

impl sealed::Sealed for TwoBlocks {}

impl Body for TwoBlocks {
    type Word = i64;
    type Vector = [i64; 5];
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        5
    }

    fn vector(&self) -> [i64; 5] {
        [0; 5]
    }

    fn reset(&self, vector: &mut [i64; 5]) {
        *vector = [0; 5];
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; 5]
    }

    fn add(&self, totals: &mut Vec<i64>, vector: &[i64; 5]) {
        totals.iter_mut().zip(vector).for_each(|(total, k)| *total += k);
    }

    fn restored(&self, _: &[i64], _: u64) -> Option<Vec<i64>> {
        None
    }

    fn count_weight(&self) -> Option<i64> {
        Some(100)
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let record = 141 + 173_291;
        if relation == SubstituteOne { 2 * record } else { record + 100 }
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let count = 100.0 / Self::UNIT;
        if relation == SubstituteOne {
            200.0 * 2.0_f64.sqrt().next_up()
        } else {
            (20_000.0 + count * count).sqrt().next_up()
        }
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let count = usize::from(relation == AddRemoveOne);
        vec![Block { length: 2, unit: 1.0 }, Block { length: 3 + count, unit: Self::UNIT }]
    }
}

fn normals(noise: &Noise) -> &[NormalBlock] {
    let Noise::Gaussian(blocks) = noise else { panic!("normal noise was asked for") };
    blocks
}

/// The same noise with a scale that is smaller by one step, or by so little where scales are doubles.
fn less(noise: &Noise) -> Vec<Noise> {
    match noise {
        Noise::Gaussian(blocks) => (0..blocks.len())
            .map(|index| {
                let mut fewer = blocks.clone();
                fewer[index].normal = RoundedNormal::new(blocks[index].normal.scale() - 1).unwrap();
                Noise::Gaussian(fewer)
            })
            .collect(),
        Noise::DiscreteLaplace(noise) => {
            // the grid has between 2^20 and 2^21 scales to a doubling
            let (numerator, denominator) = noise.scale();
            vec![Noise::DiscreteLaplace(DiscreteLaplace::new(numerator * ((1 << 20) - 1), denominator << 20).unwrap())]
        }
        Noise::Spherical(noise) => {
            let scale = match noise.law() {
                SphericalLaw::KNorm(_) => noise.scale() - 1.0,
                SphericalLaw::StudentT(_) => noise.scale() * (1.0 - 1e-10),
            };
            vec![Noise::Spherical(SphericalNoise::new(noise.law(), scale).unwrap())]
        }
        Noise::Cylinder(_) => unreachable!("its tests are apart"),
        Noise::RandomScale(noise) => {
            vec![Noise::RandomScale(super::RandomScale { sigma: noise.sigma * (1.0 - 1e-5), ..noise.clone() })]
        }
    }
}

fn meets_and_no_less_does<B: Body>(law: &Law, budget: &PrivacyBudget, body: &B) {
    for relation in RELATIONS {
        let noise = Noise::calibrated(law, budget, body, relation).unwrap();
        assert!(noise.meets(budget, body, relation), "{law:?} {body:?} {relation}");
        assert!(noise.agrees(&noise), "{law:?}");
        let is_classical = *law == Law::gaussian(Calibration::Classical);
        for less in less(&noise).iter().filter(|_| !is_classical) {
            assert!(!less.meets(budget, body, relation), "{law:?} {body:?} {relation}: {noise:?}");
        }
        // nor does it meet a budget of half the epsilon
        let tighter = PrivacyBudget::new(budget.epsilon() * 0.5, budget.delta()).unwrap();
        assert!(is_classical || !noise.meets(&tighter, body, relation), "{law:?}");
    }
}

#[test]
fn calibrated_noise_meets_its_budget_and_one_step_less_does_not() {
    for (law, budget) in laws() {
        meets_and_no_less_does(&law, &budget, &ball(9));
        meets_and_no_less_does(&law, &budget, &OneHot::new(12, 1).unwrap());
        meets_and_no_less_does(&law, &budget, &OneHot::new(12, 1 << 20).unwrap());
        meets_and_no_less_does(&law, &budget, &cosine(2, 9));
        meets_and_no_less_does(&law, &budget, &TwoBlocks);
    }
}

#[test]
fn normal_noise_for_a_share_of_mu_is_the_smallest_integer_within_it() {
    for relation in RELATIONS {
        for share in [1e-3, 0.268, 0.92, 4.9, 1e3] {
            let noise = Noise::gaussian(GaussianPrivacy::new(share).unwrap(), &ball(3), relation).unwrap();
            let mu = |noise: &Noise| noise.privacy(&ball(3), relation).unwrap().mu();
            assert!(mu(&noise) <= share);
            assert!(less(&noise).iter().all(|less| mu(less) > share * (1.0 - 1e-12)));
        }
    }
}

#[test]
fn the_stated_mu_is_never_below_sensitivity_over_scale() {
    for relation in RELATIONS {
        for scale in 1..2000_u32 {
            let normal = RoundedNormal::new(scale.into()).unwrap();
            let noise = Noise::Gaussian(vec![NormalBlock { length: 1, unit: 1.0, normal }]);
            let mu = noise.privacy(&ball(1), relation).unwrap().mu();
            // a fused multiplication and addition has the sign of the true value
            let excess = mu.mul_add(f64::from(scale), -relation.lattice_sensitivity());
            assert!(excess >= 0.0, "{relation} {scale}");
        }
    }
}

/// The rules that means, histograms and series had before they were one.
#[test]
fn scales_are_those_of_the_rules_that_became_one() {
    for (epsilon, delta) in [(1.0, 1e-5), (0.1, 1e-3), (8.0, 1e-9), (1e-4, 1e-6), (0.37, 0.01)] {
        let budget = budget(epsilon, delta);
        for (relation, calibration) in [
            (SubstituteOne, Calibration::Tight),
            (AddRemoveOne, Calibration::Tight),
            (SubstituteOne, Calibration::Classical),
        ] {
            let Ok(privacy) = GaussianPrivacy::calibrated(calibration, &budget) else { continue };
            let law = Law::gaussian(calibration);
            // means: the quotient rounded up, and one more where it would be reported above what was allowed
            let sensitivity = relation.lattice_sensitivity();
            let normal = RoundedNormal::at_least((sensitivity / privacy.mu()).next_up()).unwrap().scale();
            let above = (sensitivity / normal as f64).next_up() > privacy.mu();
            let found = Noise::calibrated(&law, &budget, &ball(5), relation).unwrap();
            assert_eq!(normals(&found)[0].normal.scale(), normal + u64::from(above));
            // histograms: in steps of 2^-20 records
            let sensitivity =
                if relation == SubstituteOne { 2.0_f64.sqrt().next_up() } else { 1.0 } * f64::from(1 << 20);
            let normal = RoundedNormal::at_least(privacy.scale(sensitivity).unwrap()).unwrap().scale();
            let above = (sensitivity / normal as f64).next_up() > privacy.mu();
            let found = Noise::calibrated(&law, &budget, &OneHot::new(4, 1 << 20).unwrap(), relation).unwrap();
            assert_eq!(normals(&found)[0].normal.scale(), normal + u64::from(above));
            // series
            for body in [cosine(1, 12), cosine(3, 9)] {
                let normal = RoundedNormal::at_least(privacy.scale(body.l2_bound(relation)).unwrap()).unwrap();
                let found = Noise::calibrated(&law, &budget, &body, relation).unwrap();
                assert_eq!(normals(&found)[0].normal, normal);
            }
        }
        for relation in RELATIONS {
            let pure = PrivacyBudget::new(epsilon, 0.0).unwrap();
            let laplace = |found: Noise, sensitivity, dimension| {
                let landed = DiscreteLaplace::calibrated(sensitivity, dimension, &pure).unwrap();
                assert_eq!(found, Noise::DiscreteLaplace(landed));
            };
            let law = Law::DiscreteLaplace {};
            let count = usize::from(relation == AddRemoveOne);
            let of_ball = Noise::calibrated(&law, &pure, &ball(5), relation).unwrap();
            laplace(of_ball, relation.lattice_l1_sensitivity(5), 5 + count);
            let of_cells = Noise::calibrated(&law, &pure, &OneHot::new(4, 1).unwrap(), relation).unwrap();
            laplace(of_cells, if relation == SubstituteOne { 2 } else { 1 }, 4);
            for landed in [SphericalLaw::KNorm(KNorm::new(5 + count).unwrap()), {
                SphericalLaw::StudentT(StudentT::new(9.0, 5 + count).unwrap())
            }] {
                let law = match landed {
                    SphericalLaw::KNorm(_) => Law::KNorm {},
                    SphericalLaw::StudentT(_) => Law::StudentT { degrees_of_freedom: 9.0 },
                };
                let landed =
                    SphericalNoise::calibrated(landed, relation.lattice_sensitivity(), pure.epsilon_within()).unwrap();
                let found = Noise::calibrated(&law, &pure, &ball(5), relation).unwrap();
                assert_eq!(found, Noise::Spherical(landed));
            }
            let landed = MixedGaussianPrivacy::calibrated(mixing(), &budget).unwrap();
            let found = Noise::calibrated(&Law::RandomScale { mixing: mixing() }, &budget, &ball(5), relation).unwrap();
            assert_eq!(found.scale(), landed.scale(relation.lattice_sensitivity()).unwrap());
        }
    }
}

/// Scales from 30-digit arithmetic, in steps of 2^-20 records; and those of releases that were published before.
#[test]
fn golden_scales_are_kept() {
    let histogram = OneHot::new(10, 1 << 20).unwrap();
    for (epsilon, delta, substitute, add_remove) in [
        (1.0, 1e-6, 6_264_820.263_244_073, 4_429_896.891_054_776),
        (0.1, 1e-3, 25_809_160.141_790_486, 18_249_832.152_989_61),
        (0.5, 0.01, 4_666_590.163_012_533, 3_299_777.549_284_598),
        (8.0, 1e-9, 1_174_816.560_720_012, 830_720.756_735_377_7),
    ] {
        for (relation, exact) in [(SubstituteOne, substitute), (AddRemoveOne, add_remove)] {
            let noise = Noise::calibrated(&Law::GAUSSIAN, &budget(epsilon, delta), &histogram, relation).unwrap();
            assert!((0.0..1.01).contains(&(noise.scale() - exact)), "{epsilon} {delta} {relation}");
        }
    }
    let mean = |relation| Noise::calibrated(&Law::GAUSSIAN, &budget(1.0, 1e-5), &ball(6), relation).unwrap().scale();
    assert_eq!((mean(SubstituteOne), mean(AddRemoveOne)), (31_294_807.0, 17_494_329.0));
}

#[test]
fn every_block_gets_its_own_scale_and_together_they_meet_the_joint_mu() {
    for relation in RELATIONS {
        for share in [0.01, 0.3, 2.0] {
            let privacy = GaussianPrivacy::new(share).unwrap();
            let noise = Noise::gaussian(privacy, &TwoBlocks, relation).unwrap();
            let blocks = normals(&noise);
            let scales: Vec<f64> = blocks.iter().map(|block| block.normal.scale() as f64).collect();
            let bound = TwoBlocks.l2_bound(relation);
            for (scale, unit) in scales.iter().zip([1.0, TwoBlocks::UNIT]) {
                assert!(*scale >= unit * bound / share && *scale <= unit * bound / share + 2.0);
            }
            assert_eq!(blocks.iter().map(|block| block.length).sum::<usize>(), TwoBlocks.noisy_dimension(relation));
            // however a difference is split between the blocks, its length in standard deviations is at most mu
            for split in 0..=100 {
                let part = f64::from(split) / 100.0;
                let (first, second) = (part * bound, (1.0 - part * part).sqrt() * bound * TwoBlocks::UNIT);
                assert!((first / scales[0]).hypot(second / scales[1]) <= share * (1.0 + 1e-15));
            }
            assert!(noise.privacy(&TwoBlocks, relation).unwrap().mu() <= share);
        }
    }
}

#[test]
fn each_block_is_drawn_with_its_own_scale() {
    let noise = Noise::gaussian(GaussianPrivacy::new(0.3).unwrap(), &TwoBlocks, AddRemoveOne).unwrap();
    let mut randomness = seed(8);
    let draws = 100_000_u32;
    let mut squares = [0.0; 6];
    for _ in 0..draws {
        let mut draw = [0_i64; 6];
        noise.add_to(&mut draw, &mut randomness);
        squares.iter_mut().zip(draw).for_each(|(sum, x)| *sum += (x as f64).powi(2) / f64::from(draws));
    }
    for (index, found) in squares.into_iter().enumerate() {
        let stated = noise.variance(usize::from(index >= 2));
        // 5.5 standard errors of a variance
        assert!((found / stated - 1.0).abs() < 5.5 * (2.0 / f64::from(draws)).sqrt(), "{index}: {found} {stated}");
    }
}

#[test]
fn a_law_with_one_scale_covers_the_block_with_the_largest_unit() {
    for relation in RELATIONS {
        // the worst pair differs in the second block alone: 2 * 100 * UNIT, or with the count
        let farthest =
            if relation == SubstituteOne { 200.0 * TwoBlocks::UNIT } else { (100.0 * TwoBlocks::UNIT).hypot(100.0) };
        assert!(plain_l2_bound(&TwoBlocks, relation) >= farthest);
        let dimension = TwoBlocks.noisy_dimension(relation);
        let law = SphericalLaw::KNorm(KNorm::new(dimension).unwrap());
        let needed = SphericalNoise::calibrated(law, farthest, 1.0).unwrap().scale();
        let found = Noise::calibrated(&Law::KNorm {}, &budget(1.0, 0.0), &TwoBlocks, relation).unwrap();
        assert!(found.scale() >= needed, "{relation}");
        let privacy = MixedGaussianPrivacy::calibrated(mixing(), &budget(1.0, 1e-5)).unwrap();
        let law = Law::RandomScale { mixing: mixing() };
        let found = Noise::calibrated(&law, &budget(1.0, 1e-5), &TwoBlocks, relation).unwrap();
        assert!(found.scale() >= privacy.scale(farthest).unwrap(), "{relation}");
    }
}

#[test]
fn noise_of_another_dimension_drowns_the_data() {
    for (law, budget) in laws() {
        let noise = Noise::calibrated(&law, &budget, &ball(3), SubstituteOne).unwrap();
        for coordinates in [2_usize, 4] {
            let noisy = |value: f64| {
                let (mut sum, mut record) = (ExactSum::new(ball(coordinates)), ball(coordinates).vector());
                record.encode(&vec![value; coordinates]).unwrap();
                sum.add(&record).unwrap();
                sum.perturb(&noise, SubstituteOne, &mut seed(1))
            };
            // independent noise of one scale is the same for any number of coordinates
            if matches!(noise, Noise::Gaussian(_) | Noise::Spherical(_)) {
                assert_eq!(noisy(0.1), noisy(-0.5));
                assert_eq!(noisy(0.1).coordinates, vec![i64::MAX; coordinates]);
            } else {
                assert_ne!(noisy(0.1), noisy(-0.5));
            }
        }
        // and it is none for a sum with as many coordinates and the count
        assert!(
            !matches!(noise, Noise::Gaussian(_) | Noise::Spherical(_))
                || !noise.meets(&budget, &ball(4), SubstituteOne)
        );
        assert!(!noise.meets(&budget, &TwoBlocks, AddRemoveOne) || !matches!(noise, Noise::Gaussian(_)));
    }
}

#[test]
fn every_coordinate_has_a_draw_of_its_own() {
    for (law, budget) in laws() {
        let noise = Noise::calibrated(&law, &budget, &ball(100), SubstituteOne).unwrap();
        let mut exact = [0_i64; 100];
        noise.add_to(&mut exact, &mut seed(0));
        exact.sort_unstable();
        // with scales of millions of steps, two of a hundred are equal in fewer than one case of a hundred
        assert!(exact.windows(2).all(|pair| pair[0] < pair[1]), "{law:?}");
    }
}

#[test]
fn a_random_scale_is_drawn_first_and_once() {
    let law = Law::RandomScale { mixing: mixing() };
    let noise = Noise::calibrated(&law, &budget(1.0, 1e-5), &ball(3), SubstituteOne).unwrap();
    assert!(noise.drawn().is_none() && !noise.is_settled());
    let mut scales = Vec::new();
    for number in 0..40 {
        let mut apart = seed(number);
        let realised = noise.realised(&mut apart);
        // V takes one word, and nothing more is drawn for what is drawn already
        let mut one_word = seed(number);
        one_word.next_u64();
        let (next, after) = (realised.realised(&mut apart), one_word.next_u64());
        assert_eq!(next, realised);
        assert_eq!(apart.next_u64(), after);
        // together or apart, and given back
        let mut rest = seed(number);
        rest.next_u64();
        let (mut at_once, mut in_steps, mut again) = ([7_i64; 3], [7_i64; 3], [7_i64; 3]);
        noise.add_to(&mut at_once, &mut seed(number));
        realised.add_to(&mut in_steps, &mut rest);
        let given_back = noise.with_drawn(realised.drawn().unwrap()).unwrap();
        let mut rest = seed(number);
        rest.next_u64();
        given_back.add_to(&mut again, &mut rest);
        assert!(at_once == in_steps && at_once == again && given_back == realised && realised.is_settled());
        assert_eq!(realised.scale(), realised.drawn().unwrap().scale() as f64);
        scales.push(realised.drawn().unwrap().scale());
    }
    scales.sort_unstable();
    scales.dedup();
    // sigma V with V one half or eight
    assert_eq!(scales, [0.5, 8.0].map(|v| RoundedNormal::at_least((noise.scale() * v).next_up()).unwrap().scale()));
}

#[test]
fn only_a_random_scale_can_be_given_back() {
    let normal = RoundedNormal::new(5).unwrap();
    for (law, budget) in laws() {
        let noise = Noise::calibrated(&law, &budget, &ball(3), SubstituteOne).unwrap();
        let is_random = matches!(law, Law::RandomScale { .. });
        assert_eq!((noise.with_drawn(normal).is_some(), noise.is_settled()), (is_random, !is_random));
        let (mut unused, mut untouched) = (seed(1), seed(1));
        assert_eq!(noise.realised(&mut unused) == noise, !is_random);
        assert_eq!(unused.next_u64() == untouched.next_u64(), !is_random);
    }
}

#[test]
fn two_noises_agree_up_to_rounding_and_no_further() {
    let calibrated: Vec<Noise> =
        laws().iter().map(|(law, budget)| Noise::calibrated(law, budget, &ball(3), SubstituteOne).unwrap()).collect();
    for (i, mine) in calibrated.iter().enumerate() {
        for (j, theirs) in calibrated.iter().enumerate() {
            assert_eq!(
                mine.agrees(theirs),
                i == j,
                "tight and classical noise, too, are different: {mine:?} {theirs:?}"
            );
        }
        // what another machine may round otherwise
        assert!(less(mine).iter().all(|less| mine.agrees(less) || matches!(mine, Noise::RandomScale(_))));
        let of_more = |law: &Law, budget| Noise::calibrated(law, budget, &ball(4), SubstituteOne).unwrap();
        let (law, budget) = &laws()[i];
        let same_in_every_dimension = matches!(law, Law::RandomScale { .. });
        assert_eq!(mine.agrees(&of_more(law, budget)), same_in_every_dimension, "{law:?}");
        let other = PrivacyBudget::new(budget.epsilon() * 0.999, budget.delta()).unwrap();
        assert!(!mine.agrees(&Noise::calibrated(law, &other, &ball(3), SubstituteOne).unwrap()), "{law:?}");
    }
    // a random scale that was drawn has the law that it was drawn from
    let random = &calibrated[5];
    assert!(random.agrees(&random.realised(&mut seed(0))));
    let other = Law::RandomScale { mixing: MixingLaw::finite(&[(0.5, 0.4), (8.0, 0.6)]).unwrap() };
    let other = Noise::calibrated(&other, &budget(1.0, 1e-5), &ball(3), SubstituteOne).unwrap();
    assert!(!random.agrees(&other));
}

#[test]
fn budgets_that_no_scale_meets_are_refused() {
    let calibrated = |law: &Law, budget: &PrivacyBudget| Noise::calibrated(law, budget, &ball(3), SubstituteOne);
    for law in [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 5.0 }] {
        let refused = calibrated(&law, &budget(1.0, 1e-6));
        assert_eq!(refused, Err(NoiseError::DeltaUnused { delta: 1e-6 }));
        assert!(calibrated(&law, &budget(0.0, 0.0)).is_err());
    }
    assert!(matches!(calibrated(&Law::GAUSSIAN, &budget(1.0, 0.0)), Err(NoiseError::Gaussian(_))));
    let law = Law::RandomScale { mixing: mixing() };
    assert!(matches!(calibrated(&law, &budget(1.0, 0.0)), Err(NoiseError::Mixing(_))));
    let law = Law::StudentT { degrees_of_freedom: 0.0 };
    assert!(matches!(calibrated(&law, &budget(1.0, 0.0)), Err(NoiseError::Elliptical(_))));
    let hopeless = GaussianPrivacy::new(1e-12).unwrap();
    let refused = Noise::gaussian(hopeless, &ball(3), SubstituteOne);
    assert_eq!(refused, Err(NoiseError::Scale(NoiseScaleError::TooLarge)));
    // nearly every V would do
    let law = Law::RandomScale { mixing: MixingLaw::student_t(5.0).unwrap() };
    assert_eq!(calibrated(&law, &budget(1e-6, 1e-9)), Err(NoiseError::Scale(NoiseScaleError::TooLarge)));
}
