//! What can be asked of a release at no cost in privacy: functions of its document alone.

use dpfda::AnyRelease;
use dpfda::analysis::{
    AnalysisError, Banded, Component, Components, Difference, Estimate, Estimated, Feature, Features, PointEstimate,
    PopulationMean, SyntheticCurves,
};
use dpfda::density::PiecewiseDensity;
use dpfda::kinds::{Kind, OtherCentiles, Picture, Shown, Table, WithEstimate};
use dpfda::mechanism::Fact;
use dpfda::privacy::SeededRandomness;
use dpfda::release::{Centiles, Covariate, Regression};
use dpfda_study::Door;

use crate::out::Out;
use crate::refusal::Refusal;

/// Facts by their names, with plain spaces, as programs read them.
pub fn told(facts: Vec<Fact>) -> Out {
    Out::pairs(facts.into_iter().map(|fact| (fact.name, fact.text.replace('\u{a0}', " "))))
}

fn read(document: &str) -> Result<(AnyRelease, Shown), Refusal> {
    AnyRelease::read_shown(document).map_err(|error| Refusal::of_document(&error))
}

/// All that R shows of a release. Its numbers must agree with one another.
///
/// # Errors
/// [`Refusal`] for a document that is no release.
pub fn described(document: &str) -> Result<Out, Refusal> {
    let (release, shown) = read(document)?;
    let published = release.published();
    let provenance = published.provenance();
    let (guarantee, labels) = (provenance.guarantee, provenance.labels);
    let label = |of: fn(&dpfda::mechanism::Labels) -> Option<&str>| Out::from(labels.and_then(of));
    let band = match &shown.picture {
        Picture::Curve { mean, .. } => Some(of_band(mean.estimate())),
        Picture::Surface(mean) => Some(of_band(mean.estimate())),
        Picture::Centiles(curves) => curves.all().next().map(|(_, curve)| of_band(curve)),
        picture => {
            picture.means().map(|means| Out::named([("name", "population".into()), ("level", means.level().into())]))
        }
    };
    Ok(Out::named([
        ("kind", shown.row.word.into()),
        ("title", shown.title.into()),
        ("epsilon", guarantee.budget().epsilon().into()),
        ("delta", guarantee.budget().delta().into()),
        ("neighbours", guarantee.neighbours().to_string().into()),
        ("unit", guarantee.unit().to_string().into()),
        ("records", provenance.records.map(|records| records as f64).into()),
        ("software", provenance.software.into()),
        ("is_private", provenance.private.into()),
        ("ledger", provenance.ledger.is_some().into()),
        (
            "labels",
            Out::named([
                ("s", label(dpfda::mechanism::Labels::s)),
                ("t", label(dpfda::mechanism::Labels::argument)),
                ("value", label(dpfda::mechanism::Labels::value)),
            ]),
        ),
        ("band", band.into()),
        ("facts", told(shown.facts.clone())),
        (
            "notes",
            shown.notes.iter().map(|note| Door::R.spell(&note.replace('\u{a0}', " "))).collect::<Vec<_>>().into(),
        ),
        ("table", shown.table().map_or(Out::Null, columns_of)),
    ]))
}

fn of_band<P>(estimate: &Estimate<P>) -> Out {
    let (band, target) = (&estimate.band, estimate.target.to_string());
    Out::named([("name", band.name().into()), ("level", estimate.level.into()), ("target", target.into())])
}

/// All numbers in named columns; the names of rows stand in the first, where there are any.
fn columns_of(table: Table) -> Out {
    let key =
        table.key.map(|key| (key.to_owned(), Out::Texts(table.rows.iter().map(|(name, _)| name.clone()).collect())));
    let column = |(at, name): (usize, &String)| {
        (name.clone(), Out::Numbers(table.rows.iter().map(|(_, numbers)| numbers[at]).collect()))
    };
    Out::Named(key.into_iter().chain(table.columns.iter().enumerate().map(column)).collect())
}

fn hidden() -> Refusal {
    Refusal::new("release", "the release shows no curve: the noise hides it, and its facts say why")
}

