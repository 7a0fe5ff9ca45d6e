//! Groups in one release, and what is read off second moments.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "groups-without-end",
        says: "a record counts in all of its groups, however many the noise is meant for",
        file: "crates/privacy/src/body/grouped_ball.rs",
        old: "for (group, part) in known.take(self.most()) {",
        new: "for (group, part) in known.take(usize::MAX) {",
        tests: &[
            "a_record_counts_in_no_more_groups_than_it_may",
            "no_body_is_left_by_its_records_and_every_bound_is_attained",
        ],
    },
    Fault {
        id: "groups-of-one-record",
        says: "the noise is that of records in one group, whatever was asked for",
        file: "crates/privacy/src/body/grouped_ball.rs",
        old: "let groups = root_of_groups(self.most());",
        new: "let groups = root_of_groups(1);",
        tests: &["no_body_is_left_by_its_records_and_every_bound_is_attained"],
    },
    Fault {
        id: "group-sizes-too-quiet",
        says: "private sizes have the noise that they may have without second moments",
        file: "crates/privacy/src/body/grouped_ball.rs",
        old: "(SubstituteOne, Some(_)) => root(2.0),",
        new: "(SubstituteOne, Some(_)) => 1.0,",
        tests: &["units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more"],
    },
    Fault {
        id: "group-counted-twice",
        says: "a group that a record names twice has the record twice",
        file: "crates/privacy/src/body/grouped_ball.rs",
        old: "self.groups.iter().position(|known| *known == group).unwrap_or(self.groups.len())",
        new: "self.groups.iter().position(|known| *known == group && group > 99).unwrap_or(self.groups.len())",
        tests: &["a_record_counts_in_no_more_groups_than_it_may"],
    },
    Fault {
        id: "unlisted-label-counted",
        says: "a label that nobody listed counts in the first group",
        file: "crates/release/src/private_groups.rs",
        old: "names.iter().position(|name| Some(name.as_str()) == label)",
        new: "names.iter().position(|name| Some(name.as_str()) == label).or(Some(0))",
        tests: &["a_label_that_is_not_listed_counts_nowhere_and_is_told_nowhere"],
    },
    Fault {
        id: "public-labels-under-add-remove",
        says: "the labels of the file are told under add/remove, where they tell who is in it",
        file: "crates/release/src/private_groups.rs",
        old: "if self.neighbours == NeighbouringRelation::AddRemoveOne { return Err(GroupsError::PublicUnderAddRemove); }",
        new: "",
        tests: &["under_add_remove_no_refusal_depends_on_who_is_in_the_file"],
    },
    Fault {
        id: "subject-in-two-public-groups",
        says: "a subject counts in the public group of its first row, though its labels say two",
        file: "crates/release/src/private_groups.rs",
        old: "rows.iter().any(|row| of_rows[*row] != of_rows[rows[0]])",
        new: "rows.is_empty()",
        tests: &["what_is_refused_is_refused_by_public_numbers_and_shows_no_label"],
    },
    Fault {
        id: "tiny-group-estimated",
        says: "the mean of a group is shown though the noise hides its size",
        file: "crates/analysis/src/estimated/groups.rs",
        old: "if !observation.count_is_trusted() {",
        new: "if observation.records < 0.0 {",
        tests: &["a_group_of_which_the_noise_hides_the_size_has_no_estimate"],
    },
    Fault {
        id: "components-of-noise",
        says: "a component is found wherever the smoothed covariance is positive",
        file: "crates/analysis/src/components/noisy.rs",
        old: "Ok(quantile(&mut largest, SHARE))",
        new: "Ok(quantile(&mut largest, 0.0) * 1e-3)",
        tests: &["identical_curves_have_rank_zero_and_no_share_and_no_synthetic_curves"],
    },
    Fault {
        id: "components-without-the-noise-of-the-mean",
        says: "the noise that the mean brings into the covariance is left out of its standard deviations",
        file: "crates/analysis/src/components/noisy.rs",
        old: "0.5 * self.sd.powi(2) + self.mean_sd.powi(4)",
        new: "0.5 * self.sd.powi(2)",
        tests: &["variances_of_the_noise_are_those_of_its_draws"],
    },
];
