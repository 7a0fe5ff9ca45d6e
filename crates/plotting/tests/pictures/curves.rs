//! Figures of curves: means, their comparisons, groups, coefficients and centiles.

use dpfda_analysis::{Difference, Estimated};
use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Labels};
use dpfda_plotting::{About, Coefficient, CurvesFigure, Figure, GroupMeans, LineFigure};
use dpfda_privacy::{NonPrivate, SeededRandomness};
use dpfda_release::{
    BallShares, Centiles, Covariate, Grouping, Groups, Mean, MeanRelease, PenalizedMean, PrivateCentiles,
    PrivateGroups, PrivateMean, PrivateRegression, PrivateRows, Regression, ReleasedGroup, Rows,
};
use dpfda_smoothing::{Ball, Center, TextColumn};

use super::people::{PEOPLE, bounds, budget, curves, curves_of, day, estimated, glucose, labels, mean, mean_of, noise};
use super::{Picture, picture};

pub fn all() -> Vec<Picture> {
    vec![
        of_mean(),
        of_change(),
        of_rows(),
        of_difference(),
        of_groups("groups-two", 2),
        of_groups("groups-five", 5),
        of_regression("regression", 0),
        of_regression("regression-eight", 5),
        of_outcome(),
        of_centiles(),
        of_releases(),
        of_neighbours(),
        of_curator(),
        picture("people", |frame| {
            CurvesFigure::of_people(NonPrivate::new(&curves_of(60, &day(), glucose))).framed(frame)
        }),
    ]
}

/// What is said of a release with a secret seed.
fn about<'a>(facts: &'a [Fact], labels: &'a Labels) -> About<'a> {
    About { facts, labels, is_private: true, limits: Some((40.0, 250.0)) }
}

fn of_mean() -> Picture {
    let mean = mean();
    picture("mean", move |frame| {
        let (facts, labels) = (mean.facts(), labels());
        Figure::curve(mean.mean(), Vec::new(), &about(&facts, &labels)).framed(frame)
    })
}

/// The change from a day at home to one in hospital.
fn of_change() -> Picture {
    let change = |person: usize, hour: f64| 9.0 * noise(person, 4) + 12.0 / (1.0 + (hour - 13.0).powi(2) / 6.0) - 4.0;
    let mean = PrivateMean::isonormal(Ball::within(-60.0, 60.0).unwrap(), budget(1.0));
    let release = mean.release(&curves(&day(), change), &mut SeededRandomness::from_seed(3)).unwrap();
    let change: Estimated<Mean> = estimated(release);
    picture("change", move |frame| {
        let facts = change.facts();
        let labels = Labels::new(Some("hour of the day"), Some("change in glucose (mg/dL)")).unwrap();
        let about = About { limits: Some((-60.0, 60.0)), ..about(&facts, &labels) };
        Figure::change(change.mean(), &about).framed(frame)
    })
}

/// Hardly anybody is measured after the fourth year.
fn of_rows() -> Picture {
    let ball = Ball::new(Center::Constant(60.0), 30.0).unwrap();
    let rows = PrivateRows::new(ball, (0.0, 8.0), budget(1.0)).bins(16).buying(BallShares::NONE);
    let mut rows = rows.rows().unwrap();
    for person in 0..PEOPLE {
        for visit in 0..3 {
            let time = 4.3 * (0.5 + 0.5 * noise(person, visit));
            rows.push(&person.to_le_bytes(), time, 75.0 - 3.0 * time + 8.0 * noise(person, 9));
        }
    }
    let rows: Estimated<Rows> = estimated(rows.release(&mut SeededRandomness::from_seed(2)).unwrap());
    picture("rows", move |frame| {
        let labels = Labels::new(Some("years since enrolment"), Some("kidney function (mL/min)")).unwrap();
        let facts = rows.facts();
        let about = About { limits: Some((40.0, 90.0)), ..about(&facts, &labels) };
        Figure::curve(rows.mean(), rows.unsupported(), &about).framed(frame)
    })
}

fn of_difference() -> Picture {
    let first: Estimated<Mean> =
        estimated(mean_of(&day(), 1.0, 3, |person, hour| glucose(person, hour) + 14.0 / (1.0 + (hour - 9.0).powi(2))));
    let second = estimated::<Mean>(mean_of(&day(), 0.5, 4, glucose));
    picture("difference", move |frame| {
        let difference = Difference::new(first.population(), second.population(), 0.95).unwrap();
        let (one, other, labels) = (first.facts(), second.facts(), labels());
        let sides = [("night shift", about(&one, &labels)), ("day shift", about(&other, &labels))];
        Figure::difference(&difference, sides).framed(frame)
    })
}

fn of_groups(name: &'static str, count: usize) -> Picture {
    let levels = |person: usize| person % count;
    let people = curves(&day(), |person, hour| glucose(person, hour) * (1.0 + 0.06 * levels(person) as f64));
    let cells = (0..PEOPLE).map(|person| Some(levels(person).to_string())).collect();
    let groups = PrivateGroups::new(bounds(), budget(1.0), Grouping::Public);
    let release = groups.release(&people, &TextColumn::new(cells), &mut SeededRandomness::from_seed(5)).unwrap();
    let groups: Estimated<Groups> = estimated(release);
    picture(name, move |frame| {
        let sizes: Vec<String> = Groups::groups(&groups).iter().map(ReleasedGroup::records_in_words).collect();
        let (facts, labels) = (groups.facts(), labels());
        let groups = GroupMeans { means: groups.means(), sizes: &sizes, column: Some("shift") };
        LineFigure::groups(&groups, &about(&facts, &labels)).unwrap().framed(frame)
    })
}

