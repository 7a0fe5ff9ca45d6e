import dpfda

groups = dpfda.PrivateGroups(
    by="case", values="cca_*", subject="ID", bounds=(0, 1), epsilon=1, delta=1e-5
)
release = groups.release("data/dti_like.csv")
difference = release.compare("0", "1")
print(difference.p_value, difference.lower.max(), difference.upper.min())
