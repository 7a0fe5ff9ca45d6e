//! Rules of the house that no compiler checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 500;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files of the project, as paths from its root; what builds and version control leave is not part of it.
fn files() -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root().to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_file() {
                files.push(path.strip_prefix(root()).unwrap().to_owned());
            } else if path.is_dir() && name != "target" && name != ".git" {
                folders.push(path);
            }
        }
    }
    files
}

fn files_with_extension(extension: &str) -> Vec<(PathBuf, String)> {
    let wanted = files().into_iter().filter(|path| path.extension().is_some_and(|found| found == extension));
    wanted.map(|path| (path.clone(), fs::read_to_string(root().join(path)).unwrap())).collect()
}

/// The lines of the code, comments left aside.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    code.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// The words of the code, comments left aside.
fn words(code: &str) -> impl Iterator<Item = &str> {
    lines(code).flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Whether a word stands in the code, comments left aside.
fn says(code: &str, word: &str) -> bool {
    words(code).any(|found| found == word)
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "tests.rs" || name.ends_with("_tests.rs") || path.components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    for (path, code) in files_with_extension("rs") {
        let lines = code.lines().count();
        assert!(lines <= MOST_LINES, "{}: {lines} lines, probably two concepts", path.display());
    }
}

#[test]
fn no_source_file_is_unsafe() {
    let word = ["un", "safe"].concat();
    assert!(says("let x = unsafe { y };", &word) && !says("let x = 1; // unsafe", &word), "the check itself");
    for (path, code) in files_with_extension("rs") {
        // a page may forbid scripts in the words of a content security policy
        let code = code.replace(&format!("'{word}-inline'"), "");
        assert!(path.ends_with("house_rules.rs") || !says(&code, &word), "{}", path.display());
    }
}

/// The lints forbid such code and ask for documentation, but only where a crate takes them over.
#[test]
fn every_crate_takes_over_the_lints_of_the_workspace() {
    for (path, manifest) in files_with_extension("toml").into_iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        assert!(manifest.contains("[lints]\nworkspace = true"), "{}", path.display());
    }
}

/// A file that no binary takes in would pass for ever.
#[test]
fn every_file_of_tests_is_in_a_binary() {
    let in_tests = |path: &Path| path.parent().is_some_and(|folder| folder.ends_with("tests"));
    for (path, _) in files_with_extension("rs").into_iter().filter(|(path, _)| in_tests(path)) {
        let (folder, name) = (root().join(path.parent().unwrap()), path.file_stem().unwrap().to_string_lossy());
        let manifest = fs::read_to_string(folder.join("../Cargo.toml")).unwrap_or_default();
        let main = fs::read_to_string(folder.join("main.rs")).unwrap_or_default();
        let is_in = manifest.contains(&format!("path = \"tests/{name}.rs\"")) || main.contains(&format!("mod {name};"));
        assert!(is_in || path.ancestors().any(|above| above.ends_with("src")), "{}", path.display());
    }
}

#[test]
fn one_file_names_the_eigensolver() {
    for (path, code) in files_with_extension("rs").into_iter().filter(|(path, _)| !path.starts_with("tests")) {
        let named = ["faer", "ndarray_linalg"].iter().any(|library| says(&code, library));
        assert!(
            !named || path.starts_with("crates/kernels/src/mercer/eigensolver.rs") || is_test(&path),
            "{}",
            path.display()
        );
    }
}

/// A library that prints may print what is private; only the command speaks.
#[test]
fn libraries_print_nothing() {
    for (path, code) in files_with_extension("rs") {
        let is_library = path.starts_with("src") || (path.starts_with("crates") && !path.starts_with("crates/cli"));
        let printing = ["print", "println", "eprint", "eprintln", "dbg"]
            .iter()
            .any(|word| lines(&code).any(|line| line.contains(&format!("{word}!("))));
        assert!(!printing || !is_library || is_test(&path), "{}", path.display());
    }
}

#[test]
fn curves_of_people_are_not_in_the_repository() {
    assert!(files().iter().all(|path| !path.ends_with("dti_cca.csv")));
}

/// A text without its fenced code.
pub fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What stands in backticks.
fn quoted(prose: &str) -> impl Iterator<Item = &str> {
    prose.split('`').skip(1).step_by(2)
}

