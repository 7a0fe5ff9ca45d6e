new_ledger <- function(epsilon = 2) {
  dp_ledger(tempfile(fileext = ".ledger"), dataset = "gait", unit = "curve", epsilon = epsilon, delta = 1e-4)
}

paid <- function(ledger, x = curves, ...) dp_mean(x, bounds = c(0, 1), epsilon = 1, delta = 1e-5, ledger = ledger, ...)

spent <- function(ledger) nrow(dp_ledger(ledger$path)$releases)

test_that("a ledger pays, gives the same release back, and refuses what is too much", {
  ledger <- new_ledger()
  first <- paid(ledger, release_id = "first")
  expect_true(first$ledger)
  expect_identical(spent(ledger), 1L)
  expect_identical(paid(ledger, release_id = "first")$table, first$table)
  expect_identical(spent(ledger), 1L)
  expect_true(dp_verify(first, ledger = ledger))
  expect_refusal(dp_mean(curves, bounds = c(0, 1), epsilon = 5, delta = 1e-5, ledger = ledger), class = "dpfda_ledger_error")
  expect_identical(spent(ledger), 1L)
  expect_output(print(dp_ledger(ledger$path)), "first")
})

test_that("another ledger did not pay", {
  made <- paid(new_ledger())
  expect_refusal(dp_verify(made, ledger = new_ledger()), class = "dpfda_document_error")
  expect_refusal(dp_verify(mean_of(curves), ledger = new_ledger()), class = "dpfda_document_error")
})

test_that("noise from a seed is not paid for, and names of releases need a ledger", {
  ledger <- new_ledger()
  expect_refusal(paid(ledger, demonstration = 1), "ledger")
  expect_refusal(mean_of(curves, release_id = "a"), "ledger")
  expect_refusal(mean_of(curves, demonstration = 1.5), "demonstration")
  expect_identical(spent(ledger), 0L)
  expect_refusal(dp_ledger(tempfile()), class = "dpfda_ledger_error")
  expect_refusal(dp_ledger(tempfile(), dataset = "gait"), "epsilon")
})

test_that("a warning comes before the payment: whoever makes errors of warnings has spent nothing", {
  ledger <- dp_ledger(tempfile(), dataset = "gait", unit = "subject", epsilon = 2, delta = 1e-4)
  ids <- c("S01", "s1", paste0("P", 3:600))
  expect_warning(mean_of(curves, subject = ids), class = "dpfda_curator_warning")
  old <- options(warn = 2)
  on.exit(options(old))
  expect_error(paid(ledger, subject = ids), "NOT FOR PUBLICATION")
  expect_identical(spent(ledger), 0L)
  options(warn = 0)
  caught <- tryCatch(paid(ledger, subject = ids), dpfda_curator_warning = function(told) "stopped")
  expect_identical(caught, "stopped")
  expect_identical(spent(ledger), 0L)
})
