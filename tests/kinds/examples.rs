//! A small release of every kind, drawn from a seed and paid for by a ledger that is none.

use std::error::Error;

use dpfda::AnyRelease;
use dpfda::analysis::{DEFAULT_LEVEL, Estimable, Estimated};
use dpfda::density::{
    Bounds, Cells, HistogramRelease, KsExponential, PerturbedHistogram, Points, PreparedDraws, SeriesExponential,
    SeriesMechanism, SeriesRelease, SeriesTerms, SmoothedHistogram,
};
use dpfda::kernels::{Grid, SurfaceGrid};
use dpfda::kinds::{Row, WithNumbers, of_curves};
use dpfda::mechanism::{Digest, Drawn, LedgerReference, Payable, Stored};
use dpfda::prelude::*;
use dpfda::privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda::privacy::{Calibration, Law, MixingLaw};
use dpfda::release::{
    BallShares, Centiles, Change, ChangeOf, Covariate, CurveNumbers, Dispersion, Grouping, Groups, LinearFunctional,
    Mean, MomentsChoice, PrivateCentiles, PrivateChange, PrivateFunctionals, PrivateGroups, PrivateNumbers,
    PrivatePath, PrivateRegression, PrivateRows, Regression, Rows, Surface,
};
use dpfda::smoothing::{PenalizedMean, TextColumn};
use ndarray::Array2;

/// How an example is released.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub neighbours: NeighbouringRelation,
    pub delta: f64,
    pub periodic: bool,
    /// The records from the last to the first.
    pub backwards: bool,
    /// One of [`variants`].
    pub variant: &'static str,
}

pub const USUAL: Case =
    Case { neighbours: SubstituteOne, delta: 1e-5, periodic: false, backwards: false, variant: "usual" };

/// The ways in which a kind is released.
pub fn variants(row: &Row) -> &'static [&'static str] {
    match row.kinds[0] {
        "mean" => &[
            "usual",
            "bounded",
            "bought",
            "bought radius",
            "cameron-martin",
            "classical",
            "covariance",
            "of a sum of kernels",
            "slope",
            "roughness",
        ],
        "groups" => &["usual", "private", "bought", "hidden"],
        "change" => &["usual", "slope", "bought", "hidden"],
        "rows" | "centiles" => &["usual", "bought"],
        "surface" => &["usual", "bought", "roughness"],
        "regression" => &["usual", "bought", "public design", "hidden", "outcome"],
        "functionals" => &["usual", "bounded", "k-norm", "student-t", "infinite variance"],
        "path" => &["usual", "bounded", "student-t", "gamma-root", "log-normal", "finite"],
        "histogram" => &["usual", "merged"],
        "series" => &["usual", "given", "smoothness"],
        "smoothed-histogram" => &["usual", "smoothed", "drawn from a series"],
        _ => &["usual"],
    }
}

/// Every release of this kind that there is: of each variant, for each relation, with and without a delta, on a line and on a circle.
pub fn all(row: &Row) -> Vec<(Case, String)> {
    let mut found = Vec::new();
    for &variant in variants(row) {
        let before = found.len();
        let cases = [USUAL, Case { delta: 0.0, ..USUAL }].map(|case| Case { variant, ..case });
        let cases = cases.into_iter().flat_map(|case| [case, Case { neighbours: AddRemoveOne, ..case }]);
        for case in cases.chain((variant == "usual").then_some(Case { periodic: true, ..USUAL })) {
            found.extend(example(row, &case).ok().map(|json| (case, json)));
        }
        assert!(found.len() > before, "{}: {variant}", row.title);
    }
    found
}

const RECORDS: usize = 400;
const POINTS: usize = 9;

impl Case {
    fn budget(&self) -> Result<PrivacyBudget, Box<dyn Error>> {
        let epsilon = match self.variant {
            // the classical rule holds below 1
            "classical" => 0.9,
            "drawn from a series" | "hidden" => 0.02,
            _ => 8.0,
        };
        Ok(PrivacyBudget::new(epsilon, self.delta)?)
    }

