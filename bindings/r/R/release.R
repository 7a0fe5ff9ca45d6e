#' Release what a study asks for
#'
#' Reads private data once, warns the curator, pays, and draws the noise: **this spends the budget**.
#'
#' @param study A study, as [dp_study()] makes it.
#' @param data The private data: a matrix with a curve in each row, a data frame or tibble, an `fd` of fda, a `tfd` of tf, or the
#'   path of a file. A matrix of doubles is not copied.
#' @param ... Vectors beside the data, such as `subject`, by the names that the study gives to columns.
#' @param ledger The path of a ledger that pays, or a [dp_ledger()].
#' @param release_id What the release is called in the ledger; the same call with the same name gives the same release back.
#' @param part_of The group of people that the data are, in a ledger with groups.
#' @param demonstration A seed for the noise, such as 1. The release is then **not private**, and says so.
#' @return A release: an object of class `dpfda_release`, and of one for its kind such as `dpfda_mean`.
#' @seealso [dp_mean()] and the others, which say a study and release it in one call.
#' @examples
#' curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)
#' study <- dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
#' release(study, curves)
#' @export
release <- function(study, data, ..., ledger = NULL, release_id = NULL, part_of = NULL, demonstration = NULL) {
  door <- list(ledger = ledger, release_id = release_id, part_of = part_of, demonstration = demonstration)
  paid(a_study(study), data, list(...), door)
}

# Every release of R. Data are named here and never written out: what R tells of calls shows no values.
paid <- function(study, data, beside, door) {
  door <- list(
    ledger = if (!is.null(door$ledger)) path_of(door$ledger), release_id = one_name(door$release_id, "release_id"),
    part_of = one_name(door$part_of, "part_of"), demonstration = one_number(door$demonstration, "demonstration")
  )
  table <- as_table(data, beside, study$kind == "density")
  document <- asked(rs_release(study$json, study$takes_all, table, door, tell, threads()))
  # the release is paid for: whatever cannot be shown of it now, its document stays, also where warnings are errors
  tryCatch(new_release(document), error = function(fault) {
    message("the release cannot be shown: keep it by dp_write()")
    structure(list(document = document), class = "dpfda_release")
  })
}

threads <- function() {
  number <- getOption("dpfda.threads", 2L)
  if (!is.numeric(number) || length(number) != 1 || !is.finite(number) || number < 1) {
    refuse("options(dpfda.threads = ) must be one number, at least 1", "threads")
  }
  as.integer(min(number, 4096))
}

path_of <- function(ledger) one_path(if (inherits(ledger, "dpfda_ledger")) ledger$path else ledger, "ledger")

# A release: its document, and what the document says.
new_release <- function(document) {
  told <- asked(rs_describe(document))
  table <- told$table
  told$table <- if (is.null(table)) data.frame() else as.data.frame(table, stringsAsFactors = FALSE)
  structure(c(list(document = document), told), class = c(paste0("dpfda_", told$kind), "dpfda_release"))
}

# One call of a function of a kind: the settings that were given, and the vectors among them as columns beside the data.
released <- function(kind, data, call, settings, frame, beside = list()) {
  if (inherits(data, "formula")) refuse("this kind has no formula: give the curves, such as data$Y, and vectors beside them by their names", "x")
  said <- Filter(Negate(is.null), mget(intersect(names(call), settings), envir = frame))
  for (name in intersect(c("subject", "by"), names(said))) {
    if (!is_name(said[[name]])) {
      beside[[name]] <- said[[name]]
      said[[name]] <- name
    }
  }
  said <- as_written(said)
  if (length(dim(data)) == 3 && is.null(said[["surface"]])) said[["surface"]] <- dim(data)[-1]
  if (inherits(data, "tfd_irreg")) {
    if (!kind %in% c("rows", "centiles")) {
      refuse("curves at points of their own are for dp_rows() and dp_centiles(); tf::tfd(x, arg = ) gives them a common grid", "x")
    }
    said <- utils::modifyList(list(id = "id", time = "arg", value = "value"), said)
    if (is.null(said[["domain"]])) said[["domain"]] <- attr(data, "domain")
  }
  study <- new_study(asked(rs_study(kind, said)))
  door <- mget(c("ledger", "release_id", "part_of", "demonstration"), envir = frame)
  paid(study, data, beside, door)
}

