import dpfda

day = dpfda.PrivateRows(
    id="id", time="hour", value="glucose", domain=(0, 24), periodic=True, bins=8,
    center=6, radius=2, epsilon=1, delta=1e-5,
)
release = day.release("data/week_like.csv")
print(release.features(integral=(22, 6), maximum=True))
