//! How a table was read, for the document of a release.

use dpfda::mechanism::{GridSource, Source, is_name};

use crate::checked::Checked;
use crate::kind::Kind;
use crate::values::GridValue;

impl Checked {
    /// How the table was read, and by which study; `columns` are the names of the columns of values, where they are surely names. Names
    /// that could not be printed on a line are left out.
    pub fn source(&self, columns: Option<Vec<&str>>) -> Source {
        let table = &self.table;
        let subject = if self.is_long() { &table.id } else { &table.subject };
        let columns: Vec<String> = columns.unwrap_or_default().into_iter().map(str::to_owned).collect();
        let columns = if columns.iter().all(|name| is_name(name)) { columns } else { Vec::new() };
        let subject = subject.as_deref().filter(|name| is_name(name)).map(str::to_owned);
        let missing = table.missing.as_ref().map_or_else(Vec::new, |missing| missing.codes().to_vec());
        let source = Source::new(columns, subject, self.grid_source(), missing);
        let source = source.and_then(|source| source.because(self.privacy.reason()));
        // what may be refused are codes that fit on no line
        let source =
            source.unwrap_or_else(|_| Source::empty()).following(Some(self.digest())).with_papers(self.papers.told());
        match self.gaps_in_words() {
            Some(words) => source.clone().with_gaps(Some(&words)).unwrap_or(source),
            None => source,
        }
    }

    fn grid_source(&self) -> Option<GridSource> {
        Some(match (self.kind, self.is_long(), &self.table.grid) {
            (Kind::Density, ..) => return None,
            (Kind::Surface, true, _) => GridSource::SurfaceRows,
            (Kind::Surface, false, _) => GridSource::Surface,
            (Kind::Rows | Kind::Centiles, true, _) => GridSource::Rows,
            (.., None) => GridSource::Default,
            (.., Some(GridValue::Names)) => GridSource::Names,
            (.., Some(GridValue::Uniform(..))) => GridSource::Uniform,
            (.., Some(GridValue::Points(points))) if points.len() == 2 => GridSource::Ends,
            (.., Some(GridValue::Points(_))) => GridSource::Points,
        })
    }

    /// What stood for a missing value, where that was no line.
    fn gaps_in_words(&self) -> Option<String> {
        match self.kind {
            Kind::Rows | Kind::Centiles if self.is_of_rows() && !self.is_long() => Some("count as not seen".to_owned()),
            Kind::Mean => Some(self.table.process().ok()??.to_string()),
            _ => None,
        }
    }
}
