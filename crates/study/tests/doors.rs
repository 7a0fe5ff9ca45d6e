//! A file, flags and JSON of the same settings are the same study.

use std::path::Path;

use dpfda_study::{Door, Kind, Sections, Study};

use crate::{STUDIES, checked, of_flags};

#[test]
fn the_same_settings_give_the_same_study_and_digest_by_every_door() {
    for (kind, file, flags, json) in STUDIES {
        let file = checked(file);
        let flags = of_flags(flags);
        assert_eq!(flags.kind, kind);
        let flags = flags.check(Path::new(".")).unwrap();
        let json = Study::from_json(json).unwrap().check(Path::new(".")).unwrap();
        assert_eq!(file.canonical(), flags.canonical());
        assert_eq!(file, flags);
        assert_eq!(file, json);
        assert_eq!(file.digest(), json.digest());
    }
}

#[test]
fn a_flag_may_repeat_the_file_and_may_not_contradict_it() {
    let (_, text, flags, _) = STUDIES[0];
    let file = Study::from_toml(text).unwrap();
    let same = Sections::of_texts(flags.iter().copied().chain([("level", "0.95")])).unwrap();
    assert_eq!(file.clone().with_flags(&same).unwrap(), file);
    for (name, other) in [("epsilon", "2"), ("radius_share", "0.05"), ("level", "0.9"), ("title", "T"), ("bins", "20")]
    {
        let refusal = file.clone().with_flags(&Sections::of_texts([(name, other)]).unwrap()).unwrap_err();
        assert_eq!(refusal.setting(), name);
        let told = Door::Flags.refusal(&refusal);
        assert!(told.starts_with(&format!("--{}: the study", name.replace('_', "-"))), "{told}");
    }
}

#[test]
fn a_file_of_a_centre_is_its_values() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mean.csv"), "t,value\n0,0.25\n1,0.5\n").unwrap();
    std::fs::write(folder.path().join("again.csv"), "value,t\n0.25,0\n0.5,1.0\n").unwrap();
    let study = |center: &str| {
        let text = format!(
            "[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nradius = 1\ncenter = {center}\n[table]\nvalues = 'v*'\n"
        );
        Study::from_toml(&text).unwrap().check(folder.path())
    };
    let digest = study("'mean.csv'").unwrap().digest();
    assert_eq!(digest, study("'again.csv'").unwrap().digest());
    assert_eq!(digest, study("{ t = [0, 1], value = [0.25, 0.5] }").unwrap().digest());
    assert_ne!(digest, study("{ t = [0, 1], value = [0.25, 0.6] }").unwrap().digest());
    assert_eq!(study("'none.csv'").unwrap_err().setting(), "center");
    std::fs::write(folder.path().join("people.csv"), "id,v0\nAnna,0.25\n").unwrap();
    let told = study("'people.csv'").unwrap_err().to_string();
    assert!(told.contains("people.csv") && !told.contains("Anna"), "{told}");
}

#[test]
fn every_door_spells_settings_its_own_way() {
    let text = "give {radius_share} none, or leave {bins} out; {no_setting} and {";
    assert_eq!(Door::Flags.spell(text), "give --radius-share none, or leave --bins out; {no_setting} and {");
    assert_eq!(Door::File.spell(text), "give bound.radius_share none, or leave table.bins out; {no_setting} and {");
    assert_eq!(Door::Python.spell(text), "give radius_share= none, or leave bins= out; {no_setting} and {");
    let text = "such as {bounds=0,1}, {private_labels=case,control}, {radius_share=none} or {center=0.5}";
    for (door, spelled) in [
        (Door::Flags, "such as --bounds 0,1, --private-labels case,control, --radius-share none or --center 0.5"),
        (
            Door::File,
            "such as bound.bounds = [0, 1], release.groups.private_labels = [\"case\", \"control\"], bound.radius_share = 0.0 or \
             bound.center = 0.5",
        ),
        (Door::Python, "such as bounds=(0, 1), private_labels=(\"case\", \"control\"), radius_share=0.0 or center=0.5"),
        (
            Door::R,
            "such as `bounds` = c(0, 1), `private_labels` = c(\"case\", \"control\"), `radius_share` = 0.0 or `center` = 0.5",
        ),
    ] {
        assert_eq!(door.spell(text), spelled);
    }
}

#[test]
fn flags_ask_for_a_kind() {
    let kind = |names: &[(&str, &str)]| of_flags(names).kind;
    assert_eq!(kind(&[]), Kind::Mean);
    assert_eq!(kind(&[("gaps", "rows")]), Kind::Rows);
    assert_eq!(kind(&[("value", "v")]), Kind::Rows);
    assert_eq!(kind(&[("surface", "4,5"), ("value", "v")]), Kind::Surface);
    assert_eq!(kind(&[("by", "g")]), Kind::Groups);
    assert_eq!(kind(&[("change", "visit=1,2")]), Kind::Change);
    assert_eq!(kind(&[("per", "year"), ("by", "g")]), Kind::Change);
}
