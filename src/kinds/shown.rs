//! What a release says, for whoever shows it.

use dpfda_analysis::Estimated;
use dpfda_mechanism::{Fact, Labels};

use super::kind::Kind;
#[cfg(feature = "density")]
use super::notes::of_density;
use super::notes::{Held, at_bound, crowded, far_center, nothing_told, weak_delta};
use super::picture::Picture;
use super::published::Published;
use super::{Can, Row};

/// The name of facts that should make a reader careful.
const NOTE: &str = "NOTE";

/// What a release says: everything that commands, reports, tables, figures and other languages show of it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The row of its kind.
    pub row: &'static Row,
    /// What a reader calls it.
    pub title: &'static str,
    /// What it is, in words, without notes.
    pub facts: Vec<Fact>,
    /// What should make a reader careful; `{subject}` stands for the setting of this name, as a front end writes it.
    pub notes: Vec<String>,
    /// What it looks like.
    pub picture: Picture,
    labels: Labels,
    /// The least and the largest value that are possible, where they were stated: only figures show them.
    #[cfg_attr(not(feature = "plotting"), allow(dead_code, reason = "there are no figures"))]
    limits: Option<(f64, f64)>,
    /// Whether the noise was secret.
    pub is_private: bool,
}

/// Numbers in named columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// What the names of the rows are, where rows have names.
    pub key: Option<&'static str>,
    /// The names of the columns of numbers.
    pub columns: Vec<String>,
    /// A name, and a number for each column.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl Shown {
    /// What a release with an estimate says.
    pub fn of<S: Kind>(estimated: Estimated<S>) -> Self {
        let release = estimated.drawn();
        let [first, last] = S::cautions(&estimated);
        let (mut facts, mut notes) = (estimated.facts(), first);
        notes.extend((!release.is_private()).then(|| Fact::from_a_seed().text));
        notes.extend(weak_delta(release.budget().delta(), S::records(&estimated), release.neighbours()));
        notes.extend(
            facts
                .extract_if(.., |fact| fact.name == NOTE)
                .map(|fact| fact.text)
                .filter(|text| *text != Fact::from_a_seed().text),
        );
        notes.extend(last);
        let row = row_of(S::KIND);
        let (labels, is_private) = (release.labels().clone(), release.is_private());
        let title = S::title(estimated.release());
        let (bounds, held) = (S::bounds(estimated.release()), Held::by(release.statistic()));
        let picture = S::picture(estimated);
        notes.extend(bounds.and_then(|bounds| at_bound(&picture, bounds)));
        notes.extend(bounds.and_then(|bounds| nothing_told(&picture, bounds)));
        let far = || far_center(&picture, &held, row.can(Can::BoughtCentre));
        notes.extend(crowded(&picture, &held).or_else(far));
        Self { row, title, facts, notes, picture, labels, limits: bounds, is_private }
    }

    /// What a release says that is its own answer.
    pub(super) fn of_answer(release: &dyn Published, picture: Picture) -> Self {
        let provenance = release.provenance();
        let mut facts = release.facts();
        let mut notes: Vec<String> = facts.extract_if(.., |fact| fact.name == NOTE).map(|fact| fact.text).collect();
        let guarantee = provenance.guarantee;
        let weak = provenance
            .records
            .and_then(|records| weak_delta(guarantee.budget().delta(), records as f64, guarantee.neighbours()));
        notes.extend(weak);
        #[cfg(feature = "density")]
        if let Picture::Density { density, noise_sd } = &picture {
            notes.extend(of_density(density, *noise_sd, guarantee.unit()));
        }
        let labels = provenance.labels.cloned().unwrap_or_default();
        let (row, is_private) = (row_of(release.kind()), provenance.private);
        Self { row, title: row.title, facts, notes, picture, labels, limits: None, is_private }
    }

    /// The public names of its axes.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The same with other names of axes in figures, where there are some.
    #[must_use]
    pub fn labelled(self, labels: Labels) -> Self {
        Self { labels: labels.or(&self.labels), ..self }
    }

    /// The public names of columns that the release has: that of its groups, or of its coordinates.
    pub fn columns(&self) -> &[String] {
        self.labels.columns()
    }

    /// All numbers in named columns; `None` where the noise hides them.
    pub fn table(&self) -> Option<Table> {
        self.picture.table(self.labels.columns())
    }

    /// The figure; `None` for what is told in words alone.
    ///
    /// # Errors
    /// [`FigureError`](dpfda_plotting::FigureError) for numbers that axes cannot show.
    #[cfg(feature = "plotting")]
    pub fn figure(
        &self,
        frame: &dpfda_plotting::Frame<'_>,
    ) -> Result<Option<dpfda_plotting::Drawing>, dpfda_plotting::FigureError> {
        let Self { facts, labels, limits, is_private, .. } = self;
        let facts = if frame.is_bare { &[][..] } else { facts };
        let about = dpfda_plotting::About { facts, labels, is_private: *is_private, limits: *limits };
        self.picture.figure(&about, frame)
    }
}

pub(super) fn row_of(kind: &str) -> &'static Row {
    Row::of(kind).unwrap_or_else(|| unreachable!("every kind that is published has a row"))
}
