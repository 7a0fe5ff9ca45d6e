//! `dpfda reproduce`: the experiments of Mirshani, Reimherr and Slavkovic, for data that are public already, and the
//! simulation of Wasserman and Zhou.

use std::io::{self, Write};

use dpfda::smoothing::{CsvLayout, CurveSet};

use crate::arguments::{ConventionArgument, ReproduceArguments, ReproduceWhat};
use crate::error::CliError;
use crate::input;
use crate::output::{Contents, OutputDirectory};
use crate::progress;
use crate::refusal::Argument;
use crate::summary::CURATOR_ONLY;

mod density;
mod figures;
mod page;
mod privacy;
mod tables;
mod text;

use figures::Drawn;
use tables::{Answer, Dealing, Search};

/// What is said before anything else.
const NOT_PROTECTED: &str = "\
Nothing here protects anybody: it repeats published experiments, faults included, for data that are public already.";

/// Reruns what was asked for, writes the files and returns the report.
pub fn run(arguments: &ReproduceArguments) -> Result<String, CliError> {
    let what = arguments.what;
    if what == ReproduceWhat::Density {
        return density::run(arguments);
    }
    let draws = matches!(what, ReproduceWhat::Figures | ReproduceWhat::All);
    if draws && arguments.out.is_none() {
        return Err(CliError::NoOut);
    }
    if what == ReproduceWhat::Table1 && arguments.convention == ConventionArgument::Correct {
        return Err(CliError::NothingToCorrect);
    }
    let layout = CsvLayout::new(&arguments.values)?;
    let prepare = |out| OutputDirectory::prepare(out, Contents::Reproduction, arguments.force, &[arguments.data()]);
    let output = arguments.out.as_deref().map(prepare).transpose()?;
    let curves = input::read(Argument::Data, arguments.data(), &layout)?;
    let run = Run { arguments, curves };
    // figures come with the heat maps of both tables
    let in_data = |error| input::in_file(Argument::Data, arguments.data(), error);
    let table_1 = if what == ReproduceWhat::Table2 { None } else { Some(run.table_1().map_err(in_data)?) };
    let table_2 = if what == ReproduceWhat::Table1 { None } else { Some(run.table_2().map_err(in_data)?) };
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
    arguments: &'a ReproduceArguments,
    curves: CurveSet,
}

impl Run<'_> {
    fn table_1(&self) -> Result<Search, CliError> {
        progress::over_spectra("Table 1", |report| {
            tables::table_1(&self.curves, Dealing::Shuffled, self.arguments.seed, Some(report))
        })
    }

    fn table_2(&self) -> Result<Search, CliError> {
        progress::over_spectra("Table 2", |report| match self.arguments.convention {
            ConventionArgument::Paper => {
                tables::table_2(&self.curves, Dealing::InOrder, self.arguments.seed, Some(report))
            }
            ConventionArgument::Correct => tables::table_2_correct(&self.curves, tables::PACKAGE_WEIGHTS, Some(report)),
        })
    }

    /// Writes what was asked for; returns the figures.
    fn write(
        &self,
        output: &OutputDirectory,
        table_1: Option<&Search>,
        table_2: Option<&Search>,
    ) -> Result<Vec<Drawn>, CliError> {
        if let Some(search) = table_1 {
            output.write("table1.svg", search.svg("Table 1: scores of cross-validation")?.as_bytes())?;
        }
        if let Some(search) = table_2 {
            output.write("table2.svg", search.svg("Table 2: scores of “private” cross-validation")?.as_bytes())?;
        }
        let mut drawn = Vec::new();
        if table_1.is_some() && table_2.is_some() {
            let repeats = if self.arguments.what == ReproduceWhat::All { figures::REPEATS } else { 1 };
            drawn = figures::draw(&self.curves, self.arguments.seed, repeats)?;
            for figure in &drawn {
                output.write(figure.name, figure.svg.as_bytes())?;
            }
        }
        if let (ReproduceWhat::All, Some(table_1)) = (self.arguments.what, table_1) {
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
        let answer = if self.arguments.what == ReproduceWhat::Figures {
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
    ) -> Result<String, CliError> {
        let mut text = text::head(&self.curves);
        if self.arguments.what != ReproduceWhat::Figures {
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
