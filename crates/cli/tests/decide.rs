//! The page on decisions shows what the command prints.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::Place;

const FENCE: &str = "```console\n$ dpfda ";
/// The last line of an answer that the page cuts short.
const MORE: &str = "...\n";

#[test]
fn every_answer_on_the_page_is_what_the_command_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decide.md");
    let page = fs::read_to_string(&path).unwrap();
    let place = Place::new();
    let mut pieces = page.split(FENCE);
    let mut written = pieces.next().unwrap().to_owned();
    let mut stories = 0;
    for piece in pieces {
        let (command, rest) = piece.split_once('\n').unwrap();
        let (shown, after) = rest.split_once("```\n").unwrap();
        let mut answer = place.run(command).succeeded().stdout;
        if let Some(shown) = shown.strip_suffix(MORE) {
            answer = answer.split_inclusive('\n').take(shown.lines().count()).collect::<String>() + MORE;
        }
        write!(written, "{FENCE}{command}\n{answer}```\n{after}").unwrap();
        stories += 1;
    }
    assert!(stories >= 3, "{stories} stories");
    if std::env::var_os("DPFDA_WRITE_PAGES").is_some() {
        fs::write(path, written).unwrap();
    } else {
        assert_eq!(page, written, "write it with DPFDA_WRITE_PAGES=1 cargo test -p dpfda-cli decide");
    }
}
