//! `dpfda report` and `dpfda ledger report`: a page that a custodian can sign.

use std::fs;
use std::path::Path;

use crate::common::{Place, SMALL, dti_like};

const LEDGER: &str = "ledger create l --epsilon 3 --delta 1e-4 --unit curve --neighbours substitute --dataset growth";

fn page(place: &Place, name: &str) -> String {
    String::from_utf8(place.bytes(name)).unwrap()
}

/// The page as a reader sees it: without markup, with single spaces.
fn words(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    let text: String = body
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect::<Vec<_>>()
        .join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A page that nothing can be loaded by, that runs nothing, and whose elements are closed.
fn assert_sound(page: &str) {
    for refused in [
        "<script",
        "javascript:",
        "<img",
        "<link",
        "@import",
        "url(",
        "src=",
        "href=",
        "<iframe",
        "<object",
        "onload",
        "onerror=",
    ] {
        assert!(!page.contains(refused), "{refused}");
    }
    assert!(
        page.contains("default-src 'none'")
            && page.starts_with("<!DOCTYPE html>")
            && page.contains("<html lang=\"en\">")
    );
    for element in [
        "h1",
        "h2",
        "h3",
        "p",
        "table",
        "tr",
        "td",
        "dl",
        "dd",
        "figure",
        "svg",
        "text",
        "section",
        "ul",
        "li",
        "blockquote",
    ] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
    assert_eq!(page.matches("<h1>").count(), 1);
    assert!(page.find("<h1>") < page.find("<h2>"));
    // every figure has words for whoever does not see it
    assert_eq!(page.matches("<figure>").count(), page.matches("<div role=\"img\" aria-label=\"").count());
    // `http:` stands in names of formats alone
    assert!(
        page.split("http")
            .skip(1)
            .all(|rest| rest.starts_with("://www.w3.org/2000/svg\"") || rest.starts_with("-equiv"))
    );
}

#[test]
fn the_page_of_a_mean_holds_what_a_custodian_signs() {
    let place = Place::new();
    place.release(&dti_like(), "--values cca_* --subject ID --out out").succeeded();
    let run = place.run("report out/release.json").succeeded();
    assert!(run.words().starts_with("report.html is to be read, printed and signed"), "{}", run.stdout);
    let page = page(&place, "report.html");
    assert_sound(&page);
    let words = words(&page);
    for said in [
        "Privacy report: private mean function",
        "(epsilon, delta) = (1, 1e-5) for one substituted subject",
        // the power of the best test at the mu of (1, 1e-5), rounded up
        "5 in 100 8.5%",
        "the best guess is right in at most 55.4%",
        "more than 70.4% sure",
        "Each person has one id, and every row of a person carries it. That there are 142 is no secret.",
        "none paid for it",
        "signature the release is not signed",
        "names the study with the digest",
        "drawn in exact arithmetic",
        "statements 1 to 6 are true",
        "dpfda audit release.json",
    ] {
        assert!(words.contains(said), "`{said}` in {words}");
    }
    assert!(page.contains("A line with a band."), "words for whoever does not see the figure");
    assert!(words.contains(&format!("SHA-256 of release.json {}", sha256(&place, "out/release.json"))));
    for refused in ["mu squared", "ball", "class=\"stamp\""] {
        assert!(!page.contains(refused), "{refused}");
    }
}

/// The number of sheets of a document of our own writer.
fn sheets(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).matches("/Type /Page ").count()
}

#[test]
fn a_page_says_by_which_papers_study_key_and_ledger_a_release_was_made() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.run(LEDGER).succeeded();
    place.run("key new k --no-passphrase").succeeded();
    let study = "[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\n[table]\nvalues = 'v*'\n[papers]\n\
                 dataset = 'growth'\nstudy_name = 'G-1'\napproval = 'EK 7/26'\ndate = '2026-11-27'\n";
    place.write("study.toml", study);
    place.run("release study.toml small.csv --ledger l --sign k --out out").succeeded();
    let report = "report out --ledger l --key k.pub --study study.toml --out";
    place.run(&format!("{report} a.html")).succeeded();
    let page = words(&page(&place, "a.html"));
    for said in [
        "data set growth; study G-1; approval EK 7/26; date 2026-11-27",
        "follows the approved study, with which it was compared: digest",
        "unchanged since it was signed by the key",
        "entry 1 paid for it. Spent: (epsilon, delta)",
        "What was spent is the epsilon of the release at the delta of the total",
        "The ledger has 3 entries, and one of them paid for a release.",
    ] {
        assert!(page.contains(said), "`{said}` in {page}");
    }
    place.run(&format!("{report} a.pdf")).succeeded();
    assert_eq!(sheets(&place.bytes("a.pdf")), 2, "one for the release, and one for the ledger");
    place.write("other.toml", &study.replace("G-1", "G-2"));
    let other = place.run("report out --study other.toml --out b.html");
    assert!(other.code == 1 && other.stderr.contains("NOT VERIFIED"), "{}", other.stderr);
    place.run("report out --out c.html").succeeded();
    let words = words(&self::page(&place, "c.html"));
    assert!(words.contains("lies beside the release; not compared with a public key"), "{words}");
    place.write("people.toml", &study.replace("'growth'", "'people'"));
    let spent = place.run("ledger show l").succeeded().stdout;
    for verb in ["check", "release --out people"] {
        let other = place.run(&format!("{verb} people.toml small.csv --ledger l"));
        let said = "the ledger is the account of the data set growth, and the study is about people";
        assert!(other.code == 2 && other.stderr.contains(said), "{verb}: {}", other.stderr);
    }
    assert_eq!(place.run("ledger show l").succeeded().stdout, spent, "the other study paid for nothing");
}

