# Measures what docs/r.md says: Rscript bindings/r/measure.R SOURCE.tar.gz [rows] [python]
# It installs the source package as nobody has it yet: one user's time of everything that is compiled. With the path of a Python
# that has the package of the same release, both release a matrix of as many rows.

arguments <- commandArgs(TRUE)
source <- normalizePath(arguments[1])
rows <- if (length(arguments) > 1) as.integer(arguments[2]) else 1e5L
python <- arguments[3]

library <- tempfile("library")
dir.create(library)
cold <- system.time(system2("R", c("CMD", "INSTALL", "--library", library, source), stdout = FALSE, stderr = FALSE))
installed <- sum(file.size(list.files(file.path(library, "dpfda"), recursive = TRUE, full.names = TRUE)))

.libPaths(c(library, .libPaths()))
load <- function() {
  took <- "cat(system.time(library(dpfda))[[\"elapsed\"]])"
  as.numeric(system2("Rscript", c("-e", shQuote(took)), stdout = TRUE, env = paste0("R_LIBS=", library)))
}
loads <- replicate(5, load())

library(dpfda)
curves <- 0.5 + 0.1 * rep(1, rows) %o% sin(seq(0, 6, length.out = 93))
once <- function() system.time(dp_mean(curves, bounds = c(0, 1), epsilon = 1, delta = 1e-5))[["elapsed"]]
taken <- median(replicate(5, once()))

megabytes <- function(bytes) sprintf("%.1f MB", bytes / 1e6)
cat(
  "| what | measured |", "|---|---|",
  paste("| source package |", megabytes(file.size(source)), "|"),
  paste("| installed |", megabytes(installed), "|"),
  paste("| cold installation, time of the processors |", sprintf("%.0f s", cold[["user.child"]] + cold[["sys.child"]]), "|"),
  paste("| `library(dpfda)`, median of 5 |", sprintf("%.0f ms", 1000 * median(loads)), "|"),
  paste("| a mean of", format(rows, big.mark = " "), "x 93, median of 5 |", sprintf("%.2f s", taken), "|"),
  sep = "\n"
)
if (!is.na(python)) {
  code <- sprintf(paste(
    "import time, numpy, dpfda;",
    "x = numpy.asfortranarray(0.5 + 0.1 * numpy.sin(numpy.linspace(0, 6, 93)) * numpy.ones((%d, 1)));",
    "mean = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5);",
    "once = lambda: (time.perf_counter(), mean.release(x, workers=2), time.perf_counter());",
    "print(sorted((lambda a: a[2] - a[0])(once()) for _ in range(5))[2])"
  ), rows)
  theirs <- as.numeric(system2(python, c("-c", shQuote(code)), stdout = TRUE))
  cat(paste("| the same, of the time that Python takes for its array |", sprintf("%.2f", taken / theirs), "|"), sep = "\n")
}
