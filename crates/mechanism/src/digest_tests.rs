#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn a_digest_is_sha_256_in_hexadecimal_digits() {
    // FIPS 180-2, appendix B.1
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let digest = Digest::of(b"abc");
    assert_eq!((digest.to_string().as_str(), format!("{digest:?}")), (abc, format!("Digest({abc})")));
    assert_eq!(abc.parse(), Ok(digest));
    assert_eq!(Digest::none().to_string(), "0".repeat(64));
    let json = serde_json::to_string(&digest).unwrap();
    assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
}

#[test]
fn what_is_not_64_hexadecimal_digits_in_lower_case_is_refused() {
    let good = "a".repeat(64);
    for bad in ["", &good[1..], &format!("{good}a"), &good.to_uppercase(), &good.replacen('a', "g", 1), &"é".repeat(32)]
    {
        assert_eq!(bad.parse::<Digest>(), Err(DigestError), "{bad}");
    }
}
