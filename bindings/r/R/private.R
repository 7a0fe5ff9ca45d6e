# Private values are kept in this session alone: what is printed, saved or looked into holds none of them.
kept <- new.env(parent = emptyenv())

private <- function(values) {
  handle <- new.env(parent = emptyenv())
  key <- basename(tempfile("private"))
  assign(key, values, envir = kept)
  reg.finalizer(handle, function(...) if (exists(key, kept, inherits = FALSE)) rm(list = key, envir = kept))
  structure(list(key = key, handle = handle), class = "dpfda_private")
}

#' What a release would read and spend: for the curator alone
#'
#' **Not for publication.** It depends on the private data: how many values lie outside the bounds, which codes stand for missing
#' values, which rows repeat. Nothing is drawn or spent. Do not choose bounds, ball or domain by it. The object does not print, save
#' or show what it holds; `reveal()` does.
#'
#' @inheritParams release
#' @return For `dp_check()` an object of class `dpfda_private`; for `reveal()` a named character vector.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' check <- dp_check(dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5), curves)
#' check
#' names(reveal(check))
#' @export
dp_check <- function(study, data, ...) {
  a_study(study)
  table <- as_table(data, list(...), study$kind == "density")
  private(unlist(asked(rs_check(study$json, study$takes_all, table, threads()))))
}

#' @rdname dp_check
#' @param check What `dp_check()` gave.
#' @export
reveal <- function(check) {
  of_class(check, "dpfda_private", "check", "what dp_check() gave")
  if (!exists(check$key, kept, inherits = FALSE)) {
    refuse("private values are not saved: they stay in the session that read the data", "check")
  }
  get(check$key, kept, inherits = FALSE)
}

#' @export
print.dpfda_private <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

#' @export
format.dpfda_private <- function(x, ...) "<private: NOT FOR PUBLICATION; reveal() shows it to the curator>"

#' @importFrom utils str
#' @export
str.dpfda_private <- function(object, ...) cat("", format(object), "\n")
