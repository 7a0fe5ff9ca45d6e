"""A ledger pays once, gives back what it paid for, and stops at its total."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import SEEDED, STATED

CURVE = np.linspace(0, 1, 200)
TERMS = {"dataset": "curves 2026", "unit": "curve", "neighbours": "substitute", "epsilon": 2, "delta": 1e-5}


@pytest.fixture
def ledger(tmp_path: Path) -> dpfda.Ledger:
    return dpfda.Ledger.create(tmp_path / "people.ledger", **TERMS)


def test_a_release_is_paid_for_and_given_back(ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    release = mean.release(curves, ledger=ledger, release_id="mean-1")
    assert release.is_private
    assert release.ledger is not None
    assert release.ledger["id"] == "mean-1"
    assert mean.release(curves, ledger=ledger, release_id="mean-1") == release
    assert mean.release(np.asfortranarray(curves), ledger=ledger, release_id="mean-1") == release
    shown = ledger.show()
    assert len(shown["releases"]) == 1
    assert shown["spent"]["epsilon"] <= 1.0001
    assert ledger.verify(release) == []
    release.verify(study=mean, ledger=ledger)
    with pytest.raises(dpfda.DocumentError, match="the ledger says otherwise"):
        dpfda.Release.from_json(release.to_json().replace('"id": "mean-1"', '"id": "mean-2"')).verify(ledger=ledger)


def test_the_id_has_a_default_that_is_the_same_for_the_same_settings(
    ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray
) -> None:
    assert mean.release(curves, ledger=ledger) == mean.release(curves, ledger=ledger)
    assert ledger.show()["releases"][0]["id"].startswith("mean-")


@pytest.mark.filterwarnings("ignore:NOT FOR PUBLICATION. no subject was named:dpfda.CuratorWarning")
def test_a_release_with_a_bought_centre_is_given_back_for_the_same_rows_by_every_door(
    tmp_path: Path, curves: np.ndarray, subjects: list[str], csv: Path
) -> None:
    for unit, column in (("curve", None), ("subject", "id")):
        mean = dpfda.PrivateMean(**STATED, center_share=0.1, values="v*", subject=column)
        beside = {} if column is None else {"columns": {"id": subjects}}
        ledger = dpfda.Ledger.create(tmp_path / f"{unit}.ledger", **{**TERMS, "unit": unit})
        release = mean.release(curves, **beside, ledger=ledger)
        assert mean.release(np.asfortranarray(curves), **beside, ledger=ledger) == release
        from_file = mean.release(csv, ledger=ledger)
        assert json.loads(from_file.to_json())["lattice"] == json.loads(release.to_json())["lattice"]
        with pytest.raises(dpfda.LedgerError, match="other data"):
            mean.release(curves[::-1] / 2, **beside, ledger=ledger)


def test_the_total_is_kept(ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    def spend() -> None:
        for number in range(9):
            mean.release(curves, ledger=ledger, release_id=f"mean-{number}")

    with pytest.raises(dpfda.LedgerError, match="there is left") as refused:
        spend()
    assert refused.value.parameter == "ledger"
    assert ledger.show()["spent"]["epsilon"] <= 2


def test_an_id_of_other_data_is_refused(ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    mean.release(curves, ledger=ledger, release_id="mean-1")
    with pytest.raises(dpfda.LedgerError, match="other data"):
        mean.release(curves[::-1] / 2, ledger=ledger, release_id="mean-1")


def test_another_unit_is_refused(ledger: dpfda.Ledger, curves: np.ndarray, subjects: list[str]) -> None:
    with pytest.raises(dpfda.LedgerError, match="protects each curve"):
        dpfda.PrivateMean(**STATED, subject="id").release(curves, columns={"id": subjects}, ledger=ledger)


def test_a_seed_is_not_paid_for(ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(curves, ledger=ledger, **SEEDED)
    assert refused.value.parameter == "ledger"
    assert ledger.show()["releases"] == []


def test_parts_and_densities_are_paid_for_too(ledger: dpfda.Ledger, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    plan = mean.plan(curves)
    part = plan.encode(curves, part="one")
    release = part.release(plan, ledger=ledger, release_id="a")
    assert part.release(plan, ledger=ledger, release_id="a") == release
    with pytest.warns(dpfda.LedgerWarning, match="more than one kind"):
        density = dpfda.PrivateDensity(bounds=(0, 1), epsilon=0.1).release(curves[:, 3], ledger=ledger, release_id="b")
    assert ledger.verify(density) == []
    assert [one["id"] for one in ledger.show()["releases"]] == ["a", "b"]


def test_groups_pay_for_themselves(tmp_path: Path, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    ledger = dpfda.Ledger.create(tmp_path / "groups.ledger", **{**TERMS, "epsilon": 1, "groups": ["women", "men"]})
    mean.release(curves[:300], ledger=ledger, release_id="w", part_of="women")
    mean.release(curves[300:], ledger=ledger, release_id="m", part_of="men")
    assert {group["group"] for group in ledger.show()["groups"]} == {"women", "men"}
    with pytest.raises(dpfda.LedgerError):
        mean.release(curves, ledger=ledger, release_id="x", part_of="children")


def test_a_ledger_is_its_file(ledger: dpfda.Ledger) -> None:
    assert pickle.loads(pickle.dumps(ledger)).show() == ledger.show()
    assert "people.ledger" in repr(ledger)
    assert json.loads(ledger.export())


def test_what_is_no_ledger_is_refused(tmp_path: Path, ledger: dpfda.Ledger) -> None:
    with pytest.raises(dpfda.LedgerError):
        dpfda.Ledger(tmp_path / "nothing.ledger")
    with pytest.raises(dpfda.LedgerError, match="exists already"):
        dpfda.Ledger.create(ledger, **TERMS)
    (tmp_path / "text").write_text("7777.1,Zqx")
    with pytest.raises(dpfda.LedgerError):
        dpfda.Ledger(tmp_path / "text")
    with pytest.raises(dpfda.LedgerError) as refused:
        dpfda.Ledger.create(tmp_path / "new", **{**TERMS, "groups": ["one"]})
    assert refused.value.parameter == "groups"


def test_a_release_without_a_ledger_is_not_verified(ledger: dpfda.Ledger, release: dpfda.Release) -> None:
    with pytest.raises(dpfda.DpfdaError, match="no ledger"):
        ledger.verify(release)
    assert STATED["epsilon"] == release.epsilon


@pytest.mark.parametrize("mechanism", ["perturbed", "smoothed", "exponential", "series"])
def test_cells_that_a_density_cannot_have_are_refused_before_they_are_paid_for(mechanism: Any, ledger: dpfda.Ledger) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateDensity(bounds=(0, 1), epsilon=1, mechanism=mechanism, cells=10**9).release(CURVE, ledger=ledger)
    assert refused.value.parameter == "cells"
    assert ledger.show()["releases"] == []


@pytest.mark.parametrize("ends", [(-8e307, 8e307), (0.0, 1e51), (0.0, 1e-51)])
def test_a_domain_that_is_too_wide_or_too_narrow_is_refused_for_nothing(
    ledger: dpfda.Ledger, curves: np.ndarray, ends: tuple[float, float]
) -> None:
    with pytest.raises(dpfda.DpfdaError, match="from 1e-50 to 1e50 wide"):
        dpfda.PrivateMean(**STATED, grid=ends).release(curves, ledger=ledger)
    assert ledger.show()["releases"] == []
