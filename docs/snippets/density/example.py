import dpfda

density = dpfda.PrivateDensity(columns="cca_47", subject="ID", bounds=(0, 1), epsilon=1)
release = density.release("data/dti_like.csv")
print(release.quantile(0.5), release.simulate(3))
