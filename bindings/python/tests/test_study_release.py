"""Releases that follow a study: the numbers of the other doors, with the digest of the study."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_study import STUDIES, file_of, study_of

import dpfda
from conftest import POINTS, SEEDED, bits, synthetic

NAMES = [f"v{k}" for k in range(POINTS)]


def frame() -> pd.DataFrame:
    """A wide table with all that the kinds ask for."""
    table = pd.DataFrame(synthetic(), columns=NAMES)
    table["whose"] = np.arange(600) // 2
    table["status"] = np.where(np.arange(600) % 4 < 2, "case", "control")
    table["age"] = 20.0 + np.arange(600) % 60
    table["x"] = table["v0"]
    return table


def long(table: pd.DataFrame) -> pd.DataFrame:
    """The same values, one in each row."""
    shown = table.reset_index(drop=True).reset_index(names="row").melt(id_vars="row", value_vars=NAMES, value_name="y")
    shown["day"] = shown["variable"].str[1:].astype(float) / (POINTS - 1)
    return shown.rename(columns={"row": "id"})


TABLE = frame()
LONG = long(TABLE)


def data_of(name: str) -> pd.DataFrame:
    return LONG if name == "long" else TABLE


@pytest.mark.parametrize("name", STUDIES)
def test_a_release_has_the_digest_of_its_study_by_every_door(name: str) -> None:
    study = study_of(name)
    release = study.release(data_of(name), **SEEDED)
    assert release.study == study.digest
    assert any(fact.name == "study" and study.digest[:16] in fact.text for fact in release.facts)
    assert type(release).from_json(release.to_json()).study == study.digest
    door = getattr(dpfda, f"Private{study.kind.capitalize()}")
    assert door(**STUDIES[name][1]).release(data_of(name), **SEEDED) == release
    assert dpfda.Study.from_json(study.to_json()).release(data_of(name), **SEEDED) == release
    release.verify(study=study)
    with pytest.raises(dpfda.DocumentError, match=r"another study|the study with"):
        release.verify(study=study_of(name, epsilon=3))


@pytest.mark.parametrize("name", STUDIES)
def test_every_release_has_the_same_verbs(name: str, tmp_path: Path) -> None:
    release = study_of(name).release(data_of(name), **SEEDED)
    assert (release.epsilon, release.neighbours, release.unit) == (1, "substitute", "subject" if name == "long" else "curve")
    assert release.records == 600
    assert (release.mu is None) == (name == "density")
    assert release.ledger is None
    assert len(release.values)
    assert len(release.to_frame()) > 0
    assert release.to_svg().lstrip().startswith(("<svg", "<?xml"))
    assert release.to_pdf().startswith(b"%PDF")
    assert release.to_png().startswith(b"\x89PNG")
    assert release.to_xarray() is not None
    assert release.plot() is not None
    release.write(tmp_path / "release.json")
    assert dpfda.read(tmp_path / "release.json") == release
    assert type(dpfda.read(tmp_path / "release.json")) is type(release)
    with pytest.raises(dpfda.DocumentError, match="another kind"):
        (dpfda.DensityRelease if name != "density" else dpfda.Release).from_json(release.to_json())


@pytest.mark.parametrize("name", STUDIES)
def test_a_default_that_is_said_changes_nothing(name: str) -> None:
    study = study_of(name)
    defaults = {told.setting: told.value for told in study.origins() if told.origin == "default"}
    said = {setting: json.loads(value) for setting, value in defaults.items() if setting != "groups_of_subject"}
    assert "neighbours" in said
    assert study_of(name, **said) == study
    released = [one.release(data_of(name), **SEEDED).to_json() for one in (study, study_of(name, **said))]
    assert released[0] == released[1]


#: Settings that change the numbers of a release.
CHANGES: list[dict[str, Any]] = [
    {"neighbours": "add-remove", "moments": "none", "center_share": 0.1},
    {"classical": True, "epsilon": 0.5},
    {"mechanism": "cameron-martin", "kernel": "gaussian", "range": 0.1, "penalty": 1e-3, "eta": 1.0},
    {"delta": 0, "coordinates": 3, "radius_share": 0},
    {"gaps": "gaussian-process", "gaps_kernel": "matern52", "gaps_range": 0.2, "gaps_noise": 0.2},
    {"slope": 3.0, "radius_share": 0.05, "level": 0.9, "band": "posterior"},
    {"roughness": 0.15},
    {"band": "honest", "band_roughness": 2.0},
    {"select": "sure"},
]


@pytest.mark.parametrize("settings", CHANGES)
def test_every_setting_of_a_mean_is_that_of_the_command(
    settings: dict[str, Any], command: Callable[..., Path], tmp_path: Path
) -> None:
    said = {**STUDIES["mean"][1], **settings, "subject": "whose", "missing": "-1"}
    study, table = file_of(tmp_path / "study.toml", "mean", said), tmp_path / "table.csv"
    TABLE.to_csv(table, index=False)
    out = command("release", study, table, "--seed", "7", "--not-private")
    assert (out / "release.json").read_text() == dpfda.PrivateMean(**said).release(TABLE, **SEEDED).to_json() + "\n"


def test_files_are_read_as_the_study_says(csv: Path, curves: np.ndarray, subjects: list[str]) -> None:
    study = study_of("mean", subject="id", periodic=True, missing=["-7"], delimiter=",")
    release = study.release(csv, sorted_by_subject=True, threads=2, **SEEDED)
    assert release.domain == (0, 24)
    assert bits(release) == bits(study.release(curves, columns={"id": subjects}, **SEEDED))


def test_an_array_has_no_columns_and_gets_what_the_study_names_beside_it(curves: np.ndarray) -> None:
    assert bits(study_of("mean").release(curves, **SEEDED)) == bits(study_of("mean").release(TABLE, **SEEDED))
    whose, ids = study_of("mean", subject="whose"), TABLE["whose"].to_numpy()
    assert bits(whose.release(curves, columns={"whose": ids}, **SEEDED)) == bits(whose.release(TABLE, **SEEDED))
    assert bits(whose.release(curves, columns=TABLE, **SEEDED)) == bits(whose.release(TABLE, **SEEDED))
    for study, columns, parameter in (
        (whose, None, "subject"),
        (whose, {"who": ids}, "subject"),
        (whose, {"whose": ids, "who": ids}, "columns"),
        (whose, ids, "columns"),
        (study_of("mean"), {"whose": ids}, "columns"),
    ):
        with pytest.raises(dpfda.DpfdaError) as refused:
            study.release(curves, columns=columns, **SEEDED)
        assert refused.value.parameter == parameter
    with pytest.raises(dpfda.DpfdaError, match="leave columns out"):
        whose.release(TABLE, columns={"whose": ids}, **SEEDED)
    groups = study_of("groups", values="v*")
    beside = groups.release(curves, columns={"status": TABLE["status"].to_numpy()}, **SEEDED)
    assert bits(beside) == bits(groups.release(TABLE, **SEEDED))
    regression = study_of("regression")
    beside = regression.release(curves, columns={"age": TABLE["age"].to_numpy()}, **SEEDED)
    assert bits(beside) == bits(regression.release(TABLE, **SEEDED))
    density = study_of("density")
    assert density.release(curves[:, 0], **SEEDED) == density.release(TABLE, **SEEDED)


def test_a_stream_is_read_once() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pandas(TABLE)
    stream = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100))
    assert study_of("mean").release(stream, **SEEDED) == study_of("mean").release(TABLE, **SEEDED)
    polars = pytest.importorskip("polars")
    assert study_of("mean").release(polars.from_arrow(table).lazy(), **SEEDED) == study_of("mean").release(TABLE, **SEEDED)


def test_a_circle_is_one_for_a_regression_as_well() -> None:
    release = study_of("regression", periodic=True, grid=(0, 24)).release(TABLE, **SEEDED)
    assert release.coefficients["age"].grid_points[-1] == pytest.approx(24 - 24 / POINTS)


class Untouchable:
    """Data that nobody may look at."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("the data were read")


