//! What is tried when cross-validating.

use dpfda::crossval::{CandidateError, Candidates, KernelFamily, geometric};
use dpfda::kernels::KernelName;

use crate::arguments::CrossvalArguments;
use crate::error::CliError;
use crate::misasked::Misasked;

/// More kernels than this are no longer one figure.
const MOST_KERNELS: usize = 12;

/// The kernels, unless told otherwise.
const KERNELS: [KernelName; 4] =
    [KernelName::Gaussian, KernelName::Matern(1.5), KernelName::Matern(2.5), KernelName::Exponential];

/// The lists asked for, and the usual ones for the rest.
pub fn asked_for(arguments: &CrossvalArguments) -> Result<Candidates, CliError> {
    let kernels = arguments.kernel.as_ref().map_or(&KERNELS[..], |kernels| &kernels.0);
    if kernels.len() > MOST_KERNELS {
        return Err(Misasked::TooManyKernels { found: kernels.len(), most: MOST_KERNELS }.into());
    }
    let list = |given: &Option<crate::values::Numbers>| given.as_ref().map(|numbers| numbers.0.clone());
    let family = |&name: &KernelName| {
        KernelFamily::new(name, list(&arguments.range).unwrap_or_else(|| name.usual_ranges().to_vec()))
    };
    let families = kernels.iter().map(family).collect::<Result<_, CandidateError>>()?;
    let penalties = list(&arguments.penalty).unwrap_or_else(|| geometric(1e-6, 1.0, 25));
    let powers = list(&arguments.eta).unwrap_or_else(|| vec![1.0]);
    Ok(Candidates::new(families, penalties, powers)?)
}
