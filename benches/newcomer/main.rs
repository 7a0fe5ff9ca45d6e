//! Measures a newcomer's way from a clone to a report that can be signed, in a fresh folder, and the size of the command. It writes
//! the table into docs/results/journey.md.
//!
//! ```text
//! cargo run --release -p dpfda-benches --bin newcomer [FOLDER]      FOLDER must not exist; target/newcomer by default
//! ```
//!
//! Nothing else should run on the machine: the second step compiles everything. Crates that cargo has not downloaded before are
//! downloaded in that step.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const PAGE: &str = "docs/results/journey.md";
const BEGIN: &str = "<!-- newcomer -->\n";
const END: &str = "<!-- end of newcomer -->\n";

/// What is asked of the command, in its order, after it is installed.
const STEPS: [(&str, &str); 6] = [
    ("say how large the error will be", "forecast --records 142 --bounds 0,1 --epsilon 1 --delta 1e-5"),
    (
        "open an account",
        "ledger create people.ledger --epsilon 3 --delta 1e-4 --unit subject --neighbours substitute --dataset tracts",
    ),
    ("look at the curves", "check data/dti_like.csv RELEASE"),
    ("release the mean", "release data/dti_like.csv RELEASE --out private-mean"),
    ("write the report", "report private-mean/release.json --ledger people.ledger --out report.html"),
    ("compare the release with the account", "ledger verify private-mean/release.json --ledger people.ledger"),
];

/// The settings of the release, which the check before it has too.
const RELEASE: &str = "--values cca_* --subject ID --bounds 0,1 --epsilon 1 --delta 1e-5 --ledger people.ledger";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = std::env::args_os().nth(1).map_or_else(|| root.join("target/newcomer"), PathBuf::from);
    if folder.exists() {
        return Err(format!("{} exists: name a folder that does not", folder.display()).into());
    }
    fs::create_dir_all(&folder)?;
    let (clone, installed) = (folder.join("dpfda"), folder.join("installed"));
    let mut rows = vec![
        timed("clone", "git clone", Command::new("git").args(["clone", "--quiet"]).arg(root).arg(&clone))?,
        timed(
            "install the command",
            "cargo install --locked --path crates/cli",
            Command::new("cargo")
                .args(["install", "--quiet", "--locked", "--path", "crates/cli", "--root"])
                .arg(&installed)
                .env("CARGO_TARGET_DIR", folder.join("target"))
                .current_dir(&clone),
        )?,
    ];
    let command = installed.join("bin").join(format!("dpfda{}", std::env::consts::EXE_SUFFIX));
    for (what, arguments) in STEPS {
        let words = arguments.replace("RELEASE", RELEASE);
        let mut step = Command::new(&command);
        rows.push(timed(what, &format!("dpfda {words}"), step.args(words.split(' ')).current_dir(&clone))?);
    }
    let report = fs::metadata(clone.join("report.html"))?.len();
    let table = table(&rows, fs::metadata(&command)?.len(), report)?;
    print!("{table}");
    write_page(&root.join(PAGE), &table)
}

/// A step, its command and its seconds.
struct Row {
    what: String,
    command: String,
    seconds: f64,
}

fn timed(what: &str, shown: &str, command: &mut Command) -> Result<Row, Box<dyn Error>> {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output()?;
    let seconds = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("`{shown}` failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(Row { what: what.to_owned(), command: shown.to_owned(), seconds })
}

fn table(rows: &[Row], command: u64, report: u64) -> Result<String, Box<dyn Error>> {
    let cores = std::thread::available_parallelism()?;
    let mut table = "| step | command | seconds |\n|---|---|---|\n".to_owned();
    for Row { what, command, seconds } in rows {
        let shown = command.replace("cca_*", "'cca_*'");
        writeln!(table, "| {what} | `{shown}` | {seconds:.1} |")?;
    }
    let all: f64 = rows.iter().map(|row| row.seconds).sum();
    writeln!(
        table,
        "| all | | {all:.1} |\n\nMeasured on {cores} cores with dpfda {}. The installed command has {:.1} MB, the report {:.1} kB. What \
         takes longer is not here: to decide on bounds, epsilon and delta, to read the report, and to sign it.",
        env!("CARGO_PKG_VERSION"),
        command as f64 / 1e6,
        report as f64 / 1e3
    )?;
    Ok(table)
}

fn write_page(path: &Path, table: &str) -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(path)?;
    let (before, rest) = page.split_once(BEGIN).ok_or("the page lacks the beginning of its part")?;
    let (_, after) = rest.split_once(END).ok_or("the page lacks the end of its part")?;
    fs::write(path, format!("{before}{BEGIN}{table}{END}{after}"))?;
    Ok(())
}
