//! Function-on-scalar regression as a statistic: the Gram matrix of covariates and curves.

pub(crate) mod coding;
pub(crate) mod covariate;
pub(crate) mod document;
pub(crate) mod private;
pub(crate) mod public_design;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, NoisyCenter, Purchases, Statistic};
use dpfda_privacy::{ClippedBall, Design, Emphasis, GramBall, GramVector, LatticeError, Law, OneHot, steps_to_unit};
use dpfda_smoothing::{Ball, BallError};
use ndarray::{Array2, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::coordinates::curve_room::CurveRoom;
use crate::coordinates::encode::CurveRecord;
use crate::mean::Mean;
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::Weighing;
use crate::regression::coding::Coding;
use crate::regression::covariate::{Covariate, CovariateError, DesignColumn};
use crate::regression::public_design::{DesignError, PublicDesign, PublicDesignPlan};

/// Why there is no such regression. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RegressionPlanError {
    #[error(transparent)]
    Covariate(#[from] CovariateError),
    #[error(transparent)]
    Design(#[from] DesignError),
    #[error(
        "the curves of a regression lie in a stated ball, or one of a half norm, with isonormal noise and second moments with the emphasis on the mean"
    )]
    Mean,
    #[error(
        "a coding of private covariates has a positive part for the intercept and one for each covariate, which add to 1; a public design \
         has none"
    )]
    Coding,
    #[error("the outcome `{name}` must be one of the covariates, a number or a category of two levels, and private")]
    Outcome { name: String },
    #[error("the energy of curves is told beside private covariates alone")]
    Energy,
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// The products of covariates and curves, summed over records.
///
/// ```text
/// record: x = T a,  a = (1, a_1, ..., a_q),  a_k in [-1, 1] between the ends of its range,    z as for the mean
/// sum:    x x',  x z',  C' z z' C along K public directions,  R^2 - |z|^2
/// ```
///
/// The coding `T` is that of the least noise for covariates that are uniform: of one category it makes orthonormal vectors, a vector for each
/// level. Coefficients of `a` are `T'` times those of `x`.
/// An [outcome](Self::of_outcome) is a covariate that the curves are to explain: it has three times the weight of the intercept.
/// Where the covariates are public, the vectors `w` of a [`PublicDesign`] stand in place of `x`, and neither `x x'` nor the energy is in the sum. A subject
/// of several curves is the mean of its covariates and the mean of its curves. The radius can be bought: the products with curves are those of
/// curves clipped at it, and the covariates have a range of their own. So can the centre, from the noisy mean of the curves. Its plan is `{mean, covariates, design}`, the design only
/// where it is public. Documents of earlier versions have no energy. The body and its proof: [`GramBall`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RegressionPlan", into = "RegressionPlan")]
pub struct Regression {
    plan: RegressionPlan,
    columns: Vec<DesignColumn>,
    public: Option<PublicDesign>,
    /// `T`; the identity where the plan has no coding.
    transform: Array2<f64>,
    body: GramBall,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegressionPlan {
    mean: Mean,
    covariates: Vec<Covariate>,
    /// Of private covariates. Without one they are standardised and divided by the root of their number, as in the first documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coding: Option<Coding>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    design: Option<PublicDesignPlan>,
    /// The covariate that the curves are to explain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    energy: bool,
}

impl Regression {
    /// The regression of curves on these covariates and an intercept; with a design the covariates are public. `mean` says the ball,
    /// the grid, and how many coordinates have their products released.
    ///
    /// # Errors
    /// [`RegressionPlanError`] for covariates without a range, more than 19 columns of them, a design of other columns, and a mean that
    /// is not isonormal with second moments in a stated ball.
    pub fn new(
        mean: Mean,
        covariates: Vec<Covariate>,
        design: Option<&PublicDesign>,
    ) -> Result<Self, RegressionPlanError> {
        let coding = design.is_none().then(|| Coding::best(&covariates));
        let (energy, design) = (design.is_none(), design.map(PublicDesign::to_plan));
        RegressionPlan { mean, covariates, coding, design, outcome: None, energy }.try_into()
    }

