//! Releases of densities.

use dpfda::density::{CellDraws, HistogramRelease, PiecewiseDensity, SeriesRelease};

/// More cells would only be slower.
const MOST_CELLS: usize = 1 << 12;

/// The data are the document, of whichever mechanism.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(release) = HistogramRelease::from_json(text) {
        assert_density(release.density());
        assert!(release.noise_sd().is_finite() && release.noise_sd() > 0.0);
        assert!(release.noisy_counts().iter().all(|count| count.is_finite()));
        let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
        assert!(HistogramRelease::from_json(&written).is_ok_and(|again| again == release));
    }
    if let Ok(release) = CellDraws::from_json(text) {
        if release.cells().count() <= MOST_CELLS {
            assert_density(&release.empirical());
        }
        let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
        assert!(CellDraws::from_json(&written).is_ok_and(|again| again == release));
    }
    if let Ok(release) = SeriesRelease::from_json(text) {
        assert!(release.coefficients().iter().all(|coefficient| coefficient.is_finite()));
        assert!(release.noise_sd().is_finite() && release.noise_sd() > 0.0);
        assert!(release.units() >= 1.0 && release.units().is_finite());
        assert!(release.density().integral().is_finite());
        let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
        assert!(SeriesRelease::from_json(&written).is_ok_and(|again| again == release));
    }
}

fn assert_density(density: &PiecewiseDensity) {
    let probabilities = density.probabilities();
    assert!(probabilities.iter().all(|q| q.is_finite() && *q >= 0.0));
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}
