//! Releases of mean functions, of groups of them, and of mean surfaces.

use dpfda::mechanism::Release;
use dpfda::release::{Groups, MeanRelease, Surface};

/// The data are the document.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(groups) = Release::<Groups>::from_json(text) {
        assert_groups(&groups);
    }
    if let Ok(surface) = Release::<Surface>::from_json(text) {
        assert_surface(&surface);
    }
    let Ok(release) = MeanRelease::from_json(text) else { return };
    assert_usable(&release);
    let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
    match MeanRelease::from_json(&written) {
        Ok(again) => {
            assert_usable(&again);
            assert_eq!(again.to_json().ok(), Some(written), "what was written reads back as it is");
        }
        Err(error) => unreachable!("what was written can be read: {error}"),
    }
}

fn assert_groups(release: &Release<Groups>) {
    for group in Groups::groups(release) {
        let numbers = [group.records, group.records_sd, group.sd];
        assert!(
            group.records >= 1.0 && numbers.iter().all(|number| number.is_finite() && *number >= 0.0),
            "{numbers:?}"
        );
        assert!(group.whitened.iter().all(|value| value.is_finite()));
    }
    let Ok(written) = release.to_json_with_estimate(&()) else { unreachable!("a release can be written") };
    assert!(
        Release::<Groups>::from_json(&written).is_ok_and(|again| again == *release),
        "what was written reads back as it is"
    );
}

fn assert_surface(release: &Release<Surface>) {
    let (mean, sd) = release.statistic().whitened(release);
    assert!(sd > 0.0 && mean.iter().all(|value| value.is_finite()));
    let Ok(written) = release.to_json() else { unreachable!("a release can be written") };
    assert!(
        Release::<Surface>::from_json(&written).is_ok_and(|again| again == *release),
        "what was written reads back as it is"
    );
}

fn assert_usable(release: &MeanRelease) {
    let function = release.function();
    let is_finite = |value: &f64| value.is_finite();
    assert!(function.values().iter().all(is_finite));
    assert!(function.noise_sd().iter().all(|sd| is_finite(sd) && *sd >= 0.0));
    let (lower, upper) = (function.grid().lower(), function.grid().upper());
    let points = [lower, (0.5 * lower + 0.5 * upper).clamp(lower, upper), upper];
    let known = function.evaluate(&points).is_ok_and(|values| values.iter().all(is_finite));
    assert!(known, "a function is known on its domain");
    assert!(function.noise_sd_at(&points).is_ok_and(|sd| sd.iter().all(is_finite)));
    assert!(function.evaluate(&[f64::NAN]).is_err() && function.evaluate(&[f64::INFINITY]).is_err());
    let numbers = [
        release.mu().unwrap_or(1.0),
        release.units(),
        release.units_sd(),
        release.noise_scale(),
        release.sensitivity(),
    ];
    assert!(numbers.iter().all(|number| is_finite(number) && *number >= 0.0), "{numbers:?}");
    assert!(!release.software().chars().any(char::is_control), "it is printed");
}
