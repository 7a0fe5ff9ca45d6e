//! What a newcomer sees of the command itself: help, completions, manual pages, the version, and silence where it is asked for.

use crate::common::{Place, SMALL};
use clap::CommandFactory;

#[test]
fn short_help_fits_a_screen_by_groups_and_long_help_tells_all() {
    let place = Place::new();
    let short = place.run("release -h").succeeded().stdout;
    assert!(short.lines().count() <= 42, "{} lines: {short}", short.lines().count());
    assert!(short.lines().all(|line| line.chars().count() <= 120), "{short}");
    let mut from = 0;
    for group in ["Data:", "Public bounds", "Guarantee:", "Output:"] {
        from += short[from..].find(group).unwrap_or_else(|| panic!("{group} after {from} in {short}"));
    }
    let long = place.run("release --help").succeeded().stdout;
    for option in ["--values", "--missing", "--sorted-by-subject", "--part-of", "--quiet"] {
        assert!(long.contains(option), "{option}");
        let is_common = matches!(option, "--values" | "--missing");
        assert_eq!(short.contains(option), is_common, "{option} in {short}");
    }
}

/// What is rare is an option all the same, and is told by `dpfda show --settings`, by the manual and by shells.
#[test]
fn help_of_a_release_is_brief_and_every_setting_is_listed_elsewhere() {
    let place = Place::new();
    let help = place.run("release --help").succeeded().stdout;
    let options =
        help.lines().filter(|line| line.trim_start().starts_with("--") || line.trim_start().starts_with("-h")).count();
    let words = help.split_whitespace().count();
    assert!(options <= 40 && words <= 1200, "{options} options, {words} words");
    assert!(help.trim_end().ends_with("`dpfda show --settings` lists them with their help."), "{help}");

    let listed = place.run("show --settings").succeeded().stdout;
    let (manual, completed) =
        (place.run("man release").succeeded().stdout, place.run("completions zsh").succeeded().stdout);
    let command = dpfda_cli::arguments::Arguments::command();
    let release = command.find_subcommand("release").unwrap();
    let mut hidden = 0;
    for setting in dpfda_study::SETTINGS {
        assert!(listed.contains(&format!("\n{} = ", setting.name)), "{}", setting.name);
        if let Some(option) = release.get_arguments().find(|option| option.get_id() == setting.name) {
            let option = format!("--{}", option.get_long().unwrap());
            assert!(manual.replace('\\', "").contains(&option) && completed.contains(&option), "{option}");
            let is_told = help.lines().any(|line| line.trim_start().split([' ', '=']).next() == Some(&option));
            assert_eq!(is_told, setting.is_common, "{option}");
            hidden += usize::from(!is_told);
        }
    }
    assert!(hidden > 20, "{hidden}");
    let of_rows = place.run("show --settings --kind rows").succeeded().stdout;
    assert!(of_rows.contains("\nbins = ") && !of_rows.contains("\nby = "), "{of_rows}");
    let unknown = place.run("show --settings --kind curves");
    assert!(unknown.code == 2 && unknown.stderr.contains("mean, groups"), "{}", unknown.stderr);
}

#[test]
fn what_is_free_afterwards_is_no_option_of_a_release_and_says_where_it_stands() {
    let place = Place::new();
    for (option, said) in [
        ("--kernel", &["estimate.kernel", "dpfda smooth RELEASE.json --kernel"][..]),
        ("--band", &["estimate.band", "dpfda smooth RELEASE.json --band"]),
        ("--band-roughness", &["estimate.band_roughness"]),
        ("--classical", &["privacy.classical"]),
    ] {
        let run = place.run_as_is(&["release", "curves.csv", option, "1"]);
        assert_eq!(run.code, 2);
        for said in said.iter().chain(&["a study file"]) {
            assert!(run.stderr.contains(said), "{option}: {}", run.stderr);
        }
    }
    let unknown = place.run_as_is(&["release", "curves.csv", "--kernal", "1"]);
    assert!(unknown.code == 2 && !unknown.stderr.contains("study file"), "{}", unknown.stderr);
}