/// The mean of a release, or the one of several that has this name.
fn curve<'a>(shown: &'a Shown, name: Option<&str>, setting: &str) -> Result<&'a Banded<PopulationMean>, Refusal> {
    let means = match &shown.picture {
        Picture::Curve { mean, .. } => return Ok(mean),
        Picture::Nothing => return Err(hidden()),
        picture => picture
            .means()
            .ok_or_else(|| Refusal::new("release", "a release of this kind is no mean curve: see as.data.frame()"))?,
    };
    let found = name.and_then(|name| means.get(name)).ok_or_else(|| {
        let known: Vec<&str> = means.all().iter().map(dpfda::analysis::Named::name).collect();
        Refusal::new(setting, format!("name one of the curves of the release: {}", known.join(", ")))
    })?;
    found.mean().map_err(|reason| Refusal::from(reason).at(setting))
}

fn columns<P>(places: Vec<(&str, Out)>, points: &[PointEstimate<P>]) -> Out {
    let column = |of: fn(&PointEstimate<P>) -> f64| Out::Numbers(points.iter().map(of).collect());
    let numbers = [
        ("value", column(|point| point.value)),
        ("posterior_sd", column(|point| point.posterior_sd)),
        ("noise_sd", column(|point| point.noise_sd)),
        ("lower", column(|point| point.lower)),
        ("upper", column(|point| point.upper)),
    ];
    let all = places.into_iter().chain(numbers);
    Out::Named(all.map(|(name, values)| (name.to_owned(), values)).collect())
}

fn of_points(points: &[PointEstimate<f64>]) -> Out {
    columns(vec![("t", Out::Numbers(points.iter().map(|point| point.at).collect()))], points)
}

/// The estimate at any points of the domain; of several curves, that of the one with this name; of a surface at points `(s, t)`.
///
/// # Errors
/// [`Refusal`] for points outside the domain.
pub fn evaluated(document: &str, name: Option<&str>, at: &[f64], s: Option<&[f64]>) -> Result<Out, Refusal> {
    let (_, shown) = read(document)?;
    let refused = |error: AnalysisError| Refusal::new("newdata", error);
    if let (Picture::Surface(mean), Some(s)) = (&shown.picture, s) {
        let at: Vec<(f64, f64)> = s.iter().copied().zip(at.iter().copied()).collect();
        let found = mean.at(&at).map_err(refused)?;
        let axis = |of: fn(&(f64, f64)) -> f64| Out::Numbers(at.iter().map(of).collect());
        return Ok(columns(vec![("s", axis(|at| at.0)), ("t", axis(|at| at.1))], &found));
    }
    if matches!(shown.picture, Picture::Surface(_)) {
        return Err(Refusal::new("s", "a surface is evaluated at points: give `s` and `t`"));
    }
    Ok(of_points(&curve(&shown, name, "name")?.at(at).map_err(refused)?))
}

/// The mean curve of a regression for one value of each covariate, in their order.
///
/// # Errors
/// [`Refusal`] for a value outside its range: a regression is not extrapolated.
pub fn predicted(document: &str, at: &[(String, String)]) -> Result<Out, Refusal> {
    let estimated = Estimated::<Regression>::from_json(document).map_err(|error| Refusal::of_document(&error))?;
    let covariates = estimated.release().statistic().covariates();
    let names = || covariates.iter().map(Covariate::name).collect::<Vec<_>>().join(", ");
    let cells = covariates.iter().map(|covariate| {
        let given = at.iter().find(|(name, _)| name == covariate.name()).map(|(_, cell)| cell.as_str());
        let cell =
            given.ok_or_else(|| Refusal::new("newdata", format!("give one value for each covariate: {}", names())))?;
        if covariate.holds(cell) { Ok(cell) } else { Err(outside(covariate)) }
    });
    let cells = cells.collect::<Result<Vec<&str>, Refusal>>()?;
    let found = estimated.predict(&cells).map_err(|error| Refusal::new("newdata", error))?;
    Ok(of_points(&found.estimate().points()))
}

fn outside(covariate: &Covariate) -> Refusal {
    let allowed = match covariate {
        Covariate::Number { lower, upper, .. } => format!("a number from {lower} to {upper}"),
        Covariate::Category { levels, .. } => levels.join(" or "),
    };
    let name = covariate.name().escape_debug();
    let why = format!(
        "the value of `{name}` is outside the range of the release; a regression is not extrapolated. Give {allowed}"
    );
    Refusal::new("newdata", why)
}

