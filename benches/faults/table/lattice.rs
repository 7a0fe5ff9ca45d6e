//! Integers: what is encoded, summed and perturbed.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "norm-check-skipped",
        says: "the norm of a record is not checked in integers after rounding",
        file: "crates/privacy/src/lattice.rs",
        old: "if squared_norm > SQUARED_RADIUS {",
        new: "if squared_norm == u64::MAX {",
        tests: &["whatever_is_encoded_lies_within_the_radius"],
    },
    Fault {
        id: "nan-not-clamped",
        says: "a coordinate that is no number is rounded as it is",
        file: "crates/privacy/src/lattice.rs",
        old: r"let below = if scaled < LIMIT { scaled } else { LIMIT };
        let clamped = if below > -LIMIT { below } else { -LIMIT };",
        new: r"let below = if scaled > LIMIT { LIMIT } else { scaled };
        let clamped = if below < -LIMIT { -LIMIT } else { below };",
        tests: &["whatever_is_encoded_lies_within_the_radius"],
    },
    Fault {
        id: "huge-not-clamped",
        says: "a huge coordinate is not clamped before it is rounded",
        file: "crates/privacy/src/lattice.rs",
        old: "let shifted = clamped + SHIFT;",
        new: "let shifted = clamped - clamped + scaled + SHIFT;",
        tests: &["whatever_is_encoded_lies_within_the_radius"],
    },
    Fault {
        id: "substitute-sensitivity-halved",
        says: "substitution is treated as removal: the sensitivity is one radius and not two",
        file: "crates/privacy/src/lattice.rs",
        old: "Self::SubstituteOne => 2.0 * RADIUS as f64,",
        new: "Self::SubstituteOne => RADIUS as f64,",
        tests: &["opposite_points_attain_the_substitution_sensitivity_and_nothing_exceeds_it"],
    },
    Fault {
        id: "add-remove-as-substitute",
        says: "add/remove is treated like substitution, whose count is public: the count costs nothing",
        file: "crates/privacy/src/lattice.rs",
        old: "let squared = RADIUS * RADIUS + COUNT_WEIGHT * COUNT_WEIGHT;",
        new: "let squared = RADIUS * RADIUS;",
        tests: &["the_add_remove_sensitivity_covers_the_sum_and_the_count_together"],
    },
    Fault {
        id: "l2-for-l1",
        says: "Laplace noise on several coordinates is calibrated with the Euclidean sensitivity",
        file: "crates/privacy/src/lattice.rs",
        old: "(dimension.min(MAX_DIMENSION) as u64 * SQUARED_RADIUS)",
        new: "(dimension.min(1) as u64 * SQUARED_RADIUS)",
        tests: &["the_l1_sensitivity_is_attained_to_the_rounding_and_never_passed"],
    },
    Fault {
        id: "count-unperturbed",
        says: "the count coordinate keeps its exact value: N is read off the release",
        file: "crates/privacy/src/exact_sum.rs",
        old: "let count = exact.get(dimension).copied();",
        new: r"let count = exact
            .get(dimension)
            .map(|_| B::Word::from_i64(self.records.cast_signed() * self.body.count_weight().unwrap_or(1)));",
        tests: &["the_number_of_records_is_private_under_add_remove"],
    },
    Fault {
        id: "count-decoded-one-bit-off",
        says: "the noisy count is decoded one bit off",
        file: "crates/mechanism/src/release.rs",
        old: "(count.to_f64() / weight as f64).max(1.0)",
        new: "(count.to_f64() / (2 * weight) as f64).max(1.0)",
        tests: &["under_add_remove_the_stated_noise_includes_the_counts"],
    },
    Fault {
        id: "records-unlimited",
        says: "more records are summed than the integers are proved to hold",
        file: "crates/privacy/src/exact_sum.rs",
        old: "if records > MAX_RECORDS {",
        new: "if records == u64::MAX {",
        tests: &["the_largest_sum_that_is_allowed_does_not_overflow"],
    },
    Fault {
        id: "noise-wraps-around",
        says: "a sum with noise beyond 64 bits wraps around instead of stopping at the end",
        file: "crates/privacy/src/word.rs",
        old: "Self::try_from(noisy).unwrap_or(if noisy > 0 { Self::MAX } else { Self::MIN })",
        new: "noisy as Self",
        tests: &["a_sum_beyond_the_word_stops_at_the_end_and_does_not_come_back_from_the_other"],
    },
    Fault {
        id: "mean-for-n-minus-1",
        says: "the mean of a subject's n curves is divided by n - 1",
        file: "crates/privacy/src/lattice.rs",
        old: "let count = self.vectors.max(1).cast_signed();",
        new: "let count = self.vectors.saturating_sub(1).max(1).cast_signed();",
        tests: &["the_mean_of_vectors_is_within_the_radius_and_a_step_or_two"],
    },
    Fault {
        id: "sum-printed",
        says: "a debug print of an exact sum shows it",
        file: "crates/privacy/src/exact_sum.rs",
        old: r#"f.write_str("ExactSum(..)")"#,
        new: r#"write!(f, "{:?}", self.totals)"#,
        tests: &["printing_a_sum_or_a_vector_shows_nothing_of_it"],
    },
    Fault {
        id: "doubles-off-by-one-bit",
        says: "doubles are decoded one bit off where decisions are exact",
        file: "crates/privacy/src/exact_sampling.rs",
        old: "exponent - 1075",
        new: "exponent - 1074",
        tests: &["doubles_are_decoded_exactly"],
    },
];
