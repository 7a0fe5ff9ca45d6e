//! `dpfda release --change` and `--per`: how people change between visits, and with time.

use std::fmt::Write;

use crate::common::Place;

const SEED: &str = "--not-private --seed 1";
const BALL: &str = "--values y* --subject id --radius 0.4 --epsilon 1 --delta 1e-4";

/// Two visits of each person, but for every fourth, who comes once; the second is 0.1 lower at the end, and so many years later.
fn place() -> Place {
    let place = Place::new();
    let mut csv = "id,visit,since".to_owned();
    (0..20).for_each(|j| write!(csv, ",y{j}").unwrap());
    for i in (0..1200_u32).filter(|i| i % 8 != 7) {
        let (own, is_later) = (f64::from(i / 2 * 7 % 101) / 1000.0, f64::from(i % 2));
        let year = is_later * (1.0 + f64::from(i % 3) / 2.0);
        write!(csv, "\np{},{},{year}", i / 2, 1 + i % 2).unwrap();
        let fall = if i % 5 == 0 { 0.11 } else { 0.1 };
        (0..20).for_each(|j| write!(csv, ",{}", 0.5 + own - fall * is_later * f64::from(j) / 19.0).unwrap());
    }
    place.write("visits.csv", &(csv + "\n"));
    place
}

#[test]
fn a_change_is_released_with_its_band_figure_and_facts_and_asked_at_no_cost() {
    let place = place();
    for (out, asked, other) in
        [("change", "--change visit=1,2", "visit 2 minus"), ("slope", "--per since --apart 1", "slope")]
    {
        let words = place.run(&format!("release visits.csv {BALL} {asked} {SEED} --out {out}")).succeeded().words();
        for told in [other, "(noisy) people", "does not cause absence", "who they are is private"] {
            assert!(words.contains(told), "{told}: {words}");
        }
        let document = place.json(&format!("{out}/release.json"));
        let center = document["statistic"]["mean"]["ball"]["center"].as_f64();
        assert_eq!((&document["kind"], center), (&"change".into(), Some(0.0)));
        let csv = String::from_utf8(place.bytes(&format!("{out}/release.csv"))).unwrap();
        assert!(
            csv.starts_with("t,value,posterior_sd,noise_sd,lower,upper\n0.0,") && csv.lines().count() == 21,
            "{csv}"
        );
        assert!(place.bytes(&format!("{out}/release.png")).starts_with(b"\x89PNG"));
        let json = place.run(&format!("evaluate {out}/release.json --at 0,1 --integral all --json")).succeeded().stdout;
        assert!(json.contains("\"values\"") || json.contains("\"value\""), "{json}");
        place.run(&format!("report {out}/release.json --out {out}.html")).succeeded();
    }
    let last = String::from_utf8(place.bytes("change/release.csv")).unwrap();
    let last: Vec<f64> = last.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    // 450 of 600 people fall by 0.1 at the end
    assert!((last[1] + 0.1).abs() < 0.05 && last[4] < -0.1 && last[5] > -0.1, "{last:?}");
    let words = place.run("compare change/release.json slope/release.json").succeeded().words();
    assert!(words.contains("difference"), "{words}");
    let level = "release visits.csv --values y* --subject id --bounds 0,1 --epsilon 1 --delta 1e-4";
    place.run(&format!("{level} {SEED} --out level")).succeeded();
    let refused = place.run("compare change/release.json level/release.json");
    assert!(
        refused.code == 2 && refused.stderr.contains("the first is a mean of changes, and the second one of curves")
    );
}

#[test]
fn the_curator_is_told_who_has_a_change_and_a_reader_is_not() {
    let place = place();
    let told = place.run(&format!("check visits.csv {BALL} --change visit=1,2")).succeeded().words();
    assert!(told.contains("known of 450 of 600 people"), "{told}");
    // nobody has both visits: it is paid for and drawn like any other, and the curator hears of it
    let none = place.run(&format!("release visits.csv {BALL} --change visit=1,3 {SEED} --out none")).succeeded();
    let warned = none.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "nobody has a change by the column `visit`: a release spends its budget on noise alone";
    assert!(warned.contains(said) && warned.contains("No cell of the column says 3"), "{warned}");
    let alone = place.run(&format!("check visits.csv {BALL} --per since --apart 1000")).succeeded();
    assert!(alone.stderr.contains("nobody has a change by the column `since`"), "{}", alone.stderr);
    let none = none.words();
    assert!(none.contains("No change: nothing can be said") && none.contains("(noisy) people"), "{none}");
    let one = place.run(&format!("release visits.csv {BALL} --change visit=1,2 {SEED} --out one")).succeeded();
    assert!(!one.words().contains("No change"));
    for field in ["privacy", "noise"] {
        assert_eq!(place.json("none/release.json")[field], place.json("one/release.json")[field]);
    }
    let hidden = place.run("evaluate none/release.json --at 0.5");
    assert!(hidden.code != 0 && hidden.stderr.contains("nothing can be said"), "{}", hidden.stderr);
}

#[test]
fn what_public_numbers_decide_is_refused_before_anything_is_paid_for() {
    let place = place();
    let without_ids = "--values y* --radius 0.4 --delta 1e-4";
    for (options, told) in [
        (format!("{without_ids} --epsilon 1 --change visit=1,2"), "--subject was not given"),
        (format!("{BALL} --change visit=1,1"), "two different visits"),
        (format!("{BALL} --change visit"), "visit=1,2"),
        (format!("{BALL} --change visit=1,2 --per since"), "cannot be used with"),
        (format!("{BALL} --apart 1 --change visit=1,2"), "only slopes have it"),
        (
            format!("{BALL} --change visit=1,1"),
            "hint: give the column of visits and two of them, such as --change visit=1,2",
        ),
        (format!("{BALL} --per since --apart=-1"), "at least 0"),
        (format!("{BALL} --per since --apart=-1"), "hint: leave --apart out for any two times"),
        (format!("{BALL} --change visit=1,2 --by id"), "not a setting of a change"),
        (format!("{without_ids} --subject id --epsilon 0.001 --change visit=1,2"), "too few"),
    ] {
        let run = place.run(&format!("release visits.csv {options} --out refused"));
        assert!(run.code != 0 && run.stderr.contains(told), "{options}: {}", run.stderr);
        assert!(!place.path("refused").exists());
    }
}
