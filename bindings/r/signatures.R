# Writes R/doors.R from the table of settings: Rscript bindings/r/signatures.R [--check], with the package installed.
# The functions have the settings of their kind as arguments; the examples are written here by hand.

path <- commandArgs(FALSE)
path <- sub("^--file=", "", grep("^--file=", path, value = TRUE))
target <- file.path(dirname(path), "R", "doors.R")

# What takes rows: a formula names the columns of a long table.
of_rows <- function(kind) {
  c(
    "call <- match.call()",
    "if (inherits(x, \"formula\")) {",
    "  named <- of_values(x)",
    "  call[names(named)] <- named",
    "  for (name in names(named)) assign(name, named[[name]])",
    "  x <- data",
    "}",
    sprintf("released(\"%s\", x, call, SETTINGS, environment())", kind)
  )
}

doors <- list(
  mean = list(
    title = "The private mean of curves on a common grid",
    data = "x", what = "A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file.",
    body = "released(\"mean\", x, match.call(), SETTINGS, environment())",
    example = c(
      "curves <- 0.5 + 0.1 * outer(rnorm(400, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)",
      "mean <- dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5)",
      "plot(mean)"
    )
  ),
  groups = list(
    title = "The private mean of each of several groups of curves",
    data = "x", what = "A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file.",
    body = "released(\"groups\", x, match.call(), SETTINGS, environment())",
    example = c(
      "curves <- 0.5 + 0.1 * outer(rnorm(4000, sd = 0.1), sin(seq(0, 6, length.out = 50)), `+`)",
      "status <- rep(c(\"case\", \"control\"), 2000)",
      "groups <- dp_groups(curves, by = status, bounds = c(0, 1), epsilon = 1, delta = 1e-5)",
      "plot(groups)"
    )
  ),
  change = list(
    title = "The private mean change of people between two visits, or with time",
    about = c(
      "The curve of a person at the later visit, less that at the earlier one; `bounds`, `center` and `radius` are of such changes. Who has",
      "both visits is private, and so is their number. With `per` in place of `change`, the slope of a person's curves with time."
    ),
    data = "x", more = "data = NULL",
    what = paste(
      "A formula `Y ~ visit | id` with a matrix of curves, the visit of each row and whose row it is: `change = c(1, 2)` then names two",
      "visits, and without `change` the release is of slopes. Or a data frame or the path of a file, with",
      "`change = list(visit = c(1, 2))` and `subject`."
    ),
    params = "@param data With a formula: the data frame with its columns.",
    body = c(
      "call <- match.call()",
      "beside <- list()",
      "if (inherits(x, \"formula\")) {",
      "  found <- of_visits(x, data, change, per)",
      "  call[names(found$named)] <- found$named",
      "  for (name in names(found$named)) assign(name, found$named[[name]])",
      "  beside <- found$beside",
      "  x <- found$curves",
      "}",
      "released(\"change\", x, call, SETTINGS, environment(), beside)"
    ),
    example = c(
      "people <- data.frame(id = rep(1:2000, 2), visit = rep(1:2, each = 2000))",
      "people$cca <- 0.5 + 0.1 * outer(people$visit, sin(seq(0, 6, length.out = 30)))",
      "change <- dp_change(cca ~ visit | id, people,",
      "  change = c(1, 2), bounds = c(-0.3, 0.3), epsilon = 1, delta = 1e-5",
      ")",
      "plot(change)"
    )
  ),
  fosr = list(
    kind = "regression",
    title = "The private regression of curves on covariates",
    about = c(
      "`Y(t) = beta_0(t) + sum_k x_k beta_k(t) + error`. Covariates are as private as curves, unless they are said to be public.",
      "A number outside its bounds counts as the nearer bound."
    ),
    data = "formula", more = "data = NULL",
    what = "A formula such as `Y ~ case + visit`, whose left side is a matrix with a curve in each row.",
    params = "@param data A data frame with the columns of the formula.",
    body = c(
      "found <- of_formula(formula, data)",
      "call <- match.call()",
      "call$on <- on <- names(found$beside)",
      "if (is_name(subject) && !subject %in% on) found$beside[[subject]] <- data[[subject]]",
      "released(\"regression\", found$curves, call, SETTINGS, environment(), found$beside)"
    ),
    example = c(
      "people <- data.frame(age = runif(4000, 20, 80))",
      "people$cca <- 0.4 + 0.003 * people$age * matrix(seq(0, 1, length.out = 30), 4000, 30, byrow = TRUE)",
      "fit <- dp_fosr(cca ~ age, people,",
      "  covariate_bounds = list(age = c(18, 90)), bounds = c(0, 1), epsilon = 2, delta = 1e-5",
      ")",
      "predict(fit, list(age = 40))[1:3, ]"
    )
  ),
  rows = list(
    title = "The private mean of curves that were seen at other times for each person",
    about = "All rows of a person are protected together.",
    data = "x", more = "data = NULL",
    what = paste(
      "A formula such as `value ~ time | id`; or a long data frame, with `id`, `time` and `value`; an irregular `tfd`; a matrix with",
      "gaps; or the path of a file."
    ),
    params = "@param data With a formula: the long data frame, or the path of a file.",
    body = of_rows("rows"),
    example = c(
      "visits <- data.frame(patient = rep(1:2000, each = 3), hour = runif(6000, 0, 24))",
      "visits$glucose <- 5 + sin(visits$hour / 4)",
      "mean <- dp_rows(glucose ~ hour | patient, visits,",
      "  domain = c(0, 24), bounds = c(2, 12), epsilon = 1, delta = 1e-5",
      ")",
      "predict(mean, c(8, 12, 20))"
    )
  ),
  surface = list(
    title = "The private mean of surfaces on a common grid",
    data = "x", what = "An array of persons by `s` by `t`; or what [dp_mean()] takes, with a surface in each row, `t` fastest.",
    body = "released(\"surface\", x, match.call(), SETTINGS, environment())",
    example = c(
      "one <- outer(sin(0:23 / 4), cos(0:6))",
      "x <- 0.5 + 0.1 * aperm(array(one, c(24, 7, 500)), c(3, 1, 2))",
      "ends <- c(0, 23, 0, 6)",
      "surface <- dp_surface(x, surface_domain = ends, bounds = c(0, 1), epsilon = 1, delta = 1e-5)",
      "predict(surface, data.frame(s = 12.5, t = 3))"
    )
  ),
  centiles = list(
    title = "Private centile curves",
    about = "`as.data.frame()` has three columns for each centile, such as `p10`, `p10_lower` and `p10_upper`; `coef()` puts them below one another.",
    data = "x", more = "data = NULL",
    what = paste(
      "A matrix with a curve in each row, a data frame or tibble, an `fd`, a `tfd`, or the path of a file. For rows at times of their own",
      "a formula such as `value ~ time | id`, or a long data frame with `id`, `time` and `value`, and an irregular `tfd`."
    ),
    params = "@param data With a formula: the long data frame, or the path of a file.",
    body = of_rows("centiles"),
    example = c(
      "curves <- 0.5 + 0.1 * outer(rnorm(3000), rep(1, 20)) + 0.2 * rep(1, 3000) %o% sin(1:20 / 4)",
      "chart <- dp_centiles(curves, centiles = c(10, 50, 90), bounds = c(0, 1), epsilon = 2, delta = 1e-5)",
      "plot(chart)"
    )
  ),
  density = list(
    title = "The private density of points of people",
    about = "Points outside the bounds are clamped; a missing value counts as the centre of its axis.",
    data = "x", what = "A vector of numbers, a matrix of one to three columns, a data frame or tibble, or the path of a file.",
    body = "released(\"density\", x, match.call(), SETTINGS, environment())",
    example = c(
      "density <- dp_density(rnorm(3000, 45, 12), bounds = c(0, 120), epsilon = 1)",
      "quantile(density, 0.5)",
      "plot(density)"
    )
  )
)

