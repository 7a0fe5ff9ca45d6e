//! `dpfda release`: the journey from a file of curves to public files.

use std::fs;

use crate::common::{Place, Run, SMALL, dti_like};
use dpfda::kernels::{Kernel, KernelName};
use serde_json::Value;

/// The kernel of a document's smoother, by its name.
fn kernel_of(smoother: &Value) -> KernelName {
    let kernel: Kernel = serde_json::from_value(smoother["kernel"].clone()).unwrap();
    KernelName::of(&kernel).unwrap().0
}

#[test]
fn the_main_job_writes_four_files_that_agree() {
    let place = Place::new();
    place.release(&dti_like(), "--values cca_* --subject ID --out out").succeeded();
    assert_eq!(place.names(), ["out"], "nothing else is left behind");
    let release = place.json("out/release.json");
    let csv = fs::read_to_string(place.path("out/release.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("t,value,posterior_sd,noise_sd,lower,upper"));
    for (index, line) in lines.enumerate() {
        let row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let columns = ["grid", "values", "posterior_sd", "noise_sd", "lower", "upper"];
        let expected = columns.map(|column| release["estimate"][column][index].as_f64().unwrap());
        assert_eq!(row, expected);
    }
    assert_eq!(csv.lines().count(), 94);
    assert!(place.bytes("out/release.png").starts_with(b"\x89PNG"));
    let svg = fs::read_to_string(place.path("out/release.svg")).unwrap();
    assert!(svg.contains("<svg") && !svg.contains("NOT PRIVATE"));
}

#[test]
fn a_delta_of_zero_releases_coordinates_of_the_mean_and_says_so() {
    let place = Place::new();
    place.run("ledger create l --epsilon 1 --delta 0 --unit subject --neighbours substitute --dataset d").succeeded();
    let release = format!(
        "release {} --values cca_* --subject ID --center 0.5 --radius 0.25 --epsilon 0.5 --delta 0",
        dti_like()
    );
    let run = place.run(&format!("{release} --out out --ledger l")).succeeded();
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in ["12 coordinates of the mean", "K-norm noise", "lies outside", "not its exact likelihood"] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let document = place.json("out/release.json");
    assert_eq!(document["statistic"]["mechanism"]["coordinates"], 12);
    assert_eq!(document["privacy"]["arithmetic"], "exact");
    assert!(document["derived"]["mu"].is_null() && document["noise"]["law"]["k-norm"].is_object());
    // two of a half are all there is
    place.run(&format!("{release} --out again --ledger l --coordinates 5")).succeeded();
    assert_ne!(place.run(&format!("{release} --out never --ledger l --coordinates 6")).code, 0);
    for command in [
        "show out/release.json",
        "evaluate out/release.json --at 0.5 --derivative 0.5 --json",
        "audit out/release.json --draws 20000",
    ] {
        place.run(command).succeeded();
    }
    place.run("smooth out/release.json --band posterior --out smoothed").succeeded();
    place.run("report out/release.json --ledger l").succeeded();
}

#[test]
fn the_document_holds_its_provenance() {
    let place = Place::new();
    place.release(&dti_like(), "--values cca_* --subject ID --out out").succeeded();
    let release = place.json("out/release.json");
    let privacy = &release["privacy"];
    assert_eq!(privacy["epsilon"], 1.0);
    assert_eq!(privacy["delta"], 1e-5);
    assert!(release["derived"]["mu"].as_f64().unwrap() > 0.26);
    assert_eq!(privacy["neighbours"], "substitute");
    assert_eq!(privacy["unit"], "subject");
    assert_eq!(privacy["records"], 142);
    assert_eq!(privacy["private"], true);
    assert_eq!(privacy["arithmetic"], "exact");
    let (statistic, derived) = (&release["statistic"], &release["derived"]);
    assert_eq!(derived["units"], 142.0);
    assert_eq!(statistic["ball"]["center"], 0.5);
    assert_eq!(statistic["ball"]["radius"], 0.25);
    assert_eq!(statistic["mechanism"], "isonormal");
    let smoother = &derived["smoother"];
    assert_eq!(kernel_of(smoother).to_string(), "matern52", "the fixed rule");
    for number in [&smoother["kernel"]["range"], &smoother["penalty"], &smoother["power"]] {
        assert!(number.as_f64().unwrap() > 0.0, "{smoother}");
    }
    for numbers in [&statistic["grid"]["points"], &derived["values"], &derived["noise_sd"]] {
        assert_eq!(numbers.as_array().unwrap().len(), 93);
    }
}

/// The lines of a summary without notes and without how the smoother was chosen: these depend on what was drawn.
fn without_what_the_noise_adds(summary: &str) -> impl Iterator<Item = &str> {
    let mut varies = false;
    summary.lines().filter(move |line| {
        if !line.starts_with(' ') {
            varies = line.starts_with("NOTE") || line.starts_with("selection");
        }
        !varies
    })
}

#[test]
fn the_summary_is_a_page_and_tells_what_a_methods_section_needs() {
    let place = Place::new();
    let summary = place.release(&dti_like(), "--values cca_* --subject ID --select sure --out out").succeeded();
    let (words, summary) = (summary.words(), summary.stdout);
    assert!(without_what_the_noise_adds(&summary).count() <= 30, "{summary}");
    assert!(summary.lines().all(|line| line.chars().count() <= 90), "{summary}");
    for said in [
        "(epsilon, delta) = (1, 1e-5)",
        "mu = 0.26",
        "one substituted subject",
        "N = 142 subjects",
        "root-mean-square distance",
        "units of the data",
        "white noise on the mean",
        " kernel, range ",
        ", penalty ",
        ", power 1",
        "95% simultaneous band `smoothed`",
        "by Stein's unbiased risk estimate, made from the release itself at no cost in privacy",
        "noise scale sigma = ",
        "noise_sd (the privacy noise alone) = ",
        "posterior_sd = ",
        "is public",
        "spends (1, 1e-5) again",
    ] {
        assert!(words.contains(said), "`{said}` in {summary}");
    }
}

#[test]
fn a_delta_above_one_over_n_is_called_weak() {
    let place = Place::new();
    let weak = |delta: &str, out: &str| {
        let arguments = format!(
            "release {} --values cca_* --subject ID --center 0.5 --radius 0.25 --radius-share none --epsilon 1 --delta {delta} --out {out}",
            dti_like()
        );
        place.run(&arguments).succeeded().words().contains("above 1/N")
    };
    assert!(weak("0.1", "a"));
    assert!(!weak("0.001", "b"));
}

#[test]
fn a_weak_delta_is_noted_by_the_noisy_number_too() {
    let place = Place::new();
    let run = place.run(&format!(
        "release {} --values cca_* --subject ID --center 0.5 --radius 0.25 --radius-share none --epsilon 1 --delta 0.1 --neighbours \
         add-remove --out out",
        dti_like()
    ));
    assert!(run.succeeded().words().contains("by the noisy N. That is weak"));
}

#[test]
fn a_count_below_one_is_said_to_be_raised() {
    let place = Place::new();
    place.write("none.csv", "v1,v2\n");
    let raised = (0..20).any(|seed| {
        let more = format!("--values v* --neighbours add-remove --not-private --seed {seed} --out {seed}");
        let run = place.release("none.csv", &more).succeeded();
        let clamped = place.json(&format!("{seed}/release.json"))["derived"]["units"] == 1.0;
        assert_eq!(run.words().contains("raised to 1"), clamped, "{}", run.stdout);
        clamped
    });
    assert!(raised);
}

#[test]
fn noise_that_drowns_the_curve_is_called_that() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let words = |penalty: &str| {
        place.release("small.csv", &format!("--values v* --penalty {penalty} --out {penalty}")).succeeded().words()
    };
    let shrunk = words("1000");
    assert!(shrunk.contains("little more than the centre") && !shrunk.contains("mostly noise"), "{shrunk}");
    let drowned = words("1e-6");
    assert!(drowned.contains("mostly noise") && !drowned.contains("little more than the centre"), "{drowned}");
    let clear = place.release(&dti_like(), "--values cca_* --out b").succeeded().words();
    assert!(!clear.contains("little more than the centre") && !clear.contains("mostly noise"), "{clear}");
}

#[test]
fn a_release_from_a_seed_is_not_called_fit_to_share() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let released = place.release("small.csv", "--values v* --not-private --seed 5 --out a").succeeded().words();
    let smoothed = place.run("smooth a/release.json --eta 2 --out b").succeeded().words();
    for words in [released, smoothed] {
        assert!(words.contains("NOT PRIVATE: made from a seed, for demonstrations."), "{words}");
        assert!(!words.contains("Everything in") && words.ends_with("A private release has no --seed."), "{words}");
    }
}

