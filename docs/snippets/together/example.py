import dpfda

mean = dpfda.PrivateMean(
    values="cca_*", subject="ID", expected=142, center_share=0, bounds=(0, 1), epsilon=1, delta=1e-5
)
plan = mean.plan("data/dti_like.csv")  # public: from the columns of one site
key = dpfda.Key()  # secret, the same for all sites
north = plan.encode("data/dti_like.csv", part="north", key=key)  # private, at each site
release = north.release(plan)  # with more parts: north.merge(south) before