# Vectors where other doors have names of columns.
vectors <- c(
  subject = "The ids of subjects: a vector, or the name of a column. All rows of a subject are protected together.",
  change = "Two visits, the earlier first: with a formula such as `c(1, 2)`, and else with their column, such as `list(visit = c(1, 2))`.",
  per = "In place of `change`: the name of the column of times. The slope of the line of least squares through a person's rows, at each point, for one unit of time.",
  by = "The groups: a vector, or the name of a column. Without `private_labels` the labels are public: every group in the data has the whole budget, and its size is told.",
  covariate_bounds = "The public range of each covariate: a list such as `list(visit = c(1, 8), site = c(\"north\", \"south\"))`, with two numbers, or the levels with the reference first. Chosen from public knowledge, never from these data."
)
payment <- c("ledger", "release_id", "part_of", "demonstration")

written <- function(name, door) {
  kind <- if (is.null(door$kind)) name else door$kind
  settings <- dpfda:::asked(dpfda:::rs_settings(kind))
  shown <- settings$names != "on"
  helps <- ifelse(settings$names %in% names(vectors), vectors[settings$names], paste0(settings$helps, " Given as ", settings$types, "."))
  # signs of Markdown and of R's pages
  helps <- gsub("%", "\\\\%", gsub("([][*])", "\\\\\\1", helps))
  arguments <- c(door$data, door$more, paste(settings$names[shown], "=", settings$defaults[shown]), paste(payment, "= NULL"))
  said <- paste0("c(", paste0("\"", settings$names, "\"", collapse = ", "), ")")
  body <- sub("SETTINGS", said, door$body, fixed = TRUE)
  c(
    paste0("#' ", door$title), "#'",
    if (length(door$about)) c(paste0("#' ", gsub("%", "\\%", door$about, fixed = TRUE)), "#'"),
    paste0("#' @param ", door$data, " ", door$what),
    if (length(door$params)) paste0("#' ", door$params),
    paste0("#' @param ", settings$names[shown], " ", helps[shown]),
    "#' @inheritParams release",
    "#' @return A release; see [release-methods].",
    "#' @examples", paste0("#' ", door$example), "#' @export",
    paste0("dp_", name, " <- function(", paste(arguments, collapse = ", "), ") {"),
    paste0("  ", body), "}", ""
  )
}

lines <- c(
  "# Written by bindings/r/signatures.R from the table of settings: edit that, not this.", "",
  unlist(Map(written, names(doors), doors), use.names = FALSE)
)
if ("--check" %in% commandArgs(TRUE)) {
  if (!identical(readLines(target), head(lines, -1))) stop("R/doors.R is not what the table says: run Rscript bindings/r/signatures.R")
} else {
  writeLines(head(lines, -1), target)
}