    fn grid(&self) -> Result<Grid, Box<dyn Error>> {
        if self.periodic {
            return Ok(Grid::periodic((0..POINTS).map(|j| j as f64).collect(), POINTS as f64)?);
        }
        Ok(Grid::uniform(0.0, 8.0, POINTS)?)
    }

    /// That of bounds on values, where the variant is not the usual one of a ball that was stated.
    fn ball(&self) -> Result<Ball, Box<dyn Error>> {
        match self.variant {
            "bounded" | "bought" | "hidden" | "slope" | "roughness" => Ok(Ball::within(0.0, 1.0)?),
            _ => Ok(Ball::new(Center::Constant(0.5), 0.25)?),
        }
    }

    fn records(&self) -> impl Iterator<Item = usize> + use<> {
        let backwards = self.backwards;
        (0..RECORDS).map(move |i| if backwards { RECORDS - 1 - i } else { i })
    }

    fn values(&self) -> Array2<f64> {
        let order: Vec<usize> = self.records().collect();
        Array2::from_shape_fn((RECORDS, POINTS), |(i, j)| {
            0.5 + 0.1 * ((order[i] * 7 + j * 3) % 11) as f64 / 11.0 - 0.04 * (order[i] % 2) as f64
        })
    }

    fn curves(&self) -> Result<CurveSet, Box<dyn Error>> {
        Ok(CurveSet::new(self.grid()?, self.values())?)
    }

    fn column(&self, cell: impl Fn(usize) -> String) -> TextColumn {
        TextColumn::new(self.records().map(|i| Some(cell(i))).collect())
    }

    fn points(&self) -> Result<Points, Box<dyn Error>> {
        if self.periodic {
            return Err("no axis of a density is a circle".into());
        }
        let order: Vec<usize> = self.records().collect();
        let value = |(i, _): (usize, usize)| ((order[i] * 37) % 101) as f64 / 101.0;
        Ok(Points::new(Array2::from_shape_fn((RECORDS, 1), value), bounds()?)?)
    }
}

fn bounds() -> Result<Bounds, Box<dyn Error>> {
    Ok(Bounds::new(vec![(0.0, 1.0)])?)
}

fn smoother() -> Result<PenalizedMean, Box<dyn Error>> {
    Ok(PenalizedMean::new(dpfda::release::DEFAULT_KERNEL.with_range(0.25)?, 1e-2, 1.0)?)
}

fn reference() -> Result<LedgerReference, Box<dyn Error>> {
    Ok(LedgerReference::new("a study", "one".parse()?, 3, Digest::of(b"an entry"))?)
}

/// What is drawn, written; as long and as dear as was stated before, and the same when it is made again of what a ledger keeps.
fn paid<P: Payable>(
    prepare: impl Fn() -> Result<P, Box<dyn Error>>,
    write: impl Fn(P::Drawn) -> Result<String, Box<dyn Error>>,
) -> Result<String, Box<dyn Error>> {
    let (stated, asked, ledger) = (prepare()?.stored_len(), prepare()?.asked(), Some(reference()?));
    let drawn = prepare()?.draw(ledger.clone(), &mut SeededRandomness::from_seed(11))?;
    let kept = drawn.stored();
    assert_eq!(kept.bytes.len() as u64, stated);
    let json = write(drawn)?;
    // the document of a path is not the whole draw
    if let Some(read) = AnyRelease::from_json(&json)?.published().provenance().drawn {
        assert_eq!((read.kind, read.plan, read.spend, &read.stored), (asked.kind, asked.plan, asked.spend, &kept));
    }
    let again = |bytes: Vec<u8>| -> Result<P::Drawn, Box<dyn Error>> {
        Ok(prepare()?.restore(Stored { bytes, ..kept.clone() }, ledger.clone())?)
    };
    assert_eq!(write(again(kept.bytes.clone())?)?, json);
    for cut in [kept.bytes[1..].to_vec(), [&kept.bytes[..], &[0]].concat(), Vec::new()] {
        assert!(again(cut).is_err());
    }
    Ok(json)
}

