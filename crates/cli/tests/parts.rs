//! Curves from streams and in parts, as their curator meets them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{PUBLIC, Place, Run, dti_like};
use serde_json::{Value, json};

const COLUMNS: [&str; 4] = ["--values", "cca_*", "--subject", "ID"];

fn table() -> String {
    fs::read_to_string(dti_like()).unwrap()
}

/// The settings of every release here: a radius that is bought too.
fn settings(buys: bool) -> Vec<&'static str> {
    let mut settings = PUBLIC.to_vec();
    if buys {
        settings.retain(|word| !["--radius-share", "none"].contains(word));
        // parts do not know their number, and one step buys no centre
        settings.extend(["--expected", "142", "--center-share", "none"]);
        // counts that can be trusted
        settings.iter_mut().filter(|word| **word == "1").for_each(|word| *word = "9");
    }
    settings
}

fn run(place: &Place, words: &[&[&str]]) -> Run {
    place.run_with(&words.concat())
}

fn ok(run: Run) -> Run {
    assert_eq!(run.code, 0, "{}", run.text());
    run
}

/// The numbers of a release: everything but the name of the file it came from.
fn document(place: &Place, directory: &str) -> Value {
    serde_json::from_slice(&fs::read(place.path(directory).join("release.json")).unwrap()).unwrap()
}

/// The table, and its people divided between two files.
fn place() -> Place {
    let place = Place::new();
    let text = table();
    let (header, rows) = text.split_once('\n').unwrap();
    place.write("all.csv", &text);
    let id = |row: &&str| row.split(',').next().unwrap().to_owned();
    let mut ids: Vec<String> = rows.lines().map(|row| id(&row)).collect();
    ids.sort();
    ids.dedup();
    let (north, south) = ids.split_at(ids.len() / 3);
    for (name, people) in [("north.csv", north), ("south.csv", south)] {
        let rows: Vec<&str> = rows.lines().filter(|row| people.contains(&id(row))).collect();
        place.write(name, &format!("{header}\n{}\n", rows.join("\n")));
    }
    place
}

/// What a release of parts says: each part has a table of its own.
fn without_table(mut release: Value) -> Value {
    assert!(release["source"]["columns"].is_array());
    release["source"] = json!({ "study": release["source"]["study"] });
    release
}

const SEED: [&str; 3] = ["--not-private", "--seed", "7"];

