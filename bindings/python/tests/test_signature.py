"""Keys and signatures, and those of the command."""

from __future__ import annotations

import copy
import json
import os
import pickle
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpfda


@pytest.fixture
def key(tmp_path: Path) -> dpfda.SigningKey:
    return dpfda.SigningKey.new(tmp_path / "key", no_passphrase=True)


@pytest.fixture
def signed(tmp_path: Path, key: dpfda.SigningKey, release: dpfda.Release) -> Path:
    release.write(tmp_path / "release.json", sign=key)
    return tmp_path / "release.json"


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    binary = os.environ.get("DPFDA_COMMAND") or pytest.skip("DPFDA_COMMAND names no command to compare with")

    def run(*arguments: object, code: int = 0) -> str:
        words = [binary, *map(str, arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, stdin=subprocess.DEVNULL)
        assert done.returncode == code, done.stderr
        return " ".join((done.stdout + done.stderr).split())

    return run


def test_a_release_is_signed_and_says_by_whom(signed: Path, key: dpfda.SigningKey, release: dpfda.Release) -> None:
    found = dpfda.verify(signed, signed.with_name("key.pub"))
    assert found.key == key.id
    assert found.at is not None
    assert found.at > 1_700_000_000
    assert signed.read_text() == release.to_json() + "\n"


def test_every_kind_of_release_is_written(tmp_path: Path, release: dpfda.Release) -> None:
    release.write(tmp_path / "unsigned.json")
    assert dpfda.Release.from_json((tmp_path / "unsigned.json").read_text()) == release
    assert not (tmp_path / "unsigned.json.minisig").exists()
    study = dpfda.PrivateDensity(bounds=(0, 1), epsilon=1)
    density = study.release([0.2, 0.3, 0.4] * 50, seed=7, not_private=True)
    density.write(tmp_path / "density.json")
    assert json.loads((tmp_path / "density.json").read_text()) == density.document


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 6), is_document=st.booleans())
def test_a_changed_bit_is_found(share: float, bit: int, is_document: bool, signed: Path) -> None:
    path = signed if is_document else signed.with_name("release.json.minisig")
    whole = path.read_bytes()
    # the first line of a signature is a comment that is not signed, and says so
    start = 0 if is_document else whole.index(b"\n") + 1
    at = start + int(share * (len(whole) - start))
    changed = bytearray(whole)
    changed[at] ^= 1 << bit
    # white space at the end of a line of a signature says nothing
    is_space = not is_document and (whole[at : at + 1].isspace() or bytes(changed[at : at + 1]).isspace())
    path.write_bytes(bytes(changed))
    try:
        if not is_space:
            with pytest.raises(dpfda.DocumentError):
                dpfda.verify(signed, signed.with_name("key.pub"))
    finally:
        path.write_bytes(whole)
    dpfda.verify(signed, signed.with_name("key.pub"))


def test_another_key_and_a_missing_signature_are_refused(signed: Path, tmp_path: Path) -> None:
    other = dpfda.SigningKey.new(tmp_path / "other", no_passphrase=True)
    with pytest.raises(dpfda.DocumentError, match=f"and not by {other.id}"):
        dpfda.verify(signed, tmp_path / "other.pub")
    signed.with_name("release.json.minisig").unlink()
    with pytest.raises(dpfda.DocumentError, match="no signature beside") as refused:
        dpfda.verify(signed, tmp_path / "key.pub")
    assert refused.value.parameter == "document"


def test_a_signed_file_that_is_no_release_is_refused(tmp_path: Path, key: dpfda.SigningKey) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(b"{}")
    path.with_name("other.json.minisig").write_text(key._key.sign(b"{}"))
    with pytest.raises(dpfda.DocumentError, match="no release"):
        dpfda.verify(path, tmp_path / "key.pub")


