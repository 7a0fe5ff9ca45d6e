library(dpfda)

release <- dp_mean("data/dti_like.csv", moments = "covariance", roughness = 0, values = "cca_*",
                   subject = "ID", bounds = c(0, 1), epsilon = 8, delta = 1e-5)
components(release)
synthetic <- simulate(release, nsim = 100, seed = 1)
