import dpfda

change = dpfda.PrivateChange(
    change="visit=1,2", values="cca_*", subject="ID", radius=0.1, epsilon=1, delta=1e-5
)
release = change.release("data/dti_like.csv")
print(release.features(integral=True).integral)
