#' dpfda: differentially private functional data analysis
#'
#' Publish a mean curve, and not the people. A function such as [dp_mean()] reads private data once, adds noise that is drawn
#' exactly, and gives back a release: a public document with an estimate and its band. Whatever is computed from a release
#' afterwards costs no privacy.
#'
#' # Randomness
#' The noise comes from the operating system. [set.seed()] does nothing for it: whoever knows the seed of the noise can take the
#' noise away, and nobody is protected. `demonstration = 1` takes noise from a seed; the release then says that it is not private.
#'
#' # Threads
#' At most two threads work unless `options(dpfda.threads = )` says another number. The release is the same for any number.
#'
#' # Refusals
#' Whatever is refused is a condition of class `dpfda_refusal`. Its element `setting` names the argument that has to change. No
#' message shows a private value, and nothing is spent. Warnings for the curator have the class `dpfda_curator_warning`, those of a
#' ledger `dpfda_ledger_warning`. They come before the payment: with `options(warn = 2)` nothing is spent either.
#'
#' @keywords internal
"_PACKAGE"

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics components
#' @export
generics::components
