//! Every option of `dpfda release` with every kind of table: it changes what is written, or it is refused by its name.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::{Place, Run};
use crate::refusals::is_told;
use clap::CommandFactory;
use dpfda_cli::arguments::Arguments;
use dpfda_study::Section;

/// What every release here is given, unless it is asked with another value.
const PUBLIC: &str = "--center|0.5|--radius|0.3|--epsilon|1|--delta|1e-3|--size|240x240|--not-private||--seed|1";

/// Each kind of table: its file, and what names it.
const KINDS: [(&str, &str, &str); 18] = [
    ("curves", "curves.csv", "--values|v*"),
    ("an honest band", "curves.csv", "--values|v*|--band|honest|--band-roughness|2"),
    ("without a delta", "curves.csv", "--values|v*|--delta|0"),
    ("smoothed before the noise", "curves.csv", "--values|v*|--mechanism|cameron-martin|--penalty|0.01"),
    ("gaps filled by a process", "curves.csv", "--values|v*|--gaps|gaussian-process"),
    ("only what was seen", "curves.csv", "--values|v*|--gaps|rows"),
    ("a long table", "long.csv", "--id|id|--time|day|--value|y|--domain|0,10"),
    ("surfaces", "curves.csv", "--values|v*|--surface|2,3"),
    (
        "a long table of surfaces",
        "surfaces.csv",
        "--id|id|--s|s|--t|t|--value|y|--surface|2,3|--surface-domain|0,1,0,1",
    ),
    ("groups", "curves.csv", "--values|v*|--by|group"),
    ("private groups", "curves.csv", "--values|v*|--by|group|--private-labels|a,b"),
    ("a change", "curves.csv", "--values|v*|--subject|pair|--change|site=1,2|--epsilon|2"),
    ("a slope", "curves.csv", "--values|v*|--subject|pair|--per|site|--epsilon|2"),
    ("a regression", "curves.csv", "--values|v*|--on|site|--covariate-bounds|site=1:3"),
    ("a density", "curves.csv", "--columns|v1|--bounds|0,1"),
    ("a plan", "curves.csv", "--values|v*"),
    ("a plan of a long table", "long.csv", "--id|id|--time|day|--value|y|--domain|0,10"),
    ("a plan of a smoothed mean", "curves.csv", "--values|v*|--mechanism|cameron-martin|--penalty|0.01"),
];

/// A value of each option that is not its default, and is not what the kinds above have.
const VALUES: [(&str, &str); 64] = [
    ("dataset", "d"),
    ("study_name", "s"),
    ("approval", "a"),
    ("date", "2026-11-27"),
    ("centiles", "40,60"),
    ("values", "v1,v2,v3,v4"),
    ("subject", "person"),
    ("missing", "0.5"),
    ("grid", "0,2"),
    ("periodic", ""),
    ("center", "0.4"),
    ("radius", "0.25"),
    ("id", "person"),
    ("time", "night"),
    ("value", "z"),
    ("domain", "0,12"),
    ("bins", "5"),
    ("bound", "0.5"),
    ("surface", "3,2"),
    ("surface_domain", "0,2,0,3"),
    ("s", "s_back"),
    ("t", "t_back"),
    ("s_label", "depth"),
    ("gaps", "rows"),
    ("gaps_kernel", "exponential"),
    ("gaps_range", "0.1"),
    ("gaps_noise", "0.5"),
    ("by", "site"),
    ("change", "site=2,3"),
    ("per", "v1"),
    ("apart", "2"),
    ("on", "person"),
    ("covariate_bounds", "site=1:4"),
    ("outcome", "site=1:4"),
    ("public_design", ""),
    ("columns", "v2"),
    ("cells", "6"),
    ("draws", "7"),
    ("unit", "subject"),
    ("mechanism", "series"),
    ("private_labels", "a,b,c"),
    ("groups_of_subject", "2"),
    ("epsilon", "2"),
    ("delta", "1e-4"),
    ("because", "a rehearsal"),
    ("coordinates", "3"),
    ("bounds", "0,1"),
    ("slope", "1"),
    ("roughness", "0.2"),
    ("radius_share", "0.1"),
    ("center_share", "0.1"),
    ("expected", "3000"),
    ("neighbours", "add-remove"),
    ("moments", "covariance"),
    ("sign", "key"),
    ("seed", "2"),
    ("title", "Another title"),
    ("size", "300x300"),
    ("x_label", "day"),
    ("y_label", "speed"),
    ("units", "km"),
    ("formats", "svg"),
    ("dry_run", ""),
    ("json", ""),
];

/// Options that say where the files go, how fast, or who pays; the curator's name of the file, and how its cells are written.
const ELSEWHERE: [&str; 13] = [
    "files",
    "delimiter",
    "decimal_comma",
    "out",
    "plan_only",
    "ledger",
    "release_id",
    "part_of",
    "not_private",
    "threads",
    "sorted_by_subject",
    "force",
    "quiet",
];

