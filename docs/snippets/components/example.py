import dpfda

mean = dpfda.PrivateMean(
    moments="covariance", roughness=0, values="cca_*", subject="ID", bounds=(0, 1), epsilon=8, delta=1e-5
)
release = mean.release("data/dti_like.csv")
print(release.components().explained)
synthetic = release.simulate(100, seed=1, clip=(0, 1))
new_person = release.band("prediction")
# the rest of a curve of which three values are known
rest = release.complete([0, 0.25, 0.5], [0.58, 0.47, 0.48])
