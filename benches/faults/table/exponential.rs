//! Mechanisms for densities that draw.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "mixture-one-record-off",
        says: "the mixture of a smoothed histogram is chosen for one record more than there are",
        file: "crates/density/src/smoothed.rs",
        old: "(exactly(records) * exactly(mixture))",
        new: "(exactly(records + 1) * exactly(mixture))",
        tests: &[
            "the_smallest_mixture_meets_the_condition_and_one_step_less_does_not",
            "the_loss_is_attained_by_the_worst_neighbours",
            "the_power_of_the_best_test_between_neighbours_never_exceeds_its_level_times_e_to_the_alpha",
        ],
    },
    Fault {
        id: "mixture-rounded-down",
        says: "a mixture is rounded down to the grid",
        file: "crates/density/src/smoothed.rs",
        old: "(mixture * UNIT as f64).ceil() as u64",
        new: "(mixture * UNIT as f64).floor() as u64",
        tests: &["a_mixture_is_rounded_up_so_that_it_is_never_too_small"],
    },
    Fault {
        id: "draws-file-claims-more",
        says: "a file of draws may claim more privacy than its mixture gives",
        file: "crates/density/src/cell_draws/document.rs",
        old: "loss.is_some_and(|loss| loss <= self.epsilon)",
        new: "loss.is_some_and(|loss| loss >= 0.0)",
        tests: &["edited_releases_are_refused"],
    },
    Fault {
        id: "exponential-epsilon-for-half",
        says: "the exponential mechanism uses epsilon where it must use epsilon / 2",
        file: "crates/density/src/exponential/sampler.rs",
        old: "integer(2 * self.staircase.draws() as u64)",
        new: "integer(self.staircase.draws() as u64)",
        tests: &["draws_have_the_enumerated_law_of_the_exponential_mechanism"],
    },
    Fault {
        id: "staircase-sensitivity",
        says: "the score of the exponential mechanism adds up distances that one record moves together",
        file: "crates/density/src/exponential/staircase.rs",
        old: "self.deciding.iter().map(at).max().unwrap_or(0)",
        new: "self.deciding.iter().map(at).sum()",
        tests: &["distances_are_those_of_the_definition"],
    },
    Fault {
        id: "weights-rounded-down",
        says: "weights of proposals are rounded down, so that some draws are a little too rare",
        file: "crates/density/src/exponential/upward.rs",
        old: "(value >> shift) + u128::from(value & ((1 << shift) - 1) > 0)",
        new: "value >> shift",
        tests: &["digits_that_are_dropped_are_rounded_up"],
    },
    Fault {
        id: "draws-records-told",
        says: "the exact N is told with the draws under add/remove",
        file: "crates/density/src/exponential.rs",
        old: "is_public.then_some(points.records() as u64)",
        new: "Some(points.records() as u64)",
        tests: &["a_release_tells_the_number_of_records_under_substitute_alone"],
    },
    Fault {
        id: "series-exponential-add-remove",
        says: "the exponential mechanism on series takes the sensitivity of add/remove for that of substitution",
        file: "crates/density/src/series_exponential.rs",
        old: "l2_steps(basis, NeighbouringRelation::SubstituteOne)",
        new: "l2_steps(basis, NeighbouringRelation::AddRemoveOne)",
        tests: &["draws_have_the_enumerated_probabilities_and_ten_percent_of_epsilon_are_seen"],
    },
];
