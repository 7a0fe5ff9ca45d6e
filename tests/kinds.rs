//! Laws of all kinds of releases, and `docs/kinds.md`: each law takes its kinds from the table.

use std::fs;
use std::path::Path;

use dpfda::AnyRelease;
use dpfda::analysis::Components;
use dpfda::kinds::{Can, KINDS, Picture, Row, Shown};
use dpfda::mechanism::rounded;
use dpfda::plotting::Frame;
use dpfda::privacy::{NeighbouringRelation, Spend};

#[path = "kinds/edits.rs"]
mod edits;
#[path = "kinds/examples.rs"]
mod examples;

use edits::accepted;
use examples::{Case, USUAL, example};

/// What the table says that no test can find false: it is stated by hand. That the command writes a kind is found by its own tests.
const STATED: [Can; 8] =
    [Can::Study, Can::Stream, Can::Dask, Can::Forecast, Can::Check, Can::Smoother, Can::Features, Can::Report];

/// The usual example; a kind that has none for this delta has one for delta 0.
fn usual(row: &Row) -> (AnyRelease, Shown, String) {
    let json = example(row, &USUAL).or_else(|_| example(row, &Case { delta: 0.0, ..USUAL })).unwrap();
    let (release, shown) = AnyRelease::read_shown(&json).unwrap();
    (release, shown, json)
}

fn exists(path: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists()
}

#[test]
fn a_document_of_every_kind_reads_back_as_it_was() {
    for row in KINDS {
        let (release, _, json) = usual(row);
        assert!(row.kinds.contains(&release.published().kind()), "{}", row.title);
        assert_eq!(release.published().to_json().unwrap(), json, "{}", row.title);
    }
}

#[test]
fn the_order_of_the_records_changes_no_byte_of_a_release() {
    for row in KINDS {
        let delta = if example(row, &USUAL).is_ok() { USUAL.delta } else { 0.0 };
        let [forwards, backwards] =
            [false, true].map(|backwards| example(row, &Case { delta, backwards, ..USUAL }).unwrap());
        assert_eq!(forwards, backwards, "{}", row.title);
    }
}

#[test]
fn the_facts_of_every_kind_tell_the_whole_spend_and_that_a_seed_protects_nobody() {
    for row in KINDS {
        let (release, shown, _) = usual(row);
        let privacy = shown.facts.iter().find(|fact| fact.name == "privacy").unwrap();
        let spent = match release.spend() {
            Spend::Gaussian { .. } => {
                let mu = dpfda::privacy::TradeOff::of_release(&release.spend(), release.guarantee().budget());
                let dpfda::privacy::TradeOff::Gaussian(privacy) = mu else { unreachable!("{mu:?}") };
                rounded(privacy.mu())
            }
            Spend::Approximate { .. } => rounded(release.guarantee().budget().epsilon()),
        };
        assert!(privacy.text.contains(&spent), "{}: {spent} in {}", row.title, privacy.text);
        let seeds = shown.notes.iter().filter(|note| note.starts_with("NOT PRIVATE")).count();
        assert_eq!(seeds, 1, "{}: {:?}", row.title, shown.notes);
    }
}

/// What a document says that nothing else in it depends on.
const TAKEN_AT_THEIR_WORD: [&str; 9] = [
    "/software",
    // who is protected, and whether the noise was secret: the word of whoever made the release
    "/privacy/unit",
    "/privacy/private",
    // the entry of a ledger, which the ledger confirms
    "/ledger",
    "/ledger/dataset",
    "/ledger/id",
    "/ledger/release",
    "/ledger/entry",
    "/ledger/head",
];

/// Where what is released, and of what, stands once: nothing that follows from it is in the document, so nothing can contradict it. A
/// signature finds such an edit, and so does the ledger that paid: it has the plan and the integers.
fn told_once(kind: &str) -> &'static [&'static str] {
    match kind {
        "groups" => &["/lattice/coordinates/", "/statistic/mean/ball/center", "/statistic/mean/grid/points/"],
        // a number of records that no noise depends on
        "rows" => &["/privacy/records", "/statistic/ball/center", "/statistic/domain/"],
        "surface" => &["/lattice/coordinates/", "/statistic/ball/center", "/statistic/grid/"],
        "regression" => &[
            "/lattice/coordinates/",
            "/statistic/covariates/0/number/",
            "/statistic/mean/ball/center",
            "/statistic/mean/grid/points/",
        ],
        "histogram" => &["/privacy/records", "/statistic/cells/bounds/"],
        "series" => &["/statistic/bounds/"],
        // drawn without noise that is added, and so without a scale that an epsilon could be compared with
        "smoothed-histogram" => &["/lattice/draws/", "/privacy/epsilon", "/privacy/records", "/statistic/cells/"],
        _ => &[],
    }
}

