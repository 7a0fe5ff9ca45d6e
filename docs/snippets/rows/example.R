library(dpfda)

week <- read.csv("data/week_like.csv")
release <- dp_rows(glucose ~ hour | id, week, domain = c(0, 24), periodic = TRUE, bins = 8,
                   center = 6, radius = 2, epsilon = 1, delta = 1e-5)
dp_integral(release, from = 22, to = 6)