#[test]
fn without_subjects_each_curve_is_a_record_and_the_summary_warns() {
    let place = Place::new();
    let run = place.release(&dti_like(), "--values cca_* --out out").succeeded();
    assert_eq!(place.json("out/release.json")["derived"]["units"], 382.0);
    assert_eq!(place.json("out/release.json")["privacy"]["records"], 382);
    assert!(run.stdout.contains("--subject"));
}

#[test]
fn under_add_remove_the_number_printed_is_the_noisy_one() {
    let place = Place::new();
    let run = place.release(&dti_like(), "--values cca_* --subject ID --neighbours add-remove --out out").succeeded();
    let release = place.json("out/release.json");
    assert!(release["privacy"]["records"].is_null(), "the number itself is private");
    let units = release["derived"]["units"].as_f64().unwrap();
    assert!(run.words().contains("noisy estimate of N"), "{}", run.stdout);
    assert!(units != 142.0 && (units - 142.0).abs() < 40.0, "about 142, with sd 4: {units}");
    assert!(!run.stdout.contains("N = 142"));
    let mu = release["derived"]["mu"].as_f64().unwrap();
    let sd = format!("+- {:.1} (noise standard deviation)", 5_f64.sqrt() / mu);
    assert!(run.words().contains(&sd), "{sd} in {}", run.stdout);
    assert!(!run.words().contains("raised to 1"), "{}", run.stdout);
}

