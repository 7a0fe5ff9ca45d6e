//! Every type of figure beside its predecessor, on one page for a browser.
//!
//! ```text
//! git worktree add /tmp/before COMMIT                  the pictures as they were
//! PICTURES=crates/plotting/tests/pictures/golden
//! cargo run -p dpfda-plotting --example sheet -- /tmp/before/$PICTURES $PICTURES sheet.html
//! ```

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEAD: &str = "<!doctype html><meta charset=\"utf-8\"><title>Figures</title><style>body{font-family:sans-serif;margin:1em}\
                    td{vertical-align:top;padding:.5em;border-top:1px solid #ccc}svg{width:46vw;height:auto}</style>\n<table>\n\
                    <tr><th>before<th>now\n";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [before, now, page] = &arguments[..] else { return Err("give two folders of pictures and a page".into()) };
    let mut names =
        fs::read_dir(now)?.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>, std::io::Error>>()?;
    names.sort();
    let mut html = HEAD.to_owned();
    for name in names {
        let earlier = fs::read_to_string(Path::new(before).join(&name)).unwrap_or_else(|_| "none".to_owned());
        let picture = fs::read_to_string(Path::new(now).join(&name))?;
        writeln!(html, "<tr><td colspan=2>{}\n<tr><td>{earlier}<td>{picture}", name.display())?;
    }
    fs::write(page, html + "</table>\n")?;
    Ok(())
}
