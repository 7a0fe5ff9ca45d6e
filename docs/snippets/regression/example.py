import dpfda

regression = dpfda.PrivateRegression(
    on="case", covariate_bounds="case=0|1", values="cca_*", subject="ID",
    bounds=(0, 1), epsilon=2, delta=1e-5,
)
release = regression.release("data/dti_like.csv")
print(release.features({"case": 1}, maximum=True))
