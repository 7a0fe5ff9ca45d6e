# One condition each, with the argument that has to change, no private value in its message, and nothing spent.

ledger <- dp_ledger(tempfile(), dataset = "gait", unit = "curve", epsilon = 9, delta = 1e-3)
settings <- list(bounds = c(0, 1), epsilon = 1, delta = 1e-5, ledger = ledger)
refused <- function(door, ..., setting = NULL, with = settings) {
  expect_refusal(do.call(door, utils::modifyList(with, list(...), keep.null = TRUE), quote = TRUE), setting)
  expect_identical(nrow(dp_ledger(ledger$path)$releases), 0L)
}

test_that("what is no table is refused", {
  refused(dp_mean, x = NULL, setting = "data")
  refused(dp_mean, x = list(canary, canary_name), setting = "data")
  refused(dp_mean, x = factor(canary_name), setting = "data")
  refused(dp_mean, x = matrix(complex(real = canary), 4, 4), setting = "data")
  refused(dp_mean, x = matrix(canary_name, 4, 4), setting = "data")
  refused(dp_mean, x = matrix(TRUE, 4, 4), setting = "data")
  refused(dp_mean, x = function(x) x, setting = "data")
  refused(dp_mean, x = curves[0, ], setting = "data")
  refused(dp_mean, x = named[0, ], setting = "data")
  refused(dp_mean, x = c(canary, canary), setting = "data")
  refused(dp_mean, x = file.path(tempdir(), "nowhere.csv"), values = "v*", setting = "data")
})

test_that("columns that are no numbers are refused by their type", {
  for (column in list(
    factor(rep(canary_name, 600)), rep(canary_name, 600), rep(as.Date("2020-01-01"), 600),
    complex(real = rep(canary, 600)), as.list(rep(canary, 600)), rep(TRUE, 600)
  )) {
    table <- named
    table$v3 <- column
    refused(dp_mean, x = table, values = "v*", setting = "values")
  }
})

test_that("a number that is no value is refused with its row and its column", {
  marked <- curves
  marked[17, 3] <- Inf
  found <- expect_refusal(mean_of(marked), "data")
  expect_match(conditionMessage(found), "row 17, column 3")
  marked[17, 3] <- -999
  expect_refusal(mean_of(marked), "missing")
  table <- named
  table$v2[17] <- Inf
  expect_match(conditionMessage(expect_refusal(mean_of(table), "data")), "row 17, column `v2`")
})

test_that("subjects of another length or type are refused", {
  refused(dp_mean, x = curves, subject = rep(canary_name, 3), setting = "subject")
  refused(dp_mean, x = curves, subject = rep(TRUE, 600), setting = "subject")
  refused(dp_mean, x = curves, subject = c(NA, 2:600), setting = "subject")
  refused(dp_mean, x = curves, subject = 1:600 + 0.5, setting = "subject")
  refused(dp_mean, x = curves, subject = rep(Sys.time(), 600), setting = "subject")
  refused(dp_mean, x = curves, subject = mean, setting = "data")
  refused(dp_mean, x = named, values = "v*", subject = "nobody", setting = "subject")
  refused(dp_mean, x = csv_of(named), values = "v*", subject = 1:600, setting = "subject")
  refused(dp_groups, x = curves, by = c("a", "b"), setting = "by")
  refused(dp_groups, x = curves, by = as.list(rep(canary_name, 600)), setting = "by")
})

test_that("a vector that the study does not name is refused: its rows would be protected alone", {
  study <- dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
  refused(release, study = study, data = curves, subject = rep(1:300, 2), setting = "subject", with = list(ledger = ledger))
  refused(release, study = study, data = curves, people = rep(1:300, 2), setting = "data", with = list(ledger = ledger))
  expect_refusal(release(study, curves, rep(1:300, 2), ledger = ledger), "data")
  expect_refusal(dp_check(study, curves, subject = rep(1:300, 2)), "subject")
})

test_that("text is read in its encoding, and bytes that are none of it are refused", {
  status <- rep(c("K\xe4se", "Wurst"), 300)
  Encoding(status) <- "latin1"
  settings <- list(bounds = c(0, 1), epsilon = 1, delta = 1e-5)
  groups <- do.call(dp_groups, c(list(curves, by = status, demonstration = 7), settings))
  expect_identical(unique(groups$table$group), c("K\u00e4se", "Wurst"))
  Encoding(status) <- "UTF-8"
  refused(dp_groups, x = curves, by = status, setting = "data")
})

