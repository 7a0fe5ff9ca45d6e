library(dpfda)

release <- dp_groups("data/dti_like.csv", by = "case", values = "cca_*", subject = "ID",
                     bounds = c(0, 1), epsilon = 1, delta = 1e-5)
compare(release, groups = c("0", "1"))
