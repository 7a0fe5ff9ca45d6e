//! Command lines.

use clap::Parser;
use dpfda_cli::arguments::{AccountArguments, Arguments, AtArgument, Command, DemonstrationArguments, OutputArguments};

/// The data are the arguments, one on each line.
pub fn run(data: &[u8]) {
    let words = data.split(|byte| *byte == b'\n').map(word);
    match Arguments::try_parse_from(std::iter::once("dpfda".into()).chain(words)) {
        Ok(arguments) => assert_sound(&arguments.command),
        Err(error) => {
            assert!(matches!(error.exit_code(), 0 | 2));
            assert!(!error.to_string().is_empty(), "it says what is wrong");
        }
    }
}

#[cfg(unix)]
fn word(bytes: &[u8]) -> std::ffi::OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn word(bytes: &[u8]) -> std::ffi::OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// What holds of every command line that is understood.
fn assert_sound(command: &Command) {
    let is_named = |output: &OutputArguments| assert!(!output.out.as_os_str().is_empty());
    match command {
        Command::Release(arguments) => {
            let is_written = arguments.output.is_some() || arguments.dry_run;
            assert!(is_written != arguments.plan_only.is_some(), "a release or a plan of one");
            arguments.output.iter().for_each(is_named);
            assert_paid(&arguments.account, &arguments.demonstration);
            let has_unit = arguments.settings.privacy.unit.is_some();
            let is_subject = arguments.settings.table.subject.is_some();
            assert!(!has_unit || arguments.account.ledger.is_some() && !is_subject);
        }
        Command::Check(arguments) => {
            arguments.release.output.iter().for_each(is_named);
            assert_paid(&arguments.release.account, &arguments.release.demonstration);
        }
        Command::Merge(arguments) => {
            is_named(&arguments.output);
            assert_paid(&arguments.account, &arguments.demonstration);
            assert!(!arguments.parts.is_empty());
        }
        Command::Partial(arguments) => assert!(!arguments.files.is_empty()),
        Command::Smooth(arguments) => is_named(&arguments.output),
        Command::Evaluate(arguments) => {
            assert!(arguments.at.as_ref().is_none_or(|at| match at {
                AtArgument::Points(points) => !points.0.is_empty(),
                AtArgument::Covariates(values) => !values.is_empty(),
            }));
            let is_of_curve = arguments.at.is_some() || arguments.slice.is_some() || arguments.features.any();
            assert!(is_of_curve || arguments.centiles.is_some());
        }
        Command::Audit(arguments) => {
            assert!(arguments.release.is_some() != arguments.mechanism.is_some() && arguments.draws > 0);
        }
        Command::Plan(arguments) => {
            assert!(arguments.records.as_ref().is_none_or(|records| (1..=12).contains(&records.0.len())));
        }
        Command::Components(arguments) => {
            is_named(&arguments.output);
            let asked = &arguments.synthetic;
            assert!(asked.synthetic.is_some() || asked.seed.is_none() && asked.clip.is_none());
        }
        Command::Report(arguments) => {
            assert!(!arguments.releases.is_empty());
            assert!(arguments.account.ledger.is_none() || arguments.account.export.is_none());
        }
        Command::Compare(_)
        | Command::Complete(_)
        | Command::Show(_)
        | Command::New(_)
        | Command::Crossval(_)
        | Command::Ledger(_)
        | Command::Key(_)
        | Command::Verify(_)
        | Command::Completions { .. }
        | Command::Man { .. } => {}
    }
}

/// A seed says that it protects nobody, an id needs a ledger, and a ledger pays for nothing that protects nobody.
fn assert_paid(account: &AccountArguments, demonstration: &DemonstrationArguments) {
    let DemonstrationArguments { seed, not_private } = *demonstration;
    assert_eq!(seed.is_some(), not_private, "a seed protects nobody, and must say so");
    assert!(account.ledger.is_some() || account.release_id.is_none());
    assert!(account.ledger.is_none() || !not_private);
}
