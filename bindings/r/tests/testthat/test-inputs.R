test_that("a matrix, a data frame, a tibble, a matrix of integers and matrix columns give the same bits", {
  by_matrix <- bits(mean_of(curves))
  expect_identical(bits(mean_of(named)), by_matrix)
  expect_identical(bits(mean_of(named, values = "v*")), by_matrix)
  beside <- cbind(named, site = "north")
  expect_identical(bits(mean_of(beside, values = "v*")), by_matrix)
  refund <- data.frame(id = seq_len(nrow(curves)))
  refund$v <- curves
  expect_identical(bits(mean_of(refund, values = "v_*")), by_matrix)
  expect_identical(bits(mean_of(refund$v)), by_matrix)
  expect_identical(bits(mean_of(I(curves))), by_matrix)
  whole <- round(curves)
  counted <- whole
  storage.mode(counted) <- "integer"
  expect_identical(bits(mean_of(counted)), bits(mean_of(whole)))
  skip_if_not_installed("tibble")
  expect_identical(bits(mean_of(tibble::as_tibble(named))), by_matrix)
})

test_that("a file gives the bits of the matrix", {
  path <- csv_of(named)
  by_file <- mean_of(path, values = "v*")
  expect_identical(by_file$document, mean_of(named, values = "v*")$document)
  expect_identical(bits(by_file), bits(mean_of(curves)))
})

test_that("the matrix is not changed, and neither is the state of R's random numbers", {
  before <- curves + 0
  set.seed(3)
  state <- .Random.seed
  mean_of(curves)
  expect_identical(curves, before)
  expect_identical(.Random.seed, state)
})

test_that("noise comes from the operating system, and set.seed() does nothing", {
  private <- function() {
    set.seed(1)
    mean_of(curves, demonstration = NULL)
  }
  first <- private()
  expect_true(first$is_private)
  expect_false(identical(first$table$value, private()$table$value))
  expect_false(mean_of(curves)$is_private)
})

test_that("curves of fda are evaluated at 101 points of their domain", {
  knots <- seq(0, 1, length.out = 21)
  basis <- structure(list(
    type = "bspline", rangeval = c(0, 1), nbasis = 21, params = knots[2:20], dropind = NULL
  ), class = "basisfd")
  fd <- structure(list(coefs = t(curves), basis = basis, fdnames = list()), class = "fd")
  at <- seq(0, 1, length.out = 101)
  linear <- t(apply(curves, 1, function(curve) stats::approx(knots, curve, at)$y))
  table <- dpfda:::as_table(fd)
  expect_equal(table$values, linear, tolerance = 1e-12)
  expect_identical(bits(mean_of(fd)), bits(mean_of(table$values)))
  expect_identical(bits(mean_of(fd, grid = "names")), bits(mean_of(table$values, grid = at)))
  waves <- structure(list(type = "fourier", rangeval = c(0, 2), nbasis = 5, params = 2, dropind = NULL), class = "basisfd")
  found <- dpfda:::basis_at(waves, c(0.3, 1.1))
  angle <- 2 * pi * c(0.3, 1.1) / 2
  expect_equal(found, cbind(1 / sqrt(2), sin(angle), cos(angle), sin(2 * angle), cos(2 * angle)))
})

