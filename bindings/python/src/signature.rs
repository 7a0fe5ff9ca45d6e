//! Keys and signatures, in the files that the command writes and reads.

use std::path::PathBuf;

use dpfda::AnyRelease;
use dpfda_signature::{SigningKey, VerifyingKey, new_pair, signature_beside};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// A secret key that was opened.
#[pyclass(name = "SigningKey", module = "dpfda._dpfda", frozen)]
pub struct Signer(SigningKey);

/// A new pair: the texts of the files of the secret key and of the public one.
#[pyfunction]
#[pyo3(signature = (passphrase))]
pub fn new_keys(py: Python<'_>, passphrase: Option<String>) -> Result<(String, String), Refusal> {
    Ok(py.detach(|| new_pair(passphrase))?)
}

#[pymethods]
impl Signer {
    #[staticmethod]
    #[pyo3(signature = (path, passphrase, strict))]
    fn open(py: Python<'_>, path: PathBuf, passphrase: Option<String>, strict: bool) -> Result<Self, Refusal> {
        Ok(Self(py.detach(|| SigningKey::open(&path, strict, || passphrase))?))
    }

    /// The id of the key.
    #[getter]
    fn id(&self) -> String {
        self.0.id()
    }

    /// What is wrong with how the key is kept; each text goes on from "the key".
    #[getter]
    fn weaknesses(&self) -> Vec<String> {
        self.0.weaknesses().iter().map(ToString::to_string).collect()
    }

    /// The signature of a document, as text.
    fn sign(&self, document: &[u8]) -> Result<String, Refusal> {
        Ok(self.0.sign(document, None)?)
    }
}

/// The id of the key that signed the document in a file, and when, where a key is given; refuses a file that is no release.
#[pyfunction]
#[pyo3(signature = (path, document, public_key))]
pub fn verify_signature(
    py: Python<'_>,
    path: PathBuf,
    document: &[u8],
    public_key: Option<PathBuf>,
) -> Result<Option<(String, Option<u64>)>, Refusal> {
    py.detach(|| {
        let signed = public_key.map(|key| -> Result<_, Refusal> {
            let key = VerifyingKey::open(&key).map_err(|error| Refusal::from(error).at("public_key"))?;
            Ok(key.verify(&signature_beside(&path)?, document)?)
        });
        let signed = signed.transpose()?;
        // refuses what no such mechanism can have released, such as another noise than the guarantee needs
        let text = str::from_utf8(document).map_err(|_| Refusal::new("document", "the document is no text"))?;
        AnyRelease::from_json(text).map_err(|error| Refusal::of_document(&error).at("document"))?;
        Ok(signed.map(|signed| (signed.key, signed.at)))
    })
}
