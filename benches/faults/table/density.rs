//! Histograms, points and series.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "histogram-sensitivity-1",
        says: "a histogram's sensitivity under substitution is 1 for 2",
        file: "crates/privacy/src/body/one_hot.rs",
        old: "NeighbouringRelation::SubstituteOne => 2,",
        new: "NeighbouringRelation::SubstituteOne => 1,",
        tests: &["sensitivities_are_attained_by_a_pair_and_never_exceeded"],
    },
    Fault {
        id: "histogram-root-2-dropped",
        says: "normal noise on a histogram forgets that two cells move",
        file: "crates/privacy/src/body/one_hot.rs",
        old: "let steps = self.steps as f64;",
        new: r"let root = if relation == NeighbouringRelation::SubstituteOne { 2.0_f64.sqrt() } else { 1.0 };
        let steps = self.steps as f64 / root;",
        tests: &[
            "sensitivities_are_attained_by_a_pair_and_never_exceeded",
            "normal_noise_has_the_tight_scale_rounded_up_to_a_step",
        ],
    },
    Fault {
        id: "cells-from-private-n",
        says: "the number of cells is computed from N where N is private",
        file: "crates/density/src/histogram.rs",
        old: r"if neighbours == NeighbouringRelation::AddRemoveOne {
        return Err(HistogramError::PrivateCount);
    }",
        new: "let _ = neighbours;",
        tests: &["cells_of_the_rate_need_a_public_number_of_records"],
    },
    Fault {
        id: "outside-points-dropped",
        says: "points outside the bounds are dropped from the counts instead of clamped",
        file: "crates/density/src/counts.rs",
        old: "for row in points.rows() {",
        new: r"let within = |row: &&[f64]| {
            let axes = cells.bounds().axes();
            row.iter().zip(axes).all(|(x, (low, high))| (low..=high).contains(&x))
        };
        for row in points.rows().filter(within) {",
        tests: &["no_point_is_dropped_wherever_it_lies"],
    },
    Fault {
        id: "missing-points-dropped",
        says: "a line without a value is no record, so that N tells whether there is one",
        file: "crates/density/src/points/reader.rs",
        old: "each(row, &[], &values)?; continue;",
        new: "row -= 1; continue;",
        tests: &["every_line_is_a_record_so_that_a_missing_value_does_not_change_their_number"],
    },
    Fault {
        id: "points-error-quotes-a-cell",
        says: "an error text quotes the cell that is no number",
        file: "crates/density/src/points/reader.rs",
        old: "PointsCsvError::NotANumber { row, column: name.clone() }",
        new: r#"PointsCsvError::NotANumber { row, column: format!("{name} {}", String::from_utf8_lossy(cell)) }"#,
        tests: &["faulty_files_are_refused_without_showing_a_cell"],
    },
    Fault {
        id: "series-one-coordinate",
        says: "the sensitivity of a series is that of its first coefficient",
        file: "crates/privacy/src/body/cosine/sensitivity.rs",
        old: "(SeriesSensitivity::l1(basis).bound, 2.0",
        new: "(SeriesSensitivity::l1(&basis.first(1)).bound, 2.0",
        tests: &[
            "no_two_records_are_farther_apart_than_the_bounds_in_integers",
            "the_integer_bounds_are_attained_to_three_parts_in_a_million",
        ],
    },
    Fault {
        id: "series-count-free",
        says: "the count of a series costs nothing under add/remove",
        file: "crates/privacy/src/body/cosine/sensitivity.rs",
        old: "(powers(basis, 1) + 1.0, ROUNDING * terms)",
        new: "(powers(basis, 1), ROUNDING * terms)",
        tests: &["the_integer_bounds_are_attained_to_three_parts_in_a_million"],
    },
    Fault {
        id: "missing-points-not-in-the-histogram",
        says: "points without a value are left out of a histogram, so that N tells whether there is one",
        file: "crates/density/src/histogram.rs",
        old: "self.mechanism()?.prepare_all(points.rows())?",
        new: "self.mechanism()?.prepare_all(points.rows().filter(|row| row.iter().all(|x| x.is_finite())))?",
        tests: &["with_hardly_any_noise_the_density_is_the_histogram"],
    },
];
