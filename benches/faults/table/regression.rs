//! Regressions on private and public covariates.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "gram-one-record",
        says: "the noise of a regression is that of one record, not of two",
        file: "crates/privacy/src/body/gram_ball.rs",
        old: "(SubstituteOne, _) => 2.0,",
        new: "(SubstituteOne, _) => 1.0,",
        tests: &[
            "no_body_is_left_by_its_records_and_every_bound_is_attained",
            "units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more",
        ],
    },
    Fault {
        id: "gram-squares-too-quiet",
        says: "squares have the noise of products, which stand twice in the matrix",
        file: "crates/privacy/src/body/gram_ball.rs",
        old: "let units = [square, product, product, square, product];",
        new: "let units = [product, product, product, product, product];",
        tests: &["units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more"],
    },
    Fault {
        id: "gram-private-as-public",
        says: "under add/remove private covariates have the noise of public ones",
        file: "crates/privacy/src/body/gram_ball.rs",
        old: "(AddRemoveOne, Design::Private) => root(2.0),",
        new: "(AddRemoveOne, Design::Private) => root(1.5),",
        tests: &["no_body_is_left_by_its_records_and_every_bound_is_attained"],
    },
    Fault {
        id: "public-covariates-under-add-remove",
        says: "covariates of the file are told under add/remove, where they tell who is in it",
        file: "crates/release/src/private_regression.rs",
        old: "if self.neighbours == NeighbouringRelation::AddRemoveOne { return Err(RegressionError::PublicUnderAddRemove); }",
        new: "",
        tests: &["what_cannot_be_is_refused_before_anything_is_drawn"],
    },
    Fault {
        id: "covariate-beyond-its-range",
        says: "a covariate outside its range counts with all its weight",
        file: "crates/release/src/covariate.rs",
        old: "((value - column.middle) / column.half).clamp(-1.0, 1.0)",
        new: "((value - column.middle) / column.half)",
        tests: &["missing_unknown_and_far_covariates_count_within_the_range"],
    },
    Fault {
        id: "weak-design-estimated",
        says: "coefficients are shown of a design that the noise hides",
        file: "crates/analysis/src/estimated/regression.rs",
        old: "if !(smallest > needed && *records > p + 1.0) {",
        new: "if !(smallest > 0.0 && *records > p + 1.0) {",
        tests: &["a_design_that_the_noise_hides_is_refused_with_the_number_that_would_do"],
    },
];
