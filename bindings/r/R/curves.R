#' The curve of a release as an object of fda or tf
#'
#' The mean of a release as a linear spline through its points: the band does not go along.
#'
#' @param x A release of a mean of curves or of rows.
#' @param ... Not used.
#' @return `as.fd()` of fda gives an `fd`, and `as_tfd()` a `tfd`, for which tf must be installed.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' if (requireNamespace("fda", quietly = TRUE)) fda::as.fd(mean)
#' if (requireNamespace("tf", quietly = TRUE)) as_tfd(mean)
#' @exportS3Method fda::as.fd
as.fd.dpfda_release <- function(x, ...) {
  curve <- one_curve(x)
  n <- nrow(curve)
  basis <- structure(list(
    call = sys.call(), type = "bspline", rangeval = range(curve$t), nbasis = n, params = curve$t[-c(1, n)],
    dropind = NULL, quadvals = NULL, values = list(), basisvalues = list()
  ), class = "basisfd")
  coefs <- matrix(curve$value, dimnames = list(NULL, "mean"))
  structure(list(coefs = coefs, basis = basis, fdnames = list(time = NULL, reps = "mean", values = NULL)), class = "fd")
}

#' @rdname as.fd.dpfda_release
#' @export
as_tfd <- function(x, ...) UseMethod("as_tfd")

#' @rdname as.fd.dpfda_release
#' @export
as_tfd.dpfda_release <- function(x, ...) {
  curve <- one_curve(x)
  if (!requireNamespace("tf", quietly = TRUE)) refuse("the package tf is not installed", "x")
  tf::tfd(matrix(curve$value, nrow = 1), arg = curve$t)
}

one_curve <- function(x) {
  if (!identical(names(x$table)[1:2], c("t", "value"))) refuse("only a mean of curves or of rows is one curve", "x")
  x$table
}
