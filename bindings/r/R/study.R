#' A study: every setting of a release, said once
#'
#' A study is public. It is written before anybody sees the data, and a release keeps its digest. A file says the same study to the
#' command `dpfda`, to Python and to R, and the same study with the same seed gives the same release, bit for bit.
#'
#' @param file The path of a study file, such as `study.toml`.
#' @param kind Without a file: what is released, one of `"mean"`, `"groups"`, `"change"`, `"rows"`, `"surface"`, `"regression"`,
#'   `"centiles"` and `"density"`.
#' @param ... Without a file: settings by their names; [dp_mean()] and the others list them.
#' @return A study, of class `dpfda_study`.
#' @examples
#' study <- dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' study
#' summary(study)
#' @export
dp_study <- function(file = NULL, kind = "mean", ...) {
  if (is.null(file)) {
    said <- list(...)
    if (length(said) && (is.null(names(said)) || !all(nzchar(names(said))))) {
      refuse("settings of a study have names, such as epsilon = 1", "study")
    }
    if (!is_name(kind)) refuse("`kind` must be one text, such as \"mean\"", "kind")
    return(new_study(asked(rs_study(kind, as_written(said)))))
  }
  if (...length() || !missing(kind)) refuse("a file says its kind and its settings itself: leave the others out", "file")
  file <- one_path(file, "file")
  if (!file.exists(file) || dir.exists(file)) refuse("the file of the study does not exist", "file")
  lines <- tryCatch(readLines(file, encoding = "UTF-8", warn = FALSE, skipNul = TRUE), error = function(fault) NULL)
  if (is.null(lines)) refuse("the file of the study cannot be read", "file")
  text <- utf8(paste(lines, collapse = "\n"), "file")
  new_study(asked(rs_study_of_file(paste0(text, "\n"), dirname(file)), "file"))
}

new_study <- function(told) structure(told, class = "dpfda_study")

#' @export
print.dpfda_study <- function(x, ...) {
  said <- x$origins == "said"
  cat("A study of kind ", x$kind, ": ", paste0(x$names[said], " = ", x$values[said], collapse = ", "), "\n", sep = "")
  cat("digest ", x$digest, "\n", sep = "")
  invisible(x)
}

#' @export
summary.dpfda_study <- function(object, ...) {
  data.frame(setting = object$names, value = object$values, origin = object$origins)
}

#' What a release will be worth, before there are data
#'
#' The release is rehearsed on people who are made up. No data are read.
#'
#' @param study A study, as [dp_study()] makes it.
#' @param n Numbers of people.
#' @param error In place of `n`: the error of the mean, in the units of the data, for which the number of people is sought.
#' @param points The number of points of a curve; of rows, the number of values of a subject.
#' @param spread By how much people differ, in the units of the data (root mean square).
#' @return A data frame with a row for each number of people: the expected root-mean-square error, and the half-width of the band.
#' @examples
#' study <- dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' dp_forecast(study, n = c(200, 2000))
#' @export
dp_forecast <- function(study, n = NULL, error = NULL, points = 50, spread = NULL) {
  a_study(study)
  if (is.null(n) == is.null(error)) refuse("give numbers of people, or an error", "n")
  told <- asked(rs_forecast(study$json, as.double(whole(n, "n")), list(
    error = one_number(error, "error"), points = whole(a_number(points, "points"), "points"), spread = one_number(spread, "spread")
  )))
  data.frame(
    n = told$records, error = told$error, half_width = told$half_width,
    refused = ifelse(nzchar(told$refused), told$refused, NA)
  )
}

# Whole numbers that doubles tell apart.
whole <- function(given, name) {
  given <- points_of(given, name)
  if (is.null(given)) {
    return(NULL)
  }
  if (any(given < 1) || any(given != round(given)) || any(given > 2^52)) {
    refuse(paste0("`", name, "` must be whole numbers, at least 1"), name)
  }
  given
}
