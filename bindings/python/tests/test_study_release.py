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
from conftest import POINTS, SEEDED, STATED, synthetic, without_table

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
COLUMNS = {"values": "v*"}


def mean(**settings: Any) -> dpfda.PrivateMean:
    return dpfda.PrivateMean(**{**STATED, **settings})


#: What each study is to release, by the door that was there before it.
DOORS: dict[str, Callable[[], Any]] = {
    "mean": lambda: mean().release(TABLE, values="v*", domain_range=(0, 24), **SEEDED),
    "groups": lambda: dpfda.PrivateMean(center=0.5, radius=0.5, epsilon=1, delta=1e-5).release_groups(
        TABLE, "status", values=["v0", "v1"], **SEEDED
    ),
    "long": lambda: dpfda.PrivateRows((0, 1), **STATED, bins=5).release(LONG, id="id", time="day", value="y", **SEEDED),
    "seen": lambda: mean(gaps="rows", radius_share=None).release(TABLE, values="v*", **SEEDED),
    "surface": lambda: dpfda.PrivateSurface(**STATED).release(TABLE, values="v*", shape=(3, 7), **SEEDED),
    "regression": lambda: dpfda.PrivateRegression({"age": (18, 90)}, **STATED, public_design=True).release(
        TABLE, values="v*", **SEEDED
    ),
    "density": lambda: dpfda.density(TABLE, columns="x", bounds=(0, 1), epsilon=1, cells=8, **SEEDED),
}


def data_of(name: str) -> pd.DataFrame:
    return LONG if name == "long" else TABLE


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_gives_the_numbers_of_the_other_door_and_its_digest(name: str) -> None:
    study, other = study_of(name), DOORS[name]()
    release = study.release(data_of(name), **SEEDED)
    assert type(release) is type(other)
    assert without_table(release.to_json()) == without_table(other.to_json())
    assert release.study == study.digest
    assert other.study is None
    assert any(fact.name == "study" and study.digest[:16] in fact.text for fact in release.facts)
    assert type(release).from_json(release.to_json()).study == study.digest


@pytest.mark.parametrize("name", STUDIES)
def test_a_default_that_is_said_changes_nothing(name: str) -> None:
    study = study_of(name)
    defaults = {told.setting: told.value for told in study.origins() if told.origin == "default"}
    said = {setting: json.loads(value) for setting, value in defaults.items() if setting != "groups_of_subject"}
    assert "neighbours" in said
    assert study_of(name, **said) == study
    released = [one.release(data_of(name), **SEEDED).to_json() for one in (study, study_of(name, **said))]
    assert released[0] == released[1]


#: Settings that change the numbers of a release, by kind, and the same arguments of the other door.
CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("mean", {"neighbours": "add-remove", "moments": "none", "center_share": 0.1}, {}),
    ("mean", {"classical": True, "epsilon": 0.5}, {"calibration": "classical", "epsilon": 0.5}),
    ("mean", {"mechanism": "cameron-martin", "kernel": "gaussian", "range": 0.1, "penalty": 1e-3, "eta": 1.0}, {}),
    ("mean", {"delta": 0, "coordinates": 3, "radius_share": 0}, {"delta": 0, "coordinates": 3, "radius_share": None}),
    ("mean", {"gaps": "gaussian-process", "gaps_kernel": "matern52", "gaps_range": 0.2, "gaps_noise": 0.2}, {}),
    ("mean", {"slope": 3.0, "radius_share": 0.05, "level": 0.9, "band": "posterior"}, {}),
    ("mean", {"roughness": 0.15}, {}),
    ("mean", {"band": "honest", "band_roughness": 2.0}, {}),
    ("mean", {"select": "sure"}, {}),
]


@pytest.mark.parametrize(("name", "settings", "arguments"), CHANGES)
def test_every_setting_of_a_mean_goes_where_the_constructor_has_it(name: str, settings: Any, arguments: Any) -> None:
    where = {"values": "v*", "domain_range": (0, 24), "subject": "whose", "missing": [-1], "periodic": False}
    other = mean(**(arguments or settings)).release(TABLE, **where, **SEEDED)
    release = study_of(name, **settings, subject="whose", missing=-1).release(TABLE, **SEEDED)
    assert without_table(release.to_json()) == without_table(other.to_json())


def test_files_are_read_as_the_study_says(csv: Path) -> None:
    study = study_of("mean", subject="id", periodic=True, missing=["-7"], delimiter=",")
    where = {"values": "v*", "subject": "id", "domain_range": (0, 24), "periodic": True, "missing": "-7"}
    other = mean().release(csv, **where, **SEEDED)
    release = study.release(csv, sorted_by_subject=True, threads=2, **SEEDED)
    assert without_table(release.to_json()) == without_table(other.to_json())


