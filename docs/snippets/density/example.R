library(dpfda)

release <- dp_density("data/dti_like.csv", columns = "cca_47", subject = "ID",
                      bounds = c(0, 1), epsilon = 1)
quantile(release, c(0.25, 0.5, 0.75))