/// By the command that the page names.
fn sha256(place: &Place, name: &str) -> String {
    let output = std::process::Command::new("sha256sum").arg(place.path(name)).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
}

#[test]
fn the_same_documents_give_the_same_page() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out out").succeeded();
    for out in ["a.html", "b.html"] {
        place.run(&format!("report out/release.json --out {out}")).succeeded();
    }
    assert_eq!(place.bytes("a.html"), place.bytes("b.html"));
}

#[test]
fn every_kind_of_document_has_a_page_and_noise_from_a_seed_is_stamped() {
    let place = Place::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let files = ["release_json", "density_json", "path_json"].map(|folder| fs::read_dir(corpus.join(folder)).unwrap());
    let mut pages = 0;
    for path in files.into_iter().flatten().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if text.contains("\"kind\": \"kept-path\"") || !text.contains("\"kind\"") {
            continue;
        }
        let out = format!("{pages}.html");
        place.run_with(&["report", path.to_str().unwrap(), "--out", &out]).succeeded();
        let page = page(&place, &out);
        assert_sound(&page);
        let words = words(&page);
        place.run_with(&["report", path.to_str().unwrap(), "--out", &format!("{pages}.pdf")]).succeeded();
        assert_eq!(sheets(&place.bytes(&format!("{pages}.pdf"))), 1, "{}", path.display());
        assert!(page.contains("<svg") || words.contains("The released numbers"), "{}", path.display());
        let is_private = text.contains("\"private\": true");
        assert_eq!(words.contains("NOT PRIVATE. The noise came from a seed"), !is_private, "{}", path.display());
        assert_eq!(words.contains("says “yes” rightly in at most"), is_private, "{}", path.display());
        pages += 1;
    }
    assert!(pages >= 15, "{pages}");
}

#[test]
fn several_releases_of_one_ledger_are_one_page_that_adds_them_up() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.run(LEDGER).succeeded();
    for id in ["one", "two", "unreported"] {
        place.release("small.csv", &format!("--values v* --out {id} --ledger l --release-id {id}")).succeeded();
    }
    place.write("export.json", &place.run("ledger export l").succeeded().stdout);
    for (source, out) in [("--ledger l", "a.html"), ("--export export.json", "b.html")] {
        place.run(&format!("report one/release.json two/release.json {source} --out {out}")).succeeded();
    }
    place.run("report one/release.json ./one/release.json --out one.html").succeeded();
    assert_eq!(self::page(&place, "one.html").matches("<section>").count(), 1, "one release that is named twice");
    let page = page(&place, "a.html");
    assert_eq!(page.as_bytes(), place.bytes("b.html"));
    assert_sound(&page);
    let words = words(&page);
    for said in [
        "Privacy report of growth: private mean function",
        "release one, made by",
        "release two, made by",
        "in this report",
        "all 3 releases of the ledger together",
        // sqrt(3) times the mu of (1, 1e-5)
        "mu = 0.4643",
        "left",
    ] {
        assert!(words.contains(said), "`{said}` in {words}");
    }
    assert_eq!(page.matches(">in this report<").count(), 2);
    assert_eq!(page.matches("<figure>").count(), 2);
    assert!(words.contains("unreported mean (1, 1e-5) stored"), "{words}");
}

#[test]
fn the_page_of_a_ledger_says_what_was_spent_and_what_is_left() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.run(LEDGER).succeeded();
    place.run("ledger report l --out empty.html").succeeded();
    assert!(words(&page(&place, "empty.html")).contains("The ledger has paid for no release."));
    place.release("small.csv", "--values v* --out one --ledger l --release-id one").succeeded();
    place.run("ledger report l").succeeded();
    let page = page(&place, "ledger.html");
    assert_sound(&page);
    let words = words(&page);
    let shown = place.run("ledger show l").succeeded().words();
    let left = shown.split("left ").nth(1).unwrap().split(" last hash").next().unwrap();
    for said in
        ["Privacy account of growth", "one mean (1, 1e-5) stored", left, "the best guess is right in at most 55.4%"]
    {
        assert!(words.contains(said), "`{said}` in {words}");
    }
}

