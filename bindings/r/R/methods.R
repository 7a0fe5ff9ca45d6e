#' What a release says
#'
#' All of it is public, and costs no privacy.
#'
#' @param x,object A release.
#' @param row.names,optional,... Not used.
#' @return `print()` tells a release in a few lines, and `summary()` all its facts. `as.data.frame()` and `tidy()` give the numbers:
#'   `t`, `value`, `posterior_sd`, `noise_sd`, `lower` and `upper`, after the name of a group or coefficient where there are several.
#'   `glance()` gives one row about the guarantee.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' mean
#' head(as.data.frame(mean))
#' glance(mean)
#' @name release-methods
NULL

#' @rdname release-methods
#' @export
print.dpfda_release <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname release-methods
#' @export
format.dpfda_release <- function(x, ...) {
  if (is.null(x$kind)) {
    return("A release whose document can be written by dp_write()")
  }
  people <- if (is.null(x$records)) "a private number of records" else paste(format(x$records), "records")
  band <- if (!is.null(x$band)) paste0("band: ", x$band$name, ", level ", format(x$band$level))
  c(
    paste0(x$title, " (each ", x$unit, " is protected): ", people),
    paste0("epsilon = ", format(x$epsilon), ", delta = ", format(x$delta), ", ", x$neighbours),
    if (nrow(x$table)) paste0(nrow(x$table), " rows of numbers", if (length(band)) paste0("; ", band)),
    if (!nrow(x$table)) "nothing can be shown: the noise hides it",
    stamp(x)
  )
}

stamp <- function(x) if (!x$is_private) "NOISE FROM A SEED: NOT PRIVATE"

#' @rdname release-methods
#' @export
summary.dpfda_release <- function(object, ...) {
  structure(list(title = object$title, facts = unlist(object$facts), notes = object$notes), class = "summary.dpfda_release")
}

#' @export
print.summary.dpfda_release <- function(x, ...) {
  cat(x$title, "\n", sep = "")
  cat(strwrap(paste0(names(x$facts), ": ", x$facts), exdent = 4), sep = "\n")
  if (length(x$notes)) cat(strwrap(paste("NOTE:", x$notes), exdent = 4), sep = "\n")
  invisible(x)
}

#' @rdname release-methods
#' @export
as.data.frame.dpfda_release <- function(x, row.names = NULL, optional = FALSE, ...) x$table

#' @rdname release-methods
#' @export
tidy.dpfda_release <- function(x, ...) if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(x$table) else x$table

#' @rdname release-methods
#' @export
glance.dpfda_release <- function(x, ...) {
  one <- data.frame(
    kind = x$kind, epsilon = x$epsilon, delta = x$delta, neighbours = x$neighbours, unit = x$unit,
    records = if (is.null(x$records)) NA_real_ else x$records, is_private = x$is_private
  )
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(one) else one
}

#' Estimates of a release
#'
#' @param object A release.
#' @param ci `"none"`, or `"simultaneous"` for the band: it covers all points at once with the probability of its level.
#' @param parm The name of a group or of a coefficient; all where it is left out.
#' @param level The probability that the band states; by default that of the release.
#' @param ... Not used.
#' @param x A release.
#' @return A data frame. `mean()` gives the mean of a release of means, as [as.data.frame()] does: `t`, `value`, and the ends of the band.
#'   `fitted()` and `residuals()` refuse: a release knows no person, and so no person's fit.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' head(mean(mean))
#' head(coef(mean, ci = "simultaneous"))
#' head(confint(mean, level = 0.9))
#' @export
coef.dpfda_release <- function(object, ci = c("none", "simultaneous"), ...) {
  ci <- tryCatch(match.arg(ci), error = function(fault) refuse("`ci` must be \"none\" or \"simultaneous\"", "ci"))
  table <- if (object$kind == "centiles") centiles_of(object) else object$table
  if (!length(table)) refuse("the release shows no curve: the noise hides it, and its facts say why", "object")
  if (!"value" %in% names(table)) refuse("a release of this kind has no coefficients: see as.data.frame()", "object")
  table[intersect(c(places(table), "value", if (ci == "simultaneous") c("lower", "upper")), names(table))]
}

# Centile curves below one another: the name of each, t, value and the ends of its band.
centiles_of <- function(object) {
  table <- object$table
  names <- grep("^p[0-9.]+$", names(table), value = TRUE)
  one <- function(name) {
    data.frame(centile = name, t = table$t, value = table[[name]], lower = table[[paste0(name, "_lower")]], upper = table[[paste0(name, "_upper")]])
  }
  do.call(rbind, lapply(names, one))
}

# The columns before those of the estimate.
places <- function(table) setdiff(names(table), c("value", "posterior_sd", "noise_sd", "lower", "upper", "density"))