#[test]
fn short_help_of_every_command_fits_a_screen() {
    let place = Place::new();
    let commands = "new release check part merge smooth show report evaluate compare complete components \
                    crossval ledger key verify forecast audit completions man";
    let of_ledger = "ledger-create ledger-show ledger-export ledger-verify ledger-report key-new";
    for command in commands.split_whitespace().chain(of_ledger.split_whitespace()) {
        let help = place.run(&format!("{} -h", command.replace('-', " "))).succeeded().stdout;
        assert!(help.lines().count() <= 42, "{command}, {} lines: {help}", help.lines().count());
        // a usage is one line for clap, and terminals break it
        let texts = help.lines().filter(|line| !line.starts_with("Usage:"));
        let widest = texts.max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 120, "{command}: {widest}");
        let long = place.run(&format!("{} --help", command.replace('-', " "))).succeeded().stdout;
        assert!(long.len() >= help.len(), "{command}");
    }
}

/// An option stands under the heading of what it is about, and not under that of whatever came before it.
#[test]
fn options_stand_under_their_own_headings() {
    let place = Place::new();
    for (command, option, heading) in [
        ("forecast", "--figure", "Output:"),
        ("forecast", "--points", "Data:"),
        ("release", "--on", "Data:"),
        ("release", "--ledger", "Guarantee:"),
        ("crossval", "--folds", "Score:"),
        ("crossval", "--kernel", "Candidates:"),
        ("merge", "--band", "Estimate:"),
        ("part", "--out", "Output:"),
    ] {
        let help = place.run(&format!("{command} -h")).succeeded().stdout;
        let at = help.find(&format!("      {option} ")).unwrap_or_else(|| panic!("{option} in {help}"));
        let above = help[..at].lines().rfind(|line| line.ends_with(':') && !line.starts_with(' '));
        assert_eq!(above, Some(heading), "{command} {option}");
    }
}

#[test]
fn every_shell_is_helped_to_complete() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&format!("completions {shell}")).succeeded().stdout;
        assert!(script.contains("release") && script.contains("radius-share"), "{shell}");
    }
    let unknown = place.run("completions dos");
    assert!(unknown.code == 2 && unknown.stderr.contains("bash"), "{}", unknown.stderr);
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let whole = place.run("man").succeeded().stdout;
    assert!(whole.starts_with(".ie") && whole.contains("Publish a mean curve"), "{whole}");
    for command in ["release", "check", "forecast", "ledger", "audit"] {
        assert!(whole.contains(command));
        assert!(place.run(&format!("man {command}")).succeeded().stdout.contains(".TH"), "{command}");
    }
    let unknown = place.run("man relase");
    assert!(unknown.code == 2 && unknown.stderr.contains("give one of release, check"), "{}", unknown.stderr);
}

#[test]
fn the_version_names_what_was_built_in() {
    let version = Place::new().run("--version").succeeded().stdout;
    assert!(version.starts_with("dpfda ") && version.contains("built with"), "{version}");
    for feature in dpfda::FEATURES {
        assert!(version.contains(feature), "{version}");
    }
}

#[test]
fn a_quiet_command_prints_its_result_and_no_summary() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let run = place.release("small.csv", "--values v* --subject id --out out --quiet").succeeded();
    assert_eq!(run.text(), "");
    assert!(place.names().contains(&"out".to_owned()));
    let values = place.run("--quiet evaluate out/release.json --at 0.5").succeeded().stdout;
    assert!(values.starts_with("t,value"), "{values}");
    let refused = place.run("evaluate nothing.json --at 0.5 --quiet");
    assert!(refused.code == 2 && refused.stderr.contains("no such file"), "{}", refused.stderr);
}

#[test]
fn the_commands_stand_in_their_groups_on_one_screen() {
    let place = Place::new();
    let mut program = dpfda_cli::arguments::Arguments::command();
    program.build();
    let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let mut grouped: Vec<&str> =
        dpfda_cli::arguments::GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    for help in ["--help", "-h"] {
        let help = place.run(help).succeeded().stdout;
        assert!(help.lines().count() <= 37 && help.lines().all(|line| line.chars().count() <= 130), "{help}");
        for name in &grouped {
            assert_eq!(
                help.lines().filter(|line| line.starts_with(&format!("  {name} "))).count(),
                1,
                "{name}: {help}"
            );
        }
        assert!(help.contains(&dpfda_cli::arguments::FOR_SHELLS.join(", ")), "{help}");
    }
    grouped.extend(dpfda_cli::arguments::FOR_SHELLS);
    grouped.sort_unstable();
    let mut known = known;
    known.sort_unstable();
    assert_eq!(grouped, known);
}

/// The commands whose answer is a text to be used as it is.
const TEXTS: [&str; 4] = ["new", "completions", "man", "help"];

