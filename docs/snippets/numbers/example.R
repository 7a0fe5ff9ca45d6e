library(dpfda)

release <- dp_mean("data/dti_like.csv", values = "cca_*", subject = "ID",
                   center = 0.5, radius = 0.25, epsilon = 1, delta = 0)
predict(release, c(0.25, 0.5))