def test_a_passphrase_opens_its_key_and_no_other_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPFDA_PASSPHRASE", raising=False)
    key = dpfda.SigningKey.new(tmp_path / "key", passphrase="correct horse")
    assert dpfda.SigningKey.read(tmp_path / "key", passphrase="correct horse", strict=True).id == key.id
    for wrong in ("wrong", None):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.SigningKey.read(tmp_path / "key", passphrase=wrong)
        assert refused.value.parameter == "passphrase"
    monkeypatch.setenv("DPFDA_PASSPHRASE", "correct horse")
    assert dpfda.SigningKey.read(tmp_path / "key").id == key.id


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_secret_key_is_for_its_owner_alone_and_weak_keys_are_told(tmp_path: Path, key: dpfda.SigningKey) -> None:
    path = tmp_path / "key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.warns(UserWarning, match="has no passphrase"):
        dpfda.SigningKey.read(path)
    with pytest.raises(dpfda.DpfdaError, match="has no passphrase"):
        dpfda.SigningKey.read(path, strict=True)
    path.chmod(0o644)
    with pytest.raises(dpfda.DpfdaError, match="can be read by others"):
        dpfda.SigningKey.read(path, strict=True)


def test_a_secret_key_shows_nothing_and_is_not_copied(key: dpfda.SigningKey) -> None:
    assert repr(key) == "SigningKey(..)"
    for refuse in (pickle.dumps, copy.copy):
        with pytest.raises(dpfda.DpfdaError, match="not pickled"):
            refuse(key)
    with pytest.raises(TypeError):
        pickle.dumps(key._key)


def test_files_that_exist_or_hold_something_else_are_refused(tmp_path: Path, signed: Path, release: dpfda.Release) -> None:
    refusals: dict[str, Callable[[], Any]] = {
        "path": lambda: dpfda.SigningKey.new(tmp_path / "key", no_passphrase=True),
        "passphrase": lambda: dpfda.SigningKey.new(tmp_path / "new", passphrase="x", no_passphrase=True),
        "public_key": lambda: dpfda.verify(signed, tmp_path / "key"),
        "document": lambda: dpfda.verify(tmp_path / "none.json", tmp_path / "key.pub"),
    }
    for parameter, refuse in refusals.items():
        with pytest.raises(dpfda.DpfdaError) as refused:
            refuse()
        assert refused.value.parameter == parameter
    for path in (tmp_path / "key.pub", tmp_path / "none"):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.SigningKey.read(path)
        assert refused.value.parameter == "path"
    with pytest.raises(dpfda.DpfdaError, match="exists"):
        release.write(signed)
    assert not (tmp_path / "new").exists()


def test_a_passphrase_is_asked_for_where_none_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPFDA_PASSPHRASE", raising=False)
    with pytest.raises(dpfda.DpfdaError, match="DPFDA_PASSPHRASE") as refused:
        dpfda.SigningKey.new(tmp_path / "key")
    assert refused.value.parameter == "passphrase"


def test_the_command_verifies_what_the_package_signed(run: Callable[..., str], signed: Path, key: dpfda.SigningKey) -> None:
    assert f"by the key {key.id}" in run("verify", signed, "--key", "key.pub")
    signed.write_text(signed.read_text().replace('"mean"', '"meam"'))
    assert "was changed after it was signed" in run("verify", signed, "--key", "key.pub", code=1)


@pytest.mark.parametrize("passphrase", [None, "correct horse"])
def test_the_package_verifies_what_the_command_signed_and_signs_with_its_key(
    run: Callable[..., str],
    csv: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    passphrase: str | None,
    release: dpfda.Release,
) -> None:
    if passphrase:
        monkeypatch.setenv("DPFDA_PASSPHRASE", passphrase)
    run("key", "new", "mine", *([] if passphrase else ["--no-passphrase"]))
    basic = ["--values", "v*", "--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5"]
    run("release", csv, *basic, "--sign", "mine", "--out", "out")
    found = dpfda.verify(tmp_path / "out" / "release.json", tmp_path / "mine.pub")
    if passphrase:
        key = dpfda.SigningKey.read(tmp_path / "mine", strict=True)
    else:
        with pytest.warns(UserWarning, match="has no passphrase"):
            key = dpfda.SigningKey.read(tmp_path / "mine")
    assert found.key == key.id
    release.write(tmp_path / "again.json", sign=key)
    assert "VERIFIED" in run("verify", "again.json", "--key", "mine.pub")