/// The same release with its band at another level, at no cost.
///
/// # Errors
/// [`Refusal`] for a level that no band states, and a release without a band.
pub fn at_level(document: &str, level: f64) -> Result<String, Refusal> {
    struct Level(f64);
    impl WithEstimate for Level {
        type Output = Result<String, Refusal>;

        fn with<S: Kind>(self, estimated: Estimated<S>) -> Self::Output {
            let band = S::picture(estimated.clone()).band();
            let again = estimated.with_band(&band, self.0).map_err(|error| Refusal::from(error).at("level"))?;
            Ok(again.to_json()?)
        }
    }
    let again = AnyRelease::estimated(document, Level(level)).map_err(|error| Refusal::of_document(&error))?;
    again.ok_or_else(|| Refusal::new("level", "a release of this kind has no band"))?
}

/// Slopes over a window about points, and the integral between two ends.
///
/// # Errors
/// [`Refusal`] for points, a window or ends that the domain does not have.
pub fn features(
    document: &str,
    name: Option<&str>,
    about: Option<&[f64]>,
    window: Option<f64>,
    ends: Option<(f64, f64)>,
) -> Result<Out, Refusal> {
    let (_, shown) = read(document)?;
    let features: Features = curve(&shown, name, "name")?.features()?;
    let refused = |setting: &'static str| move |error: AnalysisError| Refusal::new(setting, error);
    let length = features.window(window).map_err(refused("window"))?;
    let about = about.map_or_else(|| features.points().to_vec(), <[f64]>::to_vec);
    let slopes = features.slopes(&about, Some(length)).map_err(refused("at"))?;
    let slopes: Vec<Feature> = slopes.into_iter().map(|slope| slope.slope).collect();
    let (from, to) = ends.unwrap_or_else(|| features.domain());
    let area = features.integral(from, to).map_err(refused("from"))?;
    Ok(Out::named([
        ("slopes", of_features(Some(about), &slopes)),
        ("integral", of_features(None, &[area])),
        ("window", length.into()),
        ("level", features.level().into()),
        ("target", features.target().to_string().into()),
    ]))
}

fn of_features(at: Option<Vec<f64>>, features: &[Feature]) -> Out {
    let column = |of: fn(&Feature) -> f64| Out::Numbers(features.iter().map(of).collect());
    let places = at.map(|at| ("t", Out::Numbers(at)));
    let numbers = [
        ("value", column(|one| one.value)),
        ("sd", column(|one| one.sd)),
        ("lower", column(|one| one.lower)),
        ("upper", column(|one| one.upper)),
    ];
    Out::Named(places.into_iter().chain(numbers).map(|(name, values)| (name.to_owned(), values)).collect())
}

/// The first mean minus the second, with its band and the test of equality, where there is one.
///
/// # Errors
/// [`Refusal`] for means that cannot be compared.
pub fn compared(first: (&str, Option<&str>), second: (&str, Option<&str>), level: f64) -> Result<Out, Refusal> {
    let (one, other) = (read(first.0)?.1, read(second.0)?.1);
    if matches!(one.picture, Picture::Panels(_)) {
        return Err(Refusal::new("first", "coefficients of a regression are not compared: they are contrasts already"));
    }
    let (one, other) = (curve(&one, first.1, "first")?.population(), curve(&other, second.1, "second")?.population());
    let difference = Difference::new(one, other, level).map_err(|error| match error {
        AnalysisError::Level { .. } => error.into(),
        other => Refusal::new("y", other),
    })?;
    let test = match difference.equality() {
        Err(AnalysisError::TestNeedsIsonormal) => None,
        test => Some(test?),
    };
    Ok(Out::named([
        ("t", difference.grid().points().to_vec().into()),
        ("value", difference.values().to_vec().into()),
        ("sd", difference.sd().to_vec().into()),
        ("lower", difference.lower().to_vec().into()),
        ("upper", difference.upper().to_vec().into()),
        ("p_value", test.map(|test| test.p_value).into()),
    ]))
}

