//! What a release would read and spend: for the curator alone. Nothing is drawn.

use dpfda::mechanism::Fact;
use dpfda_study::{Asked, AskedDensity, Data, Work};
use pyo3::prelude::*;

use crate::data::{DataArgument, Whole};
use crate::door::{Concerns, Gathered};
use crate::refusal::Refusal;
use crate::release::work;
use crate::released::told;
use crate::study::CheckedStudy;

/// What a release would read and spend, by names. Whatever a release refuses before its noise is refused here too.
#[pyfunction]
#[pyo3(signature = (study, data, workers))]
pub fn check(
    py: Python<'_>,
    study: &CheckedStudy,
    data: DataArgument<'_>,
    workers: Option<usize>,
) -> Result<Vec<(&'static str, String)>, Refusal> {
    Ok(looked(py, study, &data, work(workers, false))?.into_iter().map(told).collect())
}

fn looked(py: Python<'_>, study: &CheckedStudy, data: &DataArgument<'_>, work: Work) -> Result<Vec<Fact>, Refusal> {
    let (checked, reading) = (&study.checked, study.reads());
    let Some(asked) = Asked::of(checked)? else {
        let asked = AskedDensity::of(checked)?;
        let (points, _) = data.points(py, reading, &asked.bounds)?;
        return py.detach(|| Ok(asked.look(&points)?.into_revealed()));
    };
    let told = Gathered::new(Concerns::default(), true);
    let look = |data: &Data<'_>| Ok(asked.look::<Refusal>(data, work, &told)?.into_revealed().facts);
    match (&asked, data) {
        (_, DataArgument::Files(path)) => {
            reading.layout_of_files()?;
            py.detach(|| look(&Data::Files(path)))
        }
        (_, DataArgument::Memory(memory)) if checked.is_long() => {
            let table = memory.long_of(reading, &asked)?;
            py.detach(|| Ok(asked.look_long::<Refusal>(&table, work, &told)?.into_revealed()))
        }
        _ => {
            let wide = data.wide(reading)?;
            py.detach(|| {
                let Whole { curves, columns, .. } = wide.whole(reading)?;
                look(&Data::Memory(&curves, &columns))
            })
        }
    }
}
