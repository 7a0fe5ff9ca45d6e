"""The names of the package: all there, and loaded when they are used."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from typing import Any

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
    code = "import sys, dpfda; print('dpfda._doors' in sys.modules); dpfda.PrivateMean; print('dpfda._doors' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "True"]


def members(module: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    """Every public function, class, method and property of these names."""
    for name in names:
        found = getattr(module, name)
        yield name, found
        for owner in inspect.getmro(found) if inspect.isclass(found) else ():
            for part, member in vars(owner).items():
                function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if owner.__module__.startswith("dpfda.") and inspect.isfunction(function):
                    yield f"{name}.{part}", function


def public() -> Iterator[tuple[str, Any]]:
    yield from members(dpfda, [name for name in dpfda.__all__ if name != "__version__"])
    for module in ("dask", "spark", "sklearn"):
        optional = pytest.importorskip(f"dpfda.{module}")
        own = [name for name, found in vars(optional).items() if getattr(found, "__module__", "") == optional.__name__]
        yield from members(optional, own)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="annotations have unions with |")
def test_the_types_of_everything_public_can_be_asked_for() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    hints = {name: typing.get_type_hints(found) for name, found in public()}
    assert len(hints) > 300
    import pandas
    from matplotlib.axes import Axes

    assert hints["Release.plot"]["return"] is Axes
    assert hints["Release.to_frame"]["return"] is pandas.DataFrame
    assert dpfda.Ledger in typing.get_args(hints["Study.release"]["ledger"])
    assert hints["Release.to_xarray"]["return"].__name__ == "Dataset"


def test_types_of_libraries_that_are_not_installed_stand_for_anything() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['pandas'] = None; import typing, dpfda; "
        "print(typing.get_type_hints(dpfda.Release.plot)['return'], typing.get_type_hints(dpfda.Release.to_frame)['return'])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["typing.Any", "typing.Any"]