#[test]
fn a_stream_a_folder_threads_and_parts_release_the_same_numbers_as_one_file() {
    let place = place();
    for buys in [false, true] {
        let settings = settings(buys);
        let out = |name: &str| format!("{name}-{buys}");
        ok(run(&place, &[&["release", "all.csv"], &COLUMNS, &settings, &SEED, &["--out", &out("whole")]]));
        let whole = document(&place, &out("whole"));

        let mut child = Command::new(env!("CARGO_BIN_EXE_dpfda"))
            .args([&["release", "-"], &COLUMNS[..], &settings, &SEED, &["--out", &out("stream")]].concat())
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(table().as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(document(&place, &out("stream")), whole);

        fs::create_dir(place.path(&out("folder"))).unwrap();
        for name in ["north.csv", "south.csv"] {
            fs::copy(place.path(name), place.path(&out("folder")).join(name)).unwrap();
        }
        ok(run(
            &place,
            &[&["release", &out("folder")], &COLUMNS, &settings, &SEED, &["--threads", "2", "--out", &out("both")]],
        ));
        assert_eq!(document(&place, &out("both")), whole);

        let plan = out("plan") + ".json";
        let key = out("plan") + ".key";
        let planned = ok(run(&place, &[&["release", "north.csv"], &COLUMNS, &settings, &["--plan-only", &plan]]));
        assert!(
            planned.stdout.contains("SECRET") && planned.words().contains("Nothing was drawn"),
            "{}",
            planned.stdout
        );
        for name in ["north", "south"] {
            let (file, part) = (format!("{name}.csv"), format!("{name}-{buys}.part"));
            let arguments = ["--plan", &plan, "--key", &key, "--part", name, "--out", &part];
            let told = ok(run(&place, &[&["part", &file], &COLUMNS, &arguments]));
            assert!(told.words().contains("WITHOUT NOISE"), "{}", told.stdout);
        }
        let parts = [format!("south-{buys}.part"), format!("north-{buys}.part")];
        ok(run(&place, &[&["merge", &parts[0], &parts[1], "--plan", &plan], &SEED, &["--out", &out("merged")]]));
        assert_eq!(document(&place, &out("merged")), without_table(whole));
    }
}

#[test]
fn a_part_twice_a_subject_twice_another_plan_and_a_cut_part_are_refused_before_anything_is_paid() {
    let place = place();
    for (plan, budget) in [("a", "1"), ("b", "2")] {
        let plan = format!("{plan}.json");
        ok(run(
            &place,
            &[
                &["release", "all.csv"],
                &COLUMNS,
                &PUBLIC[..6],
                &["--epsilon", budget, "--delta", "1e-5"],
                &["--plan-only", &plan],
            ],
        ));
    }
    ok(place.run(
        "ledger create people.ledger --epsilon 3 --delta 1e-4 --unit subject --neighbours substitute --dataset d",
    ));
    let partial = |file: &str, plan: &str, part: &str, out: &str| {
        let (key, plan) = (format!("{plan}.key"), format!("{plan}.json"));
        ok(run(&place, &[&["part", file], &COLUMNS, &["--plan", &plan, "--key", &key, "--part", part, "--out", out]]));
    };
    partial("north.csv", "a", "north", "north.part");
    partial("south.csv", "a", "south", "south.part");
    partial("all.csv", "a", "all", "all.part");
    partial("south.csv", "b", "south", "other.part");
    let whole = fs::read(place.path("south.part")).unwrap();
    fs::write(place.path("cut.part"), &whole[..whole.len() - 5]).unwrap();
    place.write("csv.part", &table());
    for (second, words) in [
        ("north.part", "both hold the part north"),
        ("all.part", "a subject is in both parts"),
        ("other.part", "another plan than that of --plan"),
        ("cut.part", "damaged or cut short"),
        ("csv.part", "no part of a data set"),
        ("nowhere.part", "give a file that `dpfda part` wrote"),
    ] {
        let refused = run(
            &place,
            &[&["merge", "north.part", second, "--plan", "a.json"], &["--ledger", "people.ledger", "--out", "out"]],
        );
        assert_eq!(refused.code, 2, "{}", refused.text());
        assert!(refused.stderr.contains(words) && refused.stderr.contains(second), "{}", refused.stderr);
        assert!(!place.path("out").exists());
    }
    let shown = ok(place.run("ledger show people.ledger --json"));
    assert_eq!(serde_json::from_str::<Value>(&shown.stdout).unwrap()["releases"].as_array().map_or(0, Vec::len), 0);
    ok(run(
        &place,
        &[&["merge", "north.part", "south.part", "--plan", "a.json"], &["--ledger", "people.ledger", "--out", "out"]],
    ));
    let again = run(
        &place,
        &[&["merge", "south.part", "north.part", "--plan", "a.json"], &["--ledger", "people.ledger", "--out", "again"]],
    );
    assert!(ok(again).words().contains("was made before"));
}

#[cfg(unix)]
#[test]
fn parts_and_keys_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    ok(run(&place, &[&["release", "all.csv"], &COLUMNS, &settings(false), &["--plan-only", "plan.json"]]));
    let arguments = ["--plan", "plan.json", "--key", "plan.key", "--part", "a", "--out", "a.part"];
    ok(run(&place, &[&["part", "all.csv"], &COLUMNS, &arguments]));
    for name in ["plan.key", "a.part"] {
        assert_eq!(fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let again = run(&place, &[&["part", "all.csv"], &COLUMNS, &arguments]);
    assert!(again.code == 2 && again.stderr.contains("exists"), "{}", again.text());
}

#[test]
fn a_part_says_which_of_its_columns_is_which_point_of_the_plan() {
    let place = Place::new();
    place.write("a.csv", "id,0:00,6:00,12:00,18:00\np,0.5,0.5,0.5,0.5\nq,0.4,0.4,0.4,0.4\n");
    place.write("b.csv", "id,0:00,6:00,12:00,18:00\nr,0.5,0.5,0.5,0.5\ns,0.4,0.4,0.4,0.4\n");
    let values = "--values *:00 --subject id";
    let public = "--grid names --periodic --bounds 0,1 --epsilon 1 --delta 1e-4";
    place.run(&format!("release a.csv {values} {public} --plan-only plan.json")).succeeded();
    let part = place.run(&format!("part b.csv {values} --plan plan.json --key plan.key --part b --out b.part"));
    assert!(part.succeeded().words().contains("4 points: 0:00 at 0, 6:00 at 6, 12:00 at 12, 18:00 at 18"));
}

#[test]
fn a_part_without_what_its_plan_needs_is_refused() {
    let place = place();
    ok(run(&place, &[&["release", "all.csv"], &COLUMNS, &settings(false), &["--plan-only", "plan.json"]]));
    place.write("bad.key", "CANARY");
    let values = &COLUMNS[..2];
    for (more, words) in [
        (&[][..], "give --subject COLUMN and --key"),
        (&["--subject", "ID"], "give --subject COLUMN and --key"),
        (&["--subject", "ID", "--key", "bad.key"], "is no key"),
        (&["--subject", "ID", "--key", "none.key"], "give the file of the key"),
        (&["--subject", "who", "--key", "plan.key"], "--subject: the plan says otherwise"),
    ] {
        let fixed = ["--plan", "plan.json", "--part", "a", "--out", "a.part"];
        let refused = run(&place, &[&["part", "all.csv"], values, more, &fixed]);
        assert!(refused.code == 2 && refused.stderr.contains(words), "{}", refused.text());
        assert!(!refused.text().contains("CANARY") && !place.path("a.part").exists());
    }
    ok(run(&place, &[&["release", "all.csv"], values, &settings(false), &["--plan-only", "curves.json"]]));
    assert!(!place.path("curves.key").exists(), "a plan of curves needs no key");
    let fixed = ["--plan", "curves.json", "--part", "a", "--out", "a.part"];
    let refused = run(&place, &[&["part", "all.csv"], &COLUMNS, &fixed]);
    assert!(refused.code == 2 && refused.stderr.contains("leave --subject out"), "{}", refused.text());
    place.write("no.json", "{\"schema\": 3}");
    let fixed = ["--plan", "no.json", "--part", "a", "--out", "a.part"];
    let refused = run(&place, &[&["part", "all.csv"], values, &fixed]);
    assert!(refused.code == 2 && refused.stderr.contains("is no plan"), "{}", refused.text());
}

#[test]
fn curves_that_are_sorted_by_subject_need_no_memory_for_subjects_and_others_are_refused() {
    let place = place();
    let (text, settings) = (table(), settings(false));
    let (header, rows) = text.split_once('\n').unwrap();
    let mut sorted: Vec<&str> = rows.lines().collect();
    sorted.sort_unstable();
    let gzip = |name: &str, rows: &[&str]| {
        let text = format!("{header}\n{}\n", rows.join("\n"));
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        fs::write(place.path(name), encoder.finish().unwrap()).unwrap();
    };
    gzip("sorted.csv.gz", &sorted);
    let (first, last) = (sorted[0], sorted.len() - 1);
    sorted.swap(0, last);
    sorted.push(first);
    gzip("mixed.csv.gz", &sorted);
    ok(run(&place, &[&["release", "all.csv"], &COLUMNS, &settings, &SEED, &["--out", "whole"]]));
    let by_subject = ["--sorted-by-subject", "--out", "sorted"];
    ok(run(&place, &[&["release", "sorted.csv.gz"], &COLUMNS, &settings, &SEED, &by_subject]));
    assert_eq!(document(&place, "sorted"), document(&place, "whole"));
    let mixed = run(
        &place,
        &[&["release", "mixed.csv.gz"], &COLUMNS, &settings, &SEED, &["--sorted-by-subject", "--out", "mixed"]],
    );
    assert!(
        mixed.code == 2 && mixed.stderr.contains("a subject is in both parts, or twice in one"),
        "{}",
        mixed.text()
    );
}

#[test]
fn a_subject_who_goes_on_in_the_next_sorted_file_is_refused_for_any_number_of_threads() {
    let place = place();
    let text = table();
    let (header, rows) = text.split_once('\n').unwrap();
    let mut sorted: Vec<&str> = rows.lines().collect();
    sorted.sort_unstable();
    let subject = |row: &&str| row.split(',').next().unwrap().to_owned();
    // within the curves of one subject
    let cut = (1..sorted.len()).find(|&at| subject(&sorted[at]) == subject(&sorted[at - 1])).unwrap();
    fs::create_dir(place.path("cut")).unwrap();
    for (name, rows) in [("cut/a.csv", &sorted[..cut]), ("cut/b.csv", &sorted[cut..])] {
        place.write(name, &format!("{header}\n{}\n", rows.join("\n")));
    }
    for threads in ["1", "2"] {
        let more = ["--sorted-by-subject", "--threads", threads, "--out", "cut-out"];
        let refused = run(&place, &[&["release", "cut"], &COLUMNS, &settings(false), &SEED, &more]);
        assert!(
            refused.code == 2 && refused.stderr.contains("a subject is in both parts, or twice in one"),
            "{threads} threads: {}",
            refused.text()
        );
    }
}

#[test]
fn the_curves_of_one_compressed_file_are_shared_among_threads_without_a_trace() {
    let place = place();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(table().as_bytes()).unwrap();
    fs::write(place.path("all.csv.gz"), encoder.finish().unwrap()).unwrap();
    // each curve is a record, and a radius is bought from a stream
    let values = &COLUMNS[..2];
    let mut seen = Vec::new();
    for threads in ["1", "2", "5"] {
        let out = format!("shared-{threads}");
        ok(run(
            &place,
            &[&["release", "all.csv.gz"], values, &settings(true), &SEED, &["--threads", threads, "--out", &out]],
        ));
        seen.push(document(&place, &out));
    }
    assert!(seen.iter().all(|document| *document == seen[0]));
}

#[test]
fn a_release_needs_a_directory_or_the_name_of_a_plan() {
    let place = place();
    let refused = run(&place, &[&["release", "all.csv"], &COLUMNS, &settings(false)]);
    assert!(
        refused.code == 2 && refused.stderr.contains("--out") && refused.stderr.contains("--plan-only"),
        "{}",
        refused.text()
    );
    let both = ["--out", "out", "--plan-only", "plan.json"];
    let refused = run(&place, &[&["release", "all.csv"], &COLUMNS, &settings(false), &both]);
    assert!(
        refused.code == 2 && !place.path("out").exists() && !place.path("plan.json").exists(),
        "{}",
        refused.text()
    );
}

#[test]
fn a_part_for_a_recipient_is_read_with_the_secret_key_alone() {
    let place = place();
    let new_key = Command::new("age-keygen").args(["-o", "curator.txt"]).current_dir(place.path("")).output();
    let Ok(new_key) = new_key else {
        eprintln!("SKIPPED: the program age is not installed");
        return;
    };
    assert!(new_key.status.success());
    let secret = fs::read_to_string(place.path("curator.txt")).unwrap();
    let recipient = secret.lines().find_map(|line| line.strip_prefix("# public key: ")).unwrap();
    ok(run(&place, &[&["release", "all.csv"], &COLUMNS[..2], &settings(false), &["--plan-only", "plan.json"]]));
    let fixed = ["--plan", "plan.json", "--part", "a", "--out", "a.part", "--to", recipient];
    let told = ok(run(&place, &[&["part", "all.csv"], &COLUMNS[..2], &fixed]));
    assert!(told.words().contains("encrypted"), "{}", told.stdout);
    assert!(fs::read(place.path("a.part")).unwrap().starts_with(b"age-encryption.org/v1"));
    let refused = run(&place, &[&["merge", "a.part", "--plan", "plan.json", "--out", "out"], &SEED]);
    assert!(refused.code == 2 && refused.stderr.contains("give --identity"), "{}", refused.text());
    let wrong =
        run(&place, &[&["merge", "a.part", "--plan", "plan.json", "--out", "out", "--identity", "plan.json"], &SEED]);
    assert!(wrong.code == 2 && wrong.stderr.contains("cannot be decrypted"), "{}", wrong.text());
    ok(run(&place, &[&["merge", "a.part", "--plan", "plan.json", "--out", "out", "--identity", "curator.txt"], &SEED]));
    ok(run(&place, &[&["release", "all.csv"], &COLUMNS[..2], &settings(false), &SEED, &["--out", "whole"]]));
    assert_eq!(document(&place, "out"), without_table(document(&place, "whole")));
    let no_key = run(
        &place,
        &[
            &["part", "all.csv"],
            &COLUMNS[..2],
            &["--plan", "plan.json", "--part", "b", "--out", "b.part", "--to", "--help"],
        ],
    );
    assert!(no_key.code == 2 && no_key.stderr.contains("--to"), "{}", no_key.text());
}