test_that("an array of surfaces is released by a study of such surfaces alone", {
  x <- array(0.5, c(300, 4, 3))
  other <- dp_study(kind = "surface", surface = c(3, 4), bounds = c(0, 1), epsilon = 3, delta = 1e-5)
  refused(release, study = other, data = x, setting = "surface", with = list(ledger = ledger))
  refused(dp_mean, x = x, setting = "surface")
})

test_that("a formula with an unknown column, a function or an interaction is refused", {
  people <- data.frame(age = 1:600 / 10)
  people$cca <- curves
  bounded <- list(bounds = c(0, 1), epsilon = 1, delta = 1e-5, ledger = ledger, covariate_bounds = list(age = c(0, 60)))
  refused(dp_fosr, formula = cca ~ nobody, data = people, setting = "formula", with = bounded)
  refused(dp_fosr, formula = cca ~ log(age), data = people, setting = "formula", with = bounded)
  refused(dp_fosr, formula = cca ~ age * cca, data = people, setting = "formula", with = bounded)
  refused(dp_fosr, formula = ~age, data = people, setting = "formula", with = bounded)
  refused(dp_fosr, formula = cca ~ age, data = 3, setting = "data", with = bounded)
  refused(dp_fosr, formula = cca ~ age, data = people, covariate_bounds = NULL, setting = "covariate_bounds", with = bounded)
  refused(dp_fosr, formula = cca ~ age, data = people, covariate_bounds = list(age = mean), setting = "covariate_bounds", with = bounded)
  named <- people
  named$age <- rep(c(canary_name, "other"), 300)
  refused(dp_fosr, formula = cca ~ age, data = named, setting = "on", with = bounded)
  refused(dp_rows, x = value ~ time, data = people, domain = c(0, 1), setting = "formula")
  refused(dp_rows, x = value ~ time | id, data = people, domain = c(0, 1), setting = "time")
})

test_that("a formula and curves of a kind that has none are refused, with what to give", {
  people <- data.frame(case = rep(0:1, 300))
  people$cca <- curves
  refused(dp_mean, x = cca ~ 1, setting = "x")
  expect_refusal(dp_groups(cca ~ case, people, bounds = c(0, 1), epsilon = 1, delta = 1e-5), "x")
  irregular <- structure(rep(list(list(arg = c(0, 0.5), value = c(0.1, canary))), 600), class = c("tfd_irreg", "tfd", "tf", "list"))
  refused(dp_mean, x = irregular, setting = "x")
  refused(dp_mean, x = structure(list(canary), class = c("tfb_spline", "tfb", "tf", "list")), setting = "data")
})

test_that("visits that are none, and a formula without them, are refused", {
  people <- data.frame(id = rep(1:300, 2), visit = rep(c("a", "b"), each = 300))
  people$cca <- curves
  of_subjects <- dp_ledger(tempfile(), dataset = "gait", unit = "subject", epsilon = 9, delta = 1e-3)
  bounded <- list(bounds = c(-1, 1), epsilon = 1, delta = 1e-5, ledger = of_subjects, data = people)
  refused(dp_change, x = cca ~ visit, change = c("a", "b"), setting = "formula", with = bounded)
  refused(dp_change, x = cca ~ nobody | id, change = c("a", "b"), setting = "formula", with = bounded)
  refused(dp_change, x = cca ~ visit | nobody, change = c("a", "b"), setting = "formula", with = bounded)
  refused(dp_change, x = cca ~ visit | id, change = c("a", "b", "c"), setting = "change", with = bounded)
  refused(dp_change, x = cca ~ visit | id, change = c("a", "a"), setting = "change", with = bounded)
  refused(dp_change, x = cca ~ visit | id, change = list("a", "b"), setting = "change", with = bounded)
  refused(dp_change, x = people, change = list(visit = c("a", "b")), values = "cca_*", with = bounded)
  people$visit[people$visit == "b"] <- canary_name
  refused(dp_change, x = cca ~ visit | id, setting = "per", with = bounded)
  people$visit <- factor(people$visit)
  refused(dp_change, x = cca ~ visit | id, setting = "per", with = bounded)
  people$visit <- Sys.Date()
  refused(dp_change, x = cca ~ visit | id, setting = "per", with = bounded)
  expect_identical(nrow(dp_ledger(of_subjects$path)$releases), 0L)
})

