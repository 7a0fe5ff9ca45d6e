"""A study as of tract profiles, on synthetic curves: people with several visits, a plan, a ledger and everything after it.

Run it from the folder of the repository: python docs/python/study.py
"""

import tempfile
from pathlib import Path

import numpy as np

import dpfda

PEOPLE, VISITS, POINTS = 3000, 2, 93


def synthetic_people() -> tuple[np.ndarray, list[str]]:
    """Profiles between 0 and 1 that belong to nobody, and whose they would be."""
    random = np.random.default_rng(2026)
    t = np.linspace(0, 1, POINTS)
    mean = 0.5 + 0.08 * np.sin(5 * t) - 0.05 * np.exp(-(((t - 0.6) / 0.1) ** 2))
    scores = random.normal(size=(PEOPLE, 2)) * [0.05, 0.03]
    person = mean + scores @ np.stack([np.cos(2 * t), np.sin(6 * t)])
    curves = np.repeat(person, VISITS, axis=0) + 0.01 * random.normal(size=(PEOPLE * VISITS, POINTS))
    curves[random.random(curves.shape) < 0.01] = np.nan
    return curves, [f"P{row // VISITS:05d}" for row in range(len(curves))]


def main() -> None:
    # before there are data: how large will the error be?
    mean = dpfda.PrivateMean(center=0.5, radius=0.25, epsilon=1, delta=1e-5, subject="person")
    forecast = mean.forecast(PEOPLE)
    print(f"expected error with {PEOPLE} people: {forecast.expected[0]['error']:.4f}")
    print(f"people for an error of 0.005: {mean.forecast(error=0.005).needed}")

    curves, people = synthetic_people()
    with tempfile.TemporaryDirectory() as folder:
        ledger = dpfda.Ledger.create(
            Path(folder) / "study.ledger",
            dataset="synthetic tract study",
            unit="subject",
            neighbours="substitute",
            epsilon=2,
            delta=1e-5,
        )
        release = mean.release(curves, columns={"person": people}, ledger=ledger, release_id="mean-1")

        # the same call again: the stored release, at no cost
        assert mean.release(curves, columns={"person": people}, ledger=ledger, release_id="mean-1") == release
        assert ledger.verify(release) == []
        shown = ledger.show()
        print(f"spent: epsilon {shown['spent']['epsilon']:.3f} of {shown['terms']['total']['epsilon']}")

    band = release.band()
    print(f"{band.level:.0%} band for {band.target}, on average {np.mean(band.upper - band.lower) / 2:.4f} to each side")

    components = release.components()
    print(f"rank {components.rank}")
    for share, sd in zip(components.explained, components.explained_sd):
        print(f"  explains {share:.0%} (privacy noise {sd:.1%})")
    print("synthetic curves:", release.simulate(100, seed=1, clip=(0, 1)).shape)

    out = Path("target") / "python"
    out.mkdir(parents=True, exist_ok=True)
    (out / "study.svg").write_text(release.to_svg())


if __name__ == "__main__":
    main()
