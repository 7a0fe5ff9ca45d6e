library(dpfda)

study <- dp_study(kind = "centiles", centiles = c(10, 25, 50, 75, 90), values = "cca_*",
                  subject = "ID", bounds = c(0, 1), center = 0.5, epsilon = 2, delta = 1e-3)
release <- release(study, "data/dti_like.csv")
head(as.data.frame(release))
