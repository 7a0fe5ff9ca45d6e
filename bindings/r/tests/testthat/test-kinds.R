test_that("groups, surfaces, rows, regressions and densities are released", {
  groups <- dp_groups(curves, by = rep(c("a", "b"), 300), bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7)
  expect_s3_class(groups, "dpfda_groups")
  expect_identical(unique(groups$table$group), c("a", "b"))

  x <- array(0.5, c(300, 4, 3)) + rep(seq(0, 0.2, length.out = 4), each = 300)
  surface <- dp_surface(x, surface_domain = c(0, 3, 0, 2), bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7)
  expect_s3_class(surface, "dpfda_surface")
  expect_identical(nrow(surface$table), 12L)
  expect_identical(surface$table$s[1:4], c(0, 0, 0, 1))
  flat <- matrix(aperm(x, c(1, 3, 2)), 300)
  again <- dp_surface(flat,
    surface = c(4, 3), surface_domain = c(0, 3, 0, 2), bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7
  )
  expect_identical(again$document, surface$document)
  long <- data.frame(
    id = rep(1:300, 12), s = rep(0:3, each = 300, times = 3), t = rep(0:2, each = 1200), value = c(x)
  )
  by_rows <- dp_surface(long,
    id = "id", s = "s", t = "t", value = "value", surface = c(4, 3), surface_domain = c(0, 3, 0, 2), bounds = c(0, 1),
    epsilon = 3, delta = 1e-5, demonstration = 7
  )
  expect_identical(by_rows$table$value, dp_surface(flat,
    subject = 1:300, surface = c(4, 3), surface_domain = c(0, 3, 0, 2), bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7
  )$table$value)

  density <- dp_density(seq(1, 99, length.out = 900), bounds = c(0, 100), epsilon = 2, demonstration = 7)
  expect_s3_class(density, "dpfda_density")
  expect_equal(quantile(density, 0.5), 50, tolerance = 0.1)
  plane <- dp_density(cbind(curves[, 1], curves[, 9]), bounds = c(0, 1, 0, 1), epsilon = 2, demonstration = 7)
  expect_identical(ncol(plane$table), 5L)
  expect_identical(
    dp_density(data.frame(age = 1:900 %% 90), columns = "age", bounds = c(0, 100), epsilon = 2, demonstration = 7)$table$density,
    dp_density(1:900 %% 90, bounds = c(0, 100), epsilon = 2, demonstration = 7)$table$density
  )
})

test_that("a regression is a formula, with factors and numbers on its right side", {
  people <- data.frame(age = 20 + (1:2000 * 7) %% 60, site = factor(rep(c("north", "south"), 1000)))
  people$cca <- 0.4 + 0.003 * people$age %o% seq(0, 1, length.out = 11)
  settings <- list(bounds = c(0, 1), epsilon = 3, delta = 1e-5, demonstration = 7)
  bounds <- list(age = c(18, 90), site = c("north", "south"))
  fit <- do.call(dp_fosr, c(list(cca ~ age + site, people, covariate_bounds = bounds), settings))
  expect_s3_class(fit, "dpfda_regression")
  as_text <- do.call(dp_fosr, c(list(cca ~ age + site, people, covariate_bounds = c("age=18:90", "site=north|south")), settings))
  expect_identical(as_text$document, fit$document)
  at <- predict(fit, list(age = 40, site = "north"))
  expect_identical(nrow(at), 11L)
  expect_refusal(predict(fit, list(age = 400, site = "north")), "newdata")
  expect_refusal(predict(fit, list(age = 40)), "newdata")
  expect_true(all(c("coefficient", "t", "value") %in% names(coef(fit))))
})

test_that("rows are a formula of three columns, or a matrix with gaps", {
  visits <- data.frame(patient = rep(1:1000, each = 3), hour = (1:3000 * 0.77) %% 24)
  visits$glucose <- 5 + sin(visits$hour / 4)
  settings <- list(domain = c(0, 24), bounds = c(2, 12), epsilon = 1, delta = 1e-5, demonstration = 7)
  rows <- do.call(dp_rows, c(list(glucose ~ hour | patient, visits), settings))
  expect_s3_class(rows, "dpfda_rows")
  named <- do.call(dp_rows, c(list(visits, id = "patient", time = "hour", value = "glucose"), settings))
  expect_identical(named$document, rows$document)
  expect_identical(names(predict(rows, c(8, 12))), c("t", "value", "posterior_sd", "noise_sd", "lower", "upper"))
  gaps <- curves
  gaps[1:100, 5] <- NA
  expect_s3_class(dp_rows(gaps, bounds = c(0, 1), epsilon = 1, delta = 1e-5, demonstration = 7), "dpfda_rows")
})