fn components_of(document: &str) -> Result<Components, Refusal> {
    match read(document)?.1.picture {
        Picture::Curve { mean, .. } => Ok(Components::new(mean.population())?),
        Picture::Nothing => Err(hidden()),
        _ => Err(Refusal::new("release", "only the release of a mean or of a change says how curves vary")),
    }
}

/// How the curves vary around their mean: eigenvalues with their intervals, and the functions, one after the other.
///
/// # Errors
/// [`Refusal`] for a release without second moments.
pub fn components(document: &str) -> Result<Out, Refusal> {
    let components = components_of(document)?;
    let all = components.all();
    let numbers = |of: fn(&Component) -> f64| Out::Numbers(all.iter().map(of).collect());
    Ok(Out::named([
        ("t", components.grid().points().to_vec().into()),
        ("eigenvalue", numbers(|one| one.eigenvalue)),
        ("sd", numbers(|one| one.eigenvalue_sd)),
        ("lower", numbers(|one| one.eigenvalue_interval.0)),
        ("upper", numbers(|one| one.eigenvalue_interval.1)),
        ("explained", numbers(|one| one.explained.unwrap_or(f64::NAN))),
        ("functions", Out::Numbers(all.iter().flat_map(|one| one.function.to_vec()).collect())),
        ("total_variance", components.total_variance().into()),
    ]))
}

/// Synthetic curves, one after the other, drawn from the release by a seed that may be public.
///
/// # Errors
/// [`Refusal`] for a release without second moments, and for no curves.
pub fn simulated(document: &str, curves: usize, seed: u64) -> Result<Out, Refusal> {
    let synthetic = SyntheticCurves::new(&components_of(document)?)?;
    let drawn = synthetic.draw(curves, &mut SeededRandomness::from_seed(seed));
    let drawn = drawn.map_err(|error| Refusal::new("nsim", error))?;
    Ok(Out::Numbers(drawn.iter().copied().collect()))
}

/// The values below which shares lie: of a density, or curves with their bands, which are those of normal values where that is said.
///
/// # Errors
/// [`Refusal`] for another kind, for shares that are none, and where the release speaks against normal values.
pub fn quantiles(
    document: &str,
    shares: &[f64],
    is_normal: bool,
    (level, name): (Option<f64>, Option<&str>),
) -> Result<Out, Refusal> {
    let (_, shown) = read(document)?;
    // a share of 0.07 is 7 percent, and not 7.000000000000001
    let centiles: Vec<f64> = shares.iter().map(|share| (share * 1e14).round() / 1e12).collect();
    let found = match &shown.picture {
        Picture::Density { density, .. } => {
            let quantile =
                |share: &f64| PiecewiseDensity::quantile(density, *share).map_err(|error| Refusal::new("probs", error));
            return Ok(Out::Numbers(shares.iter().map(quantile).collect::<Result<_, _>>()?));
        }
        Picture::Panels(_) => {
            let why = "a regression holds no second moments of people who have the same covariates";
            return Err(Refusal::new("x", why));
        }
        Picture::Centiles(curves) => OtherCentiles::of_chart(curves, centiles, is_normal, level).map_err(|error| {
            let setting = match error {
                AnalysisError::Centiles(_) => "probs",
                AnalysisError::Level { .. } => "level",
                _ => "normal",
            };
            Refusal::new(setting, error)
        })?,
        Picture::Curve { .. } | Picture::Together { .. } if is_normal => {
            Centiles::check_shown(&centiles).map_err(|error| Refusal::new("probs", error))?;
            OtherCentiles::of_mean(curve(&shown, name, "name")?.population(), &centiles, level)?
        }
        Picture::Curve { .. } | Picture::Together { .. } => {
            let why = "a mean has centiles of normal values alone, which it cannot check: say normal = TRUE";
            return Err(Refusal::new("normal", why));
        }
        Picture::Nothing => return Err(hidden()),
        _ => return Err(Refusal::new("x", "a release of this kind has no quantiles")),
    };
    let note = Out::Texts(found.note.into_iter().collect());
    Ok(Out::Named(vec![("table".to_owned(), columns_of(found.table)), ("note".to_owned(), note)]))
}