#[test]
fn an_edit_of_any_field_of_any_kind_is_refused_or_stated_here_with_its_reason() {
    let mut others = Vec::new();
    for row in KINDS {
        let (release, _, json) = usual(row);
        // the numbers of a path are checked by the kept path, when it is extended
        if release.published().provenance().drawn.is_none() {
            continue;
        }
        let found = accepted(&json, |json| AnyRelease::from_json(json).is_ok());
        let stated = |place: &str| {
            TAKEN_AT_THEIR_WORD.contains(&place) || told_once(row.kinds[0]).iter().any(|begin| place.starts_with(begin))
        };
        others.extend(found.into_iter().filter(|place| !stated(place)).map(|place| format!("{}{place}", row.kinds[0])));
    }
    assert!(others.is_empty(), "{others:#?}");
}

/// Whether a kind can do what the table says, as far as that can be found out here.
fn finds(row: &Row, capability: Can) -> bool {
    let (release, shown, _) = usual(row);
    let published = release.published();
    let provenance = published.provenance();
    let all = |name: &dyn Fn(&str) -> String| row.kinds.iter().all(|kind| exists(&name(kind)));
    let reads = |change: &dyn Fn(Case) -> Case| {
        [USUAL, Case { delta: 0.0, ..USUAL }].into_iter().any(|case| example(row, &change(case)).is_ok())
    };
    match capability {
        Can::Ledger => release.ledger().is_some(),
        Can::AddRemove => reads(&|case| Case { neighbours: NeighbouringRelation::AddRemoveOne, ..case }),
        Can::Pure => example(row, &Case { delta: 0.0, ..USUAL }).is_ok(),
        Can::Periodic => reads(&|case| Case { periodic: true, ..case }),
        Can::BoughtRadius => provenance.buys_radius,
        Can::BoughtCentre => provenance.buys_center,
        Can::Parts => all(&|kind| format!("docs/schema/planned-{kind}.json")),
        Can::Schema => all(&|kind| format!("docs/schema/{kind}.json")),
        Can::Band => shown.picture.has_band() || matches!(shown.picture, Picture::Nothing),
        Can::Compare => matches!(shown.picture, Picture::Curve { .. } | Picture::Surface(_)),
        Can::CompareWithin => matches!(shown.picture, Picture::Together { .. }),
        Can::Predict => matches!(shown.picture, Picture::Panels(_) | Picture::Nothing),
        Can::Components => match &shown.picture {
            Picture::Curve { mean, .. } => Components::new(mean.population()).is_ok(),
            _ => false,
        },
        Can::Figure => matches!(shown.picture, Picture::Nothing) || shown.figure(&Frame::default()).unwrap().is_some(),
        Can::Table => matches!(shown.picture, Picture::Nothing) || !shown.table().unwrap().rows.is_empty(),
        Can::Audit => published.attack().is_some_and(|attack| attack.is_ok()),
        Can::Python => is_read_in_python(&release),
        other => unreachable!("{other} is stated"),
    }
}

/// Whether the sources of the Python package read such a document.
fn is_read_in_python(release: &AnyRelease) -> bool {
    let shown = format!("{release:?}");
    let name = shown.split('(').next().unwrap();
    let reads = [
        format!("Estimated::<{name}>::from_json"),
        format!("Release::<{name}>::from_json"),
        format!("{name}Release::from_json"),
        format!("AnyRelease::{name}("),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/python/src");
    let mut sources = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    sources.any(|source| reads.iter().any(|read| source.contains(read)))
}

#[test]
fn every_capability_in_the_table_is_there_and_none_is_missing() {
    let mut wrong = Vec::new();
    for row in KINDS {
        for &capability in
            Can::ALL.iter().filter(|capability| !STATED.contains(capability) && **capability != Can::Command)
        {
            let found = finds(row, capability);
            if found != row.can(capability) {
                wrong.push(format!("{}: {capability} is {found}", row.kinds[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The page of all kinds.
fn page() -> String {
    let mut page = String::from(
        "# Kinds of releases\n\nThis page is made from the table `kinds!` in `src/kinds.rs`: run\n\
         `DPFDA_WRITE=1 cargo test -p dpfda --test integration kinds` after a change of it. A mark says that the kind can do it.\n\n",
    );
    let names = KINDS.iter().map(|row| format!(" {} |", row.kinds.join(", ")));
    page.extend(["| |", &names.collect::<String>(), "\n|---|", &"---|".repeat(KINDS.len()), "\n"]);
    for &capability in Can::ALL {
        let marks = KINDS.iter().map(|row| if row.can(capability) { " x |" } else { "  |" });
        page.extend(["| ", &capability.to_string(), " |", &marks.collect::<String>(), "\n"]);
    }
    let stated: Vec<String> = STATED.iter().map(ToString::to_string).collect();
    page + &format!(
        "\nTests find every mark true and every gap a gap, but in the rows {}: these are stated by hand.\n",
        stated.join(", ")
    )
}

#[test]
fn the_page_of_kinds_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/kinds.md");
    if std::env::var_os("DPFDA_WRITE").is_some() {
        fs::write(&path, page()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), page());
}
