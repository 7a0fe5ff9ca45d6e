library(dpfda)

scans <- read.csv("data/dti_like.csv")
scans$cca <- as.matrix(scans[paste0("cca_", 1:93)])
release <- dp_fosr(cca ~ case, scans, covariate_bounds = list(case = c("0", "1")),
                   subject = scans$ID, bounds = c(0, 1), epsilon = 2, delta = 1e-5)
head(coef(release))
