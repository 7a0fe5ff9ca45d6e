//! Parts that travel.

use dpfda::mechanism::Digest;
use dpfda::release::{Mean, Part, Rows};

/// A part that is read is written again as it was, and is not joined twice.
macro_rules! is_sound {
    ($part:ty, $bytes:expr) => {
        match <$part>::read($bytes) {
            Err(error) => assert!(!error.to_string().is_empty(), "it says what is wrong"),
            Ok(mut part) => {
                assert_eq!(part.reveal().reveal(), $bytes, "a part is written as it was read");
                let Ok(again) = <$part>::read($bytes) else { unreachable!("it was read before") };
                assert!(part.parts().is_empty() || part.merge(again).is_err(), "no part counts twice");
            }
        }
    };
}

/// The first byte says whether the digest at the end is made right, the rest is the file.
pub fn run(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let bytes = if choice % 2 == 0 { bytes.to_vec() } else { with_digest(bytes) };
    is_sound!(Part<Mean>, &bytes);
    is_sound!(Part<Rows>, &bytes);
}

/// The bytes without those of a digest, and their own digest.
fn with_digest(bytes: &[u8]) -> Vec<u8> {
    let whole = bytes.get(..bytes.len().saturating_sub(32)).unwrap_or_default();
    let digits = Digest::of(whole).to_string();
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or("0"), 16).unwrap_or_default();
    whole.iter().copied().chain((0..64).step_by(2).map(pair)).collect()
}
