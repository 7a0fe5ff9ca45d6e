use super::*;

#[test]
fn an_id_keeps_the_place_of_its_first_row() {
    let (mut ids, mut expected) = (Ids::default(), Vec::<Vec<u8>>::new());
    for row in 0..20_000_usize {
        let id = (row.wrapping_mul(2_654_435_761) % 5_000).to_string().into_bytes();
        let known = expected.iter().position(|known| *known == id);
        if known.is_none() {
            expected.push(id.clone());
        }
        // a second row of the same subject follows each
        assert_eq!([ids.place_of(&id), ids.place_of(&id)], [known.unwrap_or(expected.len() - 1); 2]);
    }
    assert_eq!(ids.len(), 5_000);
    assert!(ids.iter().eq(expected.iter().map(Vec::as_slice)));
    assert!(ids.get(5_000).is_none());
}

#[test]
fn an_empty_id_is_an_id_like_others_and_nothing_shows_any() {
    let mut ids = Ids::default();
    assert!(ids.is_empty() && ids.get(0).is_none());
    assert_eq!([b"".as_slice(), b"a", b""].map(|id| ids.place_of(id)), [0, 1, 0]);
    assert_eq!(format!("{ids:?}"), "Ids(..)");
}