    /// The same with a covariate as the outcome of people, which the curves are to explain: a number, or a category of two levels.
    ///
    /// ```text
    /// noise of the covariance of curves and outcome:  tau o sqrt(1/beta^2 + e^2/alpha^2),    alpha^2 + beta^2 = 1,  o = 2 / (mu N)
    /// ```
    ///
    /// The best weight of the intercept for an outcome of standardised mean `e` is `alpha^2 = |e| / (1 + |e|)`. Here it is a third of that of
    /// the outcome, which is best for `|e| = 1/3`.
    ///
    /// # Errors
    /// [`RegressionPlanError::Outcome`]
    pub fn of_outcome(self, name: &str) -> Result<Self, RegressionPlanError> {
        let coding = self.coding().map(|_| Coding::of_outcome(&self.plan.covariates, name));
        RegressionPlan { coding, outcome: Some(name.to_owned()), ..self.plan }.try_into()
    }

    /// The outcome that the curves are to explain, where there is one.
    pub fn outcome(&self) -> Option<&str> {
        self.plan.outcome.as_deref()
    }

    /// The ball, the grid and the coordinates.
    pub fn mean(&self) -> &Mean {
        &self.plan.mean
    }

    /// The covariates.
    pub fn covariates(&self) -> &[Covariate] {
        &self.plan.covariates
    }

    /// The columns of the design beside the intercept.
    pub fn columns(&self) -> &[DesignColumn] {
        &self.columns
    }

    /// The design, where the covariates are public.
    pub fn public_design(&self) -> Option<&PublicDesign> {
        self.public.as_ref()
    }

    pub(crate) fn coding(&self) -> Option<&Coding> {
        self.plan.coding.as_ref()
    }

    /// `T`: what a record has in the sums is `T` times its standardised covariates, and their coefficients are `T'` times those of what is
    /// in the sums. The identity for a public design, and for the documents of covariates that were only standardised.
    pub fn transform(&self) -> &Array2<f64> {
        &self.transform
    }

    /// `T a`, of norm at most 1, for standardised covariates with a 1 in front.
    pub fn coded(&self, standardised: &[f64]) -> Vec<f64> {
        self.transform.dot(&ArrayView1::from(standardised)).to_vec()
    }

    /// The public ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        self.plan.mean.ball()
    }

    /// The points the curves are seen at.
    pub fn grid(&self) -> &Grid {
        self.plan.mean.grid()
    }

    pub(crate) fn gram_ball(&self) -> &GramBall {
        &self.body
    }

    /// One lattice step of a coded covariate, or of a weight of a public design; without a coding in standardised units.
    pub(crate) fn covariate_step(&self) -> f64 {
        let p = self.body.covariates();
        let has_norm_1 = self.public.is_some() || self.coding().is_some();
        let longest = if has_norm_1 { 1.0 } else { (p as f64).sqrt() };
        longest / steps_to_unit(p)
    }
}

/// One record: its curves, and its coded covariates or weights as a vector of norm at most 1.
#[derive(Debug, Clone)]
pub struct RegressionRecord<'a> {
    pub(crate) curve: CurveRecord<'a>,
    pub(crate) covariates: Vec<f64>,
}

impl InBall for Regression {
    fn ball(&self) -> &Ball {
        self.ball()
    }

    fn bought(&self) -> Option<&Bought> {
        self.plan.mean.bought()
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        let mean = self.plan.mean.in_ball(ball, bought)?;
        Ok(Self { plan: RegressionPlan { mean, ..self.plan.clone() }, ..self.clone() })
    }

    /// That of the mean, over all coefficients: the noise of each is that of the products, times what inverting the design makes of it.
    fn weighing(&self, is_public: bool) -> Weighing {
        let of_mean = self.plan.mean.weighing(is_public);
        let size = self.body.covariates() as f64;
        Weighing { noise: of_mean.noise * self.noise_trace(), pull: size, ..of_mean }
    }

    fn centered(&self, center: &NoisyCenter<'_>) -> Option<Ball> {
        self.plan.mean.centered(center)
    }
}

impl Statistic for Regression {
    type Body = GramBall;
    type Record<'a> = RegressionRecord<'a>;
    type Scratch = CurveRoom;

