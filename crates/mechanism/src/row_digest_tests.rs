use super::*;

type Row<'a> = (Option<&'a [u8]>, &'a [f64]);

fn digest(rows: &[Row<'_>]) -> RowDigest {
    let mut digest = RowDigest::new();
    for (subject, values) in rows {
        digest.add(*subject, values);
    }
    digest
}

#[test]
fn the_order_and_the_division_of_rows_make_no_other_digest() {
    let rows: Vec<Vec<f64>> = (0..50_u32).map(|i| (0..7).map(|j| f64::from(i * 31 + j).sqrt()).collect()).collect();
    let ids: Vec<String> = (0..50).map(|i| format!("person {}", i % 9)).collect();
    let all: Vec<Row<'_>> = ids.iter().zip(&rows).map(|(id, row)| (Some(id.as_bytes()), row.as_slice())).collect();
    let whole = digest(&all);
    let backwards: Vec<_> = all.iter().rev().copied().collect();
    assert!(whole.is_same(&digest(&backwards)));
    let mut joined = digest(&all[..20]);
    joined.merge(&digest(&all[20..]));
    assert!(whole.is_same(&joined));
    assert!(whole.is_same(&RowDigest::from_bytes(whole.to_bytes())));
}

#[test]
fn a_changed_bit_a_moved_id_and_a_row_that_is_there_twice_make_another_digest() {
    let (a, b): (&[f64], &[f64]) = (&[1.0, 2.0, f64::NAN], &[3.0, 4.0, 5.0]);
    let whole = digest(&[(Some(b"x"), a), (Some(b"y"), b)]);
    for bit in 0..64 {
        let changed = [1.0, f64::from_bits(2.0_f64.to_bits() ^ (1 << bit)), f64::NAN];
        assert!(!whole.is_same(&digest(&[(Some(b"x"), &changed), (Some(b"y"), b)])), "{bit}");
    }
    let others: [&[Row<'_>]; 6] = [
        &[(Some(b"y"), a), (Some(b"x"), b)],
        &[(Some(b"x"), a), (Some(b"x"), b)],
        &[(None, a), (None, b)],
        &[(Some(b"x"), a), (Some(b"y"), b), (Some(b"y"), b)],
        &[(Some(b"x"), a)],
        &[(Some(b"x"), &[1.0, 2.0, 0.0]), (Some(b"y"), b)],
    ];
    assert!(others.iter().all(|other| !whole.is_same(&digest(other))));
    // a missing value is one, whatever its bits
    assert!(whole.is_same(&digest(&[(Some(b"x"), &[1.0, 2.0, -f64::NAN]), (Some(b"y"), b)])));
}

#[test]
fn a_ledger_keeps_a_digest_under_its_own_secret_and_none_is_shown() {
    let mine = digest(&[(None, &[1.0, 2.0])]);
    let kept = |secret| {
        let mut fingerprinter = FingerprintKey::from_bytes([secret; 32]).begin(b"one");
        mine.fingerprint(&mut fingerprinter);
        fingerprinter.finish()
    };
    assert_eq!(kept(7), kept(7));
    assert_ne!(kept(7), kept(8));
    assert_eq!(format!("{mine:?}"), "RowDigest(..)");
}
