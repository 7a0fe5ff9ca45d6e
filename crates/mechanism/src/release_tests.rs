#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Law, SeededRandomness, SystemRandomness};

use super::Release;
use crate::statistic::Statistic;
use crate::toy::{Vectors, counts, vectors};

const RECORDS: [[f64; 2]; 200] = [[0.5, 0.1]; 200];

fn released(neighbours: dpfda_privacy::NeighbouringRelation, law: Law) -> Release<Vectors> {
    vectors(neighbours, law).prepare_all(&RECORDS).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(2))
}

fn text<S: Statistic>(release: &Release<S>, name: &str) -> Option<String> {
    release.facts().into_iter().find(|fact| fact.name == name).map(|fact| fact.text.replace('\u{a0}', " "))
}

fn names<S: Statistic>(release: &Release<S>) -> Vec<&'static str> {
    release.facts().iter().map(|fact| fact.name).collect()
}

#[test]
fn the_facts_say_what_is_promised_for_whom_and_of_how_many() {
    let public = released(SubstituteOne, Law::GAUSSIAN);
    assert_eq!(
        text(&public, "privacy").unwrap(),
        "(epsilon, delta) = (1, 1e-5) differential privacy, mu = 0.2681; neighbouring data sets differ in one \
         substituted curve"
    );
    assert_eq!(
        text(&public, "unit").unwrap(),
        "curve; every row of the file is a record of its own; N = 200 curves, which is public"
    );
    let private = released(AddRemoveOne, Law::GAUSSIAN);
    assert!(text(&private, "privacy").unwrap().ends_with("differ in one added or removed curve"));
    let unit = text(&private, "unit").unwrap();
    assert!(unit.contains("a noisy estimate of N is ") && unit.ends_with("N itself is private"), "{unit}");
    assert!(!unit.contains("200 "), "the exact number is in no fact: {unit}");
    // cells count themselves: their sum is an estimate of N, and no noisy count is drawn
    let counts = counts(AddRemoveOne).prepare_all([0, 1]).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(2));
    assert_eq!(text(&counts, "unit").unwrap(), "subject; all data of a person together are one record; N is private");
    assert_eq!(names(&counts), ["privacy", "unit", "bound", "NOTE"]);
}

#[test]
fn seeds_and_floating_point_are_noted_and_nothing_else_is() {
    assert_eq!(names(&released(SubstituteOne, Law::GAUSSIAN)), ["privacy", "unit", "NOTE"]);
    let student_t = Law::StudentT { degrees_of_freedom: 5.0 };
    assert_eq!(names(&released(SubstituteOne, student_t)), ["privacy", "unit", "arithmetic", "NOTE"]);
    assert_eq!(names(&released(SubstituteOne, Law::KNorm {})), ["privacy", "unit", "NOTE"]);
    let secret = vectors(SubstituteOne, Law::GAUSSIAN).prepare_all(&RECORDS).unwrap();
    let secret = secret.draw_unrecorded(&mut SystemRandomness::new().unwrap());
    assert_eq!(names(&secret), ["privacy", "unit"]);
    assert!(
        !text(&released(SubstituteOne, Law::KNorm {}), "privacy").unwrap().contains("mu"),
        "only normal noise has one"
    );
}

#[test]
fn captions_are_plain_text() {
    for neighbours in [SubstituteOne, AddRemoveOne] {
        let facts = released(neighbours, Law::GAUSSIAN).facts();
        let captions: Vec<&String> = facts.iter().flat_map(|fact| &fact.caption).collect();
        assert!(captions.len() >= 3 && captions.iter().all(|caption| !caption.contains('\u{a0}')), "{captions:?}");
        assert_eq!(captions[0], "(epsilon, delta) = (1, 1e-5)");
    }
}

#[test]
fn the_number_of_records_is_exact_where_it_is_public_and_noisy_where_it_is_private() {
    let public = released(SubstituteOne, Law::GAUSSIAN);
    assert_eq!((public.units(), public.units_sd(), public.count()), (200.0, 0.0, None));
    for law in [Law::GAUSSIAN, Law::DiscreteLaplace {}, Law::KNorm {}] {
        let private = released(AddRemoveOne, law);
        assert_eq!(private.public_records(), None);
        assert!(private.units() != 200.0 && (private.units() - 200.0).abs() < 6.0 * private.units_sd());
        assert_eq!(private.words().count(), 3);
    }
    // never below the least number of records that a mean can be of
    let none = vectors(AddRemoveOne, Law::GAUSSIAN).prepare_all(&[[0.0; 2]; 0]).unwrap();
    assert!(none.draw_unrecorded(&mut SeededRandomness::from_seed(3)).units() >= 1.0);
}
