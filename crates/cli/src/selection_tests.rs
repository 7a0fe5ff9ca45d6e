#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::prelude::*;
use dpfda::release::Mean;
use dpfda_study::Selection;
use tempfile::TempDir;

use super::*;
use crate::answered::Answered;
use crate::look::Look;
use crate::output::{Contents, OutputDirectory};
use crate::publication::Publication;

/// A release from which nothing can be chosen.
fn cameron_martin() -> MeanRelease {
    let layout = CurveLayout::new("v*").unwrap();
    let curves = CurveSet::from_csv_reader("v1,v2\n0.4,0.5\n0.5,0.6\n".as_bytes(), &layout).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let private_mean = PrivateMean::cameron_martin(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
    private_mean.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap()
}

/// A release as it was, where none could be chosen.
fn nothing_chosen() -> (MeanRelease, Selection) {
    let release = cameron_martin();
    let refusal = Selected::of(&release).unwrap_err();
    (release, Selection::Failed(refusal))
}

fn estimated(release: MeanRelease) -> Estimated<Mean> {
    Estimated::<Mean>::new(release, &Band::Noise, DEFAULT_LEVEL).unwrap()
}

#[test]
fn a_release_is_written_as_it_was_when_nothing_can_be_chosen() {
    let (release, selection) = nothing_chosen();
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    let output = OutputDirectory::prepare(&target, Contents::Release, false, &[]).unwrap();
    Answered::estimated(estimated(release), selection, Look::default()).unwrap().written(&output).unwrap();
    assert!(target.join("release.json").exists() && !target.join("selection.csv").exists());
}

#[test]
fn the_summary_says_that_nothing_was_chosen_and_the_budget_is_spent() {
    let (release, selection) = nothing_chosen();
    let answered = Answered::estimated(estimated(release), selection, Look::default()).unwrap();
    let summary = answered.told(Path::new("out")).words();
    let words = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in ["NOTE no smoother could be chosen", "default smoother instead", "the budget is spent all the same"] {
        assert!(words.contains(said), "`{said}` in {summary}");
    }
}