test_that("a names column among the points is refused", {
  table <- cbind(named, YEAR = 2020)
  refused(dp_mean, x = table, setting = "values")
  skip_if_not_installed("tibble")
  refused(dp_mean, x = tibble::add_column(tibble::as_tibble(named), name = canary_name), setting = "values")
})

test_that("settings that cannot be are refused before the data are read", {
  refused(dp_mean, x = curves, epsilon = -1, setting = "epsilon")
  refused(dp_mean, x = curves, epsilon = "much", setting = "epsilon")
  refused(dp_mean, x = curves, epsilon = NA, setting = "epsilon")
  refused(dp_mean, x = curves, epsilon = c(TRUE, FALSE), setting = "epsilon")
  refused(dp_mean, x = curves, epsilon = Sys.Date(), setting = "epsilon")
  for (none in list(NA_real_, NA_integer_, NaN, Inf, list(1), mean, 1i, factor("1"))) {
    refused(dp_mean, x = curves, epsilon = none, setting = "epsilon")
  }
  refused(dp_mean, x = curves, periodic = NA, setting = "periodic")
  refused(dp_mean, x = curves, dataset = NA_character_, setting = "dataset")
  refused(dp_mean, x = curves, expected = NA_integer_, setting = "expected")
  refused(dp_mean, x = curves, delta = 2, setting = "delta")
  refused(dp_mean, x = curves, delta = NULL, setting = "delta")
  refused(dp_mean, x = curves, bounds = NULL, setting = "center")
  refused(dp_mean, x = curves, bounds = c(1, 0), setting = "bounds")
  refused(dp_mean, x = curves, bounds = 1, setting = "bounds")
  expect_refusal(dp_study(kind = "nothing"), "kind")
  expect_refusal(dp_study(kind = 5), "kind")
  expect_refusal(dp_study(5), "file")
  expect_refusal(dp_study(kind = "mean", colour = 1))
  expect_refusal(release(list(), curves), "study")
})

test_that("curves that lie elsewhere than the study says are refused", {
  basis <- structure(list(
    type = "bspline", rangeval = c(0, 24), nbasis = 21, params = seq(0, 24, length.out = 21)[2:20], dropind = NULL
  ), class = "basisfd")
  fd <- structure(list(coefs = t(curves), basis = basis, fdnames = list()), class = "fd")
  refused(dp_mean, x = fd, setting = "grid")
  refused(dp_mean, x = fd, grid = c(0, 12), setting = "grid")
  expect_s3_class(mean_of(fd, grid = c(0, 24)), "dpfda_mean")
  plain <- unclass(fd)
  damaged <- list(
    power = within(plain, basis$type <- "power"), few = within(plain, coefs <- coefs[1:5, ]), none = within(plain, coefs <- NULL),
    text = within(plain, coefs <- matrix(canary_name, 21, 3)), several = within(plain, coefs <- array(0, c(21, 5, 2))),
    knots = within(plain, basis$params[3] <- 99)
  )
  for (fd in damaged) refused(dp_mean, x = structure(fd, class = "fd"), setting = "data")
})

test_that("who pays and the seed of a demonstration are said rightly, or refused", {
  for (none in list(5, NA_character_, c("a", "b"))) {
    refused(dp_mean, x = curves, ledger = none, setting = "ledger")
    refused(dp_mean, x = curves, release_id = none, setting = "release_id")
    refused(dp_mean, x = curves, part_of = none, setting = "part_of")
  }
  for (none in list("a", TRUE, c(1, 2), NA_real_, -1)) expect_refusal(mean_of(curves, demonstration = none), "demonstration")
})

test_that("a surface has one value at each point of the grid", {
  long <- data.frame(id = rep(1:50, each = 4), s = rep(0:1, 100), t = rep(c(0, 0, 1, 1), 50), value = 0.5)
  of <- function(table) {
    refused(dp_surface,
      x = table, id = "id", s = "s", t = "t", value = "value", surface = c(2, 2), surface_domain = c(0, 1, 0, 1),
      setting = attr(table, "setting")
    )
  }
  off <- long
  off$s[7] <- 0.4
  of(structure(off, setting = "s"))
  twice <- rbind(long, long[3, ])
  of(structure(twice, setting = "data"))
})

test_that("a number of threads that is none is refused, and any number gives the same release", {
  old <- options(dpfda.threads = "many")
  on.exit(options(old))
  refused(dp_mean, x = curves, setting = "threads")
  options(dpfda.threads = 1)
  one <- mean_of(curves)
  options(dpfda.threads = NULL)
  expect_identical(mean_of(curves)$document, one$document)
})
