//! The density that a study asks for.

use dpfda::density::{
    Bounds, Cells, KsExponential, PerturbedHistogram, PointLayout, Points, SeriesMechanism, SeriesTerms,
    SmoothedHistogram, cells_to_merge,
};
use dpfda::kinds::resolution;
use dpfda::mechanism::{Fact, Labels, Payable, budget_in_words, exact};
use dpfda::privacy::{NeighbouringRelation, NonPrivate, PrivacyBudget, PrivacyUnit};
use dpfda::smoothing::Decimal;

use crate::asked::budget::check_pure;
use crate::blame::{Blamed, of_density};
use crate::checked::Checked;
use crate::choices::MechanismName;
use crate::refusal::Refusal;

/// More synthetic points are for a program that reads the release.
const MOST_SYNTHETIC: usize = 10_000_000;

/// Where the number of records is private, defaults are those for this number.
pub const RECORDS: u64 = 1000;

/// The most cells and draws of the exponential mechanism by default: a release then takes seconds.
pub const MOST_CELLS: usize = 1000;
/// The most draws by default.
pub const MOST_DRAWS: usize = 200;

/// So many terms are released in one, two and three dimensions.
const MOST_TERMS: [usize; 3] = [32, 36, 64];

/// The density that a study asks for, checked without the data.
#[derive(Debug, Clone)]
pub struct AskedDensity {
    /// What makes it private.
    pub mechanism: MechanismName,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The least and the largest value of each.
    pub bounds: Bounds,
    /// The guarantee.
    pub budget: PrivacyBudget,
    /// Which data sets are neighbours.
    pub neighbours: NeighbouringRelation,
    /// What a record is: by the column of subjects, or by the curator's word.
    pub unit: PrivacyUnit,
    /// How the columns are read.
    pub layout: PointLayout,
    /// Along each axis; to be chosen if not given.
    pub cells: Option<usize>,
    /// How many synthetic points, or how many draws the mechanism makes.
    pub draws: Option<usize>,
}

