//! What commands make of a release of any kind that has estimates: its document, its files and its summary.

use std::path::Path;

use dpfda::analysis::{Estimated, View};
use dpfda::kinds::{Can, Kind, Picture, Row, Shown};
use dpfda::mechanism::{Fact, Statistic};
use dpfda::release::Centiles;
use dpfda_study::Selection;
use serde_json::{Map, Value};

use crate::error::CliError;
use crate::files::{self, FIGURES, Files};
use crate::look::Look;
use crate::output::{OutputDirectory, OutputError, csv_of};
use crate::publication::Publication;
use crate::selection;
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, OF_A_SEED, exact, not_chosen, spelled};
use crate::surface::selected;
use crate::told::Told;

/// A release with its estimate. Once the noise is drawn, nothing may be lost: a release of which no estimate can be made is written
/// without one.
pub struct Answered<S: Kind> {
    release: S::View,
    made: Result<Made, CliError>,
    /// How its smoother was found.
    selection: Selection,
    look: Look,
    /// More keys for programs.
    answer: Map<String, Value>,
}

/// What was made of a release.
struct Made {
    document: String,
    shown: Shown,
}

impl<S: Kind> Answered<S> {
    /// A release, and its estimate or why there is none.
    pub fn of(
        release: S::View,
        estimated: Result<(Estimated<S>, Selection), CliError>,
        look: Look,
    ) -> Result<Self, CliError> {
        let (made, selection, answer) = match estimated {
            Ok((estimated, selection)) => {
                let (document, answer) = (estimated.to_json()?, S::answer(&estimated));
                (Ok(Made { document, shown: Shown::of(estimated) }), selection, answer)
            }
            Err(reason) => (Err(reason), Selection::Off, Map::new()),
        };
        Ok(Self { release, made, selection, look, answer })
    }

    /// A release with an estimate that was made.
    pub fn estimated(estimated: Estimated<S>, selection: Selection, look: Look) -> Result<Self, CliError> {
        Self::of(estimated.release().clone(), Ok((estimated, selection)), look)
    }

    /// Writes all files, and gives them their place.
    pub fn written(&self, output: &OutputDirectory) -> Result<(), CliError> {
        if let Ok(made) = &self.made {
            output.write("release.json", (made.document.clone() + "\n").as_bytes())?;
        }
        files::all(&mut |name, bytes| output.write(name, bytes), |files| self.write(files))?;
        Ok(output.finish()?)
    }

    /// The summary of a release that was made before, with another smoother, or with another band or look alone.
    pub fn told_again(&self, directory: &Path, is_smoothed: bool) -> Told {
        let (what, used) = if is_smoothed {
            ("Private mean function, smoothed again", "Smoothing used the release only")
        } else {
            (S::title(&self.release), "Only the release was used")
        };
        let closing = format!("Everything in {} is public. {used}, no data: it cost no privacy.", shown(directory));
        self.told_with(what, closing, directory)
    }

    fn told_with(&self, title: &'static str, closing: String, directory: &Path) -> Told {
        let release = self.release.drawn();
        let closing = if release.is_private() { closing } else { OF_A_SEED.to_owned() };
        let (facts, notes) = match &self.made {
            Ok(Made { shown, .. }) => {
                let chosen = selected(&self.selection).map(|text| Fact::new("selection", text.clone()).briefly(text));
                let notes = not_chosen(&self.selection).into_iter().chain(spelled(&shown.notes));
                (shown.facts.iter().cloned().chain(chosen).collect(), notes.collect())
            }
            Err(reason) => (
                View::facts(&self.release),
                without_estimate(reason, (directory, Self::remedy()), release.is_private()),
            ),
        };
        Told::new(title, release.software(), facts, notes, closing).answering(self.answer.clone())
    }
}

fn row<S: Kind>() -> &'static Row {
    Row::of(S::KIND).unwrap_or_else(|| unreachable!("every kind with estimates has a row"))
}

