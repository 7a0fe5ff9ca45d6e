#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use super::*;

fn told(name: &str, text: &str) -> Option<String> {
    let path = std::env::temp_dir().join(format!("dpfda-header-{}-{name}.csv", std::process::id()));
    fs::write(&path, text).unwrap();
    let told = columns_of(&TableFiles::find(&path).unwrap(), &CurveLayout::new("*").unwrap());
    fs::remove_file(path).unwrap();
    told
}

#[test]
fn a_header_is_told_with_long_stretches_by_their_ends() {
    let header = "ID,visit,case,t_1,t_2,t_3,t_4,t_5,age";
    assert_eq!(
        told("stretches", &format!("{header}\n1,1,0,1,2,3,4,5,60\n")).unwrap(),
        "ID, visit, case, t_1 to t_5, age"
    );
    assert_eq!(told("few", "id,x1,x2\na,1,2\n").unwrap(), "id, x1, x2");
    assert_eq!(told("steps", "id,p1,p2,q0,p3,p4,p10,p11,p12,p13\n").unwrap(), "id, p1, p2, q0, p3, p4, p10 to p13");
    assert_eq!(told("index", ",a,b,x 1x\n").unwrap(), "(no name), a, b, x 1x");
    assert_eq!(told("long", &format!("id,{}\n", "a".repeat(90))).unwrap(), format!("id, {}...", "a".repeat(60)));
    let many: Vec<String> = (0..30).map(|i| "x".repeat(i + 1)).collect();
    assert!(told("many", &many.join(",")).unwrap().ends_with("and 6 more"));
}

#[test]
fn what_may_be_a_record_is_not_told() {
    for text in ["0.5,0.6,0.7\n", "Smith,0.5,0.6\n", "Smith,NA,NA\n", "Smith,,\n", "", "PAR1"] {
        assert_eq!(told("record", text), None, "{text}");
    }
}
