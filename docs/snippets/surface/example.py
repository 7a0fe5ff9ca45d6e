import dpfda

week = dpfda.PrivateSurface(
    id="id", s="day", t="hour", value="glucose", surface=(7, 8), surface_domain=(1, 7, 0, 21),
    bounds=(3, 12), epsilon=1, delta=1e-5,
)
release = week.release("data/week_like.csv")
print(release.at([(6, 21)]))
print(release.features(s=6, maximum=True).maximum)