@pytest.mark.parametrize(
    ("name", "settings", "parameter"),
    [
        ("mean", {"grid": (1, 0)}, "grid"),
        ("mean", {"size": "800"}, "size"),
        ("density", {"subject": "id", "unit": "curve"}, "unit"),
        ("mean", {"mechanism": "cameron-martin", "band": "unsmoothed"}, "band"),
        ("mean", {"classical": True, "epsilon": 3}, "classical"),
        ("mean", {"radius_share": 0.7}, "radius_share"),
        ("long", {"domain": (1, 0)}, "domain"),
    ],
)
def test_settings_that_make_no_release_are_refused_before_anything_is_read_or_paid(
    name: str, settings: Any, parameter: str, tmp_path: Path
) -> None:
    account = {"dataset": "people", "unit": "curve", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.sqlite", **account)
    before = ledger.export()
    with pytest.raises(dpfda.DpfdaError) as refused:
        study_of(name, **settings).release(Untouchable(), ledger=ledger)
    assert refused.value.parameter == parameter, refused.value
    assert ledger.export() == before


@pytest.mark.parametrize(
    ("name", "settings", "parameter"),
    [
        ("surface", {"surface_domain": (0, 1, 2, 1)}, "surface_domain"),
        ("surface", {"surface": (4, 7)}, "surface"),
        ("mean", {"grid": (1, 0)}, "grid"),
        ("mean", {"grid": (0, 1, 2)}, "grid"),
        ("mean", {"values": "w*"}, "values"),
        ("mean", {"subject": "nobody"}, "subject"),
        ("groups", {"by": "nobody"}, "by"),
        ("regression", {"public_design": True, "neighbours": "add-remove"}, "public_design"),
        ("long", {"time": "nowhen"}, "time"),
        ("density", {"columns": "nowhere"}, "columns"),
    ],
)
def test_what_does_not_fit_the_data_is_blamed_on_its_setting(name: str, settings: Any, parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        study_of(name, **settings).release(data_of(name), **SEEDED)
    assert refused.value.parameter == parameter, refused.value
    assert "--" not in str(refused.value)


def test_what_the_other_layout_has_is_refused() -> None:
    for name, given, parameter in (("surface", {"columns": {}}, "columns"), ("long", {"columns": {}}, "columns")):
        with pytest.raises(dpfda.DpfdaError) as refused:
            study_of(name).release(data_of(name), **given, **SEEDED)
        assert refused.value.parameter == parameter
    with pytest.raises(dpfda.DpfdaError, match="a frame, a mapping") as refused:
        study_of("long").release(np.zeros((3, 3)), **SEEDED)
    assert refused.value.parameter == "data"


def test_what_python_refused_before_makes_releases(tmp_path: Path, curves: np.ndarray) -> None:
    named = study_of("mean", grid="names", values=["t0.0", "t0.5", "t2.0"])
    frame = pd.DataFrame(curves[:, :3], columns=["t0.0", "t0.5", "t2.0"])
    assert named.release(frame, **SEEDED).grid_points.tolist() == [0, 0.5, 2]
    frame.to_csv(tmp_path / "named.csv", index=False)
    assert named.release(tmp_path / "named.csv", **SEEDED) == named.release(frame, **SEEDED)
    shown = study_of("mean", title="A study", size="800x500").release(TABLE, **SEEDED)
    assert "A study" in shown.to_svg()
    assert 'width="800"' in shown.to_svg()
    assert shown.plot().get_title(loc="left") == "A study"
    people = study_of("density", subject="whose").release(TABLE, **SEEDED)
    assert (people.unit, people.records) == ("subject", 300)
    TABLE.to_csv(tmp_path / "points.csv", index=False)
    assert study_of("density", subject="whose").release(tmp_path / "points.csv", **SEEDED) == people
    drawn = study_of("density", mechanism="series-exponential", cells=None).release(TABLE, **SEEDED)
    assert drawn.quantile(0.5) == pytest.approx(0.5, abs=0.3)


def test_plans_are_made_from_studies(curves: np.ndarray, csv: Path) -> None:
    study = study_of("mean", subject="id")
    plan, key = study.plan(curves), dpfda.Key()
    assert plan == study.plan(csv) == study.plan(TABLE.assign(id=TABLE["whose"]))
    part = plan.encode(csv, part="all", key=key, values="v*", subject="id")
    assert part.release(plan, **SEEDED).study == study.digest
    for name in ("groups", "seen", "regression", "density"):
        with pytest.raises(dpfda.DpfdaError, match="there are no plans of it"):
            study_of(name).plan(data_of(name))


def test_data_that_lie_elsewhere_than_the_study_says_are_refused(curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    hours = skfda.FDataGrid(curves, np.linspace(0, 24, POINTS))
    silent = study_of("mean", grid=None)
    with pytest.raises(dpfda.DpfdaError, match="do not lie between 0 and 1") as refused:
        silent.release(hours, **SEEDED)
    assert refused.value.parameter == "grid"
    assert silent.release(skfda.FDataGrid(curves), **SEEDED) == silent.release(curves, **SEEDED)
    named = study_of("mean", grid="names").release(hours, **SEEDED)
    assert named.domain == (0, 24)
    assert study_of("mean", grid="uniform:2,5").release(curves, **SEEDED).domain == (2, 5)


def test_names_of_axes_are_in_the_document_as_the_command_writes_them() -> None:
    study = study_of("surface", s_label="depth", x_label="hour", y_label="salt", units="g/kg")
    assert study.release(TABLE, **SEEDED).document["labels"] == {"s": "depth", "argument": "hour", "value": "salt (g/kg)"}
    assert study_of("mean", units="cm").release(TABLE, **SEEDED).document["labels"] == {"value": "value (cm)"}
    assert study_of("density").release(TABLE, **SEEDED).document["labels"] == {"columns": ["x"]}


def test_a_centre_of_a_file_is_the_centre_of_the_release(tmp_path: Path) -> None:
    (tmp_path / "center.csv").write_text("t,value\n0,0.25\n12,0.7\n24,0.5\n")
    about = {"bounds": None, "center": tmp_path / "center.csv", "radius": 0.4}
    release = study_of("mean", **about).release(TABLE, **SEEDED)
    values = {"t": [0, 12, 24], "value": [0.25, 0.7, 0.5]}
    assert release == study_of("mean", **{**about, "center": values}).release(TABLE, **SEEDED)


def test_a_reason_for_an_unusual_guarantee_is_told() -> None:
    study = study_of("mean", delta=0.2, because="simulated curves")
    with pytest.warns(dpfda.CuratorWarning, match="above 1/N"):
        release = study.release(TABLE, **SEEDED)
    assert release.document["source"]["reason"] == "simulated curves"
    assert any(fact.name == "reason" and fact.text == "simulated curves" for fact in release.facts)


def test_a_release_says_whether_it_follows_a_study(tmp_path: Path) -> None:
    study = study_of("mean")
    (tmp_path / "study.toml").write_text(dpfda.Study.new("mean", **STUDIES["mean"][1]))
    path = tmp_path / "release.json"
    study.release(TABLE, **SEEDED).write(path)
    assert dpfda.verify(path, study=study) is None
    assert dpfda.verify(path, study=tmp_path / "study.toml") is None
    other = tmp_path / "other.json"
    text = study.release(TABLE, **SEEDED).to_json().replace(f',\n    "study": "{study.digest}"', "")
    other.write_text(text)
    for document, agreed, words in ((path, study_of("mean", epsilon=2), "another|the study with"), (other, study, "no study")):
        with pytest.raises(dpfda.DocumentError, match=words) as refused:
            dpfda.verify(document, study=agreed)
        assert refused.value.parameter == "study"
    with pytest.raises(dpfda.DpfdaError, match="public key") as refused:
        dpfda.verify(path)
    assert refused.value.parameter == "public_key"
    # a document of which the noise is another is refused first
    path.write_text(path.read_text().replace('"epsilon": 1.0', '"epsilon": 0.1'))
    with pytest.raises(dpfda.DocumentError):
        dpfda.verify(path, study=study)


def test_a_signed_release_is_verified_with_its_study(tmp_path: Path) -> None:
    key = dpfda.SigningKey.new(tmp_path / "key", no_passphrase=True)
    study_of("mean").release(TABLE, **SEEDED).write(tmp_path / "release.json", sign=key)
    signed = dpfda.verify(tmp_path / "release.json", tmp_path / "key.pub", study=study_of("mean"))
    assert signed is not None
    assert signed.key == key.id
    with pytest.raises(dpfda.DocumentError):
        dpfda.verify(tmp_path / "release.json", tmp_path / "key.pub", study=study_of("mean", epsilon=2))


@pytest.mark.parametrize("name", STUDIES)
def test_the_command_and_python_follow_the_same_file_to_the_same_bytes(
    name: str, command: Callable[..., Path], tmp_path: Path
) -> None:
    study, table = file_of(tmp_path / "study.toml", *STUDIES[name]), tmp_path / "table.csv"
    data_of(name).to_csv(table, index=False)
    out = command("release", study, table, "--seed", "7", "--not-private")
    read = dpfda.Study.read(study)
    text = (out / "release.json").read_text()
    assert read.release(table, **SEEDED).to_json() + "\n" == text
    # and of the same values in memory
    assert read.release(data_of(name), **SEEDED).to_json() + "\n" == text
    assert json.loads(text)["source"]["study"] == read.digest
    assert dpfda.verify(out / "release.json", study=read) is None