#[test]
fn a_report_is_refused_where_the_ledger_and_the_release_disagree_or_nothing_adds_up() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.run(LEDGER).succeeded();
    place.release("small.csv", "--values v* --out one --ledger l --release-id one").succeeded();
    place.release("small.csv", "--values v* --out free").succeeded();
    let whole = fs::read_to_string(place.path("one/release.json")).unwrap();
    place.write("edited.json", &whole.replacen("\"unit\": \"curve\"", "\"unit\": \"subject\"", 1));
    place.write("there.html", "");
    let before = place.names();
    for (arguments, code, said) in [
        ("one/release.json free/release.json", 2, "--ledger FILE"),
        ("one/release.json free/release.json --ledger l", 2, "free/release.json` does not name a ledger"),
        ("edited.json --ledger l", 1, "NOT VERIFIED: `edited.json`: the unit of privacy"),
        ("one/release.json --ledger l --export l", 2, "--export"),
        ("one/release.json --out there.html", 2, "exists"),
        ("one/release.json --out page.docx", 2, "--out: the name `page.docx` must end in .html or .pdf"),
        ("one/release.json --out page", 2, "must end in .html or .pdf; give a name such as report.html"),
        ("one/release.json --out no/report.html", 2, "cannot write"),
        ("small.csv", 2, "small.csv"),
    ] {
        let run = place.run(&format!("report {arguments}"));
        assert!(run.code == code && run.stderr.contains(said), "{arguments}: {}", run.text());
        assert!(!run.stderr.contains("panicked") && run.stdout.is_empty(), "{arguments}");
    }
    assert_eq!(place.names(), before);
}

/// Group names and data sets come from a user; a name of a group may come from a file of strangers.
#[test]
fn no_name_becomes_markup() {
    let place = Place::new();
    let hostile = "<img src=x onerror=alert(1)>";
    let row = |i: usize| format!("{},0.4,0.5,0.5{}\n", [hostile, "b</text></svg><script>"][i % 2], i % 10);
    place.write("groups.csv", &format!("group,v1,v2,v3\n{}", (0..400).map(row).collect::<String>()));
    let dataset = "</title><script>alert(2)</script>";
    let create = ["ledger", "create", "l", "--epsilon", "3", "--delta", "1e-4", "--unit", "curve"];
    place.run_with(&[&create[..], &["--neighbours", "substitute", "--dataset", dataset]].concat()).succeeded();
    let release =
        "release groups.csv --values v* --by group --bounds 0,1 --epsilon 1 --delta 1e-5 --out out --ledger l";
    place.run(release).succeeded();
    place.run("report out/release.json --ledger l").succeeded();
    let page = page(&place, "report.html");
    assert_sound(&page.replace("onerror=", "").replace("src=x", ""));
    assert!(!page.contains("<img") && !page.contains("<script") && page.matches("</svg>").count() == 1);
    assert!(page.contains("&lt;img") && page.contains("&lt;/title&gt;&lt;script&gt;"));
}

#[test]
fn a_summary_has_at_most_15_lines_and_verbose_tells_all_facts() {
    let place = Place::new();
    // as many people as buy a radius, each with an id
    let row = |i: usize| format!("p{i},0.{0},0.{0},0.{1}\n", 40 + i % 17, 50 + i % 7);
    place.write("people.csv", &format!("id,v1,v2,v3\n{}", (0..3000).map(row).collect::<String>()));
    place.run(&LEDGER.replace("--unit curve", "--unit subject")).succeeded();
    let mean = ["release", "people.csv", "--values", "v*", "--subject", "id", "--bounds", "0,1", "--ledger", "l"];
    let budget = ["--epsilon", "1", "--delta", "1e-5", "--out", "out"];
    let told = place.run_briefly(&[&mean[..], &budget].concat()).succeeded().stdout;
    assert!(told.lines().count() <= 15, "{told}");
    // what else is told depends on the notes, and they on the noise
    for said in ["--verbose tells all facts", "privacy", "unit", "bound", "band", "ledger"] {
        assert!(told.contains(said), "`{said}` in {told}");
    }
    let verbose = place.run("show out").succeeded().stdout;
    assert!(verbose.contains("precision") && !told.contains("precision"), "{verbose}");
    // with all papers, four groups of long names and a ledger
    let row = |i: usize| format!("p{i},a long name of group {},0.{1},0.{1},0.{2}\n", i % 4, 40 + i % 17, 50 + i % 7);
    place.write("groups.csv", &format!("id,group,v1,v2,v3\n{}", (0..3000).map(row).collect::<String>()));
    let groups = [
        "release",
        "groups.csv",
        "--values",
        "v*",
        "--subject",
        "id",
        "--bounds",
        "0,1",
        "--ledger",
        "l",
        "--by",
        "group",
    ];
    let papers =
        ["--dataset", "growth", "--study-name", "A study", "--approval", "vote 12/2026", "--date", "2026-11-01"];
    let budget = ["--epsilon", "0.5", "--delta", "1e-5", "--out", "groups"];
    let told = place.run_briefly(&[&groups[..], &papers, &budget].concat()).succeeded().stdout;
    assert!(told.lines().count() <= 15, "{told}");
    for said in ["privacy", "unit", "bound", "groups", "band", "ledger"] {
        assert!(told.contains(said), "`{said}` in {told}");
    }
}

