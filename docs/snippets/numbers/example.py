import dpfda
from dpfda import Functional

table = {"values": "cca_*", "subject": "ID", "center": 0.5, "radius": 0.25}
pure = dpfda.PrivateMean(**table, epsilon=1, delta=0).release("data/dti_like.csv")
print(pure.at([0.25, 0.5]))

numbers = dpfda.PrivateFunctionals(**table, epsilon=2, kernel="matern52", range=0.25, penalty=1e-2)
release = numbers.release("data/dti_like.csv", [Functional.evaluation(0.5), Functional.derivative(0.5)])
print(release.values, release.noise_sd)