/// What costs nothing with a release of these capabilities that looks like this, where that is known.
pub fn free(row: &Row, picture: Option<&Picture>, directory: &Path) -> String {
    let place = shown(directory);
    if let Some(Picture::Outcome(outcome)) = picture {
        let name = outcome.name();
        return format!("a band of another level is free (dpfda evaluate {place} --outcome {name} --level 0.9)");
    }
    if matches!(picture, Some(Picture::Nothing)) || !row.can(Can::Band) {
        return format!("its report is free (dpfda report {place})");
    }
    if row.can(Can::Smoother) {
        "smoothing it again is free (dpfda smooth)".to_owned()
    } else if row.can(Can::CompareWithin) {
        let or_all = match picture {
            Some(Picture::Together { means, .. }) if means.all().len() < 3 => "",
            _ => ", or all",
        };
        format!("comparing groups is free (dpfda compare {place} --groups A,B{or_all})")
    } else if row.can(Can::Predict) {
        format!("predictions are free (dpfda evaluate {place} --at NAME=VALUE,...)")
    } else if row.word == Centiles::KIND {
        format!("other centiles are free (dpfda evaluate {place} --centiles 10,50,90)")
    } else {
        format!("questions about it are free (dpfda evaluate {place})")
    }
}

impl<S: Kind> Publication for Answered<S> {
    fn remedy() -> &'static str {
        match row::<S>() {
            row if row.can(Can::CompareWithin) => "`dpfda compare --groups` reads it",
            row if row.can(Can::Predict) || !row.can(Can::Smoother) => "`dpfda evaluate` reads it",
            _ => "`dpfda smooth` makes everything else from it",
        }
    }

    fn document(&self) -> Option<Result<String, serde_json::Error>> {
        self.made.as_ref().ok().map(|made| Ok(made.document.clone()))
    }

    fn write(&self, files: &mut Files<'_>) -> Result<(), OutputError> {
        let Ok(Made { shown, .. }) = &self.made else { return Ok(()) };
        if matches!(shown.picture, Picture::Nothing) {
            return Ok(());
        }
        files.make(["release.csv"], || Ok([csv_of(&shown.table().unwrap_or_default())?.into_bytes()]))?;
        files.draw(FIGURES, &self.look, || {
            Ok(shown.figure(&self.look.frame(matches!(shown.picture, Picture::Surface(_))))?)
        })?;
        let Selection::Chosen(selected) = &self.selection else { return Ok(()) };
        selection::write(selected, &self.look, files)
    }

    fn told(&self, directory: &Path) -> Told {
        let (row, release) = (row::<S>(), self.release.drawn());
        let again = match release.ledger() {
            _ if !row.can(Can::Smoother) => "spends",
            None => ", even with the same command, spends",
            Some(_) => ", with another --release-id, spends",
        };
        let space = if again.starts_with(',') { "" } else { " " };
        let budget = release.budget();
        let closing = format!(
            "Everything in {} is public; {}. Releasing these people again{space}{again} ({},\u{a0}{}) again.",
            shown(directory),
            free(row, self.made.as_ref().ok().map(|made| &made.shown.picture), directory),
            exact(budget.epsilon()),
            exact(budget.delta()),
        );
        self.told_with(S::title(&self.release), closing, directory)
    }
}

/// What should make a reader of a release without an estimate careful.
fn without_estimate(reason: &CliError, (directory, remedy): (&Path, &str), is_private: bool) -> Vec<String> {
    // what would help stands at the end of a note
    let reason = reason.to_string();
    let reason = reason.split("\nhint:").next().unwrap_or_default();
    // the band may have been asked for in a study
    let reason = reason.strip_prefix("--band: ").unwrap_or(reason);
    let note = format!(
        "no estimate could be made: {reason}. {} holds release.json alone, and the budget is spent. {remedy}, at no cost.",
        shown(directory)
    );
    let seed = (!is_private).then(|| FROM_A_SEED.to_owned());
    seed.into_iter().chain([note]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_release_that_shows_nothing_no_prediction_is_free() {
        let row = row::<dpfda::release::Regression>();
        assert_eq!(free(row, Some(&Picture::Nothing), Path::new("out")), "its report is free (dpfda report out)");
        assert!(free(row, None, Path::new("out")).contains("--at NAME=VALUE"));
    }
}
