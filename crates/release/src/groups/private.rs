//! From curves with labels to a private release of the means of groups.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dpfda_kernels::Grid;
use dpfda_mechanism::{BallShares, Mechanism, MechanismError, Prepared, Release, Statistic, Terms, sum_records};
use dpfda_privacy::{
    ClippedBall, Emphasis, ExactSum, GroupedBall, GroupedVector, MAX_GROUPS, Membership, Moments, NestedRecord, Noise,
    PrivacyUnit, ProductsOf, Randomness,
};
use dpfda_smoothing::{Ball, CurveSet, TextColumn};
use thiserror::Error;

use crate::coordinates::rotation::whole_frequencies;
use crate::groups::{Grouped, GroupedRecord, GroupingError, Groups, Partition};
use crate::mean::Mean;
use crate::mean::mean_error::MeanError;
use crate::mean::private::{COORDINATES_OF_MOMENTS, MomentsChoice, mean_in, shares_in};
use crate::purchase::ball_data::{self, BallData, Records};
use crate::release_error::ReleaseError;
use crate::terms::on_terms;

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;

/// Why groups were not released. Nothing in it depends on the values of curves, nor on labels that are private.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GroupsError {
    #[error("there must be one label for each curve: {labels} labels for {curves} curves")]
    Labels { curves: usize, labels: usize },
    #[error(
        "public labels and sizes of groups belong to the relation substitute: under add-remove the file's labels would tell who is \
         in it. Give the labels of the groups as private ones; under add-remove that costs no more"
    )]
    PublicUnderAddRemove,
    #[error("data row {row} has no label, and public labels must say which group each curve is in")]
    NoLabel {
        /// The data row, from 1.
        row: usize,
    },
    #[error("the column holds {found} different labels, and a release has at most {MAX_GROUPS} groups")]
    TooManyLabels { found: usize },
    #[error(
        "a subject has curves in two groups: with public labels each subject must be in one, because neighbouring data sets differ \
         within one group"
    )]
    SubjectInTwoGroups,
    #[error("a release of groups has second moments with the emphasis on the mean, or none")]
    Emphasis,
    #[error(transparent)]
    Grouping(#[from] GroupingError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

/// Where the labels of groups come from, and what is private about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grouping {
    /// The labels in the data are public, each with the number of its records.
    Public,
    /// These labels are asked about; which record has which is private.
    Private {
        /// The labels of the groups, in the order in which a record of several groups is counted.
        names: Vec<String>,
        /// The most groups that one record counts in.
        most: usize,
    },
}

/// Private means of several groups in one release, for substitute-one or add/remove-one.
///
/// ```text
/// public labels:   a group of N_g records has noise 2 tau / (N_g mu) on its mean: every group has the whole budget
/// private labels:  noise 2 tau sqrt(m) / mu on every sum, m the most groups of a record; counts and second moments at no extra cost
/// ```
///
/// `tau` is one radius for all groups. By default 5% of `mu^2` buys it, where there are enough records, and `mu` is that of the rest.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use dpfda_release::{Grouping, Groups, PrivateGroups};
/// use dpfda_smoothing::{Ball, CurveSet, TextColumn};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let values = Array2::from_shape_fn((500, 30), |(i, j)| ((i + j) % 9) as f64 / 9.0);
/// let curves = CurveSet::new(Grid::uniform(0.0, 1.0, 30)?, values)?;
/// let labels = TextColumn::new((0..500).map(|i| Some(if i % 2 == 0 { "case" } else { "control" }.to_owned())).collect());
/// let groups = PrivateGroups::new(Ball::within(0.0, 1.0)?, PrivacyBudget::new(1.0, 1e-5)?, Grouping::Public);
/// let release = groups.release(&curves, &labels, &mut SystemRandomness::new()?)?;
/// assert_eq!(Groups::groups(&release)[0].records, 250.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrivateGroups {
    ball: Ball,
    terms: Terms,
    grouping: Grouping,
    moments: MomentsChoice,
}

/// A release of groups that has to be paid for: private data. Curves are borrowed until the draw.
pub type PreparedGroups<'a> = Prepared<Groups, BallData<GroupedBall, GroupedCurves<'a>>>;

/// Curves in memory, each with its place in the list of groups: private data.
pub struct GroupedCurves<'a> {
    pub(crate) curves: Cow<'a, CurveSet>,
    pub(crate) of_rows: Vec<Option<usize>>,
}

