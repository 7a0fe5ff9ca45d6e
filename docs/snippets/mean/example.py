import dpfda

mean = dpfda.PrivateMean(values="cca_*", subject="ID", bounds=(0, 1), epsilon=1, delta=1e-5)
release = mean.release("data/dti_like.csv")
print(release.values[:3], release.lower[:3], release.upper[:3])
print(release.at([0.25, 0.5]))
print(release.features(maximum=True).maximum)
