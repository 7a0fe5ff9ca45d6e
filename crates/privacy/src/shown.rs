//! How types are written: private data as their name alone, and names as the text that they are read from.

/// `Debug` of private data: the name of the type, and nothing of what it holds.
#[doc(hidden)]
#[macro_export]
macro_rules! opaque {
    ($name:ident $(<$($parameter:ident $(: $bound:path)?),+>)?) => {
        impl $(<$($parameter $(: $bound)?),+>)? std::fmt::Debug for $name $(<$($parameter),+>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    };
}

/// What serde takes for a type that is written by `Display` and read by `FromStr`.
#[doc(hidden)]
#[macro_export]
macro_rules! written_as_text {
    ($name:ident) => {
        impl TryFrom<String> for $name {
            type Error = <Self as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    };
}