def test_an_array_has_no_columns_and_gets_what_the_study_names_beside_it(curves: np.ndarray) -> None:
    assert study_of("mean").release(curves, **SEEDED) == study_of("mean").release(TABLE, **SEEDED)
    whose = study_of("mean", subject="whose")
    assert whose.release(curves, subject=TABLE["whose"].to_numpy(), **SEEDED) == whose.release(TABLE, **SEEDED)
    for study, given in ((whose, {}), (study_of("mean"), {"subject": TABLE["whose"].to_numpy()})):
        with pytest.raises(dpfda.DpfdaError) as refused:
            study.release(curves, **given, **SEEDED)
        assert refused.value.parameter == "subject"
    with pytest.raises(dpfda.DpfdaError, match="leave subject out"):
        whose.release(TABLE, subject="whose", **SEEDED)
    groups = study_of("groups", values="v*")
    assert groups.release(curves, by=TABLE["status"].to_numpy(), **SEEDED).names == groups.release(TABLE, **SEEDED).names
    regression = study_of("regression")
    assert regression.release(curves, columns={"age": TABLE["age"].to_numpy()}, **SEEDED) == regression.release(TABLE, **SEEDED)
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
        ("mean", {"title": "A study"}, "title"),
        ("mean", {"size": "800x500"}, "size"),
        ("mean", {"grid": "names"}, "grid"),
        ("density", {"subject": "id"}, "subject"),
        ("mean", {"mechanism": "cameron-martin", "band": "unsmoothed"}, "band"),
        ("mean", {"classical": True, "epsilon": 3}, "classical"),
        ("mean", {"radius_share": 0.7}, "radius_share"),
        ("long", {"domain": (1, 0)}, "domain"),
        ("regression", {"covariate_bounds": ["age=90:18"]}, "covariate_bounds"),
    ],
)
def test_a_setting_that_no_door_of_python_has_is_refused_before_anything_is_read_or_paid(
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


@pytest.mark.parametrize("given", [{"threads": 2}, {"by": ["a"]}, {"columns": {}}, {"sorted_by_subject": True}])
def test_an_argument_of_another_kind_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        study_of("surface").release(TABLE, **given, **SEEDED)
    assert refused.value.parameter == next(iter(given))


def test_data_that_lie_elsewhere_than_the_study_says_are_refused(curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    hours = skfda.FDataGrid(curves, np.linspace(0, 24, POINTS))
    silent = study_of("mean", grid=None)
    with pytest.raises(dpfda.DpfdaError, match="lie elsewhere") as refused:
        silent.release(hours, **SEEDED)
    assert refused.value.parameter == "grid"
    assert silent.release(skfda.FDataGrid(curves), **SEEDED) == silent.release(curves, **SEEDED)
    named = study_of("mean", grid="names").release(hours, **SEEDED)
    assert named.domain_range == (0, 24)
    assert study_of("mean", grid="uniform:2,5").release(curves, **SEEDED).domain_range == (2, 5)


def test_names_of_axes_are_in_the_document_as_the_command_writes_them() -> None:
    study = study_of("surface", s_label="depth", x_label="hour", y_label="salt", units="g/kg")
    assert study.release(TABLE, **SEEDED).document["labels"] == {"s": "depth", "argument": "hour", "value": "salt (g/kg)"}
    assert study_of("mean", units="cm").release(TABLE, **SEEDED).document["labels"] == {"value": "value (cm)"}
    assert study_of("density").release(TABLE, **SEEDED).document["labels"] == {"columns": ["x"]}


def test_a_centre_of_a_file_is_the_centre_of_the_release(tmp_path: Path) -> None:
    (tmp_path / "center.csv").write_text("t,value\n0,0.25\n12,0.7\n24,0.5\n")
    about = {"bounds": None, "center": tmp_path / "center.csv", "radius": 0.4}
    release = study_of("mean", **about).release(TABLE, **SEEDED)
    other = mean(**about).release(TABLE, values="v*", domain_range=(0, 24), **SEEDED)
    assert without_table(release.to_json()) == without_table(other.to_json())
    values = {"t": [0, 12, 24], "value": [0.25, 0.7, 0.5]}
    assert release == study_of("mean", **{**about, "center": values}).release(TABLE, **SEEDED)


def test_a_reason_for_an_unusual_guarantee_is_told() -> None:
    study = study_of("mean", delta=0.2, because="simulated curves")
    with pytest.warns(dpfda.CuratorWarning, match="above 1/N"):
        release = study.release(TABLE, **SEEDED)
    assert release.document["source"] == {"reason": "simulated curves", "study": study.digest}


def test_a_release_says_whether_it_follows_a_study(tmp_path: Path) -> None:
    study = study_of("mean")
    (tmp_path / "study.toml").write_text(dpfda.Study.new("mean", **STUDIES["mean"][1]))
    path = tmp_path / "release.json"
    study.release(TABLE, **SEEDED).write(path)
    assert dpfda.verify(path, study=study) is None
    assert dpfda.verify(path, study=tmp_path / "study.toml") is None
    other = tmp_path / "other.json"
    DOORS["mean"]().write(other)
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
def test_the_command_and_python_follow_the_same_file_to_the_same_numbers(
    name: str, command: Callable[..., Path], tmp_path: Path
) -> None:
    study, table = file_of(tmp_path / "study.toml", *STUDIES[name]), tmp_path / "table.csv"
    data_of(name).to_csv(table, index=False)
    out = command("release", study, table, "--seed", "7", "--not-private")
    read = dpfda.Study.read(study)
    release = read.release(table if name != "density" else data_of(name), **SEEDED)
    text = (out / "release.json").read_text()
    assert without_table(release.to_json() + "\n") == without_table(text)
    assert release.document["labels"] == json.loads(text)["labels"]
    assert json.loads(text)["source"]["study"] == release.study == read.digest
    if name != "density":
        # and of the same values in memory
        assert read.release(data_of(name), **SEEDED) == release
    assert dpfda.verify(out / "release.json", study=read) is None