#' @rdname coef.dpfda_release
#' @export
confint.dpfda_release <- function(object, parm = NULL, level = object$band$level, ...) {
  if (is.null(object$band)) refuse("a release of this kind has no band", "object")
  again <- new_release(asked(rs_with_level(object$document, a_number(level, "level"))))
  table <- if (again$kind == "centiles") centiles_of(again) else again$table
  found <- table[c(places(table), "lower", "upper")]
  if (is.null(parm)) {
    return(found)
  }
  if (!is_name(parm) || !parm %in% found[[1]]) refuse("`parm` must be the name of a group or of a coefficient", "parm")
  found[found[[1]] == parm, ]
}

#' @rdname coef.dpfda_release
#' @export
mean.dpfda_release <- function(x, ...) {
  switch(shape(x),
    curves = x$table,
    surface = x$table,
    panels = refuse("a regression has a mean for each value of its covariates: predict() gives it", "x"),
    centiles = refuse("a release of centiles has no mean: quantile(x, 0.5) gives the median curve", "x"),
    refuse("a release of this kind has no mean: as.data.frame() gives what it says", "x")
  )
}

#' @rdname coef.dpfda_release
#' @export
fitted.dpfda_release <- function(object, ...) {
  refuse("a release knows no person, and so no fitted curves of persons: predict() gives the mean", "object")
}

#' @rdname coef.dpfda_release
#' @export
residuals.dpfda_release <- function(object, ...) {
  refuse("a release knows no person, and so no residuals: they would be private data", "object")
}

#' The curve of a release at any points
#'
#' @param object A release of a mean, of groups, of rows, of surfaces or of a regression.
#' @param newdata Points of the domain; of surfaces a data frame with `s` and `t`; of a regression a list or data frame of one row,
#'   with a value for each covariate.
#' @param name Of groups or coefficients: the name of one.
#' @param ... Not used.
#' @return A data frame with `t`, `value`, `posterior_sd`, `noise_sd`, `lower` and `upper`.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' predict(dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5), c(0.25, 0.5))
#' @export
predict.dpfda_release <- function(object, newdata = NULL, name = NULL, ...) {
  if (is.null(newdata)) {
    return(object$table)
  }
  if (object$kind == "regression" && is.null(name)) {
    row <- lapply(as.list(newdata), plain)
    if (is.null(names(row)) || any(lengths(row) != 1)) {
      refuse("`newdata` must have one value for each covariate, by its name", "newdata")
    }
    return(as.data.frame(asked(rs_predict(object$document, row))))
  }
  t <- points_of(if (is.list(newdata)) newdata$t else newdata, "newdata")
  s <- if (is.list(newdata)) points_of(newdata$s, "newdata")
  if (is.null(t) || !(is.null(s) || length(s) == length(t))) {
    refuse("`newdata` must be points of the domain; of surfaces, `s` and `t` of one length", "newdata")
  }
  as.data.frame(asked(rs_evaluate(object$document, t, s, one_name(name, "name"))))
}

#' Slopes and integrals of the curve of a release
#'
#' A slope is one over a window: the rise of the curve between the ends of the window, by its length. The slope at a point has no
#' finite error.
#'
#' @param expr,release A release of curves.
#' @param at Points; by default those of the grid.
#' @param window The length of the window, in units of the domain; by default a tenth of the domain.
#' @param from,to The ends of the integral; by default those of the domain.
#' @param name Of groups or coefficients: the name of one.
#' @param ... Not used.
#' @return A data frame with `value`, `sd`, `lower` and `upper`, and with `t` for slopes.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' deriv(mean, at = 0.5)
#' dp_integral(mean, from = 0, to = 0.5)
#' @importFrom stats deriv
#' @export
deriv.dpfda_release <- function(expr, at = NULL, window = NULL, name = NULL, ...) {
  at <- points_of(at, "at")
  as.data.frame(asked(rs_features(expr$document, one_name(name, "name"), at, one_number(window, "window"), NULL, NULL))$slopes)
}

#' @rdname deriv.dpfda_release
#' @export
dp_integral <- function(release, from = NULL, to = NULL, name = NULL) {
  a_release(release)
  if (is.null(from) != is.null(to)) refuse("give both ends, or none", "from")
  from <- one_number(from, "from")
  as.data.frame(asked(rs_features(release$document, one_name(name, "name"), NULL, NULL, from, one_number(to, "to")))$integral)
}

#' Compare two means
#'
#' @param x A release of a mean, of rows or of groups.
#' @param y Another one; or the same one, for two of its groups.
#' @param groups The names of the two groups, where the releases are of groups.
#' @param level The probability that the band of the difference states.
#' @param ... Not used.
#' @return A data frame of `x - y` with `t`, `value`, `sd`, `lower` and `upper`; its attribute `p_value` is that of the test of
#'   equality, where there is one.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(4000, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' status <- rep(c("case", "control"), 2000)
#' groups <- dp_groups(curves, by = status, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' head(compare(groups, groups = c("case", "control")))
#' @export
compare <- function(x, y = x, ...) UseMethod("compare")

