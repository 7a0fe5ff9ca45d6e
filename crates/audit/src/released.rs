//! Attacks on the claim of a release that was published, with the noise that it states.

use dpfda_density::{CellDraws, DrawsMechanism, HistogramRelease, SeriesRelease};
use dpfda_kernels::Domain;
use dpfda_mechanism::Release;
use dpfda_privacy::{
    Emphasis, Law, Membership, NeighbouringRelation, Noise, NormalBlock, RoundedCylinder, SphericalNoise,
};
use dpfda_release::{
    BallShares, Bought, Centiles, Change, CurveNumbers, Functionals, Groups, InBall, Mean, MeanDomain, MeanMechanism,
    MeanRelease, MomentsChoice, PathRelease, Regression, Rows, Surface,
};
use dpfda_smoothing::{Ball, Center};

use crate::added_noise::AddedNoise;
use crate::attack::{Attack, AuditPlan, AuditReport};
use crate::audited::{AuditedMechanism, Setting};
use crate::claim::Claim;
use crate::error::AuditError;
use crate::kinds::bought::noise_of_steps;
use crate::kinds::{centiles, change, curves, groups, points, regression, rows};
use crate::target::Target;

/// The mechanism of a release: its claim, and the noise that the release states.
///
/// Nothing of the released numbers is used, and no private data: the audit draws releases of its own, of synthetic neighbours,
/// on two points or cells, with the noise scale, the radius, the smoother and the relation of the file.
#[derive(Debug, Clone)]
pub struct ReleaseAttack {
    claimed: Attack,
    drawn: Attack,
    stand_in: String,
}

impl ReleaseAttack {
    /// Of a released mean.
    pub fn of_mean(release: &MeanRelease) -> Result<Self, AuditError> {
        if let Some(bought) = release.statistic().bought() {
            return Self::of_bought_mean(release, bought);
        }
        let mechanism = match &release.statistic().mechanism() {
            // the noise is white in the coordinates of a norm as it is in isonormal ones, and the body is the same
            MeanMechanism::Isonormal | MeanMechanism::Sobolev(_) => isonormal(release),
            MeanMechanism::Coordinates(_) if matches!(release.noise(), Noise::Cylinder(_)) => {
                AuditedMechanism::IsonormalCylinder
            }
            MeanMechanism::Coordinates(_) => AuditedMechanism::IsonormalPure,
            MeanMechanism::CameronMartin(_) => AuditedMechanism::CameronMartin,
        };
        let (ball, center) = moved(release.ball(), "curve")?;
        let mut target = Target { ball, ..mechanism.target(release.budget(), release.neighbours())? };
        let mut kept = "relation";
        if let MeanMechanism::CameronMartin(smoother) = release.statistic().mechanism() {
            target.smoother = smoother.clone();
            kept = "relation, smoother";
        }
        let points = if mechanism == AuditedMechanism::IsonormalCylinder { 3 } else { 2 };
        let stand_in = format!(
            "means of at most 3 synthetic subjects on {} points instead of its {} points, with the file's noise scale, radius, {kept} and {center}",
            points,
            release.grid().len(),
        );
        Ok(Self::new(mechanism.attack(&target)?, release.noise(), stand_in))
    }

    /// Of a released mean in a ball that was bought: all steps, in the ball that was stated, each with the noise of its own. A record is
    /// on two points of a line, whatever the domain: the body and its noise do not depend on it.
    fn of_bought_mean<D: MeanDomain>(release: &Release<Mean<D>>, bought: &Bought) -> Result<Self, AuditError> {
        let (ball, kept) = moved(bought.stated_ball(), D::RECORD)?;
        let moments = match release.statistic().moments().map(|moments| moments.emphasis) {
            None => MomentsChoice::None,
            Some(Emphasis::Mean) => MomentsChoice::Mean,
            Some(Emphasis::Covariance) => MomentsChoice::Covariance,
        };
        let shares = bought.shares();
        let mechanism = match shares.center() {
            None => AuditedMechanism::IsonormalBoughtRadius,
            Some(_) => AuditedMechanism::IsonormalBoughtCenter,
        };
        let what = match (shares.center(), shares.radius()) {
            (Some(_), Some(_)) => "a bought centre and radius",
            (Some(_), None) => "a bought centre",
            _ => "a bought radius",
        };
        let target = Target { ball, ..mechanism.target(release.budget(), release.neighbours())? };
        let claimed = curves::bought(&target, shares, moments)?;
        let stand_in = format!(
            "means with {what} of at least 1000 synthetic subjects on 2 points instead of its {} points, with the file's shares, the \
             noise scale of each of its steps, its stated radius, relation and {kept}; an outcome is every noisy integer of all steps",
            Domain::len(release.statistic().grid()),
        );
        Ok(Self::new(claimed, &noise_of_steps(release), stand_in))
    }

