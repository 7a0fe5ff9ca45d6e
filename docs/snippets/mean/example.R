library(dpfda)

release <- dp_mean("data/dti_like.csv", values = "cca_*", subject = "ID",
                   bounds = c(0, 1), epsilon = 1, delta = 1e-5)
predict(release, c(0.25, 0.5))
plot(release)