test_that("centile curves are released, one above the other", {
  people <- 0.5 + 0.1 * rep(1, 3000) %o% sin(1:12 / 2) + 0.15 * seq(-1, 1, length.out = 3000) %o% rep(1, 12)
  chart <- dp_centiles(people, centiles = c(10, 50, 90), bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7)
  expect_s3_class(chart, "dpfda_centiles")
  study <- dp_study(kind = "centiles", centiles = c(10, 50, 90), bounds = c(0, 1), epsilon = 2, delta = 1e-5)
  expect_identical(release(study, people, demonstration = 7)$document, chart$document)
  expect_identical(names(as.data.frame(chart))[1:4], c("t", "p10", "p10_lower", "p10_upper"))
  expect_true(all(chart$table$p10 < chart$table$p50 & chart$table$p50 < chart$table$p90))
  expect_identical(unique(coef(chart)$centile), c("p10", "p50", "p90"))
  median <- dp_centiles(people, centiles = 50, bounds = c(0, 1), epsilon = 2, delta = 1e-5, demonstration = 7)
  expect_equal(median$table$p50, chart$table$p50)
  narrow <- confint(chart, parm = "p50", level = 0.8)
  expect_true(all(narrow$lower >= chart$table$p50_lower))
  expect_refusal(predict(chart, 0.5), "release")
  expect_refusal(components(chart), "release")
})

# Two visits of the same people, the second one 0.1 lower; the last 100 people have one visit.
visited <- local({
  table <- data.frame(id = c(1:600, 1:500), visit = rep(c("first", "second"), c(600, 500)), year = rep(c(0, 2), c(600, 500)))
  table$cca <- rbind(curves, curves[1:500, ] - 0.1)
  table
})

test_that("a change between two visits is a formula, a data frame or a list of a column", {
  settings <- list(bounds = c(-0.4, 0.4), epsilon = 2, delta = 1e-4, demonstration = 7)
  change <- do.call(dp_change, c(list(cca ~ visit | id, visited, change = c("first", "second")), settings))
  expect_s3_class(change, "dpfda_change")
  expect_identical(change$unit, "subject")
  expect_equal(mean(change$table$value), -0.1, tolerance = 0.5)
  expect_identical(names(as.data.frame(change)), c("t", "value", "posterior_sd", "noise_sd", "lower", "upper"))
  named <- do.call(dp_change, c(list(visited, change = list(visit = c("first", "second")), subject = "id", values = "cca_*"), settings))
  as_text <- do.call(dp_change, c(list(visited, change = "visit=first,second", subject = "id", values = "cca_*"), settings))
  expect_identical(named$document, as_text$document)
  expect_identical(named$table, change$table)
  study <- dp_study(
    kind = "change", change = list(visit = c("first", "second")), subject = "id", values = "cca_*",
    bounds = c(-0.4, 0.4), epsilon = 2, delta = 1e-4
  )
  expect_identical(release(study, visited, demonstration = 7)$document, named$document)
  expect_identical(predict(change, c(0.2, 0.4))$t, c(0.2, 0.4))
  expect_equal(dp_integral(change)$value, mean(change$table$value), tolerance = 0.05)
  narrow <- confint(change, level = 0.8)
  expect_true(all(narrow$lower > change$table$lower))
  again <- do.call(dp_change, utils::modifyList(c(list(cca ~ visit | id, visited, change = c("first", "second")), settings), list(demonstration = 8)))
  expect_equal(compare(change, again)$value, change$table$value - again$table$value)
  expect_refusal(compare(change, change), "y")
  coded <- transform(visited, visit = rep(1:2, c(600, 500)))
  coded$cca <- visited$cca
  by_number <- do.call(dp_change, c(list(cca ~ visit | id, coded, change = c(1, 2)), settings))
  expect_identical(by_number$table, change$table)
})

test_that("without two visits a change is one with time", {
  settings <- list(bounds = c(-0.4, 0.4), epsilon = 2, delta = 1e-4, demonstration = 7)
  slopes <- do.call(dp_change, c(list(cca ~ year | id, visited, apart = 1), settings))
  named <- do.call(dp_change, c(list(visited, per = "year", apart = 1, subject = "id", values = "cca_*"), settings))
  expect_identical(slopes$table, named$table)
  expect_equal(mean(slopes$table$value), -0.05, tolerance = 0.8)
})

test_that("a change that the noise hides is told, and so is that of nobody", {
  nobody <- visited[1:600, ]
  expect_warning(
    hidden <- dp_change(cca ~ visit | id, nobody, change = c("first", "second"), bounds = c(-0.4, 0.4), epsilon = 1, delta = 1e-4, demonstration = 7),
    "NOT FOR PUBLICATION: nobody has a change by the column `visit`.*No cell of the column says second"
  )
  expect_identical(nrow(as.data.frame(hidden)), 0L)
  expect_output(print(hidden), "the noise hides it")
  expect_error(coef(hidden), "the noise hides it")
  expect_refusal(plot(hidden), "x")
  expect_refusal(predict(hidden, 0.5), "release")
})