impl AskedDensity {
    /// Refuses what can be refused without the data.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn of(study: &Checked) -> Result<Self, Refusal> {
        let (privacy, table, density) = (&study.privacy, &study.table, &study.density);
        let columns = table.columns.as_ref().map(|columns| columns.0.clone()).unwrap_or_default();
        // the study was checked: each column has two
        let numbers = study.bound.bounds.as_deref().unwrap_or_default();
        let bounds = Bounds::new(numbers.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect())?;
        let layout = PointLayout::new(columns.clone()).missing(table.missing.clone().unwrap_or_default());
        let layout = match &table.subject {
            Some(subject) => layout.subject(subject),
            None => layout,
        };
        let layout = match &table.delimiter {
            Some(delimiter) => layout.separated_by(delimiter.separator()),
            None => layout,
        };
        let layout = if table.decimal_comma == Some(true) { layout.decimal(Decimal::Comma) } else { layout };
        let asked = Self {
            mechanism: privacy.mechanism.unwrap_or(MechanismName::Perturbed),
            columns,
            bounds,
            budget: budget(study)?,
            neighbours: privacy.relation(),
            unit: match (&table.subject, privacy.unit) {
                (Some(_), _) => PrivacyUnit::Subject,
                (None, unit) => unit.map_or(PrivacyUnit::Curve, Into::into),
            },
            layout,
            cells: density.cells,
            draws: density.draws,
        };
        asked.check()?;
        Ok(asked)
    }

    /// Refuses what the mechanism will not do, without the data.
    fn check(&self) -> Result<(), Refusal> {
        if matches!(self.mechanism, MechanismName::Perturbed | MechanismName::Series | MechanismName::SeriesExponential)
        {
            self.check_synthetic()?;
        }
        match self.mechanism {
            // a density has no other
            MechanismName::Perturbed | MechanismName::Isonormal | MechanismName::CameronMartin => {
                self.histogram_of(RECORDS)?.noise()?;
            }
            // the larger the number of records, the less mixing is needed
            MechanismName::Smoothed => {
                self.smoothed_of(u64::MAX, self.cells.unwrap_or(2), self.draws.unwrap_or(1))?;
            }
            MechanismName::Exponential => {
                self.exponential_of(RECORDS)?;
            }
            MechanismName::Series | MechanismName::SeriesExponential => {
                self.series()?;
                self.cells_of_series()?;
            }
        }
        Ok(())
    }

    /// Synthetic points that cost nothing are limited by memory alone.
    fn check_synthetic(&self) -> Result<(), Refusal> {
        let Some(found) = self.draws.filter(|found| !(1..=MOST_SYNTHETIC).contains(found)) else { return Ok(()) };
        let gibibytes = found as f64 * (self.columns.len() * size_of::<f64>()) as f64 / f64::from(1 << 30);
        let memory = if gibibytes > 0.0 { format!(", which would take {gibibytes:.1} GiB") } else { String::new() };
        let why = format!("the number of synthetic points must be from 1 to {MOST_SYNTHETIC}, got {found}{memory}");
        let instead =
            "leave {draws} out for none; whoever has release.json can draw more at any time, at no cost in privacy";
        Err(Refusal::of("draws", why).instead(instead))
    }

    /// The names of the columns, where they fit into a document.
    pub fn labels(&self) -> Labels {
        Labels::default().with_columns(self.columns.clone()).unwrap_or_default()
    }

    /// Whether the number of records may be told.
    pub fn has_public_records(&self) -> bool {
        self.neighbours == NeighbouringRelation::SubstituteOne
    }

    /// The number of records that a choice may depend on.
    fn public_records(&self, points: &Points) -> u64 {
        if self.has_public_records() { points.records() as u64 } else { RECORDS }
    }

    /// The histogram whose counts get noise; by default on so many cells that their best number can be chosen afterwards.
    ///
    /// # Errors
    /// [`Refusal`] for cells that there are not.
    pub fn histogram(&self, points: &Points) -> Result<PerturbedHistogram, Refusal> {
        self.histogram_of(self.public_records(points))
    }

    fn histogram_of(&self, records: u64) -> Result<PerturbedHistogram, Refusal> {
        let cells = match self.cells {
            Some(per_axis) => Cells::new(self.bounds.clone(), per_axis),
            None => cells_to_merge(self.bounds.clone(), records),
        };
        Ok(PerturbedHistogram::new(cells?, self.budget).neighbours(self.neighbours).unit(self.unit))
    }

    /// Draws from the histogram, mixed with as little of the uniform density as the budget allows.
    ///
    /// # Errors
    /// [`Refusal`] for a guarantee that it cannot give.
    pub fn smoothed(&self, points: &Points) -> Result<SmoothedHistogram, Refusal> {
        let (records, dimension) = (points.records() as u64, self.bounds.dimension());
        let size = SmoothedHistogram::size_for_squared_l2_distance(records, self.budget.epsilon(), dimension);
        self.smoothed_of(records, self.cells.unwrap_or(size.per_axis), self.draws.unwrap_or(size.draws))
    }

    fn smoothed_of(&self, records: u64, per_axis: usize, draws: usize) -> Result<SmoothedHistogram, Refusal> {
        let cells = Cells::new(self.bounds.clone(), per_axis)?;
        let (budget, neighbours) = (self.budget, self.neighbours);
        Ok(SmoothedHistogram::with_smallest_mixture(budget, neighbours, records, cells, draws)?.unit(self.unit))
    }

    /// The exponential mechanism, by default with the cells and draws for the public number of records.
    ///
    /// # Errors
    /// [`Refusal`] for a guarantee that it cannot give, and for too many cells or draws.
    pub fn exponential(&self, points: &Points) -> Result<KsExponential, Refusal> {
        self.exponential_of(self.public_records(points))
    }

    fn exponential_of(&self, records: u64) -> Result<KsExponential, Refusal> {
        let per_axis = match self.cells {
            Some(per_axis) => per_axis,
            None => cells_to_merge(self.bounds.clone(), records)?.per_axis().min(MOST_CELLS),
        };
        let default = || KsExponential::default_draws(records, self.budget.epsilon()).min(MOST_DRAWS);
        let cells = Cells::new(self.bounds.clone(), per_axis)?;
        let draws = self.draws.unwrap_or_else(default);
        Ok(KsExponential::new(self.budget, self.neighbours, cells, draws)?.unit(self.unit))
    }

    /// The orthogonal series.
    ///
    /// # Errors
    /// [`Refusal`] for a guarantee that its law does not give.
    pub fn series(&self) -> Result<SeriesMechanism, Refusal> {
        let terms = SeriesTerms::ChosenUpTo(MOST_TERMS[self.bounds.dimension() - 1]);
        let mechanism = SeriesMechanism::new(terms, self.budget, self.neighbours)?.unit(self.unit);
        let is_exponential = self.mechanism == MechanismName::SeriesExponential;
        let mechanism = if is_exponential { mechanism.exponential() } else { mechanism };
        // refuses a budget that the law does not meet, for one record or any number
        mechanism.mechanism(self.bounds.clone(), None)?;
        Ok(mechanism)
    }

    /// What a release would spend. Whatever a release refuses before its noise is refused here too.
    ///
    /// # Errors
    /// [`Refusal`]
    fn price(&self, points: &Points) -> Result<PrivacyBudget, Refusal> {
        let asked = match self.mechanism {
            MechanismName::Perturbed | MechanismName::Isonormal | MechanismName::CameronMartin => {
                self.histogram(points)?.prepare(points)?.asked()
            }
            MechanismName::Smoothed => self.smoothed(points)?.prepare(points)?.asked(),
            MechanismName::Exponential => self.exponential(points)?.prepare(points)?.asked(),
            MechanismName::Series | MechanismName::SeriesExponential => self.series()?.prepare(points)?.asked(),
        };
        Ok(asked.guarantee.budget())
    }

    /// What is told of points before a release: for the curator alone.
    ///
    /// # Errors
    /// As a release, before its payment.
    pub fn look(&self, points: &Points) -> Result<NonPrivate<Vec<Fact>>, Refusal> {
        let axis = |axis: usize| {
            let (lower, upper) = self.bounds.axis(axis);
            let seen = || points.rows().map(move |row| row[axis]).filter(|value| !value.is_nan());
            let outside = seen().filter(|value| !(lower..=upper).contains(value)).count();
            let missing = points.records() - seen().count();
            let name = self.columns.get(axis).map_or("", String::as_str);
            let (lower, upper) = (exact(lower), exact(upper));
            let units = if 10 * outside > 9 * seen().count() { ". Are they in other units?" } else { "" };
            let text =
                format!("{name}: {outside} outside {lower} to {upper}, which are clamped; {missing} missing{units}");
            Fact::new("values", text)
        };
        let rows = Fact::new("rows", format!("{} records ({}s)", points.records(), self.unit));
        let cost = format!("a release would spend {}", budget_in_words(&self.price(points)?));
        let axes = (0..self.bounds.dimension()).map(axis);
        Ok(NonPrivate::new([rows].into_iter().chain(axes).chain([Fact::new("cost", cost)]).collect()))
    }

    /// The cells that a series is shown on.
    ///
    /// # Errors
    /// [`Refusal`] for too many, or none.
    pub fn cells_of_series(&self) -> Result<Cells, Refusal> {
        Ok(Cells::new(self.bounds.clone(), self.cells.unwrap_or_else(|| resolution(self.bounds.dimension())))?)
    }
}

/// The guarantee: with a delta of 0, unless another is given.
fn budget(study: &Checked) -> Result<PrivacyBudget, Refusal> {
    let epsilon = study.privacy.epsilon.unwrap_or(f64::NAN);
    let budget = PrivacyBudget::new(epsilon, study.privacy.delta.unwrap_or(0.0)).map_err(|error| Refusal {
        blame: error.blame(),
        why: error.to_string(),
        instead: of_density(error.blame()),
    })?;
    if epsilon > 0.0 {
        check_pure(epsilon)?;
    }
    Ok(budget)
}