    const KIND: &'static str = "regression";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> GramBall {
        self.body.clone()
    }

    fn stated_body(&self, _law: &Law) -> GramBall {
        self.body.stated()
    }

    fn scratch(&self) -> CurveRoom {
        self.plan.mean.scratch()
    }

    fn encode(&self, record: RegressionRecord<'_>, scratch: &mut CurveRoom, vector: &mut GramVector) {
        let (covariates, curve) = vector.parts();
        // covariates of another plan: nothing of them is used
        if covariates.encode(&record.covariates).is_err() {
            covariates.clear();
        }
        self.plan.mean.encode(record.curve, scratch, curve);
    }

    fn center_body(&self) -> Option<ClippedBall> {
        self.plan.mean.center_body()
    }

    fn radius_body(&self) -> Option<OneHot> {
        Some(Norms::body(1))
    }

    fn needs_radius(&self) -> bool {
        self.plan.mean.needs_radius()
    }

    fn under(&self, purchases: &Purchases<'_>) -> Self {
        bought::under(self, purchases)
    }

    fn facts(&self) -> Vec<Fact> {
        let of_outcome = |one: &&Covariate| self.outcome() == Some(one.name());
        let (own, others): (Vec<_>, Vec<_>) = self.covariates().iter().partition(of_outcome);
        let [own, others] = [own, others].map(|some| some.into_iter().map(in_words).collect::<Vec<_>>().join(", "));
        let (name, each) = match (own.is_empty(), others.is_empty()) {
            (true, _) => ("covariates", others),
            (false, true) => ("outcome", own),
            (false, false) => ("outcome", format!("{own}, given {others}")),
        };
        let they_are = if name == "outcome" && self.covariates().len() == 1 { "it is" } else { "they are" };
        let mut facts: Vec<Fact> = self.plan.mean.facts().into_iter().filter(|fact| fact.name != "moments").collect();
        let text = match &self.public {
            None => format!(
                "{each}; {they_are} as private as the curves. A number outside its bounds counts as the nearer bound, a missing number as \
                 the middle, and a missing or unknown level as all levels in equal parts"
            ),
            Some(_) => format!(
                "{each}; the covariates of every record are public. Neighbouring data sets differ in the curve of one record"
            ),
        };
        let on = if name == "outcome" { "outcome" } else { "on" };
        let public = if self.public.is_some() { "; they are public" } else { "" };
        let caption = if each.len() > MOST_LETTERS {
            format!("{on} {} covariates{public}", self.covariates().len())
        } else {
            format!("{on} {each}{public}")
        };
        facts.push(Fact::new(name, text).briefly(format!("{each}{public}")).captioned(caption));
        facts
    }
}

/// A caption of a figure that names covariates has so many letters at most.
const MOST_LETTERS: usize = 120;

fn in_words(covariate: &Covariate) -> String {
    match covariate {
        Covariate::Number { name, lower, upper } => format!("{name} from {lower} to {upper}"),
        Covariate::Category { name, levels } => format!("{name} ({}; reference {})", levels.join(", "), levels[0]),
    }
}

impl From<Regression> for RegressionPlan {
    fn from(regression: Regression) -> Self {
        regression.plan
    }
}

impl TryFrom<RegressionPlan> for Regression {
    type Error = RegressionPlanError;

    fn try_from(plan: RegressionPlan) -> Result<Self, RegressionPlanError> {
        let mean = &plan.mean;
        let is_plain = mean.takes_other_statistics() && mean.bought().is_none();
        if !(is_plain && mean.moments().is_some_and(|moments| moments.emphasis == Emphasis::Mean)) {
            return Err(RegressionPlanError::Mean);
        }
        Covariate::check(&plan.covariates)?;
        let columns: Vec<DesignColumn> = plan.covariates.iter().flat_map(Covariate::columns).collect();
        let size = columns.len() + 1;
        let public = plan.design.as_ref().map(|design| PublicDesign::from_plan(design, size)).transpose()?;
        let design = if public.is_some() { Design::Public } else { Design::Private };
        let transform = match &plan.coding {
            None => Array2::eye(size),
            Some(coding) if public.is_none() && coding.fits(&plan.covariates) => coding.matrix(&plan.covariates),
            Some(_) => return Err(RegressionPlanError::Coding),
        };
        if let Some(name) = &plan.outcome {
            let is_outcome = |one: &Covariate| one.name() == name && one.width() == 1;
            if public.is_some() || !plan.covariates.iter().any(is_outcome) {
                return Err(RegressionPlanError::Outcome { name: name.clone() });
            }
        }
        let body = GramBall::new(size, mean.body(&Law::GAUSSIAN), design)?;
        let body = if plan.energy { body.with_energy() } else { body };
        if plan.energy != body.has_energy() {
            return Err(RegressionPlanError::Energy);
        }
        Ok(Self { plan, columns, public, transform, body })
    }
}