/// With this many more panels, of coefficients that are drawn again under other names.
fn of_regression(name: &'static str, more: usize) -> Picture {
    let (age, is_treated) = (|i| 60.0 + 20.0 * noise(i, 5), |i: usize| i.is_multiple_of(3));
    let people = curves(&day(), |person, hour| {
        let treatment = if is_treated(person) { 12.0 / (1.0 + (hour - 13.0).powi(2) / 9.0) } else { 0.0 };
        glucose(person, hour) + 0.4 * (age(person) - 60.0) - treatment
    });
    let cells = |cell: &dyn Fn(usize) -> String| TextColumn::new((0..PEOPLE).map(|i| Some(cell(i))).collect());
    let ages = cells(&|i| format!("{:.0}", age(i)));
    let arms = cells(&|i| if is_treated(i) { "treated" } else { "usual" }.to_owned());
    let covariates = vec![
        Covariate::Number { name: "age".to_owned(), lower: 40.0, upper: 80.0 },
        Covariate::Category { name: "arm".to_owned(), levels: vec!["usual".to_owned(), "treated".to_owned()] },
    ];
    let regression = PrivateRegression::new(bounds(), budget(2.0), covariates);
    let release = regression.release(&people, &[ages, arms], &mut SeededRandomness::from_seed(6)).unwrap();
    let regression: Estimated<Regression> = estimated(release);
    picture(name, move |frame| {
        let (facts, labels) = (regression.facts(), labels());
        let middle = regression.predict(&["60", "usual"]).unwrap();
        let mean = |name: &str| regression.means().get(name).unwrap().mean().unwrap();
        let all = [
            Coefficient { name: "mean at age = 60, arm = usual", per: None, mean: &middle, is_mean: true },
            Coefficient { name: "age", per: Some("unit of age"), mean: mean("age"), is_mean: false },
            Coefficient { name: "arm: treated against usual", per: None, mean: mean("arm=treated"), is_mean: false },
        ];
        let names: Vec<String> = (1..=more).map(|site| format!("site: hospital {site} against hospital 0")).collect();
        let more = names.iter().map(|name| Coefficient { name, ..all[2] });
        let all: Vec<Coefficient<'_>> = all.into_iter().chain(more).collect();
        LineFigure::coefficients(&all, &about(&facts, &labels)).unwrap().framed(frame)
    })
}

/// Curves are higher with age, most at noon.
fn of_outcome() -> Picture {
    let age = |i| 60.0 + 20.0 * noise(i, 5);
    let people = curves(&day(), |person, hour| {
        glucose(person, hour) + 0.9 * (age(person) - 60.0) / (1.0 + (hour - 12.0).powi(2) / 40.0)
    });
    let ages = TextColumn::new((0..PEOPLE).map(|i| Some(format!("{:.0}", age(i)))).collect());
    let covariates = vec![Covariate::Number { name: "age".to_owned(), lower: 40.0, upper: 80.0 }];
    let regression = PrivateRegression::new(bounds(), budget(8.0), covariates).of_outcome("age");
    let release = regression.release(&people, &[ages], &mut SeededRandomness::from_seed(6)).unwrap();
    let regression: Estimated<Regression> = estimated(release);
    picture("outcome", move |frame| {
        let (facts, labels) = (regression.facts(), labels());
        let outcome = regression.of_outcome().unwrap().unwrap();
        LineFigure::outcome(outcome, &about(&facts, &labels)).unwrap().framed(frame)
    })
}

fn of_centiles() -> Picture {
    let people = curves(&day(), glucose);
    let ball = Centiles::ball_within((40.0, 250.0), None, None, people.grid()).unwrap();
    let centiles = PrivateCentiles::new(ball, budget(2.0)).showing(vec![5.0, 25.0, 50.0, 75.0, 95.0]);
    let centiles: Estimated<Centiles> =
        estimated(centiles.release(&people, &mut SeededRandomness::from_seed(7)).unwrap());
    picture("centiles", move |frame| {
        let (facts, labels) = (centiles.facts(), labels());
        LineFigure::centiles(centiles.means(), &about(&facts, &labels)).unwrap().framed(frame)
    })
}

fn smoothed(release: &MeanRelease, penalty: f64) -> MeanRelease {
    let kernel = dpfda_kernels::Matern::new(2.5, 0.05).unwrap();
    release.smoothed(&PenalizedMean::new(kernel.into(), penalty, 1.0).unwrap()).unwrap()
}

fn of_releases() -> Picture {
    let release = mean_of(&day(), 0.5, 8, glucose);
    picture("releases", move |frame| {
        let (rough, smooth) = (smoothed(&release, 1e-4), smoothed(&release, 1e-1));
        Figure::compare(&[("little smoothing", &rough), ("much smoothing", &smooth)]).unwrap().framed(frame)
    })
}

fn of_neighbours() -> Picture {
    let release = mean_of(&day(), 0.5, 8, glucose);
    picture("neighbours", move |frame| {
        let chosen = smoothed(&release, 1e-2);
        let others =
            [3e-3, 3e-2].map(|penalty| (format!("range 0.05, penalty {penalty}"), smoothed(&release, penalty)));
        let others: Vec<_> = others.iter().map(|(name, other)| (name.as_str(), other)).collect();
        Figure::release(&chosen).with_neighbours(&others).unwrap().framed(frame)
    })
}

fn of_curator() -> Picture {
    let coarse = Grid::uniform(0.0, 24.0, 13).unwrap();
    let release = mean_of(&coarse, 0.5, 8, glucose);
    picture("curator", move |frame| {
        let figure = Figure::release(&release).with_private_curves(NonPrivate::new(&curves_of(60, &coarse, glucose)));
        figure.framed(frame)
    })
}