/// The document of an estimable release, with its estimate.
fn estimated<S: Estimable>(release: S::View) -> Result<String, Box<dyn Error>> {
    let band = Estimated::<S>::default_band(&release);
    Ok(Estimated::<S>::new(release, &band, DEFAULT_LEVEL)?.to_json()?)
}

/// The document of a release of this kind, with its estimate; an error where there is no such release.
pub fn example(row: &Row, case: &Case) -> Result<String, Box<dyn Error>> {
    match row.kinds[0] {
        "mean" => mean(case),
        "groups" => groups(case),
        "change" => change(case),
        "rows" => rows(case),
        "surface" => surface(case),
        "regression" => regression(case),
        "centiles" => centiles(case),
        "functionals" => functionals(case),
        "path" => path(case),
        "histogram" => histogram(case),
        "series" => {
            let terms = match case.variant {
                "given" => SeriesTerms::Given(4),
                "smoothness" => SeriesTerms::Smoothness(1.5),
                _ => SeriesTerms::ChosenUpTo(6),
            };
            let series = SeriesMechanism::new(terms, case.budget()?, case.neighbours)?;
            let points = case.points()?;
            paid(|| Ok(series.prepare(&points)?), |drawn| Ok(SeriesRelease::from(drawn).to_json()?))
        }
        "smoothed-histogram" => draws(case),
        kind => of_curves(kind, case).unwrap_or_else(|| Err(format!("no example of {kind}").into())),
    }
}

impl WithNumbers for &Case {
    type Output = Result<String, Box<dyn Error>>;

    fn with<S: CurveNumbers>(self) -> Self::Output {
        let numbers = PrivateNumbers::<S>::new(self.ball()?, self.budget()?).neighbours(self.neighbours);
        let curves = self.curves()?;
        paid(|| Ok(numbers.prepare(&curves)?), |drawn| Ok(drawn.to_json()?))
    }
}

fn mean(case: &Case) -> Result<String, Box<dyn Error>> {
    let (curves, budget) = (case.curves()?, case.budget()?);
    let isonormal = PrivateMean::isonormal(case.ball()?, budget).buying(BallShares::NONE);
    let kernel = Kernel::from(Gaussian::new(0.05)?) * Matern::new(1.7, 0.3)?.into();
    let mean = match case.variant {
        "bought" => isonormal.buying(BallShares::new(Some(0.1), Some(0.1))?),
        "bought radius" => isonormal.buying(BallShares::new(None, Some(0.1))?),
        "cameron-martin" => PrivateMean::cameron_martin(case.ball()?, budget).smoother(&smoother()?),
        "classical" => isonormal.calibration(Calibration::Classical),
        "slope" => isonormal.slope(0.05),
        "roughness" => isonormal.roughness(2.0).buying(BallShares::new(None, Some(0.1))?),
        "covariance" => isonormal.moments(MomentsChoice::Covariance),
        "of a sum of kernels" => isonormal.kernel(kernel + Kernel::from(Matern::new(2.5, 0.4)?).scaled(0.5)?),
        _ => isonormal,
    };
    let mean = mean.neighbours(case.neighbours);
    let viewer = mean.viewer(curves.grid())?;
    paid(|| Ok(mean.prepare(&curves)?), |drawn| estimated::<Mean>(viewer.clone().view(drawn)?))
}

fn groups(case: &Case) -> Result<String, Box<dyn Error>> {
    let is_private = ["private", "hidden"].contains(&case.variant) || case.neighbours == AddRemoveOne;
    let names = ["even", "odd"];
    let grouping = if is_private {
        Grouping::Private { names: names.map(str::to_owned).to_vec(), most: 1 }
    } else {
        Grouping::Public
    };
    let share = ["private", "bought"].contains(&case.variant).then_some(0.1);
    let groups = PrivateGroups::new(case.ball()?, case.budget()?, grouping).neighbours(case.neighbours);
    let groups = groups.buying(BallShares::new(share.filter(|_| case.variant == "bought"), share)?);
    let (curves, labels) = (case.curves()?, case.column(|i| names[i % 2].to_owned()));
    paid(|| Ok(groups.prepare(&curves, &labels)?), estimated::<Groups>)
}

