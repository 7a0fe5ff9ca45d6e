//! Where a fault goes and which tests should see it: found again by text and name, wherever either has moved.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::table::Fault;

/// The code of a project, without comments on where it should be.
pub struct Sources(Vec<Source>);

struct Source {
    file: String,
    code: String,
    /// The code without white space, and for each of its bytes the place in the code.
    squeezed: (String, Vec<usize>),
}

/// A place for a fault.
pub struct Place {
    /// The file, from the root of the project.
    pub file: String,
    /// The sound text in it.
    pub range: Range<usize>,
}

/// A test binary: a package, and `lib` or `integration`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binary {
    pub package: String,
    pub target: String,
}

/// Why a fault cannot be planted any more.
pub enum Stale {
    /// Its text is nowhere.
    Gone,
    /// Its text is in several places.
    Several(Vec<String>),
    /// No test of this name.
    NoTest(&'static str),
    /// No test binary has all of its tests, or several have.
    Scattered(Vec<Binary>),
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.target)
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the text is nowhere in crates/*/src"),
            Self::Several(files) => write!(f, "the text stands {} times: in {}", files.len(), files.join(", ")),
            Self::NoTest(name) => write!(f, "there is no test {name}"),
            Self::Scattered(binaries) => {
                let names: Vec<String> = binaries.iter().map(Binary::to_string).collect();
                write!(f, "the tests are not all in one test binary, but in {}", names.join(", "))
            }
        }
    }
}

impl Sources {
    /// All code of the project at `root`.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut sources = Vec::new();
        for folder in ["crates", "src", "tests"] {
            read_folder(root, Path::new(folder), &mut sources)?;
        }
        Ok(Self(sources))
    }

    /// Where the sound text stands, white space aside: in the file that the table names, or else in one other place.
    pub fn place(&self, fault: &Fault) -> Result<Place, Stale> {
        let (old, _) = squeezed(&fault.old);
        let mut places: Vec<Place> =
            self.0.iter().filter(|source| !is_test(&source.file)).flat_map(|source| source.places(&old)).collect();
        let expected = |place: &Place| place.file == fault.file;
        if places.iter().filter(|place| expected(place)).count() == 1 {
            places.retain(expected);
        }
        match (places.pop(), places.is_empty()) {
            (None, _) => Err(Stale::Gone),
            (Some(place), true) => Ok(place),
            (Some(last), false) => {
                Err(Stale::Several(places.into_iter().chain([last]).map(|place| place.file).collect()))
            }
        }
    }

    /// The test binary with the tests of a fault; of several, that of the crate in which it is planted.
    pub fn binary(&self, fault: &Fault, place: &Place) -> Result<Binary, Stale> {
        let mut common: Option<BTreeSet<Binary>> = None;
        for &test in &fault.tests {
            let definition = format!("fn {}(", test.rsplit("::").next().unwrap_or(test));
            let holding = self.0.iter().filter(|source| source.code.contains(&definition));
            let found: BTreeSet<Binary> = holding.filter_map(|source| binary_of(&source.file)).collect();
            if found.is_empty() {
                return Err(Stale::NoTest(test));
            }
            common = Some(common.map_or(found.clone(), |common| &common & &found));
        }
        let mut common = common.unwrap_or_default();
        let own = binary_of(&place.file).map(|own| own.package);
        if common.iter().any(|binary| Some(&binary.package) == own.as_ref()) {
            common.retain(|binary| Some(&binary.package) == own.as_ref());
        }
        match (common.pop_first(), common.is_empty()) {
            (Some(binary), true) => Ok(binary),
            (first, _) => Err(Stale::Scattered(first.into_iter().chain(common).collect())),
        }
    }
}

impl Source {
    fn places(&self, old: &str) -> impl Iterator<Item = Place> {
        let (text, places) = &self.squeezed;
        text.match_indices(old).map(|(start, found)| {
            let last = places[start + found.len() - 1];
            let end = last + self.code[last..].chars().next().map_or(0, char::len_utf8);
            Place { file: self.file.clone(), range: places[start]..end }
        })
    }
}

fn read_folder(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> io::Result<()> {
    let mut entries =
        fs::read_dir(root.join(folder))?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    entries.sort_unstable();
    for path in entries.into_iter().map(|name| folder.join(name)) {
        if root.join(&path).is_dir() {
            read_folder(root, &path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = fs::read_to_string(root.join(&path))?;
            let squeezed = squeezed(&code);
            sources.push(Source { file: path.to_string_lossy().replace('\\', "/"), code, squeezed });
        }
    }
    Ok(())
}

/// The text without white space, and where each of its bytes stood: formatting does not matter.
fn squeezed(text: &str) -> (String, Vec<usize>) {
    let kept = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let places = kept.clone().flat_map(|(place, c)| std::iter::repeat_n(place, c.len_utf8())).collect();
    (kept.map(|(_, c)| c).collect(), places)
}

/// A fault in a test is no fault, and what stands outside the crates is not planted in.
fn is_test(file: &str) -> bool {
    let mut parts = file.split('/').skip(2);
    let in_crate = file.starts_with("crates/") && parts.next() == Some("src");
    !in_crate || parts.any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"))
}

/// The binary that the tests of a file are in: `crates/NAME/src/..`, `crates/NAME/tests/..`, `tests/..`.
fn binary_of(file: &str) -> Option<Binary> {
    let mut parts = file.split('/');
    let first = parts.next()?;
    let (package, folder) = if first == "crates" {
        (format!("dpfda-{}", parts.next()?), parts.next()?)
    } else {
        ("dpfda".to_owned(), first)
    };
    let target = if folder == "src" { "lib" } else { "integration" };
    Some(Binary { package, target: target.to_owned() })
}