#[test]
fn one_subject_or_none_is_released_when_their_number_is_private() {
    let place = Place::new();
    place.write("one.csv", "id,v1,v2\na,0.4,0.6\na,0.5,0.5\n");
    place.write("none.csv", "id,v1,v2\n");
    for (file, out) in [("one.csv", "a"), ("none.csv", "b")] {
        place.release(file, &format!("--values v* --subject id --neighbours add-remove --out {out}")).succeeded();
    }
}

#[test]
fn seeded_runs_are_identical_and_stamped() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    for out in ["a", "b"] {
        let more = format!("--values v* --subject id --select sure --not-private --seed 7 --out {out}");
        let run = place.release("small.csv", &more).succeeded();
        assert!(run.stdout.contains("NOT PRIVATE"));
    }
    for file in [
        "release.json",
        "release.csv",
        "release.svg",
        "release.png",
        "selection.csv",
        "selection.svg",
        "selection.pdf",
        "selection.png",
        "neighbours.svg",
        "neighbours.pdf",
        "neighbours.png",
    ] {
        assert_eq!(place.bytes(&format!("a/{file}")), place.bytes(&format!("b/{file}")), "{file}");
    }
    assert_eq!(place.json("a/release.json")["privacy"]["private"], false);
    for figure in ["a/release.svg", "a/selection.svg"] {
        assert!(fs::read_to_string(place.path(figure)).unwrap().contains("NOT PRIVATE"), "{figure}");
    }
}

#[test]
fn private_runs_differ() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    for out in ["a", "b"] {
        place.release("small.csv", &format!("--values v* --out {out}")).succeeded();
    }
    assert_ne!(place.bytes("a/release.csv"), place.bytes("b/release.csv"));
}

#[test]
fn the_order_of_rows_does_not_change_a_seeded_release() {
    let place = Place::new();
    let (header, rows) = SMALL.split_once('\n').unwrap();
    let reversed: Vec<&str> = rows.lines().rev().collect();
    place.write("forward.csv", SMALL);
    place.write("backward.csv", &format!("{header}\n{}\n", reversed.join("\n")));
    for mechanism in ["isonormal", "cameron-martin"] {
        for file in ["forward", "backward"] {
            let more = format!(
                "--values v* --subject id --mechanism {mechanism} --not-private --seed 7 --out {mechanism}-{file}"
            );
            place.release(&format!("{file}.csv"), &more).succeeded();
        }
        assert_eq!(
            place.bytes(&format!("{mechanism}-forward/release.json")),
            place.bytes(&format!("{mechanism}-backward/release.json"))
        );
    }
}

