//! Releases of functions, functionals and paths.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "missing-record-dropped",
        says: "a record of missing values is dropped, so that N tells whether there is one",
        file: "crates/release/src/encode.rs",
        old: "curves.curves().records().map(",
        new: r"curves
            .curves()
            .records()
            .filter(|rows| rows.iter().any(|&row| curves.curves().values().row(row).iter().any(|x| !x.is_nan())))
            .map(",
        tests: &["a_record_of_missing_values_counts_like_any_other"],
    },
    Fault {
        id: "curves-summed-not-averaged",
        says: "a subject's curves are added up: more curves, more weight",
        file: "crates/privacy/src/lattice.rs",
        old: "let count = self.vectors.max(1).cast_signed();",
        new: "let count = 1;",
        tests: &["a_subject_with_many_curves_weighs_as_much_as_one_with_one"],
    },
    Fault {
        id: "whitening-with-unit-eigenvectors",
        says: "the coordinates of a release use eigenvectors of unit length",
        file: "crates/release/src/whitening.rs",
        old: "*v *= root * weight / amplification",
        new: "*v *= weight / amplification",
        tests: &["without_noise_to_speak_of_the_answers_are_those_of_the_smoothed_mean"],
    },
    Fault {
        id: "directions-not-normalised",
        says: "directions of functionals keep their length, and with it more of a record than was bounded",
        file: "crates/release/src/span.rs",
        old: "directions.push(rest / left);",
        new: "directions.push(rest);",
        tests: &[
            "rows_are_coefficients_times_orthonormal_directions",
            "nearly_dependent_rows_keep_orthonormal_directions",
        ],
    },
    Fault {
        id: "constant-seed",
        says: "noise that should be secret comes from a constant seed, so that two releases share it",
        file: "crates/privacy/src/randomness.rs",
        old: "ChaCha20Rng::try_from_rng(&mut SysRng).map(Self).map_err(|_| RandomnessError)",
        new: "Ok(Self(ChaCha20Rng::seed_from_u64(0)))",
        tests: &["private_noise_differs_from_run_to_run_and_says_that_it_is_private"],
    },
    Fault {
        id: "seeded-noise-stamped-private",
        says: "a release with noise from a seed is stamped private",
        file: "crates/privacy/src/randomness.rs",
        old: r"    fn is_private(&self) -> bool {
        PRIVATE
",
        new: r"    fn is_private(&self) -> bool {
        true
",
        tests: &["private_noise_differs_from_run_to_run_and_says_that_it_is_private"],
    },
    Fault {
        id: "penalty-from-private-n",
        says: "the default penalty is computed from N where N is private",
        file: "crates/release/src/private_mean.rs",
        old: "let mechanism = self.mechanism(curves.grid(), curves.unit(), records)?;",
        new: r"let penalty = match self.penalty {
            Some(penalty) => penalty,
            None => cameron_martin_penalty(self.relative_noise(curves.units().max(1) as f64)?, self.power),
        };
        let mechanism = self.clone().penalty(penalty).mechanism(curves.grid(), curves.unit(), records)?;",
        tests: &["a_default_penalty_is_refused_where_the_number_of_records_is_private"],
    },
    Fault {
        id: "refused-after-noise",
        says: "a kernel without a spectrum is noticed only after noise was drawn",
        file: "crates/release/src/private_mean.rs",
        old: r"let (prepared, viewer) = (self.prepare(curves)?, self.viewer(curves.grid())?);
        viewer.view(prepared.draw_unrecorded(randomness))",
        new: r"let release = self.prepare(curves)?.draw_unrecorded(randomness);
        self.viewer(curves.grid())?.view(release)",
        tests: &["a_kernel_without_a_spectrum_is_refused_before_any_noise_is_drawn"],
    },
    Fault {
        id: "mean-not-rotated-back",
        says: "the mean of rotated coordinates is read as if they were those of the points",
        file: "crates/release/src/mean.rs",
        old: "rotation.undo(&mut mean);",
        new: "let _ = rotation;",
        tests: &["a_mean_in_rotated_coordinates_is_rotated_back"],
    },
    Fault {
        id: "path-of-another-release",
        says: "a kept path extends the release of another path",
        file: "crates/release/src/kept_path.rs",
        old: "if mine.agrees(release, &sizes.collect::<Vec<f64>>()) { Ok(()) } else { Err(PathError::NotThisRelease) }",
        new: r"let _ = (mine, sizes.collect::<Vec<f64>>());
        Ok(())",
        tests: &["an_extension_of_another_release_is_refused"],
    },
    Fault {
        id: "path-id-unchecked",
        says: "a kept path extends a release of another name",
        file: "crates/release/src/path_release.rs",
        old: r"self.id == other.id
            && self.guarantee",
        new: "self.guarantee",
        tests: &["an_extension_of_another_release_is_refused"],
    },
    Fault {
        id: "floating-point-noise-unasked",
        says: "floating-point noise is used without being asked for",
        file: "crates/release/src/functionals.rs",
        old: "if !self.law.is_exact() && !self.idealised {",
        new: "if self.law.is_exact() && self.idealised {",
        tests: &["floating_point_noise_must_be_asked_for_and_is_stamped"],
    },
];
