"""A first release: the mean of synthetic tract profiles, its band, its slope and its figure.

Run it from the folder of the repository: python docs/python/first_release.py
"""

from pathlib import Path

import dpfda

DATA = Path(__file__).parents[2] / "data" / "dti_like.csv"


def main() -> None:
    # chosen before anybody looked at the curves: fractional anisotropy lies between 0 and 1
    mean = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5, values="cca_*", subject="ID")

    # the budget is spent here, and nowhere else
    release = mean.release(DATA)

    # everything below is a function of the release, and costs nothing
    print(release)
    for fact in release.facts:
        print(f"{fact.name}: {fact.text}")

    at = release.at([0.25, 0.5])
    for t, value, lower, upper in zip(at["grid_points"], at["values"], at["lower"], at["upper"]):
        print(f"{value:.3f} at {t}, between {lower:.3f} and {upper:.3f}")
    print("slope at 0.5:", release.derivative(0.5))
    print("integral:", release.integral())

    these_people = release.band("posterior", level=0.9)
    print(these_people.promises)

    out = Path("target") / "python"
    out.mkdir(parents=True, exist_ok=True)
    (out / "first_release.json").write_text(release.to_json())
    (out / "first_release.svg").write_text(release.to_svg())
    again = dpfda.read(out / "first_release.json")
    assert again == release


if __name__ == "__main__":
    main()