#' @rdname compare
#' @export
compare.dpfda_release <- function(x, y = x, groups = NULL, level = 0.95, ...) {
  a_release(y, "y")
  if (!is.null(groups) && (!is.character(groups) || length(groups) != 2 || anyNA(groups))) refuse("`groups` must be two names", "groups")
  told <- asked(rs_compare(x$document, y$document, a_number(level, "level"), groups[1], groups[2]))
  found <- as.data.frame(told[c("t", "value", "sd", "lower", "upper")])
  attr(found, "p_value") <- told$p_value
  found
}

#' How curves vary around their mean
#'
#' Functions of the second moments that a release of a mean brings along at no further cost.
#'
#' @param object A release of a mean.
#' @param nsim The number of synthetic curves.
#' @param seed A seed, which may be public: no privacy rests on it.
#' @param ... Not used.
#' @return `components()` gives a list: a data frame `values` with eigenvalues, their intervals and the share that they explain, the
#'   matrix `functions` with a function in each column, `t` and `total_variance`. `simulate()` gives a matrix with a synthetic curve
#'   in each row.
#' @examples
#' t <- seq(0, 1, length.out = 40)
#' curves <- 0.5 + 0.1 * outer(rnorm(5000), sin(pi * t))
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 2, delta = 1e-5)
#' components(mean)$values
#' dim(simulate(mean, nsim = 3, seed = 1))
#' @export
components.dpfda_release <- function(object, ...) {
  told <- asked(rs_components(object$document))
  list(
    t = told$t,
    values = as.data.frame(told[c("eigenvalue", "sd", "lower", "upper", "explained")]),
    functions = matrix(told$functions, nrow = length(told$t)),
    total_variance = told$total_variance
  )
}

#' @rdname components.dpfda_release
#' @importFrom stats simulate
#' @export
simulate.dpfda_release <- function(object, nsim = 1, seed = 1, ...) {
  is_whole <- function(number) is.numeric(number) && length(number) == 1 && isTRUE(number >= 0 && number == round(number))
  if (!is_whole(nsim) || nsim < 1 || nsim > 1e6) refuse("`nsim` must be a whole number from 1 to 1000000", "nsim")
  if (!is_whole(seed) || seed > .Machine$integer.max) refuse("`seed` must be a whole number, at least 0", "seed")
  found <- asked(rs_simulate(object$document, as.integer(nsim), as.integer(seed)))
  matrix(found, nrow = nsim, byrow = TRUE)
}

#' Quantiles of a release
#'
#' The values below which shares lie: of a density, or of people at each point, as centile curves. Which ones are asked costs no privacy.
#'
#' Centile curves of a chart assume no shape. With `normal = TRUE` they are those of values that are normal at each point, and are refused
#' where the release speaks against that; the bands are the same. A mean has centile curves of normal values alone, from its second
#' moments, and cannot check that values are normal.
#'
#' Where a noisy number of people is too small for what is asked, a message says so.
#'
#' @param x A release of centile curves, of a density of one column, of a mean, or of groups.
#' @param probs Shares; of curves from 0.02 to 0.98, each above the one before.
#' @param normal Whether values at each point are taken to be normal. A density does not have it.
#' @param level The probability that the band of all curves states; by default that of the release, and 0.95 for those of a mean.
#' @param name Of groups: the name of one.
#' @param ... Not used.
#' @return Of a density, its values. Of curves, a data frame with `centile`, `t`, `value`, `lower` and `upper`.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(2000), rep(1, 40))
#' chart <- dp_centiles(curves, centiles = c(10, 50, 90), bounds = c(0, 1), epsilon = 2, delta = 1e-5)
#' head(quantile(chart, c(0.25, 0.75)))
#' # where the release speaks against normal values, this is refused
#' try(head(quantile(chart, 0.5, normal = TRUE)))
#' density <- dp_density(rnorm(3000, 45, 12), bounds = c(0, 120), epsilon = 1)
#' quantile(density, 0.5)
#' @importFrom stats quantile
#' @export
quantile.dpfda_release <- function(x, probs = c(0.25, 0.5, 0.75), normal = FALSE, level = NULL, name = NULL, ...) {
  if (!isTRUE(normal) && !isFALSE(normal)) refuse("`normal` must be TRUE or FALSE", "normal")
  shares <- as.double(points_of(probs, "probs"))
  found <- asked(rs_quantiles(x$document, shares, normal, one_number(level, "level"), one_name(name, "name")))
  if (is.numeric(found)) {
    return(found)
  }
  for (note in found$note) message(note)
  centiles_of(list(table = as.data.frame(found$table)))
}