/// Every fifth person has no second visit, and of the others hardly any has where the change is hidden.
fn change(case: &Case) -> Result<String, Box<dyn Error>> {
    let of = match case.variant {
        "slope" => ChangeOf::Slope { per: "year".to_owned(), apart: 0.5 },
        _ => ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() },
    };
    let has_both = |i: usize| if case.variant == "hidden" { i.is_multiple_of(50) } else { !i.is_multiple_of(5) };
    let (order, values) = (case.records().collect::<Vec<_>>(), case.values());
    let both = ndarray::concatenate(ndarray::Axis(0), &[values.view(), (&values * 1.3 - 0.35).view()])?;
    let owners: Vec<usize> = order.iter().chain(&order).copied().collect();
    let visits = (0..2 * RECORDS).map(|row| if row < RECORDS || !has_both(owners[row]) { "1" } else { "2" }.to_owned());
    let curves = CurveSet::new(case.grid()?, both)?.with_subjects(&owners)?;
    let ball = match case.variant {
        "bought" | "hidden" => Ball::within(-0.5, 0.5)?,
        _ => Ball::new(Center::Constant(0.0), 0.25)?,
    };
    let epsilon = if case.variant == "hidden" { 0.3 } else { 8.0 };
    let change = PrivateChange::new(ball, PrivacyBudget::new(epsilon, case.delta)?, of).neighbours(case.neighbours);
    let share = (case.variant == "bought").then_some(0.1);
    let change = change.buying(BallShares::new(share, share)?);
    let visits = TextColumn::new(visits.map(Some).collect());
    paid(|| Ok(change.prepare(&curves, &visits)?), estimated::<Change>)
}

fn rows(case: &Case) -> Result<String, Box<dyn Error>> {
    let rows = PrivateRows::new(case.ball()?, (0.0, 8.0), case.budget()?).neighbours(case.neighbours).bins(6);
    let share = (case.variant == "bought").then_some(0.1);
    let rows = rows.buying(BallShares::new(None, share)?);
    let rows = if case.periodic { rows.periodic() } else { rows };
    let curves = case.curves()?;
    let rows = rows.rows_of(&curves)?;
    paid(|| Ok(rows.prepare()?), estimated::<Rows>)
}

fn surface(case: &Case) -> Result<String, Box<dyn Error>> {
    if case.periodic {
        return Err("no axis of a surface is a circle".into());
    }
    let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 3)?, Grid::uniform(0.0, 2.0, 3)?)?;
    let surfaces = CurveSet::new(grid.places()?, case.values())?;
    let share = (case.variant != "usual").then_some(0.1);
    let mean = PrivateMean::isonormal(case.ball()?, case.budget()?).neighbours(case.neighbours);
    let mean = mean.buying(BallShares::new(share, share)?);
    let mean = if case.variant == "roughness" { mean.roughness_of_axes([0.3, 0.4]) } else { mean };
    paid(|| Ok(mean.prepare_on(&surfaces, &grid, None)?), estimated::<Surface>)
}

fn regression(case: &Case) -> Result<String, Box<dyn Error>> {
    let age = Covariate::Number { name: "age".to_owned(), lower: 0.0, upper: 7.0 };
    let regression = PrivateRegression::new(case.ball()?, case.budget()?, vec![age]).neighbours(case.neighbours);
    let share = ["bought", "public design"].contains(&case.variant).then_some(0.1);
    let regression = regression.buying(BallShares::new(share.filter(|_| case.variant == "bought"), share)?);
    let regression = match case.variant {
        "public design" => regression.public_design(),
        "outcome" => regression.of_outcome("age"),
        _ => regression,
    };
    let (curves, ages) = (case.curves()?, [case.column(|i| (i % 8).to_string())]);
    paid(|| Ok(regression.prepare(&curves, &ages)?), estimated::<Regression>)
}

