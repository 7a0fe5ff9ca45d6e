use super::*;

#[test]
fn a_document_says_which_command_wrote_it() {
    let software = "\"software\":\"dpfda 0.1.0\"";
    for (document, expected) in [
        (format!("{{\"schema\":3,\"kind\":\"mean\",{software}}}"), Some(Contents::Release)),
        (format!("{{\"schema\":3,\"kind\":\"groups\",{software}}}"), Some(Contents::Release)),
        (format!("{{\"schema\":3,\"kind\":\"rows\",{software}}}"), Some(Contents::Release)),
        (format!("{{\"schema\":3,\"kind\":\"centiles\",{software}}}"), Some(Contents::Release)),
        (format!("{{\"schema\":3,\"kind\":\"total\",{software}}}"), None),
        (format!("{{\"schema\":3,\"kind\":\"regression\",{software}}}"), Some(Contents::Regression)),
        (format!("{{\"schema\":3,\"kind\":\"surface\",{software}}}"), Some(Contents::Release)),
        (format!("{{\"schema\":3,\"kind\":\"histogram\",{software}}}"), Some(Contents::Density)),
        (format!("{{\"schema\":3,\"kind\":\"series\",{software}}}"), Some(Contents::Density)),
        (format!("{{\"schema\":3,\"kind\":\"smoothed-histogram\",{software}}}"), Some(Contents::Density)),
        (format!("{{\"schema\":3,\"kind\":\"ks-exponential\",{software}}}"), Some(Contents::Density)),
        (format!("{{\"schema\":3,\"kind\":\"other\",{software},\"ball\":1}}"), None),
        (format!("{{\"schema\":3,{software},\"ball\":1}}"), None),
        (format!("{{\"schema\":2,\"kind\":\"mean\",{software}}}"), None),
        (format!("{{\"schema\":4,\"kind\":\"mean\",{software}}}"), None),
        (format!("{{\"schema\":1,\"kind\":\"mean\",{software}}}"), None),
        (format!("{{{software},\"kind\":\"mean\"}}"), None),
        ("{\"schema\":3,\"kind\":\"mean\",\"software\":\"dpfdaX 0.1\"}".to_owned(), None),
        ("{\"schema\":3,\"kind\":\"mean\"}".to_owned(), None),
        (format!("{{\"schema\":3,\"kind\":\"mean\",{software}}} trailing"), None),
        ("id,v1\n".to_owned(), None),
        (String::new(), None),
    ] {
        assert_eq!(of_document(document.as_bytes()), expected, "{document}");
    }
}
