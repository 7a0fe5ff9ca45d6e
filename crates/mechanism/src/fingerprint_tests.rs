use dpfda_privacy::SeededRandomness;

use super::*;

#[test]
fn a_fingerprint_is_the_hmac_of_context_and_data() {
    // HMAC-SHA256 by Python's hmac module
    let mut fingerprinter = FingerprintKey::from_bytes([7; 32]).begin(b"mean-1");
    for byte in b"exact sum" {
        fingerprinter.add(&[*byte]);
    }
    let hex = fingerprinter.finish().map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(hex, "2058807cbf40461fcbb3e2016c438b5f3f470931938e697ad9ce7e452b205523");
}

#[test]
fn fingerprints_differ_by_key_context_and_data() {
    let fingerprint = |seed, context: &[u8], data: &[u8]| {
        let mut fingerprinter = FingerprintKey::new(&mut SeededRandomness::from_seed(seed)).begin(context);
        fingerprinter.add(data);
        fingerprinter.finish()
    };
    let one = fingerprint(1, b"a", b"data");
    assert_eq!(one, fingerprint(1, b"a", b"data"));
    for other in [fingerprint(2, b"a", b"data"), fingerprint(1, b"b", b"data"), fingerprint(1, b"a", b"date")] {
        assert_ne!(one, other);
    }
    assert_ne!(fingerprint(1, b"a", b"bc"), fingerprint(1, b"ab", b"c"));
}

#[test]
fn fingerprints_under_two_plans_cannot_be_compared() {
    let key = FingerprintKey::from_bytes([7; 32]);
    let under = |plan: &[u8]| key.under(&Digest::of(plan)).begin(b"subject").finish();
    assert_eq!(under(b"a"), under(b"a"));
    assert_ne!(under(b"a"), under(b"b"));
    assert_ne!(under(b"a"), key.begin(b"subject").finish());
}

#[test]
fn a_key_is_not_shown() {
    assert_eq!(format!("{:?}", FingerprintKey::from_bytes([7; 32])), "FingerprintKey(..)");
}
