//! Histograms, points and series.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "histogram-sensitivity-1",
        says: "a histogram's sensitivity under substitution is 1 for 2",
        file: "crates/density/src/histogram/noise.rs",
        old: "NeighbouringRelation::SubstituteOne => 2,",
        new: "NeighbouringRelation::SubstituteOne => 1,",
        tests: &["sensitivities_are_attained_by_a_pair_and_never_exceeded"],
    },
    Fault {
        id: "histogram-root-2-dropped",
        says: "normal noise on a histogram forgets that two cells move",
        file: "crates/density/src/histogram/noise.rs",
        old: "2.0_f64.sqrt().next_up() * STEPS as f64",
        new: "1.0_f64.sqrt().next_up() * STEPS as f64",
        tests: &[
            "sensitivities_are_attained_by_a_pair_and_never_exceeded",
            "normal_noise_has_the_tight_scale_rounded_up_to_a_step",
        ],
    },
    Fault {
        id: "histogram-file-claims-more",
        says: "a histogram file may claim more privacy than its noise gives",
        file: "crates/density/src/histogram/noise.rs",
        old: "delta == 0.0 && laplace.epsilon(absolute_sensitivity(neighbours)) <= epsilon",
        new: "delta == 0.0 && laplace.epsilon(absolute_sensitivity(neighbours)) > 0.0 * epsilon",
        tests: &["tampering_with_one_field_is_found"],
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
        says: "points outside the bounds are dropped instead of clamped",
        file: "crates/density/src/counts.rs",
        old: "for row in points.rows() {",
        new: "for row in points.rows().filter(|row| row.iter().zip(axes).all(|(x, (low, high))| low <= x && x <= high)) {",
        tests: &["no_point_is_dropped_wherever_it_lies"],
    },
    Fault {
        id: "missing-points-dropped",
        says: "a line without a value is no record, so that N tells whether there is one",
        file: "crates/density/src/points/reader.rs",
        old: "values.extend(places.iter().map(|_| f64::NAN));",
        new: "row -= 1;",
        tests: &["every_line_is_a_record_so_that_a_missing_value_does_not_change_their_number"],
    },
    Fault {
        id: "points-error-quotes-a-cell",
        says: "an error text quotes the cell that is no number",
        file: "crates/density/src/points/reader.rs",
        old: "PointsCsvError::NotANumber { row, column: name.to_owned() }",
        new: r#"PointsCsvError::NotANumber { row, column: format!("{name} {}", String::from_utf8_lossy(record.get(place).unwrap_or_default())) }"#,
        tests: &["faulty_files_are_refused_without_showing_a_cell"],
    },
    Fault {
        id: "series-one-coordinate",
        says: "the sensitivity of a series is that of its first coefficient",
        file: "crates/density/src/series/sensitivity.rs",
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
        file: "crates/density/src/series/sensitivity.rs",
        old: "(powers(basis, 1) + 1.0, ROUNDING * terms)",
        new: "(powers(basis, 1), ROUNDING * terms)",
        tests: &["the_integer_bounds_are_attained_to_three_parts_in_a_million"],
    },
    Fault {
        id: "series-records-told",
        says: "a series tells the exact N under add/remove",
        file: "crates/density/src/series/mechanism.rs",
        old: "(NeighbouringRelation::AddRemoveOne, _) => Ok(None)",
        new: "(NeighbouringRelation::AddRemoveOne, records) => Ok(Some(records as u64))",
        tests: &["the_file_says_what_was_done_and_hides_a_private_number_of_records"],
    },
    Fault {
        id: "series-count-unperturbed",
        says: "the count of a series gets no noise",
        file: "crates/density/src/series/mechanism.rs",
        old: "noise.add_to(&mut exact, randomness);",
        new: "noise.add_to(&mut exact[..terms], randomness);",
        tests: &["audits_of_gaussian_noise_accept_the_budget_and_refute_it_for_a_scale_ten_percent_too_small"],
    },
];
