//! Figures of surfaces, scores, components, plans and panels.

use dpfda_analysis::{Components, Difference, Estimated, SyntheticCurves};
use dpfda_crossval::{Candidates, ScoreSurface, select_after_release};
use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_mechanism::Labels;
use dpfda_plotting::{
    About, AxisScale, CovarianceFigure, GridPanel, LineFigure, LinePanel, MeanSurfaceFigure, PanelGrid, Series,
    SeriesStyle, SurfaceFigure, SurfacePanel,
};
use dpfda_privacy::{NonPrivate, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean, Surface};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;

use super::people::{PEOPLE, budget, day, glucose, labels, mean, mean_of, noise};
use super::{Picture, picture};

pub fn all() -> Vec<Picture> {
    vec![
        of_surface(),
        of_difference(),
        of_scores("selection", false),
        of_scores("cross-validation", true),
        of_components("scree", |components, about| LineFigure::scree(components, about).unwrap()),
        of_components("modes", |components, about| LineFigure::modes(components, about).unwrap().unwrap()),
        of_covariance(),
        of_synthetic(),
        picture("forecast", |frame| forecast().framed(frame)),
        picture("panels", |frame| panels().framed(frame)),
    ]
}

/// Sleep over hours and days, higher on one afternoon.
fn surface(seed: u64, height: f64) -> Estimated<Surface> {
    let grid = SurfaceGrid::new(Grid::uniform(1.0, 7.0, 7).unwrap(), Grid::uniform(0.0, 24.0, 13).unwrap()).unwrap();
    let [days, hours] = grid.axes().clone();
    let bump = |day: f64, hour: f64| height / (1.0 + (day - 5.0).powi(2) + (hour - 14.0).powi(2) / 12.0);
    let mean: Vec<f64> =
        days.points().iter().flat_map(|&day| hours.points().mapv(|hour| 0.4 + bump(day, hour))).collect();
    let values = Array2::from_shape_fn((PEOPLE, mean.len()), |(i, j)| mean[j] + 0.05 * noise(i, 1));
    let surfaces = CurveSet::new(grid.places().unwrap(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.4), 0.2).unwrap();
    let mean = PrivateMean::isonormal(ball, budget(1.0)).buying(BallShares::NONE);
    let release = mean.prepare_on(&surfaces, &grid, None).unwrap();
    super::people::estimated(release.draw_unrecorded(&mut SeededRandomness::from_seed(seed)))
}

fn of_surface() -> Picture {
    let surface = surface(10, 0.3);
    picture("surface", move |frame| {
        let figure = MeanSurfaceFigure::new(&surface).names("day of the week", "hour of the day", "share asleep");
        figure.framed(frame)
    })
}

fn of_difference() -> Picture {
    let sides = [surface(11, 0.3), surface(12, 0.0)];
    picture("surface-difference", move |frame| {
        let difference = Difference::new(sides[0].population(), sides[1].population(), 0.95).unwrap();
        let (one, other) = (sides[0].facts(), sides[1].facts());
        let labels = Labels::new(Some("hour of the day"), Some("share asleep")).unwrap();
        let labels = labels.with_s(Some("day of the week")).unwrap();
        let of = About { facts: &one, labels: &labels, is_private: true, limits: None };
        let sides = [("patients", of), ("controls", About { facts: &other, ..of })];
        MeanSurfaceFigure::of_difference(&difference, sides).framed(frame)
    })
}

fn scores() -> ScoreSurface {
    let release = mean_of(&day(), 0.5, 8, glucose);
    select_after_release(&release, &Candidates::for_release(&release)).unwrap()
}

fn of_scores(name: &'static str, is_private: bool) -> Picture {
    let scores = scores();
    picture(name, move |frame| {
        let panels = SurfacePanel::of_kernels(&scores).unwrap();
        let figure = if is_private {
            SurfaceFigure::not_private(NonPrivate::new(panels)).unwrap().title("Cross-validation scores")
        } else {
            let title = "Estimated risk of each smoother, from the release itself";
            SurfaceFigure::new(panels).unwrap().title(title).score_name("estimated risk")
        };
        figure.framed(frame)
    })
}

fn of_components(name: &'static str, figure: fn(&Components, &About<'_>) -> LineFigure) -> Picture {
    let mean = mean();
    picture(name, move |frame| {
        let (facts, labels) = (mean.release().facts(), labels());
        let about = About { facts: &facts, labels: &labels, is_private: true, limits: None };
        figure(&Components::new(mean.population()).unwrap(), &about).framed(frame)
    })
}

fn of_covariance() -> Picture {
    let mean = mean();
    picture("covariance", move |frame| {
        let (facts, labels) = (mean.release().facts(), labels());
        let about = About { facts: &facts, labels: &labels, is_private: true, limits: None };
        CovarianceFigure::of_components(&Components::new(mean.population()).unwrap(), &about).unwrap().framed(frame)
    })
}

fn of_synthetic() -> Picture {
    let mean = mean();
    picture("synthetic", move |frame| {
        let (facts, labels) = (mean.release().facts(), labels());
        let about = About { facts: &facts, labels: &labels, is_private: true, limits: None };
        let synthetic = SyntheticCurves::new(&Components::new(mean.population()).unwrap()).unwrap();
        let curves = synthetic.draw(100, &mut SeededRandomness::from_seed(13)).unwrap();
        LineFigure::synthetic(mean.mean(), (synthetic.grid(), &curves), &about).unwrap().framed(frame)
    })
}

fn forecast() -> LineFigure {
    let series = [0.25, 0.5, 1.0, 2.0].map(|epsilon: f64| {
        let x: Vec<f64> = (0..8).map(|i| 100.0 * f64::from(1 << i)).collect();
        let y = x.iter().map(|n| 20.0 / (1.0 + epsilon * n / 400.0) + 20.0 / n.sqrt()).collect();
        Series { label: format!("epsilon = {epsilon}"), x, y, style: SeriesStyle::Line }
    });
    let panel = LinePanel::new("", AxisScale::Log10, AxisScale::Log10, series.into()).unwrap();
    let panel = panel.reference(12.0, "how much people differ").unwrap();
    let title = "Expected error of a mean: delta = 0.00001, substitute, stated radius 60";
    let figure = LineFigure::new(vec![panel]).unwrap().labelled_directly().title(title);
    figure.axes("number of records N", "root-mean-square error (units of the data)")
}

fn panels() -> PanelGrid {
    let t: Vec<f64> = (0..=24).map(f64::from).collect();
    let panel = |epsilon: f64| {
        let curves: Vec<Vec<f64>> = (0..40).map(|i| t.iter().map(|hour| glucose(i, *hour)).collect()).collect();
        let mean: Vec<f64> = (0..t.len()).map(|j| curves.iter().map(|curve| curve[j]).sum::<f64>() / 40.0).collect();
        let released = mean.iter().enumerate().map(|(j, value)| value + 12.0 / epsilon * noise(j / 3, 40)).collect();
        GridPanel { label: format!("epsilon = {epsilon}"), t: t.clone(), curves, mean, released }
    };
    let rows = vec![("White noise".to_owned(), vec![panel(0.5), panel(1.0), panel(2.0)])];
    PanelGrid::of_simulated(rows).unwrap().caption("N = 40, delta = 0.00001")
}
