//! Laws of all kinds of releases, and `docs/kinds.md`: each law takes its kinds from the table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dpfda::AnyRelease;
use dpfda::analysis::{Components, Estimated, in_halves};
use dpfda::audit::{AuditError, AuditPlan};
use dpfda::kinds::{Can, KINDS, Picture, Row, Shown, of_curves};
use dpfda::mechanism::rounded;
use dpfda::plotting::Frame;
use dpfda::privacy::{NeighbouringRelation, Spend};
use dpfda::release::{Centiles, Change, Groups, Mean, Regression, Rows, Surface};
use serde_json::{Map, Value, json};

#[path = "kinds/edits.rs"]
mod edits;
#[path = "kinds/examples.rs"]
mod examples;

use edits::accepted;
use examples::{Case, USUAL, all, example};

/// What the table says that no test can find false: it is stated by hand.
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

/// A document read and written again, with its estimate where it has one.
fn written_again(kind: &str, json: &str) -> String {
    let again = match kind {
        "mean" => Estimated::<Mean>::from_json(json).unwrap().to_json(),
        "groups" => Estimated::<Groups>::from_json(json).unwrap().to_json(),
        "change" => Estimated::<Change>::from_json(json).unwrap().to_json(),
        "rows" => Estimated::<Rows>::from_json(json).unwrap().to_json(),
        "surface" => Estimated::<Surface>::from_json(json).unwrap().to_json(),
        "regression" => Estimated::<Regression>::from_json(json).unwrap().to_json(),
        "centiles" => Estimated::<Centiles>::from_json(json).unwrap().to_json(),
        _ => AnyRelease::from_json(json).unwrap().published().to_json(),
    };
    again.unwrap()
}