    /// Of a released mean of surfaces.
    pub fn of_surface(release: &Release<Surface>) -> Result<Self, AuditError> {
        if let Some(bought) = release.statistic().bought() {
            return Self::of_bought_mean(release, bought);
        }
        let (ball, kept) = moved(release.statistic().ball(), "surface")?;
        let target = AuditedMechanism::Surface.target(release.budget(), release.neighbours())?;
        let claimed = curves::surface(&Target { ball, ..target })?;
        let (rows, columns) = release.statistic().grid().shape();
        let stand_in = format!(
            "means of the surfaces of at most 3 synthetic subjects on 2 x 2 points instead of its {rows} x {columns} points, with the \
             file's noise scale, radius, relation and {kept}",
        );
        Ok(Self::new(claimed, release.noise(), stand_in))
    }

    /// Of released means of groups.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_groups(release: &Release<Groups>) -> Result<Self, AuditError> {
        let statistic = release.statistic();
        let moments = statistic.mean().moments().map_or(MomentsChoice::None, |_| MomentsChoice::Mean);
        let most = match statistic.membership() {
            Membership::Public => None,
            Membership::Private { most } => Some(most),
        };
        let (mechanism, labels) = match most {
            None => (AuditedMechanism::GroupsPublic, "public"),
            Some(_) => (AuditedMechanism::GroupsPrivate, "private"),
        };
        let what = format!("means of 2 groups with {labels} labels, of few synthetic subjects on 2 points");
        Self::in_ball(release, mechanism, &what, |target, shares| match shares {
            None => groups::groups(target, most, moments),
            Some(shares) => groups::bought(target, most, moments, shares),
        })
    }

    /// Of a released change.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_change(release: &Release<Change>) -> Result<Self, AuditError> {
        let moments = release.statistic().mean().moments().map_or(MomentsChoice::None, |_| MomentsChoice::Mean);
        let what = "the change of few synthetic subjects between two visits on 2 points";
        Self::in_ball(release, AuditedMechanism::Change, what, |target, shares| match shares {
            None => change::change(target, moments),
            Some(shares) => change::bought(target, moments, shares),
        })
    }

    /// Of a released mean of rows of a long table.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`]; for a bought radius with a bound on one value that is not the usual one.
    pub fn of_rows(release: &Release<Rows>) -> Result<Self, AuditError> {
        let stated = release.mechanism().statistic();
        let bound = stated.bound() / stated.ball().radius();
        let what = format!(
            "rows of few synthetic subjects in 8 bins instead of its {}, with its bound on one value in radii, in the unit ball",
            stated.bins()
        );
        // the rows of the pairs are those of the unit ball, and no integer depends on the ball
        Self::in_place(release, AuditedMechanism::Rows, None, &what, |target, shares| match shares {
            None => rows::rows(target, bound),
            Some(shares) if bound == rows::USUAL_BOUND => rows::bought(target, shares),
            Some(_) => {
                Err(target.not_made("a radius that is bought beside another bound on one value than twice the radius"))
            }
        })
    }

    /// Of released centiles.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_centiles(release: &Release<Centiles>) -> Result<Self, AuditError> {
        let is_of_rows = release.statistic().is_of_rows();
        let (mechanism, points) =
            if is_of_rows { (AuditedMechanism::CentilesOfRows, 9) } else { (AuditedMechanism::Centiles, 2) };
        let what = format!(
            "the shares of few synthetic subjects below 4 levels at {points} points instead of {} levels at {} points, between -1 and 1",
            release.statistic().levels(),
            release.statistic().grid().len()
        );
        // no integer depends on the bounds
        Self::in_place(release, mechanism, None, &what, |target, shares| match (shares, is_of_rows) {
            (None, false) => centiles::stated(target),
            (Some(shares), false) => centiles::bought(target, shares),
            (None, true) => centiles::rows(target),
            (Some(shares), true) => centiles::rows_bought(target, shares),
        })
    }

    /// Of a released regression.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`]; for a bought radius beside a public design.
    pub fn of_regression(release: &Release<Regression>) -> Result<Self, AuditError> {
        let is_public = release.statistic().public_design().is_some();
        let mechanism = if is_public { AuditedMechanism::RegressionPublic } else { AuditedMechanism::Regression };
        let what = format!(
            "a regression on 1 covariate of few synthetic subjects on 2 points instead of its {}",
            release.statistic().covariates().len()
        );
        Self::in_ball(release, mechanism, &what, |target, shares| {
            match shares {
            None => regression::regression(target, is_public),
            Some(shares) if !is_public => regression::bought(target, shares),
            Some(_) => Err(target.not_made(
                "its radius was found beside a public design; --mechanism regression-bought-radius attacks the same steps with private covariates",
            )),
        }
        })
    }

    /// Of a release in a ball, with all its steps where a radius was bought: `build` makes the attack for its stated ball and its shares.
    fn in_ball<S: InBall>(
        release: &Release<S>,
        mechanism: AuditedMechanism,
        what: &str,
        build: impl FnOnce(&Target, Option<BallShares>) -> Result<Attack, AuditError>,
    ) -> Result<Self, AuditError> {
        let (ball, kept) = moved(release.mechanism().statistic().ball(), "curve")?;
        Self::in_place(release, mechanism, Some(ball), &format!("{what}, with the file's radius, {kept}"), build)
    }

    /// The same in the unit ball about 0, where no other is given.
    fn in_place<S: InBall>(
        release: &Release<S>,
        mechanism: AuditedMechanism,
        ball: Option<Ball>,
        what: &str,
        build: impl FnOnce(&Target, Option<BallShares>) -> Result<Attack, AuditError>,
    ) -> Result<Self, AuditError> {
        let target = mechanism.target(release.budget(), release.neighbours())?;
        let target = Target { ball: ball.unwrap_or_else(|| target.ball.clone()), ..target };
        let shares = release.statistic().bought().map(Bought::shares);
        let (noise, own) = match shares {
            Some(_) => (noise_of_steps(release), "the file's shares and the noise scale of each of its steps"),
            None => (release.noise().clone(), "the file's noise scale"),
        };
        let stand_in = format!("{what}, with {own}, and its relation");
        Ok(Self::new(build(&target, shares)?, &noise, stand_in))
    }

    /// Of released functionals: as many as span at most two dimensions, on which the noise depends.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_functionals(release: &Release<Functionals>) -> Result<Self, AuditError> {
        let statistic = release.statistic();
        let (ball, kept) = moved(statistic.ball(), "curve")?;
        let (law, rank) = (release.mechanism().law(), statistic.rank());
        let mechanism = match law {
            Law::KNorm {} | Law::KNormCylinder {} => AuditedMechanism::FunctionalsKNorm,
            Law::StudentT { .. } => AuditedMechanism::FunctionalsStudentT,
            _ => AuditedMechanism::Functionals,
        };
        let target = mechanism.target(release.budget(), release.neighbours())?;
        let target = Target { ball, smoother: statistic.smoother().clone(), ..target };
        let claimed = curves::functionals(&target, law, rank.min(2))?;
        let of_what = format!("{} of at most 3 synthetic subjects on 2 points", counted(rank.min(2), "functional"));
        if rank > 2 {
            let stand_in = format!(
                "{of_what} instead of its {rank}, with the file's budget, law and relation but NOT its noise, which belongs to more dimensions: \
                 the noise scale of this file was not audited"
            );
            return Ok(Self { drawn: claimed.clone(), claimed, stand_in });
        }
        let stand_in = format!("{of_what}, with the file's noise scale, radius, smoother, relation and {kept}");
        Ok(Self::new(claimed, release.noise(), stand_in))
    }

    /// Of released numbers of a path. Normal noise has the scale of the file; a random scale is drawn anew.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_path(release: &PathRelease) -> Result<Self, AuditError> {
        let (ball, kept) = moved(release.ball(), "curve")?;
        let (budget, relation) = (release.budget(), release.neighbours());
        let (claim, own) = match release.law() {
            Law::RandomScale { mixing } => (Claim::mixed(mixing.clone(), budget)?, "law of its random scale"),
            _ => (Claim::of_budget(budget)?, "noise scale, which follows from its guarantee,"),
        };
        let target = Target::new(AuditedMechanism::Path.name(), budget, claim, relation)?;
        let claimed = curves::path(&Target { ball, smoother: release.smoother().clone(), ..target })?;
        let stand_in = format!(
            "whole paths of at most 3 synthetic subjects on 2 points, with the file's {own} radius, smoother, relation and {kept}"
        );
        Ok(Self { drawn: claimed.clone(), claimed, stand_in })
    }

    /// Of released numbers of curves.
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`].
    pub fn of_numbers<S: CurveNumbers>(release: &Release<S>) -> Result<Self, AuditError> {
        let (ball, kept) = moved(release.statistic().ball(), "curve")?;
        let claim = Claim::of_budget(release.budget())?;
        let target = Target { ball, ..Target::new(S::KIND, release.budget(), claim, release.neighbours())? };
        let stand_in = format!(
            "numbers of curves of at most 3 synthetic subjects on 2 points, with the file's noise scale, radius, relation and {kept}"
        );
        Ok(Self::new(curves::numbers::<S>(&target)?, release.noise(), stand_in))
    }

    /// Of a released histogram.
    pub fn of_histogram(release: &HistogramRelease) -> Result<Self, AuditError> {
        let target = AuditedMechanism::Perturbed.target(release.budget(), release.neighbours())?;
        let claimed = points::perturbed(&target)?;
        let cells = release.cells();
        let stand_in = format!(
            "histograms of at most 3 synthetic records in 2 cells of one axis instead of its {} cells on {}, with the file's noise scale and relation",
            cells.count(),
            axes(cells.bounds().dimension()),
        );
        Ok(Self::new(claimed, release.noise(), stand_in))
    }

    /// Of a released series, with as many terms, on one axis; see [`ReleaseAttack::stand_in`].
    ///
    /// # Errors
    /// [`AuditError`], as [`Setting::attack`]; for several axes the noise of the file belongs to another basis.
    pub fn of_series(release: &SeriesRelease) -> Result<Self, AuditError> {
        let is_exponential = matches!(release.noise(), Noise::Spherical(_));
        let mechanism = if is_exponential { AuditedMechanism::SeriesKNorm } else { AuditedMechanism::Series };
        let terms = release.basis().terms();
        let target = mechanism.target(release.budget(), release.neighbours())?;
        let claimed = points::series(&target, is_exponential, terms)?;
        let of_what = format!("series of {terms} terms of at most 3 synthetic records on one axis");
        let dimension = release.bounds().dimension();
        if dimension > 1 {
            let stand_in = format!(
                "{of_what} instead of its {dimension}, with the file's budget and relation but NOT its noise, which belongs to another basis: the noise scale of this file was not audited"
            );
            return Ok(Self { drawn: claimed.clone(), claimed, stand_in });
        }
        let stand_in = format!("{of_what}, with the file's noise scale and relation");
        Ok(Self::new(claimed, release.noise(), stand_in))
    }

    /// Of cells that were drawn: such a mechanism has no noise scale, and is audited at the file's epsilon on few records.
    pub fn of_draws(draws: &CellDraws) -> Result<Self, AuditError> {
        let few = points::sizes_of_exponential(draws.neighbours());
        let (mechanism, sizes, own) = match draws.mechanism() {
            DrawsMechanism::SmoothedHistogram { .. } => (
                AuditedMechanism::Smoothed,
                points::sizes_of_smoothed(),
                ", and the smallest weight of the uniform density for these sizes instead of the file's",
            ),
            DrawsMechanism::KsExponential => (AuditedMechanism::Exponential, few, ""),
            DrawsMechanism::SeriesExponential { .. } => (AuditedMechanism::SeriesExponential, few, ""),
        };
        let claimed = Setting { mechanism, budget: draws.budget(), neighbours: draws.neighbours() }.attack()?;
        let cells = draws.cells();
        let stand_in = format!(
            "{sizes} instead of its {} of {} cells on {}, at the file's epsilon and relation{own}: such a file states no noise scale, so its epsilon cannot be checked from it (the ledger that paid for it has it), and its sizes were not audited",
            counted(draws.draws().len(), "draw"),
            cells.count(),
            axes(cells.bounds().dimension()),
        );
        Ok(Self { drawn: claimed.clone(), claimed, stand_in })
    }

    fn new(claimed: Attack, stated: &Noise, stand_in: String) -> Self {
        let noise = claimed.noise.as_ref().map(|claimed| AddedNoise::plain(&at_scale_of(&claimed.noise, stated)));
        Self { drawn: Attack { noise, ..claimed.clone() }, claimed, stand_in }
    }

    /// What is audited in place of the file's data, in words: the synthetic data, what of the file is kept, and what is not.
    pub fn stand_in(&self) -> &str {
        &self.stand_in
    }

    /// Attacks the claim.
    pub fn run(&self, plan: &AuditPlan) -> Result<AuditReport, AuditError> {
        self.claimed.run_on(&self.drawn, plan)
    }

    /// The relation of the release.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.claimed.neighbours
    }
}

/// A ball on another grid, and what of its centre is kept, in words: moving all curves alike changes no distance.
fn moved(ball: &Ball, shape: &str) -> Result<(Ball, String), AuditError> {
    let (center, kept) = match ball.center() {
        Center::Constant(value) => (*value, "centre".to_owned()),
        Center::Curve(_) => (0.0, format!("0 for its centre {shape}")),
    };
    Ok((Ball::new(Center::Constant(center), ball.radius())?, kept))
}

/// The mechanism of a release with isonormal noise.
fn isonormal(release: &MeanRelease) -> AuditedMechanism {
    match release.statistic().moments().map(|moments| moments.emphasis) {
        None => AuditedMechanism::Isonormal,
        Some(Emphasis::Mean) => AuditedMechanism::IsonormalMoments,
        Some(Emphasis::Covariance) => AuditedMechanism::IsonormalCovariance,
    }
}

/// Noise for as many coordinates as the first, at the scale of the second.
fn at_scale_of(claimed: &Noise, stated: &Noise) -> Noise {
    match (claimed, stated) {
        (Noise::Gaussian(blocks), Noise::Gaussian(of_file)) => {
            let blocks = blocks.iter().zip(of_file.iter().cycle());
            Noise::Gaussian(blocks.map(|(block, of_file)| NormalBlock { normal: of_file.normal, ..*block }).collect())
        }
        (Noise::Spherical(noise), Noise::Spherical(of_file)) => {
            SphericalNoise::new(noise.law(), of_file.scale()).map_or_else(|_| stated.clone(), Noise::Spherical)
        }
        (Noise::Cylinder(noise), Noise::Cylinder(of_file)) => {
            RoundedCylinder::new(noise.law(), of_file.scale()).map_or_else(|_| stated.clone(), Noise::Cylinder)
        }
        _ => stated.clone(),
    }
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn axes(number: usize) -> String {
    if number == 1 { "1 axis".to_owned() } else { format!("{number} axes") }
}
