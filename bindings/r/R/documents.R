#' Read, write and verify releases
#'
#' A release is a public document, the `release.json` of the command `dpfda`.
#'
#' @param path The path of the document.
#' @param release A release, or the path of one.
#' @param study The study that was agreed on, as [dp_study()] reads it.
#' @param ledger The ledger that is said to have paid.
#' @return `dp_read()` gives a release; its numbers must agree with one another. `dp_write()` writes a new file. `dp_verify()` gives
#'   `TRUE`, or refuses with the class `dpfda_document_error` and with what does not agree.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' study <- dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' path <- tempfile(fileext = ".json")
#' dp_write(release(study, curves), path)
#' dp_verify(dp_read(path), study = study)
#' @export
dp_read <- function(path) {
  path <- one_path(path, "path")
  if (!file.exists(path) || dir.exists(path)) refuse("there is no such document", "path")
  bytes <- tryCatch(suppressWarnings(readBin(path, "raw", file.size(path))), error = function(fault) NULL)
  if (is.null(bytes)) refuse("the document cannot be read", "path")
  if (any(bytes == 0)) refuse("the file is no text, and no document", "path")
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  new_release(sub("\n$", "", utf8(text, "path")))
}

#' @rdname dp_read
#' @export
dp_write <- function(release, path) {
  a_release(release)
  write_new(release$document, path)
}

# Writes a text to a new file. Nothing is written over.
write_new <- function(text, path, name = "path") {
  path <- one_path(path, name)
  if (file.exists(path)) refuse("the file exists already, and nothing is written over", name)
  if (!dir.exists(dirname(path))) refuse("there is no such folder", name)
  tryCatch(suppressWarnings(writeLines(text, path, useBytes = TRUE)), error = function(fault) refuse("the file cannot be written", name))
  invisible(path)
}

#' @rdname dp_read
#' @export
dp_verify <- function(release, study = NULL, ledger = NULL) {
  if (is.character(release)) release <- dp_read(release)
  a_release(release)
  if (is.null(study) && is.null(ledger)) refuse("give the study that was agreed on, the ledger that paid, or both", "study")
  study <- if (!is.null(study)) a_study(study)$json
  found <- asked(rs_mismatches(release$document, study, if (!is.null(ledger)) path_of(ledger)))
  if (length(found)) refuse(paste(found, collapse = "; "), "release", "document")
  TRUE
}

#' A page about releases that a custodian can sign
#'
#' What was released, under which guarantee, what it means for one person, how others check it, and room for signatures: one page for each
#' release, and one for the ledger that paid for them. The numbers stand in place of a figure: [plot.dpfda_release()] draws it.
#'
#' @param release A release, or a list of releases.
#' @param file The path of the new file, such as `report.html`: one file without scripts, which loads nothing and prints on A4.
#' @param ledger The ledger that paid: a [dp_ledger()] or its path. Then the page tells what was spent and what is left.
#' @return The path, invisibly.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' dp_report(mean, tempfile(fileext = ".html"))
#' @export
dp_report <- function(release, file, ledger = NULL) {
  releases <- if (inherits(release, "dpfda_release")) list(release) else release
  if (!is.list(releases) || !length(releases)) refuse("`release` must be a release, or a list of releases", "release")
  documents <- vapply(releases, function(one) paste0(a_release(one)$document, "\n"), character(1))
  write_new(asked(rs_report(documents, if (!is.null(ledger)) path_of(ledger))), file, "file")
}

#' The account of everything that is ever released of a data set
#'
#' A ledger is one file, which is as private as the data. Every payment is on disk before noise is drawn. Give the ledger to every
#' release of these people.
#'
#' @param path The file.
#' @param dataset To create a new ledger: what the data set is called.
#' @param unit Who is protected: `"subject"` or `"curve"`.
#' @param neighbours Which data sets must look alike: `"substitute"` or `"add-remove"`.
#' @param epsilon,delta What all releases together may reach.
#' @param groups Disjoint groups that the data consist of.
#' @return An object of class `dpfda_ledger`, with a data frame `releases` of what was paid for. What it shows is public.
#' @examples
#' path <- tempfile(fileext = ".ledger")
#' ledger <- dp_ledger(path, dataset = "gait", unit = "curve", epsilon = 2, delta = 1e-5)
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-6, ledger = ledger)
#' dp_ledger(path)
#' @export
dp_ledger <- function(path, dataset = NULL, unit = "subject", neighbours = "substitute", epsilon = NULL, delta = NULL,
                      groups = character()) {
  path <- one_path(path, "path")
  if (!is.null(dataset)) {
    if (is.null(epsilon) || is.null(delta)) refuse("a new ledger needs `epsilon` and `delta`", if (is.null(epsilon)) "epsilon" else "delta")
    of <- list(dataset = dataset, unit = unit, neighbours = neighbours)
    for (name in names(of)) if (!is_name(of[[name]])) refuse(paste0("`", name, "` must be one text"), name)
    if (!is.character(groups) || anyNA(groups)) refuse("`groups` must be texts", "groups")
    terms <- utf8(unlist(of), "dataset")
    asked(rs_ledger_create(path, terms, one_number(epsilon, "epsilon"), one_number(delta, "delta"), utf8(groups, "groups")))
  } else if (!is.null(epsilon) || !is.null(delta) || length(groups)) {
    refuse("`epsilon`, `delta` and `groups` are of a new ledger, which needs a `dataset`", "dataset")
  }
  told <- asked(rs_ledger_show(path))
  told$releases <- as.data.frame(told$releases, stringsAsFactors = FALSE)
  structure(c(list(path = path), told), class = "dpfda_ledger")
}

#' @export
print.dpfda_ledger <- function(x, ...) {
  pair <- function(budget) paste0("epsilon ", format(budget[1], digits = 4), " at delta ", format(budget[2]))
  cat("A ledger: ", pair(x$spent), " spent of ", pair(x$total), "\n", sep = "")
  if (nrow(x$releases)) print(x$releases, row.names = FALSE)
  invisible(x)
}
