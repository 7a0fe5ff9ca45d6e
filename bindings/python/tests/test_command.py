"""The package and the command give the same bytes for the same seed and settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import KNOWN, SEEDED, STATED, bits, document

# the table has a column of ids, and these releases are of curves
pytestmark = pytest.mark.filterwarnings("ignore:NOT FOR PUBLICATION. no subject was named:dpfda.CuratorWarning")

OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "default": ({}, []),
    "stated radius": ({"radius_share": 0}, ["--radius-share", "none"]),
    "bought centre": ({"center_share": 0.1}, ["--center-share", "0.1"]),
    "add-remove": ({"neighbours": "add-remove"}, ["--neighbours", "add-remove"]),
    "Cameron-Martin": ({"mechanism": "cameron-martin"}, ["--mechanism", "cameron-martin"]),
    "classical": ({"classical": True}, ["--classical"]),
    "covariance": ({"moments": "covariance"}, ["--moments", "covariance"]),
    "slope": ({"slope": 4}, ["--slope", "4"]),
    "roughness": ({"roughness": 0.15}, ["--roughness", "0.15"]),
    "smoother": ({"kernel": "gaussian", "range": 0.2}, ["--kernel", "gaussian", "--range", "0.2"]),
    "chosen": ({"select": "sure"}, ["--select", "sure"]),
    "default smoother": ({"select": "default"}, ["--select", "default"]),
    "band": ({"band": "posterior", "level": 0.9}, ["--band", "posterior", "--level", "0.9"]),
    "honest": ({"band": "honest", "band_roughness": 2}, ["--band", "honest", "--band-roughness", "2"]),
}

BASIC = ["--values", "v*", "--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "7"]


@pytest.mark.parametrize("name", OPTIONS)
def test_the_same_settings_give_the_same_bytes(name: str, command: Callable[..., Path], csv: Path, curves: np.ndarray) -> None:
    settings, options = OPTIONS[name]
    mean = dpfda.PrivateMean(**{**STATED, **settings}, values="v*")
    out = command("release", csv, *BASIC, *options)
    assert mean.release(csv, **SEEDED).to_json() + "\n" == (out / "release.json").read_text()
    assert bits(mean.release(curves, **SEEDED)) + "\n" == document(out)


@pytest.mark.parametrize("settings", [{}, {"coordinates": 7}, {"coordinates": 3, "neighbours": "add-remove"}])
def test_a_mean_with_delta_0_has_the_bytes_of_the_command(
    settings: dict[str, Any], command: Callable[..., Path], csv: Path, curves: np.ndarray
) -> None:
    options = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    pure = ["0" if word == "1e-5" else word for word in BASIC]
    mean = dpfda.PrivateMean(**{**STATED, "delta": 0}, **settings)
    assert bits(mean.release(curves, **SEEDED)) + "\n" == document(command("release", csv, *pure, *options))


def test_subjects_and_a_grid_give_the_same_bytes(
    command: Callable[..., Path], csv: Path, curves: np.ndarray, subjects: list[str]
) -> None:
    out = command("release", csv, *BASIC, "--subject", "id", "--grid", "0,24")
    mean = dpfda.PrivateMean(**STATED, values="v*", subject="id", grid=(0, 24))
    assert bits(mean.release(curves, columns={"id": subjects}, **SEEDED)) + "\n" == document(out)
    by_file = mean.release(csv, sorted_by_subject=True, **SEEDED)
    assert by_file.to_json() + "\n" == (out / "release.json").read_text()


def test_parquet_and_arrow_files_give_the_same_bytes(command: Callable[..., Path], csv: Path, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import csv as text
    from pyarrow import feather, parquet

    expected = (command("release", csv, *BASIC, "--subject", "id") / "release.json").read_text()
    table = text.read_csv(csv)
    assert isinstance(table, pyarrow.Table)
    parquet.write_table(table, tmp_path / "curves.parquet", compression="zstd")
    feather.write_feather(table, str(tmp_path / "curves.arrow"), compression="lz4")
    mean = dpfda.PrivateMean(**STATED, values="v*", subject="id")
    for name in ("curves.parquet", "curves.arrow"):
        assert mean.release(tmp_path / name, **SEEDED).to_json() + "\n" == expected
        assert (command("release", tmp_path / name, *BASIC, "--subject", "id") / "release.json").read_text() == expected
    assert mean.release(table, **SEEDED).to_json() + "\n" == expected


def test_several_files_give_the_bytes_of_one(command: Callable[..., Path], csv: Path, tmp_path: Path) -> None:
    expected = (command("release", csv, *BASIC) / "release.json").read_text()
    header, *rows = csv.read_text().splitlines()
    for at in range(3):
        (tmp_path / f"part{at}.csv").write_text("\n".join([header, *rows[200 * at : 200 * (at + 1)]]) + "\n")
    mean = dpfda.PrivateMean(**STATED, values="v*")
    assert mean.release(tmp_path, **SEEDED).to_json() + "\n" == expected
    assert mean.release(f"{tmp_path}/part*.csv", **SEEDED).to_json() + "\n" == expected


def test_the_package_reads_and_smooths_what_the_command_wrote(command: Callable[..., Path], csv: Path) -> None:
    out = command("release", csv, *BASIC, "--roughness", "0")
    release = dpfda.Release.from_json(document(out))
    smoothed = command("smooth", out / "release.json", "--band", "posterior", "--level", "0.9")
    assert release.with_band("posterior", level=0.9).to_json() + "\n" == document(smoothed)
    chosen = command("smooth", out / "release.json", "--select", "sure")
    assert release.smoothed("sure").to_json() + "\n" == document(chosen)
    assert release.to_svg() == (out / "release.svg").read_text()
    assert release.to_png() == (out / "release.png").read_bytes()


def test_synthetic_curves_are_those_of_the_command(command: Callable[..., Path], csv: Path, curves: np.ndarray) -> None:
    release = dpfda.PrivateMean(**STATED).release(curves, **SEEDED)
    try:
        drawn = release.simulate(4, seed=5, clip=(0, 1))
    except dpfda.DpfdaError:
        pytest.fail("the release has curves to draw")
    out = command("release", csv, *BASIC)
    made = command("components", out, "--synthetic", "4", "--seed", "5", "--clip", "0,1")
    rows = [line.split(",")[1:] for line in (made / "synthetic.csv").read_text().splitlines()[1:]]
    np.testing.assert_array_equal(np.array(rows, dtype=float), drawn)


def test_parts_of_the_command_and_of_the_package_are_joined(
    command: Callable[..., Path], csv: Path, curves: np.ndarray, tmp_path: Path
) -> None:
    whole = document(command("release", csv, *BASIC, "--expected", "600", "--center-share", "none"))
    mean = dpfda.PrivateMean(**KNOWN)
    plan = mean.plan(curves)
    (tmp_path / "plan.json").write_text(plan.to_json())
    header, *rows = csv.read_text().splitlines()
    (tmp_path / "north.csv").write_text("\n".join([header, *rows[:250]]) + "\n")
    north = command("part", tmp_path / "north.csv", "--values", "v*", "--plan", tmp_path / "plan.json", "--part", "north")
    joined = dpfda.Part.read(north.read_bytes())
    joined.merge(plan.encode(curves[250:], part="south"))
    assert sorted(joined.parts) == ["north", "south"]
    assert bits(joined.release(plan, **SEEDED)) + "\n" == whole


@pytest.mark.parametrize(
    ("mechanism", "options"),
    [
        ("perturbed", {}),
        ("perturbed", {"cells": 12}),
        ("perturbed", {"neighbours": "add-remove"}),
        ("smoothed", {}),
        ("exponential", {}),
        ("series", {}),
    ],
)
def test_densities_are_those_of_the_command(
    mechanism: str, options: dict[str, Any], command: Callable[..., Path], csv: Path, curves: np.ndarray
) -> None:
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    seed = ["--not-private", "--seed", "7"]
    out = command("release", csv, "--columns", "v3", "--bounds", "0,1", "--epsilon", "1", "--mechanism", mechanism, *words, *seed)
    study = dpfda.PrivateDensity(columns="v3", bounds=(0, 1), epsilon=1, mechanism=mechanism, **options)
    for points in (curves[:, 3], csv):
        assert study.release(points, **SEEDED).to_json() + "\n" == (out / "release.json").read_text()
