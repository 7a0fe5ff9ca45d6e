"""Studies: one set of settings by keywords, files and documents, with one digest."""

from __future__ import annotations

import inspect
import json
import pickle
import re
import typing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda

BUDGET = {"epsilon": 1, "delta": 1e-5}
#: A study of each kind and layout.
STUDIES: dict[str, tuple[str, dict[str, Any]]] = {
    "mean": ("mean", {**BUDGET, "bounds": (0, 1), "values": "v*", "grid": [0, 24]}),
    "groups": ("groups", {**BUDGET, "center": 0.5, "radius": 0.5, "values": ["v0", "v1"], "by": "status"}),
    "long": ("rows", {**BUDGET, "bounds": (0, 1), "id": "id", "time": "day", "value": "y", "domain": (0, 1), "bins": 5}),
    "seen": ("rows", {**BUDGET, "bounds": (0, 1), "values": "v*", "radius_share": 0}),
    "surface": ("surface", {**BUDGET, "bounds": (0, 1), "values": "v*", "surface": (3, 7)}),
    "regression": (
        "regression",
        {**BUDGET, "bounds": (0, 1), "values": "v*", "on": ["age"], "covariate_bounds": ["age=18:90"], "public_design": True},
    ),
    "density": ("density", {"epsilon": 1, "bounds": (0, 1), "columns": "x", "cells": 8}),
}


def file_of(path: Path, kind: str, settings: dict[str, Any]) -> Path:
    """A study file that leaves out what is not said."""
    lines = dpfda.Study.new(kind, **settings).splitlines()
    path.write_text("\n".join(line for line in lines if "# fill in" not in line) + "\n")
    return path


def study_of(name: str, **settings: Any) -> dpfda.Study:
    kind, said = STUDIES[name]
    return dpfda.Study(kind, **{**said, **settings})


@pytest.mark.parametrize("name", STUDIES)
def test_keywords_a_file_and_a_document_of_the_same_settings_are_one_study(name: str, tmp_path: Path) -> None:
    study = study_of(name)
    read = dpfda.Study.read(file_of(tmp_path / "study.toml", *STUDIES[name]))
    for same in (read, dpfda.Study.from_json(study.to_json()), pickle.loads(pickle.dumps(study))):
        assert same == study
        assert hash(same) == hash(study)
        assert (same.kind, same.digest, same.settings) == (study.kind, study.digest, study.settings)
    assert study != study_of(name, epsilon=2)
    assert len(study.digest) == 64
    # keywords ask for their kind
    assert dpfda.Study(**STUDIES[name][1]).kind == study.kind or name == "seen"
    # and so does the class of the kind
    door = getattr(dpfda, f"Private{study.kind.capitalize()}")
    assert type(read) is door
    assert door(**STUDIES[name][1]) == study


def test_what_was_said_is_read_and_printed() -> None:
    study = study_of("mean", subject=None)
    assert study.settings == {"epsilon": 1, "delta": 1e-5, "bounds": [0, 1], "values": ["v*"], "grid": [0, 24]}
    assert repr(dpfda.PrivateMean(**study.settings)) == repr(study).replace("Study('mean', ", "PrivateMean(")
    assert repr(study) == "Study('mean', epsilon=1.0, delta=1e-05, bounds=[0.0, 1.0], values=['v*'], grid=[0.0, 24.0])"
    assert json.loads(study.to_json())["bound"] == {"bounds": [0, 1]}
    origins = {told.setting: (told.value, told.origin) for told in study.origins()}
    assert origins["epsilon"] == ("1.0", "said")
    assert origins["neighbours"] == ('"substitute"', "default")
    assert origins["radius_share"][1] == "follows"
    assert "bins" not in origins


def test_values_are_given_in_any_type_that_holds_them(tmp_path: Path) -> None:
    study = study_of("mean", epsilon=np.float32(1), bounds=np.array([0, 1]), grid=np.array([0.0, 24.0]), values=["v*"])
    assert study == study_of("mean")
    (tmp_path / "center.csv").write_text("t,value\n0,0.25\n24,0.5\n")
    about = {"bounds": None, "radius": 0.5}
    centered = study_of("mean", center=tmp_path / "center.csv", **about)
    assert centered == study_of("mean", center={"t": [0, 24], "value": [0.25, 0.5]}, **about)
    assert "center=a curve of 2 points" in repr(centered)
    assert study_of("mean", radius_share="none") == study_of("mean", radius_share=0)
    assert study_of("mean", radius_share=None) == study_of("mean") != study_of("mean", radius_share=0)
    for codes in (-999, [-999], "-999", ["-999"], -999.0):
        assert study_of("mean", missing=codes).settings["missing"] == ["-999"]
    assert study_of("mean", missing=[-999, 7.5]).settings["missing"] == ["-999", "7.5"]


