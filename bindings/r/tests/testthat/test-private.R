test_that("what a release would read is for the curator alone: it is not printed, looked into or saved", {
  marked <- curves
  marked[1, 1] <- canary
  check <- dp_check(dp_study(kind = "mean", bounds = c(0, 1), epsilon = 1, delta = 1e-5), marked)
  found <- reveal(check)
  expect_true(all(c("rows", "values", "cost") %in% names(found)))
  hidden <- c(capture.output(print(check)), capture.output(str(check)), format(check), capture.output(dput(unclass(check)$key)))
  expect_false(any(vapply(found, function(text) any(grepl(text, hidden, fixed = TRUE)), logical(1))))
  path <- tempfile(fileext = ".rds")
  saveRDS(check, path, compress = FALSE)
  bytes <- readBin(path, "raw", file.size(path))
  saved <- rawToChar(bytes[bytes != 0])
  expect_false(any(vapply(found, function(text) grepl(text, saved, fixed = TRUE, useBytes = TRUE), logical(1))))
  gone <- readRDS(path)
  gone$key <- "another session"
  expect_refusal(reveal(gone), "check")
  expect_refusal(reveal(1), "check")
})

test_that("every kind is checked", {
  expect_true("cost" %in% names(reveal(dp_check(dp_study(kind = "density", bounds = c(0, 100), epsilon = 1), 1:90 + 0))))
  study <- dp_study(kind = "groups", by = "by", bounds = c(0, 1), epsilon = 1, delta = 1e-5)
  expect_true("groups" %in% names(reveal(dp_check(study, curves, by = rep(c("a", "b"), 300)))))
  study <- dp_study(
    kind = "rows", id = "id", time = "t", value = "y", domain = c(0, 1), bounds = c(0, 1), epsilon = 1, delta = 1e-5
  )
  long <- data.frame(id = rep(1:300, each = 2), t = 1:600 / 600, y = 0.5)
  expect_true("rows" %in% names(reveal(dp_check(study, long))))
})
