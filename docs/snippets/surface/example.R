library(dpfda)

study <- dp_study(kind = "surface", id = "id", s = "day", t = "hour", value = "glucose",
                  surface = c(7, 8), surface_domain = c(1, 7, 0, 21),
                  bounds = c(3, 12), epsilon = 1, delta = 1e-5)
release <- release(study, "data/week_like.csv")
plot(release)
