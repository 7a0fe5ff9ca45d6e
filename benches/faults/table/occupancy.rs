//! Rows of subjects who are seen at times of their own: what bounds a record, and what is a record.

use super::Fault;

/// The tests, as the fault that each catches is likely to be made.
const BODY: &[&str] = &["no_body_is_left_by_its_records_and_every_bound_is_attained"];
const FORMULA: &[&str] = &["the_bound_is_that_of_the_notes_rounded_up_and_hardly_more"];
const RESTORED: &[&str] = &["totals_come_back_from_a_part_and_impossible_ones_do_not"];
const ROWS: &[&str] = &["what_is_no_row_changes_nothing_and_repeated_times_are_averaged"];

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "occupancy-value-unclipped",
        says: "a value may be larger than its weight allows",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "*value += (*k).clamp(-largest, largest);",
        new: "let _ = largest; *value += *k;",
        tests: &[
            "no_body_is_left_by_its_records_and_every_bound_is_attained",
            "no_value_is_larger_than_its_weight_allows_to_the_last_step",
        ],
    },
    Fault {
        id: "occupancy-weights-too-long",
        says: "weights are as long as the radius, and not half of it",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "let size = doubled.max(&0) / 2;",
        new: "let size = *doubled.max(&0);",
        tests: BODY,
    },
    Fault {
        id: "occupancy-weights-below-zero",
        says: "a weight may be negative",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "let size = doubled.max(&0) / 2;",
        new: "let size = doubled / 2;",
        tests: BODY,
    },
    Fault {
        id: "occupancy-largest-rounded-up",
        says: "the bound on a weighted value is rounded up",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "self.bound * weight / LONGEST",
        new: "(self.bound * weight + LONGEST - 1) / LONGEST",
        tests: &["no_value_is_larger_than_its_weight_allows_to_the_last_step"],
    },
    Fault {
        id: "occupancy-weights-for-nothing",
        says: "the noise under substitute-one is that of the values alone",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "4 * RADIUS * RADIUS + 2 * LONGEST * LONGEST - self.shared()",
        new: "4 * RADIUS * RADIUS",
        tests: FORMULA,
    },
    Fault {
        id: "occupancy-added-weights-for-nothing",
        says: "the noise under add/remove-one is that of the values alone",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "AddRemoveOne => RADIUS * RADIUS + LONGEST * LONGEST,",
        new: "AddRemoveOne => RADIUS * RADIUS,",
        tests: FORMULA,
    },
    Fault {
        id: "occupancy-restored-weights-too-long",
        says: "a part passes whose weights are longer than those of its records together",
        file: "crates/privacy/src/body/weighted_ball.rs",
        old: "&& is_within(wide(weights).into_iter(), LONGEST, records);",
        new: ";",
        tests: RESTORED,
    },
    Fault {
        id: "occupancy-row-unclipped",
        says: "a value beyond the bound pulls the mean of its bin with all of its size",
        file: "crates/release/src/occupancy.rs",
        old: "((self.ball.clamp(value) - center) / self.bound).clamp(-1.0, 1.0)",
        new: "(self.ball.clamp(value) - center) / self.bound",
        tests: &["one_far_value_among_several_of_a_bin_counts_as_one_at_the_bound"],
    },
    Fault {
        id: "occupancy-row-outside-counted",
        says: "a row outside the domain counts in the last bin",
        file: "crates/release/src/occupancy.rs",
        old: "if !(lower..=upper).contains(&time) || !value.is_finite() {",
        new: "if !(lower..).contains(&time) || !value.is_finite() {",
        tests: ROWS,
    },
    Fault {
        id: "occupancy-weights-sum-to-one",
        says: "a subject seen in many bins weighs as little as one seen once",
        file: "crates/release/src/occupancy.rs",
        old: "let weight = 1.0 / (record.occupied() as f64).sqrt();",
        new: "let weight = 1.0 / record.occupied() as f64;",
        tests: &["records_are_encoded_as_by_exact_rational_arithmetic"],
    },
    Fault {
        id: "occupancy-norm-not-shortened",
        says: "values longer than the radius are cut off by bin, and not shortened together",
        file: "crates/release/src/occupancy.rs",
        old: "if norm > 1.0 { for v in values.iter_mut() { *v /= norm; } }",
        new: "if norm > 1.0 { for v in values.iter_mut() { *v = v.clamp(-1.0 / norm, 1.0 / norm); } }",
        tests: &["values_that_are_too_long_are_shortened_and_keep_their_shape"],
    },
    Fault {
        id: "occupancy-subject-without-rows-forgotten",
        says: "a subject without a row in the domain is no record, and the public number of records depends on values",
        file: "crates/release/src/long_rows.rs",
        old: "add(self.subjects.entry(subject.to_owned()).or_default());",
        new: "if placed.is_some() { add(self.subjects.entry(subject.to_owned()).or_default()); }",
        tests: &["every_subject_is_a_record_whatever_its_rows_hold"],
    },
    Fault {
        id: "occupancy-bought-bound-stated",
        says: "in a bought ball the mean of a bin is clipped at the stated bound",
        file: "crates/release/src/occupancy.rs",
        old: "(mean * scale).clamp(-most, most)",
        new: "(mean * scale).clamp(-1e9 * most, 1e9 * most)",
        tests: &["the_mean_of_a_bin_is_clipped_at_as_many_bought_radii_as_a_row_at_stated_ones"],
    },
    Fault {
        id: "occupancy-few-counts-trusted",
        says: "a radius is bought from so few subjects that the noise of the counts hides them",
        file: "crates/release/src/planned_occupancy.rs",
        old: "Some(least) if found < least =>",
        new: "Some(least) if found < least.min(2) =>",
        tests: &["a_radius_of_rows_is_not_bought_from_counts_that_the_noise_would_hide"],
    },
    Fault {
        id: "occupancy-part-without-tags",
        says: "the subjects of a part of a long table are not tagged, and nobody can see who is in two parts",
        file: "crates/release/src/long_rows.rs",
        old: "Some(key) => partial.add_of(key, subject, sums)?,",
        new: "Some(_) => partial.add(sums)?,",
        tests: &["parts_of_a_long_table_have_the_bits_of_the_whole"],
    },
    Fault {
        id: "occupancy-part-bound-of-smaller-ball",
        says: "in a part the mean of a bin is clipped at the stated bound, whatever radius is bought",
        file: "crates/release/src/nested_sums.rs",
        old: "stated.in_ball(smaller, Some(Bought::of(ball.clone(), shares))).ok()",
        new: "stated.in_ball(smaller, None).ok()",
        tests: &["parts_of_a_long_table_have_the_bits_of_the_whole"],
    },
    Fault {
        id: "occupancy-supported-unchecked",
        says: "a document passes that calls a bin well supported that is not",
        file: "crates/release/src/occupancy_release.rs",
        old: ".all(|((told, is), weight)| told == is || at_edge(*weight))",
        new: ".all(|((told, is), weight)| told == is || at_edge(*weight) || *told)",
        tests: &["a_release_reads_back_and_damaged_ones_do_not"],
    },
];
