//! What a column of an Arrow table says: numbers, or text.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_schema::DataType;

#[cfg(test)]
#[path = "arrow_cells_tests.rs"]
mod tests;

/// The numbers of a column of any type of numbers; `None` for another column.
pub(crate) fn numbers_of(array: &ArrayRef) -> Option<Float64Array> {
    fn widened<T: ArrowPrimitiveType>(array: &ArrayRef, wide: impl Fn(T::Native) -> f64) -> Float64Array {
        array.as_primitive::<T>().unary(wide)
    }
    Some(match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().clone(),
        DataType::Float32 => widened::<Float32Type>(array, f64::from),
        DataType::Int8 => widened::<Int8Type>(array, f64::from),
        DataType::Int16 => widened::<Int16Type>(array, f64::from),
        DataType::Int32 => widened::<Int32Type>(array, f64::from),
        DataType::Int64 => widened::<Int64Type>(array, |x| x as f64),
        DataType::UInt8 => widened::<UInt8Type>(array, f64::from),
        DataType::UInt16 => widened::<UInt16Type>(array, f64::from),
        DataType::UInt32 => widened::<UInt32Type>(array, f64::from),
        DataType::UInt64 => widened::<UInt64Type>(array, |x| x as f64),
        _ => return None,
    })
}

/// The text of a column of text, of categories or of whole numbers; `None` for another column.
pub(crate) fn text_of(array: &ArrayRef) -> Option<StringArray> {
    fn written<T: ArrowPrimitiveType<Native: ToString>>(array: &ArrayRef) -> StringArray {
        array.as_primitive::<T>().iter().map(|x| x.map(|x| x.to_string())).collect()
    }
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().clone(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().collect(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let words = text_of(dictionary.values())?;
            let places = dictionary.normalized_keys();
            let word = |(row, &place): (usize, &usize)| {
                (array.is_valid(row) && words.is_valid(place)).then(|| words.value(place))
            };
            places.iter().enumerate().map(word).collect()
        }
        DataType::Int8 => written::<Int8Type>(array),
        DataType::Int16 => written::<Int16Type>(array),
        DataType::Int32 => written::<Int32Type>(array),
        DataType::Int64 => written::<Int64Type>(array),
        DataType::UInt8 => written::<UInt8Type>(array),
        DataType::UInt16 => written::<UInt16Type>(array),
        DataType::UInt32 => written::<UInt32Type>(array),
        DataType::UInt64 => written::<UInt64Type>(array),
        _ => return None,
    })
}
