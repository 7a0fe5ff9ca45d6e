use super::{ExactInteger, Word};

#[test]
fn a_sum_beyond_the_word_stops_at_the_end_and_does_not_come_back_from_the_other() {
    assert_eq!((i64::MAX.with_noise(0), i64::MAX.with_noise(1)), (i64::MAX, i64::MAX));
    assert_eq!((i64::MIN.with_noise(0), i64::MIN.with_noise(-1)), (i64::MIN, i64::MIN));
    assert_eq!((1_i64.with_noise(i128::MAX), (-1_i64).with_noise(i128::MIN)), (i64::MAX, i64::MIN));
    assert_eq!((-5_i64).with_noise(i64::MAX.into()), i64::MAX - 5);
    assert_eq!(1_i128.with_noise(i128::MAX), i128::MAX);
}

#[test]
fn integers_survive_documents_and_bytes() -> Result<(), serde_json::Error> {
    for value in [0, 1, -7, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, i128::from(i64::MIN), i128::MAX, i128::MIN] {
        let json = serde_json::to_string(&ExactInteger(value))?;
        assert_eq!(json.starts_with('"'), value.unsigned_abs() > 1 << 53, "{json}");
        assert_eq!(serde_json::from_str::<ExactInteger>(&json)?.0, value);
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        assert_eq!((bytes.len(), i128::read(&bytes)), (i128::BYTES, Some(value)));
    }
    assert!(serde_json::from_str::<ExactInteger>("1.5").is_err());
    assert!(serde_json::from_str::<ExactInteger>("\"1e3\"").is_err());
    Ok(())
}