/// Options whose refusal names the option that cures it.
const CURES: [(&str, &str); 10] = [
    ("neighbours", "--private-labels"),
    ("center_share", "--radius-share"),
    // they ask for another kind, which needs more
    ("on", "--covariate-bounds was not given"),
    ("covariate_bounds", "--on was not given"),
    ("change", "--subject was not given"),
    ("per", "--subject was not given"),
    ("centiles", "--bounds was not given"),
    ("columns", "is not a setting of a density"),
    // the code of a coordinate of surfaces
    ("missing", "cannot be missing"),
    ("surface", "no point of the grid of the surfaces"),
];

fn place() -> Place {
    let (mut curves, mut long) =
        ("id,person,pair,group,site,v1,v2,v3,v4,v5,v6\n".to_owned(), "id,person,day,night,y,z\n".to_owned());
    for row in 0..900_u32 {
        let label = ["a", "b"][(row / 2) as usize % 2];
        write!(curves, "r{row},p{},q{},{label},{}", row / 2, row.div_ceil(2), 1 + row % 3).unwrap();
        for point in 0..6_u32 {
            let value = 0.4 + f64::from((row * 7 + point * 5) % 13) / 60.0;
            if (row + point) % 9 == 0 {
                curves += ",";
            } else {
                write!(curves, ",{value}").unwrap();
            }
            writeln!(
                long,
                "r{row},p{},{},{},{value},{}",
                row / 2,
                f64::from(point) * 1.7,
                f64::from(point),
                value / 2.0
            )
            .unwrap();
        }
        curves += "\n";
    }
    let mut surfaces = "id,person,s,s_back,t,t_back,y,z\n".to_owned();
    for row in 0..300_u32 {
        for point in 0..6_u32 {
            let (s, t) = (f64::from(point / 3), f64::from(point % 3) / 2.0);
            let value = 0.4 + f64::from((row * 7 + point * 5) % 13) / 60.0;
            writeln!(surfaces, "r{row},p{row},{s},{},{t},{},{value},{}", 1.0 - s, 1.0 - t, value / 2.0).unwrap();
        }
    }
    let place = Place::new();
    place.write("curves.csv", &curves);
    place.write("long.csv", &long);
    place.write("surfaces.csv", &surfaces);
    place.run("key new key --no-passphrase").succeeded();
    place
}

/// The arguments with those of an option in place of what stands there; arguments are separated by bars.
fn command(file: &str, arguments: &str, option: Option<(&str, &str)>) -> Vec<String> {
    let words: Vec<&str> = arguments.split('|').collect();
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for (name, value) in words.chunks(2).map(|pair| (pair[0], pair[1])).chain(option) {
        pairs.retain(|(known, _)| *known != name && !(name == "--bounds" && matches!(*known, "--center" | "--radius")));
        pairs.push((name, value));
    }
    let words = pairs.into_iter().flat_map(|(name, value)| [name, value]).filter(|word| !word.is_empty());
    ["release", file].into_iter().chain(words).map(str::to_owned).collect()
}

/// What a run printed and wrote, and no trace of it is left.
fn outcome(place: &Place, command: &[String]) -> (Run, Vec<(String, Vec<u8>)>) {
    let run = place.run_with(&command.iter().map(String::as_str).collect::<Vec<_>>());
    let mut files = Vec::new();
    for name in ["out", "plan.json", "plan.key"] {
        let path = place.path(name);
        if path.is_dir() {
            let inside = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            files.extend(
                inside.map(|path| (path.display().to_string(), without_digests(std::fs::read(&path).unwrap()))),
            );
            std::fs::remove_dir_all(&path).unwrap();
        } else if path.exists() {
            let bytes = std::fs::read(&path).unwrap();
            // a key is another one each time
            let bytes = if name == "plan.key" { Vec::new() } else { without_digests(bytes) };
            files.push((name.to_owned(), bytes));
            std::fs::remove_file(&path).unwrap();
        }
    }
    files.sort();
    let run = Run { stdout: String::from_utf8(without_digests(run.stdout.into_bytes())).unwrap(), ..run };
    (run, files)
}

/// A text without the digests of studies and plans in it: every option changes the digest, and is to change something else.
fn without_digests(bytes: Vec<u8>) -> Vec<u8> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(pixels) => return pixels.into_bytes(),
    };
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let words = text.split_inclusive(|c| !is_digit(c)).map(|word| {
        let digits = word.trim_end_matches(|c| !is_digit(c)).len();
        if digits == 16 || digits == 64 { "digest" } else { word }
    });
    words.collect::<String>().into_bytes()
}

/// The options of a release as the parser knows them.
fn options() -> Vec<String> {
    let command = Arguments::command();
    let release = command.find_subcommand("release").unwrap();
    release.get_arguments().map(|option| option.get_id().to_string()).collect()
}