#[test]
fn a_public_curve_serves_as_the_centre_and_is_interpolated() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.write("center.csv", "t,value\n-1,0.4\n0,0.5\n1.5,0.65\n");
    let run = place.run(
        "release small.csv --values v* --center center.csv --radius 0.25 --radius-share none --epsilon 1 --delta 1e-5 --grid -1,1 --out out",
    );
    run.succeeded();
    let center = &place.json("out/release.json")["statistic"]["ball"]["center"];
    let expected = [0.4, 1.4 / 3.0, 0.5 + 0.1 / 3.0, 0.6];
    for (index, expected) in expected.into_iter().enumerate() {
        let value = center[index].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-15, "{value} at {index}");
    }
}

#[test]
fn a_released_curve_serves_as_the_centre_of_the_next_release() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out first").succeeded();
    let next = "release small.csv --values v* --center first/release.csv --radius 0.2 --radius-share none --epsilon 1 --delta 1e-5 --out out";
    place.run(next).succeeded();
}

#[test]
fn negative_centres_and_grids_are_values_not_options() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place
        .run("release small.csv --values v* --center -0.5 --radius 2 --radius-share none --epsilon 1 --delta 1e-5 --grid -3,-2,0,1e1 --out out")
        .succeeded();
    let release = place.json("out/release.json");
    assert_eq!(release["statistic"]["ball"]["center"], -0.5);
    assert_eq!(release["statistic"]["grid"]["points"], serde_json::json!([-3.0, -2.0, 0.0, 10.0]));
}

#[test]
fn every_kernel_and_both_mechanisms_release() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let words = KernelName::all().map(|name| name.to_string());
    for (index, kernel) in words.chain(["matern:0.8".to_owned()]).enumerate() {
        for mechanism in ["isonormal", "cameron-martin"] {
            let more = format!("--values v* --kernel {kernel} --mechanism {mechanism} --out {mechanism}-{index}");
            place.release("small.csv", &more).succeeded();
            let release = place.json(&format!("{mechanism}-{index}/release.json"));
            assert_eq!(kernel_of(&release["derived"]["smoother"]).to_string(), kernel);
            // cameron-martin noise is sized for a smoother, which stands with its name
            let named = &release["statistic"]["mechanism"];
            let name =
                named.as_str().or_else(|| named.as_object().and_then(|one| one.keys().next()).map(String::as_str));
            assert_eq!(name, Some(mechanism));
        }
    }
}

#[test]
fn the_classical_scale_is_larger() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out tight").succeeded();
    place.release("small.csv", "--values v* --classical --out classical").succeeded();
    let scale = |out: &str| place.json(&format!("{out}/release.json"))["derived"]["noise_scale"].as_f64().unwrap();
    assert!(scale("classical") > 1.2 * scale("tight"));
}

/// The same curves under these ids, released from a seed.
fn released_with_ids(ids: [&str; 4]) -> (Place, Run) {
    let place = Place::new();
    let rows: Vec<String> = ids.iter().enumerate().map(|(row, id)| format!("{id},0.4,0.{row},0.5\n")).collect();
    place.write("curves.csv", &format!("id,v1,v2,v3\n{}", rows.concat()));
    let run = place.release("curves.csv", "--values v* --subject id --not-private --seed 1 --out out").succeeded();
    (place, run)
}

#[test]
fn ids_that_look_alike_are_told_to_the_curator_and_to_nobody_else() {
    let (plain_place, plain) = released_with_ids(["a", "b", "c", "d"]);
    assert_eq!(plain.stderr, "");
    for (ids, groups) in [
        (["S01", "s01", "S1", "x"], "1 group"),
        (["S7", "S07", "Jos\u{e9}", "Jose\u{301}"], "2 groups"),
        (["a", "a\u{200b}", "b", "c"], "1 group"),
    ] {
        let (place, run) = released_with_ids(ids);
        let note: String = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(note.starts_with("NOT PRIVATE - CURATOR ONLY NOTE, not for publication: "), "{note}");
        assert!(note.contains(&format!("ids that look alike ({groups})")), "{note}");
        assert!(ids.iter().all(|id| id.len() < 2 || !note.contains(id)), "no id is shown: {note}");
        assert_eq!((run.code, &run.stdout), (plain.code, &plain.stdout));
        assert_eq!(
            place.tree("out").into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>(),
            plain_place.tree("out").into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>(),
            "nothing of the note is in a file"
        );
    }
}