impl GroupedCurves<'_> {
    /// The rows of a record in each of its groups, in the order of the groups.
    pub(crate) fn parts(&self, rows: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let mut parts = BTreeMap::<usize, Vec<usize>>::new();
        for &row in rows {
            if let Some(group) = self.of_rows[row] {
                parts.entry(group).or_default().push(row);
            }
        }
        parts.into_iter().collect()
    }
}

impl<P: Partition> Records<Grouped<P>> for GroupedCurves<'_> {
    fn curves(&self) -> &CurveSet {
        &self.curves
    }

    fn beside(&self, _record: usize, row: usize) -> Vec<u8> {
        self.of_rows[row].map_or(u64::MAX, |group| group as u64).to_le_bytes().to_vec()
    }

    /// A record is the mean of its curves in the groups that it counts in; one of no group is the stated centre.
    fn sum_to_center(&self, stated: &Grouped<P>, body: &ClippedBall) -> Result<ExactSum<ClippedBall>, ReleaseError> {
        let most = match stated.membership() {
            Membership::Public => 1,
            Membership::Private { most } => most,
        };
        let mean = stated.mean().of_center();
        let (bounded, coordinates) = (mean.ball().bound(&self.curves)?, mean.whitening().coordinates());
        let mut room = mean.scratch();
        let sum = sum_records(body, self.curves.records(), |rows, vector: &mut NestedRecord| {
            let counted: Vec<usize> = self.parts(&rows).into_iter().take(most).flat_map(|(_, rows)| rows).collect();
            if !counted.is_empty() {
                room.encode_rows(&bounded, &counted, &coordinates, vector);
            }
        });
        Ok(sum.map_err(MechanismError::from)?)
    }

    fn sum(&self, centered: &Grouped<P>, body: &GroupedBall) -> Result<ExactSum<GroupedBall>, ReleaseError> {
        let (bounded, mut room) = (centered.ball().bound(&self.curves)?, centered.scratch());
        let sum = sum_records(body, self.curves.records(), |rows, vector: &mut GroupedVector| {
            centered.encode(GroupedRecord { curves: &bounded, parts: self.parts(&rows) }, &mut room, vector);
        });
        Ok(sum.map_err(MechanismError::from)?)
    }
}

on_terms!(PrivateGroups: neighbours calibration buying wanting);

impl PrivateGroups {
    /// Means of groups of curves in this ball. By default the radius is bought, one for all groups, with 5% of `mu^2` where there are
    /// enough records, as for a [mean](crate::PrivateMean). A centre can be [bought](Self::buying) as well, one for all groups.
    pub fn new(ball: Ball, terms: impl Into<Terms>, grouping: Grouping) -> Self {
        Self { ball, terms: terms.into(), grouping, moments: MomentsChoice::Auto }
    }

    pub(crate) fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// Sets whether second moments are released (default: where they are free).
    #[must_use]
    pub fn moments(mut self, moments: MomentsChoice) -> Self {
        self.moments = moments;
        self
    }

