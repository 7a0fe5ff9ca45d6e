# Synthetic curves between 0 and 1, without any randomness of the process.
synthetic <- function(rows = 600, points = 21) {
  t <- seq(0, 1, length.out = points)
  a <- sin(seq_len(rows) * 1.7)
  b <- cos(seq_len(rows) * 0.9)
  0.5 + 0.1 * rep(1, rows) %o% sin(4 * t) + 0.05 * a %o% cos(3 * t) + 0.03 * b %o% rep(1, points)
}

curves <- synthetic()
named <- stats::setNames(as.data.frame(curves), paste0("v", 0:20))

# What nearly every release here is asked for. Noise from a seed is the same in every run.
mean_of <- function(x, ..., epsilon = 1, demonstration = 7) {
  dp_mean(x, bounds = c(0, 1), epsilon = epsilon, delta = 1e-5, demonstration = demonstration, ...)
}

# A document without what it says of its table and of the names of axes: a matrix has none.
bits <- function(release) {
  text <- gsub('"labels": \\{\n[^}]*\\}', '"labels": {}', release$document)
  sub(',?\n  "source": \\{\n(.|\n)*?\n  \\}', "", text, perl = TRUE)
}

# A value and a name that stand in private data: no message may show them.
canary <- 7777.123456789
canary_name <- "Zqx-Canary"
shows <- function(text) grepl("zqx|canary|7777\\.123|777712345|123456789", tolower(text))

# One condition of the package, of an argument of this name, that shows no private value.
expect_refusal <- function(code, setting = NULL, class = "dpfda_refusal") {
  found <- tryCatch(
    {
      code
      NULL
    },
    condition = identity
  )
  testthat::expect_s3_class(found, class)
  if (!is.null(setting)) testthat::expect_identical(found$setting, setting)
  testthat::expect_false(shows(paste(conditionMessage(found), paste(deparse(conditionCall(found)), collapse = " "))))
  invisible(found)
}

# What the command makes of a study and a file, with noise from the seed of `mean_of`.
by_command <- function(study, file) {
  binary <- Sys.getenv("DPFDA_COMMAND")
  if (!nzchar(binary)) testthat::skip("DPFDA_COMMAND names no command to compare with")
  folder <- tempfile("command")
  dir.create(folder)
  path <- file.path(folder, "study.toml")
  writeLines(study, path)
  out <- file.path(folder, "out")
  words <- c("release", shQuote(path), shQuote(file), "--not-private", "--seed", "7", "--out", shQuote(out))
  said <- suppressWarnings(system2(binary, words, stdout = TRUE, stderr = TRUE))
  if (!file.exists(file.path(out, "release.json"))) stop(paste(said, collapse = "\n"))
  list(study = dp_study(path), release = dp_read(file.path(out, "release.json")))
}

# Numbers as text that reads back as they were.
csv_of <- function(table) {
  path <- tempfile(fileext = ".csv")
  exact <- lapply(table, function(column) if (is.double(column)) sprintf("%.17g", column) else as.character(column))
  rows <- do.call(paste, c(exact, sep = ","))
  writeLines(c(paste(names(table), collapse = ","), rows), path)
  path
}
