test_that("the functions have the settings of the table as arguments", {
  doors <- list(
    mean = dp_mean, groups = dp_groups, change = dp_change, regression = dp_fosr, rows = dp_rows, surface = dp_surface,
    centiles = dp_centiles, density = dp_density
  )
  for (kind in names(doors)) {
    settings <- dpfda:::rs_settings(kind)
    expect_true(all(setdiff(settings$names, "on") %in% names(formals(doors[[kind]]))), info = kind)
    expect_false(any(grepl("[{}]", settings$helps)), info = kind)
  }
})

test_that("refusals name settings as R writes them", {
  found <- expect_refusal(dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5, radius_share = 2), "radius_share")
  expect_match(conditionMessage(found), "`radius_share`", fixed = TRUE)
})