def test_the_file_of_a_centre_is_found_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "center.csv").write_text("t,value\n0,0.25\n24,0.5\n")
    settings = {**STUDIES["mean"][1], "bounds": None, "radius": 0.5, "center": "center.csv"}
    study = dpfda.Study.read(file_of(tmp_path / "study.toml", "mean", settings))
    assert study.settings["center"] == {"t": [0, 24], "value": [0.25, 0.5]}


@pytest.mark.parametrize(
    ("name", "change", "parameter"),
    [
        ("mean", {"epsilo": 1}, None),
        ("mean", {"epsilon": "one"}, "epsilon"),
        ("mean", {"epsilon": float("nan")}, "epsilon"),
        ("mean", {"epsilon": True}, "epsilon"),
        ("mean", {"epsilon": object()}, "epsilon"),
        ("mean", {"epsilon": None}, None),
        ("mean", {"epsilon": 0}, "epsilon"),
        ("mean", {"delta": 0.2}, "delta"),
        ("mean", {"bins": 20}, "bins"),
        ("mean", {"center": 0.5}, "bounds"),
        ("mean", {"bounds": [0, 1, 2]}, "bounds"),
        ("mean", {"bounds": []}, "bounds"),
        ("mean", {"center": "no-such-file.csv", "bounds": None, "radius": 1}, "center"),
        ("mean", {"radius_share": "some"}, "radius_share"),
        ("mean", {"neighbours": "remove"}, "neighbours"),
        ("mean", {"level": 0.3}, "level"),
        ("mean", {"select": "sure", "kernel": "gaussian"}, None),
        ("groups", {"groups_of_subject": 2}, "groups_of_subject"),
        ("long", {"values": "v*"}, "values"),
        ("long", {"domain": (0, 1, 2)}, "domain"),
        ("long", {"bins": 2.5}, "bins"),
        ("regression", {"covariate_bounds": ["age=18"]}, "covariate_bounds"),
        ("regression", {"covariate_bounds": ["age=18:90", "sex=F|M"]}, "covariate_bounds"),
        ("density", {"bounds": (0, 1, 0, 1)}, "bounds"),
    ],
)
def test_what_is_no_study_is_refused_at_its_setting_in_the_words_of_python(name: str, change: Any, parameter: str | None) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        study_of(name, **change)
    assert refused.value.parameter == parameter, refused.value
    assert "--" not in str(refused.value)
    assert parameter is None or f"{parameter}=" in str(refused.value)


def test_a_kind_that_there_is_not_is_refused() -> None:
    for make in (dpfda.Study, dpfda.Study.new):
        with pytest.raises(dpfda.DpfdaError, match="kind must be one of") as refused:
            make("median", epsilon=1)
        assert refused.value.parameter == "kind"
    with pytest.raises(dpfda.DpfdaError, match="kind must be a name"):
        dpfda.Study({"epsilon": 1})


def test_a_file_that_is_no_study_is_refused_with_its_line(tmp_path: Path) -> None:
    blank = tmp_path / "blank.toml"
    blank.write_text(dpfda.Study.new("mean"))
    with pytest.raises(dpfda.DpfdaError, match=r"line [0-9]+") as refused:
        dpfda.Study.read(blank)
    assert refused.value.parameter == "epsilon"
    people = tmp_path / "people.csv"
    people.write_text("id,v0\nAnna,0.25\n")
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.Study.read(people)
    assert "Anna" not in str(refused.value)
    with pytest.raises(dpfda.DpfdaError, match="cannot be read") as refused:
        dpfda.Study.read(tmp_path / "none.toml")
    assert refused.value.parameter == "path"
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(dpfda.DpfdaError, match="no text in UTF-8"):
        dpfda.Study.read(tmp_path / "bytes.toml")


@pytest.mark.parametrize("kind", ["mean", "groups", "rows", "surface", "regression", "density"])
def test_the_constructor_of_a_kind_has_the_settings_of_the_table(kind: str) -> None:
    door = getattr(dpfda, f"Private{kind.capitalize()}")
    parameters = inspect.signature(door).parameters
    file = dpfda.Study.new(kind)
    assert parameters
    for name, parameter in parameters.items():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert re.search(rf"^#? ?{name} =", file, re.MULTILINE), name
        assert f"\n{name} : " in door.__doc__, name
    hints = typing.get_type_hints(door.__init__)
    assert set(hints) == {*parameters, "return"}
    assert typing.Any not in hints.values()
    assert type(None) in typing.get_args(hints["epsilon"])
    assert float in typing.get_args(hints["epsilon"])
    assert "add-remove" in typing.get_args(typing.get_args(hints["neighbours"])[0])


def test_all_columns_are_values_where_none_is_named() -> None:
    stated = {**BUDGET, "bounds": (0, 1)}
    assert dpfda.PrivateMean(**stated).settings["values"] == ["*"]
    assert dpfda.PrivateRows(**stated).settings["values"] == ["*"]
    assert dpfda.PrivateDensity(epsilon=1, bounds=(0, 1)).settings["columns"] == ["x"]
    assert dpfda.PrivateDensity(epsilon=1, bounds=(0, 1, 0, 1)).settings["columns"] == ["x", "y"]