#[test]
fn a_summary_with_notes_and_a_signature_gives_way_to_them() {
    let place = Place::new();
    place
        .run("ledger create l --epsilon 9 --delta 1e-3 --unit subject --neighbours substitute --dataset d")
        .succeeded();
    place.run("key new k --no-passphrase").succeeded();
    let file = dti_like();
    let release = ["release", file.as_str(), "--values", "cca_*", "--subject", "ID", "--ledger", "l", "--sign", "k"];
    let budget = ["--epsilon", "1", "--delta", "1e-5"];
    for (more, named) in [
        (&["--radius", "0.1", "--per", "visit", "--apart", "1", "--out", "change"][..], "change"),
        (&["--bounds", "0,1", "--centiles", "25,50,75", "--out", "chart"][..], "centile"),
        (&["--bounds", "0,1", "--on", "case", "--covariate-bounds", "case=0|1", "--out", "on"][..], "regression"),
    ] {
        let told = place.run_briefly(&[&release[..], &budget, more].concat()).succeeded().stdout;
        assert!(told.lines().count() <= 15, "{told}");
        for said in ["privacy", "unit", "bound", "ledger", "NOTE", "no passphrase", named] {
            assert!(told.contains(said), "`{said}` in {told}");
        }
    }
}

#[test]
fn six_groups_are_one_sheet_and_sizes_are_told_once() {
    let place = Place::new();
    let row = |i: usize| format!("p{i},site {},0.{1},0.{1},0.{2}\n", i % 6, 40 + i % 17, 50 + i % 7);
    place.write("groups.csv", &format!("id,site,v1,v2,v3\n{}", (0..3000).map(row).collect::<String>()));
    let release = "release groups.csv --values v* --subject id --bounds 0,1 --by site --epsilon 1 --delta 1e-5";
    place.run(&format!("{release} --out six")).succeeded();
    place.run("report six --out six.pdf").succeeded();
    assert_eq!(sheets(&place.bytes("six.pdf")), 1);
    place.run("report six --out six.html").succeeded();
    let words = words(&page(&place, "six.html"));
    assert!(words.contains("all rows of a person are one record"), "{words}");
    let pair = place.run_briefly(&["compare", "six", "--groups", "site 0,site 1"]).succeeded().stdout;
    assert!(pair.starts_with("The mean of site = site 0 minus the mean of site = site 1\n"), "{pair}");
    assert!(pair.lines().count() <= 15, "{pair}");
}

#[test]
fn a_release_whose_bounds_have_a_far_middle_says_so_and_names_the_cure() {
    let place = Place::new();
    let row = |i: usize| format!("0.0{0},0.0{0},0.0{0}\n", 5 + i % 5);
    place.write("low.csv", &format!("v1,v2,v3\n{}", (0..2000).map(row).collect::<String>()));
    let release = "release low.csv --values v* --bounds 0,1 --epsilon 5 --delta 1e-6 --not-private --seed 1";
    let far = place.run(&format!("{release} --center-share none --out far")).succeeded().words();
    assert!(far.contains("from the middle of the bounds, 0.5") && far.contains("--center-share 0.1"), "{far}");
    let stated =
        place.run(&format!("{release} --radius-share none --center-share none --out stated")).succeeded().words();
    assert!(stated.contains("More than half of the radius, 0.5, only leads from the middle"), "{stated}");
    assert!(
        stated.contains("--center and --radius in place of --bounds") && !stated.contains("--center-share"),
        "{stated}"
    );
    let chart = place.run(&format!("{release} --centiles 25,50,75 --out chart")).succeeded().words();
    assert!(chart.contains("from the middle of the bounds, 0.5") && !chart.contains("--center-share"), "{chart}");
    let near = place.run(&format!("{release} --center-share 0.1 --out near")).succeeded().words();
    assert!(!near.contains("from the middle of the bounds"), "{near}");
}