fn leaves(command: &clap::Command) -> Vec<&clap::Command> {
    let below: Vec<&clap::Command> = command.get_subcommands().filter(|one| one.get_name() != "help").collect();
    if below.is_empty() { vec![command] } else { below.into_iter().flat_map(leaves).collect() }
}

#[test]
fn every_command_that_answers_in_words_has_the_same_json_and_the_same_quiet() {
    let mut program = dpfda_cli::arguments::Arguments::command();
    program.build();
    let answering = program.get_subcommands().filter(|command| !TEXTS.contains(&command.get_name()));
    let leaves: Vec<&clap::Command> = answering.flat_map(leaves).collect();
    assert!(leaves.len() > 18);
    for command in leaves {
        for (name, help) in [("json", "Print JSON in place of words"), ("quiet", "Print no summary and no progress")] {
            let option = command.get_arguments().find(|option| option.get_id() == name);
            let help_of = |option: &clap::Arg| option.get_help().unwrap().to_string();
            assert!(option.is_some_and(|option| help_of(option).starts_with(help)), "{} --{name}", command.get_name());
        }
    }
}

/// A summary of files is what quiet leaves out. A result and JSON are printed always, and JSON is nothing but JSON.
#[test]
fn json_is_an_answer_of_every_command_and_quiet_leaves_summaries_out() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let study =
        place.run("new --kind mean --values v* --subject id --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-5");
    place.write("study.toml", &study.succeeded().stdout);
    let by_study =
        "small.csv --values v* --subject id --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-5 --radius-share none";
    // in this order: what a command needs was made by another
    let commands = [
        ("key new KEY --no-passphrase", true),
        ("ledger create LEDGER --epsilon 9 --delta 0.01 --unit subject --neighbours substitute --dataset d", true),
        (&format!("release {by_study} --ledger LEDGER --sign KEY --out DIR"), true),
        (&format!("release {by_study} --plan-only PLAN"), true),
        (&format!("release {by_study} --dry-run"), false),
        (&format!("check {by_study}"), false),
        ("part small.csv --plan PLAN --key PLAN.key --part one --out PART", true),
        ("show DIR", false),
        ("show study.toml --origins", false),
        ("show --settings", false),
        ("report DIR --out PAGE", true),
        ("smooth DIR --band posterior --out SMOOTH", true),
        ("evaluate DIR --at 0.5", false),
        ("evaluate DIR --maximum", false),
        ("compare DIR SMOOTH2", false),
        ("components DIR --out COMPONENTS", true),
        ("crossval small.csv --values v* --center 0.5 --folds 2 --kernel gaussian --range 0.1 --penalty 0.1", false),
        ("forecast --records 100 --bounds 0,1 --epsilon 1 --delta 1e-5", false),
        ("forecast --noise laplace --epsilon 1 --delta 0", false),
        ("verify DIR --key KEY.pub", false),
        ("ledger show LEDGER", false),
        ("ledger export LEDGER", false),
        ("ledger verify DIR/release.json --ledger LEDGER", false),
        ("ledger report LEDGER --out ACCOUNT", true),
        ("audit DIR --draws 1000", false),
    ];
    for (round, options) in [("a", ""), ("b", "--quiet"), ("c", "--json"), ("d", "--json --quiet")] {
        for (command, is_summary) in commands {
            let words = command.split(' ').map(|word| match word {
                "PLAN.key" => format!("PLAN{round}.key"),
                "KEY.pub" => format!("KEY{round}.pub"),
                "DIR/release.json" => format!("DIR{round}/release.json"),
                "PAGE" | "ACCOUNT" => format!("{word}{round}.html"),
                "SMOOTH2" => "DIRother".to_owned(),
                "PLAN" => format!("PLAN{round}"),
                name if name.chars().all(|c| c.is_ascii_uppercase()) => format!("{name}{round}"),
                word => word.to_owned(),
            });
            if command.starts_with("compare") && !place.path("DIRother").exists() {
                place.run(&format!("release {by_study} --out DIRother")).succeeded();
            }
            let line = format!("{} {options}", words.collect::<Vec<_>>().join(" "));
            let said = place.run(&line).succeeded().stdout;
            if options.contains("json") {
                assert!(serde_json::from_str::<serde_json::Value>(&said).is_ok(), "{line}: {said}");
            } else {
                assert_eq!(said.is_empty(), is_summary && options == "--quiet", "{line}: {said}");
            }
        }
    }
}