#[test]
fn a_whole_number_is_one_person_however_it_is_spelled() {
    let (plain_place, _) = released_with_ids(["7", "7", "b", "c"]);
    let (place, run) = released_with_ids(["7.0", "07", "b", "c"]);
    assert_eq!(run.stderr, "");
    assert_eq!(place.bytes("out/release.json"), plain_place.bytes("out/release.json"));
    place.write("decimals.csv", "id,v1,v2\n1.1,0.4,0.5\n1.10,0.4,0.5\n");
    let refused =
        place.run("release decimals.csv --values v* --subject id --bounds 0,1 --epsilon 1 --delta 1e-5 --out r");
    assert!(refused.code != 0 && refused.stderr.contains("ids are text or whole numbers"), "{}", refused.stderr);
}

#[test]
fn second_moments_come_free_under_substitute_and_are_asked_for_under_add_remove() {
    let place = Place::new();
    let run = |options: &str| {
        let out = options.replace([' ', '-'], "");
        let run = place.release(&dti_like(), &format!("--values cca_* --subject ID {options} --out out{out}"));
        let words = run.succeeded().words();
        (words, place.json(&format!("out{out}/release.json")))
    };
    let (words, free) = run("");
    assert!(words.contains("second moments of the first 40 coordinates"), "{words}");
    assert!(words.contains("at no cost"), "{words}");
    assert_eq!(free["statistic"]["moments"]["emphasis"], "mean");
    assert_eq!(free["derived"]["second_moments"]["matrix"].as_array().unwrap().len(), 820);
    let (words, without) = run("--moments none");
    assert!(words.contains("holds no second moments"), "{words}");
    assert!(without["statistic"].get("moments").is_none() && without["derived"].get("second_moments").is_none());
    assert_eq!(without["derived"]["noise_scale"], free["derived"]["noise_scale"]);
    let (words, _) = run("--moments covariance");
    assert!(words.contains("1.739 times as large"), "{words}");
    let (words, _) = run("--neighbours add-remove");
    assert!(words.contains("holds no second moments"), "{words}");
    let (words, _) = run("--neighbours add-remove --moments mean");
    assert!(words.contains("1.183 times as large"), "{words}");
}

#[test]
fn the_default_keeps_the_stated_radius_of_142_people_and_says_so_and_a_share_that_is_asked_for_is_refused() {
    let place = Place::new();
    let rows: Vec<String> = (0..142).map(|i| format!("0.{},0.{}", 40 + i % 20, 50 + i % 17)).collect();
    place.write("few.csv", &format!("v1,v2\n{}\n", rows.join("\n")));
    let guarantee = "--center 0.5 --radius 0.25 --epsilon 0.5 --delta 4e-6";
    let release = format!("release few.csv --values v* {guarantee}");
    let words = place.run(&format!("{release} --out out")).succeeded().words();
    assert!(words.contains("found nothing: by default, a radius is found from"), "{words}");
    assert!(place.json("out/release.json")["statistic"].get("bought").is_none());
    let refused = place.run(&format!("{release} --radius-share 0.05 --out asked"));
    assert!(refused.code == 2 && refused.stderr.contains("--radius-share"), "{}", refused.text());
    // in parts, whose plan knows the number that is expected
    place.run(&format!("{release} --expected 142 --plan-only plan.json")).succeeded();
    place.run("part few.csv --values v* --plan plan.json --part a --out a.part").succeeded();
    let merged = place.run("merge a.part --plan plan.json --out merged").succeeded().words();
    assert!(merged.contains("found nothing: by default, a radius is found from"), "{merged}");
    let noise = |name: &str| place.json(&format!("{name}/release.json"))["noise"].clone();
    assert_eq!(noise("merged"), noise("out"));
}
