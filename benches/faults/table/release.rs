//! Releases of functions, functionals and paths.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "missing-record-dropped",
        says: "a record of missing values is dropped, so that N tells whether there is one",
        file: "crates/release/src/encode.rs",
        old: r"        of_subject.clear();
",
        new: r"        of_subject.clear();
        if record.iter().all(|&row| bounded.curves().values().row(row).iter().all(|x| x.is_nan())) {
            continue;
        }
",
        tests: &["a_record_of_missing_values_counts_like_any_other"],
    },
    Fault {
        id: "curves-summed-not-averaged",
        says: "a subject's curves are added up: more curves, more weight",
        file: "crates/release/src/encode.rs",
        old: r"        if !single {
            of_subject.mean_into(&mut vector)?;
        }
        sum.add(&vector)?;",
        new: r"        if single {
            sum.add(&vector)?;
        } else {
            sum.merge(&of_subject)?;
        }",
        tests: &["a_subject_with_many_curves_weighs_as_much_as_one_with_one"],
    },
    Fault {
        id: "parts-of-other-balls",
        says: "parts that were bounded by another ball are merged",
        file: "crates/release/src/encode.rs",
        old: r"            && self.ball == other.ball
",
        new: "",
        tests: &["parts_bounded_by_another_ball_or_of_another_unit_are_refused"],
    },
    Fault {
        id: "parts-of-another-unit",
        says: "curves and subjects are merged into one sum",
        file: "crates/release/src/encode.rs",
        old: r"            && self.unit == other.unit
",
        new: "",
        tests: &["parts_bounded_by_another_ball_or_of_another_unit_are_refused"],
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
        id: "file-claims-more",
        says: "a release file may claim more privacy than its noise gives",
        file: "crates/release/src/document.rs",
        old: "if noise.privacy(neighbours).delta(epsilon) > delta {",
        new: "if noise.privacy(neighbours).delta(epsilon) > 1.0 {",
        tests: &["edited_numbers_are_noticed"],
    },
    Fault {
        id: "l2-for-l1-functionals",
        says: "functionals under Laplace noise are calibrated with the Euclidean sensitivity",
        file: "crates/release/src/functionals.rs",
        old: "self.neighbours.lattice_l1_sensitivity(rank)",
        new: "self.neighbours.lattice_l1_sensitivity(1)",
        tests: &[
            "the_noise_depends_on_the_number_of_functionals_and_not_on_which_they_are",
            "k_norm_noise_needs_less_variance_than_independent_laplace_noise_by_the_stated_ratio",
        ],
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
        id: "n-told",
        says: "the exact N is told under add/remove, where it is private",
        file: "crates/release/src/release.rs",
        old: "NeighbouringRelation::AddRemoveOne => None,",
        new: "NeighbouringRelation::AddRemoveOne => Some(sum.records()),",
        tests: &["under_add_remove_the_stated_noise_includes_the_counts"],
    },
    Fault {
        id: "mean-over-n-minus-1",
        says: "the released mean divides the sum by N - 1",
        file: "crates/release/src/release.rs",
        old: "self.public_units.map(|units| units as f64)",
        new: "self.public_units.map(|units| (units - 1) as f64)",
        tests: &["the_mean_is_over_all_records"],
    },
    Fault {
        id: "reused-noise",
        says: "one draw of noise serves all coordinates",
        file: "crates/privacy/src/lattice_noise.rs",
        old: r"impl LatticeNoise for RoundedNormal {
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        for value in exact {
            *value = noisy(*value, self.sample(randomness));",
        new: r"impl LatticeNoise for RoundedNormal {
    fn add_to<R: CryptoRng + ?Sized>(&self, exact: &mut [i64], randomness: &mut R) {
        let noise = self.sample(randomness);
        for value in exact {
            *value = noisy(*value, noise);",
        tests: &[
            "cameron_martin_noise_has_variance_sigma_squared_times_the_kernels_diagonal",
            "stated_noise_sd_is_the_noise_of_the_released_function",
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
        id: "few-records-refused",
        says: "too few records are refused under add/remove too, which tells one data set from its neighbour",
        file: "crates/release/src/prepared.rs",
        old: "if settings.neighbours == NeighbouringRelation::SubstituteOne && parts.sum.records() < 2 {",
        new: "if parts.sum.records() < 2 {",
        tests: &["one_record_is_refused_only_where_its_number_is_public"],
    },
    Fault {
        id: "penalty-from-private-n",
        says: "the default penalty is computed from N where N is private",
        file: "crates/release/src/mechanism.rs",
        old: "(None, NeighbouringRelation::SubstituteOne, Some(total)) =>",
        new: "(None, _, Some(total)) =>",
        tests: &["a_default_penalty_is_refused_where_the_number_of_records_is_private"],
    },
    Fault {
        id: "refused-after-noise",
        says: "a kernel without a spectrum is noticed only after noise was drawn",
        file: "crates/release/src/mechanism.rs",
        old: "        self.prepare(curves)?.draw(randomness)",
        new: r"        randomness.next_u64();
        self.prepare(curves)?.draw(randomness)",
        tests: &["a_kernel_without_a_spectrum_is_refused_before_any_noise_is_drawn"],
    },
    Fault {
        id: "path-of-another-release",
        says: "a kept path extends the release of another path",
        file: "crates/release/src/kept_path.rs",
        old: "if agrees { Ok(()) } else { Err(PathError::NotThisRelease) }",
        new: r"let _ = agrees;
        Ok(())",
        tests: &["an_extension_of_another_release_is_refused"],
    },
    Fault {
        id: "path-id-unchecked",
        says: "a kept path extends a release of another name",
        file: "crates/release/src/kept_path.rs",
        old: "if release.id != self.id {",
        new: "if release.id.is_empty() {",
        tests: &["an_extension_of_another_release_is_refused"],
    },
    Fault {
        id: "largest-v-ignored",
        says: "the noise is checked against some V and not against the largest, so that a draw may be refused after it is made",
        file: "crates/release/src/path.rs",
        old: "RoundedNormal::at_least((scale * law.largest()).next_up())?;",
        new: "RoundedNormal::at_least(scale.next_up())?;",
        tests: &["a_budget_that_the_largest_v_cannot_meet_is_refused_before_any_noise"],
    },
    Fault {
        id: "functionals-n-told",
        says: "functionals tell the exact N under add/remove",
        file: "crates/release/src/functionals.rs",
        old: "NeighbouringRelation::AddRemoveOne => None,",
        new: "NeighbouringRelation::AddRemoveOne => Some(sum.records()),",
        tests: &["the_number_of_records_is_private_under_add_remove"],
    },
    Fault {
        id: "floating-point-noise-unasked",
        says: "floating-point noise is used without being asked for",
        file: "crates/release/src/functionals.rs",
        old: "if self.noise != FunctionalNoise::DiscreteLaplace && !self.idealised {",
        new: "if self.noise == FunctionalNoise::DiscreteLaplace && self.idealised {",
        tests: &["floating_point_noise_must_be_asked_for_and_is_stamped"],
    },
];
