library(dpfda)

study <- dp_study(kind = "change", change = "visit=1,2", values = "cca_*", subject = "ID",
                  radius = 0.1, epsilon = 1, delta = 1e-5)
release <- release(study, "data/dti_like.csv")
dp_integral(release)
