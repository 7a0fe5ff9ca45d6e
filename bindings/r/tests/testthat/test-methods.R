mean <- mean_of(synthetic(4000), epsilon = 2)

test_that("a release prints shortly, and says that its noise came from a seed", {
  expect_output(print(mean), "NOT PRIVATE")
  expect_lte(length(format(mean)), 4)
  expect_output(print(summary(mean)), "epsilon")
  expect_true(length(summary(mean)$facts) > 5)
})

test_that("the numbers have the columns of the command", {
  table <- as.data.frame(mean)
  expect_identical(names(table), c("t", "value", "posterior_sd", "noise_sd", "lower", "upper"))
  expect_identical(nrow(table), 21L)
  expect_equal(as.data.frame(tidy(mean)), table)
  expect_identical(glance(mean)$epsilon, 2)
  expect_identical(nrow(glance(mean)), 1L)
})

test_that("coefficients come with the band, and an interval with another level", {
  expect_identical(names(coef(mean)), c("t", "value"))
  expect_identical(names(coef(mean, ci = "simultaneous")), c("t", "value", "lower", "upper"))
  expect_refusal(coef(mean, ci = "pointwise"), "ci")
  narrow <- confint(mean, level = 0.8)
  expect_true(all(narrow$upper - narrow$lower < mean$table$upper - mean$table$lower))
  expect_identical(confint(mean)$lower, mean$table$lower)
  expect_refusal(confint(mean, level = 2), "level")
})

test_that("a release knows no person: fitted values and residuals are refused", {
  expect_refusal(fitted(mean), "object")
  expect_refusal(residuals(mean), "object")
})

test_that("the mean of a release is its curve, and what has no mean says what to ask instead", {
  expect_identical(mean(mean), as.data.frame(mean))
  chart <- dp_centiles(synthetic(3000), centiles = c(25, 50, 75), bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7)
  expect_match(conditionMessage(expect_refusal(mean(chart), "x")), "quantile(x, 0.5)", fixed = TRUE)
  density <- dp_density(1:900 / 10, bounds = c(0, 100), epsilon = 1, demonstration = 7)
  expect_match(conditionMessage(expect_refusal(mean(density), "x")), "as.data.frame()", fixed = TRUE)
})

test_that("the curve is known at any points of its domain", {
  at <- predict(mean, c(0, 0.513, 1))
  expect_equal(at$value[c(1, 3)], mean$table$value[c(1, 21)], tolerance = 1e-9)
  outside <- expect_refusal(predict(mean, 1.5), "newdata")
  expect_identical(conditionMessage(outside), "the mean is known from 0 to 1, not at 1.5; a release is not extrapolated")
  for (none in list("a", NA, NA_real_, numeric(), list(), factor(1))) expect_refusal(predict(mean, none), "newdata")
  expect_refusal(predict(mean, 0.5, name = 5), "name")
  expect_identical(predict(mean), mean$table)
})

test_that("slopes and integrals come with their uncertainty", {
  slopes <- deriv(mean, at = c(0.3, 0.5))
  expect_identical(names(slopes), c("t", "value", "sd", "lower", "upper"))
  expect_equal(slopes$value, 0.4 * cos(4 * c(0.3, 0.5)), tolerance = 0.3)
  area <- dp_integral(mean)
  expect_equal(area$value, mean(mean$table$value), tolerance = 0.05)
  halves <- dp_integral(mean, 0, 0.5)$value + dp_integral(mean, 0.5, 1)$value
  expect_equal(halves, area$value, tolerance = 1e-9)
  expect_refusal(dp_integral(mean, from = 0), "from")
  expect_refusal(deriv(mean, at = 7), "at")
  expect_refusal(deriv(mean, window = -1), "window")
  expect_refusal(dp_integral(mean, 1, 0), "from")
})

test_that("means are compared, within a release and between two", {
  groups <- dp_groups(curves, by = rep(c("a", "b"), 300), bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7)
  within <- compare(groups, groups = c("a", "b"))
  expect_identical(names(within), c("t", "value", "sd", "lower", "upper"))
  between <- compare(mean, mean_of(curves, demonstration = 8))
  expect_identical(nrow(between), 21L)
  expect_refusal(compare(groups), "first")
  expect_refusal(compare(groups, groups = "a"), "groups")
  expect_refusal(compare(mean, 1), "y")
  expect_refusal(compare(mean, mean, level = NULL), "level")
  expect_refusal(compare(groups, groups = c("a", NA)), "groups")
})

test_that("components and synthetic curves come from the same release", {
  parts <- components(mean)
  expect_identical(nrow(parts$functions), 21L)
  expect_identical(ncol(parts$functions), nrow(parts$values))
  drawn <- simulate(mean, nsim = 3, seed = 5)
  expect_identical(dim(drawn), c(3L, 21L))
  expect_identical(simulate(mean, nsim = 3, seed = 5), drawn)
  expect_refusal(simulate(mean, nsim = 0), "nsim")
  expect_refusal(simulate(mean, nsim = NA_real_), "nsim")
  expect_refusal(components(dp_density(1:900 / 10, bounds = c(0, 100), epsilon = 1, demonstration = 7)))
})

