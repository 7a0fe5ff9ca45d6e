//! What goes back to R: plain values, made without R, and then one list.

use std::panic::{AssertUnwindSafe, catch_unwind};

use savvy::{OwnedListSexp, OwnedLogicalSexp, OwnedRealSexp, OwnedStringSexp, Sexp};

use crate::refusal::Refusal;

/// A value as R will hold it.
pub enum Out {
    /// `NULL`
    Null,
    /// A logical vector.
    Truths(Vec<bool>),
    /// A numeric vector.
    Numbers(Vec<f64>),
    /// A character vector.
    Texts(Vec<String>),
    /// A named list.
    Named(Vec<(String, Out)>),
}

impl From<f64> for Out {
    fn from(number: f64) -> Self {
        Self::Numbers(vec![number])
    }
}

impl From<bool> for Out {
    fn from(truth: bool) -> Self {
        Self::Truths(vec![truth])
    }
}

impl From<&str> for Out {
    fn from(text: &str) -> Self {
        Self::Texts(vec![text.to_owned()])
    }
}

impl From<String> for Out {
    fn from(text: String) -> Self {
        Self::Texts(vec![text])
    }
}

impl From<Vec<f64>> for Out {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<Vec<String>> for Out {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl From<Vec<bool>> for Out {
    fn from(truths: Vec<bool>) -> Self {
        Self::Truths(truths)
    }
}

impl<T: Into<Self>> From<Option<T>> for Out {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Out {
    /// A named list.
    pub fn named<const N: usize>(values: [(&str, Self); N]) -> Self {
        Self::Named(values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Names and texts, such as facts.
    pub fn pairs<N: Into<String>>(pairs: impl IntoIterator<Item = (N, String)>) -> Self {
        Self::Named(pairs.into_iter().map(|(name, text)| (name.into(), text.into())).collect())
    }

    fn sexp(self) -> savvy::Result<Sexp> {
        match self {
            Self::Null => savvy::NullSexp.into(),
            Self::Truths(truths) => OwnedLogicalSexp::try_from_slice(truths)?.into(),
            Self::Numbers(numbers) => OwnedRealSexp::try_from_slice(numbers)?.into(),
            Self::Texts(texts) => OwnedStringSexp::try_from_slice(texts)?.into(),
            Self::Named(values) => {
                let mut list = OwnedListSexp::new(values.len(), true)?;
                for (at, (name, value)) in values.into_iter().enumerate() {
                    list.set_name_and_value(at, &name, value.sexp()?)?;
                }
                list.into()
            }
        }
    }
}

/// Answers R. A refusal goes back as a list that the R code makes a condition of; a fault of this program is one too, and R goes on.
///
/// # Errors
/// What R raised itself, such as a warning that is an error.
pub fn answer(work: impl FnOnce() -> Result<Out, Refusal>) -> savvy::Result<Sexp> {
    let fault = || Refusal::new("", "a fault of dpfda, which stands on the error stream; please report it");
    let refusal = match catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(fault())) {
        Ok(out) => return out.sexp(),
        Err(refusal) => refusal,
    };
    if let Some(raised) = refusal.raised {
        return Err(raised);
    }
    Out::named([("refused", refusal.text.into()), ("setting", refusal.setting.into()), ("about", refusal.about.into())])
        .sexp()
}