    /// Releases the means of the groups: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// [`GroupsError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        curves: &CurveSet,
        labels: &TextColumn,
        randomness: &mut R,
    ) -> Result<Release<Groups>, GroupsError> {
        Ok(self.prepare(curves, labels)?.draw_unrecorded(randomness))
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`GroupsError`]; nothing has been drawn or spent then.
    pub fn prepare<'a>(&self, curves: &'a CurveSet, labels: &TextColumn) -> Result<PreparedGroups<'a>, GroupsError> {
        if labels.cells().len() != curves.len() {
            return Err(GroupsError::Labels { curves: curves.len(), labels: labels.cells().len() });
        }
        let (mechanism, grouped) = match &self.grouping {
            Grouping::Public => {
                let (groups, of_rows) = self.public_groups(curves, labels)?;
                let number = groups.len();
                if number < 2 {
                    return Err(GroupingError::TooFewGroups { found: number }.into());
                }
                let shares = shares_in(&self.ball, &self.terms, Some(curves.units()))?;
                let mean = self.mean(curves.grid(), (number, Membership::Public), shares)?;
                let grouped = GroupedCurves { curves: Cow::Borrowed(curves), of_rows };
                (self.planned(Groups::public(mean, groups)?, curves.unit(), shares)?, grouped)
            }
            Grouping::Private { .. } => {
                let mechanism = self.mechanism(curves.grid(), curves.unit(), Some(curves.units()))?;
                let grouped = GroupedCurves::of_stated(curves, mechanism.statistic().names(), labels);
                (mechanism, grouped)
            }
        };
        let mechanism = mechanism.of_records(curves.units() as u64).map_err(ReleaseError::from)?;
        Ok(ball_data::prepare(mechanism, grouped)?)
    }

    /// The public plan of a release with private labels, before there are data, or of so many records. Whether a default buys a radius is
    /// for [`Mechanism::of_records`].
    ///
    /// # Errors
    /// [`GroupsError`]; in particular with public labels the plan holds the sizes of the groups, which the data tell.
    pub fn mechanism(
        &self,
        grid: &Grid,
        unit: PrivacyUnit,
        records: Option<usize>,
    ) -> Result<Mechanism<Groups>, GroupsError> {
        let Grouping::Private { names, most } = &self.grouping else { return Err(GroupingError::Sizes.into()) };
        let membership = Membership::Private { most: *most };
        let shares = shares_in(&self.ball, &self.terms, records)?;
        let groups = Groups::private(self.mean(grid, (names.len(), membership), shares)?, names.clone(), *most)?;
        self.planned(groups, unit, shares)
    }

    fn planned(&self, groups: Groups, unit: PrivacyUnit, shares: BallShares) -> Result<Mechanism<Groups>, GroupsError> {
        Ok(Mechanism::new(groups, self.terms.clone().unit(unit).buying(shares)).map_err(ReleaseError::from)?)
    }

    fn mean(&self, grid: &Grid, groups: (usize, Membership), shares: BallShares) -> Result<Mean, GroupsError> {
        mean_of_groups(mean_in(&self.ball, grid, &self.terms, shares)?, groups, (&self.terms, self.moments))
    }

    /// The groups with their sizes, in the order of their names, and the group of each row.
    fn public_groups(&self, curves: &CurveSet, labels: &TextColumn) -> Result<PublicGroups, GroupsError> {
        if !self.terms.has_public_records() {
            return Err(GroupsError::PublicUnderAddRemove);
        }
        let mut sizes = BTreeMap::<&str, u64>::new();
        let mut of_rows = Vec::new();
        for (row, label) in labels.cells().enumerate() {
            let label = label.ok_or(GroupsError::NoLabel { row: row + 1 })?;
            sizes.insert(label, 0);
            of_rows.push(label);
        }
        if sizes.len() > MAX_GROUPS {
            return Err(GroupsError::TooManyLabels { found: sizes.len() });
        }
        for rows in curves.records() {
            if rows.iter().any(|row| of_rows[*row] != of_rows[rows[0]]) {
                return Err(GroupsError::SubjectInTwoGroups);
            }
            sizes.entry(of_rows[rows[0]]).and_modify(|size| *size += 1);
        }
        let places: BTreeMap<&str, usize> = sizes.keys().enumerate().map(|(place, name)| (*name, place)).collect();
        let of_rows = of_rows.into_iter().map(|label| places.get(label).copied()).collect();
        Ok((sizes.into_iter().map(|(name, size)| (name.to_owned(), size)).collect(), of_rows))
    }
}

/// What is released of each of so many groups: with second moments where they are free and within the integers, or asked for.
pub(crate) fn mean_of_groups(
    mean: Mean,
    (groups, membership): (usize, Membership),
    (terms, moments): (&Terms, MomentsChoice),
) -> Result<Mean, GroupsError> {
    let is_asked_for = match moments {
        MomentsChoice::None => return Ok(mean),
        MomentsChoice::Auto if !terms.has_public_records() => return Ok(mean),
        MomentsChoice::Auto => false,
        MomentsChoice::Mean => true,
        MomentsChoice::Covariance => return Err(GroupsError::Emphasis),
    };
    let grid = mean.grid();
    let coordinates = whole_frequencies(grid.len(), grid.is_periodic(), COORDINATES_OF_MOMENTS);
    // what of the groups is refused is refused here as it is without moments
    let body = GroupedBall::new(groups, grid.len(), Some(ProductsOf::First(coordinates)), membership);
    let body = body.map_err(GroupingError::from)?;
    let privacy = terms.gaussian().map_err(ReleaseError::from)?;
    match Noise::gaussian(privacy, &body, terms.guarantee().neighbours()) {
        Ok(_) => {
            let moments = Moments { emphasis: Emphasis::Mean, coordinates };
            Ok(mean.with_moments(Some(moments)).map_err(ReleaseError::from)?)
        }
        Err(_) if is_asked_for => Err(ReleaseError::from(MeanError::MomentsBudget).into()),
        Err(_) => Ok(mean),
    }
}

/// Names and sizes, and the group of each row.
type PublicGroups = (Vec<(String, u64)>, Vec<Option<usize>>);
