import dpfda

chart = dpfda.PrivateCentiles(
    centiles=[10, 25, 50, 75, 90], values="cca_*", subject="ID",
    bounds=(0, 1), center=0.5, epsilon=2, delta=1e-3,
)
release = chart.release("data/dti_like.csv")
highest = release.centile(90)
print(highest.values, highest.lower, highest.upper)