#[test]
fn every_document_of_every_kind_reads_back_as_it_was() {
    for row in KINDS {
        for (case, json) in all(row) {
            let release = AnyRelease::from_json(&json).unwrap();
            assert!(row.kinds.contains(&release.published().kind()), "{}", row.title);
            assert_eq!(written_again(row.kinds[0], &json), json, "{} {case:?}", row.title);
        }
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

/// Why a field is believed, as `docs/release-format.md` says: kinds, what its path begins with, and the reason. A signature finds such an
/// edit, and so does the ledger that paid: it has the plan and the integers.
const BELIEVED: [(&[&str], &[&str], &str); 19] = [
    (
        &[""],
        &["/software", "/privacy/unit", "/privacy/private"],
        "words, who is protected and whether the noise was secret: nothing else depends on them",
    ),
    (&[""], &["/ledger", "/labels-"], "the entry of a ledger, which the ledger confirms, and names of axes"),
    (
        &["mean", "groups", "change", "rows", "surface", "regression", "centiles"],
        &["/estimate-"],
        "a document without an estimate gets the default one",
    ),
    (
        &["groups: private", "groups: hidden", "change", "histogram", "smoothed-histogram"],
        &["/privacy/records"],
        "a number that the noisy counts allow; no scale depends on it",
    ),
    (&["rows"], &["/statistic/bound"], "under add/remove no scale depends on the bound on one value"),
    (
        &["functionals: infinite variance"],
        &["/statistic/grid/points/"],
        "without a standard deviation the answers alone tell that a point moved, and hardly depend on some",
    ),
    (
        &["smoothed-histogram"],
        &["/privacy/epsilon", "/lattice/draws", "/statistic/terms"],
        "draws of cells have no noise whose scale could be compared",
    ),
    (
        &["histogram", "series", "smoothed-histogram"],
        &["/statistic/cells/", "/statistic/bounds/"],
        "cells and bounds give the numbers their units",
    ),
    (&["series: smoothness"], &["/statistic/terms/smoothness"], "another smoothness that calls for as many terms"),
    (
        &[
            "mean",
            "groups",
            "change",
            "rows: bought",
            "surface: bought",
            "surface: roughness",
            "regression",
            "centiles",
        ],
        &["/lattice/coordinates/", "/lattice/radius/"],
        "noisy integers that no derived number shows, such as an answer that calls for the same radius",
    ),
    (
        &["change"],
        &["/statistic/visits/", "/statistic/slope/"],
        "what is said of a visit, and how far apart times were, is the curator's word",
    ),
    (
        &["regression: outcome"],
        &[
            "/statistic/covariates/",
            "/statistic/mean/ball/center",
            "/statistic/mean/grid/points/",
            "/statistic/outcome-",
        ],
        "a correlation depends neither on the centre nor on the units of an outcome, and nothing is compared where noise hides it",
    ),
    (&["regression: public design"], &["/statistic/design/"], "the rows of a public design are the curator's word"),
    (&["mean"], &["/derived/smoother/"], "a smoother that moves no value by a millionth of the largest"),
    (
        &["mean", "surface", "groups", "change"],
        &["/derived/noise_sd", "/estimate/noise_sd", "/estimate/groups/*/mean/noise_sd"],
        "in the opposite order, which on a grid of equal steps is the same but for a millionth of the largest value",
    ),
    (
        &["path"],
        &["/derived/values", "/derived/id", "/statistic/ball/center"],
        "only the kept path can tell whether answers are its own; standard deviations follow from the rest",
    ),
    (
        &["path: student-t", "path: gamma-root", "path: log-normal", "path: finite"],
        &["/noise/law", "/privacy/epsilon", "/privacy/delta"],
        "a random scale is one draw, which the kept path alone calibrates",
    ),
    (
        &["mean", "functionals", "path", "groups", "change", "regression"],
        &["/statistic/ball/bounds-", "/statistic/mean/ball/bounds-"],
        "a ball without bounds is one that was stated by centre and radius",
    ),
    (
        &["groups: hidden", "change: hidden", "regression: hidden"],
        &["/statistic/mean/grid/points/", "/statistic/covariates/", "/statistic/coding", "/lattice/coordinates"],
        "points, levels, codings and integers that no estimate is of, as the noise hides them",
    ),
];

fn is_listed(kind: &str, place: &str) -> bool {
    let has = |(kinds, begins, _): &(&[&str], &[&str], &str)| {
        kinds.iter().any(|one| kind.starts_with(one)) && begins.iter().any(|begin| place.starts_with(begin))
    };
    BELIEVED.iter().any(has)
}

#[test]
fn every_edited_field_of_every_kind_is_refused_or_stands_in_the_list_of_what_nothing_can_check() {
    let documents = KINDS.iter().flat_map(|row| all(row).into_iter().map(move |(case, json)| (row, case, json)));
    let documents: Vec<_> = documents.collect();
    let accepted = in_halves(&documents, |(_, _, json)| accepted(json, |json| AnyRelease::read_shown(json).is_ok()));
    let mut believed = BTreeMap::<(String, String), Case>::new();
    for ((row, case, _), places) in documents.iter().zip(accepted) {
        for place in places {
            believed.entry((format!("{}: {}", row.kinds[0], case.variant), place)).or_insert(*case);
        }
    }
    let unexpected: Vec<_> = believed.iter().filter(|((kind, place), _)| !is_listed(kind, place)).collect();
    assert!(unexpected.is_empty(), "believed without a reason: {unexpected:#?}");
    let checked = BELIEVED.iter().flat_map(|(kinds, begins, reason)| {
        let is_of = |kind: &str| kinds.iter().any(|one| kind.starts_with(one));
        let believed = believed.keys().filter(move |(kind, _)| is_of(kind)).collect::<Vec<_>>();
        let is_checked = move |begin: &&&str| !believed.iter().any(|(_, place)| place.starts_with(**begin));
        begins.iter().filter(is_checked).map(move |begin| format!("{begin}: {reason}"))
    });
    assert_eq!(checked.collect::<Vec<_>>(), Vec::<String>::new(), "is checked after all");
}

#[test]
fn a_document_of_any_kind_with_a_control_character_or_another_schema_is_refused() {
    for row in KINDS {
        let (_, _, json) = usual(row);
        for (from, to) in
            [("\"dpfda ", "\"\\u001b[2J "), ("\"schema\": 3", "\"schema\": 2"), ("\"schema\": 3", "\"schema\": 4")]
        {
            let edited = json.replacen(from, to, 1);
            assert!(edited != json && AnyRelease::from_json(&edited).is_err(), "{}: {to}", row.title);
        }
    }
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
        Can::Band => !matches!(shown.picture, Picture::Density { .. } | Picture::Numbers(_)),
        Can::Compare => matches!(shown.picture, Picture::Curve { .. } | Picture::Surface(_)),
        Can::CompareWithin => matches!(shown.picture, Picture::Together { .. }),
        Can::Predict => matches!(shown.picture, Picture::Panels(_) | Picture::Nothing),
        Can::Components => match &shown.picture {
            Picture::Curve { mean, .. } => Components::new(mean.population()).is_ok(),
            _ => false,
        },
        Can::Figure => matches!(shown.picture, Picture::Nothing) || shown.figure(&Frame::default()).unwrap().is_some(),
        Can::Table => matches!(shown.picture, Picture::Nothing) || !shown.table().unwrap().rows.is_empty(),
        Can::Audit => published.attack().is_ok(),
        Can::Python => is_read_in_python(&release),
        other => unreachable!("{other} is stated"),
    }
}

/// Whether the sources of the Python package read such a document.
fn is_read_in_python(release: &AnyRelease) -> bool {
    let shown = format!("{release:?}");
    let name = shown.split('(').next().unwrap();
    let reads = [
        format!("{name}::KIND =>"),
        format!("<{name}>::KIND =>"),
        format!("{name}Release::KIND =>"),
        format!("AnyRelease::{name}("),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/python/src");
    let mut sources = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    sources.any(|source| reads.iter().any(|read| source.contains(read)))
}

#[test]
fn every_gap_in_the_table_has_one_reason_and_no_mark_has_any() {
    for row in KINDS {
        for capability in Can::ALL {
            let reasons = row.why.iter().filter(|(missing, _)| missing == capability).count();
            assert_eq!(reasons, usize::from(!row.can(*capability)), "{}: {capability}", row.kinds[0]);
        }
    }
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

/// Few draws refute nothing honest (at most 1e-6): the exact sums of neighbours tell whether the noise of the document is that of its claim.
#[test]
fn a_release_of_any_kind_is_attacked_from_its_document_and_its_hardest_neighbours_cost_what_it_states() {
    let (plan, mut wrong) = (AuditPlan { draws: 10, ..AuditPlan::default() }, Vec::new());
    for row in KINDS {
        for (case, json) in all(row).into_iter().filter(|(case, _)| ["usual", "bought"].contains(&case.variant)) {
            let label = format!("{} {case:?}", row.title);
            let attack = match AnyRelease::from_json(&json).unwrap().published().attack() {
                Ok(attack) => attack,
                // public groups and designs in a ball that was bought
                Err(AuditError::NotMadeFor { .. }) if case.variant == "bought" && row.kinds == ["groups"] => continue,
                Err(error) => {
                    wrong.push(format!("{label}: {error}"));
                    continue;
                }
            };
            let report = attack.run(&plan).unwrap();
            let parts: Vec<f64> = report.pairs.iter().filter_map(|pair| pair.exact_part).collect();
            let most = parts.iter().copied().fold(0.0, f64::max);
            if report.refuted || (!parts.is_empty() && most < 0.85) {
                wrong.push(format!("{label}: {most}"));
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
    let kinds = KINDS.iter().flat_map(|row| row.kinds);
    let schemas: Vec<String> = kinds.map(|kind| format!("[{kind}](schema/{kind}.json)")).collect();
    page.extend(["\nThe JSON Schema of each: ", &schemas.join(", "), ".\n"]);
    let stated: Vec<String> = STATED.iter().map(ToString::to_string).collect();
    page + &format!(
        "\nTests find every mark true and every gap a gap, but in the rows {}: these are stated by hand. Tests of the command check the \
         row {}.\n\n## Why not\n\n{}",
        stated.join(", "),
        Can::Command,
        reasons()
    )
}

/// Why each gap is one: a line for each capability and reason, with the kinds that it is true of.
fn reasons() -> String {
    let mut lines = Vec::<(Can, &str, Vec<&str>)>::new();
    for &capability in Can::ALL {
        for row in KINDS {
            for (_, reason) in row.why.iter().filter(|(missing, _)| *missing == capability) {
                match lines.iter_mut().find(|(of, same, _)| *of == capability && same == reason) {
                    Some((_, _, kinds)) => kinds.extend(row.kinds),
                    None => lines.push((capability, reason, row.kinds.to_vec())),
                }
            }
        }
    }
    let all: usize = KINDS.iter().map(|row| row.kinds.len()).sum();
    let of = |kinds: &[&str]| if kinds.len() == all { "all".to_owned() } else { kinds.join(", ") };
    let line = |(capability, reason, kinds): &(Can, &str, Vec<&str>)| {
        format!("- **{capability}**, {}: {reason}.\n", of(kinds))
    };
    lines.iter().map(line).collect::<Vec<_>>().concat()
}

/// A file that follows from the sources: compared, or written where that is asked for.
fn follows(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("DPFDA_WRITE").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}: see docs/kinds.md", path.display());
}

#[test]
fn the_page_of_kinds_is_what_the_table_says() {
    follows("docs/kinds.md", &page());
}

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The rows of kinds of numbers of curves, with an example of each.
fn numbers_of_curves() -> impl Iterator<Item = (&'static Row, String)> {
    KINDS.iter().filter_map(|row| Some((row, of_curves(row.kinds[0], &USUAL)?.unwrap())))
}

/// The schema of numbers of curves: that of functionals, with other settings.
fn schema(row: &Row, example: &Value) -> Value {
    let kind = row.kinds[0];
    let common = parsed(&file("docs/schema/common.json"));
    let of_field = |(name, value): (&String, &Value)| {
        let schema = match value {
            _ if common["$defs"].get(name).is_some() => json!({"$ref": format!("common.json#/$defs/{name}")}),
            Value::Array(_) => json!({"type": "array", "items": {"type": "number"}}),
            Value::Number(_) => json!({"type": "number"}),
            other => unreachable!("{name} is {other}"),
        };
        (name.clone(), schema)
    };
    let fields = example["statistic"].as_object().unwrap();
    let mut schema = parsed(&file("docs/schema/functionals.json").replace("functionals.json", &format!("{kind}.json")));
    schema["title"] = row.title.into();
    schema["properties"]["kind"] = json!({"const": kind});
    schema["properties"]["statistic"] = json!({
        "type": "object",
        "properties": fields.iter().map(of_field).collect::<Map<_, _>>(),
        "required": fields.keys().collect::<Vec<_>>(),
        "additionalProperties": false,
    });
    schema
}

#[test]
fn the_schemas_of_numbers_of_curves_follow_from_their_documents() {
    for (row, example) in numbers_of_curves() {
        let schema = serde_json::to_string_pretty(&schema(row, &parsed(&example))).unwrap();
        follows(&format!("docs/schema/{}.json", row.kinds[0]), &(schema + "\n"));
    }
}

#[test]
fn numbers_of_curves_from_the_same_seed_keep_the_same_integers() {
    let integers = |example: &str| parsed(example)["lattice"].clone();
    let found: Map<_, _> =
        numbers_of_curves().map(|(row, example)| (row.kinds[0].to_owned(), integers(&example))).collect();
    follows("tests/golden/numbers.json", &(serde_json::to_string_pretty(&found).unwrap() + "\n"));
}

/// The rows of the table of proofs that stand on the pages, in comments.
fn rows_of_pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proofs");
    let pages = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let rows = |page: String| -> Vec<String> {
        let comments = page.lines().filter_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
        comments.map(str::to_owned).collect()
    };
    pages.flat_map(rows).collect()
}

#[test]
fn the_table_of_proofs_holds_the_rows_of_all_pages_new_ones_last() {
    let (readme, rows) = (file("docs/proofs/README.md"), rows_of_pages());
    let (before, rest) = readme.split_once("|---|---|---|---|\n").unwrap();
    let (table, after) = rest.split_once("\n\n").unwrap();
    let kept: Vec<&str> = table.lines().filter(|line| rows.iter().any(|row| row == line)).collect();
    let new = rows.iter().map(String::as_str).filter(|row| !kept.contains(row));
    let table = kept.iter().copied().chain(new).collect::<Vec<_>>().join("\n");
    follows("docs/proofs/README.md", &format!("{before}|---|---|---|---|\n{table}\n\n{after}"));
}
