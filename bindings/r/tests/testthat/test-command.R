# The same study and the same seed give the bits of the command, as for Python's package.

study <- function(kind, more = character(), table = 'values = "v*"', bounds = "0, 1", delta = "1e-5") {
  c(paste0("[release.", kind, "]"), more, "[privacy]", "epsilon = 1", paste("delta =", delta), "[bound]",
    paste0("bounds = [", bounds, "]"), "[table]", table)
}

test_that("the mean of a file, a data frame, a matrix, an fd and a tfd has the bits of the command", {
  found <- by_command(study("mean"), csv_of(named))
  of <- function(x, by = found$study) release(by, x, demonstration = 7)
  expect_identical(of(csv_of(named))$document, found$release$document)
  expect_identical(of(named)$document, found$release$document)
  expect_identical(bits(mean_of(curves)), bits(found$release))
  tfd <- structure(lapply(1:600, function(row) curves[row, ]),
    arg = list(seq(0, 1, length.out = 21)), domain = c(0, 1), class = c("tfd_reg", "tfd", "tf", "list")
  )
  expect_identical(bits(mean_of(tfd)), bits(found$release))
})

test_that("the curves of an fd have the bits of the command", {
  basis <- structure(list(type = "fourier", rangeval = c(0, 1), nbasis = 3, params = 1, dropind = NULL), class = "basisfd")
  fd <- structure(list(coefs = rbind(0.7, 0.05 * curves[, 3], 0.05 * curves[, 9]), basis = basis), class = "fd")
  values <- dpfda:::as_table(fd)$values
  found <- by_command(study("mean"), csv_of(stats::setNames(as.data.frame(values), paste0("v", 1:101))))
  expect_identical(bits(mean_of(fd)), bits(found$release))
})

test_that("changes, centile curves, groups, rows, regressions and densities have the bits of the command", {
  table <- cbind(named, status = rep(c("case", "control"), 300), age = 1:600 / 10, id = 1:600)
  same <- function(text, data = table) {
    found <- by_command(text, csv_of(data))
    expect_identical(release(found$study, data, demonstration = 7)$document, found$release$document)
  }
  same(study("groups", 'by = "status"'))
  same(study("regression", c('on = "age"', 'covariate_bounds = "age=0:60"')))
  twice <- transform(table, id = rep(1:300, 2), seen = rep(c("a", "b"), each = 300))
  same(study("change", 'change = "seen=a,b"', c('values = "v*"', 'subject = "id"'), "-1, 1"), twice)
  same(study("change", 'per = "age"', c('values = "v*"', 'subject = "id"'), "-1, 1"), twice)
  same(study("centiles", "centiles = [25, 50, 75]"))
  long <- data.frame(id = rep(1:300, each = 2), time = 1:600 / 600, value = curves[, 4])
  same(study("rows", table = c('id = "id"', 'time = "time"', 'value = "value"', "domain = [0, 1]")), long)
  same(study("density", table = 'columns = "v3"', delta = "0"))
  same(study("mean", table = c('values = "v*"', 'subject = "id"', "grid = [0, 24]")))
  same(study("surface", "surface = [3, 7]"))
})

test_that("centile curves of normal values are those that the command prints", {
  normal <- stats::setNames(as.data.frame(0.5 + outer(stats::qnorm((1:600 - 0.5) / 600), rep(0.1, 21))), paste0("v", 0:20))
  for (kind in c("centiles", "mean")) {
    found <- by_command(study(kind), csv_of(normal))
    path <- tempfile(fileext = ".json")
    dp_write(found$release, path)
    words <- c("evaluate", path, "--centiles", "25,50", if (kind == "centiles") "--normal")
    printed <- utils::read.csv(text = system2(Sys.getenv("DPFDA_COMMAND"), words, stdout = TRUE, stderr = FALSE))
    asked <- quantile(found$release, c(0.25, 0.5), normal = TRUE)
    expect_identical(asked, dpfda:::centiles_of(list(table = printed)))
  }
})
