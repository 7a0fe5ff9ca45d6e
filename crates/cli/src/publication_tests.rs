#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::cell::Cell;

use dpfda::ledger::LedgerTerms;
use dpfda::mechanism::{Drawn as _, Release};
use dpfda::prelude::*;
use dpfda::release::{BallShares, Mean};
use tempfile::TempDir;

use super::*;
use crate::arguments::SigningArguments;
use crate::misasked::Misasked;

/// What goes wrong once the noise is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    View,
    ViewFault,
    Document,
    Table,
    FigureFault,
    Summary,
}

const ALL: [Wrong; 6] =
    [Wrong::View, Wrong::ViewFault, Wrong::Document, Wrong::Table, Wrong::FigureFault, Wrong::Summary];

struct Seen(Wrong);

impl Publication for Seen {
    fn remedy() -> &'static str {
        "read it"
    }

    fn document(&self) -> Option<Result<String, serde_json::Error>> {
        assert_ne!(self.0, Wrong::Document, "planted");
        None
    }

    fn write(&self, files: &mut Files<'_>) -> Result<(), OutputError> {
        files.make(["release.csv"], || {
            if self.0 == Wrong::Table { Err(crate::output::TableError.into()) } else { Ok([b"t,value\n".to_vec()]) }
        })?;
        files.make(["release.svg"], || {
            assert_ne!(self.0, Wrong::FigureFault, "planted");
            Ok([b"<svg/>".to_vec()])
        })
    }

    fn told(&self, _: &Path) -> Told {
        assert_ne!(self.0, Wrong::Summary, "planted");
        Told::new("A mean", "dpfda", Vec::new(), Vec::new(), String::new())
    }
}

struct House {
    place: TempDir,
    output: OutputArguments,
    account: AccountArguments,
}

impl House {
    fn new(has_ledger: bool) -> Self {
        let place = TempDir::new().unwrap();
        let ledger = place.path().join("ledger");
        let budget = PrivacyBudget::new(1.5, 1e-4).unwrap();
        let terms = LedgerTerms::new("a", PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne, budget);
        Ledger::create(&ledger, &terms.unwrap()).unwrap();
        let output = OutputArguments { out: place.path().join("out"), force: false };
        let signing = SigningArguments { sign: None };
        let account =
            AccountArguments { ledger: has_ledger.then_some(ledger), release_id: None, part_of: None, signing };
        Self { place, output, account }
    }

    /// A release of two curves, with this going wrong.
    fn publish(&self, wrong: Wrong) -> Result<String, CliError> {
        let curves =
            CurveSet::from_csv_reader("v1,v2\n0.4,0.5\n0.5,0.6\n".as_bytes(), &CurveLayout::new("v*").unwrap());
        let (curves, ball) = (curves.unwrap(), Ball::new(Center::Constant(0.5), 0.25).unwrap());
        let mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap()).buying(BallShares::NONE);
        let (prepared, viewer) = (mean.prepare(&curves).unwrap(), mean.viewer(curves.grid()).unwrap());
        let door = Door::open(&self.output, Contents::Release, &self.account, None, &[])?;
        let release = |drawn: Release<Mean>| Ok(viewer.view(drawn)?);
        door.publish(prepared, release, MeanRelease::to_json, |_| match wrong {
            Wrong::View => Err(Misasked::NoCenter.into()),
            Wrong::ViewFault => panic!("planted"),
            wrong => Ok(Seen(wrong)),
        })
    }

    fn document(&self) -> MeanRelease {
        MeanRelease::from_json(&fs::read_to_string(self.output.out.join("release.json")).unwrap()).unwrap()
    }

    fn entries(&self) -> usize {
        self.account
            .ledger
            .as_ref()
            .map_or(0, |ledger| Ledger::open(ledger).unwrap().history().unwrap().entries().len())
    }
}

#[test]
fn whatever_fails_once_the_noise_is_drawn_leaves_the_release_in_its_place_with_an_exit_code_of_its_own() {
    for has_ledger in [false, true] {
        for wrong in ALL {
            let house = House::new(has_ledger);
            let refused = house.publish(wrong).unwrap_err();
            assert_eq!(refused.exit_code(), std::process::ExitCode::from(3), "{wrong:?}: {refused}");
            let told = refused.to_string();
            assert!(told.contains("the release is in") && told.contains("read it"), "{wrong:?}: {told}");
            assert_eq!(house.document().public_records(), Some(2), "{wrong:?}");
            // what could be made is there
            let made = |name: &str| house.output.out.join(name).exists();
            let is_seen = !matches!(wrong, Wrong::View | Wrong::ViewFault | Wrong::Document);
            assert_eq!(made("release.csv"), is_seen && wrong != Wrong::Table, "{wrong:?}");
            assert_eq!(made("release.svg"), is_seen && wrong != Wrong::FigureFault, "{wrong:?}");
            assert_eq!(fs::read_dir(house.place.path()).unwrap().count(), 2, "{wrong:?}: nothing hidden is left");
        }
    }
}

#[test]
fn a_release_of_which_something_failed_is_given_back_for_nothing_as_often_as_wanted() {
    let mut house = House::new(true);
    house.publish(Wrong::FigureFault).unwrap_err();
    let (first, entries) = (house.document(), house.entries());
    let retried = house.publish(Wrong::FigureFault).unwrap_err();
    assert_eq!(retried.exit_code(), std::process::ExitCode::from(3), "the very files are there: {retried}");
    for (name, wrong) in [("again", Wrong::ViewFault), ("whole", Wrong::Nothing)] {
        house.output.out = house.place.path().join(name);
        assert_eq!(house.publish(wrong).is_ok(), wrong == Wrong::Nothing);
        assert_eq!(house.document().stored(), first.stored());
    }
    assert!(house.output.out.join("release.svg").exists());
    assert_eq!(house.entries(), entries);
}

#[test]
fn the_document_is_on_the_disk_before_anything_is_made_of_the_release() {
    let house = House::new(false);
    let seen = Cell::new(false);
    let output = OutputDirectory::prepare(&house.output.out, Contents::Release, false, &[]).unwrap();
    let written = write_all(
        ((), "{}".to_owned()),
        |()| {
            let hidden = fs::read_dir(house.place.path()).unwrap().map(|entry| entry.unwrap().path());
            seen.set(hidden.map(|path| path.join("release.json")).any(|path| path.exists()));
            Ok(Seen(Wrong::Nothing))
        },
        None,
        &house.output.out,
        &mut |name, bytes| output.write(name, bytes),
    );
    assert!(seen.get() && written.unwrap().unmade.is_empty());
}