# Lists as settings are written: list(visit = c(1, 2)) is visit=1,2.
as_written <- function(said) {
  if (!is.null(said$covariate_bounds)) said$covariate_bounds <- ranges(said$covariate_bounds)
  if (is.list(said$change)) {
    if (length(said$change) != 1 || is.null(names(said$change))) {
      refuse("`change` must name one column and two of its visits, such as list(visit = c(1, 2))", "change")
    }
    said$change <- visits(names(said$change), said$change[[1]])
  }
  for (name in names(said)) if (is.character(said[[name]])) said[[name]] <- utf8(said[[name]], name)
  said
}

visits <- function(column, two) {
  if (!is.atomic(two) || length(two) != 2 || anyNA(two)) refuse("`change` must name two visits, such as c(1, 2)", "change")
  paste0(column, "=", paste(exact(two), collapse = ","))
}

# Numbers as text that reads back as they were; other vectors as they are written.
exact <- function(given) {
  if (!is.numeric(given)) {
    return(as.character(given))
  }
  format(given, digits = 17, trim = TRUE, scientific = FALSE, drop0trailing = TRUE)
}

# list(visit = c(1, 8), site = c("north", "south")) as settings are written
ranges <- function(given) {
  if (is.character(given) && is.null(names(given))) {
    return(given)
  }
  range <- function(one) {
    if (!is.atomic(one)) refuse("`covariate_bounds` must be two numbers or the levels of each covariate", "covariate_bounds")
    if (is.numeric(one) && length(one) == 2) paste(exact(one), collapse = ":") else paste(as.character(one), collapse = "|")
  }
  paste0(names(given), "=", vapply(given, range, character(1)))
}

# `Y ~ case + visit`: the curves, and a vector for each covariate.
of_formula <- function(formula, data) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    refuse("the formula names curves on the left and covariates on the right, such as Y ~ case + visit", "formula")
  }
  if (!is.null(data) && !is.list(data)) refuse("`data` must be a data frame with the columns of the formula", "data")
  terms <- tryCatch(stats::terms(formula, data = data), error = function(fault) {
    refuse("the right side of the formula names columns, with + between them", "formula")
  })
  names <- attr(terms, "term.labels")
  plain <- all(attr(terms, "order") == 1) && attr(terms, "intercept") == 1 && setequal(names, all.vars(formula[[3]]))
  if (!length(names) || !plain) {
    refuse("the right side of the formula names columns, with + between them; interactions and functions are not released", "formula")
  }
  list(curves = looked_up(formula[[2]], data, formula), beside = stats::setNames(
    lapply(names, function(name) looked_up(as.name(name), data, formula)), names
  ))
}

# A column of the data, or a variable where the formula was written. What is wrong with it is not told: it may be private.
looked_up <- function(expression, data, formula) {
  frame <- environment(formula)
  is_known <- function(name) name %in% names(data) || !is.null(get0(name, frame)) && !is.function(get0(name, frame))
  unknown <- Filter(Negate(is_known), all.vars(expression))
  if (length(unknown)) refuse(paste0("the formula: no column is named `", unknown[1], "`"), "formula")
  tryCatch(eval(expression, data, frame), error = function(fault) {
    refuse("the formula: an expression in it has no value in these data", "formula")
  })
}

# `left ~ first | second`: an expression and two names.
of_bar <- function(formula, like) {
  right <- if (length(formula) == 3) formula[[3]]
  has_bar <- is.call(right) && identical(right[[1]], as.name("|"))
  if (!has_bar || !is.name(right[[2]]) || !is.name(right[[3]])) {
    refuse(paste("the formula names columns as in", like), "formula")
  }
  list(left = formula[[2]], first = as.character(right[[2]]), second = as.character(right[[3]]))
}

# `value ~ time | id`: the names of three columns.
of_values <- function(formula) {
  sides <- of_bar(formula, "value ~ time | id")
  if (!is.name(sides$left)) refuse("the formula names columns as in value ~ time | id", "formula")
  list(value = as.character(sides$left), time = sides$first, id = sides$second)
}

# `Y ~ visit | id`: the curves, and the vectors beside them. Where no two visits are named, the column is one of times.
of_visits <- function(formula, data, change, per) {
  sides <- of_bar(formula, "Y ~ visit | id")
  names <- c(sides$first, sides$second)
  beside <- stats::setNames(lapply(names, function(name) looked_up(as.name(name), data, formula)), names)
  named <- list(subject = sides$second)
  if (!is.null(change)) {
    named$change <- if (is.list(change) || is_name(change)) change else visits(sides$first, change)
  } else if (is.null(per)) {
    named$per <- sides$first
  }
  list(curves = looked_up(sides$left, data, formula), beside = beside, named = named)
}
