//! `dpfda-reproduce`: the experiments of Mirshani, Reimherr and Slavkovic, for data that are public already, and the
//! simulation of Wasserman and Zhou.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use dpfda::smoothing::{CurveLayout, CurveSet};
use dpfda_cli::shared::{Argument, CURATOR_ONLY, CliError, Contents, OutputDirectory, over_spectra, printed, read};
use dpfda_reproduction::ReproductionError;

mod arguments;
mod density;
mod error;
mod figures;
mod page;
mod tables;
mod text;

use arguments::{Arguments, Convention, What};
use error::ReproduceError;
use figures::Drawn;
use tables::{Answer, Dealing, Search};

/// What is said before anything else.
const NOT_PROTECTED: &str = "\
Nothing here protects anybody: it repeats published experiments, faults included, for data that are public already.";

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(text) => printed(&text),
        Err(error) => {
            // Without a standard error stream, the exit code still tells.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Reruns what was asked for, writes the files and returns the report.
fn run(arguments: &Arguments) -> Result<String, ReproduceError> {
    let what = arguments.what;
    if what == What::Density {
        return density::run(arguments);
    }
    let draws = matches!(what, What::Figures | What::All);
    if draws && arguments.out.is_none() {
        return Err(ReproduceError::NoOut);
    }
    if what == What::Table1 && arguments.convention == Convention::Correct {
        return Err(ReproduceError::NothingToCorrect);
    }
    let layout = CurveLayout::new(&arguments.values).map_err(CliError::from)?;
    let prepare = |out| OutputDirectory::prepare(out, Contents::Reproduction, arguments.force, &[arguments.data()]);
    let output = arguments.out.as_deref().map(prepare).transpose()?;
    let curves = read(Argument::Data, arguments.data(), &layout)?;
    let run = Run { arguments, curves };
    // figures come with the heat maps of both tables
    let in_data = |error| match error {
        reason @ ReproductionError::TooFewComplete => {
            ReproduceError::TooFew { path: arguments.data().to_owned(), reason }
        }
        other => other.into(),
    };
    let table_1 = if what == What::Table2 { None } else { Some(run.table_1().map_err(in_data)?) };
    let table_2 = if what == What::Table1 { None } else { Some(run.table_2().map_err(in_data)?) };
    let drawn = match &output {
        Some(output) => run.write(output, table_1.as_ref(), table_2.as_ref())?,
        None => Vec::new(),
    };
    if arguments.json {
        // the mark cannot be in the JSON, whose keys are fixed
        let _ = writeln!(io::stderr(), "{CURATOR_ONLY}. {NOT_PROTECTED}");
        return Ok(run.json(table_1.as_ref(), table_2.as_ref(), &drawn)?);
    }
    run.text(table_1.as_ref(), table_2.as_ref(), output.as_ref())
}

/// One run of the command.
struct Run<'a> {
    arguments: &'a Arguments,
    curves: CurveSet,
}

impl Run<'_> {
    fn table_1(&self) -> Result<Search, ReproductionError> {
        over_spectra("Table 1", |report| {
            tables::table_1(&self.curves, Dealing::Shuffled, self.arguments.seed, Some(report))
        })
    }

    fn table_2(&self) -> Result<Search, ReproductionError> {
        over_spectra("Table 2", |report| match self.arguments.convention {
            Convention::Paper => tables::table_2(&self.curves, Dealing::InOrder, self.arguments.seed, Some(report)),
            Convention::Correct => tables::table_2_correct(&self.curves, tables::PACKAGE_WEIGHTS, Some(report)),
        })
    }

    /// Writes what was asked for; returns the figures.
    fn write(
        &self,
        output: &OutputDirectory,
        table_1: Option<&Search>,
        table_2: Option<&Search>,
    ) -> Result<Vec<Drawn>, ReproduceError> {
        if let Some(search) = table_1 {
            output.write("table1.svg", search.svg("Table 1: scores of cross-validation")?.as_bytes())?;
        }
        if let Some(search) = table_2 {
            output.write("table2.svg", search.svg("Table 2: scores of “private” cross-validation")?.as_bytes())?;
        }
        let mut drawn = Vec::new();
        if table_1.is_some() && table_2.is_some() {
            let repeats = if self.arguments.what == What::All { figures::REPEATS } else { 1 };
            drawn = figures::draw(&self.curves, self.arguments.seed, repeats)?;
            for figure in &drawn {
                output.write(figure.name, figure.svg.as_bytes())?;
            }
        }
        if let (What::All, Some(table_1)) = (self.arguments.what, table_1) {
            let page = page::page(&self.curves, self.arguments, table_1, &drawn)?;
            output.write("reproduction.md", page.as_bytes())?;
        }
        output.finish()?;
        Ok(drawn)
    }

    fn json(
        &self,
        table_1: Option<&Search>,
        table_2: Option<&Search>,
        drawn: &[Drawn],
    ) -> Result<String, serde_json::Error> {
        let answer = if self.arguments.what == What::Figures {
            Answer::of_figures(drawn.iter().map(|figure| figure.name).collect())
        } else {
            Answer::of_tables(table_1, table_2, self.arguments.convention)
        };
        Ok(serde_json::to_string(&answer)? + "\n")
    }

    fn text(
        &self,
        table_1: Option<&Search>,
        table_2: Option<&Search>,
        output: Option<&OutputDirectory>,
    ) -> Result<String, ReproduceError> {
        let mut text = text::head(&self.curves);
        if self.arguments.what != What::Figures {
            if let Some(search) = table_1 {
                text += &text::table_1(&self.curves, search, self.arguments.seed)?;
            }
            if let Some(search) = table_2 {
                text += &text::table_2(&self.curves, search, self.arguments.convention)?;
            }
            text += &text::about_folds();
            text += &text::about_privacy();
        }
        if let Some(output) = output {
            text += &text::files(output.target(), self.arguments.what);
        }
        Ok(text)
    }
}
