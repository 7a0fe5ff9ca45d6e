//! Curves, the ball, and the spectrum of a kernel.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "unit-eigenvectors",
        says: "eigenvectors of unit length are taken for eigenfunctions, off by the root of n",
        file: "crates/kernels/src/eigenfunctions.rs",
        old: "*u *= sign * root",
        new: "*u *= sign * root.signum()",
        tests: &[
            "noise_built_from_unit_vectors_is_caught",
            "eigenfunctions_are_orthonormal_in_the_inner_product_of_the_grid",
            "the_variance_of_noise_built_from_the_pairs_is_the_covariance_at_each_point",
        ],
    },
    Fault {
        id: "projection-skipped",
        says: "a curve outside the ball is not projected on it",
        file: "crates/smoothing/src/bounded.rs",
        old: "if squared_norm <= 1.0 {",
        new: "if squared_norm < f64::INFINITY {",
        tests: &["every_curve_lands_in_the_ball"],
    },
    Fault {
        id: "sup-norm",
        says: "curves are measured in the sup norm instead of the L2 norm of the ball",
        file: "crates/smoothing/src/bounded.rs",
        old: r"        sums.iter().sum()
",
        new: r"        out.iter().zip(&self.roots).fold(0.0_f64, |most, (z, root)| most.max((z / root).powi(2)))
",
        tests: &["a_curve_inside_is_unchanged_and_one_outside_lands_on_the_sphere_in_its_direction"],
    },
    Fault {
        id: "unweighted-norm",
        says: "curves are measured without the quadrature weights, as vectors",
        file: "crates/smoothing/src/bounded.rs",
        old: "let scales = roots.iter().map(|root| root / ball.radius()).collect();",
        new: "let scales = roots.iter().map(|_| 1.0 / ball.radius()).collect();",
        tests: &["the_radius_is_a_root_mean_square_distance_on_any_interval"],
    },
    Fault {
        id: "subjects-ignored",
        says: "the curves of one subject are records of their own",
        file: "crates/smoothing/src/curves.rs",
        old: "Some(Subjects::group(&owners, names))",
        new: r"Some(Subjects::group(
                &(0..owners.len()).collect::<Vec<_>>(),
                ids.iter().map(|id| id.to_string()).collect(),
            ))",
        tests: &["subjects_are_grouped_in_any_order_of_rows", "grouping_is_the_partition_by_id"],
    },
    Fault {
        id: "n-minus-1-sensitivity",
        says: "the sensitivity of the mean of N records is divided by N - 1",
        file: "crates/smoothing/src/penalized_mean.rs",
        old: "value: 2.0 * radius / records as f64 * gain",
        new: "value: 2.0 * radius / (records - 1) as f64 * gain",
        tests: &["the_exact_sensitivity_is_attained_along_the_maximising_eigenfunction"],
    },
    Fault {
        id: "one-record-against-centre",
        says: "the sensitivity is the distance of one record from the centre, not of two from each other",
        file: "crates/smoothing/src/penalized_mean.rs",
        old: "value: 2.0 * radius / records as f64 * gain",
        new: "value: radius / records as f64 * gain",
        tests: &["the_exact_sensitivity_is_attained_along_the_maximising_eigenfunction"],
    },
    Fault {
        id: "rows-over-several-lines",
        says: "a row that spans lines is read, and hides how many records there are",
        file: "crates/tables/src/records.rs",
        old: "if in_quotes { Err(RecordError::QuotedLine { line }) } else {",
        new: "if in_quotes && line == 0 { Err(RecordError::QuotedLine { line }) } else {",
        tests: &["a_quoted_cell_ends_on_its_line"],
    },
    Fault {
        id: "error-quotes-a-cell",
        says: "an error text quotes the cell that is no number",
        file: "crates/tables/src/columns.rs",
        old: "None => Err(TableError::NotNumeric { row, column: self.name(column) }),",
        new: "None => Err(TableError::NotNumeric { row, column: String::from_utf8_lossy(cell).into_owned() }),",
        tests: &["errors_tell_the_place_and_never_the_value"],
    },
    Fault {
        id: "infinite-ball",
        says: "a ball of infinite radius is accepted",
        file: "crates/smoothing/src/ball.rs",
        old: "if !(LEAST..=LARGEST).contains(&radius) {",
        new: "if !(LEAST..=f64::INFINITY).contains(&radius) {",
        tests: &["bad_bounds_are_refused"],
    },
    Fault {
        id: "header-of-data",
        says: "a first row of data is taken for names, and a record is lost",
        file: "crates/tables/src/columns.rs",
        old: "columns.refuse_data()?;",
        new: "",
        tests: &["a_first_row_that_looks_like_data_is_refused_and_not_shown"],
    },
    Fault {
        id: "missing-ids-are-one-person",
        says: "everybody whose id is missing is one person",
        file: "crates/tables/src/subjects.rs",
        old: "!says_missing(&text(id.trim_ascii()))",
        new: "!id.is_empty()",
        tests: &[
            "an_id_that_only_says_that_it_is_missing_is_none",
            "an_id_that_only_says_that_it_is_missing_is_refused_and_not_shown",
        ],
    },
];