/// Paths in backticks that begin with a folder of the project, and the targets of links, outside fenced code.
fn paths_named(document: &Path, text: &str) -> Vec<PathBuf> {
    const FOLDERS: [&str; 7] = ["crates/", "src/", "data/", "docs/", "examples/", "benches/", "tests/"];
    let prose = prose(text);
    let quoted = quoted(&prose)
        .filter(|span| FOLDERS.iter().any(|folder| span.starts_with(folder)) && !span.contains(['*', '<', ' ', '\n']));
    let links = prose.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let local = links.filter(|target| !target.is_empty() && !target.contains("://"));
    let folder = root().join(document.parent().unwrap());
    quoted.map(|span| root().join(span)).chain(local.map(|target| folder.join(target))).collect()
}

#[test]
fn every_file_that_a_document_names_exists() {
    let planted =
        paths_named(Path::new("docs/a.md"), "see `src/no.rs`\n```\n`src/code.rs`\n```\n`src/then.rs` and [b](no.md)");
    assert_eq!(planted, ["src/no.rs", "src/then.rs", "docs/no.md"].map(|path| root().join(path)));
    for (document, text) in files_with_extension("md") {
        for path in paths_named(&document, &text) {
            assert!(path.exists(), "{} names {}", document.display(), path.display());
        }
    }
}

/// The words of what is surely a name of the code: a path of names, a test, or a type.
fn name(span: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = span.split("::").collect();
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let capitals = span.chars().filter(|c| c.is_uppercase()).count();
    let is_type = span.starts_with(char::is_uppercase)
        && span.chars().all(char::is_alphabetic)
        && (2..span.len()).contains(&capitals);
    let is_name = words.len() > 1 || span.matches('_').count() > 2 || is_type;
    (is_name && words.iter().all(is_word)).then_some(words)
}

/// The names of a text whose words stand together in none of the files.
fn lost_names(text: &str, files: &[BTreeSet<&str>]) -> Vec<String> {
    let prose = prose(text);
    let is_lost = |name: Vec<&str>| !files.iter().any(|file| name.iter().all(|word| file.contains(word)));
    quoted(&prose).filter(|span| name(span).is_some_and(is_lost)).map(str::to_owned).collect()
}

#[test]
fn every_name_of_the_code_on_a_page_of_proofs_stands_in_a_file() {
    let code = files_with_extension("rs");
    let files: Vec<BTreeSet<&str>> = code.iter().map(|(_, code)| words(code).collect()).collect();
    let (known, method) = ("`lost_names` and `BTreeSet::from`", ["Curve", "Set::of_", "nobody"].concat());
    assert_eq!(lost_names(&format!("{known} `{method}` `x_i_j`"), &files), [method]);
    for (page, text) in files_with_extension("md").into_iter().filter(|(path, _)| path.starts_with("docs/proofs")) {
        let lost = lost_names(&text, &files);
        assert!(lost.is_empty(), "{} names {lost:?}", page.display());
    }
}

/// Colours `#rrggbb` of a text.
fn colours(text: &str) -> Vec<&str> {
    let is_colour = |word: &&str| word.len() == 6 && word.chars().all(|c| c.is_ascii_hexdigit());
    text.split('#').skip(1).filter_map(|rest| rest.get(..6)).filter(is_colour).collect()
}

/// A page has colours of its own for its text, which are named (`--ink`); what is drawn has those of the palette.
#[test]
fn every_figure_has_the_colours_of_the_palette() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let code = read("crates/plotting/src/canvas/palette.rs");
    let solid = code.split("solid(").skip(1).filter_map(|rest| rest.split(')').next());
    let numbers = solid.map(|colour| colour.split(", ").filter_map(|number| number.parse::<u8>().ok()));
    // the definition of `solid` has names there and no numbers
    let hex = |numbers: Vec<u8>| match numbers[..] {
        [red, green, blue] => Some(format!("{red:02x}{green:02x}{blue:02x}")),
        _ => None,
    };
    let palette: BTreeSet<String> = numbers.filter_map(|numbers| hex(numbers.collect())).collect();
    let style = read("crates/report/src/style.css");
    let drawn: Vec<&str> = style.lines().filter(|line| !line.contains("--ink:")).flat_map(colours).collect();
    let python = read("bindings/python/python/dpfda/_figures.py");
    let r = read("bindings/r/R/plot.R");
    for found in [drawn, colours(&python), colours(&r)] {
        assert!(!found.is_empty() && found.iter().all(|colour| palette.contains(*colour)), "{found:?}");
    }
}
