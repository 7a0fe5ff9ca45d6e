//! The page on choosing numbers shows what the command prints.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::Place;

const FENCE: &str = "```console\n$ dpfda ";

#[test]
fn every_answer_on_the_page_is_what_the_command_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/choosing.md");
    let page = fs::read_to_string(&path).unwrap();
    let place = Place::new();
    let mut pieces = page.split(FENCE);
    let mut written = pieces.next().unwrap().to_owned();
    let mut stories = 0;
    for piece in pieces {
        let (command, rest) = piece.split_once('\n').unwrap();
        let (_, after) = rest.split_once("```\n").unwrap();
        let answer = place.run(command).succeeded().stdout;
        write!(written, "{FENCE}{command}\n{answer}```\n{after}").unwrap();
        stories += 1;
    }
    assert!(stories >= 3, "{stories} stories");
    if std::env::var_os("DPFDA_WRITE_PAGES").is_some() {
        fs::write(path, written).unwrap();
    } else {
        assert_eq!(page, written, "write it with DPFDA_WRITE_PAGES=1 cargo test -p dpfda-cli choosing");
    }
}