fn centiles(case: &Case) -> Result<String, Box<dyn Error>> {
    let curves = case.curves()?;
    let ball = Centiles::ball_within((0.0, 1.0), None, None, curves.grid())?;
    let centiles = PrivateCentiles::new(ball, case.budget()?).neighbours(case.neighbours).levels(7);
    let share = (case.variant == "bought").then_some(0.1);
    let centiles = centiles.showing(vec![25.0, 50.0]).buying(BallShares::new(None, share)?);
    paid(|| Ok(centiles.prepare(&curves)?), estimated::<Centiles>)
}

fn asked() -> [LinearFunctional; 2] {
    [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Integral { weight: vec![1.0; POINTS] }]
}

/// The dispersion of the noise, one for each relation.
fn dispersion(case: &Case) -> Dispersion {
    match case.neighbours {
        SubstituteOne => Dispersion::SmoothedWhite,
        AddRemoveOne => Dispersion::Kernel,
    }
}

fn functionals(case: &Case) -> Result<String, Box<dyn Error>> {
    let law = match case.variant {
        "k-norm" => Law::KNorm {},
        "student-t" => Law::StudentT { degrees_of_freedom: 9.0 },
        "infinite variance" => Law::StudentT { degrees_of_freedom: 1.5 },
        _ => Law::DiscreteLaplace {},
    };
    if case.delta > 0.0 && case.variant != "usual" {
        return Err("the same as for delta 0".into());
    }
    let functionals = PrivateFunctionals::new(case.ball()?, 8.0, smoother()?)?.idealised_arithmetic().noise(law);
    let functionals = functionals.neighbours(case.neighbours).dispersion(dispersion(case));
    let curves = case.curves()?;
    paid(|| Ok(functionals.prepare(&curves, &asked())?), |drawn| Ok(drawn.to_json()?))
}

fn path(case: &Case) -> Result<String, Box<dyn Error>> {
    let path = PrivatePath::new(case.ball()?, case.budget()?, smoother()?).neighbours(case.neighbours);
    let path = match case.variant {
        "student-t" => path.mixing(MixingLaw::student_t(5.0)?),
        "gamma-root" => path.mixing(MixingLaw::gamma_root(2.0)?),
        "log-normal" => path.mixing(MixingLaw::log_normal(0.5)?),
        "finite" => path.mixing(MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)])?),
        _ => path,
    };
    let (path, curves) = (path.dispersion(dispersion(case)), case.curves()?);
    paid(|| Ok(path.prepare(&curves)?), |kept| Ok(kept.publish(&asked())?.to_json()?))
}

fn histogram(case: &Case) -> Result<String, Box<dyn Error>> {
    let histogram = PerturbedHistogram::new(Cells::new(bounds()?, 6)?, case.budget()?).neighbours(case.neighbours);
    let points = case.points()?;
    let shown = |drawn| {
        let release = HistogramRelease::from(drawn);
        Ok(if case.variant == "merged" { release.merged(3)? } else { release }.to_json()?)
    };
    paid(|| Ok(histogram.prepare(&points)?), shown)
}

fn draws(case: &Case) -> Result<String, Box<dyn Error>> {
    let (budget, neighbours, cells, points) =
        (case.budget()?, case.neighbours, Cells::new(bounds()?, 5)?, case.points()?);
    let prepare = || -> Result<PreparedDraws, Box<dyn Error>> {
        Ok(match case.variant {
            "smoothed" => {
                SmoothedHistogram::with_smallest_mixture(budget, neighbours, RECORDS as u64, cells.clone(), 4)?
                    .prepare(&points)?
            }
            "drawn from a series" if neighbours == AddRemoveOne => Err("substitute alone")?,
            "drawn from a series" => SeriesExponential::new(3, 4, 5, budget)?.prepare(&points)?,
            _ => KsExponential::new(budget, neighbours, cells.clone(), 4)?.prepare(&points)?,
        })
    };
    paid(prepare, |drawn| Ok(drawn.to_json()?))
}
