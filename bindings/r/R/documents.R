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
  if (!is_name(path)) refuse("`path` must be the path of a document", "path")
  path <- path.expand(path)
  if (!file.exists(path) || dir.exists(path)) refuse("there is no such document", "path")
  text <- readChar(path, file.size(path), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  new_release(sub("\n$", "", text))
}

#' @rdname dp_read
#' @export
dp_write <- function(release, path) {
  if (file.exists(path)) refuse("the file exists already, and nothing is written over", "path")
  writeLines(release$document, path, useBytes = TRUE)
  invisible(path)
}

#' @rdname dp_read
#' @export
dp_verify <- function(release, study = NULL, ledger = NULL) {
  if (is.character(release)) release <- dp_read(release)
  if (!inherits(release, "dpfda_release")) refuse("`release` must be a release, or the path of one", "release")
  if (is.null(study) && is.null(ledger)) refuse("give the study that was agreed on, the ledger that paid, or both", "study")
  found <- asked(rs_mismatches(release$document, study$json, if (!is.null(ledger)) path_of(ledger)))
  if (length(found)) refuse(paste(found, collapse = "; "), "release", "document")
  TRUE
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
  path <- path.expand(path)
  if (!is.null(dataset)) {
    if (is.null(epsilon) || is.null(delta)) refuse("a new ledger needs `epsilon` and `delta`", "epsilon")
    terms <- c(dataset, unit, neighbours)
    budget <- c(one_number(epsilon, "epsilon"), one_number(delta, "delta"))
    asked(rs_ledger_create(path, terms, budget[1], budget[2], as.character(groups)))
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
