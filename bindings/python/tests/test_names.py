"""The names of the package: all there, and loaded when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dpfda


def test_every_name_of_the_package_is_there_and_listed() -> None:
    assert all(getattr(dpfda, name) is not None for name in dpfda.__all__)
    assert set(dpfda.__all__) <= set(dir(dpfda))
    assert set(dpfda._HOMES) <= set(dpfda.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'dpfda' has no attribute 'Mean'"):
        dpfda.Mean  # noqa: B018


def test_the_import_alone_loads_no_module_of_a_release() -> None:
    code = (
        "import sys, dpfda; before = 'dpfda._mean' in sys.modules; dpfda.PrivateMean; print(before, 'dpfda._mean' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "True"]
