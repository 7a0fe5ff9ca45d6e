//! Amounts, the account of several releases, and the ledger.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "doubles-for-decimals",
        says: "an epsilon of 0.1 is taken for the double nearest to it, so that three of them exceed 0.3",
        file: "crates/privacy/src/amount.rs",
        old: r#"format!("{:e}", value.abs()).parse()"#,
        new: "Self::exact(value.abs())",
        tests: &["three_tenths_are_three_times_a_tenth"],
    },
    Fault {
        id: "amount-to-nearest",
        says: "a fraction that was spent is rounded to the nearest double instead of up",
        file: "crates/privacy/src/amount.rs",
        old: "near < *self) { near.next_up() } else { near }",
        new: "near < *self) { near } else { near }",
        tests: &["doubles_stand_on_either_side_and_as_near_as_can_be"],
    },
    Fault {
        id: "epsilon-above-its-decimal",
        says: "a purely private mechanism uses a little more epsilon than the decimal number that is charged",
        file: "crates/privacy/src/budget.rs",
        old: "decimal.to_f64_down()",
        new: "decimal.to_f64_up()",
        tests: &["the_epsilon_that_mechanisms_keep_to_is_never_above_its_decimal"],
    },
    Fault {
        id: "account-forgets",
        says: "the account keeps the last Gaussian release alone",
        file: "crates/privacy/src/accountant.rs",
        old: "account.mu_squared = &self.mu_squared + mu_squared",
        new: "account.mu_squared = mu_squared.clone()",
        tests: &["gaussian_releases_of_sigma_2_3_and_5_compose_to_nineteen_thirtieths"],
    },
    Fault {
        id: "deltas-forgotten",
        says: "the deltas of approximate releases are not added up",
        file: "crates/privacy/src/accountant.rs",
        old: "account.delta = &self.delta + delta;",
        new: "account.delta = std::cmp::max(&self.delta, delta).clone();",
        tests: &["deltas_of_approximate_releases_add_up"],
    },
    Fault {
        id: "rho-halved",
        says: "a pure release counts for half of its rho",
        file: "crates/privacy/src/accountant.rs",
        old: "delta_of_zcdp((twice_rho / 2.0).next_up()",
        new: "delta_of_zcdp((twice_rho / 4.0).next_up()",
        tests: &["many_small_pure_releases_cost_less_than_their_sum"],
    },
    Fault {
        id: "total-not-compared",
        says: "the ledger pays without comparing the sum with its total",
        file: "crates/ledger/src/store.rs",
        old: "    if accounts.is_within(&total) {",
        new: "    if history.accounts().is_within(&total) {",
        tests: &["two_gaussian_releases_fit_and_the_refusal_of_the_third_says_what_would"],
    },
    Fault {
        id: "ledger-unit-ignored",
        says: "a ledger of subjects pays for releases that protect curves",
        file: "crates/ledger/src/store.rs",
        old: "if guarantee.unit() != terms.unit() {",
        new: "if guarantee.unit() != guarantee.unit() {",
        tests: &["another_unit_or_relation_is_refused"],
    },
    Fault {
        id: "id-for-any-settings",
        says: "an id that was paid for pays for a release with other settings",
        file: "crates/ledger/src/written.rs",
        old: "if earlier != request {",
        new: "if earlier != earlier {",
        tests: &["an_id_belongs_to_its_settings"],
    },
    Fault {
        id: "stored-release-drawn-again",
        says: "a release that was stored is drawn again instead of given back",
        file: "crates/ledger/src/written.rs",
        old: "let stored = files_in(transaction, history, request.id())?;",
        new: "let stored = None;",
        tests: &["a_release_that_was_stored_comes_back_to_the_byte_and_costs_nothing"],
    },
    Fault {
        id: "chain-not-checked",
        says: "the hash of an entry is not compared with its content",
        file: "crates/ledger/src/history.rs",
        old: "entry.previous != previous || !entry.is_whole()",
        new: "entry.previous != previous",
        tests: &["an_edited_entry_is_found"],
    },
    Fault {
        id: "ledger-cut-at-its-end",
        says: "entries that were cut off at the end are not missed",
        file: "crates/ledger/src/file.rs",
        old: "if head == (last.cast_signed(), history.head().to_string()) {",
        new: "if head.0 >= 0 || last > 0 {",
        tests: &["an_edited_entry_is_found"],
    },
    Fault {
        id: "protections-not-checked",
        says: "a ledger whose tables lost their protections is used on",
        file: "crates/ledger/src/file.rs",
        old: "if made == tables {",
        new: "if made.len() >= tables.len() - 1 {",
        tests: &["changed_tables_and_protections_are_found"],
    },
    Fault {
        id: "stored-files-not-checked",
        says: "a stored release is given out though its files were changed",
        file: "crates/ledger/src/written.rs",
        old: "*name == file.name && Digest::of(bytes) == file.sha256",
        new: "*name == file.name && !bytes.is_empty()",
        tests: &["stored_files_that_were_changed_are_not_given_out"],
    },
    Fault {
        id: "spend-after-the-draw",
        says: "the noise is drawn and the files are shown before the ledger has paid",
        file: "crates/cli/src/publication.rs",
        old: "    let receipt = payment.spend()?;",
        new: "    let receipt: Receipt = {
        let release = draw(None)?;
        release.write(&mut |name, bytes| output.write(name, bytes))?;
        output.finish()?;
        let receipt = payment.spend()?;
        return Ok(account(&payment, &receipt));
    };",
        tests: &["two_releases_fit_and_the_refusal_of_the_third_says_what_would"],
    },
    Fault {
        id: "refused-after-paying",
        says: "a histogram of too few points is refused only after it was paid for",
        file: "crates/cli/src/density/perturbed.rs",
        old: "    histogram.check(points).map_err(DensityRefusal::from)?;\n",
        new: "",
        tests: &["what_is_refused_for_the_data_is_not_paid_for"],
    },
];