/// The options that a kind of table uses, of those that are walked.
fn used(
    place: &Place,
    (kind, file, arguments): (&str, &str, &str),
    is_walked: impl Fn(usize) -> bool,
) -> BTreeSet<String> {
    let is_plan = kind.starts_with("a plan");
    let place_of_it = if is_plan { "--plan-only|plan.json" } else { "--out|out" };
    let public = if is_plan { PUBLIC.split("|--size").next().unwrap() } else { PUBLIC };
    let own: Vec<&str> = arguments.split('|').filter(|word| word.starts_with("--")).collect();
    // a value that the kind names itself stands last
    let arguments = format!("{public}|{place_of_it}|{arguments}");
    let (plain, written) = outcome(place, &command(file, &arguments, None));
    assert_eq!(plain.code, 0, "{kind}: {}", plain.text());
    let mut used = BTreeSet::new();
    let known = options();
    let walked = known.iter().enumerate().filter(|(number, _)| is_walked(*number)).map(|(_, name)| name);
    for name in walked.filter(|name| !ELSEWHERE.contains(&name.as_str())) {
        let given = format!("--{}", name.replace('_', "-"));
        // a plan is made of an unusual guarantee for a reason, which stands in the release; and of a header, without a cell. The columns of
        // a long table must be there, and each part names its own
        if is_plan && ["because", "missing", "id", "time", "value"].contains(&name.as_str()) {
            continue;
        }
        // a study may say how figures look and what papers there are, and its plan has none
        let section = dpfda_study::setting(name).map(|setting| setting.section);
        let is_of_releases = matches!(section, Some(Section::Figure | Section::Papers));
        if kind == "a plan of a smoothed mean" && is_of_releases {
            continue;
        }
        let (_, value) = VALUES.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("a value of {name}"));
        if arguments.contains(&format!("{given}|{value}|")) || arguments.ends_with(&format!("{given}|{value}")) {
            continue;
        }
        let (run, files) = outcome(place, &command(file, &arguments, Some((&given, value))));
        match run.code {
            0 if run.stdout != plain.stdout || files != written => {
                used.insert(name.clone());
            }
            // by its name, or by that of what makes this kind of table
            2 => {
                let cure = CURES.iter().filter(|(option, _)| option == name).map(|(_, cure)| *cure);
                let is_named = own.iter().copied().chain(cure).chain([given.as_str()]).any(|said| is_told(&run, said));
                assert!(is_named, "{kind}: {given} is refused, but not by its name: {}", run.stderr);
            }
            code => panic!("{kind}: {given} is ignored, exit code {code}: {}", run.text()),
        }
        assert!(run.code == 0 || files.is_empty(), "{kind}: {given} is refused after something was written");
    }
    used
}

/// One of so many options of each kind, another one for each kind: the options that some kind uses.
fn walk(every: usize) -> BTreeSet<String> {
    let numbers: Vec<usize> = (0..KINDS.len()).collect();
    // many commands: two at a time
    let walk = |numbers: &[usize]| {
        let (place, mut all) = (place(), BTreeSet::new());
        for kind in numbers {
            all.extend(used(&place, KINDS[*kind], |option| option % every == kind % every));
        }
        all
    };
    let (some, others) = numbers.split_at(KINDS.len() / 2);
    std::thread::scope(|scope| {
        let others = scope.spawn(|| walk(others));
        &walk(some) | &others.join().unwrap()
    })
}

#[test]
fn one_in_four_options_is_used_or_refused_by_its_name_with_every_kind_of_table() {
    let used = walk(4);
    assert!(used.contains("epsilon") && used.contains("radius"), "{used:?}");
    let known = options();
    assert!(VALUES.iter().all(|(name, _)| known.iter().any(|option| option == name)), "a value of no option");
}

#[test]
#[ignore = "half a minute long: a thousand commands"]
fn every_option_is_used_or_refused_by_its_name_with_every_kind_of_table() {
    let used = walk(1);
    let known = options();
    let unused: Vec<&String> =
        known.iter().filter(|name| !used.contains(*name) && !ELSEWHERE.contains(&name.as_str())).collect();
    assert!(unused.is_empty(), "no kind of table uses {unused:?}");
}

#[test]
fn what_streams_and_parts_need_is_refused_by_its_name_where_curves_are_read_whole() {
    let place = place();
    let public = PUBLIC.split("|--size").next().unwrap();
    for (kind, file, arguments) in KINDS {
        let refused = |more: &str, name: &str| {
            let (run, files) = outcome(&place, &command(file, &format!("{public}|{arguments}|{more}"), None));
            assert!(run.code == 2 && run.stderr.contains(name), "{kind}: {name}: {}", run.text());
            assert!(files.is_empty(), "{kind}: {name}");
        };
        let order = if arguments.contains("--subject") { "--sorted-by-subject" } else { "--subject" };
        refused("--out|out|--sorted-by-subject|", order);
        let is_any = |options: &[&str]| options.iter().any(|option| arguments.contains(option));
        // a table of one surface in each row is a stream, as one of curves is
        let is_long_surface = is_any(&["--surface"]) && is_any(&["--id"]);
        if is_any(&["--gaps", "--by"]) || is_long_surface {
            let sorted = if is_any(&["--id"]) { "--subject" } else { "--sorted-by-subject" };
            refused("--out|out|--subject|person|--sorted-by-subject|", &format!("{sorted} cannot be used with a "));
            refused("--plan-only|plan.json", "--plan-only cannot be used with a ");
        }
    }
}
