#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use arrow_array::{BooleanArray, DictionaryArray, Int16Array, LargeStringArray, StringViewArray, UInt64Array};

use super::*;

#[test]
fn numbers_and_text_of_every_type_are_read_and_other_columns_are_not() {
    let words = [Some("a"), None, Some("c")];
    let dictionary: DictionaryArray<Int8Type> = words.into_iter().collect();
    let columns: [ArrayRef; 4] = [
        Arc::new(StringArray::from_iter(words)),
        Arc::new(LargeStringArray::from_iter(words)),
        Arc::new(StringViewArray::from_iter(words)),
        Arc::new(dictionary),
    ];
    for column in columns {
        assert_eq!(text_of(&column).unwrap().iter().collect::<Vec<_>>(), words, "{}", column.data_type());
        assert!(numbers_of(&column).is_none());
    }
    let column: ArrayRef = Arc::new(Int16Array::from(vec![Some(-3), None]));
    assert_eq!(numbers_of(&column).unwrap(), Float64Array::from(vec![Some(-3.0), None]));
    assert_eq!(text_of(&column).unwrap(), StringArray::from(vec![Some("-3"), None]));
    let column: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX]));
    assert_eq!(numbers_of(&column).unwrap().value(0), 2.0_f64.powi(64));
    let column: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    assert!(numbers_of(&column).is_none() && text_of(&column).is_none());
}