test_that("centile curves are asked of a release afterwards, also those of normal values", {
  bounded <- list(bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7)
  normal <- 0.5 + outer(stats::qnorm((1:6000 - 0.5) / 6000), 0.1 + 0.05 * sin(1:20 / 3))
  chart <- do.call(dp_centiles, c(list(normal, centiles = c(25, 50)), bounded))
  free <- quantile(chart, c(0.25, 0.5))
  expect_identical(free, dpfda:::centiles_of(chart))
  expect_identical(names(free), c("centile", "t", "value", "lower", "upper"))
  expect_identical(unique(quantile(chart, c(0.07, 0.29))$centile), c("p7", "p29"))
  narrow <- quantile(chart, c(0.25, 0.5), level = 0.8)
  expect_true(all(narrow$upper - narrow$lower <= free$upper - free$lower))
  of_normal <- quantile(chart, c(0.25, 0.5), normal = TRUE)
  expect_identical(of_normal[c("lower", "upper")], free[c("lower", "upper")])
  expect_false(identical(of_normal$value, free$value))
  expect_equal(of_normal$value[1:20], 0.5 + stats::qnorm(0.25) * (0.1 + 0.05 * sin(1:20 / 3)), tolerance = 0.05)
  two <- 0.5 + outer(rep(c(-0.2, 0.2), 3000), rep(1, 20)) + (normal - 0.5) / 8
  chart <- do.call(dp_centiles, c(list(two, centiles = c(25, 50)), bounded))
  why <- expect_refusal(quantile(chart, 0.5, normal = TRUE), "normal")
  expect_match(conditionMessage(why), "may not be normal")
  for (none in list(50, 0, c(0.5, 0.25), NULL, NA_real_, "0.5")) expect_refusal(quantile(chart, none), "probs")
  expect_refusal(quantile(chart, 0.5, normal = NA), "normal")
  expect_refusal(quantile(chart, 0.5, level = 2), "level")
})

test_that("a mean has centile curves of normal values, where that is said", {
  assumed <- quantile(mean, c(0.1, 0.9), normal = TRUE)
  expect_identical(nrow(assumed), 42L)
  expect_equal((assumed$value[1:21] + assumed$value[22:42]) / 2, mean$table$value, tolerance = 1e-9)
  expect_refusal(quantile(mean, 0.5), "normal")
  groups <- dp_groups(curves, by = rep(c("a", "b"), 300), bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7)
  expect_refusal(quantile(groups, 0.5, normal = TRUE), "name")
  of_group <- quantile(groups, 0.5, normal = TRUE, name = "b")
  expect_equal(of_group$value, predict(groups, of_group$t, name = "b")$value, tolerance = 1e-9)
  expect_refusal(quantile(groups, 0.5, name = "b"), "normal")
})

test_that("a noisy number of people that is too small for the centiles asked for is told", {
  private <- list(bounds = c(0, 1), epsilon = 3, delta = 1e-5, neighbours = "add-remove", demonstration = 7)
  chart <- do.call(dp_centiles, c(list(curves[1:120, ], centiles = c(25, 50)), private))
  expect_no_message(quantile(chart, 0.5))
  expect_message(quantile(chart, 0.03), "noisy number of people is about .* 3%")
})

test_that("every kind is drawn, by base graphics and by ggplot2", {
  groups <- dp_groups(curves, by = rep(c("a", "b"), 300), bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7)
  x <- array(0.5, c(300, 4, 3))
  kinds <- list(
    mean, groups,
    dp_surface(x, bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7),
    dp_density(1:900 / 10, bounds = c(0, 100), epsilon = 1, demonstration = 7),
    dp_density(curves[, c(1, 9)], bounds = c(0, 1, 0, 1), epsilon = 2, demonstration = 7),
    dp_centiles(synthetic(3000), centiles = c(25, 50, 75), bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7),
    dp_change(rbind(curves, curves - 0.1) ~ visit | id, list(visit = rep(1:2, each = 600), id = rep(1:600, 2)),
      change = c(1, 2), bounds = c(-0.4, 0.4), epsilon = 2, delta = 1e-4, demonstration = 7
    ),
    dp_fosr(cca ~ age, list(cca = synthetic(2000), age = 1:2000 / 40),
      covariate_bounds = list(age = c(0, 50)), bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7
    )
  )
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (release in kinds) expect_identical(plot(release), release)
  # whatever is a line is added to a plot, and the others say that plot() draws them
  for (release in kinds) {
    if (dpfda:::shape(release) %in% c("curves", "centiles", "density")) {
      expect_identical(lines(release, col = "red"), release)
    } else {
      expect_match(conditionMessage(expect_refusal(lines(release), "x")), "plot() draws it", fixed = TRUE)
    }
  }
  skip_if_not_installed("ggplot2")
  for (release in kinds) {
    drawn <- ggplot2::autoplot(release)
    expect_s3_class(drawn, "ggplot")
    expect_identical(drawn$labels$caption, "NOISE FROM A SEED: NOT PRIVATE")
    expect_silent(ggplot2::ggplot_build(drawn))
  }
})

test_that("a mean is a linear spline of fda, which reads back as it was", {
  fd <- dpfda:::as.fd.dpfda_release(mean)
  expect_s3_class(fd, "fd")
  expect_equal(c(dpfda:::basis_at(fd$basis, mean$table$t) %*% fd$coefs), mean$table$value)
  skip_if(requireNamespace("tf", quietly = TRUE), "tf is installed")
  expect_refusal(as_tfd(mean), "x")
})