test_that("curves of tf are read by their structure, regular ones and irregular ones", {
  t <- seq(0, 24, length.out = 21)
  rows <- lapply(seq_len(nrow(curves)), function(row) curves[row, ])
  regular <- structure(rows, arg = list(t), domain = c(0, 24), class = c("tfd_reg", "tfd", "tf", "list"))
  expect_identical(bits(mean_of(regular, grid = c(0, 24))), bits(mean_of(curves, grid = c(0, 24))))
  expect_refusal(mean_of(regular), "grid")
  gone <- unclass(regular)
  gone[3] <- list(NULL)
  gone[[4]] <- NA_real_
  gaps <- replace(curves, cbind(rep(3:4, each = 21), rep(1:21, 2)), NA)
  class(gone) <- class(regular)
  expect_identical(bits(mean_of(gone, grid = c(0, 24))), bits(mean_of(gaps, grid = c(0, 24))))
  seen <- lapply(seq_len(800), function(person) {
    arg <- sort((person * c(0.37, 0.71, 0.93)) %% 24)
    list(arg = arg, value = 0.5 + 0.2 * sin(arg / 4))
  })
  irregular <- structure(seen, domain = c(0, 24), class = c("tfd_irreg", "tfd", "tf", "list"))
  long <- data.frame(
    id = rep(seq_len(800), each = 3),
    arg = unlist(lapply(seen, `[[`, "arg")), value = unlist(lapply(seen, `[[`, "value"))
  )
  settings <- list(domain = c(0, 24), bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7)
  by_tf <- do.call(dp_rows, c(list(irregular), settings))
  by_formula <- do.call(dp_rows, c(list(value ~ arg | id, long), settings))
  expect_identical(by_tf$document, by_formula$document)
})

test_that("what smooth.basis() gives is its curves", {
  waves <- structure(list(type = "fourier", rangeval = c(0, 1), nbasis = 3, params = 1, dropind = NULL), class = "basisfd")
  fd <- structure(list(coefs = rbind(0.7, 0.05 * curves[, 3], 0.05 * curves[, 9]), basis = waves), class = "fd")
  expect_identical(mean_of(structure(list(fd = fd, df = 3), class = "fdSmooth"))$document, mean_of(fd)$document)
})

test_that("with a formula, subjects are a vector or the name of a column of the data", {
  people <- data.frame(age = 1:600 / 10, id = rep(1:300, each = 2))
  people$cca <- curves
  of <- function(subject) {
    dp_fosr(cca ~ age, people,
      subject = subject, covariate_bounds = list(age = c(0, 60)), bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7
    )
  }
  expect_identical(bits(of("id")), bits(of(people$id)))
  expect_identical(of("id")$records, 300)
  expect_refusal(of("nobody"), "subject")
})

test_that("subjects are a vector or the name of a column, and text and whole numbers say the same id", {
  ids <- rep(seq_len(300), each = 2)
  by_vector <- mean_of(curves, subject = ids)
  expect_identical(by_vector$unit, "subject")
  expect_identical(mean_of(curves, subject = NULL)$unit, "curve")
  expect_identical(by_vector$records, 300)
  expect_identical(bits(mean_of(curves, subject = as.character(ids))), bits(by_vector))
  expect_identical(bits(mean_of(curves, subject = as.double(ids))), bits(by_vector))
  expect_identical(bits(mean_of(curves, subject = factor(ids))), bits(by_vector))
  expect_identical(bits(mean_of(cbind(named, person = ids), values = "v*", subject = "person")), bits(by_vector))
})

test_that("labels are factors, text, numbers or truths, and all say the same", {
  status <- rep(c("case", "control"), 300)
  of <- function(by, labels = c("case", "control")) {
    dp_groups(curves, by = by, private_labels = labels, bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7)
  }
  expect_identical(of(status)$document, of(factor(status, c("control", "case")))$document)
  whole <- of(rep(1:2, 300), c("1", "2"))
  expect_identical(whole$document, of(rep(c("1.0", " 2"), 300), c("1", "2"))$document)
  expect_identical(unique(whole$table$group), c("1", "2"))
})

test_that("NA is a missing value, and so is a code that is named", {
  gaps <- curves
  gaps[cbind(1:50, rep(1:10, 5))] <- NA
  by_na <- mean_of(gaps)
  coded <- gaps
  coded[is.na(coded)] <- -999
  expect_refusal(mean_of(coded), "missing")
  expect_identical(by_na$table, mean_of(coded, missing = -999)$table)
  counted <- matrix(c(1L, NA, 0L, 1L), 400, 2)
  real <- counted + 0
  expect_identical(bits(mean_of(counted)), bits(mean_of(real)))
})
